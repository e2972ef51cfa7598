from __future__ import annotations

import json

import pytest

from runner.benches.needleif.checks.formats import JSON_DEPTH
from tests.runner.benches.needleif.checks.tables import LOOSE, Table, assert_table, strict

BULLETS: Table = [
    ("* a\n* b", True),
    ("- a\n- b", True),
    ("* a\n- b", True),
    ("*a\n*b", True),
    ("*italic* line\n- b", True),
    ("-a\n--b", True),
    ("---\ntext\n* a", True),  # a rule counts
    ("-3 degrees\n-4 degrees", True),
    ("  * a\n\t- b", True),
    ("Here:\n\n\n* a\n\n\n* b\n\nBye", True),
    ("*\na\n* b", True),  # a star alone takes the next line with it
    ("**Heading**\n- a\n- b", True),
    ("- a\n+ b\n- c", True),
    ("-\n-", True),
    ("* a\r\n* b\r\n", True),
    ("\u00a0* a\n\u2003- b", True),
    ("```\n- a\n- b\n```", True),
    ("- 🙂\n- 汉字", True),
    ("- \"a 'b'\"\n- it's well-made", True),
    ("* a", False),
    ("* a\n* b\n* c", LOOSE),  # exactly
    ("**a**\n**b**", False),
    ("• a\n• b", False),
    ("1. a\n2. b", False),
    ("+ a\n+ b", False),
    ("> - a\n> - b", False),
    ("a - b\nc * d", False),
    ("*\n* a", False),  # the star alone takes the bullet
    ("*\n*", False),
    ("– a\n– b", False),  # en dashes
    ("", False),
    (" \n ", False),
    ("\u200b- a\n\u200b- b", False),
    ("- a\n\n- b\n\n---", LOOSE),
    ("- a\v- b", False),  # only a line feed begins a line
]


def test_bullets_are_counted_exactly() -> None:
    assert_table("detectable_format:number_bullet_lists", BULLETS, num_bullets=2)


@pytest.mark.parametrize(
    ("relation", "passing"),
    [("at least", {2, 3}), ("less than", {1}), ("exactly", {2})],
)
def test_a_relation_is_applied_to_bullets_where_one_is_given(
    relation: str, passing: set[int]
) -> None:
    check = "detectable_format:number_bullet_lists"
    passed = {
        count
        for count in (1, 2, 3)
        if strict(check, "- x\n" * count, num_bullets=2, relation=relation)
    }
    assert passed == passing


HIGHLIGHTS: Table = [
    ("*a* *b*", True),
    ("**a** **b**", True),
    ("*a* **b**", True),
    ("***x***", True),  # two
    ("*a* and *b* and *c*", True),
    ("* a b * c * d *", True),
    ("*é* *汉字*", True),
    ("*🙂* *it's well-made*", True),
    ("*\"a\"* *'b'*", True),
    ("```\n*a*\n**b**\n```", True),
    ("* item *a*\n* item *b*", True),  # a bullet star pairs with the next on its line
    ("  *a*\n\n*b*  ", True),
    ("3*4*5 6*7*8", True),
    ("** ** *a* *b*", True),
    ("*a*", False),
    ("**a**", False),
    ("3*4*5", False),
    ("**", False),
    ("* *", False),
    ("****", False),
    ("** **", False),
    ("*a\nb* *c*", False),
    ("_a_ _b_", False),
    ("`a` `b`", False),
    ("# a\n# b", False),
    ("* a\n* b", False),
    ("*\u00a0* *a*", False),  # the blank stretch is used up
    ("＊a＊ ＊b＊", False),
    ("", False),
    (" \n", False),
    ("Sure! Here: *one*", False),
    ("<b>a</b> <b>b</b>", False),
]


def test_highlights_of_one_and_two_stars_are_added() -> None:
    check = "detectable_format:number_highlighted_sections"
    assert_table(check, HIGHLIGHTS, num_highlights=2)


