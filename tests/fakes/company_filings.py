"""What each company has filed: quarters, annual reports, proxies, events and insider forms."""

from __future__ import annotations

import calendar
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import lru_cache

from tests.fakes.companies import Company
from tests.fakes.scene import Scene

QUARTERS = 14  # how many there are, the newest first filed before the clock
RECENT = timedelta(days=760)  # older filings stand on a page of their own, where there is one
CHANGE = "5.02,9.01"  # the items of the event that the chief executive began
EVENTS = {
    "1.01,9.01": "Entry into a Material Definitive Agreement",
    "2.02,9.01": "Results of Operations and Financial Condition",
    "5.02": "Departure of Directors or Certain Officers",
    CHANGE: "Appointment of Certain Officers",
    "8.01,9.01": "Other Events",
    "2.01,9.01": "Completion of Acquisition or Disposition of Assets",
}


@dataclass(frozen=True)
class Quarter:
    """One fiscal quarter; `label` 2026 and `part` 2 are the company's Q2 of fiscal 2026."""

    start: date
    end: date
    label: int
    part: int
    year_start: date

    @property
    def name(self) -> str:
        """Q1 to Q3, or FY for the quarter that ends the year."""
        return f"Q{self.part}" if self.part < 4 else "FY"


@dataclass(frozen=True)
class Filing:
    """One filing. `report` is the day it reports on; `quarter` is set for 10-Q, 10-K and 20-F."""

    accession: str
    form: str
    filed: date
    report: date | None
    document: str
    items: str = ""
    quarter: Quarter | None = None

    @property
    def folder(self) -> str:
        """The accession number without dashes."""
        return self.accession.replace("-", "")

    def path(self, company: Company) -> str:
        """Where the document is on www.sec.gov."""
        return f"/Archives/edgar/data/{company.cik}/{self.folder}/{self.document}"


