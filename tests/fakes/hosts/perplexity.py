"""api.perplexity.ai: the search endpoint, web and fast."""

from __future__ import annotations

import re
from datetime import date

from tests.fakes import dates
from tests.fakes.checks import Rule, hosts, one_of, problem, text, whole
from tests.fakes.corpus import found
from tests.fakes.operators import Ask, leftover
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, json_answer

KEY = "fake-PERPLEXITY_API_KEY"


def _us_day(value: object) -> date | None:
    match = re.fullmatch(r"(\d{2})/(\d{2})/(\d{4})", value) if isinstance(value, str) else None
    if not match:
        return None
    try:
        return date(int(match[3]), int(match[1]), int(match[2]))
    except ValueError:
        return None


US_DAY: Rule = ("a date MM/DD/YYYY", lambda value: _us_day(value) is not None)
FIELDS = {
    "query": text(1, 4000),
    "max_results": whole(1, 20),
    "search_context_size": one_of("low", "medium", "high"),
    "search_type": one_of("web", "fast", "people"),
    "search_domain_filter": hosts(20),
    "search_after_date_filter": US_DAY,
    "search_before_date_filter": US_DAY,
}


def error(status: int, message: str) -> Response:
    kind = {401: "invalid_api_key", 429: "rate_limit"}.get(status, "bad_request")
    return json_answer({"error": {"message": message, "type": kind, "code": status}}, status)


def answer(request: Request, scene: Scene) -> Response:
    if (request.method, request.path) != ("POST", "/search"):
        return error(404, "Not found")
    if request.headers.get("authorization") != f"Bearer {KEY}":
        return error(401, "Invalid API key or no credit")
    body = request.json
    if wrong := problem(body, FIELDS, ["query"]):
        return error(422, wrong[1])
    if word := leftover(body["query"], "site", "after", "before"):
        return error(400, f"operator {word} is not supported")
    ask = Ask(
        body["query"],
        tuple(body.get("search_domain_filter", ())),
        _us_day(body.get("search_after_date_filter")),
        _us_day(body.get("search_before_date_filter")),
    )
    kind = body.get("search_type", "web")
    results = [
        {
            "title": one.title,
            "url": one.url,
            "snippet": one.text,
            "date": dates.iso_day(one.published),
            "last_updated": "2026-11-14",
        }
        for one in found(scene, f"perplexity {kind}", ask, body.get("max_results", 10))
    ]
    return json_answer({"id": "s1", "server_time": None, "results": results})


HOSTS = {"api.perplexity.ai": Host(answer, error, paid=True)}
