"""Linkup search results; the depth is the mode."""

from __future__ import annotations

from typing import Any

from runner.engines.shapes import at, bearer, entries, raise_error, result, text
from runner.engines.spec import Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult
from runner.text import unescape_html

URL = "https://api.linkup.so/v1/search"
MAX_DOMAINS = 100
NO_RESULT = "SEARCH_QUERY_NO_RESULT"


def build_request(ask: Ask) -> HttpRequest:
    """Hosts and days as fields."""
    operators = ask.operators
    body: dict[str, Any] = {
        "q": operators.words(ask.query),
        "depth": ask.mode,
        "outputType": "searchResults",
        "maxResults": max(ask.num_results, 1),
    }
    if operators.sites:
        body["includeDomains"] = list(operators.sites[:MAX_DOMAINS])
    if operators.after:
        body["fromDate"] = operators.after.isoformat()
    if operators.before:
        body["toDate"] = operators.before.isoformat()
    return HttpRequest(method="POST", url=URL, headers=bearer(ask), json=body)


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """Text entries of `results[]`, HTML entities decoded; images are left out."""
    raise_error(body, "results")
    found: list[SearchResult] = []
    for entry in entries(body.get("results") if isinstance(body, dict) else None):
        if entry.get("type", "text") == "text":
            found += result(
                entry.get("url"), _plain(entry.get("name")), _plain(entry.get("content"))
            )
    return found


def is_no_results(status: int, body: Any) -> bool:
    """Nothing found is a 400 with a code of its own."""
    return status == 400 and at(body, "error", "code") == NO_RESULT


def _plain(value: Any) -> str | None:
    found = text(value)
    return text(unescape_html(found)) if found else None
