"""Normal form, words and sentences: what the matchers compare."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.benches.normal import (
    Words,
    has_phrase,
    normal_form,
    plain_text,
    sentence_at,
    sentence_starts,
    visible_text,
)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("The Coca-Cola Company", "coca cola company"),
        ("Josh D’Amaro", "josh d amaro"),
        ("Josh D'Amaro", "josh d amaro"),
        ("José  Muñoz", "jose munoz"),
        ("Jose\u0301", "jose"),
        ("ＡＣＭＥ", "acme"),
        ("ﬁnance", "finance"),
        ("Ørsted", "orsted"),
        ("Łódź", "lodz"),
        ("Straße", "strasse"),
        ("İstanbul", "istanbul"),
        ("1987²", "1987"),
        ("Windows™ 11", "windows 11"),
        ("an apple a day", "apple day"),
        ("snake_case", "snake case"),
        ("AT&amp;T", "at t"),
        ("<b>Acme</b> <strong class='x'>Inc</strong>", "acme inc"),
        ("Ac\u00adme", "acme"),
        ("Ac\u200bme", "acme"),
        ("a\u00a0b", "b"),
        ("東京", "東京"),
        ("किताब", "क त ब"),
        ("", ""),
        ("…!?", ""),
    ],
)
def test_normal_form(text: str, normal: str) -> None:
    assert normal_form(text) == normal


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("“Acme” ‘Inc’", "\"Acme\" 'Inc'"),
        ("O´Brien O`Brien O′Brien", "O'Brien O'Brien O'Brien"),
        ("non‑breaking", "non-breaking"),
        ("1987–88 — so", "1987–88 — so"),
        ("Ångström", "Angstrom"),
        ("5 < 6 & 7 > 6", "5 < 6 & 7 > 6"),
    ],
)
def test_plain_text_keeps_case_and_punctuation(text: str, plain: str) -> None:
    assert plain_text(text) == plain


def test_visible_text_keeps_accents() -> None:
    assert visible_text("**ácme**&nbsp;<em>x</em>") == "ácme\u00a0x"


def test_words_know_where_they_begin() -> None:
    words = Words("The cat, a DOG.")
    assert words.words == ["cat", "dog"]
    assert words.starts == [4, 11]
    assert words.index_at(11) == 1
    assert words.index_at(6) == 0
    assert words.around(0, 1) == "cat dog"
    assert words.between(0, 9) == "cat"


@pytest.mark.parametrize(
    ("text", "phrases", "is_there"),
    [
        ("became ceo", ["ceo"], True),
        ("ceos", ["ceo"], False),
        ("chief executive officer", ["chief executive"], True),
        ("chief of executive", ["chief executive"], False),
        ("", ["ceo"], False),
        ("ceo", [], False),
    ],
)
def test_a_phrase_counts_as_whole_words(text: str, phrases: list[str], is_there: bool) -> None:
    assert has_phrase(text, phrases) is is_there


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One. ", "Two! ", "Three?"]),
        ("Acme Inc. is here. Next", ["Acme Inc. is here. ", "Next"]),
        ("Acme Inc. Nasdaq: ACME", ["Acme Inc. Nasdaq: ACME"]),
        ("J. Smith said", ["J. Smith said"]),
        ("It is 3.5 high", ["It is 3.5 high"]),
        ("one\ntwo", ["one\n", "two"]),
        ("approx. five", ["approx. five"]),
        ('He said "yes." Then', ['He said "yes." ', "Then"]),
        ("", [""]),
    ],
)
def test_sentences_end_at_full_stops_and_lines_but_not_at_abbreviations(
    text: str, sentences: list[str]
) -> None:
    starts = sentence_starts(text)
    spans = [sentence_at(text, starts, start) for start in starts]
    assert [text[start:end] for start, end in spans if start < len(text) or not text] == sentences


@settings(deadline=None)
@given(st.text())
def test_normal_form_is_a_fixed_point(text: str) -> None:
    once = normal_form(text)
    assert normal_form(once.replace("&", "")) == once


@settings(deadline=None)
@given(st.text())
def test_every_place_of_a_text_is_in_one_sentence(text: str) -> None:
    starts = sentence_starts(text)
    for offset in range(len(text)):
        start, end = sentence_at(text, starts, offset)
        assert start <= offset < end or start == offset == end
