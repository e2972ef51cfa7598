from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.needleif.checks import CHECKS, loose_variants, read_slot
from runner.benches.needleif.faults import RecordFault

ARGUMENTS: dict[str, dict[str, object]] = {
    "detectable_content:number_placeholders": {"num_placeholders": 1},
    "detectable_content:postscript": {"postscript_marker": "P.S."},
    "detectable_format:constrained_response": {},
    "detectable_format:json_format": {},
    "detectable_format:multiple_sections": {"section_spliter": "Part", "num_sections": 1},
    "detectable_format:number_bullet_lists": {"num_bullets": 1},
    "detectable_format:number_highlighted_sections": {"num_highlights": 1},
    "detectable_format:title": {},
    "keywords:existence": {"keywords": ["a"]},
    "keywords:forbidden_words": {"forbidden_words": ["a"]},
    "keywords:frequency": {"keyword": "a", "frequency": 1, "relation": "less than"},
    "keywords:letter_frequency": {"letter": "a", "let_frequency": 1, "let_relation": "less than"},
    "length_constraints:number_paragraphs": {"num_paragraphs": 1},
    "length_constraints:number_words": {"num_words": 3, "relation": "less than"},
    "punctuation:no_comma": {},
    "startend:end_checker": {"end_phrase": "a"},
    "startend:quotation": {},
}


def test_there_are_seventeen_checks() -> None:
    assert set(CHECKS) == set(ARGUMENTS)
    assert len(CHECKS) == 17


@pytest.mark.parametrize("instruction_id", ARGUMENTS)
@pytest.mark.parametrize("response", ["", " ", "\n\n", "\u00a0\u2003\t", "\x1c"])
def test_a_blank_response_fails_every_check_in_both_modes(
    instruction_id: str, response: str
) -> None:
    slot = read_slot(instruction_id, ARGUMENTS[instruction_id])
    assert not slot.passes(response)
    assert not slot.passes_any(loose_variants(response))


MARKS = st.sampled_from(["*", "**", "***", "\n", " ", '"', "<<", ">>", "[", "]", "-", "a", "P.S."])
RESPONSES = st.one_of(
    st.lists(MARKS, max_size=20).map("".join),
    st.text(st.characters(codec=None, exclude_categories=[]), max_size=60),
)


@pytest.mark.parametrize("instruction_id", ARGUMENTS)
@given(response=RESPONSES)
def test_no_check_raises_and_strict_implies_loose(instruction_id: str, response: str) -> None:
    slot = read_slot(instruction_id, ARGUMENTS[instruction_id])
    variants = loose_variants(response)
    assert variants[0] == response
    assert slot.passes_any(variants) >= slot.passes(response)


def test_the_eight_variants_lose_lines_first_and_stars_after() -> None:
    assert loose_variants("*first*\n *b* \nlast") == (
        "*first*\n *b* \nlast",
        "*b* \nlast",
        "*first*\n *b*",
        "*b*",
        "first\n b \nlast",
        "b \nlast",
        "first\n b",
        "b",
    )


def test_what_is_left_of_lines_is_trimmed_before_its_stars_go_and_not_again() -> None:
    variants = loose_variants("x\n* a *\ny")
    assert variants[3] == "* a *"
    assert variants[7] == " a "
    assert loose_variants("  a  ")[0] == "  a  "
    assert loose_variants("  *a*  ")[4] == "  a  "


def test_an_empty_first_line_is_a_line() -> None:
    assert loose_variants("\na\nb")[1] == "a\nb"
    assert loose_variants("a\r\nb")[2] == "a"
    assert loose_variants("a\u2028b")[1:4] == ("", "", "")


QUOTED = "startend:quotation"


@pytest.mark.parametrize(
    "response",
    [
        '"a"',
        'Sure:\n"a"',
        '"a"\nDone.',
        'Sure:\n"a"\nDone.',
        '*"a"*',
        'Sure:\n**"a"**',
        '**"a"**\nDone.',
        'Sure:\n**"a"**\nDone.',
    ],
)
def test_each_of_the_eight_variants_can_rescue_a_response(response: str) -> None:
    slot = read_slot(QUOTED, {})
    variants = loose_variants(response)
    assert slot.passes_any(variants)
    passing = [variant for variant in variants if slot.passes(variant)]
    assert passing[0] == '"a"'


@pytest.mark.parametrize("response", ['_"a"_', '# "a"', '`"a"`', '1\n2\n"a"\n3\n4', '> "a"'])
def test_no_variant_takes_away_other_marks_or_a_second_line(response: str) -> None:
    assert not read_slot(QUOTED, {}).passes_any(loose_variants(response))


def test_nulls_are_dropped_and_zero_and_empty_values_stay() -> None:
    slot = read_slot(
        "length_constraints:number_words",
        {"num_words": 0, "relation": "at least", "keywords": None, "letter": None},
    )
    assert slot.arguments == {"num_words": 0, "relation": "at least"}
    assert read_slot("keywords:existence", {"keywords": []}).arguments == {"keywords": []}
    assert read_slot("startend:end_checker", {"end_phrase": ""}).arguments == {"end_phrase": ""}


WORDS = "length_constraints:number_words"
LETTER = "keywords:letter_frequency"


@pytest.mark.parametrize(
    ("instruction_id", "arguments", "message"),
    [
        ("startend:nothing", {}, "unknown instruction id 'startend:nothing'"),
        (None, {}, "unknown instruction id None"),
        (QUOTED, None, "its kwargs must be an object, found None"),
        (QUOTED, {"num_words": 3}, "num_words is no argument of it"),
        (WORDS, {"num_words": 3}, "relation is missing"),
        (WORDS, {"num_words": None, "relation": "at least"}, "num_words is missing"),
        (WORDS, {"num_words": "3", "relation": "at least"}, "num_words must be a whole number"),
        (WORDS, {"num_words": True, "relation": "at least"}, "num_words must be a whole number"),
        (WORDS, {"num_words": 3.0, "relation": "at least"}, "num_words must be a whole number"),
        (WORDS, {"num_words": 3, "relation": "exactly"}, "one of 'at least', 'less than'"),
        (WORDS, {"num_words": 3, "relation": "At least"}, "one of 'at least', 'less than'"),
        (
            "detectable_format:number_bullet_lists",
            {"num_bullets": 3, "relation": "more than"},
            "one of 'at least', 'less than', 'exactly'",
        ),
        (
            LETTER,
            {"letter": "ab", "let_frequency": 1, "let_relation": "at least"},
            "letter must be one character, found 'ab'",
        ),
        (
            LETTER,
            {"letter": "", "let_frequency": 1, "let_relation": "at least"},
            "letter must be one character",
        ),
        ("keywords:existence", {"keywords": "abc"}, "keywords must be a list of strings"),
        ("keywords:existence", {"keywords": [1]}, "keywords must be a list of strings"),
        ("startend:end_checker", {"end_phrase": 3}, "end_phrase must be a string"),
    ],
)
def test_an_instruction_that_can_not_be_checked_is_an_error(
    instruction_id: object, arguments: object, message: str
) -> None:
    with pytest.raises(RecordFault, match=re.escape(message)):
        read_slot(instruction_id, arguments)
