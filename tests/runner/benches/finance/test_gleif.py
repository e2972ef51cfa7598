"""GLEIF: the identifier of exactly one name, or none."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from runner.benches.fetching import SourceError
from runner.benches.finance.sources.gleif import Gleif, LeiRecord, read_records, same_name
from runner.settings import Settings
from tests.runner.wire import FakeTime, answer, wire

LEI = "999300ACMEWIDGETS073"
OTHER = "999300ACMEWIDGETS170"


def record(lei: Any = LEI, name: Any = "Acme Widgets, Inc.", **parts: Any) -> Any:
    """A record as the API gives it; `status`, `kept` and `category` may be set."""
    return {
        "type": "lei-records",
        "id": lei,
        "attributes": {
            "lei": lei,
            "entity": {
                "legalName": {"name": name, "language": "en"},
                "status": parts.get("status", "ACTIVE"),
                "category": parts.get("category", "GENERAL"),
            },
            "registration": {"status": parts.get("kept", "ISSUED")},
        },
    }


def leis(*records: Any, name: str = "ACME WIDGETS INC") -> list[str]:
    return [found.lei for found in read_records({"data": list(records)}, name)]


@pytest.mark.parametrize(
    ("name", "is_same"),
    [
        ("Acme Widgets, Inc.", True),
        ("ACME WIDGETS INC", True),
        ("acme  widgets inc.", True),
        ("Acme Widgets Incorporated", False),
        ("Acme Widgets Holdings Inc", False),
        ("Acme Widgets", False),
        ("Acme-Widgets Inc", False),
        ("Acme Widgets (UK) Inc", False),
    ],
)
def test_names_must_be_the_same_but_for_case_and_points(name: str, is_same: bool) -> None:
    assert (same_name(name) == same_name("Acme Widgets Inc.")) == is_same
    assert leis(record(name=name)) == [LEI] * is_same


@pytest.mark.parametrize(
    "raw",
    [
        record(status="INACTIVE"),
        record(kept="LAPSED"),
        record(kept="RETIRED"),
        record(kept=None),
        record(category="BRANCH"),
        record(category="FUND"),
        record(lei="999300ACMEWIDGETS074"),
        record(lei="ACME"),
        record(lei=None),
        record(lei=["x"]),
        record(name=None),
        record(name=5),
        record(name=""),
        record(name="Acme Widgets Inc" + " " * 300),
        None,
        [],
        "x",
        {},
        {"attributes": None},
        {"attributes": {"lei": LEI, "entity": "x", "registration": []}},
    ],
)
def test_a_record_that_does_not_count_is_left_out(raw: Any) -> None:
    assert leis(raw, record(OTHER)) == [OTHER]


def test_the_same_record_twice_is_one_and_two_companies_are_two() -> None:
    assert leis(record(), record()) == [LEI]
    assert leis(record(), record(OTHER)) == [LEI, OTHER]


@pytest.mark.parametrize(
    "raw", [None, [], {}, "x", 5, {"data": None}, {"data": {}}, {"errors": []}]
)
def test_a_document_of_another_shape_is_malformed(raw: Any) -> None:
    with pytest.raises(SourceError) as caught:
        read_records(raw, "Acme")
    assert caught.value.kind == "malformed"


def test_the_register_is_asked_by_legal_name() -> None:
    async def run() -> tuple[list[LeiRecord], str]:
        async with wire(answer(json.dumps({"data": [record()]}).encode())) as script:
            source = Gleif(Settings(env={}, gateway=script.url, sleep=FakeTime().sleep))
            found = await source.records("Acme Widgets Inc")
            await source.aclose()
            return found, script.heads[0]

    found, head = asyncio.run(run())
    assert found == [LeiRecord(LEI, "Acme Widgets, Inc.")]
    parts = urlsplit(head.split(" ")[1])
    assert parts.path == "/api.gleif.org/api/v1/lei-records"
    assert parse_qs(parts.query) == {
        "filter[entity.legalName]": ["Acme Widgets Inc"],
        "page[size]": ["5"],
    }
    assert "Accept: application/vnd.api+json" in head
