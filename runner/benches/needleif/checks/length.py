"""Checks on length: words and paragraphs."""

from __future__ import annotations

import re

from .text import count_matches, holds

DIVIDER = "***"
_WORD = re.compile(r"\w+")


def number_words(response: str, *, num_words: int, relation: str) -> bool:
    """So many runs of word characters: "it's" and "2,500" are two, "snake_case" is one."""
    return holds(relation, count_matches(_WORD, response), num_words)


def number_paragraphs(response: str, *, num_paragraphs: int) -> bool:
    """Exactly so many parts between the `***` dividers, none in the middle blank.

    A divider before the first or after the last paragraph is harmless. Blank lines do not
    divide, and neither do `* * *` and `---`.
    """
    parts = [part.strip() for part in response.split(DIVIDER)]
    return all(parts[1:-1]) and sum(map(bool, parts)) == num_paragraphs
