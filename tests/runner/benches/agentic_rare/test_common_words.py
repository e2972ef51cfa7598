"""Common words and their typos, against a comparison with every one of them."""

from __future__ import annotations

import random

import pytest
from rapidfuzz.distance import OSA
from wordfreq import top_n_list, zipf_frequency

from runner.benches.agentic_rare.filtering.common_words import Typos, common_words


@pytest.fixture(scope="module")
def typos() -> Typos:
    return Typos(common_words())


def test_common_words_are_those_of_zipf_3() -> None:
    words = [word for word in top_n_list("en", 40_000) if word.isascii() and word.isalpha()]
    common = common_words()
    assert 25_000 < len(common) < 32_000
    assert all((word in common) == (zipf_frequency(word, "en") >= 3.0) for word in words[::7])


@pytest.mark.parametrize(
    "word",
    [
        "schizophrenic",  # a common word itself, however many pieces it has
        "shizophrenic",
        "schizophrenicc",
        "schizophrenis",
        "schizophernic",  # neighbours swapped
        "chizophrenic",
        "schizophreni",
        "indestructable",
        "accomodation",
        "recieve",
    ],
)
def test_a_word_one_edit_from_a_common_one_is_a_typo(typos: Typos, word: str) -> None:
    assert typos.is_typo(word)


@pytest.mark.parametrize(
    "word",
    ["qgrepwyzk", "vx730qtz", "snorvexylite", "frobnicetylene", "shizofrenic", "nephcizohrsic"],
)
def test_a_rare_word_is_none(typos: Typos, word: str) -> None:
    assert not typos.is_typo(word)


def test_the_index_finds_what_a_comparison_with_every_word_finds(typos: Typos) -> None:
    rng = random.Random(3)
    common = sorted(common_words())
    words = []
    for word in rng.choices(common, k=120):
        for _ in range(rng.randint(0, 3)):
            i = rng.randrange(len(word) + 1)
            letter = rng.choice(["", *"abcdeiorstxz"])
            word = word[:i] + letter + word[i + rng.randint(0, 1) :]
        if len(word) > 2 and rng.random() < 0.3:
            word = word[0] + word[2] + word[1] + word[3:]
        words.append(word)
    answers = {
        word: any(OSA.distance(word, other, score_cutoff=1) <= 1 for other in common)
        for word in words
    }
    assert {word: typos.is_typo(word) for word in words} == answers
    assert set(answers.values()) == {True, False}


def test_no_word_is_a_typo_of_nothing() -> None:
    assert not Typos([]).is_typo("anything")
