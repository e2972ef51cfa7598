"""Latency of successful, timed attempts."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from runner.records.reports import Latency


def nearest_rank(ordered: Sequence[float], percent: int) -> float:
    """The smallest value with at least `percent` of all values at or below it.

    `ordered` is ascending and not empty. Whole percents keep the rank free of rounding.
    """
    return ordered[max(0, -(-percent * len(ordered) // 100) - 1)]


def summarise(samples_ms: Sequence[float], reconnects: int) -> Latency | None:
    """Percentiles and mean in ms, 1 decimal; None without a sample, since that is no latency of 0.

    `samples_ms` holds successful requests only, without those that opened the first connections.
    """
    if not samples_ms:
        return None
    ordered = sorted(samples_ms)
    return Latency(
        n=len(ordered),
        mean_ms=round(fsum(ordered) / len(ordered), 1),
        p50_ms=round(nearest_rank(ordered, 50), 1),
        p95_ms=round(nearest_rank(ordered, 95), 1),
        samples_ms=[round(sample, 1) for sample in ordered],
        reconnects=reconnects,
    )
