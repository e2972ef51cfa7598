"""Seeded sampling that gives the same rows on every machine (SplitMix64, Fisher-Yates)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Literal, TypeVar

T = TypeVar("T")
Scheme = Literal["stratified", "uniform", "head"]
SCHEMES: tuple[Scheme, ...] = ("stratified", "uniform", "head")

_WORD = (1 << 64) - 1


def permutation(n: int, seed: int) -> list[int]:
    """The indices 0 to n-1 shuffled from the last index down, index = word mod (i + 1)."""
    order = list(range(n))
    state = seed & _WORD
    for i in range(n - 1, 0, -1):
        state = (state + 0x9E3779B97F4A7C15) & _WORD
        word = state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _WORD
        word ^= word >> 31
        j = word % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def sample(
    rows: Sequence[T], limit: int, scheme: Scheme, seed: int, stratum: Callable[[T], str]
) -> list[T]:
    """At most `limit` rows (0 = all, in file order).

    `stratified` shuffles each stratum with seed XOR SHA-256(stratum)[:8] and the sorted stratum
    names with the seed, then takes one row a stratum in turn.
    """
    if limit <= 0:
        return list(rows)
    if scheme == "head":
        return list(rows[:limit])
    if scheme == "uniform":
        return [rows[i] for i in permutation(len(rows), seed)[:limit]]
    strata: dict[str, list[T]] = {}
    for row in rows:
        strata.setdefault(stratum(row), []).append(row)
    names = sorted(strata)
    queues = []
    for i in permutation(len(names), seed):
        members = strata[names[i]]
        order = permutation(len(members), seed ^ _digest_word(names[i]))
        queues.append([members[j] for j in order])
    picked: list[T] = []
    depth = 0
    while len(picked) < limit and any(depth < len(queue) for queue in queues):
        picked.extend(queue[depth] for queue in queues if depth < len(queue))
        depth += 1
    return picked[:limit]


def sample_units(
    rows: Sequence[T],
    limit: int,
    scheme: Scheme,
    seed: int,
    stratum: Callable[[T], str],
    unit: Callable[[T], str],
) -> list[T]:
    """At most `limit` rows (0 = all, in file order), of each unit all its rows or none.

    Units are drawn as `sample` draws rows, the stratum of a unit being that of its first row, as
    long as the next one fits. One unit is always taken, so that a small limit is no empty run.
    Where each row is its own unit, this is `sample`.
    """
    if limit <= 0:
        return list(rows)
    units: dict[str, list[T]] = {}
    for row in rows:
        units.setdefault(unit(row), []).append(row)
    drawn = sample(
        list(units.values()), len(units), scheme, seed, lambda members: stratum(members[0])
    )
    picked: list[T] = []
    for members in drawn:
        if picked and len(picked) + len(members) > limit:
            break
        picked.extend(members)
    return picked


def hour_seed(moment: datetime) -> int:
    """The seed that a UTC hour stands for: SHA-256 of its ISO text, first 8 bytes."""
    hour = moment.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    return _digest_word(hour.isoformat())


def _digest_word(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
