"""Kagi search, API v1; the mode is the scheme of the key: `Bearer`, or `Bot` of older keys."""

from __future__ import annotations

import re
from typing import Any

from runner.engines.shapes import at, distinct, entries, raise_error, result, text
from runner.engines.spec import ApiError, Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult
from runner.text import unescape_html

URL = "https://kagi.com/api/v1/search"
_TAG = re.compile(r"<[^<>]*>")


def build_request(ask: Ask) -> HttpRequest:
    """Hosts become a lens, days become filters."""
    operators = ask.operators
    body: dict[str, Any] = {
        "query": operators.words(ask.query),
        "limit": min(max(ask.num_results, 1), 1024),
    }
    if operators.sites:
        body["lens"] = {"sites_included": list(operators.sites)}
    days = {"after": operators.after, "before": operators.before}
    filters = {name: day.isoformat() for name, day in days.items() if day}
    if filters:
        body["filters"] = filters
    headers = {"Authorization": f"{ask.mode or 'Bearer'} {ask.key or ''}"}
    return HttpRequest(method="POST", url=URL, headers=headers, json=body)


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """`data.search[]`, then `data.news[]`, each page once; markup is taken out of the texts."""
    for error in entries(at(body, "error")):
        raise ApiError(text(error.get("message")) or f"code {error.get('code')}")
    raise_error(body, "data")
    found: list[SearchResult] = []
    for section in ("search", "news"):
        for entry in entries(at(body, "data", section)):
            found += result(
                entry.get("url"),
                _plain(entry.get("title")),
                _plain(entry.get("snippet")),
                entry.get("time"),
            )
    return distinct(found)


def _plain(value: Any) -> str | None:
    found = text(value)
    return text(unescape_html(_TAG.sub("", found))) if found else None
