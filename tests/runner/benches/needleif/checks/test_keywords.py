from __future__ import annotations

import pytest

from tests.runner.benches.needleif.checks.tables import LOOSE, Table, assert_table, strict

EXISTENCE: Table = [
    ("The river met the old oak.", True),
    ("RIVER and OLD OAK", True),
    ("Riverside, cold oaks", True),  # inside longer words
    ("rivers of gold oak", True),
    ("**river** and `old oak`", True),
    ("```\nriver\nold oak\n```", True),
    ("  old oak\n\nriver  ", True),
    ("old oak-river", True),
    ("riv\u0435r old oak", False),  # a Cyrillic letter
    ("r\u0131ver old oak", True),  # a dotless i equals i when case is ignored
    ("river old\noak", False),  # a line break is no blank
    ("river old  oak", False),
    ("river old\u00a0oak", False),
    ("river old\toak", False),
    ("river only", False),
    ("old oak only", False),
    ("", False),
    ("   \n", False),
    ("\u00a0", False),
    ("ri-ver old oak", False),
    ("ri\u200bver old oak", False),
    ("*ri*ver old oak", LOOSE),
    ("Sure! Here: river, old oak.", True),
    ("\"river\" 'old oak'", True),
    ("river's bend, the old oak's shade", True),
    ("old_oak river", False),
    ("ＲＩＶＥＲ old oak", False),  # full-width letters are others
    ("🌊river🌳old oak🌳", True),
    ('{"a": "river", "b": ["old oak"]}', True),
]


def test_existence_finds_each_keyword_in_either_case_and_inside_words() -> None:
    assert_table("keywords:existence", EXISTENCE, keywords=["river", "old oak"])


@pytest.mark.parametrize(
    ("keyword", "response", "verdict"),
    [
        ("kelvin", "\u212aelvin", True),  # the Kelvin sign
        ("mass", "ma\u017fs", True),  # the long s
        ("strasse", "straße", False),
        (" oak ", "oak", False),  # existence does not trim
        (" oak ", "an oak tree", True),
    ],
)
def test_existence_ignores_case_as_patterns_do_and_trims_nothing(
    keyword: str, response: str, verdict: bool
) -> None:
    assert strict("keywords:existence", response, keywords=[keyword]) is verdict


def test_no_keywords_are_always_there_but_a_blank_response_still_fails() -> None:
    assert strict("keywords:existence", "x", keywords=[])
    assert not strict("keywords:existence", " ", keywords=[])


FREQUENCY: Table = [
    ("war and war", True),
    ("War WAR", True),
    ("Warsaw dwarf", True),  # inside words
    ("warwar", True),
    ("war-war", True),
    ("war\nwar", True),
    ("**war** _war_", True),
    ("toward toward", True),
    ("```war\nwar```", True),
    ('"war" said "war"', True),
    ("war's war's", True),
    ("war.war.war", True),
    ("wa\u200br war", False),
    ("war", False),
    ("dwarf", False),
    ("w ar war", False),
    ("wa*r war", LOOSE),
    ("", False),
    (" \n ", False),
    ("peace", False),
    ("wаr wаr", False),  # Cyrillic a
    ("wär wär", False),
    ("Sure, here is one war.", False),
    ("wwarr warr", True),
    ("  war  war  ", True),
    ("wa-r wa-r", False),
    ("wa\nr wa\nr", False),
    ("[war](war)", True),
]


def test_frequency_counts_a_keyword_inside_words_too() -> None:
    assert_table("keywords:frequency", FREQUENCY, keyword=" war ", frequency=2, relation="at least")


@pytest.mark.parametrize(
    ("response", "verdict"),
    [("the end", True), ("there is the end", False), ("an end", True), ("", False)],
)
def test_less_than_counts_inside_words_and_a_blank_response_fails(
    response: str, verdict: bool
) -> None:
    arguments = {"keyword": "the", "frequency": 2, "relation": "less than"}
    assert strict("keywords:frequency", response, **arguments) is verdict


def test_occurrences_do_not_overlap() -> None:
    arguments = {"keyword": "aa", "relation": "at least"}
    assert strict("keywords:frequency", "aaaaa", frequency=2, **arguments)
    assert not strict("keywords:frequency", "aaaaa", frequency=3, **arguments)


FORBIDDEN: Table = [
    ("artist", True),
    ("start", True),
    ("art_1", True),
    ("art1", True),
    ("partial smartness", True),
    ("A badge of honour", True),
    ("arté", True),
    ("part-time", True),
    ("a\u200brt", True),
    ("a*rt", True),
    ("аrt", True),  # Cyrillic a
    ("```\nstart\n```", True),
    ("nothing at all", True),
    ("art", False),
    ("Art.", False),
    ("art's", False),
    ("pop-art", False),
    ("ART", False),
    ("*art*", False),
    ('"art"', False),
    ("“art”", False),
    ("`art`", False),
    ("state of the\nart", LOOSE),
    ("(art)", False),
    ("so bad", False),
    ("bad-tempered", False),
    ("art\u0301", False),  # a combining mark is no word character
    ("Here you go: art", False),
    ("", False),
    ("\t\n", False),
    ("🎨art🎨", False),
    ("_art_", True),  # an underscore is a word character
]


def test_forbidden_words_are_found_standing_alone_only() -> None:
    assert_table("keywords:forbidden_words", FORBIDDEN, forbidden_words=["art", "bad"])


LETTER: Table = [
    ("eee", True),
    ("EeE", True),
    ("three e", True),
    ("Here are three", True),
    ("e\ne\ne", True),
    ("*e* **e** `e`", True),
    ("e-e-e", True),
    ("e\u0301e\u0301e\u0301", True),  # a decomposed accent leaves its base letter
    ("éee", False),
    ("ééé", False),
    ("ее е", False),  # Cyrillic
    ("ee", False),
    ("e", False),
    ("", False),
    ("  ", False),
    ("no such", False),
    ("ｅｅｅ", False),
    ("```json\nnever here\n```", True),
    ("\"ever\" 'e'", True),
    ("we've seen", True),
    ("it's well-made", False),
    ("e 🙂 e", False),
    ("\n\ne e e\n\n", True),
    ("EEE!", True),
    ("Sure! Here:", True),
    ("Sure! He is:", False),
    ("[e] <e> {e}", True),
    ("ＥＥe", False),
]


def test_letters_are_counted_in_either_case_and_without_their_accents() -> None:
    assert_table(
        "keywords:letter_frequency", LETTER, letter="E", let_frequency=3, let_relation="at least"
    )


def test_fewer_letters_than_the_bound_pass_when_less_is_asked() -> None:
    arguments = {"letter": "x", "let_relation": "less than"}
    assert strict("keywords:letter_frequency", "one x", let_frequency=2, **arguments)
    assert not strict("keywords:letter_frequency", "x x", let_frequency=2, **arguments)
    assert not strict("keywords:letter_frequency", "no", let_frequency=0, **arguments)
