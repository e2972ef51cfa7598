"""api.keenable.ai: keyed search, and the public endpoint that needs the app's name instead.

The public endpoint costs nothing but an hourly allowance; its calls count as billed all the same,
since repeating one is the same fault of the program.
"""

from __future__ import annotations

from typing import Any

from tests.fakes import dates
from tests.fakes.checks import iso_day, one_of, problem, text, whole
from tests.fakes.corpus import Document, found
from tests.fakes.operators import day, leftover, read_query
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-KEENABLE_API_KEY"
FIELDS = {
    "query": text(1, 2000),
    "mode": one_of("pro", "realtime"),
    "max_results": whole(1, 50),
    "snippet_max_length": whole(180, 10_000),
    "site": text(3, 253),
    "published_after": iso_day(),
    "published_before": iso_day(),
}


def error(status: int, message: str) -> Response:
    return json_answer({"message": message}, status)


def _invalid(param: str, value: object, reason: str) -> Response:
    detail = {"message": "Invalid filter", "param": param, "value": value, "reason": reason}
    return json_answer(detail, 400)


def answer(request: Request, scene: Scene) -> Response:
    is_public = request.path == "/v1/search/public"
    if refusal := _refusal(request, is_public) or _bad_body(request.json, is_public):
        return refusal
    body = request.json
    engine = f"keenable {body.get('mode', 'pro')}"
    documents = found(scene, engine, read_query(body["query"]), body.get("max_results", 10))
    limit = body.get("snippet_max_length", 2000)
    return json_answer({"results": [_result(document, limit) for document in documents]})


def _refusal(request: Request, is_public: bool) -> Response | None:
    """What is wrong before the body is looked at."""
    if request.path != "/v1/search" and not is_public:
        return error(404, "Not found")
    if request.method != "POST":
        return error(405, "Method not allowed")
    if is_public and not request.headers.get("x-keenable-title"):
        return error(400, "The X-Keenable-Title header is required")
    if not is_public and request.headers.get("x-api-key") != KEY:
        return error(401, "Invalid or missing API key")
    return None


def _bad_body(body: Any, is_public: bool) -> Response | None:
    if wrong := problem(body, FIELDS, ["query"]):
        return _invalid(wrong[0], str(body)[:100], wrong[1])
    if is_public and body.get("mode") == "realtime":
        return error(403, "Realtime mode requires an API key")
    if word := leftover(body["query"], "after", "before"):
        return _invalid("query", word, "unknown operator; use published_after or published_before")
    for word in body["query"].split():
        name, colon, value = word.partition(":")
        if colon and name in ("published_after", "published_before") and not day(value):
            return _invalid(name, value, "not a date YYYY-MM-DD")
    return None


def _result(document: Document, limit: int) -> dict[str, object]:
    return {
        "url": document.url,
        "title": document.title,
        "snippet": document.text[:limit],
        "description": document.sentences[0][:limit],
        "published_at": dates.iso_day(document.published),
    }


HOSTS = {"api.keenable.ai": Host(answer, error, paid=True)}
