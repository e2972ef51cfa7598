"""Wikidata's JSON: snaks, statements and items, in the shapes of its entity documents."""

from __future__ import annotations

from datetime import date
from hashlib import sha256
from typing import Any

Snak = dict[str, Any]
GREGORIAN = "http://www.wikidata.org/entity/Q1985727"
DECADE, YEAR, MONTH, DAY = 8, 9, 10, 11


def item_snak(prop: str, qid: str) -> Snak:
    value = {"entity-type": "item", "numeric-id": int(qid[1:]), "id": qid}
    return _snak(prop, value, "wikibase-entityid", "wikibase-item")


def text_snak(prop: str, text: str, datatype: str = "string") -> Snak:
    """A string, an external id or an address: all three have the value type `string`."""
    return _snak(prop, text, "string", datatype)


def count_snak(prop: str, count: int) -> Snak:
    return _snak(prop, {"amount": f"{count:+d}", "unit": "1"}, "quantity", "quantity")


def time_snak(prop: str, day: date, precision: int = DAY) -> Snak:
    """A point in time; what is finer than the precision is written as 00 or left at its first."""
    written = {DAY: f"{day}", MONTH: f"{day:%Y-%m}-00"}.get(precision, f"{day:%Y}-00-00")
    value = {
        "time": f"+{written}T00:00:00Z",
        "timezone": 0,
        "before": 0,
        "after": 0,
        "precision": precision,
        "calendarmodel": GREGORIAN,
    }
    return _snak(prop, value, "time", "time")


def unknown_snak(prop: str) -> Snak:
    """A value that exists but is not known: it has no `datavalue`."""
    return {"snaktype": "somevalue", "property": prop, "datatype": "wikibase-item"}


def _snak(prop: str, value: Any, kind: str, datatype: str) -> Snak:
    return {
        "snaktype": "value",
        "property": prop,
        "hash": sha256(repr(value).encode()).hexdigest()[:40],
        "datavalue": {"value": value, "type": kind},
        "datatype": datatype,
    }


def statement(main: Snak, *qualifiers: Snak, rank: str = "normal") -> dict[str, Any]:
    """One statement about its main snak's property."""
    found: dict[str, Any] = {"mainsnak": main, "type": "statement"}
    if qualifiers:
        grouped: dict[str, list[Snak]] = {}
        for snak in qualifiers:
            grouped.setdefault(snak["property"], []).append(snak)
        found |= {"qualifiers": grouped, "qualifiers-order": list(grouped)}
    digest = sha256(repr((main, qualifiers)).encode()).hexdigest()
    return found | {"id": f"Q1${digest[:8]}-{digest[8:12]}", "rank": rank, "references": []}


def entity(
    qid: str,
    label: str,
    *,
    description: str,
    aliases: tuple[str, ...] = (),
    statements: list[dict[str, Any]] | None = None,
    language: str = "en",
) -> dict[str, Any]:
    """An item as the entity document has it; empty parts are empty objects."""
    claims: dict[str, list[dict[str, Any]]] = {}
    for one in statements or []:
        claims.setdefault(one["mainsnak"]["property"], []).append(one)
    return {
        "pageid": int(qid[1:]) + 7,
        "ns": 0,
        "title": qid,
        "lastrevid": 2_000_000_000 + int(qid[1:]) % 1_000_000,
        "modified": "2026-10-30T08:00:00Z",
        "type": "item",
        "id": qid,
        "labels": {language: {"language": language, "value": label}},
        "descriptions": {"en": {"language": "en", "value": description}},
        "aliases": {"en": [{"language": "en", "value": alias} for alias in aliases]}
        if aliases
        else {},
        "claims": claims,
        "sitelinks": {},
    }
