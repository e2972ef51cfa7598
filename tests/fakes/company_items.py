"""The items of Wikidata about companies, and about the people, cities and countries they name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache, partial
from typing import Any

from tests.fakes import statements as wd
from tests.fakes.companies import FIRST_ITEM, Company, Person, universe
from tests.fakes.company_names import COUNTRIES
from tests.fakes.leis import make_lei, spoilt
from tests.fakes.scene import Scene

BUSINESS, ENTERPRISE, PUBLIC, ORGANIZATION = "Q4830453", "Q6881511", "Q891723", "Q43229"
HUMAN, CITY, COUNTRY = "Q5", "Q515", "Q6256"
EXCHANGES = {"NYSE": "Q13677", "Nasdaq": "Q82059"}
MERGED, NAMESAKE, SUBSIDIARY = 5, 3, 4  # what is added to a company's number for these items

Entity = dict[str, Any]


@dataclass(frozen=True)
class Registry:
    """All items: how each is made, what finds it, and which items state which SEC number.

    `names` holds (name in lower case, name, item, kind of match); `ciks` the numbers as they are
    written. `merged` are old ids and the items that they lead to.
    """

    makers: dict[str, Callable[[], Entity]]
    names: tuple[tuple[str, str, str, str], ...]
    ciks: dict[str, list[str]]
    merged: dict[str, str]

    def entity(self, qid: str) -> Entity | None:
        """The item of an id, that it was merged into where it was."""
        make = self.makers.get(self.merged.get(qid, qid))
        return make() if make else None


def registry(scene: Scene) -> Registry:
    """The items of this seed and clock."""
    return _registry(scene.seed, scene.clock)


@lru_cache(maxsize=4)
def _registry(seed: int, clock: datetime) -> Registry:
    scene = Scene(seed, clock)
    makers: dict[str, Callable[[], Entity]] = {}
    names: list[tuple[str, str, str, str]] = []
    ciks: dict[str, list[str]] = {}
    merged: dict[str, str] = {}

    def add(
        qid: str, make: Callable[[], Entity], label: str, aliases: tuple[str, ...] = ()
    ) -> None:
        makers[qid] = make
        names.append((label.casefold(), label, qid, "label"))
        names.extend((alias.casefold(), alias, qid, "alias") for alias in aliases)

    for company in universe(scene).companies:
        traps = company.traps
        makers[city_qid(company)] = partial(city_entity, company)
        if "no_item" in traps:
            continue
        for person in (company.chief, company.former):
            makers[person.qid] = partial(person_entity, person)
        if "subsidiary_first" in traps or "subsidiary_cik" in traps:
            part = partial(subsidiary_entity, scene, company)
            add(_beside(company, SUBSIDIARY), part, f"{company.name} Commercial Division")
        if "namesake" in traps:
            add(_beside(company, NAMESAKE), partial(namesake_entity, company), company.name)
            ciks[f"{2_100_000 + company.number:010d}"] = [_beside(company, NAMESAKE)]
        make = partial(company_entity, scene, company)
        add(company.qid, make, company.name, company_aliases(company))
        if "redirected" in traps:
            merged[_beside(company, MERGED)] = company.qid
        if written := written_cik(company):
            known = _beside(company, MERGED) if "redirected" in traps else company.qid
            ciks[written] = [known]
            if "subsidiary_cik" in traps:
                ciks[written].append(_beside(company, SUBSIDIARY))
    for name, (qid, aliases) in COUNTRIES.items():
        makers[qid] = partial(country_entity, name, qid, aliases)
    return Registry(makers, tuple(names), ciks, merged)


def _beside(company: Company, more: int) -> str:
    return f"Q{FIRST_ITEM + 10 * company.number + more}"


def city_qid(company: Company) -> str:
    return f"Q{FIRST_ITEM + 200_000 + 10 * company.number}"


def written_cik(company: Company) -> str | None:
    """The SEC number as the item states it, with zeros or without; None where it does not."""
    if company.traps & {"no_item", "no_cik", "no_cik_lei", "subsidiary_first"}:
        return None
    return company.padded if company.number % 5 < 3 else str(company.cik)


def company_aliases(company: Company) -> tuple[str, ...]:
    aliases = [company.legal_name]
    if company.number % 4 == 0:
        aliases.append("".join(word[0] for word in company.name.split()) + " Group")
    return tuple(aliases)


def company_entity(scene: Scene, company: Company) -> Entity:
    """The item of a company with everything that its traps make of it."""
    traps = company.traps
    stated = [
        wd.statement(wd.item_snak("P31", (BUSINESS, PUBLIC, ENTERPRISE)[company.number % 3])),
        *_chiefs(company),
        *_inceptions(company),
        wd.statement(wd.item_snak("P159", city_qid(company))),
        *_sites(company),
        *_staff(scene, company),
    ]
    if "country_by_city" not in traps:
        stated.append(wd.statement(wd.item_snak("P17", COUNTRIES[company.country][0])))
    if lei := stated_lei(company):
        stated.append(wd.statement(wd.text_snak("P1278", lei, "external-id")))
    if "no_cik_lei" not in traps:
        stated += _listings(company)
    if written := written_cik(company):
        stated.append(wd.statement(wd.text_snak("P5531", written, "external-id")))
    return wd.entity(
        company.qid,
        company.name,
        description=f"company of {company.country}",
        aliases=company_aliases(company),
        statements=stated,
    )


def stated_lei(company: Company) -> str | None:
    """The LEI at Wikidata; None where it has none."""
    if company.traps & {"lei_missing", "lei_lapsed", "lei_near_name"}:
        return None
    if "lei_bad_digits" in company.traps:
        return spoilt(company.lei)
    return company.lei if company.number % 7 != 4 or "no_cik_lei" in company.traps else None


def _listings(company: Company) -> list[Entity]:
    """The exchange with its symbols; a class is written with a dot by some, a hyphen by others."""
    found = []
    for ticker in company.tickers:
        if "-P" not in ticker:
            written = ticker.replace("-", ".") if company.number % 2 else ticker
            symbol = wd.text_snak("P249", written)
            found.append(wd.statement(wd.item_snak("P414", EXCHANGES[company.exchange]), symbol))
    return found


def _chiefs(company: Company) -> list[Entity]:
    traps = company.traps
    since, chief, former = company.chief_since, company.chief.qid, company.former.qid
    precision = (wd.DAY, wd.DAY, wd.YEAR, wd.MONTH)[company.number % 4]
    start = wd.time_snak("P580", since, precision)
    now = wd.statement(wd.item_snak("P169", chief), start)
    ended = wd.time_snak("P582", since - timedelta(days=1))
    began = wd.time_snak("P580", since - timedelta(days=2200))
    past = wd.statement(wd.item_snak("P169", former), began, ended)
    if "ceo_unknown" in traps:
        return [wd.statement(wd.unknown_snak("P169"))]
    if "ceo_gone" in traps:
        last = wd.time_snak("P582", since + timedelta(days=40))
        return [wd.statement(wd.item_snak("P169", chief), start, last)]
    if "ceo_no_start" in traps:
        return [wd.statement(wd.item_snak("P169", chief))]
    if "ceo_deprecated" in traps:
        later = wd.time_snak("P580", since + timedelta(days=30))
        wrong = wd.statement(wd.item_snak("P169", former), later, rank="deprecated")
        return [wrong, now]
    if "ceo_two_open" in traps:
        right = wd.statement(wd.item_snak("P169", chief), start, rank="preferred")
        return [wd.statement(wd.item_snak("P169", former), began), right]
    return [past, now] if "ceo_ended" in traps or company.number % 5 else [now]


def _inceptions(company: Company) -> list[Entity]:
    day = date(company.founded, 1 + company.number % 12, 1 + company.number % 28)
    if "inception_vague" in company.traps:
        return [wd.statement(wd.time_snak("P571", day, wd.DECADE))]
    precision = wd.YEAR if company.number % 2 else wd.DAY
    found = [wd.statement(wd.time_snak("P571", day, precision))]
    if "inception_disagrees" in company.traps:
        again = day.replace(year=min(company.founded + 23, 2021), day=1)
        found.append(wd.statement(wd.time_snak("P571", again)))
    return found


def _sites(company: Company) -> list[Entity]:
    label = company.website.partition(".")[0]
    branch = f"https://www.{label}.{'de' if company.country != 'Germany' else 'fr'}/"
    own = f"https://www.{company.website}{'/' if company.number % 2 else ''}"
    if "country_site" in company.traps:
        urls = [branch]
    else:
        urls = [branch, own] if "several_sites" in company.traps else [own]
    return [wd.statement(wd.text_snak("P856", url, "url")) for url in urls]


def _staff(scene: Scene, company: Company) -> list[Entity]:
    count = wd.count_snak("P1128", company.employees)
    if "employees_undated" in company.traps:
        return [wd.statement(count)]
    if "employees_old" in company.traps:
        return [wd.statement(count, wd.time_snak("P585", date(2011, 12, 31)))]
    year = scene.clock.year - 1
    newest = wd.statement(count, wd.time_snak("P585", date(year, 12, 31), wd.YEAR))
    less = wd.count_snak("P1128", int(company.employees * 0.7))
    older = wd.statement(less, wd.time_snak("P585", date(year - 3, 12, 31)))
    return [older, newest] if company.number % 3 else [newest]


def subsidiary_entity(scene: Scene, company: Company) -> Entity:
    """A part of the company that has a class and an LEI of its own, and a parent."""
    stated = [
        wd.statement(wd.item_snak("P31", BUSINESS)),
        wd.statement(wd.item_snak("P749", company.qid)),
        wd.statement(wd.text_snak("P1278", subsidiary_lei(scene, company), "external-id")),
        wd.statement(wd.text_snak("P856", f"https://commercial.{company.website}/", "url")),
    ]
    if "subsidiary_cik" in company.traps and (written := written_cik(company)):
        stated.append(wd.statement(wd.text_snak("P5531", written, "external-id")))
    name = f"{company.name} Commercial Division"
    return wd.entity(
        _beside(company, SUBSIDIARY), name, description="subsidiary", statements=stated
    )


def subsidiary_lei(scene: Scene, company: Company) -> str:
    return make_lei(scene.draw("subsidiary", company.number))


def namesake_entity(company: Company) -> Entity:
    """An older company of the same name with another SEC number and a CEO of its own."""
    number = f"{2_100_000 + company.number:010d}"
    stated = [
        wd.statement(wd.item_snak("P31", BUSINESS)),
        wd.statement(wd.text_snak("P5531", number, "external-id")),
        wd.statement(wd.item_snak("P169", company.former.qid)),
        wd.statement(wd.time_snak("P571", date(1851, 1, 1), wd.YEAR)),
        wd.statement(wd.item_snak("P17", "Q16")),
    ]
    return wd.entity(
        _beside(company, NAMESAKE), company.name, description="company", statements=stated
    )


def person_entity(person: Person) -> Entity:
    """A human, whose name stands under English or, for one in nine, under all languages only."""
    language = "mul" if is_multilingual(person) else "en"
    human = [wd.statement(wd.item_snak("P31", HUMAN))]
    return wd.entity(
        person.qid,
        person.name,
        description="business executive",
        aliases=person.aliases,
        statements=human,
        language=language,
    )


def is_multilingual(person: Person) -> bool:
    """Whether the name of a person stands under `mul` only."""
    return int(person.qid[1:]) // 10 % 9 == 4


def city_entity(company: Company) -> Entity:
    stated = [
        wd.statement(wd.item_snak("P31", CITY)),
        wd.statement(wd.item_snak("P17", COUNTRIES[company.country][0])),
    ]
    return wd.entity(city_qid(company), company.city, description="city", statements=stated)


def country_entity(name: str, qid: str, aliases: tuple[str, ...]) -> Entity:
    stated = [wd.statement(wd.item_snak("P31", COUNTRY)), wd.statement(wd.item_snak("P17", qid))]
    return wd.entity(qid, name, description="country", aliases=aliases, statements=stated)
