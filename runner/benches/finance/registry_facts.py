"""The suite `finance`: facts about companies from Wikidata, GLEIF and the SEC's list, as rows.

A company with fewer than `MIN_FIELDS` facts gives no row. A chief executive needs a start, no end
and a second source: the company's own latest filings. Everything left out is counted by reason, in
the order of the companies, whatever answers first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from runner.benches.drops import Drops
from runner.benches.fetching import SourceError
from runner.benches.finance import registry_values as values
from runner.benches.finance.companies import Listing, clean_title, query_name
from runner.benches.finance.fields import FIELDS
from runner.benches.finance.registry_items import (
    Found,
    find_items,
    in_order,
    read_items,
    read_names,
)
from runner.benches.finance.registry_proof import DoubtError
from runner.benches.finance.registry_values import Chief
from runner.benches.finance.rows import finance_row
from runner.benches.finance.sources import statements as wd
from runner.benches.finance.sources.gleif import Gleif, LeiRecord, same_name
from runner.benches.finance.sources.statements import Item, Names
from runner.benches.finance.sources.wikidata import PAGE, Wikidata
from runner.records.queries import QueryRow

# Whether the company's own latest filings name a person; None where none could be read.
ConfirmCeo = Callable[[Listing, str], Awaitable[bool | None]]

MIN_FIELDS = 4
MAX_NAME_FORMS = 2  # of a person, looked for in filings: each is megabytes to read
MAX_CHIEFS = 4
MAX_LEGAL_NAMES = 3  # looked up at GLEIF
MAX_ALIASES = 20
TICKERS_URL = "https://www.sec.gov/files/company_tickers.json"
LEI_URL = "https://api.gleif.org/api/v1/lei-records/{lei}"


@dataclass(frozen=True)
class _Fact:
    """The gold of one field, the registry that states it and where."""

    value: str | int
    aliases: Sequence[str]
    registry: str
    source_url: str


@dataclass
class _Company:
    """A company with a proven item and its facts; `chief` is the confirmed CEO's item."""

    found: Found
    item: Item
    facts: dict[str, _Fact] = field(default_factory=dict)
    chief: str | None = None
    chief_name: str = ""

    def state(self, name: str, value: str | int, aliases: Iterable[str] = ()) -> None:
        """Adds a fact of Wikidata's."""
        others = [alias for alias in dict.fromkeys(aliases) if alias != value][:MAX_ALIASES]
        self.facts[name] = _Fact(value, others, "wikidata", PAGE.format(qid=self.item.qid))


async def registry_rows(
    listings: Sequence[Listing],
    *,
    wikidata: Wikidata,
    gleif: Gleif | None,
    confirm_ceo: ConfirmCeo,
    now: datetime,
    min_employee_year: int,
    concurrency: int,
    drops: Drops,
    progress_advance: Callable[[], None] = lambda: None,
) -> list[QueryRow]:
    """The rows of all companies in listing order, each field as keywords and as a question.

    `progress_advance` is called once a listing. A failure of a source costs the company or the
    field that needed it.
    """
    distinct = _distinct(listings, drops)
    found = await find_items(
        distinct, wikidata=wikidata, gleif=gleif, concurrency=concurrency, drops=drops
    )
    companies = [_Company(one, one.item) for one in found if one.item is not None]
    for _ in range(len(listings) - len(companies)):
        progress_advance()
    places = await read_items(
        _places(companies), wikidata=wikidata, concurrency=concurrency, drops=drops
    )
    names = await read_names(
        _named(companies, places, now), wikidata=wikidata, concurrency=concurrency, drops=drops
    )

    async def fill(company: _Company) -> None:
        _add_stated(company, places, names, now, min_employee_year)
        await _add_chief(company, names, confirm_ceo, now)
        await _add_lei(company, gleif)
        progress_advance()

    await in_order(fill, companies, concurrency)
    _drop_shared_chiefs(companies)
    _drop_poor(companies)
    for one in found:
        for reason, text in one.lost:
            drops.add(reason, text)
    return [row for company in companies for row in _rows(company, now)]


def _distinct(listings: Sequence[Listing], drops: Drops) -> list[Listing]:
    """The first company of each name: a question by name can only mean the largest."""
    first: dict[str, Listing] = {}
    for listing in sorted(listings, key=lambda listing: listing.place):
        name = query_name(listing.title)
        if first.setdefault(name, listing) is not listing:
            drops.add("company_shares_name", f"{listing.title}: CIK {listing.cik}")
    chosen = set(map(id, first.values()))
    return [listing for listing in listings if id(listing) in chosen]


def _places(companies: Iterable[_Company]) -> list[str]:
    """The places of headquarters, where only they can tell the country."""
    unclear = [one.item for one in companies if values.country_of(one.item) is None]
    seats = [values.seat_of(item) for item in unclear]
    return [place for place, said in seats if place is not None and said is None]


def _named(companies: Iterable[_Company], places: Mapping[str, Item], now: datetime) -> list[str]:
    """The items of countries and chief executives; doubts about them are counted later."""
    wanted: list[str] = []
    for company in companies:
        with suppress(DoubtError):
            wanted.append(values.hq_country(company.item, places))
        with suppress(DoubtError):
            wanted += [chief.qid for chief in values.chiefs(company.item, now)[:MAX_CHIEFS]]
    return wanted


