"""Whether a text states a number of employees.

A count is the gold when it is within 15 % of it. It has its scale beside it (`17.5k`, `150
thousand`) or none: nobody prints employees in millions. Years, percentages and amounts of money
are no counts, nor is a number of other things (`17,000 stores`), and a cue (`employees`, `staff`)
must stand within 20 words of the number.
"""

from __future__ import annotations

import re

from runner.benches.finance.fields import FIELDS
from runner.benches.finance.matching import other_numbers
from runner.benches.finance.matching.cleaning import clean
from runner.benches.finance.matching.figures import (
    Figure,
    Sign,
    beginning,
    figures_near,
)
from runner.benches.finance.matching.question import Evidence, Matcher, Question

TOLERANCE = 0.15
CUE_WORDS = 20
_MONEY_AFTER = re.compile(r"[ -]?(?:USD(?![A-Za-z])|(?:U\.?S\.? )?dollars?\b)", re.IGNORECASE)
_WORD = re.compile(r"\w+(?:[.,]\w+)*")
_SCALES = (1.0, 1e3, 1e6)
_REACH = 400  # characters in which 20 words are looked for


def matcher(question: Question) -> Matcher:
    """Whether an evidence states one of the question's counts: "text:figure" or None."""
    golds = tuple(float(value) for value in question.values)
    cues = frozenset(FIELDS[question.field].cues)
    near = beginning(golds, TOLERANCE)
    any_cue = re.compile("|".join(map(re.escape, sorted(cues))), re.IGNORECASE)

    def is_possible(number: float) -> bool:
        return any(_is_within(number * scale, gold) for scale in _SCALES for gold in golds)

    def match(evidence: Evidence) -> str | None:
        if not any_cue.search(evidence.text):
            return None
        text = clean(evidence.text)
        for figure in figures_near(text, near, is_possible):
            if not _is_count(text, figure):
                continue
            count = figure.value * (figure.scale or 1.0)
            if any(_is_within(count, gold) for gold in golds) and _has_cue(text, figure, cues):
                return "text:figure"
        return None

    return match


def _is_within(count: float, gold: float) -> bool:
    return abs(count - gold) <= TOLERANCE * gold * (1 + 1e-9)


def _is_count(text: str, figure: Figure) -> bool:
    """Whether a figure may count persons: no money, no change (`-500`), no other things."""
    if figure.currency is not None or figure.is_cents:
        return False
    if _MONEY_AFTER.match(text, figure.end):
        return False
    is_minus = figure.sign is Sign.NEGATIVE and text[figure.start] != "("
    return not is_minus and other_numbers.COUNTED_THINGS.match(text, figure.end) is None


def _has_cue(text: str, figure: Figure, cues: frozenset[str]) -> bool:
    """Whether a cue stands within 20 words of a figure, before it or after."""
    before = _WORD.findall(text, max(0, figure.start - _REACH), figure.start)[-CUE_WORDS:]
    after = _WORD.findall(text, figure.end, figure.end + _REACH)[:CUE_WORDS]
    return not cues.isdisjoint(word.lower() for word in (*before, *after))
