"""Sums of overlap and uniqueness rows over all runs and over the last 7 days; readers divide."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import fsum
from typing import Literal

from runner.records.published import (
    EngineTotals,
    Independence,
    IndependenceWindow,
    OverlapRow,
    PairTotals,
    UniquenessRow,
)
from runner.scoring.intervals import in_window


def compute_independence(
    overlap: Sequence[OverlapRow],
    uniqueness: Sequence[UniquenessRow],
    families: Mapping[str, str],
    *,
    generated_at: str,
    window_end: str = "",
) -> Independence:
    """`independence.json` of these rows; the short window ends at `window_end` or the newest row.

    Same rows in another order give the same document: pairs and engines are sorted by name, each
    pair with the smaller name first.
    """
    rows: list[OverlapRow | UniquenessRow] = [*overlap, *uniqueness]
    newest = window_end or max((row.ts for row in rows), default="")
    windows: dict[Literal["all", "7d"], IndependenceWindow] = {"all": _window(overlap, uniqueness)}
    if newest:
        windows["7d"] = _window(
            [row for row in overlap if in_window(row.ts, newest)],
            [row for row in uniqueness if in_window(row.ts, newest)],
        )
    return Independence(
        generated_at=generated_at, families=dict(sorted(families.items())), windows=windows
    )


def _window(
    overlap: Sequence[OverlapRow], uniqueness: Sequence[UniquenessRow]
) -> IndependenceWindow:
    rows: list[OverlapRow | UniquenessRow] = [*overlap, *uniqueness]
    runs = {(row.ts, row.bench or "") for row in rows}
    stamps = sorted(ts for ts, _ in runs)
    return IndependenceWindow(
        from_=stamps[0] if stamps else "",
        to=stamps[-1] if stamps else "",
        runs=len(runs),
        pairs=_pairs(overlap),
        engines=_engines(uniqueness),
    )


def _pairs(rows: Sequence[OverlapRow]) -> list[PairTotals]:
    """Rows from before a counter existed add nothing to it, nor to the queries it is of."""
    jaccard: dict[tuple[str, str], list[float]] = defaultdict(list)
    sums: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in rows:
        a, b = sorted((row.a, row.b))
        jaccard[a, b].append(row.jaccard_sum)
        total = sums[a, b]
        total["queries"] += row.num_queries
        if row.num_shared3 is not None:
            total["shared3"] += row.num_shared3
            total["n3"] += row.num_queries
        if row.low_shared_urls is not None and row.num_suspect is not None:
            total["suspect"] += row.num_suspect
            total["low"] += row.low_shared_urls
            total["n_low"] += row.num_queries
    return [
        PairTotals(
            a=a,
            b=b,
            jaccard_sum=round(fsum(jaccard[a, b]), 4),
            num_shared3=total["shared3"],
            num_suspect=total["suspect"],
            low_shared_urls=total["low"],
            num_queries=total["queries"],
            n3=total["n3"],
            n_low=total["n_low"],
        )
        for (a, b), total in sorted(sums.items())
    ]


def _engines(rows: Sequence[UniquenessRow]) -> list[EngineTotals]:
    members: dict[str, list[UniquenessRow]] = defaultdict(list)
    for row in rows:
        members[row.engine].append(row)
    return [
        EngineTotals(
            engine=engine,
            unique_urls=sum(row.unique_urls for row in found),
            total_urls=sum(row.total_urls for row in found),
            relevant_unique_urls=sum(row.relevant_unique_urls for row in found),
            relevant_total_urls=sum(row.relevant_total_urls for row in found),
        )
        for engine, found in sorted(members.items())
    ]
