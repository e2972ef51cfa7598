"""Brave web search."""

from __future__ import annotations

from typing import Any

from runner.engines.operators import clip_words
from runner.engines.shapes import at, entries, lines, result, text
from runner.engines.spec import ApiError, Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult

URL = "https://api.search.brave.com/res/v1/web/search"
MAX_QUERY_CHARS = 400
MAX_QUERY_WORDS = 50


def build_request(ask: Ask) -> HttpRequest:
    """Plain US English snippets; hosts stay behind the clipped text, dates become freshness."""
    params = {
        "q": _query(ask),
        "count": str(min(max(ask.num_results, 1), 20)),
        "country": "us",
        "search_lang": "en",
        "result_filter": "web",
        "text_decorations": "false",
        "extra_snippets": "true",
    }
    if window := ask.operators.freshness_window(ask.today):
        params["freshness"] = window
    return HttpRequest(url=URL, headers=auth_headers(ask), params=params)


def auth_headers(ask: Ask) -> dict[str, str]:
    return {"X-Subscription-Token": ask.key or "", "Accept": "application/json"}


def raise_error(body: dict[str, Any]) -> None:
    """Raises ApiError for the vendor's error envelope."""
    if body.get("type") == "ErrorResponse" or isinstance(body.get("error"), dict):
        detail, code = at(body, "error", "detail"), at(body, "error", "code")
        raise ApiError(": ".join(filter(None, (text(code), text(detail)))) or "ErrorResponse")


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """`web.results[]`; the snippet is the extra snippets, one a line, else the description."""
    if not isinstance(body, dict):
        return []
    raise_error(body)
    found: list[SearchResult] = []
    for entry in entries(at(body, "web", "results")):
        snippet = lines(entry.get("extra_snippets")) or text(entry.get("description"))
        found += result(entry.get("url"), entry.get("title"), snippet, entry.get("page_age"))
    return found


def _query(ask: Ask) -> str:
    """Clipped text with as many whole `site:` words behind it as the limits allow."""
    tokens: list[str] = []
    left = MAX_QUERY_CHARS
    for site in ask.operators.sites[: MAX_QUERY_WORDS - 1]:
        token = f"site:{site}"
        if len(token) + 1 > left:
            break
        tokens.append(token)
        left -= len(token) + 1
    words = clip_words(ask.operators.words(ask.query), left, MAX_QUERY_WORDS - len(tokens))
    return " ".join(filter(None, (words, *tokens)))
