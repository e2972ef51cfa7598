"""Addresses and codes, side by side with what looks like them."""

from __future__ import annotations

import random
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.agentic_rare.filtering.eligible import is_ineligible, is_urlish
from runner.benches.agentic_rare.filtering.words import words_of

VIN_CHARS = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"


@pytest.mark.parametrize(
    "text",
    [
        "http://a",
        "see HTTPS://a now",
        "www.a",
        "(www.a)",
        "a.com",
        "A.COM",
        "a.com.",
        "a.com/b",
        "a.com:80",
        "a.co.jp",
        "mail a@b.org",
        "a-b.net",
        "a.io, b",
        "a.de?",
        "x.fr",
        "x.ru",
        "_x.com",
    ],
)
def test_an_address_is_urlish(text: str) -> None:
    assert is_urlish(text)


@pytest.mark.parametrize(
    "text",
    [
        "http is a protocol",
        "https only",
        "awww.cute",
        "www hosting",
        ".net 8 release",
        "dot com bubble",
        "a.community",
        "a.network",
        "a.ion",
        "v2.design",
        "e.g. com",
        "sentence. Net income",
        "a.uk",
        "a.xyz",
        "1.5 jp",
    ],
)
def test_other_words_are_not(text: str) -> None:
    assert not is_urlish(text)


@pytest.mark.parametrize(
    "text",
    [
        "1HGCM82633A004352",
        "1hgcm82633a004352",
        "(1HGCM82633A004352)",
        "vin:1HGCM82633A004352.",
        "A2345678901234567",
        "0123456789abcdef01234567",
        "x0123456789ABCDEF01234567y",
        "f" + "0" * 23,
        "550E8400-E29B-41D4-A716-446655440000",
        "0x" + "1" * 40,
        "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
        "A1" + "h" * 30,
        "A1" + "h" * 42,
    ],
)
def test_a_code_is_ineligible(text: str) -> None:
    assert is_ineligible(f"what is {text} about", words_of(f"what is {text} about"))


@pytest.mark.parametrize(
    "text",
    [
        "1HGCM82633A00435",  # 16 characters
        "1HGCM82633A0043521",  # 18
        "1HGCM82633A00435O",  # an O
        "1HGCM82633A00435I",
        "1HGCM82633A00435Q",
        "12345678901234567",  # no letter
        "ABCDEFGHJKLMNPRST",  # no digit
        "0123456789abcdef0123456",  # 23 hex digits
        "0" * 40,  # no letter
        "550e8400-e29b-41d4-a716-44665544000",  # a digit short
        "0x" + "1" * 39,
        "0x" + "1" * 41,
        "A1" + "h" * 29,  # 31
        "A1" + "h" * 43,  # 45
        "A" + "z" * 31,  # no digit
        "1" + "z" * 31,  # no capital
        "1" + "Z" * 31,  # no small letter
        "A10" + "z" * 29,  # 0 is not of base58
        "electroencephalogram",
        "pseudopseudohypoparathyroidism",
        "naïve façade – “quoted” … €5 £3 ¥9 ₿1",
        "tiếng việt",
    ],
)
def test_what_only_looks_like_a_code_is_eligible(text: str) -> None:
    assert not is_ineligible(f"what is {text} about", words_of(f"what is {text} about"))


@given(st.text(VIN_CHARS, min_size=17, max_size=17), st.sampled_from(["{}", "a {} b", "({})"]))
def test_seventeen_vin_characters_are_a_vin_where_both_kinds_are_among_them(
    code: str, place: str
) -> None:
    text = place.format(code)
    has_both = any(c.isalpha() for c in code) and any(c.isdigit() for c in code)
    assert is_ineligible(text, words_of(text)) == has_both


@given(st.text("0123456789abcdefABCDEF", min_size=24, max_size=64))
def test_a_hex_run_is_a_hash_where_it_has_a_letter(run: str) -> None:
    assert is_ineligible(run, words_of(run)) == any(char in string.ascii_letters for char in run)


@pytest.mark.parametrize(
    "text",
    ["a" * 100_000, "1aB" * 30_000, "0x" * 50_000, "www." * 25_000, "-a" * 50_000, "f-" * 50_000],
)
def test_hostile_text_is_checked_in_linear_time(text: str) -> None:
    began = time.process_time()
    is_urlish(text)
    is_ineligible(text, words_of(text))
    assert time.process_time() - began < 1.0


def test_the_characters_that_are_written_are_latin_punctuation_and_currency() -> None:
    inside = "\u0020\u007e\u00a0\u024f\u1e00\u1eff\u2000\u206f\u20a0\u20cf"
    outside = "\u001f\u0250\u1dff\u1f00\u1fff\u2070\u209f\u20d0\u2122\u3000\U0001f600"
    assert not any(is_ineligible(char, []) for char in inside)
    assert all(is_ineligible(char, []) for char in outside)


def test_a_made_up_word_of_letters_is_no_code() -> None:
    rng = random.Random(0)
    for _ in range(500):
        word = "".join(rng.choices("qwxzvbnmlkjhgstyuiop", k=rng.randint(5, 30)))
        assert not is_ineligible(word, [word])
