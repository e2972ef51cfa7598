"""Is one engine better than another: paired differences by cluster, and what many tests allow.

Two engines are compared on the queries scored for both. Queries of one cluster (one story, one
company, one paper) move together, so a cluster is the unit. Sources: Miller, Adding Error Bars
to Evals, 2024 (clustered standard errors); Cameron, Gelbach and Miller, JBES 29(2), 2011 (two
ways of clustering); Holm, Scand. J. Statist. 6, 1979; Benjamini and Hochberg, JRSS B 57, 1995.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import cos, pi, sin, sqrt, tan

from runner.scoring.intervals import Clusters, cluster

EXACT_CLUSTERS = 16
FLIPS = 20_000
_FLIP_ROWS = 1000  # sign patterns at a time
_Z_POWER = 1.959964 + 0.841621  # two-sided 5 % level, 80 % power


@dataclass(frozen=True)
class Difference:
    """A mean difference with its cluster-robust standard error; `n` pairs in `clusters` clusters.

    `standard_error` is None below two clusters: then nothing is known about the spread.
    """

    mean: float
    standard_error: float | None
    n: int
    clusters: int

    def interval(self) -> tuple[float, float] | None:
        """The 95 % t interval with `clusters` - 1 degrees of freedom."""
        if self.standard_error is None:
            return None
        margin = t_quantile(0.975, self.clusters - 1) * self.standard_error
        return self.mean - margin, self.mean + margin


def paired_clusters(
    pairs: Iterable[tuple[str, float | None, float | None]],
) -> Clusters:
    """Summed differences a - b of (cluster id, a, b), over the pairs that both have a score."""
    return cluster((key, a - b) for key, a, b in pairs if a is not None and b is not None)


def difference(clusters: Clusters) -> Difference | None:
    """The mean over all pairs; SE² = G/(G-1) · Σ(D_c - Δ·N_c)² / N². None without a pair."""
    n, groups = sum(clusters.counts), len(clusters.sums)
    if n == 0:
        return None
    mean = sum(clusters.sums) / n
    if groups < 2:
        return Difference(mean, None, n, groups)
    squares = sum(
        (total - mean * count) ** 2
        for total, count in zip(clusters.sums, clusters.counts, strict=True)
    )
    return Difference(mean, sqrt(groups / (groups - 1) * squares) / n, n, groups)


def two_way_variance(by_query: float, by_run: float, by_both: float) -> float:
    """Variance under clustering by query and by run at once, at least that of each alone."""
    return max(by_query + by_run - by_both, by_query, by_run)


def minimum_detectable(standard_error: float) -> float:
    """The difference that a test at 5 % would find 4 times in 5."""
    return _Z_POWER * standard_error


def t_quantile(probability: float, degrees: int) -> float:
    """The quantile of Student's t for `probability` > 0.5, by bisection to 1e-12 in angle.

    The distribution function for whole degrees of freedom is a finite sum: Abramowitz and
    Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
    """
    low, high = 0.0, pi / 2
    while high - low > 1e-12:
        middle = (low + high) / 2
        if (1 + _t_central(middle, degrees)) / 2 < probability:
            low = middle
        else:
            high = middle
    return tan(high) * sqrt(degrees)


def _t_central(theta: float, degrees: int) -> float:
    """The probability of |t| <= tan(theta)·√degrees."""
    if degrees == 1:
        return 2 * theta / pi
    is_odd = degrees % 2 == 1
    term = cos(theta) if is_odd else 1.0
    total = term
    for step in range(3 if is_odd else 2, degrees, 2):
        term *= cos(theta) ** 2 * (step - 1) / step
        total += term
    return 2 / pi * (theta + sin(theta) * total) if is_odd else sin(theta) * total


def sign_flip_test(differences: Sequence[float], *, seed: int = 0) -> float:
    """Two-sided p that the engines are exchangeable within each cluster.

    T = |Σ D_c| against all sign patterns of the summed differences; above 16 clusters against
    20,000 random ones, p = (1 + hits) / (20,000 + 1), which is never 0.
    """
    import numpy as np

    values = np.asarray(differences, dtype=np.float64)
    if not values.any():
        return 1.0
    # patterns that reach T exactly must not be lost to rounding
    target = abs(values.sum()) - 1e-9 * np.abs(values).sum()
    groups = len(values)
    if groups <= EXACT_CLUSTERS:
        patterns = np.arange(1 << groups)[:, None] >> np.arange(groups) & 1
        return float(np.mean(np.abs((1 - 2 * patterns) @ values) >= target))
    rng = np.random.default_rng(seed)
    hits = 0
    for _ in range(FLIPS // _FLIP_ROWS):
        signs = 1.0 - 2.0 * rng.integers(0, 2, size=(_FLIP_ROWS, groups))
        hits += int(np.count_nonzero(np.abs(signs @ values) >= target))
    return (1 + hits) / (FLIPS + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values for claims: the chance of any false one stays at the level."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values for exploring: the expected share of false claims stays at the level."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place], reverse=True)
    adjusted = [0.0] * len(p_values)
    smallest = 1.0
    for rank, place in zip(range(len(order), 0, -1), order, strict=True):
        smallest = min(smallest, len(order) / rank * p_values[place])
        adjusted[place] = smallest
    return adjusted
