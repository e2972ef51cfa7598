"""The values of one company out of its Wikidata item, each with the doubts that make it unusable.

Every function gives the value or raises `DoubtError`, whose `reason` is counted. A value that is
only probable is worse than none: a wrong gold value fails every engine that is right.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from runner.benches.finance.companies import Listing, clean_title
from runner.benches.finance.registry_proof import DoubtError
from runner.benches.finance.sources import statements as wd
from runner.benches.finance.sources.statements import (
    Item,
    ItemId,
    Moment,
    Names,
    Statement,
    Value,
    best,
)
from runner.benches.finance.websites import Address, Site, own_site

ENGLISH = "Q1860"
MAX_EMPLOYEES = 10_000_000
MAX_NAME_CHARS = 80  # of a person or a country
MIN_YEAR = 1000
_ADDRESSES = frozenset("mr mrs ms miss dr prof sir dame lord lady jr sr ii iii iv".split())
_NAME_MARKS = frozenset(" .,'’-‐")


@dataclass(frozen=True)
class Chief:
    """Who may lead the company: an item, and the year since when (0 where none is said)."""

    qid: str
    since: int


def founded_year(item: Item, now: datetime) -> int:
    """The year on which all statements of the foundation agree."""
    moments = [claim.value for claim in item.stated(wd.INCEPTION)]
    years = {
        moment.year if moment.precision >= wd.YEAR else None
        for moment in moments
        if isinstance(moment, Moment)
    }
    if not years:
        raise DoubtError("founded_year_missing", item.qid)
    if None in years:
        raise DoubtError("founded_year_vague", item.qid)
    if len(years) > 1:
        found = ", ".join(str(year) for year in sorted(filter(None, years)))
        raise DoubtError("founded_year_disagrees", f"{item.qid}: {found}")
    [year] = years
    if year is None or not MIN_YEAR <= year <= now.year:
        raise DoubtError("founded_year_impossible", f"{item.qid}: {year}")
    return year


def employees(item: Item, min_year: int, now: datetime) -> int:
    """The newest head-count of the whole company, of `min_year` or later."""
    counts = [
        claim
        for claim in item.stated(wd.EMPLOYEES)
        if isinstance(claim.value, Decimal) and wd.APPLIES_TO_PART not in claim.qualifiers
    ]
    if not counts:
        raise DoubtError("employees_missing", item.qid)
    dated = [
        (moment, claim)
        for claim in counts
        if (moment := claim.moment(wd.POINT_IN_TIME)) is not None
    ]
    if not dated:
        raise DoubtError("employees_undated", item.qid)
    if not (dated := [pair for pair in dated if pair[0].order[:1] <= (now.year,)]):
        raise DoubtError("employees_impossible", f"{item.qid}: counted after {now.year}")
    newest = max(moment.order for moment, _ in dated)
    if newest[0] < min_year:
        raise DoubtError("employees_stale", f"{item.qid}: of {newest[0]}")
    last = best([claim for moment, claim in dated if moment.order == newest])
    numbers = {claim.value for claim in last if isinstance(claim.value, Decimal)}
    if len(numbers) > 1:
        raise DoubtError("employees_disagree", f"{item.qid}: {len(numbers)} of one date")
    [number] = numbers
    if number != int(number) or not 1 <= number <= MAX_EMPLOYEES:
        raise DoubtError("employees_impossible", f"{item.qid}: {number}")
    return int(number)


def country_of(item: Item) -> str | None:
    """The item of the one country that an item is in now, None where none or several are said."""
    return _only(claim.value for claim in item.current(wd.COUNTRY))


def seat_of(item: Item) -> tuple[str | None, str | None]:
    """The item of the one place of the headquarters, and the country said with it."""
    seats = item.current(wd.HQ)
    said = [country for claim in seats for country in claim.qualifiers.get(wd.COUNTRY, ())]
    return _only(claim.value for claim in seats), _only(said)


def hq_country(item: Item, places: Mapping[str, Item]) -> str:
    """The item of the country of the headquarters: the company's own, else that of the place.

    `places` are the items of places that could be read.
    """
    own = country_of(item)
    place, said = seat_of(item)
    at = said or (country_of(places[place]) if place and place in places else None)
    if own and at and own != at:
        raise DoubtError("hq_country_disagrees", f"{item.qid}: {own}, its seat in {at}")
    if country := own or at:
        return country
    several = bool(item.stated(wd.COUNTRY) or item.stated(wd.HQ))
    raise DoubtError("hq_country_unclear" if several else "hq_country_missing", item.qid)


def website(item: Item, country: str | None) -> Site:
    """The company's own website; see `websites`."""
    from runner.benches.finance.matching.domain import registrable_domain

    addresses = [
        Address(claim.value, claim.is_preferred, _is_foreign_language(claim))
        for claim in item.stated(wd.WEBSITE)
        if isinstance(claim.value, str) and not claim.has_ended
    ]
    site = own_site(addresses, country, registrable_domain)
    if isinstance(site, str):
        found = ", ".join(address.url for address in addresses[:3])
        raise DoubtError(f"website_{site}", f"{item.qid}: {found or 'none'}")
    return site


