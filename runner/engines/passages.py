"""The passage of a text that answers a query best: what a local engine shows as its snippet."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

_WORD = re.compile(r"\w+")
_SENTENCE_START = re.compile(r"(?:[.!?…。！？]+[\"'”’)\]]*\s+|\n+)(?=\S)")
MIN_STEM = 4
MAX_STEMS = 64
MAX_INNER_STARTS = 200


def best_passage(text: str, words: str, phrases: Sequence[str], max_chars: int) -> str:
    """At most `max_chars` of the text (0 = all), from the start of a sentence where one fits.

    The passage with most phrases wins, then the one with most different words of the query, then
    the start of a sentence, then most occurrences, then the earliest. Words match from their
    start, without a common English ending.
    """
    if max_chars <= 0 or len(text) <= max_chars:
        return text
    hits = _hits(text, words, phrases)
    positions = [hit.start for hit in hits]
    sentences = {0, *(match.end() for match in _SENTENCE_START.finditer(text))}
    # a sentence longer than the passage may hold its words beyond the end
    inside = {max(0, position - max_chars // 4) for position in positions[:MAX_INNER_STARTS]}
    best = (0, 0, True, 0, 0)
    for start in sentences | inside:
        near = hits[bisect_left(positions, start) : bisect_left(positions, start + max_chars)]
        whole = [hit for hit in near if hit.end <= start + max_chars]
        names = {(hit.is_phrase, hit.name) for hit in whole}
        phrases_in = sum(is_phrase for is_phrase, _ in names)
        value = (phrases_in, len(names) - phrases_in, start in sentences, len(whole), -start)
        best = max(best, value)
    return _from_word(text, -best[4])[:max_chars].rstrip()


class _Hit(NamedTuple):
    """A phrase or a word of the query in the text; `name` tells it from others."""

    start: int
    end: int
    is_phrase: bool
    name: str


def _hits(text: str, words: str, phrases: Sequence[str]) -> list[_Hit]:
    """All hits by position."""
    found: list[_Hit] = []
    for phrase in phrases:
        pattern = r"\s+".join(map(re.escape, phrase.split()))
        matches = re.finditer(pattern, text, re.IGNORECASE) if pattern else ()
        found += [_Hit(match.start(), match.end(), True, phrase) for match in matches]
    stems = sorted({_stem(word.lower()) for word in _WORD.findall(words)}, key=len, reverse=True)
    if stems:
        pattern = rf"\b({'|'.join(map(re.escape, stems[:MAX_STEMS]))})\w*"
        matches = re.finditer(pattern, text, re.IGNORECASE)
        found += [_Hit(*match.span(), False, match[1].lower()) for match in matches]
    return sorted(found)


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= MIN_STEM:
            return word.removesuffix(ending)
    return word


def _from_word(text: str, start: int) -> str:
    """The text from `start`, or from the next word where `start` lies inside one."""
    if start == 0 or not (text[start - 1].isalnum() and text[start].isalnum()):
        return text[start:]
    space = re.compile(r"\s").search(text, start)
    return text[space.end() :] if space and space.end() - start < 40 else text[start:]
