"""Gold between runs: what a half-dead source may replace, and what it may not."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest

from runner.benches.bench import Harvest
from runner.benches.gold import with_kept_gold
from runner.benches.loading import text_query
from runner.errors import TooLittleError
from runner.records.queries import QueryOrigin, QueryRow

NOW = datetime(2026, 11, 15, 10, tzinfo=UTC)


def _row(text: str, bucket: str) -> QueryRow:
    return msgspec.structs.replace(text_query(text, NOW), query_origin=QueryOrigin(bucket=bucket))


def _suite(row: QueryRow) -> str:
    return row.query_origin.bucket


BEFORE = [_row("old a", "a"), _row("old b", "b"), _row("old b two", "b")]


def test_a_short_suite_keeps_the_rows_of_before_marked_as_stale() -> None:
    harvest = Harvest([_row("new a", "a")], short={"b": "only 1 rows"})
    merged = with_kept_gold(harvest, BEFORE, _suite)
    assert [row.query_text for row in merged.rows] == ["new a", "old b", "old b two"]
    assert [row.query_origin.provenance.get("stale") for row in merged.rows] == [None, True, True]
    assert merged.counts == {"kept_from_before_b": 2}
    assert merged.reasons == {"short_b": "only 1 rows"}


@pytest.mark.parametrize(
    ("fresh", "short", "before", "named"),
    [
        ([_row("new a", "a")], {"b": "down"}, BEFORE[:1], "b: down"),
        ([], {"a": "down", "b": "down"}, BEFORE, "a: down; b: down"),
        ([], {"a": "down"}, [], "a: down"),
    ],
    ids=["no rows of before", "nothing fresh", "nothing at all"],
)
def test_too_little_ends_with_exit_code_3_and_leaves_the_gold(
    fresh: list[QueryRow], short: dict[str, str], before: list[QueryRow], named: str
) -> None:
    with pytest.raises(TooLittleError, match="is kept") as raised:
        with_kept_gold(Harvest(fresh, short=short), before, _suite)
    assert named in str(raised.value)
    assert raised.value.exit_code == 3