def stated_lei(item: Item) -> str | None:
    """The one LEI that the item states, None where it states none; check digits must be right."""
    from runner.benches.finance.matching.exact_id import is_lei

    stated = item.current(wd.LEI)
    leis = {claim.value for claim in stated if isinstance(claim.value, str) and is_lei(claim.value)}
    if len(leis) > 1:
        raise DoubtError("lei_several", f"{item.qid}: {len(leis)}")
    if stated and not leis:
        raise DoubtError("lei_check_digits", f"{item.qid}: {stated[0].value}")
    return next(iter(leis), None)


def chiefs(item: Item, now: datetime) -> list[Chief]:
    """Who leads the company as far as the item says, the newest first; never empty.

    Only statements without an end count, the preferred ones alone where there are any; the first
    must say since when.
    """
    stated = item.stated(wd.CEO)
    if not stated:
        raise DoubtError("ceo_missing", item.qid)
    open_ones = [claim for claim in stated if not claim.has_ended]
    if not open_ones:
        raise DoubtError("ceo_not_current", f"{item.qid}: every CEO has an end")
    found: dict[str, Moment | None] = {}
    for claim in best(open_ones):
        if isinstance(claim.value, ItemId):
            moments = (found.get(claim.value), claim.moment(wd.START))
            found[claim.value] = max(filter(None, moments), key=_order, default=None)
    started = sorted(((moment.order, qid) for qid, moment in found.items() if moment), reverse=True)
    if not started:
        raise DoubtError("ceo_undated", f"{item.qid}: no start")
    if started[0][0] > (now.year, now.month, now.day):
        raise DoubtError("ceo_not_current", f"{item.qid}: begins after today")
    undated = sorted(qid for qid, moment in found.items() if moment is None)
    dated = [Chief(qid, order[0]) for order, qid in started]
    return [*dated, *(Chief(qid, 0) for qid in undated)]


def only_start(item: Item, chief: Chief) -> int:
    """Since when the chief leads; DoubtError after an earlier term: then there are two answers."""
    starts = [claim.moment(wd.START) for claim in item.stated(wd.CEO) if claim.value == chief.qid]
    years = {moment.year for moment in starts if moment} | {chief.since}
    if len(years) > 1:
        raise DoubtError("ceo_since_several", f"{item.qid}: {', '.join(map(str, sorted(years)))}")
    return chief.since


def person_names(names: Names | None) -> list[str]:
    """Given name and surname in the forms that are known, the label first; else DoubtError.

    The label goes into query text: it must look like a name, not like an operator.
    """
    if names is None or names.label is None:
        raise DoubtError("ceo_unnamed", "no English label")
    if not is_person_name(names.label):
        raise DoubtError("ceo_unnamed", f"{names.label!r} is no full name")
    return [names.label, *(alias for alias in names.aliases if _is_full_name(alias))]


def is_person_name(text: str) -> bool:
    """Whether a text has at least two words, each of letters and the marks of names."""
    words = text.split()
    return len(words) > 1 and _is_lettered(text) and all(word[0].isalpha() for word in words)


def country_names(names: Names | None) -> tuple[str, list[str]]:
    """The country's name and other names, without flags and codes of two or three letters."""
    if names is None or names.label is None or not _is_lettered(names.label):
        label = repr(names.label) if names and names.label else "no English label"
        raise DoubtError("hq_country_unnamed", label)
    lettered = filter(_is_lettered, names.aliases)
    return names.label, [alias for alias in lettered if sum(map(str.isalpha, alias)) > 3]


def company_names(item: Item, listing: Listing) -> tuple[str, list[str]]:
    """The name people use and the others, the registered one among them."""
    title = clean_title(listing.title)
    others = [*item.names.aliases, *item.texts(wd.OFFICIAL_NAME), title]
    label = item.names.label or title
    return label, [name for name in dict.fromkeys(others) if name != label]


def _is_lettered(text: str) -> bool:
    """Whether a short text holds nothing but letters and what stands in names between them."""
    letters = unicodedata.normalize("NFC", text)
    is_short = len(text) <= MAX_NAME_CHARS
    return is_short and all(char.isalpha() or char in _NAME_MARKS for char in letters)


def _is_full_name(text: str) -> bool:
    """Whether a name has two words besides initials and forms of address: who else is meant?"""
    words = [re.sub(r"[^\w]", "", word).casefold() for word in text.split()]
    full = [word for word in words if len(word) > 1 and word not in _ADDRESSES]
    return is_person_name(text) and len(full) > 1


def _only(stated: Iterable[Value | None]) -> ItemId | None:
    """The one item that is stated, None where none or several are."""
    found = set(stated)
    [value] = found if len(found) == 1 else [None]
    return value if isinstance(value, ItemId) else None


def _order(moment: Moment) -> tuple[int, int, int]:
    return moment.order


def _is_foreign_language(claim: Statement) -> bool:
    languages = claim.qualifiers.get(wd.LANGUAGE, ())
    return bool(languages) and ENGLISH not in languages
