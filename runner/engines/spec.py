"""The vocabulary of the engines: what one is, what it is asked, what comes back.

A vendor file holds two pure functions:

    build_request(ask: Ask) -> HttpRequest
    parse_response(body: Any, ask: Ask) -> list[SearchResult]

Where a vendor reports "nothing found" by a status other than 200 it has a third one:

    is_no_results(status: int, body: Any) -> bool

`parse_response` takes any JSON value: what does not fit is skipped, and an error that the vendor
reports inside a 200 answer is raised as `ApiError`. Everything else (retries, limits, latency,
masking, classification) is done once, in `runner.engines.client`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, Protocol

from runner.engines.operators import Operators
from runner.http import HttpRequest
from runner.records.search import SearchError, SearchResult

Archive = Literal["full", "snippet", "urls"]


@dataclass(frozen=True, kw_only=True)
class EngineSpec:
    """One entry of the catalog; the price is in US dollars per 1,000 queries.

    `family` is the base engine whose index a variant shares. `archive` says how much of a result
    may be kept in public. `mode_env` names a variable that chooses another of `modes`
    (any, where none are listed).
    `min_interval_s` is the gap that the vendor wants between two requests of one key, whichever
    of its engines they are for; `keyless_min_interval_s` is the gap without a key.
    """

    id: str
    label: str
    family: str
    vendor: str
    mode: str | None = None
    mode_env: str | None = None
    modes: list[str] = field(default_factory=list)
    key_env: str | None = None
    key_required: bool = False
    timeout_s: float = 30.0
    min_interval_s: float = 0.0
    keyless_min_interval_s: float | None = None
    price_usd_per_1k: float | None = None
    price_plan: str = ""
    price_date: str = ""
    price_source: str = ""
    docs: str = ""
    archive: Archive = "snippet"
    confidence: str = ""


@dataclass(frozen=True, kw_only=True)
class Ask:
    """One question to a vendor: the raw query, its operators taken apart, and the run's limits.

    `snippet_chars` is 0 where snippets are not limited; `today` is the UTC day of the run.
    """

    query: str
    operators: Operators
    num_results: int
    snippet_chars: int
    key: str | None
    mode: str | None
    today: date


class ApiError(Exception):
    """The vendor reported an error inside a 200 answer; the text is the vendor's own."""


@dataclass(frozen=True, kw_only=True)
class SearchOutcome:
    """Results or an error, never both.

    `latency_ms` is None for a warm-up and for a failure; `reconnected` marks a timed search that
    had to open a connection again.
    """

    results: list[SearchResult] | None
    error: SearchError | None
    latency_ms: float | None
    reconnected: bool
    attempts: int


class Engine(Protocol):
    """Anything that can be asked; `search` raises nothing but cancellation."""

    @property
    def spec(self) -> EngineSpec: ...

    async def search(self, query: str, *, num_results: int = 10) -> SearchOutcome: ...

    async def aclose(self) -> None: ...


class Vendor(Protocol):
    """The two functions of a vendor file."""

    def build_request(self, ask: Ask) -> HttpRequest: ...

    def parse_response(self, body: Any, ask: Ask) -> list[SearchResult]: ...
