"""Anthropic's web search tool, called by a Claude model: the mode is the model's name."""

from __future__ import annotations

from typing import Any

from runner.engines.model_search import NO_SEARCH, join, prompt
from runner.engines.shapes import at, entries, result, text
from runner.engines.spec import ApiError, Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult

URL = "https://api.anthropic.com/v1/messages"
MAX_TOKENS = 32_000
_RESULT = "web_search_tool_result"


def build_request(ask: Ask) -> HttpRequest:
    """The raw query as the only message; `site:` hosts are the tool's allow-list as well.

    The tool has no number of results and no length of snippets.
    """
    tool: dict[str, Any] = {"type": "web_search_20250305", "name": "web_search", "max_uses": 1}
    if ask.operators.sites:
        tool["allowed_domains"] = list(ask.operators.sites)
    body = {
        "model": ask.mode,
        "max_tokens": MAX_TOKENS,
        "system": prompt(),
        "messages": [{"role": "user", "content": ask.query}],
        "tools": [tool],
    }
    headers = {"x-api-key": ask.key or "", "anthropic-version": "2023-06-01"}
    return HttpRequest(method="POST", url=URL, headers=headers, json=body)


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """The hits of every `web_search_tool_result`; the date is the hit's `page_age`.

    One block that succeeded is enough: a second try of the model is refused by `max_uses`.
    """
    if not isinstance(body, dict):
        return []
    if body.get("type") == "error" or body.get("error"):
        raise ApiError(text(at(body, "error", "message")) or "an error without a message")
    if not isinstance(body.get("content"), list):
        return []
    blocks = list(entries(body["content"]))
    tried = [at(block, "content") for block in blocks if block.get("type") == _RESULT]
    if not tried:
        raise ApiError(NO_SEARCH)
    refusals = [code for code in (text(at(one, "error_code")) for one in tried) if code]
    if refusals and not any(isinstance(one, list) for one in tried):
        raise ApiError(refusals[0])
    hits = [
        hit
        for one in tried
        for entry in entries(one)
        for hit in result(entry.get("url"), entry.get("title"), None, entry.get("page_age"))
    ]
    return join(hits, [block.get("text") for block in blocks if block.get("type") == "text"])
