"""The record of one judgement: what code derives, overrides and counts around a model's reply."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from runner.benches.judging_phase import documents_by_query, judge_date
from runner.judging.relevance import Document, judge_document
from runner.llm.client import Completion, Prompt
from runner.llm.prompts import render
from runner.records.judgements import JudgementRecord, Spend
from runner.records.queries import QueryOrigin, QueryRow
from runner.records.search import SearchRecord, SearchResult

DOCUMENT = Document("k", "https://a.example/1", "The ferry vote", "Ferry vote 7-2.", "2026-11-13")


class _Scripted:
    """A model that gives prepared answers and remembers what it was asked."""

    model = "scripted"
    effort = None

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.prompts: list[Prompt] = []

    async def complete(self, prompt: Prompt) -> Completion:
        self.prompts.append(prompt)
        return Completion(self.answers.pop(0), Spend(calls=1, cost_usd=0.5), "scripted-1")

    async def aclose(self) -> None:
        return None


def _row(query: str = "ferry vote", hour: str = "2026-11-15T10:00:00+00:00") -> QueryRow:
    return QueryRow(
        query_id="q",
        query_hash="h",
        query_text=query,
        query_source="text",
        query_origin=QueryOrigin(bucket="text"),
        hour_ts=hour,
        query_produced_at=hour,
    )


def _judged(model: _Scripted, query: str = "ferry vote") -> JudgementRecord:
    return asyncio.run(
        judge_document(
            model, _row(query), DOCUMENT, profile=None, today="2026-11-15", clock=lambda: "now"
        )
    )


def _reply(**fields: Any) -> str:
    return json.dumps({"reasoning": "r", "rating": 4, "label": "FullyM", **fields})


def test_the_label_follows_the_rating_and_the_contradiction_is_recorded() -> None:
    record = _judged(_Scripted(_reply(label="FailsM")))
    assert (record.rating, record.label, record.label_mismatch) == (4, "FullyM", True)


def test_a_rating_above_a_failed_gate_stands_and_is_recorded_as_a_violation() -> None:
    record = _judged(_Scripted(_reply(document_integrity_check="fail")))
    assert (record.rating, record.gate_violations) == (4, ["document_integrity_check"])


@pytest.mark.parametrize(
    ("query", "gates", "rating"),
    [
        ('"ferry vote"', [], 4),
        ('"ferry strike"', ["quoted_span"], 0),
        ("ferry site:a.example", [], 4),
        ("ferry site:b.example", ["site"], 0),
    ],
)
def test_operators_are_decided_by_code_and_the_models_own_rating_is_kept(
    query: str, gates: list[str], rating: int
) -> None:
    record = _judged(_Scripted(_reply(search_operators_gate="pass")), query)
    assert (record.rating, record.code_gates, record.model_rating) == (rating, gates, 4)
    assert record.label == {4: "FullyM", 0: "FailsM"}[rating]


def test_a_draft_before_the_final_reply_does_not_count() -> None:
    draft = f"<think>\n```json\n{_reply(rating=1, label='FailsM')}\n```\n</think>\n"
    assert _judged(_Scripted(f"{draft}```json\n{_reply()}\n```")).rating == 4


def test_an_unreadable_rating_is_asked_for_once_more_then_left_out() -> None:
    mended = _Scripted(_reply(rating="3/4"), _reply(rating=3, label="HM"))
    assert _judged(mended).rating == 3
    assert [prompt.reminder for prompt in mended.prompts] == [False, True]
    record = _judged(_Scripted("reasoning: a: b\nrating: 3/4", "rating: 3/4 " * 100))
    assert (record.rating, record.label, record.model_rating) == (None, None, None)
    assert record.error is not None
    assert record.error.error_type == "judge_parse_error"
    assert record.spend == Spend(calls=2, cost_usd=1.0)


def _found(*results: SearchResult) -> SearchRecord:
    return SearchRecord(
        query_id="q",
        engine="exa",
        results=list(results),
        error=None,
        latency_ms=1.0,
        reconnected=False,
        attempts=1,
        finished_at="2026-11-15T10:17:00Z",
    )


def test_a_vendors_relative_date_reaches_the_judge_as_an_iso_date() -> None:
    result = SearchResult(
        url="https://a.example/1", title="T", snippet="S", published_date="2 days ago"
    )
    row = _row()
    documents = documents_by_query({("q", "exa"): _found(result)}, [row], ["exa"], 2000)
    (document,) = documents["q"].values()
    model = _Scripted(_reply())
    asyncio.run(
        judge_document(
            model, row, document, profile=None, today=judge_date(row), clock=lambda: "now"
        )
    )
    text = render(model.prompts[0]).user
    assert "2026-11-13" in text
    assert "days ago" not in text
    assert "Today is 2026-11-15 (UTC)." in text
    assert "exa" not in text.replace("a.example", "")


def test_results_that_differ_behind_the_cap_are_judged_once() -> None:
    one, two = (
        SearchResult(url=url, title="T", snippet="s" * 2000 + end, published_date=None)
        for url, end in (("https://a.example/1", "x"), ("http://www.a.example/1/?utm_source=z", ""))
    )
    searches = {("q", "exa"): _found(one), ("q", "google"): _found(two)}
    documents = documents_by_query(searches, [_row()], ["exa", "google"], 2000)
    assert len(documents["q"]) == 1
