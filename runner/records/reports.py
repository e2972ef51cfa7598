"""The report of one bench run: everything that publishing and the archive need, in one file.

Units: scores 0 to 1, latencies in milliseconds, money in US dollars, times in UTC.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

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


class ReportedResult(Part, frozen=True, kw_only=True):
    """One result with its evidence, the snippet cut as the run says.

    `published_raw` is the vendor's text, `published` the ISO date behind it.
    """

    url: str
    title: str | None
    snippet: str | None
    published_raw: str | None
    published: str | None


class ReportedQuery(Part, frozen=True, kw_only=True):
    """One query of one engine; `score` is null where the query is not in the mean."""

    query_id: str
    query: str
    query_hash: str
    bucket: str
    n_results: int
    judge_errors: int
    search_error: SearchError | None
    score: float | None
    results: Sequence[ReportedResult]

    @property
    def cluster_id(self) -> str:
        """What queries that are not independent of each other share; else the query's hash."""
        return self.query_hash


class ReportedEngine(Part, frozen=True, kw_only=True):
    """One engine's block; `search_errors` = `account_errors` + `service_errors`."""

    num_scored: int
    search_errors: int
    account_errors: int
    service_errors: int
    judge_errors: int
    latency: Latency | None
    per_query: Sequence[ReportedQuery]


class JudgedResult(ReportedResult, frozen=True, kw_only=True):
    """A result with its rating, null where judging failed.

    `penalized` is the rating after the URL penalty.
    """

    rating: int | None
    label: Label | None
    reasoning: str | None
    gates: dict[str, str] | None
    gate_violations: list[str]
    code_gates: list[str]
    penalized: int | None


class JudgedQuery(ReportedQuery, frozen=True, kw_only=True):
    """A judged query; its `score` is the nDCG."""

    topical_domain: str
    length_bucket: str = ""
    query_profile: QueryProfile | None
    ndcg: float | None
    dcg: float | None
    ratings: list[int | None]
    penalized_ratings: list[int | None]
    results: list[JudgedResult]


class Slice(Part, frozen=True, kw_only=True):
    """Mean nDCG of the scored queries that share one value of a breakdown."""

    n: int
    mean_ndcg: float


class JudgedEngine(ReportedEngine, frozen=True, kw_only=True):
    """An engine of a judged run; `mean_ndcg` is 0.0 where no query was scored."""

    mean_ndcg: float
    by_bucket: dict[str, Slice]
    by_domain: dict[str, Slice]
    by_archetype: dict[str, Slice]
    by_length: dict[str, Slice] = {}
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


class ReportHead(Document, frozen=True, kw_only=True):
    """What every report says, engines in roster order, `ultimate` last.

    `judge_model` is null where no model was asked.
    """

    bench: str
    run_id: str
    ts: str
    profile: Profile
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
    judge_model: str | None
    judge_effort: str | None
    judge_provider_models: list[str]
    prompt_sha256: dict[str, str]
    judge_cache_hits: int = 0
    judge_errors: int
    stopped_by_budget: bool
    spend: Spend
    overlap: list[OverlapCounts]
    uniqueness: list[UniquenessCounts]
    engines: Mapping[str, ReportedEngine]


class JudgedReport(ReportHead, frozen=True, kw_only=True):
    """A judged bench run (news, agentic_rare)."""

    metric: Literal["ndcg"] = "ndcg"
    judged_pairs: int
    profile_errors: int
    gate_violations: int
    label_mismatches: int
    code_gated: int
    engines: dict[str, JudgedEngine]


class KnownItemResult(ReportedResult, frozen=True, kw_only=True):
    """A result and whether it holds the known item.

    `ids` are the identifiers that code found in it, by kind, on benches that look for some.
    `match_via` says how code recognised the item, null where it did not; `judge_match` is what
    the model said of a result that code rejected, null where it was not asked or gave no answer.
    """

    ids: dict[str, list[str]] = {}
    match_via: str | None
    judge_match: bool | None = None

    @property
    def matched(self) -> bool:
        """Whether code or the model found the item."""
        return self.match_via is not None or self.judge_match is True


class KnownItemQuery(ReportedQuery, frozen=True, kw_only=True):
    """A query with a known answer; its `score` is 1 for a hit, 0 for a miss.

    `gold` is the value as text. `groups` are the query's place in each breakdown of its bench.
    `item` names what several queries may ask about (a company, a paper, a case). Ranks count
    from 1; `det_rank` is the first that code matched, `hit_rank` the first that counts.
    """

    item: str
    gold: str
    groups: dict[str, str]
    hit_rank: int | None
    det_rank: int | None
    results: list[KnownItemResult]

    @property
    def cluster_id(self) -> str:
        return self.item


class GroupRecall(Part, frozen=True, kw_only=True):
    """Recall@k over the `n` scored queries of one group."""

    n: int
    recall_at_k: float


class Gap(Part, frozen=True, kw_only=True):
    """Mean of `first - second` over the `n` items asked about in both ways, with its interval."""

    dimension: str
    first: str
    second: str
    n: int
    delta: float
    lo: float | None
    hi: float | None


class KnownItemEngine(ReportedEngine, frozen=True, kw_only=True):
    """An engine of a matched run; recall and MRR are 0.0 where no query was scored.

    `mrr_at_k` is null for `ultimate`: it would equal its recall. `by` maps each breakdown to its
    groups, `macro` to the plain mean over them, so that a large group cannot drown a small one.
    `gaps` compare groups that ask about the same items.
    Misses are those of successful searches: another engine had a hit, or none had.
    """

    recall_at_k: float
    mrr_at_k: float | None
    misses_system_specific: int
    misses_universal: int
    judged_results: int
    judge_upgrades: int
    by: dict[str, dict[str, GroupRecall]]
    macro: dict[str, float]
    gaps: list[Gap] = []
    per_query: list[KnownItemQuery]


class KnownItemReport(ReportHead, frozen=True, kw_only=True):
    """A matched bench run (finance, scholar, legal); `judged`: a model backed the matcher."""

    metric: Literal["recall"] = "recall"
    judged: bool
    engines: dict[str, KnownItemEngine]


Report = JudgedReport | KnownItemReport


class _Metric(msgspec.Struct):
    metric: Literal["ndcg", "recall"] = "ndcg"


def decode_report(content: bytes) -> Report:
    """A report of either kind; raises msgspec.MsgspecError where it is none."""
    return msgspec.json.decode(content, type=_kind(msgspec.json.decode(content, type=_Metric)))


def convert_report(document: Mapping[str, Any]) -> Report:
    """The same from decoded JSON."""
    return msgspec.convert(document, _kind(msgspec.convert(document, _Metric)))


def _kind(head: _Metric) -> type[Report]:
    return JudgedReport if head.metric == "ndcg" else KnownItemReport


def mean_score(block: ReportedEngine) -> float | None:
    """The headline figure of an engine (nDCG or recall), null where no query was scored."""
    if not block.num_scored:
        return None
    if isinstance(block, KnownItemEngine):
        return block.recall_at_k
    assert isinstance(block, JudgedEngine)
    return block.mean_ndcg
