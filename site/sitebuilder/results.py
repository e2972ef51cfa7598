"""The one object behind the page, `results.csv` and `results.json`: every published figure once.

Shares and scores run from 0 to 1 with 6 decimals, intervals and latencies (ms) as published.
None means not measured; the reason stands beside it. Engines come in rank order where ranked,
by id elsewhere; `ultimate` is apart from them, as the ceiling.
"""

from __future__ import annotations

from typing import Literal

from runner.records.base import Document, Part
from runner.records.needleif import NeedleCell, NeedleDataset, Provider

LICENCE = "CC-BY-4.0"
ULTIMATE = "ultimate"


class Figure(Part, frozen=True, kw_only=True):
    """A value with its 95 % interval, where one could be computed."""

    value: float
    lo: float | None = None
    hi: float | None = None


class Window(Part, frozen=True, kw_only=True):
    """Seven days that end at the newest run; `start` itself is outside."""

    start: str
    end: str
    days: int


class RosterEntry(Part, frozen=True, kw_only=True):
    """An engine of the files; `last_run` is its newest run in the history."""

    engine: str
    label: str
    family: str
    last_run: str | None
    is_in_window: bool


class SliceFigure(Part, frozen=True, kw_only=True):
    name: str
    recall: float
    n: int


class Pair(Part, frozen=True, kw_only=True):
    """The paired difference of two engines, `a` less `b`, with its 95 % interval and test.

    Over the `n` queries scored for both, in `clusters` query clusters (runs where only run means
    are known). `p` is of the sign-flip test, `p_holm` adjusted for all pairs beside it.
    """

    a: str
    b: str
    delta: float
    lo: float | None
    hi: float | None
    p: float
    p_holm: float
    n: int
    clusters: int


class BoardRow(Part, frozen=True, kw_only=True):
    """One engine in one bench over the window.

    Engines share a letter of `tie_group` exactly where the tests do not separate them. `rank_lo`
    and `rank_hi` hold 95 % of the ranks in joint resamples, `p_best` the share in which it is
    first. `n_scored` of `n_asked` queries are in the mean, of `n_runs` runs; `runs_left_out`
    more are not, spoilt by our own account. `account_errors` and `service_errors` are None where
    a row does not split its `search_errors`. Percentiles are nearest rank over the `n_latency`
    pooled samples.
    """

    engine: str
    score: Figure | None
    share: Figure | None
    reason: str | None
    rank: int | None
    rank_lo: int | None
    rank_hi: int | None
    tie_group: str | None = None
    p_best: float | None = None
    mrr: float | None
    slices: list[SliceFigure]
    n_scored: int
    n_asked: int
    n_runs: int
    runs_left_out: int = 0
    search_errors: int
    account_errors: int | None
    service_errors: int | None
    judge_errors: int | None
    p50_ms: float | None
    p95_ms: float | None
    n_latency: int
    reconnects: int | None
    price_usd_per_1k: float | None


class Board(Part, frozen=True, kw_only=True):
    """A bench that has runs in the window.

    `interval_reason` says what the intervals lack, `mdd` is the difference that a single test
    would find 4 times in 5 (median over the pairs). `pairwise` stands in order of id.
    """

    bench: str
    label: str
    metric: Literal["ndcg", "recall"]
    k: int
    runs: list[str]
    judge_model: str | None
    interval_method: str | None
    interval_reason: str | None
    test_method: str | None
    mdd: float | None
    pairwise: list[Pair]
    engines: list[BoardRow]
    ultimate: BoardRow | None


class Unmeasured(Part, frozen=True, kw_only=True):
    """A bench without a figure in the window, and why."""

    bench: str
    label: str
    reason: str


class Standing(Part, frozen=True, kw_only=True):
    """One engine over all benches: the mean of its shares, ranked only with every bench."""

    engine: str
    overall: Figure | None
    shares: dict[str, Figure | None]
    n_scored: int
    rank: int | None
    rank_lo: int | None
    rank_hi: int | None
    tie_group: str | None = None
    p_best: float | None = None
    reason: str | None


