"""Names of people: given name and surname side by side, in the ways that people write them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from runner.benches.finance.matching.given_names import same_person_forms
from runner.benches.finance.matching.question import Evidence, Matcher, Question
from runner.benches.normal import places_of, plain_text

_NAME_WORD = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*")
_IN_BRACKETS = re.compile(r"\([^()]*\)|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)")
_SUFFIXES = frozenset("jr sr ii iii iv phd md mba cpa cfa esq obe cbe mbe kbe dbe".split())
_HONORIFICS = frozenset("mr mrs ms miss dr sir dame lord lady prof professor".split())
_PARTICLES = frozenset(
    "de del della di da das do dos du la le van von der den ter ten te bin ibn al el st san".split()
)
# Capitalised in a headline, yet no middle name.
_NO_MIDDLE = (
    _HONORIFICS
    | frozenset(
        "and or of with vs v the to in on at for by from is as not met meets joins succeeds "
        "ceo cfo coo cto chairman chairwoman chair president founder director officer".split()
    )
    | _PARTICLES
)
_OPENING = frozenset("\"'([")
# May stand before a surname that comes first: `CEO Nadella, Satya`.
_TITLES = _HONORIFICS | frozenset(
    "ceo cfo coo cto chairman chairwoman chair president founder cofounder director officer "
    "executive by name names".split()
)

_STARTS_ALONE = r"(?<![^\W_])(?<![^\W_][-'])"
# A hyphen may join what the name describes (`Barra-led`), not a second surname (`Barra-Cole`).
_ENDS_ALONE = r"(?![^\W_])(?!-(?-i:[A-Z]))(?!'(?!s\b)[^\W\d_])"
_BLANK = r"[ \t]{1,3}"
_INITIALS = r"(?-i:[A-Z])\.?(?:[ ]?(?-i:[A-Z])\.){0,2}"
_NICKNAME = r"[\"'(\[][^\W\d_][^\n\"()\[\],;/|]{0,30}[\"')\]]"
_MIDDLE = rf"(?:{_INITIALS}|{_NICKNAME}|[^\W\d_][\w'-]{{1,30}})"
_MIDDLE_PART = re.compile(rf"{_NICKNAME}|[^\W\d_][\w'-]*")
_LONGEST_LEAD = 110  # a given name and two middle names
_WORD_BEFORE = re.compile(r"([^\W\d_][\w'-]{0,40})\.?[ \t]+$")
_WORD_AFTER = re.compile(r"[ \t]+([^\W\d_][\w'-]+)")
_GERMAN_AND_NORDIC = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"}
    | {"Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Ø": "Oe", "Å": "Aa"}
)


def matcher(question: Question) -> Matcher:
    """Finds the person under one of the gold's names; a surname alone never counts."""
    spellings = [
        (number, spelling)
        for number, value in enumerate(question.values)
        for spelling in _spellings(str(value))
    ]
    names = [(number, name) for number, text in spellings if (name := _name(text))]
    uncased = [text for _, text in spellings if len(text) > 1 and text.upper() == text.lower()]
    # A name of one word counts only for a person who has no other.
    single = [text for _, text in spellings] if not names else []
    whole = [re.compile(rf"{_STARTS_ALONE}{_joined(text)}{_ENDS_ALONE}") for text in single]

    def match(evidence: Evidence) -> str | None:
        plain = plain_text(evidence.text)
        lowered = plain.lower()
        for number, name in names:
            if how := name.find(plain, lowered):
                return "text:alias" if number else how
        if any(text in plain for text in uncased):
            return "text:alias"
        return "text:exact" if any(pattern.search(plain) for pattern in whole) else None

    return match


