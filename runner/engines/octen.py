"""Octen search with highlights."""

from __future__ import annotations

from typing import Any

from runner.engines.operators import clip_words
from runner.engines.shapes import at, entries, result, text
from runner.engines.spec import ApiError, Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult

URL = "https://api.octen.ai/search"
MAX_QUERY_CHARS = 500
MAX_DOMAINS = 1200
MAX_DOMAIN_CHARS = 60
HIGHLIGHT_TOKENS = 512


def build_request(ask: Ask) -> HttpRequest:
    """A fixed budget of 512 tokens; a host longer than the vendor takes becomes its parent."""
    operators = ask.operators
    body: dict[str, Any] = {
        "query": clip_words(operators.words(ask.query), MAX_QUERY_CHARS),
        "count": min(max(ask.num_results, 1), 100),
        "highlight": {"enable": True, "max_tokens": HIGHLIGHT_TOKENS},
    }
    hosts = list(dict.fromkeys(_short(site) for site in operators.sites))[:MAX_DOMAINS]
    if hosts:
        body["include_domains"] = hosts
    if operators.after:
        body["start_time"] = f"{operators.after.isoformat()}T00:00:00Z"
    if operators.before:
        body["end_time"] = f"{operators.before.isoformat()}T23:59:59Z"
    return HttpRequest(method="POST", url=URL, headers={"X-Api-Key": ask.key or ""}, json=body)


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """`data.results[]`; a code other than 0 is an error, whatever the HTTP status."""
    code = at(body, "code")
    if code not in (None, 0):
        messages = (text(at(body, name)) for name in ("msg", "message", "detail", "error"))
        raise ApiError(next(filter(None, messages), f"code {code}"))
    found: list[SearchResult] = []
    for entry in entries(at(body, "data", "results")):
        found += result(
            entry.get("url"),
            entry.get("title"),
            text(entry.get("highlight")),
            entry.get("time_published"),
        )
    return found


def _short(host: str) -> str:
    """The host without as many of its first labels as it takes to fit."""
    while len(host) > MAX_DOMAIN_CHARS and host.count(".") > 1:
        host = host.partition(".")[2]
    return host
