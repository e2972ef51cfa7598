"""Queries that were asked not long ago: the artifact is static between refreshes, so they recur."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta

import msgspec

from runner.benches.agentic_rare.rows import RareRow
from runner.records.base import Row
from runner.records.queries import QueryRow
from runner.text import query_hash

REST_DAYS = 30


class UsedQuery(Row, frozen=True, kw_only=True):
    """A query's hash and the day on which it was asked last."""

    query_hash: str
    day: date


decode_used = msgspec.json.Decoder(UsedQuery).decode


def rested(
    rows: Sequence[RareRow], used: Iterable[UsedQuery], now: datetime, *, least: int = 0
) -> list[RareRow]:
    """The rows that were not asked in the last 30 days.

    Where these are fewer than `least`, those asked longest ago fill up; the order of rows stays.
    """
    days = {query.query_hash: query.day for query in _recent(used, now)}
    asked = [(days.get(query_hash(row.query_text)), number) for number, row in enumerate(rows)]
    chosen = {number for day, number in asked if day is None}
    longest_ago = sorted((day, number) for day, number in asked if day is not None)
    chosen.update(number for _, number in longest_ago[: max(0, least - len(chosen))])
    return [row for number, row in enumerate(rows) if number in chosen]


def remembered(
    used: Iterable[UsedQuery], asked: Iterable[QueryRow], now: datetime
) -> list[UsedQuery]:
    """What is to be kept: today's queries and those of the last 30 days, each once, by its hash."""
    days = {query.query_hash: query.day for query in _recent(used, now)}
    days.update((row.query_hash, now.date()) for row in asked)
    return [UsedQuery(query_hash=name, day=days[name]) for name in sorted(days)]


def _recent(used: Iterable[UsedQuery], now: datetime) -> list[UsedQuery]:
    """Those of the last 30 days, in order of days, so that of one query the latest day counts."""
    first = now.date() - timedelta(days=REST_DAYS)
    return sorted((query for query in used if query.day > first), key=lambda query: query.day)
