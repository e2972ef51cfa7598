"""Text as the matchers compare it: cleaned, in normal form, in words, in sentences.

Three steps, each built on the one before:
- `visible_text`: what a reader sees. Entities decoded, highlight tags and zero-width marks gone.
- `plain_text`: one way to write each letter, quote and hyphen. Case and punctuation stay.
- `normal_form`: lower-case words without articles, one blank between them (N in the specification).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache

from runner.text import unescape_html

ARTICLES = frozenset({"a", "an", "the"})

# Search engines mark the words of the query; a tag inside a name must not tear it apart.
_TAG = re.compile(r"</?(?:b|strong|em|i|u|mark|span|font)(?:\s[^<>]{0,200})?/?>", re.IGNORECASE)
_INVISIBLE = re.compile("[\u00ad\u200b\u200c\u200d\u2060\ufeff]+")

# Footnote and trade marks would become digits and letters under NFKC (`1987²` is no 19872).
_MARKS = {ord(mark): " " for mark in "⁰¹²³⁴⁵⁶⁷⁸⁹™®©℠†‡"}
_TYPOGRAPHY = {
    **dict.fromkeys(map(ord, "‘’‚‛′´ʼʹ＇"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″«»"), '"'),
    **dict.fromkeys(map(ord, "‐‑"), "-"),
}
# Letters that Unicode does not take apart into a base and a mark.
_LETTERS = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "ı": "i"}
    | {"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ß": "ss", "þ": "th", "Þ": "Th"}
)
_BEFORE_NFKC = _MARKS | _TYPOGRAPHY
# Only these marks are accents; elsewhere (Devanagari, Thai) a combining mark is a letter.
_ACCENT = re.compile("[\u0300-\u036f]+")

_WORD = re.compile(r"[^\W_]+")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
MAX_CACHED_CHARS = 40

_SENTENCE_END = re.compile(r"[.!?]+[\"')\]]*[ \t]+|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
_ABBREVIATIONS = frozenset(
    "inc corp co ltd plc mr mrs ms dr st no vs etc jr sr approx est ca cf dept intl bros".split()
)


def visible_text(text: str) -> str:
    """The text that a reader of the page sees, its characters otherwise as they were."""
    if "&" in text:
        text = unescape_html(text)
    if "<" in text:
        text = _TAG.sub("", text)
    if "**" in text:
        text = text.replace("**", "")
    return text if text.isascii() else _INVISIBLE.sub("", text)


def plain_text(text: str) -> str:
    """The visible text in one spelling: accents, ligatures, quotes and hyphens are folded."""
    text = visible_text(text).replace("`", "'")
    if text.isascii():
        return text
    # Run by run: most of a text is ASCII, and its few other characters are always the same.
    return _NOT_ASCII.sub(lambda run: _folded(run.group()), text)


def _folded(run: str) -> str:
    return _folded_once(run) if len(run) <= MAX_CACHED_CHARS else _fold(run)


def _fold(run: str) -> str:
    wide = unicodedata.normalize("NFKC", run.translate(_BEFORE_NFKC))
    # An accent on an ASCII letter begins its own run, and goes like any other.
    apart = unicodedata.normalize("NFKD", wide)
    whole = unicodedata.normalize("NFC", _ACCENT.sub("", apart))
    return whole.translate(_LETTERS).translate(_TYPOGRAPHY)


_folded_once = lru_cache(maxsize=4096)(_fold)


def normal_form(text: str) -> str:
    """The lower-case words of a text without punctuation and articles, one blank between."""
    found = _WORD.findall(plain_text(text).lower())
    return " ".join(word for word in found if word not in ARTICLES)


class Words:
    """The words of a plain text in normal form, with where each begins in it."""

    __slots__ = ("starts", "words")

    def __init__(self, plain: str) -> None:
        self.words: list[str] = []
        self.starts: list[int] = []
        for found in _WORD.finditer(plain):
            word = found.group().lower()
            if word not in ARTICLES:
                self.words.append(word)
                self.starts.append(found.start())

    def index_at(self, offset: int) -> int:
        """The number of the word that covers an offset, or the last one before it."""
        return max(0, bisect_right(self.starts, offset) - 1)

    def around(self, index: int, reach: int) -> str:
        """The words at most `reach` away from word `index`, as one phrase."""
        return " ".join(self.words[max(0, index - reach) : index + reach + 1])

    def between(self, start: int, end: int) -> str:
        """The words that begin in [start, end) of the text, as one phrase."""
        first = bisect_right(self.starts, start - 1)
        return " ".join(self.words[first : bisect_right(self.starts, end - 1)])


def places_of(text: str, part: str, start: int = 0, end: int | None = None) -> Iterator[int]:
    """Each offset at which a part stands in a text.

    A pattern that looks back before its first letter is tried at every letter of a text; to try
    it at these places only is many times as fast.
    """
    last = len(text) if end is None else end
    place = text.find(part, start, last)
    while place >= 0:
        yield place
        place = text.find(part, place + 1, last)


def has_phrase(normal: str, phrases: Iterable[str]) -> bool:
    """Whether a normal form holds one of the phrases as whole words."""
    padded = f" {normal} "
    return any(f" {phrase} " in padded for phrase in phrases)


def sentence_starts(plain: str) -> list[int]:
    """Where each sentence or line begins; abbreviations and initials end none."""
    starts = [0]
    for end in _SENTENCE_END.finditer(plain):
        if end.group()[0] in ".!?" and not _ends_sentence(plain, end):
            continue
        starts.append(end.end())
    return starts


def sentence_at(plain: str, starts: list[int], offset: int) -> tuple[int, int]:
    """The start and end of the sentence that covers an offset."""
    place = bisect_right(starts, offset)
    return starts[place - 1], starts[place] if place < len(starts) else len(plain)


def _ends_sentence(plain: str, end: re.Match[str]) -> bool:
    if end.group()[0] != ".":
        return True
    if end.end() < len(plain) and plain[end.end()].islower():
        return False
    # Enough to see the longest abbreviation; a longer word is none.
    before = re.split(r"[^\w]", plain[max(0, end.start() - 12) : end.start()])[-1].lower()
    return len(before) > 1 and before not in _ABBREVIATIONS
