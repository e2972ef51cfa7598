"""Plain text as sentences: what a haystack is cut from.

A document becomes a list of pieces. Each is a sentence with its separator in front: a blank, or
a blank line where a paragraph begins. Joined they are the document's normalised text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from runner.benches.needleif.records import has_marker_line

PARAGRAPH = "\n\n"
_BLANK_LINES = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_BLANKS = re.compile(r"\s+")
_STOP = re.compile(r"[.!?…]+[\"'”’»)\]}]* (?=(.))")
_OPENING_QUOTES = "\"'“‘«„"
_ABBREVIATED = re.compile(
    r"(?<![^\W_])(?:Mr|Mrs|Ms|Dr|St|Prof|Capt|Col|Gen|Rev|Hon|Jr|Sr|vs|etc|No|Vol|Ch|pp|[A-Z])\.$"
)


def paragraphs(text: str) -> list[str]:
    """The paragraphs with their wrapped lines joined; LF, no byte order mark, no blank ends.

    A paragraph with a line that marks a document's begin or end is left out.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    kept = []
    for block in _BLANK_LINES.split(text):
        if not has_marker_line(block):
            joined = _BLANKS.sub(" ", block).strip()
            if joined:
                kept.append(joined)
    return kept


def sentences(paragraph: str) -> Iterator[str]:
    """The sentences of a paragraph; joined with one blank they are the paragraph again.

    A sentence ends at `.`, `!`, `?` or `…` with any closing quotes, before an upper-case letter,
    a digit or an opening quote, unless the stop belongs to an abbreviation or an initial.
    """
    start = 0
    for stop in _STOP.finditer(paragraph):
        following = stop[1]
        if not (following.isupper() or following.isdigit() or following in _OPENING_QUOTES):
            continue
        end = stop.end() - 1
        if _ABBREVIATED.search(paragraph, max(start, end - 6), end):
            continue
        yield paragraph[start:end]
        start = end + 1
    yield paragraph[start:]


def pieces_of(paragraph: str) -> list[str]:
    """The paragraph's sentences, the first led by a blank line and the others by a blank."""
    first, *others = sentences(paragraph)
    return [PARAGRAPH + first, *(" " + other for other in others)]
