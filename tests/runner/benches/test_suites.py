"""Yields of suites: each query once, and a suite that gave too little left out and named."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest

from runner.benches.drops import Drops
from runner.benches.loading import text_query
from runner.benches.suites import listed, sample_harvest, suite_harvest
from runner.errors import UsageError
from runner.paths import SAMPLE
from runner.records.judgements import Spend
from runner.records.queries import QueryOrigin, QueryRow

NOW = datetime(2026, 11, 15, 10, tzinfo=UTC)


def _row(text: str, bucket: str) -> QueryRow:
    return msgspec.structs.replace(text_query(text, NOW), query_origin=QueryOrigin(bucket=bucket))


def _suite(row: QueryRow) -> str:
    return row.query_origin.bucket


def test_rows_are_kept_once_in_order_and_short_suites_are_named() -> None:
    rows = [_row("one", "a"), _row("two", "a"), _row("ONE", "a"), _row("three", "b")]
    drops = Drops()
    for text in ("400 chars", "300 chars", "200 chars"):
        drops.add("thin", text)
    least = {"a": 2, "b": 2, "c": 1}
    harvest = suite_harvest(rows, _suite, least, drops, spend=Spend(calls=2, cost_usd=0.5))
    assert [row.query_text for row in harvest.rows] == ["one", "two"]
    assert harvest.short == {
        "b": "only 1 rows, at least 2 are needed",
        "c": "only 0 rows, at least 1 are needed",
    }
    assert harvest.counts == {"rows_a": 2, "rows_b": 1, "rows_c": 0, "thin": 3}
    assert harvest.reasons == {"thin": "400 chars"}
    assert harvest.summary()[-1] == "  cost 0.5000 USD in 2 calls"


@pytest.mark.parametrize(
    ("text", "found"),
    [("b, a", ("a", "b")), ("b", ("b",)), ("a,a,", ("a",))],
)
def test_a_list_flag_gives_known_names_in_their_order(text: str, found: tuple[str, ...]) -> None:
    assert listed(text, ("a", "b"), "--suites") == found


@pytest.mark.parametrize("text", ["c", "a,c", " , "])
def test_a_list_flag_names_what_is_known(text: str) -> None:
    with pytest.raises(UsageError, match="known are a, b"):
        listed(text, ("a", "b"), "--suites")


def test_a_missing_sample_says_what_to_do() -> None:
    with pytest.raises(UsageError, match="--queries"):
        sample_harvest(SAMPLE / "nowhere" / "gold.jsonl", _suite, ("a",))
