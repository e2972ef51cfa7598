"""Years: four digits on their own, within 20 words of a word that says what happened then."""

from __future__ import annotations

import re

from runner.benches.finance.fields import FIELDS
from runner.benches.finance.matching.question import Evidence, Matcher, Question
from runner.benches.normal import Words, has_phrase, places_of, plain_text

CUE_REACH = 20
FIRST_YEAR, LAST_YEAR = 1000, 2099

# No year: part of a longer number, money, a percentage, a rank, the end of a phone number.
_BEFORE = r"(?<![^\W_])(?<![$€£¥#])(?<![$€£¥]\s)(?<!\D\d{3}-)(?<!^\d{3}-)(?<!\d-\d{3}-)"
_AFTER = r"(?![^\W_])(?!,\d{3}(?!\d))(?!\.\d(?!\d\.))(?!\s?%)"
_DECIMAL_BEFORE = re.compile(r"\d\.$")
_DATE_BEFORE = re.compile(r"(?<!\d)\d{1,2}\.\d{1,2}\.$")


def matcher(question: Question) -> Matcher:
    """Finds a gold year with a cue of its field near it."""
    years = list(dict.fromkeys(filter(None, map(gold_year, question.values))))
    cues = FIELDS[question.field].cues
    patterns = [(year, re.compile(f"{_BEFORE}{year}{_AFTER}")) for year in years]

    def match(evidence: Evidence) -> str | None:
        # Almost every text without the four digits is done here; NFKC only adds wide digits.
        if evidence.text.isascii() and not any(year in evidence.text for year in years):
            return None
        plain = plain_text(evidence.text)
        words: Words | None = None
        for place, (year, pattern) in enumerate(patterns):
            for start in places_of(plain, year):
                if not pattern.match(plain, start) or _is_decimal(plain[max(0, start - 8) : start]):
                    continue
                words = words or Words(plain)
                if has_phrase(words.around(words.index_at(start), CUE_REACH), cues):
                    return "text:alias" if place else "text:exact"
        return None

    return match


def _is_decimal(before: str) -> bool:
    """Whether four digits after this text are decimals (`3.1987`), not the end of a date."""
    return bool(_DECIMAL_BEFORE.search(before)) and not _DATE_BEFORE.search(before)


def gold_year(value: str | int | float) -> str | None:
    """The year of a gold value (`1987`, `1987.0`, `1987-04-01`), None when it is none."""
    found = re.match(r"\+?(\d{4})(?!\d)", str(value).strip())
    if found and FIRST_YEAR <= int(found.group(1)) <= LAST_YEAR:
        return found.group(1)
    return None
