"""Company names: the name without its legal words, where the text speaks of a chief executive."""

from __future__ import annotations

import re
from dataclasses import dataclass

from runner.benches.finance.fields import FIELDS
from runner.benches.finance.matching.question import Evidence, Matcher, Question
from runner.benches.normal import (
    ARTICLES,
    has_phrase,
    normal_form,
    places_of,
    plain_text,
)

LEGAL_WORDS = frozenset(
    "inc incorporated corp corporation co company companies cos ltd limited plc ag sa nv se lp "
    "llc llp pllc holding holdings hldgs group grp spa ab asa as oyj gmbh kgaa kk bv sab sca "
    "srl pty bhd tbk pjsc jsc adr ads".split()
)
# One legal form in its spellings, for names that count only whole.
_SPELLINGS = {
    word: spellings
    for spellings in (
        ("inc", "incorporated"),
        ("corp", "corporation"),
        ("co", "company"),
        ("cos", "companies"),
        ("ltd", "limited"),
        ("holdings", "holding"),
    )
    for word in spellings
}
_STOP_WORDS = frozenset(
    "a an the and or of for in on at by to from with as is it its our we us you all one new "
    "first up no not be this that".split()
)
# Nouns that name a trade, not a company.
_GENERIC_WORDS = frozenset(
    "services service energy bank banks bancorp bancshares automotive financial finance capital "
    "insurance assurance technologies technology tech systems system solutions software "
    "networks network communications communication telecom media entertainment pharmaceuticals "
    "pharmaceutical pharma therapeutics biosciences health healthcare care sciences science "
    "laboratories industries industrial industry business businesses enterprise enterprises "
    "ventures partners properties property realty trust investment investments investors "
    "resources resource power electric gas oil petroleum mining metals steel chemical chemicals "
    "materials products product brands foods food restaurants stores store retail market markets "
    "trading transport transportation logistics airlines motors parts construction engineering "
    "equipment management consulting research electronics instruments semiconductor "
    "semiconductors royalty acquisition".split()
)
# Alone they begin too many other names (`Southern California Edison` is not Southern Company).
_LONE_ADJECTIVES = frozenset(
    "american national united general global international universal standard central federal "
    "northern southern eastern western northwest northeast southwest southeast pacific "
    "atlantic".split()
)
# `&` inside a word belongs to it: `B&K`, `AT&T`.
_CHUNK_PARTS = re.compile(r"[^\W_]+(?:['&][^\W_]+)*|&")
_STATE_MARK = re.compile(r"(?:\s[/\\][A-Za-z]{2,3}[/\\]?|[/\\][A-Za-z]{2,3}[/\\]|[/\\])$")
_CAPITAL = re.compile(r"[^\W_a-z]")
_CURRENCY = ("$", "€", "£", "¥")

_STARTS_ALONE = r"(?<![^\W_])(?<![^\W_]&)"
_ENDS_ALONE = r"(?![^\W_])(?!&[^\W_])"
# Between two words of a name: punctuation, and the words that the gold has lost too.
_GAP = rf"[^\w&]{{1,4}}(?:(?:{'|'.join(sorted(LEGAL_WORDS | ARTICLES))})[^\w&]{{1,4}}){{0,2}}"
_AND = r"(?:\s{0,2}&\s{0,2}|\s{1,2}and\s{1,2})"


@dataclass(frozen=True)
class CompanyName:
    """A company's name to look for in plain text.

    `start` is what it begins with, in lower case. Words in `lower` may be written without a
    capital; `plural` finds the name of one word with an s more or less.
    """

    start: str
    pattern: re.Pattern[str]
    lower: frozenset[str]
    plural: re.Pattern[str] | None

    def find(self, plain: str, lowered: str, start: int = 0, end: int | None = None) -> bool:
        """Whether the name stands in plain text, or a part of it, written as a name."""
        return self._stands(self.pattern, plain, lowered, start, end)

    def find_plural(self, plain: str, lowered: str) -> bool:
        """Whether the name stands in plain text with an s more or less."""
        return self.plural is not None and self._stands(self.plural, plain, lowered, 0, None)

    def _stands(
        self, pattern: re.Pattern[str], plain: str, lowered: str, start: int, end: int | None
    ) -> bool:
        for place in places_of(lowered, self.start, start, end):
            found = pattern.match(plain, place)
            if found and self._is_name(found):
                return True
        return False

    def _is_name(self, found: re.Match[str]) -> bool:
        before = found.string[max(0, found.start() - 2) : found.start()]
        return not before.rstrip().endswith(_CURRENCY) and self._has_capitals(found.group())

    def _has_capitals(self, written: str) -> bool:
        parts = [part for part in _CHUNK_PARTS.findall(written) if part != "&"]
        return bool(_CAPITAL.search(written)) and all(
            _CAPITAL.search(part) or part.lower() in self.lower for part in parts
        )