def _add_stated(
    company: _Company,
    places: Mapping[str, Item],
    names: Mapping[str, Names],
    now: datetime,
    min_employee_year: int,
) -> None:
    """The facts that the item and the listing state by themselves."""
    item, found = company.item, company.found
    country: str | None = None
    with found.doubts():
        country, aliases = values.country_names(names.get(values.hq_country(item, places)))
        company.state("hq_country", country, aliases)
    with found.doubts():
        company.state("founded_year", str(values.founded_year(item, now)))
    with found.doubts():
        site = values.website(item, country)
        company.state("website", site.domain, [site.url, *site.others])
    with found.doubts():
        company.state("employees", values.employees(item, min_employee_year, now))
    first, *others = found.listing.tickers
    if len(first) > 1:
        classes = [ticker for ticker in others if len(ticker) > 1]
        company.facts["ticker"] = _Fact(first, classes, "sec", TICKERS_URL)
    else:
        found.doubt(DoubtError("ticker_short", first))


async def _add_chief(
    company: _Company, names: Mapping[str, Names], confirm_ceo: ConfirmCeo, now: datetime
) -> None:
    """The three facts about the chief executive, where the company's filings name the person."""
    item, listing = company.item, company.found.listing
    with company.found.doubts():
        chiefs = values.chiefs(item, now)
        forms = await _confirmed(company, chiefs, names, confirm_ceo)
        company.chief, company.chief_name = chiefs[0].qid, forms[0]
        company.state("ceo", forms[0], forms[1:])
        company.state("ceo_company", *values.company_names(item, listing))
        company.state("ceo_since", str(values.only_start(item, chiefs[0])))


async def _confirmed(
    company: _Company,
    chiefs: Sequence[Chief],
    names: Mapping[str, Names],
    confirm_ceo: ConfirmCeo,
) -> list[str]:
    """The name forms of the first, whom filings name, and they alone; else DoubtError."""

    async def is_named(forms: Sequence[str]) -> bool | None:
        for form in forms[:MAX_NAME_FORMS]:
            try:
                answer = await confirm_ceo(company.found.listing, form)
            except SourceError as error:
                company.found.failed("sec", error)
                return None
            if answer is not False:
                return answer
        return False

    first, *others = chiefs
    forms = values.person_names(names.get(first.qid))
    answer = await is_named(forms)
    if answer is None:
        raise DoubtError("ceo_unchecked", f"{forms[0]}: no filing to look into")
    if not answer:
        raise DoubtError("ceo_unconfirmed", f"{forms[0]} is in no latest filing")
    for other in others:
        rivals = values.person_names(names.get(other.qid)) if len(chiefs) <= MAX_CHIEFS else []
        if not rivals or await is_named(rivals) is not False:
            raise DoubtError("ceo_several", f"{forms[0]} and another without an end")
    return forms


async def _add_lei(company: _Company, gleif: Gleif | None) -> None:
    """The LEI: Wikidata's, else the one that GLEIF has under exactly the legal name."""
    found, item = company.found, company.item
    doubt = DoubtError("lei_missing", item.qid)
    try:
        if lei := values.stated_lei(item):
            company.state("lei", lei)
            return
    except DoubtError as error:
        doubt = error
    try:
        record = await _record(company, gleif) if doubt.reason != "lei_several" else None
    except DoubtError as error:
        doubt, record = error, None
    except SourceError as error:
        found.failed("gleif", error)
        return
    if record is None:
        found.doubt(doubt)
    else:
        url = LEI_URL.format(lei=record.lei)
        company.facts["lei"] = _Fact(record.lei, [], "gleif", url)


async def _record(company: _Company, gleif: Gleif | None) -> LeiRecord | None:
    """GLEIF's one record of the company's legal name; DoubtError where there are several."""
    title, item = clean_title(company.found.listing.title), company.item
    legal_names = [title, *item.texts(wd.OFFICIAL_NAME), item.names.label or title]
    distinct = {same_name(name): name for name in reversed(legal_names)}
    for name in list(reversed(distinct.values()))[:MAX_LEGAL_NAMES] if gleif else ():
        records = await gleif.records(name) if gleif else []
        if len(records) > 1:
            raise DoubtError("lei_ambiguous", f"{name}: {len(records)} at GLEIF")
        if records:
            return records[0]
    return None


def _drop_shared_chiefs(companies: Iterable[_Company]) -> None:
    """Takes the question for the company of a CEO who leads several."""
    companies = list(companies)
    led = Counter(company.chief for company in companies if company.chief)
    for company in companies:
        if company.chief and led[company.chief] > 1:
            del company.facts["ceo_company"]
            company.found.doubt(DoubtError("ceo_of_several", company.chief_name))


def _drop_poor(companies: Iterable[_Company]) -> None:
    """Takes all facts of a company with too few: its item is hardly kept up."""
    for company in companies:
        if len(company.facts) < MIN_FIELDS:
            stated = ", ".join(company.facts) or "nothing"
            company.found.doubt(DoubtError("company_too_few_fields", f"only {stated}"))
            company.facts.clear()


def _rows(company: _Company, now: datetime) -> Iterable[QueryRow]:
    """The rows of a company's facts, in the order of the fields."""
    listing = company.found.listing
    words = {"name": query_name(listing.title), "ceo": company.chief_name.lower()}
    for name, kind in FIELDS.items():
        fact = company.facts.get(name)
        if fact is None:
            continue
        provenance: dict[str, Any] = {
            "registry": fact.registry,
            "source_url": fact.source_url,
            "entity": listing.title,
            "ticker": listing.tickers[0],
            "cik": listing.cik,
            "qid": company.item.qid,
        }
        forms = [form for form in (kind.keyword, kind.question) if form]
        for bucket, form in zip(("finance", "finance_nl"), forms, strict=False):
            yield finance_row(
                form.format(**words),
                bucket=bucket,
                field=name,
                value=fact.value,
                aliases=list(fact.aliases),
                provenance=provenance,
                now=now,
                tier=listing.tier,
            )
