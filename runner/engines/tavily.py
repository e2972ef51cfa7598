"""Tavily search; the depth is the mode."""

from __future__ import annotations

from typing import Any

from runner.engines.operators import clip_words
from runner.engines.shapes import bearer, entries, raise_error, result, text
from runner.engines.spec import Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult

URL = "https://api.tavily.com/search"
MAX_QUERY_CHARS = 400
MAX_DOMAINS = 300


def build_request(ask: Ask) -> HttpRequest:
    """Hosts and days as fields; the vendor has no budget for snippets."""
    operators = ask.operators
    body: dict[str, Any] = {
        "query": clip_words(operators.words(ask.query), MAX_QUERY_CHARS),
        "max_results": min(max(ask.num_results, 1), 20),
        "search_depth": ask.mode,
    }
    if operators.sites:
        body["include_domains"] = list(operators.sites[:MAX_DOMAINS])
    if operators.after:
        body["start_date"] = operators.after.isoformat()
    if operators.before:
        body["end_date"] = operators.before.isoformat()
    return HttpRequest(method="POST", url=URL, headers=bearer(ask), json=body)


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """`results[]`; the snippet is `content`."""
    raise_error(body, "results")
    found: list[SearchResult] = []
    for entry in entries(body.get("results") if isinstance(body, dict) else None):
        found += result(
            entry.get("url"),
            entry.get("title"),
            text(entry.get("content")),
            entry.get("published_date"),
        )
    return found