def company_name(value: str) -> CompanyName | None:
    """What to look for to find a company; None for a name of which nothing is left."""
    plain = bare_name(value)
    rest = _without_legal_words(plain)
    if not rest:
        return None
    is_adjective = len(rest) == 1 and rest[0].lower() in _LONE_ADJECTIVES
    if is_adjective or not any(_is_distinctive(part) for part in rest):
        whole = [part for chunk in plain.split() for part in _CHUNK_PARTS.findall(chunk)]
        rest = [part for part in whole if part.lower() not in ARTICLES]
        return _name(rest, plural=False) if rest else None
    return _name(rest, plural=len(rest) == 1 and len(rest[0]) > 3 and "'" not in rest[0])


def bare_name(value: str) -> str:
    """A registered name in plain text without its mark of a state (`/DE/`)."""
    return _STATE_MARK.sub("", plain_text(value).strip()).strip()


def matcher(question: Question) -> Matcher:
    """Finds one of the company's names in a text that has a cue of the field."""
    cues = FIELDS[question.field].cues
    names = [name for value in question.values if (name := company_name(str(value)))]

    def match(evidence: Evidence) -> str | None:
        plain = plain_text(evidence.text)
        lowered = plain.lower()
        via = None
        for number, name in enumerate(names):
            if name.find(plain, lowered):
                via = "text:alias" if number else "text:exact"
            elif name.find_plural(plain, lowered):
                via = "text:plural"
            if via:
                break
        return via if via and has_phrase(normal_form(plain), cues) else None

    return match


def _without_legal_words(plain: str) -> list[str]:
    """The parts of a name without articles and legal words, and no `and` left over at an end.

    A legal word inside a compound stays (`Co-Diagnostics`), one of initials goes (`S.A.`, `A/S`).
    """
    rest: list[str] = []
    for chunk in plain.split():
        parts = _CHUNK_PARTS.findall(chunk)
        letters = "".join(parts).lower()
        lowered = [part.lower() for part in parts]
        if all(part in LEGAL_WORDS or part in ARTICLES for part in lowered):
            continue
        if letters in LEGAL_WORDS and all(len(part) == 1 for part in parts):
            continue
        rest += [part for part in parts if part.lower() not in ARTICLES]
    while rest and rest[-1].lower() in ("&", "and"):
        rest.pop()
    while rest and rest[0].lower() in ("&", "and"):
        rest.pop(0)
    return rest


def _is_distinctive(part: str) -> bool:
    word = part.lower()
    return (
        sum(char.isalpha() for char in word) >= 3
        and word not in _STOP_WORDS
        and word not in LEGAL_WORDS
        and word not in _GENERIC_WORDS
    )


def _name(parts: list[str], *, plural: bool) -> CompanyName:
    body = ""
    for number, part in enumerate(parts):
        if part.lower() in ("&", "and"):
            body += _AND
            continue
        if number and parts[number - 1].lower() not in ("&", "and"):
            body += _GAP
        spelled = _SPELLINGS.get(part.lower(), (part,)) if number else (part,)
        body += "(?:" + "|".join(map(_spelled, spelled)) + ")"
    inflected = None
    if plural:
        stem = parts[0][:-1] if parts[0].lower().endswith("s") else parts[0] + "s"
        inflected = _compiled(re.escape(stem))
    start = re.split("['&]", parts[0])[0].lower()
    return CompanyName(
        # The plural of a name that ends in s is the name without it: both begin alike.
        start=start.removesuffix("s") if plural else start,
        pattern=_compiled(body),
        lower=frozenset(part.lower() for part in parts if not _CAPITAL.search(part))
        | _STOP_WORDS
        | LEGAL_WORDS,
        plural=inflected,
    )


def _spelled(part: str) -> str:
    """A part with or without its apostrophe, its `&` in any spelling."""
    return "".join({"'": "'?", "&": _AND}.get(char) or re.escape(char) for char in part)


def _compiled(body: str) -> re.Pattern[str]:
    return re.compile(f"{_STARTS_ALONE}{body}{_ENDS_ALONE}", re.IGNORECASE)
