"""api.firecrawl.dev: site: in the query, days in `tbs`."""

from __future__ import annotations

import re
from datetime import date

from tests.fakes.checks import Rule, problem, text, whole
from tests.fakes.corpus import found
from tests.fakes.operators import Ask, day, leftover, read_query
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-FIRECRAWL_API_KEY"
BOUND = re.compile(r"cd_(min|max):(\d{1,2})/(\d{1,2})/(\d{4})")


def _bounds(value: object) -> dict[str, date] | None:
    """The days of a custom range, None for any other text."""
    first, *rest = value.split(",") if isinstance(value, str) else [""]
    bounds = {}
    for part in rest:
        match = BOUND.fullmatch(part)
        when = day(f"{match[4]}-{match[2]:0>2}-{match[3]:0>2}") if match else None
        if not (match and when):
            return None
        bounds[match[1]] = when
    return bounds if first == "cdr:1" and bounds else None


RANGE: Rule = ("cdr:1 with cd_min or cd_max", lambda value: _bounds(value) is not None)
FIELDS = {
    "query": text(1, 500),
    "limit": whole(1, 100),
    "sources": ("a list of sources", lambda value: value == ["web"]),
    "tbs": RANGE,
}


def error(status: int, message: str) -> Response:
    return json_answer({"success": False, "error": message}, status)


def answer(request: Request, scene: Scene) -> Response:
    if (request.method, request.path) != ("POST", "/v2/search"):
        return error(404, "Cannot POST")
    if request.headers.get("authorization") != f"Bearer {KEY}":
        return error(401, "Unauthorized: Invalid token")
    body = request.json
    if wrong := problem(body, FIELDS, ["query"]):
        return error(400, wrong[1])
    if word := leftover(body["query"], "after", "before"):
        return error(400, f"operator {word} is not supported")
    asked = read_query(body["query"])
    bounds = _bounds(body.get("tbs")) or {}
    ask = Ask(asked.words, asked.sites, bounds.get("min"), bounds.get("max"))
    web = [
        {"url": one.url, "title": one.title, "description": one.text, "position": place}
        for place, one in enumerate(found(scene, "firecrawl", ask, body.get("limit", 5)), start=1)
    ]
    return json_answer({"success": True, "data": {"web": web} if web else {}, "creditsUsed": 2})


HOSTS = {"api.firecrawl.dev": Host(answer, error, paid=True)}
