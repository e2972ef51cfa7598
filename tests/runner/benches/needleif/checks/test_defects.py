"""The 26 defects known from other implementations, by number, and the verdict chosen here.

Those numbered 2 to 5 and 12 are of instructions that cannot be checked here at all.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

from runner.benches.needleif.checks import CHECKS, loose_variants, read_slot
from runner.benches.needleif.faults import RecordFault
from runner.benches.needleif.pool import load_pool
from runner.benches.needleif.reading import Answers, read_record
from runner.benches.needleif.scoring import score_record
from tests.runner.benches.needleif.checks.tables import strict
from tests.runner.benches.needleif.made import record
from tests.runner.benches.needleif.sources import IFEVAL, needs_shared

BULLETS = "detectable_format:number_bullet_lists"
JSON = "detectable_format:json_format"
WORDS = "length_constraints:number_words"
QUOTATION = "startend:quotation"

Test = TypeVar("Test", bound=Callable[..., Any])
_TESTED: set[int] = set()


def defect(*numbers: int) -> Callable[[Test], Test]:
    """Says which defects a test is about."""

    def noted(test: Test) -> Test:
        _TESTED.update(numbers)
        return test

    return noted


@defect(1)
@pytest.mark.parametrize("letter", ["#", "!"])
def test_a_letter_that_is_no_letter_is_counted(letter: str) -> None:
    arguments = {"letter": letter, "let_frequency": 4, "let_relation": "at least"}
    assert strict("keywords:letter_frequency", f"{letter}a " * 4, **arguments)
    assert not strict("keywords:letter_frequency", f"{letter}a " * 3, **arguments)


def _is_refused(name: str) -> bool:
    assert name not in CHECKS
    with pytest.raises(RecordFault, match=f"unknown instruction id '{name}'"):
        read_slot(name, {})
    return True


@defect(2)
def test_the_first_word_of_a_paragraph_that_is_indexed_wrongly_is_not_judged() -> None:
    assert _is_refused("length_constraints:nth_paragraph_first_word")


@defect(3, 4, 12)
@pytest.mark.parametrize(
    "name",
    [
        "language:response_language",
        "change_case:english_capital",
        "change_case:english_lowercase",
        "change_case:capital_word_frequency",
    ],
)
def test_what_depends_on_a_language_detector_is_not_judged(name: str) -> None:
    assert _is_refused(name)


@defect(5)
def test_many_threads_at_once_give_the_verdicts_of_one() -> None:
    slots = [read_slot(name, arguments) for name, arguments in _one_of_each().items()]
    responses = [f"{n % 7} *a*, [b]\n\n***\nP.S. {'word ' * (n % 9)}" for n in range(200)]

    def verdicts(response: str) -> list[bool]:
        return [slot.passes_any(loose_variants(response)) for slot in slots]

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(verdicts, responses)) == list(map(verdicts, responses))


def _one_of_each() -> dict[str, dict[str, Any]]:
    values = {"count": 2, "text": "P.S.", "words": ["word"], "letter": "a", "relation": "at least"}
    return {
        name: {p.name: values[p.kind] for p in parameters}
        for name, (_, parameters) in CHECKS.items()
    }


@defect(6)
@pytest.mark.parametrize("word", ["a.b", "c++", "[link]", "$5"])
def test_pattern_characters_in_an_argument_are_literal(word: str) -> None:
    assert strict("keywords:existence", f"x {word} y", keywords=[word])
    assert not strict("keywords:existence", "axb ccc link 5", keywords=[word])
    assert not strict("keywords:forbidden_words", f"x {word} y", forbidden_words=[word])


@defect(7)
def test_each_of_two_slots_with_one_id_counts() -> None:
    twice = [
        (WORDS, {"num_words": n, "relation": r}) for n, r in ((2, "at least"), (3, "less than"))
    ]
    asked = read_record(record("p", "bare", *twice))
    found = score_record(asked, Answers(samples=("one", "one two", "one two three"))).to_json()
    assert [slot["strict"] for slot in found["slots"]] == [[False, True, True], [True, True, False]]
    assert found["strict"] == [False, True, False]


@defect(8)
def test_a_null_argument_of_another_instruction_is_none() -> None:
    padded = {"num_words": 3, "relation": "at least", "keyword": None, "num_bullets": None}
    assert strict(WORDS, "one two three", **padded)


@defect(9)
def test_an_argument_of_zero_or_of_nothing_is_one() -> None:
    zero = {"keyword": "a", "frequency": 0, "relation": "at least"}
    assert strict("keywords:frequency", "b", **zero)
    assert strict("detectable_content:number_placeholders", "none", num_placeholders=0)
    assert strict("startend:end_checker", "anything", end_phrase="")


@defect(10)
@pytest.mark.parametrize(
    "name", ["combination:repeat_prompt", "length_constraints:number_sentences", "made:up", ""]
)
def test_an_id_without_a_check_is_an_error_and_no_pass(name: str) -> None:
    assert _is_refused(name)


@defect(11)
def test_four_bullets_are_not_three_unless_a_relation_says_so() -> None:
    assert not strict(BULLETS, "- a\n" * 4, num_bullets=3)
    assert strict(BULLETS, "- a\n" * 4, num_bullets=3, relation="at least")


@defect(13)
def test_a_bold_heading_is_no_bullet_and_spaced_stars_divide_nothing() -> None:
    assert not strict(BULLETS, "**Heading**\n- a", num_bullets=2)
    assert strict(BULLETS, "**Heading**\n- a", num_bullets=1)
    two = {"num_paragraphs": 2}
    assert not strict("length_constraints:number_paragraphs", "a\n* * *\nb", **two)
    assert strict("length_constraints:number_paragraphs", "a\n***\nb", **two)


@defect(14)
def test_a_word_inside_another_is_not_forbidden() -> None:
    forbidden = {"forbidden_words": ["bad"]}
    assert strict("keywords:forbidden_words", "a badge", **forbidden)
    assert not strict("keywords:forbidden_words", "a bad badge", **forbidden)


@defect(15)
def test_json_in_a_fence_is_json() -> None:
    assert strict(JSON, '```json\n{"a": 1}\n```')


@defect(16)
def test_an_odd_fence_label_fails_strictly_and_passes_loosely() -> None:
    slot = read_slot(JSON, {})
    response = "```jSoN\n{}\n```"
    assert not slot.passes(response)
    assert slot.passes_any(loose_variants(response))


@defect(17)
def test_a_roman_numeral_is_no_section_and_a_section_more_is_none_too_many() -> None:
    six = {"section_spliter": "Section", "num_sections": 6}
    numerals = " ".join(f"Section {n}" for n in ("I", "II", "III", "IV", "V", "VI"))
    assert not strict("detectable_format:multiple_sections", numerals, **six)
    seven = " ".join(f"Section {n}" for n in range(1, 8))
    assert strict("detectable_format:multiple_sections", seven, **six)


@defect(18)
def test_rules_negative_numbers_and_italic_lines_are_bullets() -> None:
    assert strict(BULLETS, "---\n-3\n*italic*", num_bullets=3)


@defect(19)
def test_three_stars_around_words_are_two_highlights() -> None:
    both = {"num_highlights": 2}
    assert strict("detectable_format:number_highlighted_sections", "***x***", **both)
    assert not strict("detectable_format:number_highlighted_sections", "**x**", **both)


@defect(20)
def test_a_postscript_counts_in_mid_text_and_inside_a_word() -> None:
    marker = {"postscript_marker": "P.S."}
    assert strict("detectable_content:postscript", "the words p.s. and more", **marker)
    assert strict("detectable_content:postscript", "a flop.s. of note", **marker)


@defect(21)
def test_two_of_the_three_answers_are_one_of_them() -> None:
    both = "My answer is yes. My answer is no."
    assert strict("detectable_format:constrained_response", both)


@defect(22)
def test_brackets_without_end_are_no_json_and_no_crash() -> None:
    assert not strict(JSON, "[" * 100_000)


@defect(23)
def test_reasoning_is_not_removed_by_a_check() -> None:
    assert not strict(QUOTATION, '<think>x</think>"a"')


@defect(24)
def test_text_after_reasoning_keeps_its_empty_first_line() -> None:
    assert loose_variants('\nSure:\n"a"')[1] == 'Sure:\n"a"'


@defect(25)
@needs_shared
def test_a_needle_whose_argument_is_not_what_it_says_stays_with_a_note() -> None:
    flagged = {n.source_key: n for n in load_pool(IFEVAL).needles if "defect" in n.notes}
    assert set(flagged) == {30, 337, 2078}
    assert flagged[2078].kwargs == ({"num_bullets": 1},)
    assert "400" in flagged[337].text
    assert 336 in [arguments.get("num_words") for arguments in flagged[337].kwargs]
    assert flagged[30].instruction_id_list.count(QUOTATION) == 2


@defect(26)
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        (WORDS, {"num_words": "3", "relation": "at least"}),
        (WORDS, {"num_words": 3}),
        (WORDS, {"num_words": 3, "relation": "around"}),
        (WORDS, {"num_words": 3, "relation": "at least", "keyword": "a"}),
        ("keywords:existence", {"keywords": None}),
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


def test_every_known_defect_has_a_test() -> None:
    assert set(range(1, 27)) == _TESTED
