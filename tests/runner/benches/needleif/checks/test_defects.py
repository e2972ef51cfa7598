"""Defects known from other implementations, and the verdict chosen here."""

from __future__ import annotations

import pytest

from runner.benches.needleif.checks import loose_variants, read_slot
from runner.benches.needleif.faults import RecordFault
from tests.runner.benches.needleif.checks.tables import strict

BULLETS = "detectable_format:number_bullet_lists"


@pytest.mark.parametrize("letter", ["#", "!"])
def test_a_letter_that_is_no_letter_is_counted(letter: str) -> None:
    arguments = {"letter": letter, "let_frequency": 4, "let_relation": "at least"}
    assert strict("keywords:letter_frequency", f"{letter}a " * 4, **arguments)
    assert not strict("keywords:letter_frequency", f"{letter}a " * 3, **arguments)


@pytest.mark.parametrize(
    "name",
    [
        "length_constraints:nth_paragraph_first_word",
        "language:response_language",
        "change_case:english_capital",
        "change_case:english_lowercase",
    ],
)
def test_an_id_without_a_check_is_an_error_and_no_pass(name: str) -> None:
    with pytest.raises(RecordFault):
        read_slot(name, {})


@pytest.mark.parametrize("word", ["a.b", "c++", "[link]", "$5"])
def test_pattern_characters_in_an_argument_are_literal(word: str) -> None:
    assert strict("keywords:existence", f"x {word} y", keywords=[word])
    assert not strict("keywords:existence", "axb ccc link 5", keywords=[word])
    assert not strict("keywords:forbidden_words", f"x {word} y", forbidden_words=[word])


def test_four_bullets_are_not_three() -> None:
    assert not strict(BULLETS, "- a\n" * 4, num_bullets=3)


def test_a_bold_heading_is_no_bullet_but_rules_and_negative_numbers_are() -> None:
    assert strict(BULLETS, "**Heading**\n---\n-3\n*italic*", num_bullets=3)


def test_an_odd_fence_label_fails_strictly_and_passes_loosely() -> None:
    slot = read_slot("detectable_format:json_format", {})
    response = "```jSoN\n{}\n```"
    assert not slot.passes(response)
    assert slot.passes_any(loose_variants(response))


def test_reasoning_is_not_removed_by_a_check() -> None:
    assert not strict("startend:quotation", '<think>x</think>"a"')


def test_text_after_reasoning_keeps_its_empty_first_line() -> None:
    assert loose_variants('\nSure:\n"a"')[1] == 'Sure:\n"a"'
