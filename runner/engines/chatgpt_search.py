"""OpenAI's web search tool, called by a GPT model: the mode is the model's name."""

from __future__ import annotations

from typing import Any

from runner.engines.model_search import NO_SEARCH, join, prompt
from runner.engines.shapes import at, bearer, entries, result, text
from runner.engines.spec import ApiError, Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult

URL = "https://api.openai.com/v1/responses"
MAX_TOKENS = 32_000
MAX_DOMAINS = 100


def build_request(ask: Ask) -> HttpRequest:
    """The raw query as the input; `site:` hosts are the tool's allow-list as well.

    Without `include` the vendor does not say which pages the tool found. The tool has no number
    of results and no length of snippets.
    """
    tool: dict[str, Any] = {"type": "web_search", "search_context_size": "low"}
    if ask.operators.sites:
        tool["filters"] = {"allowed_domains": list(ask.operators.sites[:MAX_DOMAINS])}
    body = {
        "model": ask.mode,
        "reasoning": {"effort": "low"},
        "max_output_tokens": MAX_TOKENS,
        "instructions": prompt(),
        "input": ask.query,
        "tools": [tool],
        "tool_choice": {"type": "web_search"},
        "include": ["web_search_call.action.sources"],
    }
    return HttpRequest(method="POST", url=URL, headers=bearer(ask), json=body)


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """The sources of every search in order; a source is an address alone.

    An answer cut short (`incomplete`) keeps its sources; opened pages are no search results.
    """
    if not isinstance(body, dict):
        return []
    if body.get("error") or body.get("status") == "failed":
        raise ApiError(_error_text(body.get("error")))
    if not isinstance(body.get("output"), list):
        return []
    items = list(entries(body["output"]))
    calls = [
        item
        for item in items
        if item.get("type") == "web_search_call"
        and at(item, "action", "type") not in ("open_page", "find_in_page")
    ]
    if not calls:
        raise ApiError(NO_SEARCH)
    if all(call.get("status") == "failed" for call in calls):
        raise ApiError("the web search failed")
    hits = [
        hit
        for call in calls
        for source in entries(at(call, "action", "sources"))
        for hit in result(source.get("url"))
    ]
    written = [
        part.get("text")
        for item in items
        if item.get("type") == "message"
        for part in entries(item.get("content"))
        if part.get("type") == "output_text"
    ]
    return join(hits, written)


def _error_text(error: Any) -> str:
    """`code: message`: the code tells an empty account from an ill model."""
    parts = (text(at(error, "code")), text(at(error, "message")), text(error))
    return ": ".join(filter(None, parts)) or "the response failed"
