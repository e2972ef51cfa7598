"""The report of one bench run: everything that publishing and the archive need, in one file.

Units: scores 0 to 1, latencies in milliseconds, money in US dollars, times in UTC.
"""

from __future__ import annotations

from typing import Literal

from runner.records.base import Document, Part
from runner.records.judgements import Label, QueryProfile, Spend
from runner.records.search import SearchError

Profile = Literal["live", "embedded"]


class Latency(Part, frozen=True, kw_only=True):
    """Nearest-rank percentiles over successful, timed attempts; samples sorted, 1 decimal."""

    n: int
    mean_ms: float
    p50_ms: float
    p95_ms: float
    samples_ms: list[float]
    reconnects: int


class JudgedResult(Part, frozen=True, kw_only=True):
    """One result with its evidence and rating; `penalized` is the rating after the URL penalty.

    `rating` is null where judging failed. `published_raw` is the vendor's text, `published` the
    ISO date that the judge saw.
    """

    url: str
    title: str | None
    snippet: str | None
    published_raw: str | None
    published: str | None
    rating: int | None
    label: Label | None
    reasoning: str | None
    gates: dict[str, str] | None
    gate_violations: list[str]
    code_gates: list[str]
    penalized: int | None


class JudgedQuery(Part, frozen=True, kw_only=True):
    """One query of one engine. `score` is the nDCG, or null where the query is not in the mean."""

    query_id: str
    query: str
    query_hash: str
    bucket: str
    topical_domain: str
    query_profile: QueryProfile | None
    ndcg: float | None
    dcg: float | None
    ratings: list[int | None]
    penalized_ratings: list[int | None]
    results: list[JudgedResult]
    n_results: int
    judge_errors: int
    search_error: SearchError | None
    score: float | None


class Slice(Part, frozen=True, kw_only=True):
    """Mean nDCG of the scored queries that share one value of a breakdown."""

    n: int
    mean_ndcg: float


class JudgedEngine(Part, frozen=True, kw_only=True):
    """One engine's block; `search_errors` = `account_errors` + `service_errors`."""

    mean_ndcg: float
    num_scored: int
    search_errors: int
    account_errors: int
    service_errors: int
    judge_errors: int
    latency: Latency | None
    by_bucket: dict[str, Slice]
    by_domain: dict[str, Slice]
    by_archetype: dict[str, Slice]
    per_query: list[JudgedQuery]


class OverlapCounts(Part, frozen=True, kw_only=True):
    """Shared URLs of one engine pair over the queries that both answered."""

    a: str
    b: str
    jaccard_sum: float
    num_shared3: int
    num_suspect: int
    low_shared_urls: int
    num_queries: int


class UniquenessCounts(Part, frozen=True, kw_only=True):
    """URLs that no engine of another family returned."""

    engine: str
    unique_urls: int
    total_urls: int
    relevant_unique_urls: int
    relevant_total_urls: int


class EngineNote(Part, frozen=True, kw_only=True):
    """What was fixed about an engine in this run; `mode` is the one asked, if it has any."""

    label: str
    family: str
    mode: str | None = None
    archive: Literal["full", "snippet", "urls"]
    price_usd_per_1k: float | None


class JudgedReport(Document, frozen=True, kw_only=True):
    """A judged bench run (news, agentic_rare), engines in roster order, `ultimate` last."""

    bench: str
    run_id: str
    ts: str
    profile: Profile
    metric: Literal["ndcg"] = "ndcg"
    started_at: str
    finished_at: str
    git_sha: str | None
    roster: list[str]
    roster_notes: dict[str, EngineNote]
    num_queries: int
    num_results: int
    k: int
    snippet_chars: int
    seed: int
    url_norm_version: int
    queries_from: str
    judge_model: str
    judge_effort: str | None
    judge_provider_models: list[str]
    prompt_sha256: dict[str, str]
    judged_pairs: int
    judge_cache_hits: int = 0
    judge_errors: int
    profile_errors: int
    gate_violations: int
    label_mismatches: int
    code_gated: int
    stopped_by_budget: bool
    spend: Spend
    overlap: list[OverlapCounts]
    uniqueness: list[UniquenessCounts]
    engines: dict[str, JudgedEngine]
