"""The figures of a text: what number is written where, and what its surroundings make of it.

Reading every number of a table in full would cost more than the whole budget, and nearly none of
them is near the gold. So a matcher first looks for numbers that begin with the right digits
(`beginning`), and reads only those in full (`figure_at`).

Work on cleaned text (cleaning.py). A figure is not read out of ids, dates, telephone numbers,
references (`Note 5`), bare years, percentages, or anything glued to letters.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from runner.benches.finance.matching import currencies, other_numbers

NUMBER = re.compile(r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,6}(?![0-9])|[0-9]+)(?:\.[0-9]+)?|\.[0-9]+")

_MAX_CHARS = 24  # a longer number is an id
_FACTORS = {"t": 1e12, "b": 1e9, "m": 1e6, "k": 1e3}


class Sign(Enum):
    """What the writing itself says; words may say more (losses.py)."""

    UNSIGNED = "unsigned"
    NEGATIVE = "negative"
    EITHER = "either"  # `($458 million)` in prose is a negative amount or an aside


@dataclass(frozen=True)
class Figure:
    """One number in its text: [start, end) includes its currency, sign, scale and closing.

    `value` is the written number, `unit` the worth of its last digit, `digits` how many it has
    without leading zeros. `scale` is the factor of its scale word, None where it has none.
    """

    start: int
    end: int
    value: float
    unit: float
    digits: int
    sign: Sign = Sign.UNSIGNED
    currency: str | None = None
    scale: float | None = None
    is_cents: bool = False

    @property
    def is_bare(self) -> bool:
        """Whether its scale is not said beside it, as in a table."""
        return self.scale is None and not self.is_cents


# --- what stands before a number

_BEFORE = re.compile(
    rf"""(?P<dash>[-–][ ]?)?
    (?P<open>\([ |]{{0,3}})?
    (?P<dash2>(?<![-–])[-–])?
    (?:(?P<currency>{currencies.BEFORE})[ |]{{0,3}})?
    (?P<open2>\([ |]{{0,3}})?
    (?P<dash3>(?<![-–])[-–])?
    \Z""",
    re.VERBOSE,
)
_WINDOW = 24  # characters before a number that may belong to it

# --- what stands after it

_SCALE = re.compile(
    r"(?:\s?|-)(?P<word>trillions?|trn|tn|billions?|bln|bn|millions?|mln|mil|mio|mn|mm|thousands?)"
    r"(?![A-Za-z0-9])"
    r"|[ ]?(?P<letter>[tbmk])(?![A-Za-z0-9&'’]|-[A-Za-z])",
    re.IGNORECASE,
)
_CLOSE = re.compile(r"[ |]{0,4}\)")
_PERCENT = re.compile(
    r"\s?-?(?:%|per[ ]?cent|pct\b|percentage|basis[ ]points?|(?-i:bps?|pps?|pts?)\b"
    r"|(?-i:points?)\b(?![ ](?:to|out)\b))",
    re.IGNORECASE,
)
_CENTS = re.compile(r"[ ]?(?:¢|-?cents?\b)|[ ]?US[ ]cents?\b", re.IGNORECASE)
_RANGE = re.compile(
    rf"[ ]?(?:-|–|—|to\b)[ ]?(?:{currencies.BEFORE})?[ ]?(?=[0-9.])(?P<number>{NUMBER.pattern})"
)
_GLUED_AFTER = re.compile(
    r"[^\W0-9]|[@\\°×⁄]|-(?!(?:employee|person|worker|strong)\b)[A-Za-z]"
    r"|/[0-9]|/(?!(?:diluted[ ])?share)[A-Za-z]"
    r"|:[0-9]|\.[0-9A-Za-z]|,[0-9]"
)


def beginning(values: Iterable[float], tolerance: float) -> re.Pattern[str]:
    """Where a number may stand that is one of `values` at any power of ten, within `tolerance`.

    It looks at the first two digits only, so most of its finds are something else; but it misses
    none. A comma or dot may stand between the digits, and zeros before them.
    """
    starts = {start for value in values for start in _starts(abs(value), tolerance)}
    # Every alternative begins with a character of its own, so that the rest of a text is skipped
    # at the speed of a scan; what may not stand before it is therefore looked for behind it.
    first = [f"{start[0]}(?<![0-9.]{start[0]}){start[1:]}" for start in sorted(starts)]
    later = "|".join(sorted(starts))
    return re.compile(
        rf"{'|'.join(first)}|0(?<![0-9.]0)\.0*(?:{later})|\.(?<![0-9.]\.)0*(?:{later})"
    )


def _starts(size: float, tolerance: float) -> Iterator[str]:
    """Patterns of the first two digits of every number in a band, whatever its power of ten."""
    if size == 0:
        yield "0"
        return
    size *= 10.0 ** (1 - math.floor(math.log10(size)))  # 10 to 99.99
    low, high = size * (1 - tolerance) - 1e-6, size * (1 + tolerance) + 1e-6
    pairs = [*range(max(10, math.floor(low)), math.floor(high) + 1)]
    if low < 10:  # the band begins in the decade below
        pairs += range(math.floor(low * 10), 100)
    for pair in pairs:
        tens, ones = divmod(pair if pair < 100 else pair // 10, 10)
        # A digit alone is followed by a zero that is not written.
        yield rf"{tens}(?:[.,]?0|(?![.,]?[0-9]))" if ones == 0 else rf"{tens}[.,]?{ones}"


def figures_near(
    text: str, near: re.Pattern[str], is_possible: Callable[[float], bool]
) -> Iterator[Figure]:
    """The figures at the finds of `near` whose written number is possible, in their order."""
    for found in near.finditer(text):
        number = NUMBER.match(text, found.start())
        if number is None or number.end() - number.start() > _MAX_CHARS:
            continue
        if is_possible(float(number[0].replace(",", ""))):
            figure = figure_at(text, number.start())
            if figure is not None:
                yield figure


def figure_at(text: str, start: int) -> Figure | None:
    """The figure whose digits begin at `start`, or None where no amount is written there."""
    number = NUMBER.match(text, start)
    if number is None or number.end() - start > _MAX_CHARS or _is_id(number[0]):
        return None
    if _is_part_of_longer(text, number):
        return None
    before = _BEFORE.search(text, max(0, start - _WINDOW), start)
    assert before is not None  # every part of it is optional
    is_bracketed = bool(before["open"] or before["open2"])
    after = _read_after(text, number, is_bracketed, before["currency"])
    if after is None:
        return None
    sign = _sign(text, before, after, is_bracketed)
    is_plain = after.scale is None and not after.is_cents and before["currency"] is None
    is_minus = sign is Sign.NEGATIVE and not is_bracketed
    if is_plain and other_numbers.is_no_amount(
        text, number, is_minus=is_minus, is_bracketed=is_bracketed
    ):
        return None
    decimals = len(number[0]) - number[0].find(".") - 1 if "." in number[0] else 0
    return Figure(
        start=before.start(),
        end=after.end,
        value=float(number[0].replace(",", "")),
        unit=10.0**-decimals,
        digits=len(number[0].replace(",", "").replace(".", "").lstrip("0")),
        sign=sign,
        currency=_currency(text, before["currency"], after.end),
        scale=after.scale,
        is_cents=after.is_cents,
    )


@dataclass(frozen=True)
class _After:
    """What follows a number: up to where it belongs to it, and what it says."""

    end: int
    scale: float | None = None
    is_cents: bool = False
    is_closed: bool = False
    is_scale_inside: bool = False  # `($458 million)`, not `$(458) million`


def _read_after(
    text: str, number: re.Match[str], is_bracketed: bool, currency: str | None
) -> _After | None:
    """The closing bracket, scale word and cents after a number; None where it is no amount."""
    end = number.end()
    if _PERCENT.match(text, end):
        return None
    scale = _SCALE.match(text, end)
    end = scale.end() if scale else end
    is_scale_inside = scale is not None
    closing = _CLOSE.match(text, end) if is_bracketed else None
    if closing:
        end = closing.end()
        if scale is None:
            scale = _SCALE.match(text, end)
            end = scale.end() if scale else end
    if scale:
        factor = _FACTORS[_letter(scale)]
        return _After(end, factor, False, closing is not None, is_scale_inside)
    if _PERCENT.match(text, end):
        return None
    cents = _CENTS.match(text, end)
    if cents:
        return _After(cents.end(), None, True, closing is not None)
    range_end = _RANGE.match(text, end)
    factor_of_range = None
    if range_end:
        last = range_end.end()
        if currency is None and _PERCENT.match(text, last):
            return None
        if currency is None and _CENTS.match(text, last):
            return _After(end, None, True, closing is not None)
        factor_of_range = _range_factor(text, last, number[0])
    if _GLUED_AFTER.match(text, end) and not _is_csv_comma(text, number, end):
        return None
    return _After(end, factor_of_range, False, closing is not None)


def _letter(scale: re.Match[str]) -> str:
    """The key of a scale word: its first letter, but `k` for thousands."""
    word = (scale["word"] or scale["letter"]).lower()
    return "k" if word.startswith("thousand") else word[0]


def _range_factor(text: str, end: int, written: str) -> float | None:
    """The scale of `20` in `$20-35 billion`: a whole range has one scale word, at its end.

    A number with thousands of its own (`$900,000 to $2 million`) does not wait for it.
    """
    scale = _SCALE.match(text, end)
    if scale is None or len(written.split(".")[0]) > 3:
        return None
    return _FACTORS[_letter(scale)]


def _sign(text: str, before: re.Match[str], after: _After, is_bracketed: bool) -> Sign:
    """Minus, brackets, or neither. A dash is a minus only where it can join nothing."""
    if is_bracketed and after.is_closed:
        return Sign.EITHER if after.is_scale_inside else Sign.NEGATIVE
    if is_bracketed and after.end + 2 >= len(text) and not text[after.end :].strip():
        return Sign.NEGATIVE  # the snippet was cut before the closing bracket
    if before["dash2"] or before["dash3"]:
        return Sign.NEGATIVE
    if before["dash"] and not before["dash"].endswith(" "):
        left = text[before.start() - 1] if before.start() else " "
        if not (left.isalnum() or left in ")%$€£¥.'’-–—"):
            return Sign.NEGATIVE
    return Sign.UNSIGNED


def _currency(text: str, written: str | None, end: int) -> str | None:
    """The figure's currency: usd, other, or None where none is named."""
    if currencies.is_foreign_after(text, end):
        return "other"
    if written is None:
        return None
    return "usd" if currencies.is_dollar(written) else "other"


def _is_id(written: str) -> bool:
    """Whether a number begins with a zero that no amount begins with (`0000320193`)."""
    return len(written) > 1 and written[0] == "0" and written[1] != "."


def _is_part_of_longer(text: str, number: re.Match[str]) -> bool:
    """Whether digits, separators or a path continue to the left of a number."""
    start = number.start()
    left = text[start - 1] if start else " "
    if left.isdigit() or left == "." or (left == ":" and text[start - 2 : start - 1].isdigit()):
        return True
    if left == "," and text[start - 2 : start - 1].isdigit():
        return not _is_long(re.split(r"[^0-9.]", text[max(0, start - 13) : start - 1])[-1], number)
    return False


def _is_csv_comma(text: str, number: re.Match[str], end: int) -> bool:
    """Whether the comma after a number parts two of them, as in a file of values."""
    following = NUMBER.match(text, end + 1)
    return text[end : end + 1] == "," and following is not None and _is_long(number[0], following)


def _is_long(left: str, right: re.Match[str]) -> bool:
    """Whether neither side of a comma can be a group of thousands of the other."""
    return all("," not in part and (len(part) > 3 or "." in part) for part in (left, right[0]))
