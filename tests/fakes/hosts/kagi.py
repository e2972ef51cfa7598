"""kagi.com: API v1, results in sections, matches in bold."""

from __future__ import annotations

from html import escape
from typing import Any

from tests.fakes import dates
from tests.fakes.checks import hosts, iso_day, problem, shape, text, whole
from tests.fakes.corpus import Document, found
from tests.fakes.operators import Ask, day, leftover
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-KAGI_API_KEY"
FIELDS = {
    "query": text(1, 4000),
    "limit": whole(1, 1024),
    "lens": shape({"sites_included": hosts(1000)}),
    "filters": shape({"after": iso_day(), "before": iso_day()}),
}


def error(status: int, message: str) -> Response:
    problem_entry = {"code": status, "url": "", "message": message, "location": ""}
    return json_answer({"meta": {}, "data": [], "error": [problem_entry]}, status)


def answer(request: Request, scene: Scene) -> Response:
    if (request.method, request.path) != ("POST", "/api/v1/search"):
        return error(404, "Not found")
    if request.headers.get("authorization") not in (f"Bearer {KEY}", f"Bot {KEY}"):
        return error(401, "Unauthorized")
    body = request.json
    if wrong := problem(body, FIELDS, ["query"]):
        return error(400, wrong[1])
    if word := leftover(body["query"], "site", "after", "before"):
        return error(400, f"operator {word} is not supported")
    filters = body.get("filters", {})
    sites = tuple(body.get("lens", {}).get("sites_included", ()))
    ask = Ask(body["query"], sites, day(filters.get("after")), day(filters.get("before")))
    search = [_result(one) for one in found(scene, "kagi", ask, body.get("limit", 10))]
    data = {"search": search, "news": search[:1]} if search else {}
    return json_answer({"meta": {"trace": "t", "ms": 120}, "data": data})


def _result(document: Document) -> dict[str, Any]:
    return {
        "url": document.url,
        "title": f"<b>{escape(document.title)}</b>",
        "snippet": escape(document.text),
        "time": dates.iso_ms(document.published),
    }


HOSTS = {"kagi.com": Host(answer, error, paid=True)}
