"""Draws that depend on a seed and on what they are for, and on nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

from runner.sampling import permutation

T = TypeVar("T")


def derived_seed(seed: int, *parts: object) -> int:
    """The seed of one use: another for each use, the same on every machine."""
    text = "\n".join(map(str, (seed, *parts)))
    return int.from_bytes(hashlib.sha256(text.encode(errors="replace")).digest()[:8], "big")


def drawn(n: int, seed: int, *parts: object) -> int:
    """A number from 0 to n - 1."""
    return derived_seed(seed, *parts) % n


def picked(items: Sequence[T], count: int, seed: int) -> list[T]:
    """At most `count` of the items, at random and in random order."""
    return [items[i] for i in permutation(len(items), seed)[:count]]
