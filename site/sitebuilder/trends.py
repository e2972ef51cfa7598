"""Scores over time: rolling means of 7 days, as shares of the ceiling's rolling mean.

News runs are first pooled into buckets of 6 hours, weighted by their scored queries; the runs of
other benches stand for themselves. The mean over 7 days is unweighted and includes both ends.
Known-item benches have the mean reciprocal rank over time too, which is no share of anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import partial
from math import fsum

from msgspec.structs import replace

from runner.records.published import BENCH_LABELS, BENCHES, HistoryRow
from runner.scoring.aggregates import share_of_ultimate, weighted_mean
from runner.text import minute_ts, parse_time
from sitebuilder.dataset import Dataset
from sitebuilder.gate import headline, is_spoilt
from sitebuilder.results import ULTIMATE, Trend, TrendSeries

TREND_DAYS = 60
ROLLING = timedelta(days=7)
NEWS_BUCKET_HOURS = 6

Scored = tuple[float | None, int]  # a value and its scored queries

# One value with its weight, by stamp and engine.
Values = dict[str, dict[str, tuple[float, int]]]


def build_trends(data: Dataset) -> list[Trend]:
    """The last days of each bench, of its reciprocal ranks and of each of its slices.

    Nothing without two stamps.
    """
    if data.window_end is None:
        return []
    end = parse_time(data.window_end)
    first = minute_ts(end - timedelta(days=TREND_DAYS))
    earliest = minute_ts(end - timedelta(days=TREND_DAYS) - ROLLING)
    rows: dict[str, list[HistoryRow]] = {}
    for row in data.history:
        if row.ts >= earliest and not is_spoilt(row):
            rows.setdefault(row.bench, []).append(row)
    trends: list[Trend] = []
    for bench in BENCHES:
        own = rows.get(bench, [])
        names = sorted({name for row in own for name in row.slices})
        base = Trend(bench=bench, label=BENCH_LABELS[bench], slice=None, stamps=[], series=[])
        parts = [(base, _headline), (replace(base, measure="mrr"), _reciprocal)]
        parts += [(replace(base, slice=name), partial(_slice, name)) for name in names]
        trends += filter(None, (_trend(part, own, figure, first) for part, figure in parts))
    return trends


def _headline(row: HistoryRow) -> Scored:
    return headline(row), row.num_scored


def _reciprocal(row: HistoryRow) -> Scored:
    return row.mrr, row.num_scored


def _slice(name: str, row: HistoryRow) -> Scored:
    part = row.slices.get(name)
    return (part.recall, part.n or 0) if part else (None, 0)


def _trend(
    base: Trend, rows: Sequence[HistoryRow], figure: Callable[[HistoryRow], Scored], first: str
) -> Trend | None:
    """`base` with its stamps and series; None without two stamps or without a value."""
    found = _values(rows, figure)
    values = _bucketed(found) if base.bench == "news" else _by_stamp(found)
    engines = sorted({engine for at in values.values() for engine in at} - {ULTIMATE})
    stamps = _last_of_days([stamp for stamp in values if stamp >= first])
    ceiling: Sequence[float | None] = [1.0] * len(stamps)
    if base.measure == "share":
        ceiling = _rolling(values, ULTIMATE, stamps)
    series = []
    for engine in engines:
        present = {stamp[:10] for stamp, at in values.items() if engine in at}
        shares = [
            share_of_ultimate(mean, top) if stamp[:10] in present else None
            for stamp, mean, top in zip(
                stamps, _rolling(values, engine, stamps), ceiling, strict=True
            )
        ]
        if any(share is not None for share in shares):
            rounded = [None if share is None else round(share, 4) for share in shares]
            series.append(TrendSeries(engine=engine, values=rounded))
    if len(stamps) < 2 or not series:
        return None
    return replace(base, stamps=stamps, series=series)


def _values(
    rows: Sequence[HistoryRow], figure: Callable[[HistoryRow], Scored]
) -> Iterator[tuple[str, str, float, int]]:
    """Stamp, engine, value and scored queries of each row that has them."""
    for row in rows:
        value, weight = figure(row)
        if value is not None and weight:
            yield row.ts, row.engine, value, weight


def _by_stamp(values: Iterator[tuple[str, str, float, int]]) -> Values:
    found: Values = {}
    for stamp, engine, value, weight in values:
        found.setdefault(stamp, {})[engine] = (value, weight)
    return dict(sorted(found.items()))


def _bucketed(values: Iterator[tuple[str, str, float, int]]) -> Values:
    """Means of 6 hours, by the start of the bucket."""
    groups: dict[tuple[str, str], list[tuple[float, int]]] = {}
    for stamp, engine, value, weight in values:
        hour = int(stamp[11:13]) // NEWS_BUCKET_HOURS * NEWS_BUCKET_HOURS
        groups.setdefault((f"{stamp[:11]}{hour:02}:00Z", engine), []).append((value, weight))
    found: Values = {}
    for (stamp, engine), pairs in sorted(groups.items()):
        mean = weighted_mean(pairs)
        if mean is not None:
            found.setdefault(stamp, {})[engine] = (mean, sum(weight for _, weight in pairs))
    return found


def _last_of_days(stamps: Sequence[str]) -> list[str]:
    return sorted({stamp[:10]: stamp for stamp in sorted(stamps)}.values())


def _rolling(
    values: Mapping[str, Mapping[str, tuple[float, int]]], engine: str, stamps: Sequence[str]
) -> list[float | None]:
    """The plain mean of the engine's values in the 7 days up to each stamp, both ends included."""
    own = [(stamp, at[engine][0]) for stamp, at in values.items() if engine in at]
    means: list[float | None] = []
    for stamp in stamps:
        start = minute_ts(parse_time(stamp) - ROLLING)
        inside = [value for ts, value in own if start <= ts <= stamp]
        means.append(fsum(inside) / len(inside) if inside else None)
    return means
