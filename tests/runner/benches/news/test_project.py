from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.news.candidates import Candidate
from runner.benches.news.project import Projected, Proposal, has_evidence, parse_reply, project
from runner.llm.client import LlmError
from runner.records.judgements import Spend
from tests.runner.benches.news.build import NOW, ScriptedModel, SilentProgress, candidate, reply

REPLIES = {
    "query": (reply("harbor ferry vote"), Proposal("harbor ferry vote")),
    "query with evidence": (
        reply("harbor ferry vote", evidence="Council"),
        Proposal("harbor ferry vote", None, "Council"),
    ),
    "refusal": (reply(refusal="evergreen"), Proposal(None, "evergreen")),
    "fenced": (f"```json\n{reply('ferry vote')}\n```", Proposal("ferry vote")),
    "white space and quotes": (reply("  'ferry\n vote' "), Proposal("ferry vote")),
    "invisible characters": (reply("ferry\u202e vote\u200b"), Proposal("ferry vote")),
    "both": (reply("ferry vote", refusal="no_event"), None),
    "neither": (reply(), None),
    "blank query": (reply("  "), None),
    "unknown refusal": (reply(refusal="bored"), None),
    "query of a wrong type": ('{"query": 7, "refusal": null}', None),
    "empty object": ("{}", None),
    "evidence of a wrong type": (
        '{"query": "ferry vote", "refusal": null, "evidence": 3}',
        Proposal("ferry vote"),
    ),
    "one line": ("harbor ferry vote", Proposal("harbor ferry vote")),
    "one line in quotes": ('"harbor ferry vote"\n', Proposal("harbor ferry vote")),
    "first line of several": ("harbor ferry vote\nbecause ...", Proposal("harbor ferry vote")),
    "sentinel": ("no_news_event", Proposal(None, "no_event", "no_news_event")),
    "sentinel in a line": (
        "Sorry: NO_DISTINCT_QUERY.",
        Proposal(None, "no_event", "Sorry: NO_DISTINCT_QUERY."),
    ),
    "nothing": ("", Proposal(None, "no_event", "empty reply")),
    "cut-off object": ('{"query": "ferry', None),
    "essay": ("word " * 60, None),
}


@pytest.mark.parametrize("case", REPLIES)
def test_replies_are_read(case: str) -> None:
    text, expected = REPLIES[case]
    assert parse_reply(text) == expected


@given(st.text(max_size=300))
def test_any_reply_gives_a_proposal_with_one_of_the_two_or_none(text: str) -> None:
    proposal = parse_reply(text)
    if proposal is not None:
        assert (proposal.query is None) != (proposal.refusal is None)


def test_evidence_stands_in_the_source_apart_from_case_quotes_and_spaces() -> None:
    source = "The council’s vote\n was “unanimous”"
    assert has_evidence('council\'s  VOTE was "unanimous"', source)
    assert not has_evidence("council vote", source)


def run(
    candidates: Sequence[Candidate], model: ScriptedModel, wanted: int = 0, concurrency: int = 8
) -> Projected:
    return asyncio.run(
        project(
            candidates,
            model,
            now=NOW,
            wanted=wanted,
            concurrency=concurrency,
            progress=SilentProgress(),
        )
    )


def by_title(answers: dict[str, str | LlmError]) -> ScriptedModel:
    return ScriptedModel(lambda variables, _: answers[variables["title"]])


def test_each_loss_is_counted_with_its_first_text() -> None:
    failure = LlmError("judge_timeout", "no answer in 60 s", Spend(calls=1))
    model = by_title(
        {
            "A": reply("harbor city ferry vote"),
            "B": reply(refusal="evergreen", evidence="How to"),
            "C": reply(refusal="no_event"),
            "D": failure,
            "E": reply("what happened harbor"),
            "F": reply("ferry vote harbor city"),
            "G": reply("mine collapse rescue", evidence="not in the item"),
            "H": reply(),
            "I": reply("asteroid probe landing", evidence="I"),
        }
    )
    projected = run([candidate(title) for title in "ABCDEFGHI"], model)
    assert [query for _, query in projected.queries] == [
        "harbor city ferry vote",
        "asteroid probe landing",
    ]
    assert projected.counts == {
        "projected": 9,
        "no_news_event": 2,
        "refused_evergreen": 1,
        "refused_no_event": 1,
        "llm_errors": 1,
        "rejected_question": 1,
        "duplicates": 1,
        "rejected_evidence": 1,
        "rejected_unreadable": 1,
    }
    assert projected.reasons["llm_errors"] == "judge_timeout: no answer in 60 s"
    assert projected.reasons["refused_evergreen"] == "'B': How to"
    assert projected.reasons["duplicates"] == (
        "'ferry vote harbor city' repeats 'harbor city ferry vote'"
    )
    assert projected.spend.calls == 10  # the unreadable reply was asked for twice


def test_an_unreadable_reply_is_asked_for_once_more_with_a_reminder() -> None:
    model = ScriptedModel(
        lambda _, reminder: reply("harbor ferry vote") if reminder else "{cut off"
    )
    projected = run([candidate("A")], model)
    assert [query for _, query in projected.queries] == ["harbor ferry vote"]
    assert [prompt.reminder for prompt in model.prompts] == [False, True]


def test_no_more_is_asked_than_is_missing() -> None:
    answers: dict[str, str | LlmError] = {
        f"T{n}": reply(f"{word} event story")
        for n, word in enumerate("harbor ferry asteroid mine vaccine tunnel opera lithium".split())
    }
    answers["T1"] = reply(refusal="no_event")
    model = by_title(answers)
    projected = run([candidate(f"T{n}") for n in range(8)], model, wanted=3)
    assert [query for _, query in projected.queries] == [
        "harbor event story",
        "asteroid event story",
        "mine event story",
    ]
    assert len(model.prompts) == 4
    assert projected.counts["projected"] == 4


def test_queries_keep_the_order_of_the_candidates_whatever_the_concurrency() -> None:
    words = "harbor ferry asteroid mine vaccine tunnel opera lithium".split()
    model = ScriptedModel(lambda variables, _: reply(f"{variables['title']} event today"))
    for concurrency in (1, 3, 8):
        projected = run([candidate(word) for word in words], model, concurrency=concurrency)
        assert [one.titles[0] for one, _ in projected.queries] == words


def test_a_model_that_always_fails_ends_with_no_query_and_no_exception() -> None:
    model = ScriptedModel(lambda *_: LlmError("account", "no credit"))
    projected = run([candidate("A"), candidate("B")], model, wanted=1)
    assert projected.queries == []
    assert projected.counts["llm_errors"] == 2


def test_noted_texts_are_short_and_visible() -> None:
    model = ScriptedModel(
        lambda *_: reply(refusal="no_event", evidence="\x1b[31m\u202e" + "x" * 999)
    )
    projected = run([candidate("A")], model)
    text = projected.reasons["refused_no_event"]
    assert len(text) <= 200
    assert "\x1b" not in text
    assert "\u202e" not in text
