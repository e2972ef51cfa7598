"""Intervals for scores (published or recomputed) and for shares of ultimate.

Score intervals are the ones of `ci.json` where it covers the very runs shown, else the same
method over the per-query scores. A share is a ratio of two means over the same queries, so its
interval comes from joint resamples: queries (or runs) are drawn once for all engines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from runner.records.published import BENCHES, Interval, ScoresRow
from sitebuilder.dataset import Dataset
from sitebuilder.results import ULTIMATE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Bounds = tuple[float, float]
RESAMPLES = 2000
SHARE_METHOD = (
    f"joint percentile bootstrap of the shares, {RESAMPLES:,} resamples, "
    "wider of query and run clustering"
)


@dataclass(frozen=True)
class BenchIntervals:
    """Score intervals of one bench; `reason` says why there are none, `method` how they came."""

    engines: Mapping[str, Interval] = field(default_factory=dict)
    method: str | None = None
    reason: str | None = None

    def of(self, engine: str) -> Bounds | None:
        interval = self.engines.get(engine)
        return (interval.lo, interval.hi) if interval else None


@dataclass(frozen=True)
class ShareIntervals:
    """Intervals of the shares per bench, and of their mean where every bench has scores."""

    benches: Mapping[str, Mapping[str, Bounds]] = field(default_factory=dict)
    total: Mapping[str, Bounds] = field(default_factory=dict)

    def of(self, bench: str, engine: str) -> Bounds | None:
        return self.benches.get(bench, {}).get(engine)

    def overall(self, engine: str) -> Bounds | None:
        return self.total.get(engine)


def bench_intervals(data: Dataset, runs: Mapping[str, Sequence[str]]) -> dict[str, BenchIntervals]:
    """For each bench of `runs` the score intervals over exactly these runs."""
    found: dict[str, BenchIntervals] = {}
    published = data.intervals
    for bench, stamps in runs.items():
        if published and sorted(published.runs.get(bench, [])) == sorted(stamps):
            found[bench] = BenchIntervals(published.benches.get(bench, {}), published.method)
    rows = {bench: _covering(data, bench, runs[bench]) for bench in runs if bench not in found}
    usable = [row for own in rows.values() for row in own]
    if usable:
        from runner.scoring.intervals import compute_intervals

        computed = compute_intervals(usable)
    for bench, own in rows.items():
        if own:
            found[bench] = BenchIntervals(computed.benches.get(bench, {}), computed.method)
        else:
            found[bench] = BenchIntervals(
                reason="no interval: the per-query scores of these runs are not in the data"
            )
    return found


def _covering(data: Dataset, bench: str, stamps: Sequence[str]) -> list[ScoresRow]:
    """The per-query scores of exactly these runs, or nothing where one of them is missing."""
    wanted = set(stamps)
    rows = [row for row in data.scores if row.bench == bench and row.ts in wanted]
    return rows if {row.ts for row in rows} == wanted else []


def share_intervals(data: Dataset, runs: Mapping[str, Sequence[str]]) -> ShareIntervals:
    """95 % intervals of each engine's share of ultimate, 4 decimals; ultimate itself left out."""
    by_bench = {bench: _covering(data, bench, runs[bench]) for bench in BENCHES if bench in runs}
    by_bench = {bench: rows for bench, rows in by_bench.items() if rows}
    if not by_bench:
        return ShareIntervals()
    clusterings = [_resampled(by_bench, _queries), _resampled(by_bench, _runs)]
    benches = {
        bench: _envelope([shares[bench] for shares in clusterings if bench in shares])
        for bench in by_bench
    }
    whole = [_means(shares) for shares in clusterings if len(shares) == len(BENCHES)]
    return ShareIntervals(benches, _envelope(whole))


def _queries(row: ScoresRow) -> Sequence[str]:
    return row.cids or row.qids


def _runs(row: ScoresRow) -> Sequence[str]:
    return [row.ts] * len(row.qids)


Labels = Callable[[ScoresRow], Sequence[str]]
Shares = dict[str, "Floats"]


def _resampled(by_bench: Mapping[str, list[ScoresRow]], labels: Labels) -> dict[str, Shares]:
    """Per bench and engine the share in each resample; benches with a single cluster left out.

    One generator runs through all benches: seeding each anew would give benches with equally
    many clusters the same draws and so tie their errors together.
    """
    import numpy as np

    rng = np.random.default_rng(0)
    shares: dict[str, Shares] = {}
    for bench, rows in by_bench.items():
        engines = sorted({engine for row in rows for engine in row.engines})
        sums, counts = _cluster_totals(rows, labels, engines)
        groups = len(sums)
        if groups < 2 or ULTIMATE not in engines:
            continue
        draws = np.empty((RESAMPLES, groups))
        for number in range(RESAMPLES):
            drawn = rng.integers(0, groups, groups)
            draws[number] = np.bincount(drawn, minlength=groups)
        with np.errstate(invalid="ignore", divide="ignore"):
            means = (draws @ sums) / (draws @ counts)
            ratios = means / means[:, [engines.index(ULTIMATE)]]
        shares[bench] = {
            engine: ratios[:, column]
            for column, engine in enumerate(engines)
            if engine != ULTIMATE and np.isfinite(ratios[:, column]).any()
        }
    return shares


def _cluster_totals(
    rows: list[ScoresRow], labels: Labels, engines: list[str]
) -> tuple[Floats, Floats]:
    """Score sums and counts, clusters in first-seen order × engines."""
    import numpy as np

    index: dict[str, int] = {}
    for row in rows:
        for label in labels(row):
            index.setdefault(label, len(index))
    sums = np.zeros((len(index), len(engines)))
    counts = np.zeros_like(sums)
    for row in rows:
        clusters = np.array([index[label] for label in labels(row)], dtype=np.intp)
        for column, engine in enumerate(engines):
            scores = np.array(row.engines.get(engine, [None] * len(clusters)), dtype=np.float64)
            scored = ~np.isnan(scores)
            np.add.at(sums[:, column], clusters[scored], scores[scored])
            np.add.at(counts[:, column], clusters[scored], 1.0)
    return sums, counts


def _means(shares: Mapping[str, Shares]) -> Shares:
    """The mean over benches in each resample, for engines that every bench has."""
    import numpy as np

    common = set.intersection(*(set(engines) for engines in shares.values()))
    return {
        engine: np.mean([engines[engine] for engines in shares.values()], axis=0)
        for engine in sorted(common)
    }


def _envelope(clusterings: Sequence[Shares]) -> dict[str, Bounds]:
    """Per engine the lowest 2.5 % and the highest 97.5 % quantile of the clusterings.

    Resamples without a scored query, or in which nobody found anything, have no share and are
    passed over.
    """
    import numpy as np

    bounds: dict[str, Bounds] = {}
    for shares in clusterings:
        for engine, draws in shares.items():
            shares_drawn = draws[np.isfinite(draws)]
            quantiles = np.quantile(shares_drawn, [0.025, 0.975])
            lo, hi = (round(float(bound), 4) for bound in quantiles)
            known = bounds.get(engine, (lo, hi))
            bounds[engine] = (min(lo, known[0]), max(hi, known[1]))
    return bounds
