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


@pytest.mark.parametrize(
    ("name", "response"),
    [
        ("change_case:english_capital", "This Is Title Case"),
        ("language:response_language", "Guten Tag"),
        ("combination:repeat_prompt", "Say it again"),
        ("length_constraints:number_sentences", "One. Two."),
    ],
)
def test_what_needs_a_detector_or_the_prompt_is_never_judged(name: str, response: str) -> None:
    with pytest.raises(RecordFault, match=name.replace(":", ".")):
        read_slot(name, {}).passes(response)


def test_a_null_argument_is_none_and_an_argument_of_zero_or_nothing_is_one() -> None:
    padded = {"num_words": 3, "relation": "at least", "keyword": None, "num_bullets": None}
    assert strict("length_constraints:number_words", "one two three", **padded)
    with pytest.raises(RecordFault):
        read_slot("keywords:existence", {"keywords": None})
    zero = {"keyword": "a", "frequency": 0, "relation": "at least"}
    assert strict("keywords:frequency", "b", **zero)


def test_a_word_inside_another_is_not_forbidden() -> None:
    forbidden = {"forbidden_words": ["bad"]}
    assert strict("keywords:forbidden_words", "a badge", **forbidden)
    assert not strict("keywords:forbidden_words", "a bad badge", **forbidden)


def test_json_in_a_fence_is_json() -> None:
    assert strict("detectable_format:json_format", '```json\n{"a": 1}\n```')


def test_a_roman_numeral_is_no_section_and_a_section_more_is_none_too_many() -> None:
    sections = {"section_spliter": "Section", "num_sections": 2}
    assert not strict(
        "detectable_format:multiple_sections", "Section I\na\nSection II\nb", **sections
    )
    assert strict(
        "detectable_format:multiple_sections", "Section 1 Section 2 Section 3", **sections
    )


def test_three_stars_around_words_are_two_highlights() -> None:
    both = {"num_highlights": 2}
    assert strict("detectable_format:number_highlighted_sections", "***x***", **both)
    assert not strict("detectable_format:number_highlighted_sections", "**x**", **both)


def test_a_postscript_counts_wherever_it_is() -> None:
    marker = {"postscript_marker": "P.S."}
    assert strict("detectable_content:postscript", "the words p.s. and more", **marker)


def test_two_of_the_three_answers_are_one_of_them() -> None:
    both = "My answer is yes. My answer is no."
    assert strict("detectable_format:constrained_response", both)


def test_brackets_without_end_are_no_json_and_no_crash() -> None:
    assert not strict("detectable_format:json_format", "[" * 100_000)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("length_constraints:number_words", {"num_words": "3", "relation": "at least"}),
        ("length_constraints:number_words", {"num_words": 3}),
        ("length_constraints:number_words", {"num_words": 3, "relation": "around"}),
        (
            "keywords:letter_frequency",
            {"letter": "ab", "let_frequency": 1, "let_relation": "at least"},
        ),
        ("startend:end_checker", {}),
    ],
)
def test_arguments_that_do_not_fit_are_found_when_the_record_is_read(
    name: str, arguments: dict[str, object]
) -> None:
    with pytest.raises(RecordFault):
        read_slot(name, arguments)
