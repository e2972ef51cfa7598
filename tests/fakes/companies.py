"""The public companies of the fake world, and the traps that are set with them.

One universe per seed and clock: 2,640 companies with 2,956 listed securities, in order of size.
What the registries, the filings and the search engines say of a company all follows from its
`Company`, so that they agree, unless one of its `traps` says that they do not.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property, lru_cache

from tests.fakes.company_names import (
    FOREIGN_FORMS,
    FORMS,
    STATES,
    city_name,
    core_name,
    person_name,
)
from tests.fakes.leis import make_lei
from tests.fakes.scene import Scene
from tests.fakes.words import slug

COMPANIES = 2640
TIERS = {"mega": (0, 100), "large": (100, 500), "mid": (500, 2500)}
FIRST_ITEM = 910_000_000  # no item of the real Wikidata has such a number

# What is wrong or unusual about a company at Wikidata or GLEIF: every second company has one.
REGISTRY_TRAPS = {
    "ceo_ended": "a former CEO with an end date stands beside the current one",
    "ceo_gone": "the only CEO has an end date: the post is vacant",
    "ceo_no_start": "the CEO has no start date",
    "ceo_old_confirmed": "the CEO began over five years ago; the newest 10-K and DEF 14A agree",
    "ceo_old_replaced": "as before, but the newest 10-K and DEF 14A name another person",
    "ceo_deprecated": "a later statement of deprecated rank names the wrong person",
    "ceo_two_open": "two CEOs without an end date; the right one has the preferred rank",
    "ceo_unknown": "the statement says that there is a CEO, but not who (no datavalue)",
    "namesake": "an older item has the same label, a company class and another CIK",
    "subsidiary_first": "no item has the CIK, and a search finds a subsidiary with an LEI first",
    "subsidiary_cik": "the item of a subsidiary states the CIK too",
    "no_cik": "the item has no CIK, but an exchange and the right ticker",
    "no_cik_lei": "the item has no CIK and no exchange, but the LEI that GLEIF knows",
    "no_item": "Wikidata has no item",
    "redirected": "the query service knows the item by the number it had before a merger",
    "country_site": "the only website is that of a country branch",
    "several_sites": "several websites, the country branch before the company's own",
    "inception_disagrees": "two years of foundation",
    "inception_vague": "the year of foundation is known to the decade only",
    "employees_old": "the newest head-count is from 2011",
    "employees_undated": "the head-count has no date",
    "lei_missing": "Wikidata has no LEI, GLEIF has one under the exact name",
    "lei_lapsed": "Wikidata has no LEI; GLEIF's record of that name has lapsed and is inactive",
    "lei_near_name": "Wikidata has no LEI; GLEIF knows companies of similar names only",
    "lei_bad_digits": "the LEI at Wikidata has wrong check digits",
    "country_by_city": "the item has no country; the city of its headquarters has",
}
# What is wrong or unusual about a company's figures: every third company has one.
FIGURE_TRAPS = {
    "stopped_concept": "NetIncomeLoss ended in 2012, ProfitLoss has the current values",
    "comparative_only": "the newest 10-Qs give the operating income of a year before only",
    "restated": "the comparatives of later filings differ from the first value by 1.3 %",
    "amended": "a 10-Q/A corrects the newest quarter",
    "split": "a 4-for-1 split 200 days ago: earlier filings have EPS before it",
    "minority": "ProfitLoss and NetIncomeLoss differ by a minority interest",
    "year_to_date_only": "the second and third quarter's operating income is year-to-date only",
    "losses": "operating loss, net loss and negative EPS",
    "no_facts": "no XBRL facts at all",
    "zero_eps": "diluted EPS of 0.00 in every quarter",
    "weeks": "quarters end on the last Saturday of a month",
}
# What is wrong or unusual about a company's documents: every fourth company has one.
DOCUMENT_TRAPS = {
    "thin": "8-K documents with under 1,000 characters of text",
    "boilerplate": "8-K documents that say nothing distinctive",
    "recurring_span": "every filing names the same facility as its most distinctive detail",
    "hidden_text": "a distinctive deal stands in a display:none block only",
}
FOREIGN_TRAP = {"foreign": "a foreign filer: 20-F and 6-K, ifrs-full facts, no 10-Q"}
TRAPS = REGISTRY_TRAPS | FIGURE_TRAPS | DOCUMENT_TRAPS | FOREIGN_TRAP

# Tickers by company number: the order check of the list, one letter, dictionary words.
FIXED_TICKERS = {
    3: "AAPL",
    7: "MSFT",
    20: "K",
    31: "NOW",
    140: "ALL",
    250: "Q",
    333: "KEYS",
    610: "CAR",
    900: "Z",
}
SHARED_TITLES = (61, 301, 1201)  # each has the title of the company before it, with another CIK


@dataclass(frozen=True)
class Person:
    """Somebody with an item: name and aliases."""

    qid: str
    name: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Company:
    """One registrant. `place` is the row of its first security in the list, from 0.

    `chief` leads the company now, since `chief_since`; `former` did before. `legal_name` is the
    one GLEIF knows. `revenue_usd` is that of a year.
    """

    number: int
    cik: int
    place: int
    name: str
    title: str
    legal_name: str
    tickers: tuple[str, ...]
    exchange: str
    country: str
    state: str
    city: str
    founded: int
    website: str
    employees: int
    lei: str
    qid: str
    chief: Person
    chief_since: date
    former: Person
    fiscal_month: int
    revenue_usd: int
    traps: frozenset[str]

    @property
    def padded(self) -> str:
        """The CIK in ten digits."""
        return f"{self.cik:010d}"

    @property
    def is_foreign(self) -> bool:
        return "foreign" in self.traps

    @property
    def leader(self) -> Person:
        """Who leads the company by its own documents."""
        if "ceo_old_replaced" in self.traps:
            return _person(5600 + self.number // 50, 3)
        return self.chief

    @property
    def tier(self) -> str | None:
        """The tier of the company's place."""
        within = (name for name, (low, high) in TIERS.items() if low <= self.place < high)
        return next(within, None)


