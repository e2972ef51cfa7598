"""One cell of a breakdown: the paired metrics of a set of pairs, each with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Any

from .intervals import (
    Interval,
    Pair,
    bootstrap,
    mean_bare,
    mean_haystack,
    paired_difference,
    penalty,
    regression,
    wilson,
)

SMALL = 10


def cell(pairs: Sequence[Pair], *, is_sampled: bool) -> dict[str, Any]:
    """The metrics of pairs of pass values (bare, haystack), null where there is nothing.

    `n11`, `n10`, `n01`, `n00` count pairs by (bare passes, haystack passes). With several samples
    (`is_sampled`) a pair counts with the products of its pass@k values, so these are expected
    counts, and the intervals are bootstrapped; with one they are closed forms.
    """
    counts = _expected_counts(pairs) if is_sampled else _counts(pairs)
    intervals = (
        bootstrap(pairs, (mean_bare, mean_haystack, regression, penalty))
        if is_sampled
        else _closed_forms(pairs)
    )
    values = (mean_bare(pairs), mean_haystack(pairs), regression(pairs), penalty(pairs))
    figures = zip(
        ("baseline", "long_context", "distraction_regression", "net_penalty"),
        values,
        intervals,
        strict=True,
    )
    return {
        "n": len(pairs),
        "small": len(pairs) < SMALL,
        **counts,
        **{name: _figure(value, interval) for name, value, interval in figures},
    }


def _figure(value: float | None, interval: Interval | None) -> dict[str, float | None]:
    low, high = interval or (None, None)
    return {"value": value, "low": low, "high": high}


def _counts(pairs: Sequence[Pair]) -> dict[str, int]:
    return {
        "n11": sum(1 for pair in pairs if pair == (1, 1)),
        "n10": sum(1 for pair in pairs if pair == (1, 0)),
        "n01": sum(1 for pair in pairs if pair == (0, 1)),
        "n00": sum(1 for pair in pairs if pair == (0, 0)),
    }


def _expected_counts(pairs: Sequence[Pair]) -> dict[str, float]:
    return {
        "n11": fsum(b * h for b, h in pairs),
        "n10": fsum(b * (1 - h) for b, h in pairs),
        "n01": fsum((1 - b) * h for b, h in pairs),
        "n00": fsum((1 - b) * (1 - h) for b, h in pairs),
    }


def _closed_forms(pairs: Sequence[Pair]) -> list[Interval | None]:
    counts = _counts(pairs)
    n, n11, n10, n01 = len(pairs), counts["n11"], counts["n10"], counts["n01"]
    return [
        wilson(n11 + n10, n),
        wilson(n11 + n01, n),
        wilson(n10, n11 + n10),
        paired_difference(n10, n01, n),
    ]
