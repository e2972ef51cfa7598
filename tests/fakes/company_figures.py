"""The figures of each company, quarter by quarter, and the XBRL facts that its filings state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from tests.fakes.companies import Company
from tests.fakes.company_filings import (
    Filing,
    Quarter,
    before,
    filings,
    quarter_of,
    split_day,
)
from tests.fakes.scene import Scene

SPLIT_RATIO = 4
RESTATED, AMENDED = 1.013, 0.985
REVENUE_CONCEPTS = (
    "RevenueFromContractWithCustomerExcludingAssessedTax",
    "Revenues",
    "RevenueFromContractWithCustomerIncludingAssessedTax",
)
LABELS = {
    "NetIncomeLoss": "Net Income (Loss) Attributable to Parent",
    "ProfitLoss": "Net Income (Loss), Including Portion Attributable to Noncontrolling Interest",
    "OperatingIncomeLoss": "Operating Income (Loss)",
    "EarningsPerShareDiluted": "Earnings Per Share, Diluted",
    "WeightedAverageNumberOfDilutedSharesOutstanding": "Weighted Average Diluted Shares",
    "StockholdersEquityNoteStockSplitConversionRatio1": "Stock Split, Conversion Ratio",
}
UNITS = {
    "EarningsPerShareDiluted": "USD/shares",
    "WeightedAverageNumberOfDilutedSharesOutstanding": "shares",
    "StockholdersEquityNoteStockSplitConversionRatio1": "pure",
}
Number = int | float
Fact = dict[str, Any]


@dataclass(frozen=True)
class Figures:
    """What a company earned in one quarter or in several together, in dollars and shares."""

    revenue: int
    operating_income: int
    net_income: int
    minority: int
    shares: int

    @property
    def eps(self) -> float:
        """Diluted earnings per share, to the cent."""
        return round(self.net_income / self.shares, 2)

    def __add__(self, other: Figures) -> Figures:
        return Figures(
            self.revenue + other.revenue,
            self.operating_income + other.operating_income,
            self.net_income + other.net_income,
            self.minority + other.minority,
            max(self.shares, other.shares),
        )


def figures(seed: int, company: Company, quarter: Quarter) -> Figures:
    """The figures of one quarter; its shares are counted before any split."""
    key = f"{seed}|{company.cik}|{quarter.end}".encode()
    digest = blake2b(key, digest_size=12).digest()
    luck = [int.from_bytes(digest[n : n + 4], "big") / 2**32 for n in (0, 4, 8)]
    step = scale_of(company)
    years = quarter.end.year - 2020
    revenue = company.revenue_usd / 4 * 1.04**years * (0.9 + 0.2 * luck[0])
    margin = 0.04 + company.cik % 17 / 100 + 0.06 * (luck[1] - 0.5)
    if "losses" in company.traps:
        margin = -margin
    operating = revenue * margin
    net = operating * 0.78 + revenue * 0.01 * (luck[2] - 0.5)
    minority = revenue * 0.004 if "minority" in company.traps else 0
    if "zero_eps" in company.traps:
        net = revenue * 0.0001
    per_share = 0.3 + company.cik % 23 / 4
    shares = company.revenue_usd * 0.02 / per_share * (0.99**years)
    if "zero_eps" in company.traps:
        shares = company.revenue_usd
    return Figures(
        _rounded(revenue, step),
        _rounded(operating, step),
        _rounded(net, step),
        _rounded(minority, step),
        max(1000, _rounded(shares, 1000)),
    )


def scale_of(company: Company) -> int:
    """The unit in which a company reports: dollars, thousands or millions."""
    if company.number % 11 == 4:
        return 1
    return 1_000_000 if company.place < 300 else 1_000


def _rounded(value: float, step: int) -> int:
    return round(value / step) * step


def span_figures(seed: int, company: Company, quarter: Quarter, parts: int) -> Figures:
    """The figures of the last `parts` quarters of a year up to and including this one."""
    total = figures(seed, company, quarter)
    year = quarter.label + (1 if company.fiscal_month == 1 and company.cik % 2 else 0)
    for part in range(quarter.part - parts + 1, quarter.part):
        total += figures(seed, company, quarter_of(company, year, part))
    return total


def revenue_concept(company: Company) -> str:
    return REVENUE_CONCEPTS[(0, 0, 0, 1, 1, 2)[company.number % 6]]


def concepts(company: Company, values: Figures, split: int) -> dict[str, Number]:
    """What a filing states for one span, by concept; `split` divides per-share values."""
    stated: dict[str, Number] = {
        revenue_concept(company): values.revenue,
        "NetIncomeLoss": values.net_income,
        "OperatingIncomeLoss": values.operating_income,
        "EarningsPerShareDiluted": round(values.net_income / (values.shares * split), 2),
        "WeightedAverageNumberOfDilutedSharesOutstanding": values.shares * split,
    }
    if company.traps & {"minority", "stopped_concept"} or company.number % 5 == 0:
        stated["ProfitLoss"] = values.net_income + values.minority
    if "stopped_concept" in company.traps:
        del stated["NetIncomeLoss"]
    if company.number % 31 == 7:  # banks state no operating income
        del stated["OperatingIncomeLoss"]
    return stated


def facts(scene: Scene, company: Company) -> dict[str, list[Fact]]:
    """All facts of a company by concept, in the order of their periods; empty if it has none."""
    return _facts(scene, company)


@lru_cache(maxsize=512)
def _facts(scene: Scene, company: Company) -> dict[str, list[Fact]]:
    if company.is_foreign or "no_facts" in company.traps:
        return {}
    found: dict[str, list[Fact]] = {}
    for filing in reversed(filings(scene, company)):
        if filing.quarter:
            for concept, fact in _stated(scene, company, filing, filing.quarter):
                found.setdefault(concept, []).append(fact)
    if "stopped_concept" in company.traps:
        found["NetIncomeLoss"] = list(_stopped(scene, company))
    if "split" in company.traps:
        found["StockholdersEquityNoteStockSplitConversionRatio1"] = [_split_fact(scene, company)]
    for listed in found.values():
        listed.sort(key=lambda fact: (fact["end"], fact.get("start", ""), fact["filed"]))
        _frame(listed)
    return found


def _stated(
    scene: Scene, company: Company, filing: Filing, quarter: Quarter
) -> Iterator[tuple[str, Fact]]:
    """The facts of one filing: its own period and the comparatives, all under its own fy and fp."""
    is_annual = quarter.part == 4
    split = SPLIT_RATIO if _is_after_split(scene, company, filing.filed) else 1
    newest = [one for one in filings(scene, company) if one.form == "10-Q"][:3]
    for years in (0, 1, 2) if is_annual else (0, 1):
        period = before(company, quarter, years) if years else quarter
        for parts in (4,) if is_annual else sorted({1, quarter.part}):
            values = span_figures(scene.seed, company, period, parts)
            start = period.year_start if parts == period.part else period.start
            for concept, value in concepts(company, values, split).items():
                is_operating = concept == "OperatingIncomeLoss"
                if is_operating and not is_annual:
                    if "comparative_only" in company.traps and filing in newest and not years:
                        continue
                    if "year_to_date_only" in company.traps and parts < quarter.part:
                        continue
                if years and "restated" in company.traps and concept != "ProfitLoss":
                    value = _changed(company, value, RESTATED)
                if filing.form == "10-Q/A" and not years:
                    value = _changed(company, value, AMENDED)
                yield concept, _fact(company, filing, quarter, start, period.end, value)


def _changed(company: Company, value: Number, factor: float) -> Number:
    """A value stated anew."""
    if isinstance(value, float):
        return round(value * factor + (0.01 if factor > 1 else -0.01), 2)
    return _rounded(value * factor, scale_of(company))


def _fact(
    company: Company, filing: Filing, quarter: Quarter, start: date, end: date, value: Number
) -> Fact:
    return {
        "start": start.isoformat(),
        "end": end.isoformat(),
        "val": value,
        "accn": filing.accession,
        "fy": quarter.label,
        "fp": quarter.name,
        "form": filing.form,
        "filed": filing.filed.isoformat(),
    }


def _is_after_split(scene: Scene, company: Company, filed: date) -> bool:
    return "split" in company.traps and filed >= split_day(scene.clock)


def shares_outstanding(scene: Scene, company: Company, filed: date) -> int:
    """The number of shares on the cover of a report that is filed on this day."""
    return (
        company.revenue_usd // 90 * (SPLIT_RATIO if _is_after_split(scene, company, filed) else 1)
    )


def _split_fact(scene: Scene, company: Company) -> Fact:
    day = split_day(scene.clock)
    after = [one for one in filings(scene, company) if one.quarter and one.filed >= day]
    first = after[-1]
    assert first.quarter
    fact = _fact(company, first, first.quarter, day, day, SPLIT_RATIO)
    return {name: value for name, value in fact.items() if name != "start"}


def _stopped(scene: Scene, company: Company) -> Iterator[Fact]:
    """Quarters of 2011 and 2012 under a concept that the company has not used since."""
    for year in (2011, 2012):
        for part in (1, 2, 3):
            quarter = quarter_of(company, year, part)
            filed = quarter.end + timedelta(days=38)
            serial = f"{company.cik:010d}-{filed:%y}-{part:06d}"
            filing = Filing(serial, "10-Q", filed, quarter.end, "old.htm", quarter=quarter)
            value = figures(scene.seed, company, quarter).net_income
            yield _fact(company, filing, quarter, quarter.start, quarter.end, value)


def framed(scene: Scene, company: Company, concept: str, frame: str) -> Fact | None:
    """The fact of a company that stands in a frame: the one filed last; None if it has none."""
    if company.is_foreign or "no_facts" in company.traps:
        return None
    for filing in filings(scene, company):
        quarter = filing.quarter
        if not quarter or not _touches(company, quarter, frame):
            continue
        for name, fact in _stated(scene, company, filing, quarter):
            span = date.fromisoformat(fact["start"]), date.fromisoformat(fact["end"])
            if name == concept and frame_of(*span) == frame:
                return fact
    return None


def _touches(company: Company, quarter: Quarter, frame: str) -> bool:
    """Whether a report on this quarter may state a value of the frame: a cheap first look."""
    if "Q" not in frame:
        return quarter.part == 4
    if quarter.part == 4:
        return False
    periods = quarter, before(company, quarter)
    return any(frame_of(period.start, period.end) == frame for period in periods)


def frame_of(start: date, end: date) -> str | None:
    """The calendar frame of a span: CY2026Q2 for 91 ± 30 days, CY2026 for 365 ± 30, else None."""
    days = (end - start).days + 1
    middle = start + timedelta(days=days // 2)
    if abs(days - 365) <= 30:
        return f"CY{middle.year}"
    return f"CY{middle.year}Q{(middle.month - 1) // 3 + 1}" if abs(days - 91) <= 30 else None


def _frame(listed: list[Fact]) -> None:
    """Mark the fact filed last of each calendar frame, as the real service does."""
    last: dict[str, Fact] = {}
    for fact in listed:
        if "start" not in fact:
            continue
        name = frame_of(date.fromisoformat(fact["start"]), date.fromisoformat(fact["end"]))
        if name and (name not in last or fact["filed"] >= last[name]["filed"]):
            last[name] = fact
    for name, fact in last.items():
        fact["frame"] = name
