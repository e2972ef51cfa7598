"""Changes for the feed: who came and went, and orders that were turned with proof."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from random import Random

import pytest

from runner.records.published import HistoryRow
from sitebuilder.changes import RosterChange, order_changes, roster_changes
from tests.site.made_data import history_row

START = date(2026, 6, 1)  # a Monday


def _rows(engine: str, days: Iterable[int], scores: Sequence[float] = (0.5,)) -> list[HistoryRow]:
    return [
        history_row(
            ts=f"{START + timedelta(days=day)}T10:17Z",
            engine=engine,
            ndcg=scores[number % len(scores)],
        )
        for number, day in enumerate(days)
    ]


def _day(number: int) -> date:
    return START + timedelta(days=number)


CASES: list[tuple[str, Iterable[int], list[tuple[int, str]]]] = [
    ("there from the start", range(40), []),
    ("first seen within the first week", range(6, 40), []),
    ("joined", range(7, 40), [(7, "joined")]),
    ("absent for six days", [*range(10), *range(16, 40)], []),
    ("absent for seven days", [*range(10), *range(17, 40)], [(16, "left"), (17, "returned")]),
    ("gone", range(20), [(26, "left")]),
    ("not yet gone", range(34), []),
]


@pytest.mark.parametrize(("name", "days", "wanted"), CASES, ids=[case[0] for case in CASES])
def test_engines_join_leave_and_return(
    name: str, days: Iterable[int], wanted: list[tuple[int, str]]
) -> None:
    found = roster_changes([*_rows("always", range(40)), *_rows("x", days)])
    assert [(change.day, change.kind) for change in found] == [
        (_day(number), kind) for number, kind in wanted
    ]
    assert {change.engine for change in found} <= {"x"}


def test_a_stopped_pipeline_drives_nobody_out() -> None:
    days = [*range(10), *range(30, 40)]
    assert roster_changes([*_rows("a", days), *_rows("b", days)]) == []


def test_a_change_stays_as_more_days_come_in() -> None:
    rows = [*_rows("always", range(40)), *_rows("x", range(10, 20))]
    early = roster_changes([row for row in rows if row.ts < f"{_day(30)}"])
    assert early == roster_changes(rows)
    assert early[0] == RosterChange(_day(10), "x", "joined")


def _noisy(engine: str, means: Sequence[float], noise: float = 0.02) -> list[HistoryRow]:
    rng = Random(engine)
    scores = [min(1.0, max(0.0, mean + noise * rng.uniform(-1, 1))) for mean in means]
    return _rows(engine, range(len(means)), scores)


def test_a_proven_turn_is_told_once_on_the_monday_that_proves_it() -> None:
    rows = [*_noisy("a", [0.7] * 42 + [0.3] * 42), *_noisy("b", [0.5] * 84)]
    (change,) = order_changes(rows)
    (turn,) = change.turns
    assert (turn.above, turn.below, turn.days, change.bench) == ("b", "a", 28, "news")
    assert change.day.weekday() == 0
    assert _day(56) < change.day <= _day(70)
    assert 0 < turn.delta < 0.2


def test_equal_engines_never_turn() -> None:
    rows = [*_noisy("a", [0.5] * 200), *_noisy("b", [0.5] * 200), *_noisy("c", [0.5] * 200)]
    assert order_changes(rows) == []


@pytest.mark.parametrize("days", [0, 1, 9])
def test_too_few_days_prove_nothing(days: int) -> None:
    assert order_changes([*_noisy("a", [0.9] * days), *_noisy("b", [0.1] * days)]) == []


def test_one_engine_alone_has_no_order() -> None:
    assert order_changes(_noisy("a", [0.9] * 60)) == []
