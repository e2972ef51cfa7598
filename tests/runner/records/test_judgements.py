from __future__ import annotations

import msgspec
import pytest

from runner.records.base import encode_line
from runner.records.judgements import GOOD_LABELS, LABELS, JudgementRecord, Spend
from runner.records.search import SearchError, SearchRecord, SearchResult


def test_labels_follow_ratings_and_only_3_and_4_are_good() -> None:
    assert [LABELS[rating] for rating in range(5)] == ["FailsM", "FailsM", "SM", "HM", "FullyM"]
    assert {rating for rating, label in LABELS.items() if label in GOOD_LABELS} == {3, 4}


def test_a_judgement_without_a_rating_says_so_in_its_line() -> None:
    record = JudgementRecord(
        query_id="q",
        document_key="d",
        rating=None,
        model_rating=None,
        label=None,
        reasoning=None,
        gates=None,
        error=None,
        spend=Spend(calls=2),
        finished_at="t",
    )
    raw = encode_line(record)
    assert b'"rating":null' in raw
    assert b'"spend":{"calls":2}' in raw
    assert msgspec.json.decode(raw, type=JudgementRecord) == record


def test_a_search_record_comes_back_as_it_was_written() -> None:
    record = SearchRecord(
        query_id="q",
        engine="alpha",
        results=[SearchResult(url="https://a.example")],
        error=None,
        latency_ms=12.5,
        reconnected=False,
        attempts=1,
        finished_at="t",
    )
    assert msgspec.json.decode(encode_line(record), type=SearchRecord) == record


def test_a_failure_counts_against_the_service_unless_said_otherwise() -> None:
    assert SearchError(error_type="transport", error_message="").error_class == "service"


def test_records_refuse_fields_that_they_do_not_know() -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.json.decode(b'{"url":"https://a.example","rank":1}', type=SearchResult)


def test_records_cannot_be_changed() -> None:
    result = SearchResult(url="https://a.example")
    with pytest.raises(AttributeError):
        result.url = "https://b.example"  # type: ignore[misc]
