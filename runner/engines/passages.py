"""The passage of a text that answers a query best: what a local engine shows as its snippet."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

_WORD = re.compile(r"\w+")
_SENTENCE_START = re.compile(r"(?:[.!?…。！？]+[\"'”’)\]]*\s+|\n+)(?=\S)")
MIN_STEM = 4


def best_passage(text: str, words: str, phrases: Sequence[str], max_chars: int) -> str:
    """At most `max_chars` of the text (0 = all), from the start of a sentence where one fits.

    The passage with most phrases wins, then the one with most different words of the query, then
    the one with most occurrences, then the earliest. Words match from their start, without a
    common English ending.
    """
    if max_chars <= 0 or len(text) <= max_chars:
        return text
    hits = _hits(text, words, phrases)
    starts = [0, *(match.end() for match in _SENTENCE_START.finditer(text))]
    positions = [position for position, _, _ in hits]
    if hits:  # a sentence longer than the passage may hold its words beyond the end
        starts += [max(0, position - max_chars // 4) for position in positions[:200]]
    best = (-1, -1, -1, 0)
    for start in sorted(set(starts)):
        end = start + max_chars
        inside = hits[bisect_left(positions, start) : bisect_left(positions, end)]
        whole = [(kind, name) for at, kind, name in inside if at + len(name) <= end]
        kinds = set(whole)
        value = (
            sum(kind == 0 for kind, _ in kinds),
            sum(kind == 1 for kind, _ in kinds),
            len(whole),
            -start,
        )
        best = max(best, value)
    start = -best[3]
    return _from_word(text, start)[:max_chars].rstrip()


def _hits(text: str, words: str, phrases: Sequence[str]) -> list[tuple[int, int, str]]:
    """(position, 0 for a phrase or 1 for a word, its pattern), by position."""
    found: list[tuple[int, int, str]] = []
    for phrase in phrases:
        pattern = r"\s+".join(map(re.escape, phrase.split()))
        if pattern:
            matches = re.finditer(pattern, text, re.IGNORECASE)
            found += [(match.start(), 0, phrase) for match in matches]
    stems = sorted({_stem(word.lower()) for word in _WORD.findall(words)}, key=len, reverse=True)
    if stems:
        pattern = rf"\b(?:{'|'.join(map(re.escape, stems))})"
        matches = re.finditer(pattern, text, re.IGNORECASE)
        found += [(match.start(), 1, match[0].lower()) for match in matches]
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