@dataclass(frozen=True)
class _Name:
    """A gold name of two words or more: its parts in lower case, and patterns for both orders.

    `start` is what the surname begins with, in lower case.
    """

    given: str
    middles: frozenset[str]
    start: str
    surname: re.Pattern[str]
    starts: re.Pattern[str]
    direct: re.Pattern[str]
    reverse: re.Pattern[str]

    def find(self, plain: str, lowered: str) -> str | None:
        """How a text writes the name: `text:exact`, `text:nickname`, `text:family_first`."""
        for place in places_of(lowered, self.start):
            surname = self.surname.match(plain, place)
            if not surname or not surname["last"][0].isupper():
                continue
            lead = max(0, surname.start() - _LONGEST_LEAD)
            for given in self.starts.finditer(plain, lead, surname.start()):
                found = self.direct.match(plain, given.start())
                if found and self._is_direct(found):
                    is_exact = _letters(found["given"]) == _letters(self.given)
                    return "text:exact" if is_exact else "text:nickname"
            found = self.reverse.match(plain, surname.start())
            if found and self._is_reverse(found):
                return "text:family_first"
        return None

    def _is_direct(self, found: re.Match[str]) -> bool:
        """Whether the parts between given name and surname can be this person's."""
        if not found["given"][0].isupper() or not found["last"][0].isupper():
            return False
        if found["close"] and found.string[found.start() - 1 : found.start()] not in _OPENING:
            return False
        parts = _MIDDLE_PART.findall(found["middle"])
        middles = [part for part in parts if part[0] not in _OPENING]
        lowered = [part.lower() for part in middles]
        if not all(part[0].isupper() and part.lower() not in _NO_MIDDLE for part in middles):
            return False
        # Another middle name than the gold's is another person of the family.
        return not (lowered and self.middles) or any(map(self._is_own_middle, lowered))

    def _is_own_middle(self, middle: str) -> bool:
        return middle in same_person_forms(self.given) or any(
            middle == own or (min(len(middle), len(own)) == 1 and middle[0] == own[0])
            for own in self.middles
        )

    def _is_reverse(self, found: re.Match[str]) -> bool:
        """Whether a surname before a given name is one person, and not two neighbours in a list."""
        plain = found.string
        if not found["given"][0].isupper():
            return False
        before = _WORD_BEFORE.search(plain[max(0, found.start() - 44) : found.start()])
        if before and before[1][0].isupper() and before[1].lower() not in _TITLES:
            return False
        after = _WORD_AFTER.match(plain, found.end())
        if found["comma"] and after and after[1][0].isupper():
            return after[1].lower() in self.middles | _TITLES | _SUFFIXES
        return True


def _spellings(value: str) -> list[str]:
    """The gold name in plain text; with umlauts also as written where there are none."""
    composed = unicodedata.normalize("NFC", value)
    forms = (composed, composed.translate(_GERMAN_AND_NORDIC))
    return list(dict.fromkeys(plain_text(form).strip() for form in forms))


def _name(text: str) -> _Name | None:
    """A gold name taken apart; None for a name of one word."""
    words = _name_words(text)
    # `J. Robert Smith` goes by Robert; `J. K. Smith` has nothing but initials.
    while len(words) > 2 and len(words[0]) == 1 and any(len(word) > 1 for word in words[1:-1]):
        words.pop(0)
    if len(words) < 2:
        return None
    lowered = [word.lower() for word in words]
    family = next(
        (place for place in range(1, len(words) - 1) if lowered[place] in _PARTICLES),
        len(words) - 1,
    )
    given, middles = lowered[0], lowered[1:family]
    pieces = [piece for word in lowered[family:] for piece in re.split("[-']", word)]
    *leading, last = pieces
    surname = "".join(f"{re.escape(piece)}[-' \\t]{{1,2}}" for piece in leading)
    surname += f"(?P<last>{re.escape(last)}){_ENDS_ALONE}"
    if len(given) == 1:
        # Initials must all be there, and no others.
        initials = r"\.?[ \t]{0,2}".join(map(re.escape, [given, *middles]))
        givens, between = initials, r"(?P<close>)(?P<middle>)(?:\.[ \t]{0,3}|[ \t]{1,3})"
        middles = []
    else:
        forms = [given, *sorted(same_person_forms(given))]
        givens = "|".join(map(_joined, forms))
        # A person may be known by the name in quotes: `Robert K. "Kelly" Ortberg`.
        between = rf"(?P<close>[\"')\]]?)(?P<middle>(?:{_BLANK}{_MIDDLE}){{0,2}}?){_BLANK}"
    return _Name(
        given=given,
        middles=frozenset(middles),
        start=pieces[0],
        surname=_compiled(rf"(?<![^\W_]){surname}"),
        starts=_compiled(rf"{_STARTS_ALONE}(?:{givens})(?![^\W_])"),
        direct=_compiled(rf"{_STARTS_ALONE}(?P<given>{givens}){between}{surname}"),
        reverse=_compiled(
            rf"{_STARTS_ALONE}{surname}(?P<comma>,?){_BLANK}(?P<given>{givens}){_ENDS_ALONE}"
        ),
    )


def _name_words(text: str) -> list[str]:
    """The words of a gold name in the order given name, middle names, surname."""
    parts = [_NAME_WORD.findall(part) for part in _IN_BRACKETS.sub(" ", text).split(",")]
    parts = [[word for word in part if word.lower() not in _SUFFIXES] for part in parts]
    family, *rest = [part for part in parts if part] or [[]]
    words = [word for part in rest for word in part] + family
    while words and words[0].lower() in _HONORIFICS:
        words.pop(0)
    return words


def _joined(text: str) -> str:
    """A pattern for words that a hyphen, an apostrophe or a blank may join."""
    return "[-' ]".join(map(re.escape, re.split("[-' ]", text)))


def _letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text).lower()


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
