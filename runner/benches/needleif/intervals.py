"""95 % intervals and pass@k, all from counts or values in [0, 1]."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from math import comb, fsum, sqrt
from random import Random

Z = 1.959963984540054
RESAMPLES = 2000
_SEED = "needleif-ci"

Interval = tuple[float, float]
Pair = tuple[float, float]  # the pass values of the bare and of the haystack side


def pass_at_k(samples: int, passed: int, k: int) -> float | None:
    """The chance that one of k samples drawn without replacement passes; null for too few.

    1 - C(n-c, k) / C(n, k), in whole numbers until the last division (Chen et al., Evaluating
    Large Language Models Trained on Code, 2021, section 2.1).
    """
    if samples < k:
        return None
    every = comb(samples, k)
    return (every - comb(samples - passed, k)) / every


def wilson(passed: int, of: int) -> Interval | None:
    """Wilson's score interval of a proportion, null when it is of nothing."""
    if of == 0:
        return None
    share = passed / of
    shrink = 1 + Z * Z / of
    centre = (share + Z * Z / (2 * of)) / shrink
    half = Z / shrink * sqrt(share * (1 - share) / of + Z * Z / (4 * of * of))
    low = 0.0 if passed == 0 else centre - half
    high = 1.0 if passed == of else centre + half
    return max(low, 0.0), min(high, 1.0)


def paired_difference(lost: int, won: int, of: int) -> Interval | None:
    """The interval of (lost - won) / of over pairs, cut to [-1, 1]; null when of nothing."""
    if of == 0:
        return None
    difference = (lost - won) / of
    half = Z * sqrt(lost + won - (lost - won) ** 2 / of) / of
    return max(difference - half, -1.0), min(difference + half, 1.0)


def bootstrap(
    pairs: Sequence[Pair], statistics: Sequence[Callable[[Sequence[Pair]], float | None]]
) -> list[Interval | None]:
    """The percentile interval of each statistic over the same resampled pairs.

    The ends are the 50th value from below and from above of 2,000 resamples (of those in which
    the statistic exists). The generator starts from a fixed string: equal pairs, equal ends.
    """
    if not pairs:
        return [None for _ in statistics]
    rng = Random(int.from_bytes(sha256(_SEED.encode()).digest()[:8], "big"))
    drawn: list[list[float]] = [[] for _ in statistics]
    for _ in range(RESAMPLES):
        resample = [pairs[int(rng.random() * len(pairs))] for _ in pairs]
        for values, statistic in zip(drawn, statistics, strict=True):
            value = statistic(resample)
            if value is not None:
                values.append(value)
    return [_middle_95(sorted(values)) for values in drawn]


def _middle_95(ordered: Sequence[float]) -> Interval | None:
    if not ordered:
        return None
    cut = max(len(ordered) // 40 - 1, 0)
    return ordered[cut], ordered[-1 - cut]


def mean_bare(pairs: Sequence[Pair]) -> float | None:
    """Baseline accuracy."""
    return fsum(bare for bare, _ in pairs) / len(pairs) if pairs else None


def mean_haystack(pairs: Sequence[Pair]) -> float | None:
    """Long-context accuracy."""
    return fsum(haystack for _, haystack in pairs) / len(pairs) if pairs else None


def regression(pairs: Sequence[Pair]) -> float | None:
    """Distraction regression: the share lost of what passes bare, null when nothing does."""
    passes = fsum(bare for bare, _ in pairs)
    return fsum(bare * (1 - haystack) for bare, haystack in pairs) / passes if passes else None


def penalty(pairs: Sequence[Pair]) -> float | None:
    """Net penalty: baseline less long-context accuracy."""
    return fsum(bare - haystack for bare, haystack in pairs) / len(pairs) if pairs else None
