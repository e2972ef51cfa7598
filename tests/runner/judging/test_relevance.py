"""Reading the judge's reply: the last valid object, strict ratings, labels that follow."""

from __future__ import annotations

import json

import pytest

from runner.judging.asking import ReplyError
from runner.judging.relevance import document_of, parse_relevance
from runner.records.search import SearchResult


def _reply(**fields: object) -> str:
    return json.dumps({"reasoning": "r", "rating": 3, "label": "HM", **fields})


FINAL_FOUR = """<think>
```yaml
rating: 1
label: FailsM
```
</think>
```yaml
reasoning: covers it
rating: 4
label: FullyM
```"""


@pytest.mark.parametrize(
    ("text", "rating"),
    [
        (_reply(), 3),
        (_reply(rating=0), 0),
        (_reply(rating="4"), 4),
        (_reply(rating=" 2 "), 2),
        (f"Here you go:\n{_reply()}", 3),
        (f"```json\n{_reply(rating=1)}\n```", 1),
        (f"```json\n{_reply(rating=1)}\n```\nOn second thought\n```json\n{_reply()}\n```", 3),
        (FINAL_FOUR, 4),
        (f"<think>{_reply(rating=1)}</think>{_reply(rating=4)}", 4),
        ("reasoning: fine\nrating: 2\nlabel: SM", 2),
        ("rating: 1\nlabel: FailsM\n\nrating: 3\nlabel: HM", 3),
        ('"rating": 2,', 2),
    ],
)
def test_the_last_valid_object_or_block_gives_the_rating(text: str, rating: int) -> None:
    assert parse_relevance(text).rating == rating


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no idea",
        "{}",
        _reply(rating="3/4"),
        "reasoning: a: b\nrating: 3/4",
        _reply(rating=5),
        _reply(rating=-1),
        _reply(rating=True),
        _reply(rating=3.0),
        _reply(rating="three"),
        _reply(rating=None),
        "rating: 4.0",
        "[3]",
        '{"rating": ',
    ],
)
def test_a_rating_that_is_not_certain_is_a_parse_failure(text: str) -> None:
    with pytest.raises(ReplyError):
        parse_relevance(text)


def test_a_contradictory_label_is_noted_and_the_rating_stands() -> None:
    reply = parse_relevance(_reply(rating=4, label="FailsM"))
    assert (reply.rating, reply.label_mismatch) == (4, True)


@pytest.mark.parametrize("label", ["HM", "unheard of", None, 7, ""])
def test_an_unknown_or_fitting_label_is_no_mismatch(label: object) -> None:
    assert not parse_relevance(_reply(label=label)).label_mismatch


def test_gate_values_are_lower_case_and_empty_ones_dropped() -> None:
    reply = parse_relevance(
        _reply(document_integrity_check=" PASS ", domain_gate="", staleness_gate=None, other="x")
    )
    assert reply.gates == {"document_integrity_check": "pass"}


def _key(published: str | None = "2026-11-01", **fields: str | None) -> str:
    base: dict[str, str | None] = {"url": "https://a.example/x", "title": "T", "snippet": "s"}
    result = SearchResult(**{**base, **fields})  # type: ignore[arg-type]
    return document_of(result, snippet_chars=2000, published=published).key


def test_equal_evidence_is_one_document_whatever_the_form_of_its_url() -> None:
    assert _key() == _key(url="http://www.A.example/x/?utm_source=y")


@pytest.mark.parametrize(("budget", "kept"), [(500, 500), (2000, 2000), (0, 50_000)])
def test_evidence_is_cut_at_the_budget_and_without_one_at_a_fixed_length(
    budget: int, kept: int
) -> None:
    result = SearchResult(url="https://a.example/x", title="T", snippet="a" * 60_000)
    document = document_of(result, snippet_chars=budget, published=None)
    assert document.snippet == "a" * kept


def test_snippets_equal_up_to_the_cap_are_one_document() -> None:
    assert _key(snippet="a" * 2000 + "b") == _key(snippet="a" * 2000 + "c")


@pytest.mark.parametrize(
    "change",
    [{"url": "https://a.example/y"}, {"title": "U"}, {"snippet": "t"}, {"published": "2026-11-02"}],
)
def test_other_evidence_is_another_document(change: dict[str, str]) -> None:
    assert _key() != _key(**change)
