"""One small page for each pair of engines of the window, and an index to choose a pair from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sitebuilder.comparisons import between, is_separated
from sitebuilder.folders import pair_folder, pairs
from sitebuilder.render import Page, Part, Site
from sitebuilder.results import (
    Board,
    BoardRow,
    LatencyRow,
    Pair,
    Price,
    Results,
    SliceFigure,
    Standing,
)

Names = tuple[str, str]


@dataclass(frozen=True)
class Line:
    """One bench of a pair; `test` is the difference with the first engine named first."""

    board: Board
    rows: tuple[BoardRow | None, BoardRow | None]
    test: Pair | None
    winner: str | None

    @property
    def slices(self) -> list[tuple[SliceFigure, SliceFigure]]:
        """The slices that both have."""
        a, b = self.rows
        if a is None or b is None:
            return []
        other = {part.name: part for part in b.slices}
        return [(part, other[part.name]) for part in a.slices if part.name in other]


@dataclass(frozen=True)
class _Tables:
    """What every pair page looks up, made once."""

    rows: Mapping[str, Mapping[str, BoardRow]]
    tests: Mapping[str, Mapping[frozenset[str], Pair]]
    overall_tests: Mapping[frozenset[str], Pair]
    standings: Mapping[str, Standing]
    latency: Mapping[str, LatencyRow]
    prices: Mapping[str, Price]
    shared: Mapping[str, Mapping[frozenset[str], Any]]


def part(site: Site) -> Part:
    """`/compare/` and `/compare/<a>-vs-<b>/`."""
    results = site.results
    labels = {entry.engine: entry.label for entry in results.roster}
    tables = _tables(results)
    pages = []
    won: Counter[Names] = Counter()
    for names in pairs(results):
        lines = [_line(tables, board, names) for board in results.benches.values()]
        for line in lines:
            if line.winner:
                won[(line.winner, names[line.winner == names[0]])] += 1
        pages.append(_page(tables, names, labels, lines))
    return Part(pages=[_index(results, won), *pages])


def _tables(results: Results) -> _Tables:
    return _Tables(
        rows={
            bench: {row.engine: row for row in board.engines}
            for bench, board in results.benches.items()
        },
        tests={bench: _by_names(board.pairwise) for bench, board in results.benches.items()},
        overall_tests=_by_names(results.overall_pairwise),
        standings={row.engine: row for row in results.overall},
        latency={row.engine: row for row in results.latency},
        prices={price.engine: price for price in results.prices},
        shared={
            window: {frozenset((pair.a, pair.b)): pair for pair in shares.pairs}
            for window, shares in results.independence.items()
        },
    )


def _by_names(tests: Sequence[Pair]) -> dict[frozenset[str], Pair]:
    return {frozenset((test.a, test.b)): test for test in tests}


def _test(tests: Mapping[frozenset[str], Pair], names: Names) -> Pair | None:
    """The difference with the first engine named first."""
    found = tests.get(frozenset(names))
    return between([found], *names) if found else None


def _line(tables: _Tables, board: Board, names: Names) -> Line:
    a, b = (tables.rows[board.bench].get(name) for name in names)
    test = _test(tables.tests[board.bench], names)
    return Line(board, (a, b), test, _winner(test))


def _winner(test: Pair | None) -> str | None:
    """The better engine where the adjusted test separates the two."""
    if test is None or not is_separated(test):
        return None
    return test.a if test.delta > 0 else test.b


def _page(tables: _Tables, names: Names, labels: Mapping[str, str], lines: Sequence[Line]) -> Page:
    a, b = (labels[name] for name in names)
    key = frozenset(names)
    overall = _test(tables.overall_tests, names)
    return Page(
        folder=pair_folder(*names),
        template="pair.html.j2",
        title=f"{a} and {b} compared: Needle",
        description=f"{a} against {b} on the same queries: paired differences with intervals, "
        "shared pages, latency and price.",
        context={
            "names": names,
            "lines": lines,
            "wins": {
                name: [line.board.label for line in lines if line.winner == name] for name in names
            },
            "open": [line.board.label for line in lines if line.test and not line.winner],
            "untested": [line.board.label for line in lines if not line.test],
            "overall": overall,
            "standings": [tables.standings.get(name) for name in names],
            "latency": [tables.latency.get(name) for name in names],
            "prices": [tables.prices.get(name) for name in names],
            "shared": {window: pairs.get(key) for window, pairs in tables.shared.items()},
        },
    )


def _index(results: Results, won: Mapping[Names, int]) -> Page:
    order = [row.engine for row in results.overall if row.rank]
    current = [entry.engine for entry in results.roster if entry.is_in_window]
    tested = sum(bool(board.pairwise) for board in results.benches.values())
    return Page(
        folder="compare/",
        template="compare.html.j2",
        title="Compare two engines: Needle",
        description="Every pair of engines on the same queries: choose one for paired "
        "differences with intervals, shared pages, latency and price.",
        context={
            "engines": order + [engine for engine in current if engine not in order],
            "won": won,
            "tested": tested,
            "known": {
                (test.a, test.b) for board in results.benches.values() for test in board.pairwise
            },
        },
    )