class Answer(Part, frozen=True, kw_only=True):
    """Who is first in `scope` (a bench or "overall") and whether the tests carry the claim.

    leads     every other engine is separated from the leader
    tie       those in `tied` are not; this data does not say which is better
    untested  a test against the leader is missing
    alone     there is no other engine to compare with

    `versus` is the test of the leader against the runner-up, where there is one. `gap` is what
    the leader's overall share lacks to the ceiling; None for a bench.
    """

    scope: str
    label: str
    leader: str
    figure: Figure
    gap: float | None
    n: int
    runner_up: str | None
    runner_up_figure: Figure | None
    versus: Pair | None = None
    tied: list[str]
    verdict: Literal["leads", "tie", "untested", "alone"]


class LatencyRow(Part, frozen=True, kw_only=True):
    """Latency of one engine, all benches of the window pooled.

    `runs_percentiles_only` runs kept no samples and are not in the pool.
    """

    engine: str
    n: int
    p50_ms: float | None
    p95_ms: float | None
    reconnects: int | None
    n_asked: int
    search_errors: int
    error_share: float | None
    runs_with_samples: int
    runs_percentiles_only: int
    reason: str | None


class Price(Part, frozen=True, kw_only=True):
    """List price of an engine in US dollars per 1,000 queries.

    `date` (day or month), `plan` and `source` (a page of the vendor) stand in the catalog of
    engines; they are None for an engine that it does not have, or has at another price.
    """

    engine: str
    usd_per_1k: float
    plan: str | None
    date: str | None
    source: str | None


class PairShares(Part, frozen=True, kw_only=True):
    """Shared URLs of two engines: sums over queries, and the ratios readers want.

    `n3` and `n_low` count the queries of rows that carry the respective counter.
    """

    a: str
    b: str
    is_same_family: bool
    mean_jaccard: float | None
    share_shared3: float | None
    share_suspect: float | None
    num_queries: int
    n3: int
    n_low: int


class UniqueShares(Part, frozen=True, kw_only=True):
    """URLs that no engine of another family returned."""

    engine: str
    share_unique: float | None
    unique_urls: int
    total_urls: int
    share_relevant_unique: float | None
    relevant_unique_urls: int
    relevant_total_urls: int


class Borrowing(Part, frozen=True, kw_only=True):
    """A pair of different families that shares suspiciously in much of its queries.

    `source` returns less that is its own, which makes it the likelier source of the two; where
    both have about as much, or one is unknown, `is_mutual` and their order says nothing.
    """

    source: str
    other: str
    share_suspect: float
    is_mutual: bool


class IndependenceShares(Part, frozen=True, kw_only=True):
    """One window; `pairs_from`.. `engines_to` are the first and last run with such rows.

    `order` is that of the matrices: by id, variants next to their base.
    """

    pairs_from: str | None
    pairs_to: str | None
    engines_from: str | None
    engines_to: str | None
    pairs: list[PairShares]
    engines: list[UniqueShares]
    order: list[str] = []
    borrowing: list[Borrowing] = []


class ChanceShare(Part, frozen=True, kw_only=True):
    """One measure of sharing beside what shuffled queries give.

    `p` is the share of shuffles with at least as much, `p_bh` adjusted for all pairs of the
    measure (Benjamini and Hochberg).
    """

    observed: float
    expected: float
    p: float
    p_bh: float


class PairChance(Part, frozen=True, kw_only=True):
    """Two engines over the archived runs of `SharingByChance`."""

    a: str
    b: str
    num_queries: int
    share_suspect: ChanceShare
    share_shared3: ChanceShare
    mean_jaccard: ChanceShare


class SharingByChance(Part, frozen=True, kw_only=True):
    """What two engines share beside what they would share if they answered different queries.

    From the archived `runs` of each bench, newest first; one engine of each pair had its answers
    dealt out anew among the queries of a run, `deals` times. Without pairs there is a `reason`.
    """

    runs: dict[str, list[str]]
    deals: int
    seed: int
    level: float
    pairs: list[PairChance]
    reason: str | None


class TrendSeries(Part, frozen=True, kw_only=True):
    """One engine: a value for each stamp of its trend, None on a day without it."""

    engine: str
    values: list[float | None]


