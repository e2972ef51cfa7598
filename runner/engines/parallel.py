"""Parallel search, modes `turbo`, `fast` and `advanced`."""

from __future__ import annotations

from typing import Any

from runner.engines.operators import clip_words
from runner.engines.shapes import entries, lines, raise_error, result
from runner.engines.spec import Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult

URL = "https://api.parallel.ai/v1/search"
MAX_QUERY_CHARS = 200
MAX_DOMAINS = 200


def build_request(ask: Ask) -> HttpRequest:
    """`before:` is dropped: the vendor has no field for it and takes no operators."""
    operators = ask.operators
    settings: dict[str, Any] = {"max_results": min(max(ask.num_results, 1), 40)}
    policy: dict[str, Any] = {}
    if operators.sites:
        policy["include_domains"] = list(operators.sites[:MAX_DOMAINS])
    if operators.after:
        policy["after_date"] = operators.after.isoformat()
    if policy:
        settings["source_policy"] = policy
    body = {
        "search_queries": [clip_words(operators.words(ask.query), MAX_QUERY_CHARS)],
        "mode": ask.mode,
        "advanced_settings": settings,
    }
    return HttpRequest(method="POST", url=URL, headers={"x-api-key": ask.key or ""}, json=body)


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """`results[]`; the snippet is the joined excerpts."""
    raise_error(body)
    found: list[SearchResult] = []
    for entry in entries(body.get("results") if isinstance(body, dict) else None):
        found += result(
            entry.get("url"),
            entry.get("title"),
            lines(entry.get("excerpts")),
            entry.get("publish_date"),
        )
    return found
