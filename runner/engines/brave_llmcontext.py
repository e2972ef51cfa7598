"""Brave LLM context: longer passages of each page, made for models."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from runner.engines.brave import MAX_QUERY_CHARS, MAX_QUERY_WORDS, auth_headers, raise_error
from runner.engines.operators import clip_words
from runner.engines.shapes import at, entries, lines, result
from runner.engines.spec import Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult

URL = "https://api.search.brave.com/res/v1/llm/context"
CHARS_PER_TOKEN = 2.6
DEFAULT_TOTAL_TOKENS = 8192
MAX_TOTAL_TOKENS = 32_768


def build_request(ask: Ask) -> HttpRequest:
    """Hosts become an inline goggle; the budget in characters becomes tokens a page.

    The vendor's total of 8,192 tokens is raised where the pages together may need more.
    """
    operators = ask.operators
    urls = min(max(ask.num_results, 1), 50)
    body: dict[str, Any] = {
        "q": clip_words(operators.words(ask.query), MAX_QUERY_CHARS, MAX_QUERY_WORDS),
        "country": "us",
        "search_lang": "en",
        "maximum_number_of_urls": urls,
    }
    if ask.snippet_chars > 0:
        tokens = min(max(int(ask.snippet_chars / CHARS_PER_TOKEN), 512), 8192)
        body["maximum_number_of_tokens_per_url"] = tokens
        if urls * tokens > DEFAULT_TOTAL_TOKENS:
            body["maximum_number_of_tokens"] = min(urls * tokens, MAX_TOTAL_TOKENS)
    if operators.sites:
        body["goggles"] = "\n".join(["$discard", *(f"$site={site}" for site in operators.sites)])
    if window := operators.freshness_window(ask.today):
        body["freshness"] = window
    return HttpRequest(method="POST", url=URL, headers=auth_headers(ask), json=body)


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """`grounding.generic[]`; the date is the longest ISO form among the source's ages."""
    if not isinstance(body, dict):
        return []
    raise_error(body)
    found: list[SearchResult] = []
    for entry in entries(at(body, "grounding", "generic")):
        url = entry.get("url")
        ages = at(body, "sources", url, "age") if isinstance(url, str) else None
        found += result(url, entry.get("title"), lines(entry.get("snippets")), _iso_age(ages))
    return found


def _iso_age(ages: Any) -> str | None:
    dates = [age for age in ages if _is_iso(age)] if isinstance(ages, list) else []
    return max(dates, key=len, default=None)


def _is_iso(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True
