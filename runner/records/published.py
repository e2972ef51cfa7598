"""The files of the data branch, one Struct a file or row.

Hot tables (JSONL, appended): history, overlap, uniqueness, ci_scores. A row's key is
(ts, bench, engine or pair). Rewritten each publish: independence, ci, runs, families, latest.
Timestamps are `YYYY-MM-DDTHH:MMZ`, the start of the run.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from runner.records.base import Document, Part, Row, encode_line
from runner.records.reports import Latency, Profile

BENCHES = ("news", "finance", "scholar", "legal", "agentic_rare")
JUDGED_BENCHES = frozenset({"news", "agentic_rare"})
LEGACY_BENCHES = {
    "freshstream": "news",
    "companyfill": "finance",
    "rarestream": "agentic_rare",
}
BENCH_LABELS = {
    "news": "News",
    "agentic_rare": "AgenticRare",
    "finance": "Finance",
    "scholar": "Scholar",
    "legal": "Legal",
}


class SliceScore(Part, frozen=True, kw_only=True):
    """Recall over one slice; in the file two flat fields, `<slice>_recall` and `<slice>_n`."""

    recall: float | None
    n: int | None = None


class HistoryRow(Row, frozen=True, kw_only=True):
    """One engine's result in one run. Scores are 0 to 1, latencies in ms.

    `rbp`, `rbp_max` stand in rows from before nDCG; they are not comparable with it. `lat_ms`
    holds the sorted samples and is null for `ultimate` and after 7 days.
    """

    ts: str
    bench: str
    engine: str
    profile: Profile = "live"
    ndcg: float | None = None
    recall: float | None = None
    mrr: float | None = None
    rbp: float | None = None
    rbp_max: float | None = None
    slices: dict[str, SliceScore] = {}
    num_scored: int
    num_queries: int
    search_errors: int
    account_errors: int | None = None
    service_errors: int | None = None
    judge_errors: int | None = None
    reconnects: int | None = None
    p50_ms: float | None
    p95_ms: float | None
    lat_ms: list[float] | None


class OverlapRow(Row, frozen=True, kw_only=True):
    """Shared URLs of one engine pair in one run; `bench` is null in rows from before it."""

    ts: str
    bench: str | None = None
    a: str
    b: str
    profile: Profile = "live"
    jaccard_sum: float
    num_shared3: int | None = None
    num_suspect: int | None = None
    low_shared_urls: int | None = None
    num_queries: int


class UniquenessRow(Row, frozen=True, kw_only=True):
    """URLs of one engine in one run that no engine of another family returned."""

    ts: str
    bench: str | None = None
    engine: str
    profile: Profile = "live"
    unique_urls: int
    total_urls: int
    relevant_unique_urls: int
    relevant_total_urls: int


class ScoresRow(Row, frozen=True, kw_only=True):
    """Per-query scores of one run: every list in `engines` is aligned to `qids` (4 decimals).

    `cids` are the cluster ids for intervals; without them a query is its own cluster.
    """

    ts: str
    bench: str
    profile: Profile = "live"
    qids: list[str]
    cids: list[str] | None = None
    engines: dict[str, list[float | None]]


class Interval(Part, frozen=True, kw_only=True):
    """A point with its confidence interval, 4 decimals."""

    point: float
    lo: float
    hi: float


class Intervals(Document, frozen=True, kw_only=True):
    """`ci.json`: per bench and engine, over the runs of the window that ends at `window_end`."""

    confidence: float
    resamples: int
    window_days: int
    window_end: str
    method: str
    runs: dict[str, list[str]]
    benches: dict[str, dict[str, Interval]]


class PairTotals(Part, frozen=True, kw_only=True):
    a: str
    b: str
    jaccard_sum: float
    num_shared3: int
    num_suspect: int
    low_shared_urls: int
    num_queries: int
    n3: int
    n_low: int


class EngineTotals(Part, frozen=True, kw_only=True):
    engine: str
    unique_urls: int
    total_urls: int
    relevant_unique_urls: int
    relevant_total_urls: int


class IndependenceWindow(Part, frozen=True, kw_only=True, rename={"from_": "from"}):
    """Sums over the runs from `from` to `to`; readers divide.

    `n3` and `n_low` are the `num_queries` of the rows that carry the respective counter.
    """

    from_: str
    to: str
    runs: int
    pairs: list[PairTotals]
    engines: list[EngineTotals]


class Independence(Document, frozen=True, kw_only=True):
    generated_at: str
    families: dict[str, str]
    windows: dict[Literal["all", "7d"], IndependenceWindow]


class RunEntry(Part, frozen=True, kw_only=True, omit_defaults=True):
    """One run in `runs.json`; `published_at` maps each bench to the time it was published.

    `spend_usd` is what the model of a bench cost in it, where that is known and not nothing.
    """

    id: str
    ts: str
    artifacts: list[str]
    published_at: dict[str, str] = {}
    spend_usd: dict[str, float] = {}


class LatestEngine(Part, frozen=True, kw_only=True, omit_defaults=True):
    """One engine's block of the newest report, without its queries."""

    label: str
    family: str
    mean_ndcg: float | None = None
    recall_at_k: float | None = None
    mrr_at_k: float | None = None
    num_scored: int
    search_errors: int
    account_errors: int
    service_errors: int
    judge_errors: int
    latency: Latency | None = None
    price_usd_per_1k: float | None = None


class LatestReport(Document, frozen=True, kw_only=True):
    """`latest_<bench>.json`: the newest report without its per-query part."""

    bench: str
    run_id: str
    ts: str
    profile: Profile
    metric: Literal["ndcg", "recall"]
    num_queries: int
    num_results: int
    k: int
    judge_model: str | None
    judged_pairs: int | None
    queries_from: str
    engines: dict[str, LatestEngine]


_history_decoder = msgspec.json.Decoder(HistoryRow)


def decode_history(line: bytes) -> HistoryRow:
    """The row in today's form: older bench names are mapped, flat slice fields gathered.

    Raises msgspec.MsgspecError where a field is missing, of a wrong type, or the bench unknown.
    """
    try:
        row = _history_decoder.decode(line)
    except msgspec.ValidationError:
        row = msgspec.convert(_gather_slices(msgspec.json.decode(line)), HistoryRow)
    if row.bench in LEGACY_BENCHES:
        row = msgspec.structs.replace(row, bench=LEGACY_BENCHES[row.bench])
    if row.bench not in BENCHES:
        raise msgspec.ValidationError(f"unknown bench {row.bench!r}")
    return row


def encode_history(row: HistoryRow) -> bytes:
    """The line as published, slices flat behind the other fields."""
    flat = msgspec.to_builtins(row)
    for name, score in flat.pop("slices", {}).items():
        flat[f"{name}_recall"], flat[f"{name}_n"] = score["recall"], score["n"]
    return encode_line(flat)


def _gather_slices(raw: Any) -> Any:
    if not isinstance(raw, dict):
        return raw
    row: dict[str, Any] = {}
    slices: dict[str, dict[str, Any]] = {}
    for key, value in raw.items():
        if key.endswith("_recall"):
            slices.setdefault(key.removesuffix("_recall"), {})["recall"] = value
        elif key.endswith("_n"):
            slices.setdefault(key.removesuffix("_n"), {"recall": None})["n"] = value
        else:
            row[key] = value
    if slices:
        row["slices"] = slices
    return row
