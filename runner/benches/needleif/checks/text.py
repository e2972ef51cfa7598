"""What several checks share: a literal as a pattern, and the two relations."""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=1024)
def literal(text: str) -> re.Pattern[str]:
    """A pattern that matches `text` as it stands, in either case.

    Not the same as comparing lower-cased forms: `ſ` equals s and `ı` equals i here.
    """
    return re.compile(re.escape(text), re.IGNORECASE)


@lru_cache(maxsize=1024)
def whole_literal(text: str) -> re.Pattern[str]:
    """As `literal`, with no word character directly before or after it."""
    return re.compile(rf"(?<!\w){re.escape(text)}(?!\w)", re.IGNORECASE)


def count_matches(pattern: re.Pattern[str], text: str) -> int:
    """The number of matches that do not overlap, left to right."""
    return sum(1 for _ in pattern.finditer(text))


def holds(relation: str, count: int, bound: int) -> bool:
    """Whether `count` stands to `bound` as `relation` says; loading lets no other word pass."""
    if relation == "at least":
        return count >= bound
    if relation == "less than":
        return count < bound
    return count == bound
