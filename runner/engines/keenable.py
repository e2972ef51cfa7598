"""Keenable web search, modes `pro` and `realtime`; without a key on the public endpoint."""

from __future__ import annotations

from typing import Any

from runner.engines.shapes import entries, result, text
from runner.engines.spec import ApiError, Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult

URL = "https://api.keenable.ai/v1/search"
APP_NAME = "needle-benchmark"


def build_request(ask: Ask) -> HttpRequest:
    """Dates and hosts stay in the query, in the vendor's own words."""
    headers = {"X-Keenable-Title": APP_NAME}
    if ask.key:
        headers["X-API-Key"] = ask.key
    body: dict[str, Any] = {"query": _query(ask), "mode": ask.mode}
    if ask.num_results > 10:  # ten come unasked
        body["max_results"] = min(ask.num_results, 50)
    if ask.snippet_chars > 0:
        body["snippet_max_length"] = min(max(ask.snippet_chars, 180), 10_000)
    url = URL if ask.key else f"{URL}/public"
    return HttpRequest(method="POST", url=url, headers=headers, json=body)


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """`results[]`; an object without them that carries a message is an error."""
    if not isinstance(body, dict):
        return []
    if "results" not in body:
        for name in ("error", "message", "detail"):
            if message := text(body.get(name)):
                raise ApiError(message)
    found: list[SearchResult] = []
    for entry in entries(body.get("results")):
        snippet = text(entry.get("snippet")) or text(entry.get("description"))
        found += result(entry.get("url"), entry.get("title"), snippet, entry.get("published_at"))
    return found


def _query(ask: Ask) -> str:
    operators = ask.operators
    words = [operators.text or " ".join(operators.sites)]
    words += [f"site:{site}" for site in operators.sites]
    if operators.after:
        words.append(f"published_after:{operators.after.isoformat()}")
    if operators.before:
        words.append(f"published_before:{operators.before.isoformat()}")
    return " ".join(filter(None, words)) or ask.query
