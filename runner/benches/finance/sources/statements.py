"""What a Wikidata item states, out of its JSON: checked, bounded, without what is withdrawn.

Anyone can edit Wikidata. So texts are one visible line of bounded length, ids are ids, and what
does not have the documented shape (https://www.wikidata.org/wiki/Special:EntityData) is passed
over as if it were not stated. Deprecated statements are never read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from runner.llm.prompts import visible

MAX_LABEL_CHARS = 200
MAX_STRING_CHARS = 2_000
MAX_ALIASES = 30
MAX_STATEMENTS = 300  # of one property
YEAR = 9  # the precision from which on the year of a time is meant
LANGUAGES = ("en", "mul")  # `mul`: a name that is the same in all languages

CLASS, CEO, INCEPTION, DISSOLVED = "P31", "P169", "P571", "P576"
HQ, COUNTRY, WEBSITE, EMPLOYEES = "P159", "P17", "P856", "P1128"
LEI, EXCHANGE, TICKER, CIK = "P1278", "P414", "P249", "P5531"
PARENT, OFFICIAL_NAME = "P749", "P1448"
START, END, END_CAUSE, POINT_IN_TIME = "P580", "P582", "P1534", "P585"
APPLIES_TO_PART, LANGUAGE = "P518", "P407"
PROPERTIES = (
    *(CLASS, CEO, INCEPTION, DISSOLVED, HQ, COUNTRY, WEBSITE, EMPLOYEES, LEI, EXCHANGE, TICKER),
    *(CIK, PARENT, OFFICIAL_NAME),
)

_QID = re.compile(r"Q[1-9][0-9]{0,11}")
_TIME = re.compile(r"\+0*(\d{1,4})-(\d\d)-(\d\d)T", re.ASCII)


@dataclass(frozen=True)
class Moment:
    """A day, month or year, as exact as `precision` says (9 year, 10 month, 11 day)."""

    year: int
    month: int
    day: int
    precision: int

    @property
    def order(self) -> tuple[int, int, int]:
        """Earlier moments first; a year stands before its days."""
        return (self.year, self.month, self.day)


class ItemId(str):
    """The id of another item, to tell it from a text that looks like one."""

    __slots__ = ()


Value = str | Decimal | Moment


@dataclass(frozen=True)
class Statement:
    """One value and what qualifies it; a qualifier whose value is unknown is in there as None."""

    value: Value
    is_preferred: bool = False
    qualifiers: Mapping[str, tuple[Value | None, ...]] = field(default_factory=dict)

    @property
    def has_ended(self) -> bool:
        return END in self.qualifiers or END_CAUSE in self.qualifiers

    def moment(self, qualifier: str) -> Moment | None:
        """The latest moment that a qualifier states to the year or better."""
        moments = [
            value
            for value in self.qualifiers.get(qualifier, ())
            if isinstance(value, Moment) and value.precision >= YEAR
        ]
        return max(moments, key=lambda moment: moment.order, default=None)


@dataclass(frozen=True)
class Names:
    """The English label of an item, None where it has none, and its other names."""

    label: str | None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Item:
    """One item; `claims` holds the statements of the `PROPERTIES` that it has."""

    qid: str
    names: Names
    claims: Mapping[str, tuple[Statement, ...]] = field(default_factory=dict)

    def stated(self, prop: str) -> tuple[Statement, ...]:
        return self.claims.get(prop, ())

    def current(self, prop: str) -> list[Statement]:
        """The statements without an end; the preferred ones alone where there are any."""
        return best([claim for claim in self.stated(prop) if not claim.has_ended])

    def texts(self, prop: str) -> list[str]:
        """The current text values, each once."""
        values = (claim.value for claim in self.stated(prop) if not claim.has_ended)
        return list(dict.fromkeys(value for value in values if isinstance(value, str)))


def best(statements: Iterable[Statement]) -> list[Statement]:
    """The preferred statements where there are any, else all."""
    statements = list(statements)
    return [claim for claim in statements if claim.is_preferred] or statements


def read_item(qid: str, raw: Any) -> Item | None:
    """The item of an entity document, or None where it is none or was deleted."""
    if not isinstance(raw, dict) or "missing" in raw:
        return None
    claims = raw.get("claims")
    claims = claims if isinstance(claims, dict) else {}
    stated = {prop: _statements(claims.get(prop)) for prop in PROPERTIES}
    return Item(qid, read_names(raw), {prop: found for prop, found in stated.items() if found})


def read_names(raw: Any) -> Names:
    """The names in English, else those that all languages share."""
    raw = raw if isinstance(raw, dict) else {}
    labels, groups = raw.get("labels"), raw.get("aliases")
    labels = labels if isinstance(labels, dict) else {}
    groups = groups if isinstance(groups, dict) else {}
    found = [clean_label(_text_of(labels.get(language))) for language in LANGUAGES]
    others: list[str | None] = list(found)
    for language in LANGUAGES:
        group = groups.get(language)
        for alias in group[:MAX_ALIASES] if isinstance(group, list) else ():
            others.append(clean_label(_text_of(alias)))
    label = next((text for text in found if text), None)
    aliases = dict.fromkeys(text for text in others if text and text != label)
    return Names(label, tuple(aliases)[:MAX_ALIASES])


def clean_label(text: Any) -> str | None:
    """The text as one visible line, or None where it is no text, empty or too long for a name."""
    if not isinstance(text, str) or len(text) > MAX_LABEL_CHARS:
        return None
    shown = text.encode("utf-8", "ignore").decode()
    shown = " ".join(visible(shown).split())
    return shown if any(char.isalnum() for char in shown) else None


def read_qid(text: Any) -> str | None:
    """The id of an item, alone or at the end of its address."""
    if not isinstance(text, str) or len(text) > 100:
        return None
    text = text.rpartition("/")[2]
    return text if _QID.fullmatch(text) else None


def _text_of(raw: Any) -> Any:
    return raw.get("value") if isinstance(raw, dict) else None


def _statements(raw: Any) -> tuple[Statement, ...]:
    statements = []
    for claim in raw[:MAX_STATEMENTS] if isinstance(raw, list) else ():
        if not isinstance(claim, dict) or claim.get("rank") not in ("normal", "preferred"):
            continue
        value = _value(claim.get("mainsnak"))
        if value is not None:
            is_preferred = claim["rank"] == "preferred"
            statements.append(Statement(value, is_preferred, _qualifiers(claim.get("qualifiers"))))
    return tuple(statements)


def _qualifiers(raw: Any) -> dict[str, tuple[Value | None, ...]]:
    """The qualifiers that say something: `novalue` says that there is none."""
    qualifiers = {}
    for prop, snaks in raw.items() if isinstance(raw, dict) else ():
        said = [
            _value(snak)
            for snak in (snaks[:MAX_STATEMENTS] if isinstance(snaks, list) else ())
            if isinstance(snak, dict) and snak.get("snaktype") != "novalue"
        ]
        if said and isinstance(prop, str):
            qualifiers[prop] = tuple(said)
    return qualifiers


def _value(snak: Any) -> Value | None:
    """The value of a snak, or None where it is unknown, of another type or malformed."""
    if not isinstance(snak, dict) or snak.get("snaktype") != "value":
        return None
    data = snak.get("datavalue")
    if not isinstance(data, dict):
        return None
    kind, value = data.get("type"), data.get("value")
    if kind == "string":
        return _string(value)
    if not isinstance(value, dict):
        return None
    if kind == "wikibase-entityid":
        qid = read_qid(value.get("id"))
        return ItemId(qid) if qid else None
    if kind == "monolingualtext":
        return clean_label(value.get("text"))
    if kind == "time":
        return _moment(value)
    if kind == "quantity":
        return _quantity(value)
    return None


def _string(value: Any) -> str | None:
    if not isinstance(value, str) or len(value) > MAX_STRING_CHARS:
        return None
    text = value.strip()
    return text if text and text.isprintable() and visible(text) == text else None


def _moment(value: dict[str, Any]) -> Moment | None:
    text, precision = value.get("time"), value.get("precision")
    if not isinstance(text, str) or type(precision) is not int:
        return None
    found = _TIME.match(text[:40])
    return Moment(int(found[1]), int(found[2]), int(found[3]), precision) if found else None


def _quantity(value: dict[str, Any]) -> Decimal | None:
    """A plain count; amounts with a unit (persons have none) are None."""
    amount = value.get("amount")
    if not isinstance(amount, str) or len(amount) > 40 or value.get("unit") != "1":
        return None
    try:
        number = Decimal(amount)
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number) < Decimal(10) ** 15 else None