@dataclass(frozen=True)
class Universe:
    """All companies in order of size, and the rows of the list of securities."""

    companies: tuple[Company, ...]
    rows: tuple[tuple[int, str, str], ...]

    @cached_property
    def by_cik(self) -> dict[int, Company]:
        return {company.cik: company for company in self.companies}

    def trapped(self, kind: str) -> list[Company]:
        """The companies with this trap; a kind that does not exist raises KeyError."""
        TRAPS[kind]
        return [company for company in self.companies if kind in company.traps]


def universe(scene: Scene) -> Universe:
    """The companies of this seed and clock."""
    return _universe(scene.seed, scene.clock)


@lru_cache(maxsize=8)
def _universe(seed: int, clock: datetime) -> Universe:
    scene = Scene(seed, clock)
    rng = scene.draw("companies")
    ciks = rng.sample(range(1_800, 2_050_000), COMPANIES)
    used: set[str] = set(FIXED_TICKERS.values())
    companies: list[Company] = []
    rows: list[tuple[int, str, str]] = []
    late: list[tuple[int, str, str]] = []
    for number in range(COMPANIES):
        tickers = _tickers(rng, number, used)
        before = companies[-1] if number in SHARED_TITLES else None
        company = _company(scene, number, ciks[number], len(rows), tickers, before)
        companies.append(company)
        rows.append((company.cik, tickers[0], company.title))
        for ticker in tickers[1:]:
            # A second class follows at once, or far down the list where preferred shares stand.
            (late if "-P" in ticker else rows).append((company.cik, ticker, company.title))
    return Universe(tuple(companies), tuple(rows + late))


def _tickers(rng: random.Random, number: int, used: set[str]) -> tuple[str, ...]:
    """The symbols of a company, the main one first."""
    letters = "".join(part for part in core_name(number).upper() if part.isalpha())
    ticker = FIXED_TICKERS.get(number) or letters[0] + "".join(rng.sample(letters[1:], 3))
    while number not in FIXED_TICKERS and not used.isdisjoint(_classes(number, ticker)):
        ticker = letters[0] + "".join(rng.choices("ABCDEFGHIKLMNOPRSTVWXYZ", k=3))
    tickers = _classes(number, ticker)
    used.update(tickers)
    return tickers


