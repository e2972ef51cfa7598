"""Firecrawl search, web source."""

from __future__ import annotations

from datetime import date
from typing import Any

from runner.engines.operators import clip_before, clip_words
from runner.engines.shapes import at, bearer, entries, raise_error, result, text
from runner.engines.spec import ApiError, Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult

URL = "https://api.firecrawl.dev/v2/search"
MAX_QUERY_CHARS = 500


def build_request(ask: Ask) -> HttpRequest:
    """Hosts stay in the query as operators; days become a custom date range."""
    operators = ask.operators
    sites = [f"site:{site}" for site in operators.sites]
    query = clip_before(sites, operators.text, MAX_QUERY_CHARS)
    body: dict[str, Any] = {
        "query": query or clip_words(ask.query, MAX_QUERY_CHARS),
        "limit": min(max(ask.num_results, 1), 100),
        "sources": ["web"],
    }
    bounds = [("cd_min", operators.after), ("cd_max", operators.before)]
    given = [f"{name}:{_us_date(day)}" for name, day in bounds if day]
    if given:
        body["tbs"] = ",".join(["cdr:1", *given])
    return HttpRequest(method="POST", url=URL, headers=bearer(ask), json=body)


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """`data.web[]`; an answer with `success: false` is an error."""
    if isinstance(body, dict) and body.get("success") is False:
        raise ApiError(text(body.get("error")) or "success: false")
    raise_error(body, "data")
    found: list[SearchResult] = []
    for entry in entries(at(body, "data", "web")):
        found += result(entry.get("url"), entry.get("title"), text(entry.get("description")))
    return found


def _us_date(day: date) -> str:
    return f"{day.month}/{day.day}/{day.year}"
