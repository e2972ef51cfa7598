"""Rows and their gold: the form of the specification, and what is refused."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from runner.benches.legal.rows import (
    MAX_PARTY_TOKENS,
    SUITES,
    LegalGold,
    LegalIds,
    decode_gold,
    legal_row,
)
from runner.records.queries import decode_query

# As the specification prints it, and the field that all rows have besides.
EXAMPLE: dict[str, Any] = {
    "query_id": "8f723e6837a7c0b9_2026-11-03T09",
    "query_hash": "8f723e6837a7c0b9",
    "query_text": "riverbend mills v harbor county ninth circuit",
    "query_source": "legal",
    "query_origin": {
        "bucket": "caselaw",
        "syntax": "plain",
        "provenance": {
            "case_name": "Riverbend Mills, LLC v. Harbor County",
            "url": "https://www.courtlistener.com/opinion/19999999/riverbend-mills/",
            "date_filed": "2026-08-14",
        },
    },
    "gold": {
        "case_key": "19999999",
        "ids": {"cluster": "19999999", "docket": "25-1904", "cites": ["197 F.4th 310"]},
        "party_tokens": ["riverbend", "mills", "harbor"],
        "court": "ca9",
        "date_filed": "2026-08-14",
        "case_name": "Riverbend Mills, LLC v. Harbor County",
    },
    "hour_ts": "2026-11-03T09:00:00+00:00",
    "query_produced_at": "2026-11-03T09:00:00+00:00",
}


def test_a_built_row_is_the_example_of_the_specification() -> None:
    gold = EXAMPLE["gold"]
    provenance = EXAMPLE["query_origin"]["provenance"]
    row = legal_row(
        "riverbend mills v harbor county ninth circuit",
        gold=decode_gold(gold),
        syntax="plain",
        provenance=provenance,
        now=datetime(2026, 11, 3, 9, 41, tzinfo=UTC),
    )
    assert msgspec.to_builtins(row) == EXAMPLE
    assert decode_query(msgspec.json.encode(row)) == row


def test_gold_as_a_string_is_the_same_gold() -> None:
    written = dict(EXAMPLE)
    for name in ("gold", "query_origin"):
        written[name] = msgspec.json.encode(EXAMPLE[name]).decode()
    row = decode_query(msgspec.json.encode(written))
    assert decode_gold(row.gold) == decode_gold(EXAMPLE["gold"])


def test_the_row_of_a_section_has_the_suite_of_its_gold() -> None:
    gold = LegalGold(
        ids=LegalIds(cfr="17:240.15c3-1"), citation="17 CFR 240.15c3-1", heading="Net capital"
    )
    row = legal_row(
        "net capital",
        gold=gold,
        syntax="site",
        provenance={},
        now=datetime(2026, 11, 3, tzinfo=UTC),
    )
    assert row.query_origin.bucket == "code"
    assert row.gold == {
        "ids": {"cfr": "17:240.15c3-1"},
        "citation": "17 CFR 240.15c3-1",
        "heading": "Net capital",
    }
    assert {gold.suite, decode_gold(EXAMPLE["gold"]).suite} == set(SUITES)


REFUSED: list[tuple[dict[str, Any] | None, str]] = [
    (None, "`gold` is missing"),
    ({}, "missing required field `ids`"),
    ({"ids": {}}, "one of `ids.cluster` and `ids.cfr`"),
    ({"ids": {"docket": "25-904"}}, "one of `ids.cluster` and `ids.cfr`"),
    ({"ids": {"cluster": "7", "cfr": "17:240.1"}}, "one of `ids.cluster` and `ids.cfr`"),
    ({"ids": {"cluster": ""}}, "'', not a number"),
    ({"ids": {"cluster": "19a"}}, "'19a', not a number"),
    ({"ids": {"cluster": "１９"}}, "not a number"),
    ({"ids": {"cluster": 19}}, "Expected `str"),
    ({"ids": {"cluster": "7", "cites": "97 F.4th 310"}}, "Expected `array`"),
    ({"ids": {"cluster": "7", "pmid": "1"}}, "unknown field `pmid`"),
    ({"ids": {"cluster": "7"}, "value": 1}, "unknown field `value`"),
    ({"ids": {"cluster": "7"}, "party_tokens": ["a", "'-"]}, '"\'-", which is no word'),
    ({"ids": {"cluster": "7"}, "party_tokens": ["a"] * (MAX_PARTY_TOKENS + 1)}, "more than 50"),
    ({"ids": {"cfr": ""}}, "not `title:section`"),
    ({"ids": {"cfr": "240.15c3-1"}}, "not `title:section`"),
    ({"ids": {"cfr": "17 CFR 240.15c3-1"}}, "not `title:section`"),
    ({"ids": {"cfr": "17:240"}}, "not `title:section`"),
    ({"ids": {"cfr": "51:240.1"}}, "not `title:section`"),
    ({"ids": {"cfr": "0:240.1"}}, "not `title:section`"),
    ({"ids": {"cfr": "9" * 5_000 + ":240.1"}}, "not `title:section`"),
    ({"ids": {"cfr": "17:240.15c3-1(b)"}}, "not `title:section`"),
    ({"ids": {"cfr": "17:"}}, "not `title:section`"),
]


@pytest.mark.parametrize(("raw", "message"), REFUSED)
def test_gold_that_cannot_be_used_is_refused_with_the_reason(
    raw: dict[str, Any] | None, message: str
) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        decode_gold(raw)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "ids",
    [
        {"cluster": "7"},
        {"cluster": "7", "docket": None},
        {"cluster": "7", "docket": "not a number"},
        {"cluster": "7", "cites": ["2024 U.S. App. LEXIS 12", "30 Fla. L. Weekly Fed. S 12"]},
        {"cfr": "26:1.401(k)-1"},
        {"cfr": "17:210.1-02"},
        {"cfr": "41:102-3.140"},
    ],
)
def test_gold_with_identifiers_that_the_scorer_cannot_use_is_still_gold(
    ids: dict[str, Any],
) -> None:
    assert decode_gold({"ids": ids}).ids == msgspec.convert(ids, LegalIds)
