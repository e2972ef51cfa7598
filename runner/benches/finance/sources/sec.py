"""The SEC's public data: company list, filings, XBRL facts, documents and full-text search.

Sources: the SEC's developer resources for the addresses and the fair-access rule (10 requests a
second in total, a User-Agent that names a contact); the full-text search is not documented and
answers in the shape of its search engine.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

from runner.benches.drops import Drops
from runner.benches.fetching import Fetcher, SourceError
from runner.benches.finance.chief_mentions import title_places
from runner.benches.finance.companies import Listing, parse_companies
from runner.benches.finance.sources.sec_filings import (
    Filing,
    Submissions,
    newest_first,
    parse_page,
    parse_search,
    parse_submissions,
)
from runner.errors import TooLittleError
from runner.http import Limiter, RetryPolicy
from runner.settings import Settings

TICKERS = "https://www.sec.gov/files/company_tickers.json"
SUBMISSIONS = "https://data.sec.gov/submissions"
FACTS = "https://data.sec.gov/api/xbrl/companyfacts"
ARCHIVES = "https://www.sec.gov/Archives/edgar/data"
SEARCH = "https://efts.sec.gov/LATEST/search-index"
GAP_S = 0.12  # between two requests of this process to any host: 8.3 a second of the 10 allowed
BLOCKED_AFTER = 5  # so many 403 in a row are a block, which asking again prolongs
SEARCH_FROM = "2001-01-01"  # the full-text index does not reach further back
MAX_BODY_BYTES = 60_000_000
_RETRY = RetryPolicy(transport=2, server=2, rate_limited=3)
_ANNUAL = ("10-K", "20-F", "40-F")
MAX_OFFICER_NEWS = 4  # 8-Ks on officers that are read
_OFFICERS = "5.02"  # the item of an 8-K on the departure and appointment of officers

T = TypeVar("T")


def facts_url(cik: int) -> str:
    """Where all XBRL facts of a company are."""
    return f"{FACTS}/CIK{cik:010d}.json"


def submissions_url(cik: int) -> str:
    """Where the list of a company's filings is."""
    return f"{SUBMISSIONS}/CIK{cik:010d}.json"


def document_url(cik: int, filing: Filing) -> str:
    """Where the main document of a filing is."""
    return f"{ARCHIVES}/{cik}/{filing.accession.replace('-', '')}/{filing.document}"


