"""The scales that a text states for its figures: `(in thousands)`, `$ in millions`.

As a heading a statement covers the figures after it, up to the next one. At the end of a sentence
or table it covers the figures before it there. In a text run together it may be both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from runner.benches.finance.matching import currencies

# The scale word comes first, because it is rare; then what must stand before it.
_WORD = re.compile(
    r"(?<![A-Za-z0-9.,])(?P<plural>thousands|millions|billions|['’]?000['’]?s?)(?![A-Za-z0-9,.]?[0-9A-Za-z])"
    r"|(?<![0-9] )(?:(?<=[ $€£(])|(?<=USD|EUR|GBP|RMB))"
    r"(?P<short>thousand|million|billion|mm|mn|bn|m|b|k)(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_IN = re.compile(
    rf"(?:(?P<before>{currencies.NAMED})[ ,]{{0,2}}(?:amounts?[ ])?)?"
    rf"\(?(?<![A-Za-z])[Ii][Nn][ ](?:the[ ])?(?:(?P<inside>{currencies.NAMED})[ ]?)?\Z"
)
_NAMED = re.compile(rf"(?P<before>{currencies.NAMED})[ ]?\Z")  # and no number between
_OPEN = re.compile(r"\([ ]?\Z")
_OF = re.compile(rf"[ ]of[ ](?:(?P<of>{currencies.NAMED})|(?P<else>[A-Za-z]))")
_INTRO = 40  # characters before a scale word that belong to its statement
_OTHER_SUBJECT = re.compile(r"\b(?:shares|units|volumes?|number)\b", re.IGNORECASE)
_BREAK = re.compile(r"[.!?;][\"')]?\s+(?=[A-Z$(])|\n\s*\n")
# What may stand between the last figure of a table and the statement that closes it.
_JOINT = re.compile(
    r"(?:[\s(\[,;:|*–—-]|(?:all|amounts?|figures|dollars|are|is|expressed|stated|shown|US|U\.S\.)\b)*\Z",
    re.IGNORECASE,
)
_FIGURE_END = re.compile(r"(?:^|[^0-9A-Za-z])(?P<number>[0-9][0-9.,]*)\)?%?\Z")
_YEAR = re.compile(r"(?:19|20)[0-9]{2},?\Z")
_AFTER_CLOSING = re.compile(r"[^\S\n]*[)\]]?[^\S\n]*(?:[.;\n]|\Z)")


@dataclass(frozen=True)
class Stated:
    """One statement: its place, factor, and from where it covers the figures before it.

    `closes_from` is None for a pure heading; `is_heading` is false where it only closes.
    """

    start: int
    end: int
    factor: float
    is_dollar: bool
    closes_from: int | None
    is_heading: bool


def stated_scales(text: str) -> list[Stated]:
    """The statements of a text in their order."""
    found: list[Stated] = []
    for word in _WORD.finditer(text):
        intro, of = _intro(text, word), _OF.match(text, word.end())
        if intro is None or (of and of["else"]):  # `in millions of homes`
            continue
        last_end = found[-1].end if found else 0
        if found and _is_of_other_subject(text[last_end : intro.start()]):
            continue
        start, end = intro.start(), of.end() if of else word.end()
        closes_from = _closes_from(text, start, end, last_end)
        is_last_word = _AFTER_CLOSING.match(text, end) is not None
        if not is_last_word and found and found[-1].is_heading:
            closes_from = None  # the figures before it have their heading
        found.append(
            Stated(
                start=start,
                end=end,
                factor=_factor(word[0]),
                is_dollar=_is_dollar(intro, of),
                closes_from=closes_from,
                is_heading=closes_from is None or not is_last_word,
            )
        )
    return found


def _intro(text: str, word: re.Match[str]) -> re.Match[str] | None:
    """What makes a statement of a scale word: `in`, a currency right before it, or a bracket."""
    start, begin = word.start(), max(0, word.start() - _INTRO)
    named = _NAMED.search(text, begin, start)
    if named:
        return named
    stated = _IN.search(text, begin, start)
    if word["short"]:  # `$ in mm`, `(in million)`; without either it is prose
        is_headed = stated and (stated["before"] or stated["inside"] or "(" in stated[0][:1])
        return stated if is_headed else None
    return stated or _OPEN.search(text, begin, start)


def scale_of(place: int, scales: list[Stated]) -> Stated | None:
    """The statement that covers the figure at `place`: one that closes goes before a heading."""
    heading = None
    for stated in scales:
        if stated.closes_from is not None and stated.closes_from <= place < stated.start:
            return stated
        if stated.end <= place:
            heading = stated if stated.is_heading else None
    return heading


def _factor(word: str) -> float:
    letter = word.lower().lstrip("'’")[0]
    return {"t": 1e3, "0": 1e3, "k": 1e3, "m": 1e6, "b": 1e9}[letter]


def _is_dollar(intro: re.Match[str], of: re.Match[str] | None) -> bool:
    """Whether it is of dollars; a statement that names no currency is taken to be."""
    named = [*intro.groups(), of["of"] if of else None]
    return all(currencies.is_dollar(name.strip()) for name in named if name)


def _is_of_other_subject(between: str) -> bool:
    """Whether a second statement speaks of shares: `(in millions, except shares in thousands)`."""
    return not any(sign.isdigit() for sign in between) and bool(_OTHER_SUBJECT.search(between))


def _closes_from(text: str, start: int, end: int, last_end: int) -> int | None:
    """From where the figures before a statement are its own; None where it closes nothing.

    It closes where a figure stands right before it, that is no year or day of a heading. Alone on
    its line with figures below it, it is a heading.
    """
    joint = _JOINT.search(text, max(last_end, start - 60), start)
    if joint is None:
        return None
    last = _FIGURE_END.search(text, max(last_end, joint.start() - 30), joint.start())
    has_figures_below = re.search("[0-9]", text[end:]) is not None
    if last is None or (has_figures_below and _YEAR.search(last["number"])):
        return None
    if has_figures_below and "\n" in joint[0]:
        return None
    begin = last_end
    for found in _BREAK.finditer(text, last_end, start):
        begin = found.end()
    return begin
