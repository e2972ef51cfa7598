"""Random choices that depend on the seed and on what they are for, and on nothing else.

Only `Random.random()` promises the same numbers in every version of Python, so that shuffling
and choosing are written on top of it here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


def generator(seed: int, purpose: str, *parts: object) -> Random:
    """The generator of one purpose; another purpose, split, bucket or pair has its own."""
    text = "|".join(map(str, (seed, purpose, *parts)))
    return Random(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big"))


def below(rng: Random, bound: int) -> int:
    """A whole number from 0 to bound - 1."""
    return min(int(rng.random() * bound), bound - 1)


def chosen(rng: Random, items: Sequence[T]) -> T:
    """One of the items, each as likely as the others."""
    return items[below(rng, len(items))]


def shuffled(rng: Random, items: Sequence[T]) -> list[T]:
    """The items in random order (Fisher and Yates, from the end)."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = below(rng, last + 1)
        order[last], order[other] = order[other], order[last]
    return order
