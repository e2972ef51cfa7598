"""Whether a text states an amount of money: net income, operating income, revenue, EPS.

An amount is the gold when it is within 0.1 % of it with the same sign. A figure with a scale word
(`$185.8 million`) has one amount. One without, as in a table, may be whole dollars, thousands or
millions, unless the text states its scale; of fewer than three digits it is never scaled without
such a statement. Amounts a share are never scaled and need a cue (`eps`, `per share`).

Three scales give a figure three chances to hit by accident: a table of 150 figures states a
random gold in 4 % of cases. Two rules bring that to 0.3 % (tests: figure noise), and lose no figure
that stands alone or in a sentence, because they hold in a crowded text only: one with more than
`CROWD` figures that could be scaled. A figure with a scale word is never subject to them.

- **The label rule.** A figure counts in the full band where its label names the field. Its label
  is the words before it with nothing but other figures between: in `Net income 185,808 150,201`
  both figures have it.
- **The rounding rule.** Any other figure counts where it is the gold rounded to its own last
  digit, and has four digits or more. A table prints its amounts so and in no other way; of 372
  numbers in the band around 185,808 it leaves an accident one.

Two kinds of figure are so common that fewer of them are a crowd (`BUSY`): one of one or two digits
under a stated scale needs its label where the text has more than that many numbers, and an amount
a share, among more than that many with decimals, needs its cue as its label or right after it
(`diluted` will do below a cue). A whole number without currency needs its cue there always, and
what is called a dividend or a par value is never earnings.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from runner.benches.finance.fields import FIELDS, is_per_share
from runner.benches.finance.matching import other_numbers, stated_scales
from runner.benches.finance.matching.cleaning import clean
from runner.benches.finance.matching.figures import (
    NUMBER,
    Figure,
    Sign,
    beginning,
    figures_near,
)
from runner.benches.finance.matching.losses import is_loss
from runner.benches.finance.matching.question import Evidence, Matcher, Question

TOLERANCE = 0.001
_BAND = TOLERANCE * (1 + 1e-9)  # and what binary fractions add
CROWD = 20  # figures that could be scaled; see above
BUSY = 6
_MIN_DIGITS_TO_SCALE = 3
_MIN_DIGITS_UNLABELLED = 4
_ZERO_PER_SHARE = 0.005
_HALF = 0.5 + 1e-6  # of a last digit, and what binary fractions add

_TABLE_SCALES = ((1e3, "text:table_thousands"), (1e6, "text:table_millions"))
# A figure that a table could hold: three digits or more, no bare year, no percentage.
_COULD_BE_SCALED = re.compile(
    r"(?<![0-9A-Za-z.,-])(?!(?:1[5-9]|20)[0-9]{2}(?![0-9,.]))"
    r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{3,})(?![0-9])(?! ?%)"
)
# A figure that could be an amount a share: it has decimals, and is no percentage or ratio.
_COULD_BE_A_SHARE = re.compile(
    r"(?<![0-9A-Za-z.,])[0-9]{0,3}\.[0-9]{1,4}(?![0-9.])(?! ?(?:%|x|[MmBb](?:illion|n)?\b))"
)
_LABELS = {
    "net_income": r"\bnet\W+(?:\(?loss(?:es)?\)?|income|earnings|profits?)\b"
    r"|\b(?:profit|loss|income|earnings)\W+(?:\(loss\)\W+)?(?:for the|attributable)\b",
    "operating_income": r"\boperating\W+(?:\(?loss(?:es)?\)?|income|profits?|earnings)\b"
    r"|\b(?:profit|loss|income|earnings)\W+(?:\(loss\)\W+)?from\W+operations\b",
    "revenue": r"\b(?:revenues?|sales|turnover)\b",
}
_LABEL_REACH = 200  # characters between a row's label and its last figure
_ROW = 8  # figures that one label may have: more of them are no row
_DATES = re.compile(r"(?<![0-9,.])(?:19|20)[0-9]{2}(?![0-9,.])|(?<=[a-z.] )[0-9]{1,2}(?=,)")
_DIGIT = re.compile(r"[0-9]")
_SHARE_ROW = re.compile(r"\b(?:diluted|dilution|basic)\b", re.IGNORECASE)
_OTHER_A_SHARE = re.compile(
    r"\b(?:dividends?|distributions?|par value|price target|book value)\b"
    r"(?!.*\b(?:eps|earnings|income|loss|profit|diluted|basic)\b)",
    re.IGNORECASE | re.DOTALL,
)
_HEADING_REACH = 300  # characters between `earnings per share` and the row `diluted` below it
_CUE_AFTER = 40  # characters after a figure in which its cue may stand (`$0.36 per share`)


def matcher(question: Question) -> Matcher:
    """Whether an evidence states one of the question's amounts, and how.

    Raises ValueError where a gold value is no finite number.
    """
    golds = tuple(_amount_of(value) for value in question.values)
    field = question.field
    label, cue = _label(field), _cue(field)
    near = beginning(golds, TOLERANCE)
    is_possible = _is_possible(golds)

    def match(evidence: Evidence) -> str | None:
        text = clean(evidence.text)
        reading: _Reading | None = None
        for figure in figures_near(text, near, is_possible):
            if reading is None:
                reading = _Reading(text, label, cue, is_per_share(field))
            via = reading.via(figure, golds)
            if via is not None:
                return via
        return None

    return match


def _amount_of(value: str | int | float) -> float:
    amount = float(value)
    if not math.isfinite(amount):
        raise ValueError(f"a gold amount must be a finite number, not {value!r}")
    return amount


@functools.cache
def _label(field: str) -> re.Pattern[str] | None:
    """The words that name a field at the head of a table row."""
    return re.compile(_LABELS[field], re.IGNORECASE) if field in _LABELS else None


@functools.cache
def _cue(field: str) -> re.Pattern[str] | None:
    """The phrases without which no figure of the field is stated; None where none is needed."""
    cues = FIELDS[field].cues if field in FIELDS else ()
    if not cues:
        return None
    phrases = "|".join(r"[\W_]+".join(map(re.escape, cue.split())) for cue in cues)
    return re.compile(rf"(?<![A-Za-z0-9])(?:{phrases})(?![A-Za-z0-9])|/ ?share\b", re.IGNORECASE)


def _is_possible(golds: Iterable[float]) -> Callable[[float], bool]:
    """Whether a written number is a gold value at some scale: asked before its surroundings."""
    scales = (0.01, 1.0, 1e3, 1e6, 1e9, 1e12)
    bands = [
        (abs(gold) / scale * (1 - _BAND), abs(gold) / scale * (1 + _BAND))
        for gold in golds
        for scale in scales
    ]
    if 0.0 in golds:
        bands.append((0.0, _ZERO_PER_SHARE))
    return lambda number: any(low <= number <= high for low, high in bands)


def _is_within(amount: float, gold: float) -> bool:
    return abs(amount - gold) <= _BAND * gold


@dataclass(frozen=True)
class _Amount:
    """One amount that a figure may state, without its sign; `unit` is its last digit's worth."""

    size: float
    unit: float
    via: str


