"""Tinyfish search."""

from __future__ import annotations

from typing import Any

from runner.engines.operators import clip_words
from runner.engines.shapes import entries, raise_error, result, text
from runner.engines.spec import Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult

URL = "https://api.search.tinyfish.ai"
MAX_QUERY_CHARS = 2000


def build_request(ask: Ask) -> HttpRequest:
    """No count: a page has about ten. Days in the wrong order are refused, so both are left out."""
    operators = ask.operators
    params = {"query": clip_words(operators.words(ask.query), MAX_QUERY_CHARS)}
    if operators.sites:
        params["include_domains"] = ",".join(operators.sites)
    after, before = operators.after, operators.before
    if not (after and before and after > before):
        if after:
            params["after_date"] = after.isoformat()
        if before:
            params["before_date"] = before.isoformat()
    return HttpRequest(url=URL, headers={"X-API-Key": ask.key or ""}, params=params)


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """`results[]`, in the order given."""
    raise_error(body, "results")
    found: list[SearchResult] = []
    for entry in entries(body.get("results") if isinstance(body, dict) else None):
        found += result(
            entry.get("url"), entry.get("title"), text(entry.get("snippet")), entry.get("date")
        )
    return found
