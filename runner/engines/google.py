"""Google result pages through Serper: the query goes out as it was written."""

from __future__ import annotations

from typing import Any

from runner.engines.shapes import entries, result, text
from runner.engines.spec import ApiError, Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult

URL = "https://google.serper.dev/search"


def build_request(ask: Ask) -> HttpRequest:
    """US English results; more than 10 cost a second credit."""
    body = {"q": ask.query, "num": min(max(ask.num_results, 1), 100), "gl": "us", "hl": "en"}
    return HttpRequest(method="POST", url=URL, headers={"X-API-KEY": ask.key or ""}, json=body)


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """Knowledge panel, answer box, then the organic hits, as a reader sees them."""
    if not isinstance(body, dict):
        return []
    status = body.get("statusCode")
    if "organic" not in body and isinstance(status, int) and status >= 400:
        raise ApiError(text(body.get("message")) or f"statusCode {status}")
    found: list[SearchResult] = []
    for panel in entries([body.get("knowledgeGraph")]):
        found += result(panel.get("website"), panel.get("title"), text(panel.get("description")))
    for box in entries([body.get("answerBox")]):
        snippet = text(box.get("snippet")) or text(box.get("answer"))
        found += result(box.get("link"), box.get("title"), snippet)
    for hit in entries(body.get("organic")):
        found += result(
            hit.get("link"), hit.get("title"), text(hit.get("snippet")), hit.get("date")
        )
    return found
