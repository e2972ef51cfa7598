"""Ceramic search: words only, no operators."""

from __future__ import annotations

from typing import Any

from runner.engines.shapes import at, bearer, entries, raise_error, result, text
from runner.engines.spec import Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult

URL = "https://api.ceramic.ai/search"
MAX_QUERY_WORDS = 50
DEFAULT_RESULTS = 10


def build_request(ask: Ask) -> HttpRequest:
    """Operators are dropped, since a literal `site:` finds nothing here."""
    words = ask.operators.words(ask.query).split()[:MAX_QUERY_WORDS]
    body: dict[str, Any] = {"query": " ".join(words)}
    if ask.snippet_chars > 0:
        body["maxDescriptionLength"] = min(max(ask.snippet_chars, 1000), 8000)
    if ask.num_results > DEFAULT_RESULTS:
        body["maxResults"] = min(ask.num_results, 50)
    return HttpRequest(method="POST", url=URL, headers=bearer(ask), json=body)


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """`result.results[]`; dates are not given."""
    raise_error(body, "result")
    found: list[SearchResult] = []
    for entry in entries(at(body, "result", "results")):
        found += result(entry.get("url"), entry.get("title"), text(entry.get("description")))
    return found
