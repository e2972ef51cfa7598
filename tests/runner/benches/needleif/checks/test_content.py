from __future__ import annotations

import pytest

from tests.runner.benches.needleif.checks.tables import LOOSE, Table, assert_table, strict

PLACEHOLDERS: Table = [
    ("[name] [address]", True),
    ("[] []", True),
    ("[a][b]", True),
    ("[a](b) [c](d)", True),  # links
    ("- [ ] one\n- [x] two", True),  # check boxes
    ("x[0] = y[1]", True),
    ("[a] [b] [c]", True),
    ("**[a]** *[b]*", True),
    ("```\n[a]\n[b]\n```", True),
    ("[имя] [アドレス]", True),
    ("[\"a\"] ['b']", True),
    ("  [a]\n\n[b]  ", True),
    ("[don't] [well-made]", True),
    ("[[a] [b", False),
    ("[[a] [b]", True),
    ("[🙂] [🙃]", True),
    ("]a[ ]b[ [c]", True),
    ("[a]", False),
    ("[[a]]", False),  # once
    ("[a\nb] [c]", False),
    ("[a\n] [b\n]", False),
    ("(a) (b)", False),
    ("<a> <b>", False),
    ("{a} {b}", False),
    ("［a］ ［b］", False),  # full-width brackets
    ("", False),
    (" \n ", False),
    ("Sure! [one]", False),
    ("[a] [b", False),
    ("[" * 50, False),
]


def test_placeholders_are_bracketed_stretches_of_one_line() -> None:
    assert_table("detectable_content:number_placeholders", PLACEHOLDERS, num_placeholders=2)


POSTSCRIPT: Table = [
    ("Text.\n\nP.S. Bye", True),
    ("p.s. bye", True),
    ("P. S. bye", True),
    ("P.\nS.", True),
    ("P.\u00a0S.", True),
    ("P.P.S. bye", True),
    ("flop.s.", True),  # inside a word
    ("P.S. first, then more text\n\nand more", True),
    ("**P.S.** bye", True),
    ("```\nP.S. x\n```", True),
    ('"P.S." he wrote', True),
    ("P.S.", True),
    ("  P.S.  ", True),
    ("🙂P.S.🙂", True),
    ("Sure! Here is P.s. x", True),
    ("P.S bye", False),
    ("PS: bye", False),
    ("PS. bye", False),
    ("P.  S. bye", False),
    ("P.\u200bS. bye", False),
    ("Р.S. bye", False),  # a Cyrillic er
    ("P-S- bye", False),
    ("P.*S.*", LOOSE),
    ("Post scriptum: bye", False),
    ("", False),
    ("\n", False),
    ("P.*S*. x", LOOSE),
    ("p s", False),
    ("Ｐ．Ｓ．", False),
]


def test_a_postscript_may_stand_anywhere() -> None:
    assert_table("detectable_content:postscript", POSTSCRIPT, postscript_marker="P.S.")


@pytest.mark.parametrize(
    ("marker", "response", "verdict"),
    [
        ("P.P.S", "p.p.s", True),
        ("P.P.S", "P. P. S and more", True),
        ("P.P.S", "P.P. s.", True),
        ("P.P.S", "P.S.", False),
        ("P.P.S", "P.P.  S", False),
        (" Note+ ", "see NOTE+ below", True),
        ("Note+", "see noteee below", False),
    ],
)
def test_the_marker_chooses_the_pattern_and_others_are_literal(
    marker: str, response: str, verdict: bool
) -> None:
    check = "detectable_content:postscript"
    assert strict(check, response, postscript_marker=marker) is verdict


NO_COMMA: Table = [
    ("No commas here.", True),
    ("a; b - c", True),
    ("a، b", True),  # Arabic
    ("a、b", True),  # ideographic
    ("a，b", True),  # full-width
    ("a‚b", True),  # low quotation mark
    ("- a\n- b", True),
    ("**a** _b_", True),
    ("```\nf(a)\n```", True),
    ("it's well-made", True),
    ("\"a 'b' c\"", True),
    ("  a  ", True),
    ("1.5", True),
    ("🙂", True),
    ("a\u0326", True),  # a combining comma below
    ("a, b", False),
    (",", False),
    ("2,500", False),
    ("Sure, here", False),
    ("a\n,b", LOOSE),
    ("*,*", False),
    ("```\nf(a, b)\n```", False),
    ('"a," he said', False),
    ("", False),
    (" ", False),
    ("\n\t", False),
    ("汉字,", False),
    ("[1,2]", False),
]


def test_only_the_ascii_comma_is_a_comma() -> None:
    assert_table("punctuation:no_comma", NO_COMMA)


END: Table = [
    ("Text. Any questions?", True),
    ("any QUESTIONS?", True),
    ("Any questions?  \n", True),
    ('"Text. Any questions?"', True),
    ('He said "Any questions?"', True),
    ('Any questions?""', True),
    ("many questions? Any questions?", True),
    ("company questions?", True),  # inside a word
    ("an questions?", False),
    ("\u00a0Any questions?\u00a0", True),
    ("🙂Any questions?", True),
    ("- a\n- Any questions?", True),
    ("```\nx\n```\nAny questions?", True),
    ("**Bold.** Any questions?", True),
    ("it's well-made. any questions?", True),
    ("Any questions? Yes", False),
    ("Any questions", False),
    ("Any questions?.", False),
    ("**Any questions?**", LOOSE),
    ("Any questions?*", LOOSE),
    ("“Any questions?”", False),
    ("'Any questions?'", False),
    ("```\nAny questions?\n```", LOOSE),
    ('Any questions? "', False),  # trimmed, the quote stripped, and the blank is in the way
    ("Any  questions?", False),
    ("Any\nquestions?", False),
    ("Any questions？", False),
    ("", False),
    ("  ", False),
    ('""', False),
    ("Any questions?\u200b", False),
]


def test_the_end_is_looked_at_without_blanks_and_straight_double_quotes() -> None:
    assert_table("startend:end_checker", END, end_phrase=" Any questions? ")


QUOTATION: Table = [
    ('"a"', True),
    ('  "a"\n', True),
    ('"a" and "b"', True),
    ('""', True),
    ('"a\n\nb"', True),
    ("\"it's 'nested' here\"", True),
    ('"she said "yes" twice"', True),
    ('"**bold**"', True),
    ('"```x```"', True),
    ('"汉字 🙂"', True),
    ('\u00a0"a"\u00a0', True),
    ('"- a\n- b"', True),
    ('"well-made, don\'t"', True),
    ('"{}"', True),
    ('"', False),
    ("a", False),
    ('"a', False),
    ('a"', False),
    ("“a”", False),
    ("'a'", False),
    ("«a»", False),
    ('**"a"**', LOOSE),
    ('"a".', False),
    ('```\n"a"\n```', LOOSE),
    ('Sure! "a"', False),
    ("", False),
    (" \n ", False),
    ('"a"\u200b', False),
    ("＂a＂", False),
]


def test_a_quotation_opens_and_closes_with_straight_double_quotes() -> None:
    assert_table("startend:quotation", QUOTATION)
