"""Perplexity search, web and fast."""

from __future__ import annotations

from datetime import date
from typing import Any

from runner.engines.shapes import bearer, entries, raise_error, result, text
from runner.engines.spec import Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult

URL = "https://api.perplexity.ai/search"
MAX_DOMAINS = 20


def build_request(ask: Ask) -> HttpRequest:
    """The mode `web` is the vendor's default and not sent."""
    operators = ask.operators
    body: dict[str, Any] = {
        "query": operators.words(ask.query),
        "max_results": min(max(ask.num_results, 1), 20),
        "search_context_size": "low",
    }
    if ask.mode == "fast":
        body["search_type"] = "fast"
    if operators.sites:
        body["search_domain_filter"] = list(operators.sites[:MAX_DOMAINS])
    if operators.after:
        body["search_after_date_filter"] = _us_date(operators.after)
    if operators.before:
        body["search_before_date_filter"] = _us_date(operators.before)
    return HttpRequest(method="POST", url=URL, headers=bearer(ask), json=body)


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """`results[]`; `last_updated` is not the date of publication."""
    raise_error(body, "results")
    found: list[SearchResult] = []
    for entry in entries(body.get("results") if isinstance(body, dict) else None):
        found += result(
            entry.get("url"), entry.get("title"), text(entry.get("snippet")), entry.get("date")
        )
    return found


def _us_date(day: date) -> str:
    return f"{day:%m/%d/%Y}"
