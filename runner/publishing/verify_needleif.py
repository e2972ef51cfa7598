"""Whether the figures of a published model can be true: counts that add up, shares that are theirs.

What the answers give is for `rescore`, which needs the archive; this needs the row alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum, isclose

from runner.records.needleif import NeedleCell, NeedleFigure, NeedleifRow

_OF_PAIRS = ("size", "depth", "complexity", "instructions", "size_depth")  # each pair in one group


def odd_model(row: NeedleifRow) -> str | None:
    """The first thing that is impossible about a row, None where nothing is."""
    return next(_oddities(row), None)


def _oddities(row: NeedleifRow) -> Iterator[str]:
    if row.answered + row.missing != row.records or 2 * row.pairs > row.answered:
        yield "its counts of records do not add up"
    if row.loose.n != row.pairs or row.strict.n != row.pairs:
        yield "its cells are not over its pairs"
    if row.pairs + row.pairs_left_out != row.dataset.pairs:
        yield "its pairs are not those of its data set"
    groups = row.by or {}
    cells = [row.strict, row.loose, *(cell for own in groups.values() for cell in own.values())]
    if not all(map(_adds_up, cells)):
        yield "the counts of a cell are not its pairs or not its figures"
    for name in _OF_PAIRS:
        if name in groups and sum(cell.n for cell in groups[name].values()) != row.pairs:
            yield f"its cells by {name} are not over its pairs"
    yield from _odd_values(row)


def _odd_values(row: NeedleifRow) -> Iterator[str]:
    """The same for the pass values of the pairs."""
    if row.bare is None or row.haystack is None:
        if row.bare is not row.haystack:
            yield "the pass values of one side alone"
        return
    if any(value is not None and not 0 <= value <= 1 for value in (*row.bare, *row.haystack)):
        yield "a pass value outside 0 to 1"
    if not len(row.bare) == len(row.haystack) == row.dataset.pairs:
        yield "the pass values are not those of its data set's pairs"
        return
    whole = [
        (b, h)
        for b, h in zip(row.bare, row.haystack, strict=True)
        if b is not None and h is not None
    ]
    cell = row.loose
    is_same = (
        len(whole) == row.pairs
        and _is_near(fsum(b for b, _ in whole), cell.n11 + cell.n10)
        and _is_near(fsum(h for _, h in whole), cell.n11 + cell.n01)
    )
    if not is_same:
        yield "the pass values of the pairs do not give its counts"


def _adds_up(cell: NeedleCell) -> bool:
    counts = (cell.n11, cell.n10, cell.n01, cell.n00)
    if min(counts) < -1e-9 or not _is_near(fsum(counts), cell.n):
        return False
    passes = cell.n11 + cell.n10
    return (
        _is(cell.baseline, passes, cell.n)
        and _is(cell.long_context, cell.n11 + cell.n01, cell.n)
        and _is(cell.distraction_regression, cell.n10, passes)
        and _is(cell.net_penalty, cell.n10 - cell.n01, cell.n)
    )


def _is(figure: NeedleFigure, part: float, whole: float) -> bool:
    """Whether a figure is part / whole, its interval no empty one; null where there is no whole."""
    if figure.value is None:
        return _is_near(whole, 0)
    if whole <= 0 or not _is_near(figure.value, part / whole):
        return False
    low, high = figure.low, figure.high
    return low is None or high is None or low <= high


def _is_near(one: float, other: float) -> bool:
    return isclose(one, other, abs_tol=1e-6)
