"""The passage that a local engine shows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.engines.passages import best_passage

TEXT = (
    "The harbour opened at dawn. Nothing else happened that day. "
    "The council voted to raise ferry fares by five percent. Riders were not pleased. "
    "Storms are expected on Friday."
)


@pytest.mark.parametrize(
    ("words", "phrases", "chars", "passage"),
    [
        ("anything", [], 0, TEXT),
        ("anything", [], 5000, TEXT),
        ("nowhere found", [], 27, "The harbour opened at dawn."),
        ("council ferry", [], 55, "The council voted to raise ferry fares by five percent."),
        ("COUNCIL votes", [], 30, "The council voted to raise fer"),
        ("storm", [], 30, "Storms are expected on Friday."),
        ("harbour council", ["expected on friday"], 30, "Storms are expected on Friday."),
        ("the", [], 27, "The harbour opened at dawn."),
        ("riders pleased harbour", [], 26, "Riders were not pleased. S"),
    ],
)
def test_the_sentence_that_answers_best_is_chosen(
    words: str, phrases: list[str], chars: int, passage: str
) -> None:
    assert best_passage(TEXT, words, phrases, chars) == passage


def test_a_word_deep_in_a_long_sentence_is_shown() -> None:
    text = "word " * 500 + "needle " + "word " * 500
    passage = best_passage(text, "needle", [], 100)
    assert "needle" in passage
    assert passage.startswith("word")


def test_a_phrase_may_be_broken_over_lines() -> None:
    text = "x " * 200 + "exact\n  words here. " + "y " * 200
    assert "exact\n  words" in best_passage(text, "", ["exact words"], 60)


def test_a_tie_goes_to_the_earliest() -> None:
    assert best_passage("A cat sat. B cat sat. C cat sat.", "cat", [], 10) == "A cat sat."


@given(
    st.text(max_size=400), st.text(max_size=30), st.lists(st.text(max_size=9)), st.integers(1, 99)
)
def test_any_passage_is_a_piece_of_the_text_within_the_limit(
    text: str, words: str, phrases: list[str], chars: int
) -> None:
    passage = best_passage(text, words, phrases, chars)
    assert len(passage) <= chars
    assert passage in text