SECTIONS: Table = [
    ("SECTION 1\na\nSECTION 2\nb", True),
    ("SECTION1 SECTION2", True),
    ("see SECTION 1 and SECTION 2", True),  # running text
    ("SUBSECTION 1\nSUBSECTION 2", True),
    ("**SECTION 1**\n**SECTION 2**", True),
    ("# SECTION 1\n# SECTION 2", True),
    ("SECTION\n1 SECTION\t2", True),
    ("SECTION\u00a01 SECTION 22", True),
    ("SECTION ١ SECTION ٢", True),  # digits of any script
    ("SECTION 1 SECTION 2 SECTION 3", True),
    ("```\nSECTION 1\nSECTION 2\n```", True),
    ("\"SECTION 1\" 'SECTION 2'", True),
    ("SECTION 7, SECTION 7", True),
    ("SECTION 1st SECTION 2nd", True),
    ("SECTION 1-SECTION 2", True),
    ("SECTION 1", False),
    ("Section 1 Section 2", False),
    ("SECTION: 1 SECTION: 2", False),
    ("SECTION  1 SECTION  2", False),
    ("SECTION **1** SECTION **2**", LOOSE),
    ("SECTION I SECTION II", False),
    ("SECTION A SECTION B", False),
    ("SECTION one SECTION two", False),
    ("SECTION ① SECTION ②", False),
    ("SECTION-1 SECTION-2", False),
    ("SECTION", False),
    ("", False),
    ("\n\n", False),
    ("1 SECTION 2 SECTION", False),
    ("ＳＥＣＴＩＯＮ 1 SECTION 2", False),
]


def test_sections_are_splitters_followed_by_a_number() -> None:
    check = "detectable_format:multiple_sections"
    assert_table(check, SECTIONS, section_spliter=" SECTION ", num_sections=2)


TITLE: Table = [
    ("<<a>>", True),
    ("<<My title>>\n\nText", True),
    ("text <<a>> text", True),
    ("text\n<< a >>", True),
    ("**<<a>>**", True),
    ("```\n<<a>>\n```", True),
    ("<<<a>>>", True),
    ("<<汉字 🙂>>", True),
    ("\"<<a 'b' it's>>\"", True),
    ("<<->>", True),
    ("<<a", False),
    ("<<\n>>", False),
    ("<<a>> and <<", True),
    ("<< >> x << >>", True),  # the longest stretch holds the x
    ("# <<a>>", True),
    ("  <<a>>  ", True),
    ("<<>>", False),
    ("<< >>", False),
    ("<<\u00a0>>", False),
    ("<<<<>>>>", False),
    ("<<\u200b>>", True),  # zero width is no white space
    ("<a>", False),
    ("<< a\nb >>", False),
    ("«a»", False),
    ("〈〈a〉〉", False),
    ("< <a> >", False),
    (">>a<<", False),
    ("Title: a", False),
    ("", False),
    (" \n ", False),
    ("<<a>", False),
    ("<*<a>*>", LOOSE),
    ("<<\ra>>", True),  # only a line feed ends a line
]


def test_a_title_is_in_double_angle_brackets_on_one_line() -> None:
    assert_table("detectable_format:title", TITLE)