def month_end(year: int, month: int) -> date:
    """The last day of a month; months past 12 or before 1 run on into other years."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    return date(year, month, calendar.monthrange(year, month)[1])


def quarter_of(company: Company, year: int, part: int) -> Quarter:
    """The quarter of the fiscal year that ends in the calendar year `year`."""

    def end_of(nth: int) -> date:
        end = month_end(year, company.fiscal_month - 12 + 3 * nth)
        is_weekly = "weeks" in company.traps
        return end - timedelta(days=(end.weekday() - 5) % 7) if is_weekly else end

    # A year that ends in January bears the number of either calendar year.
    label = year - 1 if company.fiscal_month == 1 and company.cik % 2 else year
    day = timedelta(days=1)
    return Quarter(end_of(part - 1) + day, end_of(part), label, part, end_of(0) + day)


def before(company: Company, quarter: Quarter, years: int = 1) -> Quarter:
    """The same quarter some years earlier."""
    year = quarter.label - years
    if company.fiscal_month == 1 and company.cik % 2:
        year += 1
    return quarter_of(company, year, quarter.part)


def quarters(company: Company, clock: datetime) -> list[Quarter]:
    """The last quarters whose report is out, newest first."""
    found: list[Quarter] = []
    year, part = clock.year + 1, 4
    while len(found) < QUARTERS:
        quarter = quarter_of(company, year, part)
        if _filed(company, quarter) <= clock.date():
            found.append(quarter)
        year, part = (year, part - 1) if part > 1 else (year - 1, 4)
    return found


def _filed(company: Company, quarter: Quarter) -> date:
    """When the report on a quarter is filed."""
    slack = (company.cik + quarter.end.toordinal()) % 9
    return quarter.end + timedelta(days=(52 if quarter.part == 4 else 30) + slack)


def filings(scene: Scene, company: Company) -> tuple[Filing, ...]:
    """All filings of a company up to the clock, the newest first."""
    return _filings(scene.seed, scene.clock, company)


@lru_cache(maxsize=4096)
def _filings(seed: int, clock: datetime, company: Company) -> tuple[Filing, ...]:
    drafts = _periodic(company, clock) + _other(Scene(seed, clock), company)
    drafts.sort(key=lambda filing: (filing.filed, filing.form))
    agent = company.cik if company.number % 2 else 1_100_000 + company.number
    counts: dict[int, int] = {}
    numbered = []
    for filing in drafts:
        year = filing.filed.year
        counts[year] = counts.get(year, 0) + 1
        serial = f"{agent:010d}-{year % 100:02d}-{counts[year] + company.cik % 50:06d}"
        numbered.append(replace(filing, accession=serial))
    return tuple(reversed(numbered))


def _periodic(company: Company, clock: datetime) -> list[Filing]:
    if company.is_foreign:
        return [
            Filing(
                "",
                "20-F",
                _filed(company, q) + timedelta(days=40),
                q.end,
                _name(company, q.end),
                quarter=q,
            )
            for q in quarters(company, clock)
            if q.part == 4 and _filed(company, q) + timedelta(days=40) <= clock.date()
        ]
    found = []
    for quarter in quarters(company, clock):
        form = "10-K" if quarter.part == 4 else "10-Q"
        filed = _filed(company, quarter)
        found.append(
            Filing("", form, filed, quarter.end, _name(company, quarter.end), quarter=quarter)
        )
    if "amended" in company.traps:
        newest = next(filing for filing in found if filing.form == "10-Q")
        filed = min(newest.filed + timedelta(days=6), clock.date())
        document = newest.document.replace(".htm", "a1.htm")
        found.append(replace(newest, form="10-Q/A", filed=filed, document=document))
    return found


def _other(scene: Scene, company: Company) -> list[Filing]:
    """Events, proxies and the forms that nobody searches for."""
    rng = scene.draw("filings", company.number)
    today = scene.clock.date()
    found = []
    for _ in range(rng.randint(10, 18)):
        filed = today - timedelta(days=rng.randint(1, 1100))
        report = filed - timedelta(days=rng.randint(0, 4))
        form = "6-K" if company.is_foreign else "8-K"
        items = "" if company.is_foreign else rng.choice(sorted(set(EVENTS) - {CHANGE}))
        name = _name(company, report, form)
        found.append(Filing("", form, filed, report, name, items))
    if "split" in company.traps:
        day = split_day(scene.clock)
        found.append(Filing("", "8-K", day, day, _name(company, day, "8-K"), "5.03,8.01,9.01"))
    since = company.chief_since
    if not company.is_foreign and (today - since).days < 1100:
        name = _name(company, since, "8-K")
        found.append(Filing("", "8-K", since, since, name.replace(".htm", "c.htm"), CHANGE))
    if not company.is_foreign:
        for years in range(3):
            filed = today - timedelta(days=190 + 365 * years + company.number % 30)
            meeting = filed + timedelta(days=45)
            found.append(Filing("", "DEF 14A", filed, meeting, _name(company, filed, "def14a")))
    for _ in range(rng.randint(6, 12)):
        filed = today - timedelta(days=rng.randint(1, 800))
        form = rng.choice(["4", "4", "4", "SC 13G/A", "144", "3"])
        is_owner = form in ("3", "4")
        document = "xslF345X05/ownership.xml" if is_owner else "primary_doc.xml"
        found.append(Filing("", form, filed, filed if is_owner else None, document))
    return found


def _name(company: Company, day: date, kind: str = "") -> str:
    """The file name of a document, in one of the two habits of filers."""
    suffix = kind.lower().replace("-", "")
    if company.number % 3 == 0:
        return f"d{company.cik % 900 + 100}{day:%y%m%d}{suffix or 'd10'}.htm"
    ticker = company.tickers[0].lower().replace("-", "")
    return f"{ticker}-{day:%Y%m%d}{f'x{suffix}' if suffix else ''}.htm"


def split_day(clock: datetime) -> date:
    """When companies with the trap `split` split their shares."""
    return clock.date() - timedelta(days=200)


def has_older_page(company: Company) -> bool:
    """Whether filings older than RECENT stand on a page of their own."""
    return company.number % 3 != 1


def pages(scene: Scene, company: Company) -> tuple[list[Filing], list[Filing]]:
    """The recent filings and those of the older page."""
    everything = list(filings(scene, company))
    if not has_older_page(company):
        return everything, []
    limit = scene.clock.date() - RECENT
    recent = [filing for filing in everything if filing.filed >= limit]
    return recent, everything[len(recent) :]