class Sec:
    """One client for all hosts of the SEC; every method but `companies` raises SourceError.

    The lists are cached. Facts and documents are not: each run asks about other companies, and
    they are megabytes each.
    """

    def __init__(
        self, settings: Settings, *, cache: Path | None, concurrency: int, drops: Drops
    ) -> None:
        limiter = Limiter(GAP_S, sleep=settings.sleep)
        self._lists = _fetcher(settings, limiter, concurrency, cache)
        self._bulk = _fetcher(settings, limiter, concurrency, None)
        self._drops = drops
        self._refused = 0

    async def companies(self) -> list[Listing]:
        """All listed companies in order of size; raises TooLittleError where there is no list."""
        try:
            document = await self._json(self._lists, TICKERS)
        except SourceError as error:
            hint = ""
            if error.kind == "forbidden":
                hint = "; the SEC refuses callers without contact: set NEEDLE_CONTACT"
            raise TooLittleError(
                f"expected the SEC's list of companies, found {error.message}{hint}; "
                "the gold of before stands, run again later"
            ) from error
        return parse_companies(document, self._drops)

    async def submissions(self, cik: int, *, since: date | None = None) -> Submissions:
        """The filings of at least a year, and with `since` all that were filed since then."""
        document = await self._json(self._lists, submissions_url(cik))
        first = parse_submissions(document, since, self._drops)
        filings = list(first.filings)
        for name in first.older:
            page = await self._json(self._lists, f"{SUBMISSIONS}/{name}")
            filings += parse_page(page, self._drops)
        return replace(first, filings=newest_first(filings), older=())

    async def facts(self, cik: int) -> dict[str, Any]:
        """The facts by taxonomy and concept, as they come; those with dimensions are not there."""
        document = await self._json(self._bulk, facts_url(cik))
        facts = document.get("facts") if isinstance(document, dict) else None
        if not isinstance(facts, dict):
            raise SourceError("malformed", f"{facts_url(cik)}: expected an object with `facts`")
        return facts

    async def document(self, cik: int, filing: Filing) -> str:
        """The markup of a filing's main document."""
        if not filing.document:
            raise SourceError("not_found", f"{filing.accession} has no document that is text")
        return await self._ask(lambda: self._bulk.get_text(document_url(cik, filing)))

    async def filings_with(self, cik: int, phrase: str, *, until: date) -> frozenset[str] | None:
        """The accession numbers of a company's filings that hold the phrase.

        None where they are more than the first page of the search lists.
        """
        params = {
            "q": '"' + phrase.replace('"', " ") + '"',
            "ciks": f"{cik:010d}",
            "dateRange": "custom",
            "startdt": SEARCH_FROM,
            "enddt": until.isoformat(),
        }
        return parse_search(await self._json(self._bulk, SEARCH, params))

    async def mentions(self, listing: Listing, name: str) -> bool:
        """Whether the company's own filings confirm a person as its chief executive.

        The newest annual report or proxy statement must name the person (given name and surname
        adjacent) beside the title, in a place that tells of no change in the office. An 8-K on
        officers since then decides alone where it appoints someone, tells of a change in the
        office, or speaks of the person as chief executive: it may be the farewell.
        """
        unread: SourceError | None = None
        for filing in second_sources(await self.submissions(listing.cik)):
            try:
                markup = await self.document(listing.cik, filing)
            except SourceError as error:
                unread = error
                continue
            places = title_places(markup, name, listing.title)
            clear = [not place.is_changing for place in places if place.is_named]
            if filing.form != "8-K":
                return any(clear)
            appointed = [place.is_named for place in places if place.is_appointment]
            if appointed:
                return all(appointed)
            if clear or any(place.is_changing for place in places):
                return bool(clear) and all(clear)
        if unread is not None:
            raise unread
        return False

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._lists.aclose()
        await self._bulk.aclose()

    async def _json(
        self, fetcher: Fetcher, url: str, params: Mapping[str, str] | None = None
    ) -> Any:
        return await self._ask(lambda: fetcher.get_json(url, params))

    async def _ask(self, get: Callable[[], Awaitable[T]]) -> T:
        """What `get` gives, unless the SEC has shut this machine out."""
        if self._refused >= BLOCKED_AFTER:
            raise SourceError(
                "forbidden", f"the SEC refused {BLOCKED_AFTER} requests in a row: not asked again"
            )
        try:
            value = await get()
        except SourceError as error:
            if error.kind == "forbidden":
                self._refused += 1
            raise
        self._refused = 0
        return value


def second_sources(submissions: Submissions) -> list[Filing]:
    """The newest annual report or proxy statement, and before it what 8-Ks say of officers since.

    Behind them stands the other of the two, for where the newest cannot be read.
    """
    found: list[Filing] = []
    reports: dict[bool, Filing] = {}
    for filing in submissions.filings:
        if filing.form in _ANNUAL or filing.form == "DEF 14A":
            reports.setdefault(filing.form == "DEF 14A", filing)
        elif filing.form == "8-K" and _OFFICERS in filing.items and not reports:
            found.append(filing)
    return found[:MAX_OFFICER_NEWS] + list(reports.values())


def _fetcher(settings: Settings, limiter: Limiter, concurrency: int, cache: Path | None) -> Fetcher:
    return Fetcher(
        settings,
        limiter=limiter,
        concurrency=concurrency,
        max_body_bytes=MAX_BODY_BYTES,
        timeout_s=60.0,
        cache=cache,
        accept="*/*",
        retry=_RETRY,
    )
