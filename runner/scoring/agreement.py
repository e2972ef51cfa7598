"""How far two judges agree, from the table of their ratings.

A table is square: `table[i][j]` documents got rating i from the first judge and j from the second.
Source: Cohen, Psychological Bulletin 70(4), 1968 (weighted kappa).
"""

from __future__ import annotations

from collections.abc import Sequence

Table = Sequence[Sequence[int]]


def agreement_within(table: Table, distance: int) -> float:
    """The share of documents whose two ratings differ by at most `distance`."""
    close = sum(
        count
        for i, row in enumerate(table)
        for j, count in enumerate(row)
        if abs(i - j) <= distance
    )
    return close / sum(map(sum, table))


def kappa(table: Table, power: int = 0) -> float:
    """Agreement beyond chance: 1 perfect, 0 as by chance.

    A disagreement weighs (|i - j| / widest)^power: 1 is linear, 2 quadratic, 0 plain kappa where
    every disagreement weighs the same. Raises ZeroDivisionError where both judges used one and
    the same rating only, since chance then explains everything.
    """
    size, total = len(table), sum(map(sum, table))
    rows = [sum(row) for row in table]
    columns = [sum(row[j] for row in table) for j in range(size)]
    observed = expected = 0.0
    for i in range(size):
        for j in range(size):
            weight = float(i != j) if power == 0 else (abs(i - j) / (size - 1)) ** power
            observed += weight * table[i][j]
            expected += weight * rows[i] * columns[j] / total
    return 1 - observed / expected


def at_least(table: Table, rating: int) -> list[list[int]]:
    """The 2 x 2 table of "rated at least `rating`": index 0 is below, 1 is at or above."""
    small = [[0, 0], [0, 0]]
    for i, row in enumerate(table):
        for j, count in enumerate(row):
            small[i >= rating][j >= rating] += count
    return small
