"""api.deepseek.com: the search tool; 128 characters in all, operators inside the query."""

from __future__ import annotations

from urllib.parse import urlsplit

from tests.fakes import dates
from tests.fakes.checks import one_of, problem, text, whole
from tests.fakes.corpus import found
from tests.fakes.operators import read_query
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-DEEPSEEK_API_KEY"
# The vendor ignores unknown fields; here they are refused, so that a misspelt one shows.
FIELDS = {
    "query": text(1, 128),
    "count": whole(1, 50),
    "need_content": one_of(True, False),
    "ori_question": text(1, 128),
}


def error(status: int, message: str) -> Response:
    kind = {401: "authentication_error", 402: "insufficient_balance"}.get(status, "invalid_request")
    inner = {"message": message, "type": kind, "param": None, "code": kind}
    return json_answer({"error": inner}, status)


def answer(request: Request, scene: Scene) -> Response:
    if (request.method, request.path) != ("POST", "/v1/tools/search"):
        return error(404, "Not found")
    if request.headers.get("authorization") != f"Bearer {KEY}":
        return error(401, "Authentication Fails, Your api key is invalid")
    body = request.json
    if wrong := problem(body, FIELDS, ["query"]):
        return error(422, wrong[1])
    results = [
        {
            "title": one.title,
            "url": one.url,
            "snippet": one.sentences[0],
            "summary": one.text,
            "content": "",
            "rerank_score": 2.1,
            "date": dates.iso_ms(one.published),
            "site_name": urlsplit(one.url).netloc,
        }
        for one in found(scene, "deepseek", read_query(body["query"]), body.get("count", 10))
    ]
    return json_answer({"results": results})


HOSTS = {"api.deepseek.com": Host(answer, error, paid=True)}
