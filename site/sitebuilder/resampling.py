"""Joint cluster bootstrap and joint sign flips of one bench: every engine sees the same draws.

Sources: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, ch. 8 and 13; Cameron and
Miller, A Practitioner's Guide to Cluster-Robust Inference, J. Human Resources 50(2), 2015.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from runner.scoring.intervals import RESAMPLES
from runner.scoring.significance import t_quantile
from sitebuilder.scores import BenchScores, Unit

if TYPE_CHECKING:
    import numpy as np

    from sitebuilder.scores import Floats, Places

FEW_CLUSTERS = 30  # below, a percentile bootstrap is too narrow and Student's t is taken
_CELLS = 1 << 16  # drawn and counted at a time: stays in the processor's cache
_BLOCK = 1 << 21  # multiplied at a time


@dataclass(frozen=True)
class Robust:
    """Means of columns with cluster-robust standard errors; NaN below two clusters."""

    mean: Floats
    error: Floats
    groups: Places

    def bounds(self) -> Floats:
        """2 × columns: the 95 % t interval with (clusters - 1) degrees of freedom."""
        import numpy as np

        margin = self.error * t_factors(self.groups)
        return np.array([self.mean - margin, self.mean + margin])


def robust(sums: Floats, counts: Floats) -> Robust:
    """Ratio means of clusters × columns; SE² = G/(G-1) · Σ(S_c - m·N_c)² / N²."""
    import numpy as np

    with np.errstate(invalid="ignore", divide="ignore"):
        total = counts.sum(axis=0)
        mean = sums.sum(axis=0) / total
        groups = (counts > 0).sum(axis=0)
        squares = ((sums - mean * counts) ** 2).sum(axis=0)
        error = np.sqrt(groups / (groups - 1) * squares) / total
    return Robust(mean, np.where(groups > 1, error, np.nan), groups)


def t_factors(groups: Places) -> Floats:
    """The 97.5 % quantile of t for each number of clusters; NaN below two."""
    import numpy as np

    factors = [t_975(int(size) - 1) if size > 1 else np.nan for size in groups]
    return np.array(factors, dtype=np.float64)


@cache
def t_975(degrees: int) -> float:
    return t_quantile(0.975, degrees)


def cluster_totals(values: Floats, weights: Floats, labels: Places) -> tuple[Floats, Floats]:
    """Sums of value · weight and of weight, clusters × columns; a NaN value has no weight."""
    import numpy as np

    products = np.nan_to_num(values) * weights
    return summed(products, labels), summed(weights, labels)


def summed(columns: Floats, labels: Places) -> Floats:
    import numpy as np

    groups = int(labels.max()) + 1
    width = columns.shape[1]
    cells = (labels[:, None] * width + np.arange(width)).ravel()
    total = np.bincount(cells, columns.ravel(), groups * width)
    return total.astype(np.float64).reshape(groups, width)


@dataclass(frozen=True)
class Gap:
    """What is to be taken off for the units without a score of one engine: clusters × engines."""

    engine: int
    clusters: Places
    sums: Floats
    lacking: Floats


@dataclass(frozen=True)
class PairClusters:
    """Summed differences and their weights, clusters × pairs, over units scored for both.

    Products over all pairs would be dear. Where all are scored a difference is linear in the
    engines' own sums, so products are made for engines and subtracted, and then corrected for
    the few units that one of the two lacks.
    """

    first: Places
    second: Places
    sums: Floats
    counts: Floats
    engine_sums: Floats
    sizes: Floats
    gaps: list[Gap]

    def flipped(self, times: Floats) -> Floats:
        """Sums, pairs × draws, of `times` each cluster (clusters × draws, or signs)."""
        own = self.engine_sums.T @ times
        totals: Floats = own[self.first] - own[self.second]
        for gap in self.gaps:
            off = gap.sums.T @ times[gap.clusters]
            is_first, is_second = self.first == gap.engine, self.second == gap.engine
            totals[is_first] += off[self.second[is_first]]
            totals[is_second] -= off[self.first[is_second]]
        return totals

    def drawn(self, times: Floats) -> Floats:
        """Mean differences, pairs × draws; NaN where nothing was drawn that both have."""
        import numpy as np

        weights = np.tile(self.sizes @ times, (len(self.first), 1))
        for gap in self.gaps:
            off = gap.lacking.T @ times[gap.clusters]
            is_second = self.second == gap.engine
            weights[is_second | (self.first == gap.engine)] -= off[gap.engine]
            weights[is_second] += off[self.first[is_second]]
        return self.flipped(times) / np.where(weights > 0, weights, np.nan)


def pair_clusters(scores: BenchScores, unit: Unit) -> PairClusters:
    import numpy as np

    labels = scores.labels[unit]
    columns = len(scores.measured)
    values = np.nan_to_num(scores.values[:, :columns]) * scores.shared[:, None]
    lacking = np.isnan(scores.values[:, :columns])
    first, second = np.triu_indices(columns, 1)
    both = ~(lacking[:, first] | lacking[:, second]) * scores.shared[:, None]
    differences = (values[:, first] - values[:, second]) * (both > 0)
    gaps = []
    for engine in np.flatnonzero(lacking.any(axis=0)):
        units = lacking[:, engine]
        clusters, local = np.unique(labels[units], return_inverse=True)
        absent = lacking[units] * scores.shared[units, None]
        gaps.append(Gap(int(engine), clusters, summed(values[units], local), summed(absent, local)))
    return PairClusters(
        first,
        second,
        summed(differences, labels),
        summed(both, labels),
        summed(values, labels),
        summed(scores.shared[:, None], labels)[:, 0],
        gaps,
    )


@dataclass(frozen=True)
class Resampled:
    """One clustering of a bench.

    `means` are engines × resamples in the order of the scores; `own` the engines' robust means,
    `shares` those of the shares of ultimate (NaN without it); `deltas` are the 95 % bounds of
    the paired differences, 2 × pairs, by the method that the number of clusters calls for.
    """

    groups: int
    own: Robust
    shares: Robust
    means: Floats
    pairs: PairClusters
    deltas: Floats

    def share_draws(self) -> Floats:
        """The shares of ultimate in the resamples, engines × resamples."""
        import numpy as np

        with np.errstate(invalid="ignore", divide="ignore"):
            shares: Floats = self.means / self.means[-1]
            return shares


def resample(scores: BenchScores, unit: Unit) -> Resampled:
    """10,000 resamples of whole clusters, drawn once for all engines and pairs of the bench."""
    import numpy as np

    labels = scores.labels[unit]
    sums, counts = cluster_totals(scores.values, scores.weights, labels)
    pairs = pair_clusters(scores, unit)
    groups = len(sums)
    means = np.empty((sums.shape[1], RESAMPLES))
    deltas = np.empty((len(pairs.first), RESAMPLES if groups >= FEW_CLUSTERS else 0))
    with np.errstate(invalid="ignore", divide="ignore"):
        for place, times in draws(groups, scores.seed(unit)):
            columns = slice(place, place + times.shape[1])
            means[:, columns] = (sums.T @ times) / (counts.T @ times)
            if deltas.size:
                deltas[:, columns] = pairs.drawn(times)
    if groups < FEW_CLUSTERS:
        bounds = robust(pairs.sums, pairs.counts).bounds()
    else:
        bounds = quantiles(deltas)
        own = robust(pairs.sums, pairs.counts)
        scarce = own.groups < FEW_CLUSTERS
        bounds[:, scarce] = own.bounds()[:, scarce]
    own = robust(sums, counts)
    return Resampled(groups, own, _shares(scores, sums, counts, own), means, pairs, bounds)


def draws(groups: int, seed: list[int]) -> Iterator[tuple[int, Floats]]:
    """Blocks of how often each cluster was drawn, clusters × resamples, with their first place."""
    import numpy as np

    rng = np.random.default_rng(seed)
    step = max(1, _CELLS // groups)
    block = max(step, _BLOCK // groups)
    for start in range(0, RESAMPLES, block):
        width = min(block, RESAMPLES - start)
        times = np.empty((groups, width))
        for place in range(0, width, step):
            n = min(step, width - place)
            cells = rng.integers(0, groups, size=(n, groups), dtype=np.int32)
            cells += (np.arange(n, dtype=np.int32) * groups)[:, None]
            counted = np.bincount(cells.ravel(), minlength=n * groups)
            times[:, place : place + n] = counted.reshape(n, groups).T
        yield start, times


def sign_draws(groups: int, rng: np.random.Generator, width: int) -> Floats:
    """Random signs, clusters × draws."""
    import numpy as np

    bits = np.frombuffer(rng.bytes(groups * width // 8), dtype=np.uint8)
    return 1.0 - 2.0 * np.unpackbits(bits).reshape(groups, width).astype(np.float64)


def quantiles(columns: Floats) -> Floats:
    """2 × rows: the 2.5 and 97.5 % quantiles of each row, linear, resamples without value aside."""
    import numpy as np

    tails = [0.025, 0.975]
    if not len(columns):
        return np.empty((2, 0))
    bounds: Floats = np.quantile(columns, tails, axis=1)
    for row in np.flatnonzero(np.isnan(bounds).any(axis=0)):
        finite = columns[row][np.isfinite(columns[row])]
        bounds[:, row] = np.quantile(finite, tails) if len(finite) else np.nan
    return bounds


def _shares(scores: BenchScores, sums: Floats, counts: Floats, own: Robust) -> Robust:
    """Shares of ultimate with the standard errors of the linearised ratio of two means."""
    import numpy as np

    if len(scores.measured) == len(scores.engines):
        nothing = np.full(len(own.mean), np.nan)
        return Robust(nothing, nothing, own.groups)
    with np.errstate(invalid="ignore", divide="ignore"):
        ceiling = own.mean[-1] if own.mean[-1] > 0 else np.nan
        share = own.mean / ceiling
        influence = (sums - own.mean * counts) / counts.sum(axis=0)
        linear = (influence - share * influence[:, -1:]) / ceiling
        error = np.sqrt(own.groups / (own.groups - 1) * (linear**2).sum(axis=0))
    return Robust(share, np.where(own.groups > 1, error, np.nan), own.groups)
