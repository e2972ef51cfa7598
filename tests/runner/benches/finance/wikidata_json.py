"""Wikidata's JSON, written by hand: snaks, statements, entities."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def text(value: Any) -> Json:
    return _snak("string", value)


def item(qid: str) -> Json:
    value = {"entity-type": "item", "numeric-id": int(qid[1:]), "id": qid}
    return _snak("wikibase-entityid", value)


def time(day: str, precision: int = 11) -> Json:
    """`2026-11-03`, `2026-00-00`; a leading `-` is before our era."""
    sign, day = ("-", day[1:]) if day.startswith("-") else ("+", day)
    value = {
        "time": f"{sign}{day}T00:00:00Z",
        "timezone": 0,
        "before": 0,
        "after": 0,
        "precision": precision,
        "calendarmodel": "http://www.wikidata.org/entity/Q1985727",
    }
    return _snak("time", value)


def year(number: int) -> Json:
    return time(f"{number}-00-00", 9)


def amount(value: Any, unit: str = "1") -> Json:
    return _snak("quantity", {"amount": value, "unit": unit})


def named(value: str) -> Json:
    return _snak("monolingualtext", {"text": value, "language": "en"})


NOBODY: Json = {"snaktype": "novalue", "property": "P0"}
SOMEBODY: Json = {"snaktype": "somevalue", "property": "P0"}


def claim(snak: Json, rank: str = "normal", **qualifiers: Json) -> Json:
    """A statement; qualifiers by property, `P580=year(2020)`."""
    said = {prop: [each] for prop, each in qualifiers.items()}
    return {"type": "statement", "mainsnak": snak, "rank": rank, "qualifiers": said}


def entity(
    qid: str, label: str | None = None, *aliases: str, lang: str = "en", **claims: Any
) -> Json:
    """An entity; a claim is a snak, a statement, or a list of them."""
    return {
        "type": "item",
        "id": qid,
        "labels": {lang: {"language": lang, "value": label}} if label else {},
        "aliases": {lang: [{"language": lang, "value": alias} for alias in aliases]},
        "claims": {prop: [_claim(each) for each in _list(given)] for prop, given in claims.items()},
    }


def document(*entities: Json) -> Json:
    return {"entities": {each["id"]: each for each in entities}}


def _snak(kind: str, value: Any) -> Json:
    return {"snaktype": "value", "property": "P0", "datavalue": {"type": kind, "value": value}}


def _list(given: Any) -> list[Any]:
    return given if isinstance(given, list) else [given]


def _claim(given: Any) -> Any:
    is_snak = isinstance(given, dict) and "snaktype" in given
    return claim(given) if is_snak else given
