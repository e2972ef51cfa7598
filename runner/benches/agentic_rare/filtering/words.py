"""A query as the filter reads it: its tidy text, its words, its length bucket and its n-grams."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Literal

LengthBucket = Literal["short", "medium", "long"]
MAX_SHORT, MAX_MEDIUM = 2, 5  # words

# soft hyphens, joiners, marks of direction: unseen, they would part a word or turn a page around
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_WORD = re.compile(r"[^\W_]+")  # letters and digits: punctuation and symbols part words


def tidy(text: str) -> str:
    """The text in Unicode's composed form (NFC), trimmed, white space runs to one space.

    Characters that cannot be seen are left out.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", _INVISIBLE.sub("", text))
    return " ".join(text.split())


def words_of(text: str) -> list[str]:
    """The words in lower case; whatever is neither letter nor digit stands between words."""
    return _WORD.findall(text.lower())


def length_bucket(n_words: int) -> LengthBucket:
    """`short` up to 2 words, `medium` up to 5, else `long`."""
    if n_words <= MAX_SHORT:
        return "short"
    return "medium" if n_words <= MAX_MEDIUM else "long"


def ngrams(words: Sequence[str], n: int) -> Iterator[str]:
    """Each run of `n` words once; a query of fewer words is one run as a whole."""
    if len(words) <= n:
        yield " ".join(words)
        return
    yield from dict.fromkeys(" ".join(words[i : i + n]) for i in range(len(words) - n + 1))
