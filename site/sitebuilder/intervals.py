"""95 % intervals of scores, shares and overall shares, each with the name of its method.

Scores of one query cluster, and those of one run, move together. So there are two clusterings,
and an interval is the wider of both: a percentile bootstrap where there are 30 clusters or more,
else a t interval with cluster-robust standard errors, since with few clusters the bootstrap is
too narrow (a nominal 95 % covers about 83 % at 5 clusters, 88 % at 7).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from runner.records.published import BENCHES
from runner.scoring.intervals import RESAMPLES
from sitebuilder.dataset import Dataset
from sitebuilder.gate import Admitted
from sitebuilder.resampling import FEW_CLUSTERS, Resampled, Robust, quantiles, resample, t_975
from sitebuilder.results import ULTIMATE
from sitebuilder.scores import MIN_RUNS, UNITS, BenchScores, Unit

if TYPE_CHECKING:
    from sitebuilder.scores import Floats

Bounds = tuple[float, float]
Study = Mapping[Unit, Resampled]
Z_975 = 1.959964
CLUSTER_NAMES: dict[Unit, str] = {"query": "query clusters", "run": "runs"}
OVERALL_METHOD = (
    f"joint bootstrap of the shares of all benches, {RESAMPLES:,} resamples, the wider of query "
    f"clusters and runs; where a bench has fewer than {FEW_CLUSTERS} clusters stretched to the "
    "width of a t interval"
)
NO_SCORES = "the per-query scores of these runs are not in the data"


@dataclass(frozen=True)
class BenchIntervals:
    """Intervals of one bench; `method` names how they came, `reason` what they lack."""

    scores: Mapping[str, Bounds] = field(default_factory=dict)
    shares: Mapping[str, Bounds] = field(default_factory=dict)
    method: str | None = None
    reason: str | None = None


@dataclass(frozen=True)
class OverallDraws:
    """Resampled means of the shares over all benches: engines × resamples around `centre`."""

    engines: tuple[str, ...]
    centre: Floats
    draws: Sequence[Floats]


def study(scores: BenchScores) -> dict[Unit, Resampled]:
    """Every clustering of the bench, resampled."""
    return {unit: resample(scores, unit) for unit in UNITS if unit in scores.labels}


def bench_intervals(
    data: Dataset, admitted: Admitted, scores: BenchScores | None, clusterings: Study
) -> BenchIntervals:
    """Intervals of all measured engines; those of `ci.json` where nothing can be computed."""
    lacks = NO_SCORES if scores is None or scores.unit == "run" else None
    if scores is None or not clusterings:
        published = data.intervals
        if published and sorted(published.runs.get(admitted.bench, [])) == admitted.runs:
            known = published.benches.get(admitted.bench, {})
            bounds = {engine: (each.lo, each.hi) for engine, each in known.items()}
            return BenchIntervals(bounds, {}, f"{published.method}, as in ci.json", lacks)
        reason = lacks or "all scored queries are of one cluster"
        return BenchIntervals(reason=f"no interval: {reason}")
    own = [clustered_bounds(each.own, each.means, each.groups) for each in clusterings.values()]
    shares = [
        clustered_bounds(each.shares, each.share_draws(), each.groups)
        for each in clusterings.values()
    ]
    method = _method({unit: each.groups for unit, each in clusterings.items()})
    if "run" not in clusterings:
        method += f" (fewer than {MIN_RUNS} runs: no spread by run)"
    found = _named(scores.engines, shares)
    found.pop(ULTIMATE, None)
    return BenchIntervals(_named(scores.engines, own), found, method, lacks)


def clustered_bounds(estimate: Robust, draws: Floats, groups: int) -> Floats:
    """2 × engines: t where the bench or the engine has few clusters, else quantiles."""
    bounds = estimate.bounds()
    if groups >= FEW_CLUSTERS:
        many = estimate.groups >= FEW_CLUSTERS
        bounds[:, many] = quantiles(draws[many])
    return bounds


def _named(engines: Sequence[str], clusterings: Sequence[Floats]) -> dict[str, Bounds]:
    """The envelope by engine, 4 decimals, cut to what a score can be."""
    low, high = envelope(clusterings)
    return {
        engine: (round(max(0.0, float(lo)), 4), round(min(1.0, float(hi)), 4))
        for engine, lo, hi in zip(engines, low, high, strict=True)
        if lo == lo and hi == hi  # NaN: no second cluster
    }


def envelope(bounds: Sequence[Floats]) -> Floats:
    """The lowest low and the highest high; a clustering without value is passed over."""
    import numpy as np

    each = np.array(bounds)
    return np.array([np.fmin.reduce(each[:, 0]), np.fmax.reduce(each[:, 1])])


def _method(groups: Mapping[Unit, int]) -> str:
    """As in `wider of percentile bootstrap over 709 query clusters and … over 7 runs`."""
    parts = [
        f"{'percentile bootstrap' if count >= FEW_CLUSTERS else 'cluster-robust t interval'} "
        f"over {count:,} {CLUSTER_NAMES[unit]}"
        for unit, count in groups.items()
    ]
    return f"wider of {' and '.join(parts)}" if len(parts) > 1 else parts[0]


def overall_draws(
    scores: Mapping[str, BenchScores], studies: Mapping[str, Study]
) -> OverallDraws | None:
    """Overall shares in each resample, by query cluster and by run; None unless all benches are.

    A bench with one run has no spread by run and stands there with its query clusters.
    """
    import numpy as np

    if not all(studies.get(bench) and ULTIMATE in scores[bench].engines for bench in BENCHES):
        return None
    engines = tuple(sorted(set.intersection(*(set(scores[bench].measured) for bench in BENCHES))))
    if not engines:
        return None
    both = []
    for unit in UNITS:
        chosen = [_preferred(studies[bench], unit) for bench in BENCHES]
        columns = [[scores[b].engines.index(engine) for engine in engines] for b in BENCHES]
        both.append(_overall(chosen, columns))
    centre = np.mean([both[0][0], both[1][0]], axis=0)
    return OverallDraws(engines, centre, [draws for _, draws in both])


def _preferred(clusterings: Study, unit: Unit) -> Resampled:
    return clusterings.get(unit) or next(iter(clusterings.values()))


def _overall(
    benches: Sequence[Resampled], columns: Sequence[Sequence[int]]
) -> tuple[Floats, Floats]:
    """The mean share and its draws, engines × resamples.

    The spread of a bench of few clusters is corrected by √(G/(G-1)); the whole is then stretched
    to t with the degrees of freedom of Welch and Satterthwaite (Biometrics Bulletin 2, 1946).
    """
    import numpy as np

    centres, deviations = [], []
    for bench, places in zip(benches, columns, strict=True):
        centre = bench.shares.mean[places]
        off = bench.share_draws()[places] - centre[:, None]
        if bench.groups < FEW_CLUSTERS:
            off *= np.sqrt(bench.groups / (bench.groups - 1))
        centres.append(centre)
        deviations.append(off)
    centre = np.mean(centres, axis=0)
    off = np.mean(deviations, axis=0)
    if any(bench.groups < FEW_CLUSTERS for bench in benches):
        variances = np.array([np.nanvar(each, axis=1) for each in deviations])
        free = np.array([bench.groups - 1 for bench in benches])[:, None]
        with np.errstate(invalid="ignore", divide="ignore"):
            degrees = variances.sum(axis=0) ** 2 / (variances**2 / free).sum(axis=0)
        factors = [t_975(max(1, int(each))) if each == each else Z_975 for each in degrees]
        off *= (np.array(factors) / Z_975)[:, None]
    return centre, centre[:, None] + off


def overall_intervals(overall: OverallDraws | None) -> dict[str, Bounds]:
    if overall is None:
        return {}
    return _named(overall.engines, [quantiles(draws) for draws in overall.draws])