class _Reading:
    """A text in which a figure came near the gold: what its surroundings say, found once."""

    def __init__(
        self,
        text: str,
        label: re.Pattern[str] | None,
        cue: re.Pattern[str] | None,
        is_per_share: bool,
    ) -> None:
        self.text = text
        self.label = label
        self.cue = cue
        self.is_per_share = is_per_share
        self.has_cue = cue is None or cue.search(text) is not None

    @functools.cached_property
    def is_busy(self) -> bool:
        return len(NUMBER.findall(self.text)) > BUSY

    @functools.cached_property
    def is_crowded(self) -> bool:
        if self.is_per_share and len(_COULD_BE_A_SHARE.findall(self.text)) > BUSY:
            return True
        return len(_COULD_BE_SCALED.findall(self.text)) > CROWD

    @functools.cached_property
    def scales(self) -> list[stated_scales.Stated]:
        return stated_scales.stated_scales(self.text)

    def via(self, figure: Figure, golds: Iterable[float]) -> str | None:
        """How a figure states one of the gold values, None where it does not."""
        if not self.has_cue or figure.currency == "other":
            return None
        if figure.currency is None and other_numbers.COUNTED.match(self.text, figure.end):
            return None
        if self.is_per_share and self._is_of_other_kind(figure):
            return None
        for amount in self._amounts(figure):
            for gold in golds:
                if not self._is_size_of(amount, gold) or not self._is_trusted(figure, amount, gold):
                    continue
                signs = self._signs(figure)
                if gold == 0 or (gold > 0) in signs:
                    is_word = signs == _LOSS and figure.sign is not Sign.NEGATIVE
                    return "text:loss_word" if is_word else amount.via
        return None

    def _is_size_of(self, amount: _Amount, gold: float) -> bool:
        """Within the band; a zero is exact, but a share's is anything below half a cent."""
        if gold == 0:
            return amount.size < _ZERO_PER_SHARE if self.is_per_share else amount.size == 0
        return _is_within(amount.size, abs(gold))

    def _amounts(self, figure: Figure) -> list[_Amount]:
        """Every amount that a figure may state at its place."""
        if figure.is_cents:
            return [_scaled(figure, 0.01, "text:figure")]
        if figure.scale is not None:
            return [_scaled(figure, figure.scale, "text:figure")]
        plain = _scaled(figure, 1.0, "text:figure")
        if self.is_per_share:
            return [plain]
        stated = stated_scales.scale_of(figure.start, self.scales)
        if stated is not None:
            if not stated.is_dollar and figure.currency is None:
                return []
            return [plain, _scaled(figure, stated.factor, "text:header_scale")]
        if figure.digits < _MIN_DIGITS_TO_SCALE:
            return [plain]
        return [plain, *(_scaled(figure, factor, via) for factor, via in _TABLE_SCALES)]

    def _is_trusted(self, figure: Figure, amount: _Amount, gold: float) -> bool:
        """Whether a figure in the band is no accident: the rules for crowded texts."""
        if not figure.is_bare:
            return True
        if self.is_per_share:
            is_plain = figure.currency is None and figure.unit == 1
            return not (self.is_crowded or is_plain) or self._has_cue_beside(figure)
        is_small = figure.digits < _MIN_DIGITS_TO_SCALE and amount.via == "text:header_scale"
        if not (self.is_crowded or (is_small and self.is_busy)) or self._has_label(figure):
            return True
        return (
            figure.digits >= _MIN_DIGITS_UNLABELLED
            and abs(amount.size - abs(gold)) <= _HALF * amount.unit
        )

    def _has_label(self, figure: Figure) -> bool:
        return self.label is not None and self.label.search(self._label_of(figure)) is not None

    def _has_cue_beside(self, figure: Figure) -> bool:
        """Whether a figure's label is its cue, `diluted` below a cue, or the cue follows it."""
        assert self.cue is not None  # every field a share has cues
        label = self._label_of(figure)
        above = self.text[max(0, figure.start - _HEADING_REACH) : figure.start]
        after = self.text[figure.end : figure.end + _CUE_AFTER].partition("\n")[0]
        return (
            self.cue.search(label) is not None
            or (_SHARE_ROW.search(label) is not None and self.cue.search(above) is not None)
            or self.cue.search(after) is not None
        )

    def _is_of_other_kind(self, figure: Figure) -> bool:
        """Whether a figure a share is a dividend or a par value: what its label names last."""
        return _OTHER_A_SHARE.search(self._label_of(figure)) is not None

    def _label_of(self, figure: Figure) -> str:
        """The words of a figure's row: those before it, with only figures and dates between."""
        left = self.text[max(0, figure.start - _LABEL_REACH) : figure.start]
        left = _DATES.sub(" ", left)
        words = left.rstrip("0123456789 \n\t$€£,.:;()[]|-–—%+/")
        is_row = len(NUMBER.findall(left, len(words))) < _ROW
        return _DIGIT.split(words)[-1] if is_row else ""

    def _signs(self, figure: Figure) -> tuple[bool, ...]:
        """Whether the amount may be positive: True, False, or both of them."""
        if figure.sign is Sign.NEGATIVE or is_loss(self.text, figure):
            return _LOSS
        return (True, False) if figure.sign is Sign.EITHER else (True,)


_LOSS = (False,)


def _scaled(figure: Figure, factor: float, via: str) -> _Amount:
    return _Amount(figure.value * factor, figure.unit * factor, via)
