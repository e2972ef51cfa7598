"""Exact quantities in a text: digits of any script, numbers, and numbers written as words."""

from __future__ import annotations

import re

from runner.benches.scholar.words import folded

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?:\D|$))")
_UNITS = "two|three|four|five|six|seven|eight|nine"
_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fourty|fifty|sixty|seventy|eighty|ninety"
_LARGE = "dozen|hundred|thousand|million|billion|trillion"
_ORDINALS = (
    "fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|(?:thir|four|fif|six|seven"
    "|eigh|nine)teenth|(?:twen|thir|for|fif|six|seven|eigh|nine)tieth|hundredth|thousandth"
    "|millionth|billionth"
)
# "dozens of" and "hundreds of" are as blurred as "many"; a ratio is an exact value
_SPELLED = re.compile(
    rf"\b(?:(?:{_TENS})?(?:one|{_UNITS})(?:fold|some)?|(?:{_TEENS}|{_TENS}|{_LARGE})(?:fold)?"
    rf"|(?:{_ORDINALS})s?|(?:two|three)-?(?:thirds|quarters)|percents?|per\s{{1,5}}cents?|percentiles?"
    r"|decile|quartile)\b"
)
_ONE = re.compile(r"one(?:some)?\Z")


def has_digit(text: str) -> bool:
    """Whether a character stands for a number: digits of any script, `²`, `½`, `Ⅳ`; also `%`."""
    return any(char.isnumeric() or char in "%\u2030\u2031\u066a" for char in text)


def numbers(text: str) -> set[str]:
    """The numbers in digits, without separators of thousands: `3,014` is `3014`."""
    return set(_NUMBER.findall(_THOUSANDS.sub("", folded(text))))


def spelled_quantity(text: str) -> str | None:
    """The first exact quantity in words, from two up (`twenty-five`, `tenfold`, `per cent`)."""
    for match in _SPELLED.finditer(folded(text).lower()):
        if not _ONE.match(match[0]):
            return match[0]
    return None
