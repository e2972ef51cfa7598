"""How large a prompt may be, so that prompt and answer always fit the window.

usable = 95 % of the bucket          budget = usable - reserve for the answer - margin
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from runner.benches.needleif.records import Needle
from runner.errors import UsageError

SAFETY_MARGIN = 16
DEFAULT_RESERVE = 2048
_LABEL = re.compile(r"([1-9][0-9]{0,4})k")


def window_tokens(bucket: str) -> int:
    """The tokens of a context window: 8,192 for `8k`."""
    match = _LABEL.fullmatch(bucket)
    if match is None:
        raise UsageError(f"bucket {bucket!r}: expected a number of kibitokens such as 8k or 128k")
    return int(match[1]) * 1024


def usable_tokens(window: int) -> int:
    """95 % of the window, rounded down in whole numbers."""
    return window * 95 // 100


def prompt_budget(window: int, reserve: int, margin: int = SAFETY_MARGIN) -> int:
    """What is left for the prompt; not above 0 where the reserve is too large."""
    return usable_tokens(window) - reserve - margin


def needed_reserve(needle: Needle) -> int:
    """Tokens that the shortest allowed answer may take: 64, and 1.5 for each word asked for."""
    words = [
        arguments["num_words"]
        for arguments in needle.kwargs
        if arguments.get("relation") == "at least" and "num_words" in arguments
    ]
    return 64 + -(-3 * max(words) // 2) if words else 64


@dataclass(frozen=True, kw_only=True)
class Bucket:
    """A window and how it is shared out."""

    label: str
    window: int
    reserve: int
    budget: int

    def holds_answer(self, needle: Needle) -> bool:
        """Whether the reserve is enough for the answer that the needle asks for."""
        return needed_reserve(needle) <= self.reserve


def bucket_of(label: str, reserve: int | Mapping[str, int], margin: int) -> Bucket:
    """The bucket with its budget; `reserve` may be a table with a number for some buckets."""
    if not isinstance(reserve, int):
        reserve = reserve.get(label, DEFAULT_RESERVE)
    window = window_tokens(label)
    budget = prompt_budget(window, reserve, margin)
    if budget <= 0:
        raise UsageError(
            f"bucket {label}: a reserve of {reserve} tokens leaves no room for the prompt; "
            f"{usable_tokens(window)} tokens are usable; lower output_reserve"
        )
    return Bucket(label=label, window=window, reserve=reserve, budget=budget)


def longest_fit(count: Callable[[int], int], *, budget: int, start: int, most: int) -> int:
    """The most sentences whose prompt fits the budget, or 0 where not even one does.

    `count(n)` is the real size of the prompt with n sentences, `start` a first guess, `most` how
    many sentences there are. Between a size that fits and one that does not, the next guess is
    where the straight line through both meets the budget, and at the latest the middle. Counts
    need be neither additive nor monotone: at the end one sentence more never fits.
    """
    known: dict[int, int] = {}

    def size(n: int) -> int:
        if n not in known:
            known[n] = count(n)
        return known[n]

    fits, too_many = 0, most + 1
    guess = max(1, min(start, most))
    linear = True
    while too_many - fits > 1:
        guess = max(fits + 1, min(guess, too_many - 1))
        if size(guess) <= budget:
            fits = guess
        else:
            too_many = guess
        if too_many > most:
            guess = fits + max(1, fits * max(0, budget - size(fits)) // max(1, size(fits)))
        elif linear and fits in known:
            rise = max(1, size(too_many) - size(fits))
            guess = fits + (budget - size(fits)) * (too_many - fits) // rise
        else:
            guess = (fits + too_many) // 2
        linear = not linear
    while fits < most and size(fits + 1) <= budget:
        fits += 1
    return fits