def _classes(number: int, ticker: str) -> tuple[str, ...]:
    """One company in eight has a second class, or preferred shares, in one of three spellings."""
    match number % 25:
        case 9:
            return f"{ticker[:3]}-B", f"{ticker[:3]}-A"
        case 16:
            return ticker, f"{ticker}-PA"
        case 22:
            return ticker, f"{ticker}L"
    return (ticker,)


def _traps(number: int) -> frozenset[str]:
    found = set()
    for step, offset, kinds in (
        (2, 1, REGISTRY_TRAPS),
        (3, 2, FIGURE_TRAPS),
        (4, 3, DOCUMENT_TRAPS),
    ):
        if number % step == offset:
            found.add(list(kinds)[number // step % len(kinds)])
    if number % 13 == 6:
        found = {kind for kind in found if kind in REGISTRY_TRAPS} | {"foreign"}
    return frozenset(found)


def _company(
    scene: Scene, number: int, cik: int, place: int, tickers: tuple[str, ...], twin: Company | None
) -> Company:
    rng = scene.draw("company", number)
    traps = _traps(number)
    is_foreign = "foreign" in traps
    country = rng.choice(sorted(FOREIGN_FORMS)) if is_foreign else "United States"
    name = twin.name if twin else core_name(number)
    form = FOREIGN_FORMS[country] if is_foreign else rng.choice(FORMS)
    title = twin.title if twin else _title(rng, f"{name} {form}", is_foreign)
    oldest = scene.clock.year - 140
    is_old_chief = bool(traps & {"ceo_old_confirmed", "ceo_old_replaced"})
    served = timedelta(days=rng.randint(2300, 4200) if is_old_chief else rng.randint(60, 1700))
    size = 3e11 / (place + 3) ** 0.75
    step = 1000 if place < 100 else 10
    return Company(
        number=number,
        cik=cik,
        place=place,
        name=name,
        title=title,
        legal_name=twin.legal_name if twin else _legal_name(number, f"{name} {form}"),
        tickers=tickers,
        exchange=rng.choice(["NYSE", "Nasdaq"]),
        country=country,
        state=rng.choice(STATES),
        city=city_name(rng.randrange(1900)),
        founded=rng.randint(oldest, scene.clock.year - 6),
        website=_website(rng, slug(name).replace("-", "") + ("group" if twin else ""), country),
        employees=max(40, int(size / rng.randint(200_000, 900_000)) // step * step),
        lei=make_lei(rng),
        qid=f"Q{FIRST_ITEM + 10 * number}",
        chief=_person(number, 1),
        chief_since=scene.clock.date() - served,
        former=_person(3000 + number, 2),
        fiscal_month=rng.choices([12, 6, 9, 1], [12, 2, 3, 2])[0],
        revenue_usd=int(size * rng.uniform(0.5, 1.5)),
        traps=traps,
    )


def _title(rng: random.Random, title: str, is_foreign: bool) -> str:
    """A title as the list of securities writes it: often in capitals, some with a state marker."""
    if rng.randrange(5) < 2:
        title = title.upper()
    if not is_foreign and rng.randrange(9) == 0:
        title += rng.choice([" /DE/", " /NV", "/MD/", " /NEW/", " /OH/"])
    return title


def _legal_name(number: int, name: str) -> str:
    """The name in the register of legal entities, sometimes with a comma or in capitals."""
    return name.upper() if number % 3 == 0 else name


def _website(rng: random.Random, label: str, country: str) -> str:
    ending = rng.choices(["com", "net", "io"], [20, 1, 1])[0]
    return f"{label}.{'co.uk' if country == 'United Kingdom' else ending}"


def _person(number: int, role: int) -> Person:
    name, aliases = person_name(number)
    return Person(f"Q{FIRST_ITEM + 100_000 + 10 * (number % 3000) + role}", name, aliases)
