"""api.ceramic.ai: plain words only; a 429 says how long to wait in its body."""

from __future__ import annotations

from tests.fakes.checks import problem, text, whole
from tests.fakes.corpus import found
from tests.fakes.operators import Ask, leftover
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-CERAMIC_API_KEY"
FIELDS = {
    "query": text(1, 20_000, max_words=50),
    "maxDescriptionLength": whole(1000, 8000),
    "maxResults": whole(1, 50),
}


def error(status: int, message: str) -> Response:
    shape: dict[str, object] = {"title": "Error", "status": status, "detail": message}
    shape |= {"requestId": "r", "code": "X"}
    if status == 429:
        shape["retry_after_seconds"] = 1
    return json_answer(shape, status)


def answer(request: Request, scene: Scene) -> Response:
    if (request.method, request.path) != ("POST", "/search"):
        return error(404, "not found")
    if request.headers.get("authorization") != f"Bearer {KEY}":
        return error(401, "invalid API key")
    body = request.json
    if wrong := problem(body, FIELDS, ["query"]):
        return error(422, wrong[1])
    results: list[dict[str, object]] = []
    if not leftover(body["query"], "site"):  # a literal site: finds nothing here
        longest = body.get("maxDescriptionLength", 3000)
        results = [
            {
                "title": one.title,
                "url": one.url,
                "description": one.text[:longest],
                "score": one.share,
            }
            for one in found(scene, "ceramic", Ask(body["query"]), body.get("maxResults", 10))
        ]
    inner = {"results": results, "totalResults": len(results)}
    return json_answer({"requestId": "r", "result": inner})


HOSTS = {"api.ceramic.ai": Host(answer, error, paid=True)}
