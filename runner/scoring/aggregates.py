"""Means: over the queries of a run, over the runs of a window, over benches."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from math import fsum


def mean_scored(scores: Iterable[float | None]) -> tuple[float, int]:
    """The mean of the scores that are not None, and how many there are; (0.0, 0) for none."""
    present = [score for score in scores if score is not None]
    return (fsum(present) / len(present) if present else 0.0), len(present)


def weighted_mean(pairs: Iterable[tuple[float | None, int | None]]) -> float | None:
    """Σ m·w / Σ w over (value, weight) with a value and a positive weight; None without any."""
    present = [(value, weight) for value, weight in pairs if value is not None and weight]
    if not present:
        return None
    return fsum(value * weight for value, weight in present) / sum(weight for _, weight in present)


def share_of_ultimate(engine: float | None, ultimate: float | None) -> float | None:
    """An engine's mean over the mean of `ultimate` in the same window; None where either lacks."""
    if engine is None or ultimate is None or ultimate <= 0:
        return None
    return engine / ultimate


def overall_share(shares: Mapping[str, float | None], benches: Collection[str]) -> float | None:
    """The plain mean of an engine's shares over all `benches`; None unless it has every one.

    An engine that is present in the easy benches only would otherwise be ranked by them.
    """
    values = [shares.get(bench) for bench in benches]
    present = [value for value in values if value is not None]
    return fsum(present) / len(present) if present and len(present) == len(values) else None
