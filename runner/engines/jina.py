"""Jina reader search: the text of the pages found."""

from __future__ import annotations

from typing import Any

from runner.engines.shapes import at, bearer, entries, raise_error, result, text
from runner.engines.spec import Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult

URL = "https://s.jina.ai/"
NO_RESULT_STATUS = 42206


def build_request(ask: Ask) -> HttpRequest:
    """The query untouched, operators and all; whole pages come back and are clipped later."""
    params = {"q": ask.query, "num": str(min(max(ask.num_results, 1), 20))}
    headers = {**bearer(ask), "Accept": "application/json"}
    return HttpRequest(url=URL, headers=headers, params=params)


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """`data[]`; the snippet is the page's text, else its description. An error has null there."""
    if at(body, "data") is None and not is_no_results(422, body):
        raise_error(body)
    found: list[SearchResult] = []
    for entry in entries(at(body, "data")):
        snippet = text(entry.get("content")) or text(entry.get("description"))
        published = text(entry.get("publishedTime")) or text(entry.get("date"))
        found += result(entry.get("url"), entry.get("title"), snippet, published)
    return found


def is_no_results(status: int, body: Any) -> bool:
    """Nothing found is a 422 with a status of its own."""
    if status != 422:
        return False
    message = text(at(body, "message")) or ""
    return at(body, "status") == NO_RESULT_STATUS or message.startswith("No search results")
