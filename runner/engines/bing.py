"""Bing through SearchApi.io."""

from __future__ import annotations

from typing import Any

from runner.engines.shapes import at, bearer, entries, result, text
from runner.engines.spec import ApiError, Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult

URL = "https://www.searchapi.io/api/v1/search"
NOTHING_FOUND = "return any results"
_QUOTES = '"“”'


def build_request(ask: Ask) -> HttpRequest:
    """The query untouched, operators and all."""
    params = {"engine": "bing", "q": ask.query, "num": str(min(max(ask.num_results, 1), 50))}
    return HttpRequest(url=URL, headers=bearer(ask), params=params)


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """The knowledge graph, the answer box, then `organic_results[]`.

    "No results" comes as an error: an honest one where the query is narrow (operators, a quoted
    phrase), a failure of the service where it is plain.
    """
    message = text(at(body, "error"))
    if message:
        if NOTHING_FOUND in message.lower() and _is_narrow(ask):
            return []
        raise ApiError(message)
    found: list[SearchResult] = []
    graph, box = at(body, "knowledge_graph"), at(body, "answer_box")
    if isinstance(graph, dict):
        found += result(graph.get("website"), graph.get("title"), text(graph.get("description")))
    if isinstance(box, dict):
        snippet = text(box.get("snippet")) or text(box.get("answer"))
        found += result(box.get("link"), box.get("title"), snippet)
    for entry in entries(at(body, "organic_results")):
        found += result(
            entry.get("link"), entry.get("title"), text(entry.get("snippet")), entry.get("date")
        )
    return found


def _is_narrow(ask: Ask) -> bool:
    operators = ask.operators
    if operators.sites or operators.after or operators.before:
        return True
    return sum(ask.query.count(mark) for mark in _QUOTES) >= 2
