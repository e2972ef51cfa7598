"""What changed and when, from the history alone: who came and went, which order was turned.

A change has a date and a key that later data does not alter, so that a feed can name it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING, Literal

from runner.records.published import HistoryRow
from runner.scoring.significance import t_quantile
from sitebuilder.gate import headline
from sitebuilder.results import ULTIMATE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Signs = NDArray[np.int8]

ABSENT_DAYS = 7  # days with runs of others, and none of its own, after which an engine has left
TEST_DAYS = 28
MIN_DAYS = 10  # that both engines of a pair need in the 28
LEVEL = 0.05


@dataclass(frozen=True)
class RosterChange:
    """`day` is the first day of its runs, or the one on which its absence was established."""

    day: date
    engine: str
    kind: Literal["joined", "left", "returned"]


@dataclass(frozen=True)
class Turn:
    """`above` is proven better than `below`, after the opposite had been proven before.

    `delta` is the mean of the daily differences over `days` common days.
    """

    above: str
    below: str
    delta: float
    days: int


@dataclass(frozen=True)
class OrderChange:
    """All turns of one bench at one Monday; the 28 days before it are compared."""

    day: date
    bench: str
    turns: tuple[Turn, ...]


def roster_changes(history: Iterable[HistoryRow]) -> list[RosterChange]:
    """By day and engine; engines of the first week of the data were there from the start."""
    days: dict[str, set[date]] = {}
    for row in history:
        if row.engine != ULTIMATE:
            days.setdefault(row.engine, set()).add(_day(row.ts))
    active = sorted(set().union(*days.values()))
    place = {day: number for number, day in enumerate(active)}
    changes: list[RosterChange] = []
    for engine, own in days.items():
        places = sorted(place[day] for day in own)
        if places[0] >= ABSENT_DAYS:
            changes.append(RosterChange(active[places[0]], engine, "joined"))
        for last, following in zip(places, [*places[1:], None], strict=True):
            gap = (len(active) if following is None else following) - last - 1
            if gap >= ABSENT_DAYS:
                changes.append(RosterChange(active[last + ABSENT_DAYS], engine, "left"))
                if following is not None:
                    changes.append(RosterChange(active[following], engine, "returned"))
    return sorted(changes, key=lambda change: (change.day, change.engine, change.kind))


def order_changes(history: Iterable[HistoryRow]) -> list[OrderChange]:
    """By day and bench.

    Every Monday each pair is tested on the 28 days before: a t test of the differences of daily
    means (weighted by scored queries), at 5 % after Bonferroni over the pairs. Days, not queries
    or runs, are the unit, since an engine's trouble lasts for hours.
    """
    found: list[OrderChange] = []
    for bench, daily in sorted(_daily_means(history).items()):
        found += _turned(bench, daily)
    return sorted(found, key=lambda change: (change.day, change.bench))


def _daily_means(history: Iterable[HistoryRow]) -> dict[str, dict[date, dict[str, float]]]:
    """Mean score by bench, day and engine."""
    sums: dict[str, dict[date, dict[str, list[float]]]] = {}
    for row in history:
        score = headline(row)
        if row.engine == ULTIMATE or score is None:
            continue
        day = sums.setdefault(row.bench, {}).setdefault(_day(row.ts), {})
        total = day.setdefault(row.engine, [0.0, 0.0])
        total[0] += score * row.num_scored
        total[1] += row.num_scored
    return {
        bench: {
            day: {engine: total / n for engine, (total, n) in engines.items()}
            for day, engines in days.items()
        }
        for bench, days in sums.items()
    }


def _turned(bench: str, daily: Mapping[date, Mapping[str, float]]) -> Iterator[OrderChange]:
    import numpy as np

    engines = sorted({engine for means in daily.values() for engine in means})
    if len(engines) < 2:
        return
    known: Signs = np.zeros((len(engines), len(engines)), np.int8)
    first, last = min(daily), max(daily)
    monday = first + timedelta(days=7 - first.weekday())
    while monday <= last:
        back = (monday - timedelta(days=number) for number in range(1, TEST_DAYS + 1))
        rows = [
            [daily[day].get(engine, np.nan) for engine in engines] for day in back if day in daily
        ]
        if len(rows) >= MIN_DAYS:
            mean, days, sign = _tested(np.array(rows))
            turned = np.argwhere((sign > 0) & (known < 0))
            if len(turned):
                turns = (
                    Turn(engines[a], engines[b], float(mean[a, b]), int(days[a, b]))
                    for a, b in turned.tolist()
                )
                yield OrderChange(monday, bench, tuple(turns))
            known = np.where(sign != 0, sign, known)
        monday += timedelta(days=7)


def _tested(scores: Floats) -> tuple[Floats, Floats, Signs]:
    """Mean difference, common days and proven sign of every pair, from days × engines."""
    import numpy as np

    delta = scores[:, :, None] - scores[:, None, :]
    days = np.isfinite(delta).sum(axis=0)
    counted = np.maximum(days, 2)
    mean = np.nansum(delta, axis=0) / counted
    spread = np.nansum((delta - mean) ** 2, axis=0) / (counted - 1)
    error = np.sqrt(spread / counted)
    enough = days >= MIN_DAYS
    pairs = max(1, int(np.triu(enough, 1).sum()))
    limits = np.zeros(len(scores) + 1)
    for number in range(MIN_DAYS, len(limits)):
        limits[number] = _limit(number, pairs)
    proven = enough & (np.abs(mean) > limits[days] * error) & (error > 0)
    return mean, days.astype(np.float64), (np.sign(mean) * proven).astype(np.int8)


@cache
def _limit(days: int, pairs: int) -> float:
    return t_quantile(1 - LEVEL / 2 / pairs, days - 1)


@cache
def _day(ts: str) -> date:
    return date.fromisoformat(ts[:10])
