"""Sums of overlap and uniqueness rows over all runs and over the last 7 days; readers divide.

Sums of closed weeks are kept, so they must not depend on how the rows were split: `jaccard_sum` is
added as whole ten-thousandths, which is what a row holds of it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeVar

import msgspec

from runner.records.published import (
    EngineTotals,
    Independence,
    IndependenceWindow,
    OverlapRow,
    PairTotals,
    UniquenessRow,
)
from runner.scoring.intervals import window_start

T = TypeVar("T", PairTotals, EngineTotals)


def compute_independence(
    overlap: Sequence[OverlapRow],
    uniqueness: Sequence[UniquenessRow],
    families: Mapping[str, str],
    *,
    generated_at: str,
    window_end: str = "",
    closed: IndependenceWindow | None = None,
) -> Independence:
    """`independence.json` of these rows; the short window ends at `window_end` or the newest row.

    `closed` holds the sums of runs of before that window, of which no row is given. Same rows in
    another order give the same document: pairs and engines are sorted by name, each pair with the
    smaller name first.
    """
    rows: list[OverlapRow | UniquenessRow] = [*overlap, *uniqueness]
    newest = window_end or max((row.ts for row in rows), default=closed.to if closed else "")
    every = sum_rows(overlap, uniqueness)
    if closed is not None:
        every = combine(closed, every)
    windows: dict[Literal["all", "7d"], IndependenceWindow] = {"all": every}
    if newest:
        start = window_start(newest)
        windows["7d"] = sum_rows(
            [row for row in overlap if start < row.ts <= newest],
            [row for row in uniqueness if start < row.ts <= newest],
        )
    return Independence(
        generated_at=generated_at, families=dict(sorted(families.items())), windows=windows
    )


NOTHING = IndependenceWindow(from_="", to="", runs=0, pairs=[], engines=[])


def combine(
    left: IndependenceWindow, right: IndependenceWindow, *, sign: Literal[1, -1] = 1
) -> IndependenceWindow:
    """The sums of both, which have no run in common; with sign -1 `right` is taken out of `left`.

    Taking out leaves `from` and `to` as they are, and drops pairs and engines of which nothing is
    left.
    """
    pairs = {(pair.a, pair.b): pair for pair in left.pairs}
    for pair in right.pairs:
        pairs[pair.a, pair.b] = _added(pairs.get((pair.a, pair.b)), pair, sign)
    engines = {engine.engine: engine for engine in left.engines}
    for engine in right.engines:
        engines[engine.engine] = _added(engines.get(engine.engine), engine, sign)
    stamps = [left.from_, left.to]
    if sign > 0 or not left.runs:
        stamps += [right.from_, right.to]
    stamps = [ts for ts in stamps if ts]
    return IndependenceWindow(
        from_=min(stamps, default=""),
        to=max(stamps, default=""),
        runs=left.runs + sign * right.runs,
        pairs=[pair for _, pair in sorted(pairs.items()) if sign > 0 or _holds_any(pair)],
        engines=[each for _, each in sorted(engines.items()) if sign > 0 or _holds_any(each)],
    )


def _added(old: T | None, new: T, sign: int) -> T:
    """Field by field; the names are those of `new`."""
    values: dict[str, Any] = {}
    for name, value in msgspec.structs.asdict(new).items():
        before = getattr(old, name) if old is not None else 0
        if isinstance(value, str):
            values[name] = value
        elif isinstance(value, float):
            values[name] = (round(before * 10_000) + sign * round(value * 10_000)) / 10_000
        else:
            values[name] = before + sign * value
    return msgspec.structs.replace(new, **values)


def _holds_any(totals: msgspec.Struct) -> bool:
    return any(value for value in msgspec.structs.astuple(totals) if not isinstance(value, str))


def sum_rows(
    overlap: Sequence[OverlapRow], uniqueness: Sequence[UniquenessRow]
) -> IndependenceWindow:
    """The sums of these rows; a run is counted once, whichever of the two tables it is in."""
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
    sums: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in rows:
        a, b = sorted((row.a, row.b))
        total = sums[a, b]
        total["jaccard"] += round(row.jaccard_sum * 10_000)
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
            jaccard_sum=total["jaccard"] / 10_000,
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
