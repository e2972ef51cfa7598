"""Where the needle goes: between two paragraphs, or else two sentences, near its depth."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

# A paragraph boundary farther off than this is given up for a sentence boundary.
FARTHEST_SHARE = 0.02
FARTHEST_CHARS = 1000
BLANK_LINE = "\n\n"


def haystack_text(pieces: Sequence[str]) -> str:
    """The sentences as one text, without what separates the first from those before it."""
    return "".join(pieces).lstrip()


def insert(pieces: Sequence[str], needle_text: str, depth_percent: float) -> tuple[str, int]:
    """The body with the needle as a paragraph of its own, and the needle's offset in it.

    Each piece is a sentence with its separator in front: a blank, or a blank line where a
    paragraph begins. Depth is the share of the haystack's characters before the needle. Ties go
    to the earlier boundary.
    """
    haystack = haystack_text(pieces)
    cut = _cut(pieces, len(haystack), depth_percent)
    before, after = haystack[:cut].rstrip(), haystack[cut:].lstrip()
    head = before + BLANK_LINE if before else ""
    tail = BLANK_LINE + after if after else ""
    return head + needle_text + tail, len(head)


def _cut(pieces: Sequence[str], length: int, depth_percent: float) -> int:
    target = round(depth_percent / 100 * length)
    led_by = len(pieces[0]) - len(pieces[0].lstrip())
    ends = [end - led_by for end in accumulate(map(len, pieces))]
    # boundaries[i] lies before piece i; the last one is the end of the text.
    boundaries = [0, *ends]
    paragraphs = [
        i
        for i in range(len(boundaries))
        if i in (0, len(pieces)) or pieces[i].startswith(BLANK_LINE)
    ]
    best = min(boundaries[i] for i in _nearest(boundaries, paragraphs, target))
    if abs(best - target) <= min(FARTHEST_SHARE * length, FARTHEST_CHARS):
        return best
    first = max(i for i in paragraphs if boundaries[i] <= target)
    last = min((i for i in paragraphs if boundaries[i] > target), default=len(pieces))
    inside = [*range(first, last + 1)]
    return min(boundaries[i] for i in _nearest(boundaries, inside, target))


def _nearest(boundaries: Sequence[int], candidates: Sequence[int], target: int) -> list[int]:
    distance = min(abs(boundaries[i] - target) for i in candidates)
    return [i for i in candidates if abs(boundaries[i] - target) == distance]
