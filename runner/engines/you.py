"""You.com search: web and news sections."""

from __future__ import annotations

from typing import Any

from runner.engines.shapes import at, distinct, entries, lines, raise_error, result, text
from runner.engines.spec import Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult

URL = "https://ydc-index.io/v1/search"
MAX_DOMAINS = 500


def build_request(ask: Ask) -> HttpRequest:
    """`count` is per section; above 100 the vendor silently answers nothing."""
    operators = ask.operators
    body: dict[str, Any] = {
        "query": operators.words(ask.query),
        "count": min(max(ask.num_results, 1), 100),
    }
    if operators.sites:
        body["include_domains"] = list(operators.sites[:MAX_DOMAINS])
    if window := operators.freshness_window(ask.today):
        body["freshness"] = window
    return HttpRequest(method="POST", url=URL, headers={"X-API-Key": ask.key or ""}, json=body)


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """`results.web[]`, then `results.news[]`, each page once."""
    raise_error(body, "results")
    found: list[SearchResult] = []
    for section in ("web", "news"):
        for entry in entries(at(body, "results", section)):
            snippet = lines(entry.get("snippets")) or text(entry.get("description"))
            found += result(entry.get("url"), entry.get("title"), snippet, entry.get("page_age"))
    return distinct(found)