class Trend(Part, frozen=True, kw_only=True):
    """A bench (or a slice of it) over time: rolling means of 7 days as shares of the ceiling's.

    One stamp for each day that has runs, that of the day's last run. With measure "mrr" the
    values are the rolling means of the mean reciprocal rank themselves, which has no ceiling.
    """

    bench: str
    label: str
    slice: str | None
    measure: Literal["share", "mrr"] = "share"
    stamps: list[str]
    series: list[TrendSeries]


class TradeoffPoint(Part, frozen=True, kw_only=True):
    """Quality of an engine beside its price and its median latency, where known.

    On a frontier no other engine is at least as good for less.
    """

    engine: str
    share: Figure
    usd_per_1k: float | None
    p50_ms: float | None
    is_on_price_frontier: bool
    is_on_latency_frontier: bool


class Tradeoff(Part, frozen=True, kw_only=True):
    """Share of the ceiling in `scope`: "overall", or the first bench where nobody has all."""

    scope: str
    label: str
    points: list[TradeoffPoint]


class Problem(Part, frozen=True, kw_only=True):
    """Lines of a file that could not be used for one reason."""

    reason: str
    count: int
    first_line: int | None


class FileState(Part, frozen=True, kw_only=True):
    """What became of a file of the data directory; `rows` is None for a JSON document."""

    name: str
    state: Literal["read", "absent", "unusable"]
    rows: int | None
    problems: list[Problem]


class Gate(Part, frozen=True, kw_only=True):
    """Bounds of what is published: shares of searches, of scored queries, and a number of them.

    A run of an engine with a larger share of account errors is left out; an engine with a larger
    share of errors, or with fewer scored queries over the window, is not measured.
    """

    max_account_error_share: float
    max_error_share: float
    min_scored: int
    min_scored_share: float


class NeedleRun(Part, frozen=True, kw_only=True):
    """The headline of one model in one run over the data set of its board."""

    ts: str
    pairs: int
    baseline: float | None
    long_context: float | None
    distraction_regression: float | None


class NeedleModel(Part, frozen=True, kw_only=True):
    """One model in its newest run over a data set; cells are pass@1.

    `is_reference`: a rule without a model, there to compare with, never ranked. `by` breaks the
    loose cells down, None in old rows. `runs` are all its runs over the data set, oldest first.
    """

    model: str
    provider: Provider
    is_reference: bool
    ts: str
    samples: int
    temperature: float | None
    records: int
    answered: int
    missing: int
    failed: int
    truncated: int
    pairs: int
    pairs_left_out: int
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    strict: NeedleCell
    loose: NeedleCell
    instruction_level_bare: float | None
    instruction_level_haystack: float | None
    by: dict[str, dict[str, NeedleCell]] | None
    runs: list[NeedleRun]


class ModelPair(Part, frozen=True, kw_only=True):
    """Two models over the `n` needles that both answered in the document.

    `only_a` and `only_b` needles were followed by one of them alone. `delta` is the long-context
    accuracy of `a` less that of `b`, with its 95 % interval; `p` is McNemar's exact test, `p_holm`
    adjusted for all pairs beside it.
    """

    a: str
    b: str
    n: int
    only_a: int
    only_b: int
    delta: float
    lo: float
    hi: float
    p: float
    p_holm: float


class NeedleBoard(Part, frozen=True, kw_only=True):
    """The models that were asked the same records, best long-context accuracy first.

    References stand behind the models, and pairs only between those that can be compared.
    """

    dataset: NeedleDataset
    models: list[NeedleModel]
    pairwise: list[ModelPair]


class Results(Document, frozen=True, kw_only=True):
    """`results.json`."""

    generated_at: str | None
    profile: str | None
    window: Window | None
    licence: str = LICENCE
    citation: str
    roster: list[RosterEntry]
    answers: list[Answer]
    overall: list[Standing]
    overall_method: str | None
    overall_test_method: str | None
    overall_pairwise: list[Pair]
    gate: Gate
    benches: dict[str, Board]
    unmeasured: list[Unmeasured]
    latency: list[LatencyRow]
    prices: list[Price]
    independence: dict[Literal["all", "7d"], IndependenceShares]
    independence_from: str
    sharing_by_chance: SharingByChance | None = None
    trends: list[Trend] = []
    tradeoff: Tradeoff | None = None
    needleif: list[NeedleBoard] = []
    files: list[FileState]
