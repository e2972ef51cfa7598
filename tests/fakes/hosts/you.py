"""ydc-index.io: web and news sections; a count above 100 silently gives nothing."""

from __future__ import annotations

from typing import Any

from tests.fakes import dates
from tests.fakes.checks import hosts, is_integer, problem, text
from tests.fakes.corpus import found
from tests.fakes.hosts.brave import FRESHNESS
from tests.fakes.operators import Ask, day, leftover
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-YOU_API_KEY"
FIELDS = {
    "query": text(1, 4000),
    "count": ("an integer", is_integer),
    "include_domains": hosts(500),
    "freshness": FRESHNESS,
}


def error(status: int, message: str) -> Response:
    if status == 402:
        return json_answer({"error": "payment_required", "message": message, "limit": 1}, status)
    return json_answer({"error": message} if status == 422 else {"detail": message}, status)


def answer(request: Request, scene: Scene) -> Response:
    if (request.method, request.path) != ("POST", "/v1/search"):
        return error(404, "Not Found")
    if request.headers.get("x-api-key") != KEY:
        return error(401, "Invalid or expired API key")
    body = request.json
    if wrong := problem(body, FIELDS, ["query"]):
        return error(422, wrong[1])
    if word := leftover(body["query"], "site", "after", "before"):
        return error(422, f"operator {word} is not supported")
    count = body.get("count", 10)
    if count > 100:
        return json_answer({})
    start, _, end = body.get("freshness", "").partition("to")
    sites = tuple(body.get("include_domains", ()))
    ask = Ask(body["query"], sites, day(start), day(end))
    documents = [_result(one) for one in found(scene, "you", ask, count)]
    news = documents[:1] + documents[-1:]  # the first page stands in both sections
    results = {"web": documents, "news": news} if documents else {}
    return json_answer({"results": results, "metadata": {"query": body["query"]}})


def _result(document: Any) -> dict[str, Any]:
    return {
        "url": document.url,
        "title": document.title,
        "description": document.sentences[0],
        "snippets": list(document.sentences),
        "page_age": dates.iso_local(document.published),
    }


HOSTS = {"ydc-index.io": Host(answer, error, paid=True)}
