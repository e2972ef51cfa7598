"""Hand-made answers of the SEC, and a `Sec` that gives them without a network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from runner.benches.fetching import SourceError
from runner.benches.finance.companies import Listing
from runner.benches.finance.sources.sec_filings import Filing, Submissions

NOW = datetime(2026, 11, 3, 12, 20, tzinfo=UTC)
Q1, Q2, Q3 = date(2026, 3, 31), date(2026, 6, 30), date(2026, 9, 30)
ACCESSIONS = {Q1: "0000000001-26-000010", Q2: "0000000001-26-000020", Q3: "0000000001-26-000030"}
PERIODS = {accession: end for end, accession in ACCESSIONS.items()}


def listing(cik: int = 1, title: str = "ACME WIDGETS INC", ticker: str = "ACMW") -> Listing:
    return Listing(cik, (ticker,), title, 600, "mid")


def fact(
    end: date = Q2, value: Any = 185_808_000, start: str | None = None, **changes: Any
) -> dict[str, Any]:
    """A quarter as the 10-Q of that quarter states it."""
    month = (end.month - 2, 1)
    made = {
        "start": start or date(end.year, *month).isoformat(),
        "end": end.isoformat(),
        "val": value,
        "accn": ACCESSIONS.get(end, "0000000001-25-000001"),
        "fy": end.year,
        "fp": f"Q{end.month // 3}",
        "form": "10-Q",
        "filed": "2026-08-04",
    }
    return {**made, **changes}


def facts(**concepts: list[dict[str, Any]]) -> dict[str, Any]:
    """The facts of a company; per-share concepts, splits and share counts in their own units."""
    units = {"EarningsPerShareDiluted": "USD/shares"}
    units["StockholdersEquityNoteStockSplitConversionRatio1"] = "pure"
    made: dict[str, Any] = {"us-gaap": {}, "dei": {}}
    for name, items in concepts.items():
        if name == "EntityCommonStockSharesOutstanding":
            made["dei"][name] = {"units": {"shares": items}}
        else:
            made["us-gaap"][name] = {"units": {units.get(name, "USD"): items}}
    return made


def filing(
    accession: str = "0000000001-26-000089",
    form: str = "8-K",
    filed: date = date(2026, 9, 15),
    period: date | None = None,
    document: str = "d.htm",
    items: tuple[str, ...] = (),
) -> Filing:
    return Filing(accession, form, filed, period, document, items)


def tens_q() -> list[Filing]:
    """The three 10-Q filings of the year."""
    return [
        filing(accession, "10-Q", date(2026, end.month + 2, 4), end)
        for accession, end in PERIODS.items()
    ]


@dataclass
class FakeSec:
    """Answers by CIK; what is missing is not found, and an error among them is raised."""

    facts_of: Mapping[int, Any] = field(default_factory=dict)
    submissions_of: Mapping[int, Any] = field(default_factory=dict)
    documents: Mapping[str, Any] = field(default_factory=dict)
    found: Mapping[str, Any] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def facts(self, cik: int) -> Any:
        return _give(self.facts_of, cik)

    async def submissions(self, cik: int, *, since: date | None = None) -> Submissions:
        filings = _give(self.submissions_of, cik)
        return Submissions(tuple(filings), (12, 31))

    async def document(self, cik: int, filing: Filing) -> str:
        markup: str = _give(self.documents, filing.accession)
        return markup

    async def filings_with(self, cik: int, phrase: str, *, until: date) -> frozenset[str] | None:
        self.asked.append(phrase)
        numbers: frozenset[str] | None = _give(self.found, phrase)
        return numbers


def _give(answers: Mapping[Any, Any], key: Any) -> Any:
    value = answers.get(key, SourceError("not_found", f"nothing for {key}"))
    if isinstance(value, SourceError):
        raise value
    return value
