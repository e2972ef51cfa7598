"""Checks on words and letters: keywords present, counted and absent, a letter counted."""

from __future__ import annotations

from collections.abc import Sequence

from .text import count_matches, holds, literal, whole_literal


def existence(response: str, *, keywords: Sequence[str]) -> bool:
    """Every keyword occurs, also inside longer words; white space has to match exactly."""
    return all(literal(keyword).search(response) for keyword in keywords)


def frequency(response: str, *, keyword: str, frequency: int, relation: str) -> bool:
    """The trimmed keyword occurs so often: "war" counts in "Warsaw" and in "dwarf"."""
    return holds(relation, count_matches(literal(keyword.strip()), response), frequency)


def forbidden_words(response: str, *, forbidden_words: Sequence[str]) -> bool:
    """None of the words stands by itself; "art" is in "pop-art" and "art's", not in "artist"."""
    return not any(whole_literal(word).search(response) for word in forbidden_words)


def letter_frequency(response: str, *, letter: str, let_frequency: int, let_relation: str) -> bool:
    """The character, any single one, occurs so often once both sides are lower-cased.

    Whatever the character is, it is the one that is counted: `#` and `!` too.
    """
    return holds(let_relation, response.lower().count(letter.lower()), let_frequency)
