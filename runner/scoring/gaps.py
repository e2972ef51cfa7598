"""How much harder one kind of question is than another, asked about the same items."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum

from runner.scoring.intervals import Clusters, cluster_bootstrap


@dataclass(frozen=True)
class PairedGap:
    """Mean of `first - second` over the `n` items that have both, with its 95 % interval.

    The interval is a percentile bootstrap over items; None with fewer than two.
    """

    n: int
    delta: float
    lo: float | None
    hi: float | None


def paired_gap(
    scores: Iterable[tuple[str, str, float | None]], first: str, second: str
) -> PairedGap | None:
    """The gap between two groups of (item, group, score) triples; None where no item has both."""
    by_item: dict[str, dict[str, float]] = {}
    for item, group, score in scores:
        if score is not None:
            by_item.setdefault(item, {})[group] = score
    gaps = [s[first] - s[second] for s in by_item.values() if first in s and second in s]
    if not gaps:
        return None
    bounds = cluster_bootstrap([Clusters(gaps, [1] * len(gaps))])[0]
    lo, hi = bounds or (None, None)
    return PairedGap(len(gaps), fsum(gaps) / len(gaps), lo, hi)
