"""What every matcher of the finance bench gets and gives.

A matcher is made once for a question (`matcher(question)`) and then asked about each result. It
answers how the result states the value, for the record (`match_via`), or None.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """One gold value and its aliases (any of them may match); `company` is the registered name."""

    field: str
    values: tuple[str | int | float, ...]
    company: str = ""


@dataclass(frozen=True)
class Evidence:
    """One search result: `text` is its title, a blank, and its snippet, cut as the run says."""

    url: str
    text: str


Matcher = Callable[[Evidence], str | None]
