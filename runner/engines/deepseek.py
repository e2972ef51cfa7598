"""DeepSeek's search API, not its model-side search."""

from __future__ import annotations

from typing import Any

from runner.engines.operators import clip_before, clip_words
from runner.engines.shapes import bearer, entries, raise_error, result, text
from runner.engines.spec import Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult

URL = "https://api.deepseek.com/v1/tools/search"
MAX_QUERY_CHARS = 128


def build_request(ask: Ask) -> HttpRequest:
    """Operators stay in the query, which holds 128 characters in all: the text gives way first."""
    operators = ask.operators
    tokens = [f"site:{site}" for site in operators.sites]
    if operators.after:
        tokens.append(f"after:{operators.after.isoformat()}")
    if operators.before:
        tokens.append(f"before:{operators.before.isoformat()}")
    query = clip_before(tokens, operators.text, MAX_QUERY_CHARS)
    body = {
        "query": query or clip_words(ask.query, MAX_QUERY_CHARS),
        "count": min(max(ask.num_results, 1), 50),
    }
    return HttpRequest(method="POST", url=URL, headers=bearer(ask), json=body)


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """`results[]`; the snippet is the long `summary`, else the short `snippet`."""
    raise_error(body, "results")
    found: list[SearchResult] = []
    for entry in entries(body.get("results") if isinstance(body, dict) else None):
        snippet = text(entry.get("summary")) or text(entry.get("snippet"))
        found += result(entry.get("url"), entry.get("title"), snippet, entry.get("date"))
    return found
