"""Countries: any form of the country's name that is no part of a longer name."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from runner.benches.finance.matching.countries import (
    AFTER,
    AFTER_BRAND,
    AMERICAN_TOWNS,
    BEFORE,
    BEFORE_OF,
    CANONICAL,
    COMMON_NOUNS,
    GENERIC_WORDS,
    GEORGIAN_TOWNS,
    US_STATE_CODES,
    US_STATES,
)
from runner.benches.finance.matching.entity import bare_name
from runner.benches.finance.matching.question import Evidence, Matcher, Question
from runner.benches.normal import ARTICLES, normal_form, places_of, plain_text

MAX_SHORT_LETTERS = 3
# Words that an alias of three letters or more may be by chance.
_STOP_WORDS = ARTICLES | frozenset(
    "us it is in at so no my me by to be do as am an id or and for of on can all one are our you "
    "his her him who how now out off any new may via per".split()
)
_GAP = r"[\s.,'-]{1,3}(?:the\s{1,2})?"
_WORDS_BEFORE = re.compile(r"([^\W_]+)([^\w\n]{1,2})(?:(of)[ \t]{1,2}(?:the[ \t]{1,2})?)?$", re.I)
_WORD_AFTER = re.compile(r"[ \t-]{1,2}([^\W_]+)")
_CAPITALS_BEFORE = re.compile(r"(?<![^\W_])([A-Z]{3,40})[ \t]+$")
_STATE_AFTER = re.compile(rf",[ \t]{{0,2}}(?:(?:{US_STATES})|({US_STATE_CODES}))(?![^\W_])")
_CITY_BEFORE = re.compile(r"([^\W\d_]+),[ \t]{0,2}$")
_PEOPLES = re.compile(r"(?:people'?s?|democratic)[ \t]+$", re.I)
_PEOPLES_REPUBLIC = re.compile(
    r"(?:people'?s?|democratic)[ \t]+republic[ \t]+of[ \t]+(?:the[ \t]+)?$", re.I
)
# Most filings name these, wherever their company is.
_INSTITUTION_AFTER = re.compile(
    r"[ \t]{1,2}(?:dollars?|gaap|treasur(?:y|ies)|securities (?:and|&) exchange|federal reserve"
    r"|patent (?:and|&) trademark|food (?:and|&) drug|environmental protection|department of"
    r"|(?:district|bankruptcy|supreme|tax) court|court of appeals)(?![^\W_])",
    re.I,
)
_CONTEXT = 60


@dataclass(frozen=True)
class _Form:
    """One way to write the country. `start` is what it begins with, in lower case unless short."""

    start: str
    pattern: re.Pattern[str]
    via: str
    is_short: bool
    words: tuple[str, ...]


def matcher(question: Question) -> Matcher:
    """Finds the country in any of its forms."""
    forms = _forms([str(value) for value in question.values])
    own_name = _own_name(question.company, forms)
    own_state = any(form.words[:2] == ("united", "states") for form in forms)

    def match(evidence: Evidence) -> str | None:
        plain = plain_text(evidence.text)
        lowered = plain.lower()
        taken: list[tuple[int, int]] | None = None  # the company's name, once it is needed
        for form in forms:
            for place in places_of(plain if form.is_short else lowered, form.start):
                found = form.pattern.match(plain, place)
                if found is None or _is_in_longer_name(found, form, is_american=own_state):
                    continue
                if taken is None:
                    taken = [own.span() for own in own_name.finditer(plain)] if own_name else []
                if not _overlaps(found.span(), taken):
                    return form.via
        return None

    return match


def _forms(values: list[str]) -> list[_Form]:
    """Each of the gold's names that is usable, with the other forms of its canonical line."""
    forms: dict[str, _Form] = {}
    for number, value in enumerate(values):
        line = _canonical_line(value)
        if line is None and not _is_usable_alias(value):
            continue
        forms.setdefault(value, _form(value, "text:alias" if number else "text:exact"))
        for other in line or ():
            via = "text:short_form" if _letters(other) <= MAX_SHORT_LETTERS else "text:alias"
            forms.setdefault(other, _form(other, via))
    return list(forms.values())


def _canonical_line(value: str) -> tuple[str, ...] | None:
    normal = normal_form(value)
    for line in CANONICAL:
        for name in line:
            # A short form counts in its own case only: the word `us` is no country.
            short = _letters(name) <= MAX_SHORT_LETTERS
            if value == name if short else normal == normal_form(name):
                return line
    return None


def _is_usable_alias(value: str) -> bool:
    """Whether an alias of the gold can stand for the country."""
    words = normal_form(value).split()
    if not words or all(word in _STOP_WORDS | GENERIC_WORDS for word in words):
        return False
    if not _has_case(value):
        return len(value) > 1
    if "".join(words) in _STOP_WORDS:
        return False
    return _letters(value) > MAX_SHORT_LETTERS or "." in value


