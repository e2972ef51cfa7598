"""Words, lengths and runs of words."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.agentic_rare.filtering.words import length_bucket, ngrams, tidy, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("?!… –", []),
        ("Don't panic", ["don", "t", "panic"]),
        ("driver’s manual", ["driver", "s", "manual"]),
        ("C++ / C#", ["c", "c"]),
        ("snake_case kebab-case", ["snake", "case", "kebab", "case"]),
        ("“quoted” (words)", ["quoted", "words"]),
        ("€20 + 5%", ["20", "5"]),
        ("Ångström ÉTÉ", ["ångström", "été"]),
        ("v1.2.3", ["v1", "2", "3"]),
    ],
)
def test_words_are_runs_of_letters_and_digits(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize(
    ("n", "bucket"),
    [
        (1, "short"),
        (2, "short"),
        (3, "medium"),
        (5, "medium"),
        (6, "long"),
        (60, "long"),
    ],
)
def test_a_length_has_its_bucket(n: int, bucket: str) -> None:
    assert length_bucket(n) == bucket


@pytest.mark.parametrize(
    ("words", "n", "runs"),
    [
        ("a b c d", 3, ["a b c", "b c d"]),
        ("a b c", 3, ["a b c"]),
        ("a b", 3, ["a b"]),
        ("a", 3, ["a"]),
        ("a a a a a", 3, ["a a a"]),
        ("a b a b", 2, ["a b", "b a"]),
        ("a b", 1, ["a", "b"]),
    ],
)
def test_runs_of_words(words: str, n: int, runs: list[str]) -> None:
    assert list(ngrams(words.split(), n)) == runs


@pytest.mark.parametrize(
    ("text", "tidied"),
    [
        ("  a \t b\n\nc ", "a b c"),
        ("a\u00a0b\u2003c", "a b c"),
        ("cafe\u0301", "café"),
        ("snor\u200bvexy\u00adlite", "snorvexylite"),
        ("\u202eabc\u202c \ufeff", "abc"),
        ("e\u200d\u0301", "é"),
        ("a – b", "a – b"),
    ],
)
def test_a_text_is_tidied(text: str, tidied: str) -> None:
    assert tidy(text) == tidied


@given(st.text(max_size=60))
def test_tidying_twice_is_tidying_once(text: str) -> None:
    once = tidy(text)
    assert tidy(once) == once
    assert once == once.strip()
    assert "  " not in once
    assert unicodedata.is_normalized("NFC", once)
    assert all(word and word == word.lower() for word in words_of(once))
