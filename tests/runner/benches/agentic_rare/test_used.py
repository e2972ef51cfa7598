"""Queries rest for 30 days after they were asked."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import msgspec
import pytest

from runner.benches.agentic_rare.rows import RareRow, decode_rare, rare_row
from runner.benches.agentic_rare.used import UsedQuery, decode_used, remembered, rested
from runner.text import query_hash

NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)
TODAY = NOW.date()


def row(text: str) -> RareRow:
    return decode_rare({"query_text": text})


def used(text: str, days_ago: int) -> UsedQuery:
    return UsedQuery(query_hash=query_hash(text), day=TODAY - timedelta(days=days_ago))


ROWS = [row("a a"), row("b b"), row("c c"), row("d d")]


@pytest.mark.parametrize(
    ("memory", "least", "texts"),
    [
        ([], 0, "abcd"),
        ([used("b b", 1)], 0, "acd"),
        ([used("B  b", 29)], 0, "acd"),
        ([used("b b", 30)], 0, "abcd"),
        ([used("b b", 400), used("z z", 1)], 0, "abcd"),
        ([used("b b", 29), used("b b", 1), used("b b", 12)], 0, "acd"),
        ([used("a a", 1), used("b b", 3), used("c c", 2)], 0, "d"),
        ([used("a a", 1), used("b b", 3), used("c c", 2)], 2, "bd"),
        ([used("a a", 1), used("b b", 3), used("c c", 2)], 3, "bcd"),
        ([used("a a", 1), used("b b", 3), used("c c", 2)], 9, "abcd"),
        ([used("b b", 20), used("b b", 1), used("c c", 2), used("a a", 3)], 2, "ad"),
    ],
)
def test_those_that_were_asked_longest_ago_fill_up(
    memory: list[UsedQuery], least: int, texts: str
) -> None:
    found = rested(ROWS, memory, NOW, least=least)
    assert "".join(row.query_text[0] for row in found) == texts


def test_what_is_remembered_is_the_last_day_of_30() -> None:
    memory = [used("a a", 30), used("b b", 29), used("b b", 5), used("c c", 7)]
    asked = [rare_row(row("c c"), now=NOW), rare_row(row("d d"), now=NOW)]
    kept = remembered(memory, asked, NOW)
    assert {query.query_hash: (TODAY - query.day).days for query in kept} == {
        query_hash("b b"): 5,
        query_hash("c c"): 0,
        query_hash("d d"): 0,
    }
    assert [query.query_hash for query in kept] == sorted(query.query_hash for query in kept)


def test_a_remembered_query_is_one_line() -> None:
    query = used("a a", 0)
    line = msgspec.json.encode(query)
    assert line == b'{"query_hash":"%s","day":"2026-11-30"}' % query.query_hash.encode()
    assert decode_used(line) == query
    assert query.day == date(2026, 11, 30)
