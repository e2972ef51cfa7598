"""Reading a query profile, and asking for it with one retry."""

from __future__ import annotations

import asyncio
import json

import pytest

from runner.judging.asking import ReplyError
from runner.judging.profile import parse_profile, profile_query
from runner.llm.client import Completion, LlmError, Prompt
from runner.records.judgements import ProfileRecord, QueryProfile, Spend
from runner.records.queries import QueryOrigin, QueryRow

GOOD = {
    "query_type": "specific",
    "query_content_archetype": "ephemeral",
    "query_domain": "news",
    "query_search_operators_exist": False,
    "query_main_aspects": ["final  score"],
    "query_aux_aspects": ["date", "", 3],
}
PROFILE = QueryProfile(
    query_type="specific",
    query_domain="news",
    query_search_operators_exist=False,
    query_main_aspects=["final score"],
    query_aux_aspects=["date"],
    query_content_archetype="ephemeral",
)


def _with(**fields: object) -> str:
    return json.dumps({**GOOD, **fields})


def test_a_profile_is_read_and_its_white_space_collapsed() -> None:
    assert parse_profile(_with()) == PROFILE


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("query_type", "List of items, broad", "list"),
        ("query_type", "SPECIFIC", "specific"),
        ("query_content_archetype", "rather Evergreen", "evergreen"),
        ("query_domain", "", "other"),
        ("query_domain", None, "other"),
        ("query_domain", "Financial / news", "financial"),
        ("query_search_operators_exist", "yes", True),
        ("query_search_operators_exist", "TRUE", True),
        ("query_search_operators_exist", 1, True),
        ("query_search_operators_exist", "0", False),
        ("query_search_operators_exist", "", False),
        ("query_search_operators_exist", None, False),
        ("query_main_aspects", "one thing", ["one thing"]),
        ("query_main_aspects", ["a", "b", "c", "d"], ["a", "b", "c"]),
        ("query_main_aspects", None, []),
    ],
)
def test_the_forms_that_models_use_are_understood(
    field: str, value: object, expected: object
) -> None:
    assert getattr(parse_profile(_with(**{field: value})), field) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "specific, ephemeral",
        _with(query_type="unclear"),
        _with(query_type=None),
        _with(query_content_archetype=""),
        _with(query_domain="cooking"),
        _with(query_search_operators_exist="maybe"),
    ],
)
def test_a_profile_without_its_required_words_is_a_failure(text: str) -> None:
    with pytest.raises(ReplyError):
        parse_profile(text)


class _Scripted:
    """A model that gives prepared answers and remembers what it was asked."""

    model = "scripted"
    effort = None

    def __init__(self, *answers: str | LlmError) -> None:
        self.answers = list(answers)
        self.prompts: list[Prompt] = []

    async def complete(self, prompt: Prompt) -> Completion:
        self.prompts.append(prompt)
        answer = self.answers.pop(0)
        if isinstance(answer, LlmError):
            raise answer
        return Completion(answer, Spend(calls=1, cost_usd=0.5), "scripted-1")

    async def aclose(self) -> None:
        return None


ROW = QueryRow(
    query_id="q",
    query_hash="h",
    query_text="ferry vote",
    query_source="text",
    query_origin=QueryOrigin(bucket="text"),
    hour_ts="2026-11-15T10:00:00+00:00",
    query_produced_at="2026-11-15T10:00:00+00:00",
)


def _profile(model: _Scripted) -> ProfileRecord:
    return asyncio.run(profile_query(model, ROW, today="2026-11-15", clock=lambda: "now"))


def test_an_unreadable_reply_is_asked_for_once_more_with_a_reminder() -> None:
    model = _Scripted("what?", _with())
    record = _profile(model)
    assert record.profile == PROFILE
    assert record.spend == Spend(calls=2, cost_usd=1.0)
    assert [prompt.reminder for prompt in model.prompts] == [False, True]


def test_two_unreadable_replies_become_a_counted_error_with_the_reply() -> None:
    record = _profile(_Scripted("what?", "no " * 400))
    error = record.error
    assert error.error_type == "judge_parse_error"
    assert "the reply began: no no" in error.error_message
    assert len(error.error_message) <= 500


def test_an_error_of_the_provider_is_not_asked_again() -> None:
    model = _Scripted(LlmError("truncated", "too long", Spend(calls=1, cost_usd=0.2)))
    record = _profile(model)
    assert record.error.error_type == "truncated"
    assert record.spend.cost_usd == 0.2
    assert len(model.prompts) == 1