JSON: Table = [
    ("{}", True),
    ('{"a": [1, 2.5, null, true]}', True),
    ("[]", True),
    ("3", True),
    ('"text"', True),
    ("null", True),
    ("NaN", True),
    ("-Infinity", True),
    ("  {}\n", True),
    ("```json\n{}\n```", True),
    ("```Json\n{}\n```", True),
    ("```JSON\n{}\n```", True),
    ("```\n{}\n```", True),
    ("```{}```", True),
    ("```json\n{}", True),
    ("{}\n```", True),
    ('{"a": "it\'s \\"well-made\\""}', True),
    ('{"ключ": "🙂"}', True),
    ('{"a": 1, "a": 2}', True),
    ("\u00a0{}\u00a0", True),
    ("9" * 5000, True),
    ("```jSoN\n{}\n```", LOOSE),
    ("``` json\n{}\n```", LOOSE),
    ("```javascript\n{}\n```", LOOSE),
    ("~~~\n{}\n~~~", LOOSE),
    ("{'a': 1}", False),
    ('{"a": 1,}', False),
    ('{"a": 1} // c', False),
    ("\ufeff{}", False),
    ("Here: {}", False),
    ("{} done", False),
    ("**{}**", LOOSE),
    ("{}{}", False),
    ("True", False),
    ("“a”", False),
    ('{"a": "line\nbreak"}', False),
    ("", False),
    ("  ", False),
    ("```json\n```", False),
    ("```", False),
]


def test_any_json_value_passes_bare_or_fenced() -> None:
    assert_table("detectable_format:json_format", JSON)


def test_nesting_has_a_bound_that_no_interpreter_moves() -> None:
    check = "detectable_format:json_format"
    assert strict(check, "[" * JSON_DEPTH + "]" * JSON_DEPTH)
    deeper = JSON_DEPTH + 1
    assert not strict(check, "[" * deeper + "]" * deeper)
    assert not strict(check, '{"a":' * deeper + "1" + "}" * deeper)
    wide = [[], "[" * deeper, '\\"' + "{" * deeper] * deeper
    assert strict(check, json.dumps(wide))  # brackets in strings nest nothing


ANSWER: Table = [
    ("My answer is yes.", True),
    ("My answer is no.", True),
    ("My answer is maybe.", True),
    ("Well. My answer is no. Bye", True),
    ("  My answer is yes.\n", True),
    ("**My answer is yes.**", True),
    ('"My answer is maybe."', True),
    ("```\nMy answer is no.\n```", True),
    ("My answer is yes. My answer is no.", True),
    ("My answer is yes..", True),
    ("- My answer is maybe.", True),
    ("🙂My answer is yes.🙂", True),
    ("It's well-made. My answer is yes.", True),
    ("Sure! My answer is no.", True),
    ("my answer is yes.", False),
    ("My answer is Yes.", False),
    ("My answer is yes", False),
    ("My answer is yes!", False),
    ("My answer is  yes.", False),
    ("My answer is\nyes.", False),
    ("My answer is\u00a0yes.", False),
    ("My answer is **yes**.", LOOSE),
    ("My answer is: yes.", False),
    ("My answer is 'no'.", False),
    ("Yes.", False),
    ("My answer is perhaps.", False),
    ("My answer is yes。", False),
    ("MY ANSWER IS YES.", False),
    ("", False),
    (" \n", False),
]


def test_one_of_three_answers_stands_as_written() -> None:
    assert_table("detectable_format:constrained_response", ANSWER)


@pytest.mark.parametrize(
    ("instruction_id", "arguments"),
    [
        ("detectable_format:number_bullet_lists", {"num_bullets": 1}),
        ("detectable_format:number_highlighted_sections", {"num_highlights": 9999999}),
        ("detectable_format:title", {}),
        ("detectable_format:json_format", {}),
        ("detectable_content:number_placeholders", {"num_placeholders": 9999999}),
        (
            "detectable_format:multiple_sections",
            {"section_spliter": "SECTION", "num_sections": 9999999},
        ),
        ("length_constraints:number_paragraphs", {"num_paragraphs": 1}),
    ],
)
@pytest.mark.parametrize(
    "piece", ["\n", " ", "*", "**\n", "[", "<<", '"[', "SECTION ", "{\\", ">>"]
)
def test_a_response_of_a_piece_repeated_very_often_gets_a_verdict(
    instruction_id: str, arguments: dict[str, object], piece: str
) -> None:
    """Where time grew with the square of the length, this would take hours."""
    assert strict(instruction_id, "x" + piece * 1_000_000 + "x", **arguments) in (True, False)