def _form(value: str, via: str) -> _Form:
    plain = plain_text(value).strip()
    words = tuple(normal_form(plain).split())
    if not _has_case(plain):
        return _Form(plain.lower(), re.compile(re.escape(plain)), via, False, words)
    if _letters(plain) <= MAX_SHORT_LETTERS:
        letters = [char for char in plain if char.isalnum()]
        joint, end = (r"\.[ ]?", r"(?!\.[^\W_])\.?") if "." in plain else ("", "")
        body = joint.join(map(re.escape, letters))
        pattern = re.compile(rf"(?<![^\W_])(?<![^\W_]\.){body}(?![^\W_]){end}")
        return _Form(
            letters[0] + ("." if joint else "".join(letters[1:])), pattern, via, True, words
        )
    body = _GAP.join(map(re.escape, words))
    pattern = re.compile(rf"(?<![^\W_]){body}(?![^\W_])", re.IGNORECASE)
    return _Form(words[0], pattern, via, False, words)


def _is_in_longer_name(found: re.Match[str], form: _Form, *, is_american: bool) -> bool:
    """Whether a form is not the country here: a longer name, a plain word, a town."""
    plain = found.string
    start, end = found.span()
    written = found.group()
    before = plain[max(0, start - _CONTEXT) : start]
    if form.is_short:
        if plain.startswith("$", end):
            return True  # US$ is money
        capitals = _CAPITALS_BEFORE.search(before)
        if "." not in written and capitals and capitals[1] != "THE":
            return True
    is_lower = written.islower()
    if is_lower and form.words[0] in COMMON_NOUNS and len(form.words) == 1:
        return True
    return (
        _has_longer_start(before, form, is_lower=is_lower)
        or _has_longer_end(plain, end, is_lower=is_lower)
        or (not is_american and _is_town(plain, start, end, form))
    )


def _has_longer_start(before: str, form: _Form, *, is_lower: bool) -> bool:
    if form.words[0] == "republic" and _PEOPLES.search(before):
        return True
    found = _WORDS_BEFORE.search(before)
    if not found:
        return False
    word, joint, of = found.groups()
    if not (is_lower or word[0].isupper()) or joint.strip(" \t-'"):
        return False
    low = word.lower()
    if not of:
        return low in BEFORE
    if low in BEFORE_OF or (form.words == ("america",) and low != "out"):
        return True
    if low != "republic":
        return False
    # `Republic of China` is Taiwan unless it is the People's; other republics are the country.
    is_peoples = bool(_PEOPLES_REPUBLIC.search(before))
    if form.words == ("china",):
        return not is_peoples
    return is_peoples and form.words in (("congo",), ("korea",))


def _has_longer_end(plain: str, end: int, *, is_lower: bool) -> bool:
    if _INSTITUTION_AFTER.match(plain, end):
        return True
    found = _WORD_AFTER.match(plain, end)
    if not found:
        return False
    longer = AFTER if plain[end - 1] == "." else AFTER_BRAND
    return (is_lower or found[1][0].isupper()) and found[1].lower() in longer


def _is_town(plain: str, start: int, end: int, form: _Form) -> bool:
    """Whether the name is a town or state of the United States (`Lebanon, PA`, `Atlanta, Georgia`).

    A code that begins the country's own name (`India, IN`) is the country's.
    """
    name = " ".join(form.words)
    state = _STATE_AFTER.match(plain, end) if name in AMERICAN_TOWNS else None
    if state and not (state[1] and name.startswith(state[1].lower())):
        return True
    if form.words == ("georgia",):
        city = _CITY_BEFORE.search(plain[max(0, start - _CONTEXT) : start])
        return bool(city and city[1][0].isupper() and city[1].lower() not in GEORGIAN_TOWNS)
    return False


def _own_name(company: str, forms: list[_Form]) -> re.Pattern[str] | None:
    """The company's name where it holds the country, in any of the country's forms.

    The words before the country, or else the one after it, are enough to know the name by.
    """
    whole = normal_form(bare_name(company)).split()
    for form in forms:
        size = len(form.words)
        for place in range(len(whole) - size + 1):
            if tuple(whole[place : place + size]) == form.words and len(whole) > size:
                return _name_around(whole[:place], whole[place + size :][:1], forms)
    return None


def _name_around(before: list[str], after: list[str], forms: list[_Form]) -> re.Pattern[str]:
    gap = r"[\W_]{1,4}(?:(?:the|a|an)\s{1,2})?"
    country = "|".join(form.pattern.pattern for form in forms)
    if before:
        start = "".join(re.escape(word) + gap for word in before)
        return re.compile(rf"(?<![^\W_]){start}(?:{country})", re.IGNORECASE)
    return re.compile(rf"(?:{country}){gap}{re.escape(after[0])}(?![^\W_])", re.IGNORECASE)


def _overlaps(span: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    """Whether a span overlaps one of the spans, which are in order and apart."""
    place = bisect_left(taken, (span[1], 0))
    return place > 0 and taken[place - 1][1] > span[0]


def _letters(value: str) -> int:
    return sum(char.isalpha() for char in value)


def _has_case(value: str) -> bool:
    return value.upper() != value.lower()
