from __future__ import annotations

import pytest

from tests.runner.benches.needleif.checks.tables import LOOSE, Table, assert_table, strict

WORDS: Table = [
    ("one two three four", True),
    ("it's well-made", True),
    ("e-mail@x.org", True),
    ("2,500 3.5", True),
    ("f*o*o bar", True),
    ("don't can't", True),
    ("one\ntwo\tthree\u00a0four", True),
    ("один два три четыре", True),
    ("* a\n* b\n* c\n* d", True),
    ("**a** _b_ `c` d", True),
    ("```python\na b c\n```", True),
    ("\"a 'b' c\" d", True),
    ("  one two three four  ", True),
    ("a\u200bb\u200bc d", True),
    ("١ ٢ ٣ ٤", True),
    ("one two three", False),
    ("snake_case_is_one", False),
    ("汉字汉字汉字汉字", False),
    ("🙂 🙂 🙂 🙂", False),
    ("- - - -", False),
    ("... !!! ??? ,,,", False),
    ("", False),
    (" \n\t ", False),
    ("it's one", False),
    ("2,500 x", False),
    ("a_b c_d e_f", False),
    ("one🙂two🙂three", False),
    ("e\u0301te\u0301", False),  # marks split words: e, te
    ("Sure! Here is it:", True),
]


def test_words_are_runs_of_word_characters() -> None:
    assert_table("length_constraints:number_words", WORDS, num_words=4, relation="at least")


@pytest.mark.parametrize(
    ("response", "words"),
    [
        ("it's", 2),
        ("well-made", 2),
        ("2,500", 2),
        ("e-mail@x.org", 4),
        ("snake_case", 1),
        ("汉字", 1),
        ("f*o*o", 3),
        ("a 🙂", 1),
    ],
)
def test_a_response_has_exactly_its_number_of_words(response: str, words: int) -> None:
    check = "length_constraints:number_words"
    assert strict(check, response, num_words=words, relation="at least")
    assert not strict(check, response, num_words=words + 1, relation="at least")
    assert strict(check, response, num_words=words + 1, relation="less than")
    assert not strict(check, response, num_words=words, relation="less than")


PARAGRAPHS: Table = [
    ("a\n***\nb", True),
    ("a***b", True),
    ("a\n\n***\n\nb", True),
    ("***\na\n***\nb", True),  # a divider before the first
    ("a\n***\nb\n***", True),  # and after the last
    ("***\na\n***\nb\n***", True),
    ("a\n\nb\n\nc\n***\nd", True),  # blank lines do not matter
    ("an a ***bold b", True),
    ("a****b", True),  # splits once and leaves a star
    ("  a *** b  ", True),
    ("# Kopf\n***\n- ß\n- ü", True),
    ("```\na\n```\n***\nb", True),
    ("🙂***🙂", True),
    ('"a"\n***\n"it\'s b"', True),
    ("a\u00a0***\u00a0b", True),
    ("a", False),
    ("a\n***\nb\n***\nc", LOOSE),
    ("a\n******\nb", False),  # a gap in the middle
    ("a\n***\n***\nb", False),
    ("a\n***\n \n***\nb", False),
    ("a\n* * *\nb", False),
    ("a\n---\nb", False),
    ("a\n\nb", False),
    ("", False),
    ("***", False),
    ("***\n***", False),
    ("\n \n", False),
    ("a very ***bold*** word", False),  # three parts
    ("a\n***", False),
    ("Sure!\n***\na\n***\nb", LOOSE),
    ("a\n___\nb", False),
    ("a\n**\nb", False),
]


def test_paragraphs_are_what_three_stars_divide() -> None:
    assert_table("length_constraints:number_paragraphs", PARAGRAPHS, num_paragraphs=2)


def test_zero_is_a_number_of_its_own() -> None:
    assert strict("length_constraints:number_paragraphs", "***", num_paragraphs=0)
    assert not strict("length_constraints:number_paragraphs", "a", num_paragraphs=0)
