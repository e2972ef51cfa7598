"""What an engine answered to one query: results, or an error, never both."""

from __future__ import annotations

from typing import Literal

from runner.records.base import Part, Row

ErrorType = Literal[
    "transport",
    "http_error",
    "bad_json",
    "api_error",
    "no_content",
    "truncated",
    "all_engines_failed",
]
ErrorClass = Literal["account", "service"]


class SearchResult(Part, frozen=True, kw_only=True):
    """One hit as the engine gave it; `published_date` is the vendor's own text, never parsed."""

    url: str
    title: str | None = None
    snippet: str | None = None
    published_date: str | None = None


class SearchError(Part, frozen=True, kw_only=True, omit_defaults=True):
    """Why a search gave no results: `error_message` is masked and at most 500 characters long.

    `error_class` is `account` where our own key, credit or quota caused it (the query is then
    skipped for this engine) and `service` for every other failure (the query then scores 0).
    """

    error_type: ErrorType
    error_message: str
    error_class: ErrorClass = "service"
    status: int | None = None


class SearchRecord(Row, frozen=True, kw_only=True):
    """A line of `searches.jsonl`: the outcome of one paid call, written as it arrives.

    `latency_ms` is null where the attempt was a warm-up or failed; `reconnected` says that a
    timed attempt had to open a connection; `attempts` counts every request that was sent.
    """

    query_id: str
    engine: str
    results: list[SearchResult] | None
    error: SearchError | None
    latency_ms: float | None
    reconnected: bool
    attempts: int
    finished_at: str
