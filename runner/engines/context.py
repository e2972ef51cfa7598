"""context.dev web search."""

from __future__ import annotations

from datetime import date
from typing import Any

from runner.engines.operators import clip_words
from runner.engines.shapes import bearer, entries, raise_error, result, text
from runner.engines.spec import Ask
from runner.http import HttpRequest
from runner.records.search import SearchResult

URL = "https://api.context.dev/v1/web/search"
MAX_QUERY_CHARS = 500
MAX_DOMAINS = 100
# The widest age of each window in days; a day that began today is at most 24 hours old.
WINDOWS = ((0, "last_24_hours"), (6, "last_week"), (30, "last_month"), (365, "last_year"))


def build_request(ask: Ask) -> HttpRequest:
    """`after:` becomes a window of freshness that ends now; with `before:` none would fit."""
    operators = ask.operators
    body: dict[str, Any] = {
        "query": clip_words(operators.words(ask.query), MAX_QUERY_CHARS),
        "numResults": min(max(ask.num_results, 1), 100),
        "country": "us",
    }
    if operators.sites:
        body["includeDomains"] = list(operators.sites[:MAX_DOMAINS])
    if operators.after and not operators.before:
        window = _window(operators.after, ask.today)
        if window:
            body["freshness"] = window
    return HttpRequest(method="POST", url=URL, headers=bearer(ask), json=body)


def parse_response(body: Any, ask: Ask) -> list[SearchResult]:
    """`results[]`; the snippet is `description`, dates are not given."""
    raise_error(body, "results")
    found: list[SearchResult] = []
    for entry in entries(body.get("results") if isinstance(body, dict) else None):
        found += result(entry.get("url"), entry.get("title"), text(entry.get("description")))
    return found


def _window(after: date, today: date) -> str | None:
    age = (today - after).days
    return next((name for days, name in WINDOWS if 0 <= age <= days), None)
