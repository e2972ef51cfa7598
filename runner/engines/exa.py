"""Exa search, types `auto`, `instant` and `lite`."""

from __future__ import annotations

from typing import Any

from runner.engines.shapes import entries, lines, result, text
from runner.engines.spec import ApiError, Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult

URL = "https://api.exa.ai/search"
MAX_DOMAINS = 1200


def build_request(ask: Ask) -> HttpRequest:
    """Highlights of at most the budget a page; without a budget the whole text."""
    operators = ask.operators
    body: dict[str, Any] = {
        "query": operators.words(ask.query),
        "numResults": min(max(ask.num_results, 1), 100),
        "type": ask.mode,
    }
    if ask.snippet_chars > 0:
        body["contents"] = {"highlights": {"maxCharacters": ask.snippet_chars}}
    else:
        body["contents"] = {"text": True}
    if operators.sites:
        body["includeDomains"] = list(operators.sites[:MAX_DOMAINS])
    if operators.after:
        body["startPublishedDate"] = f"{operators.after.isoformat()}T00:00:00.000Z"
    if operators.before:
        body["endPublishedDate"] = f"{operators.before.isoformat()}T23:59:59.999Z"
    return HttpRequest(method="POST", url=URL, headers={"x-api-key": ask.key or ""}, json=body)


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """`results[]`; the snippet is the joined highlights, else the text, else the summary."""
    if not isinstance(body, dict):
        return []
    if "results" not in body and (message := text(body.get("error"))):
        raise ApiError(message)
    found: list[SearchResult] = []
    for entry in entries(body.get("results")):
        snippet = (
            lines(entry.get("highlights")) or text(entry.get("text")) or text(entry.get("summary"))
        )
        found += result(entry.get("url"), entry.get("title"), snippet, entry.get("publishedDate"))
    return found
