"""Which needle is hidden at which depth in a document of which size, for each split.

The needles of each complexity are shuffled once and dealt into three decks, one for each split.
A split draws from its own deck, bucket after bucket as the configuration names them, so that
another split or a further bucket takes nothing away from it. Only when its deck is used up does
it go on with what the others have left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runner.benches.needleif.config import Config
from runner.benches.needleif.draw import generator, shuffled
from runner.benches.needleif.haystack import SPLITS
from runner.benches.needleif.pool import Pool
from runner.benches.needleif.records import Needle
from runner.benches.needleif.sizing import Bucket, bucket_of
from runner.errors import UsageError

COMPLEXITIES = ("simple", "complex")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A pair before its text exists; `index` counts the pairs of its split and bucket."""

    split: str
    bucket: Bucket
    index: int
    depth_percent: float
    needle: Needle


def half_up(value: float) -> int:
    """The nearest whole number, a half upwards."""
    return int(value + 0.5)


def pairs_by_bucket(config: Config, split: str) -> dict[str, tuple[int, int]]:
    """(simple, complex) for each bucket; the last one evens out the split's total of complex."""
    factor = config.splits[split]
    sizes = {label: half_up(n * factor) for label, n in config.pairs.items()}
    counts = {label: half_up(n * config.complex_fraction) for label, n in sizes.items()}
    surplus = sum(counts.values()) - half_up(sum(sizes.values()) * config.complex_fraction)
    for label in reversed(sizes):
        corrected = min(max(counts[label] - surplus, 0), sizes[label])
        surplus -= counts[label] - corrected
        counts[label] = corrected
    return {label: (sizes[label] - counts[label], counts[label]) for label in sizes}


def interleaved(simple: int, complex_: int, depths: int) -> list[str]:
    """The complexity of each pair of a bucket, the complex ones spread evenly over the depths.

    Pair i has depth i mod `depths`. At any two depths the numbers of complex pairs differ by one
    at most, and within a depth they lie evenly among the simple ones.
    """
    total = simple + complex_
    order = ["simple"] * total
    for depth in range(depths):
        pairs = range(depth, total, depths)
        share = len(range(depth, complex_, depths))
        for i in range(share):
            order[pairs[(2 * i + 1) * len(pairs) // (2 * share)]] = "complex"
    return order


def planned(config: Config, pool: Pool) -> dict[str, list[Plan]]:
    """The pairs of each split in the order in which they are written.

    Raises UsageError with the numbers asked for and available where the pool is too small.
    """
    decks = {
        complexity: _Decks(config.seed, complexity, pool.of_complexity(complexity))
        for complexity in COMPLEXITIES
    }
    wanted = {split: pairs_by_bucket(config, split) for split in config.splits}
    _refuse_more_than(wanted, decks)
    buckets = {
        label: bucket_of(label, config.output_reserve, config.safety_margin)
        for label in config.pairs
    }
    places: list[tuple[str, Bucket, int, str]] = [
        (split, buckets[label], index, complexity)
        for split in config.splits
        for label, counts in wanted[split].items()
        for index, complexity in enumerate(interleaved(*counts, len(config.depths)))
    ]
    # First every split from its own deck, then those that ran out from what is left.
    needles = [decks[complexity].drawn(split, b) for split, b, _, complexity in places]
    for i, (_, bucket, _, complexity) in enumerate(places):
        needles[i] = needles[i] or decks[complexity].left_over(bucket)
    plans: dict[str, list[Plan]] = {split: [] for split in config.splits}
    for (split, bucket, index, _), needle in zip(places, needles, strict=True):
        if needle is None:
            raise UsageError(
                f"bucket {bucket.label} of {split}: no needle is left whose answer fits "
                f"{bucket.reserve} tokens; raise output_reserve or ask for fewer pairs"
            )
        depth = config.depths[index % len(config.depths)]
        plans[split].append(
            Plan(split=split, bucket=bucket, index=index, depth_percent=depth, needle=needle)
        )
    return plans


def _refuse_more_than(
    wanted: Mapping[str, Mapping[str, tuple[int, int]]], decks: Mapping[str, _Decks]
) -> None:
    for i, complexity in enumerate(COMPLEXITIES):
        asked = sum(counts[i] for split in wanted.values() for counts in split.values())
        if asked > decks[complexity].size:
            raise UsageError(
                f"{asked} {complexity} needles are asked for and the pool has "
                f"{decks[complexity].size}; lower [pairs] or [splits]"
            )


class _Decks:
    """The needles of one complexity, shuffled, with a deck for each split."""

    def __init__(self, seed: int, complexity: str, needles: Sequence[Needle]) -> None:
        order = shuffled(generator(seed, "pool", complexity), needles)
        self.size = len(order)
        self._cards = {s: order[i :: len(SPLITS)] for i, s in enumerate(SPLITS)}

    def drawn(self, split: str, bucket: Bucket) -> Needle | None:
        """The first card of the split's own deck whose answer the bucket can hold."""
        cards = self._cards[split]
        for i, needle in enumerate(cards):
            if bucket.holds_answer(needle):
                return cards.pop(i)
        return None

    def left_over(self, bucket: Bucket) -> Needle | None:
        """The first such card of any deck."""
        return next((n for s in SPLITS if (n := self.drawn(s, bucket))), None)
