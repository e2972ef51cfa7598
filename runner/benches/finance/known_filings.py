"""Queries for one known filing each, with the filing's accession number as gold.

A model reads an excerpt and proposes a query that quotes one detail; code checks the quotation,
and the SEC's full-text search says whether the company's other filings have the same words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from runner.benches.document_text import visible_text
from runner.benches.drops import Drops
from runner.benches.fetching import SourceError
from runner.benches.finance.companies import Listing, query_name
from runner.benches.finance.filing_checks import rejection
from runner.benches.finance.rows import finance_row
from runner.benches.finance.sources.sec import Sec, document_url
from runner.benches.finance.sources.sec_filings import Filing
from runner.benches.proposals import parse_proposal, span_of
from runner.judging.asking import ask
from runner.llm.client import LanguageModel, Prompt, run_bounded
from runner.records.judgements import Spend
from runner.records.queries import QueryRow

FORMS = ("10-K", "10-Q", "8-K")
RECENT_FILINGS = 20
MIN_TEXT_CHARS = 3_000
EXCERPT_CHARS, EXCERPT_START = 8_000, 1_500  # behind the cover page
MAX_FILINGS = 3  # of the company that may have the quoted words
DATE_SLACK = timedelta(days=45)
RECENT_DAYS = 200
BATCH = 8  # the fewest companies at once, however few are missing
SYNTAXES = ("plain", "site", "plain", "quoted", "plain", "date")


@dataclass(frozen=True)
class Found:
    """A query with one quoted span that passed every check, and the filing it leads to."""

    filing: Filing
    query: str


@dataclass(frozen=True)
class Lost:
    """Why a company gave no query."""

    reason: str
    text: str


async def filing_rows(
    listings: Sequence[Listing],
    *,
    sec: Sec,
    model: LanguageModel,
    target: int,
    seed: int,
    now: datetime,
    concurrency: int,
    drops: Drops,
    spends: list[Spend] | None = None,
    advance: Callable[[], None] = lambda: None,
) -> list[QueryRow]:
    """At most `target` rows, one a company, in the order of the listings.

    Companies are tried in their order until there are enough; what each lost one failed at is
    counted (`filing_fetch`, `filing_thin`, `filing_llm_error`, `filing_no_query`,
    `filing_rejected_*`, `filing_search`, `filing_not_unique`, `filing_surplus`). What the model
    cost is added to `spends`.
    """
    rows: list[QueryRow] = []
    costs = spends if spends is not None else []
    position = 0
    while position < len(listings) and len(rows) < target:
        batch = listings[position : position + max(target - len(rows), BATCH)]
        position += len(batch)
        outcomes: list[Found | Lost] = [Lost("filing_fetch", "not tried")] * len(batch)

        async def work(
            i: int, batch: Sequence[Listing] = batch, outcomes: list[Found | Lost] = outcomes
        ) -> None:
            outcomes[i] = await _try(batch[i], sec, model, seed, now, costs)

        await run_bounded(range(len(batch)), work, concurrency)
        for listing, outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, Lost):
                drops.add(outcome.reason, f"{listing.title}: {outcome.text}")
            elif len(rows) == target:
                drops.add("filing_surplus", f"{listing.title}: {outcome.query}")
            else:
                rows.append(_row(listing, outcome, SYNTAXES[len(rows) % len(SYNTAXES)], now))
                advance()
    return rows


async def _try(
    listing: Listing,
    sec: Sec,
    model: LanguageModel,
    seed: int,
    now: datetime,
    spends: list[Spend],
) -> Found | Lost:
    """The query for one filing of a company, or why there is none."""
    try:
        submissions = await sec.submissions(listing.cik)
        filing = choose_filing(submissions.filings, seed ^ listing.cik)
        if filing is None:
            return Lost("filing_fetch", f"no {', '.join(FORMS)} that is text")
        text = visible_text(await sec.document(listing.cik, filing))
    except SourceError as error:
        return Lost("filing_fetch", error.message)
    if len(text) < MIN_TEXT_CHARS:
        return Lost("filing_thin", f"{len(text)} characters in {filing.accession}")
    variables = {
        "company": query_name(listing.title),
        "form": filing.form,
        "filed": filing.filed.isoformat(),
        "excerpt": excerpt(text),
    }
    answer = await ask(model, Prompt("filing_query", variables), parse_proposal)
    spends.append(answer.spend)
    if answer.value is None:
        problem = answer.error.error_message if answer.error else "no reply"
        return Lost("filing_llm_error", problem)
    proposal = answer.value
    if proposal.query is None:
        return Lost("filing_no_query", f"{proposal.refusal}: {proposal.evidence or 'no reason'}")
    if why := rejection(proposal, title=listing.title, document=text):
        return Lost(f"filing_rejected_{why}", proposal.query)
    try:
        with_span = await sec.filings_with(
            listing.cik, span_of(proposal.query) or "", until=now.date()
        )
    except SourceError as error:
        return Lost("filing_search", error.message)
    if with_span is None or len(with_span) > MAX_FILINGS:
        return Lost("filing_not_unique", proposal.query)
    if filing.accession not in with_span:
        return Lost("filing_search", f"{filing.accession} is not found by {proposal.query}")
    return Found(filing, proposal.query)


def choose_filing(filings: Sequence[Filing], seed: int) -> Filing | None:
    """One of the newest filings with a text, another for each seed; None where there is none."""
    recent = [filing for filing in filings if filing.form in FORMS and filing.document]
    recent = recent[:RECENT_FILINGS]
    return recent[seed % len(recent)] if recent else None


def excerpt(text: str) -> str:
    """The part of a document that the model reads: behind the cover page, or the last part."""
    if len(text) < EXCERPT_START + EXCERPT_CHARS:
        return text[-EXCERPT_CHARS:]
    return text[EXCERPT_START : EXCERPT_START + EXCERPT_CHARS]


def with_syntax(query: str, syntax: str, filing: Filing) -> str:
    """The query in one of the syntaxes: `quoted` keeps its quotation marks, the others do not."""
    bare = " ".join(query.replace('"', " ").split())
    if syntax == "quoted":
        return query
    if syntax == "site":
        return f"{bare} site:sec.gov"
    if syntax == "date":
        after, before = filing.filed - DATE_SLACK, filing.filed + DATE_SLACK
        return f"{bare} after:{after} before:{before}"
    return bare


def _row(listing: Listing, found: Found, syntax: str, now: datetime) -> QueryRow:
    filing = found.filing
    age_days = (now.date() - filing.filed).days
    return finance_row(
        with_syntax(found.query, syntax, filing),
        bucket="filingdoc",
        field="filing",
        value=filing.accession.replace("-", ""),
        aliases=[filing.accession],
        provenance={
            "registry": "sec_submissions",
            "source_url": document_url(listing.cik, filing),
            "entity": listing.title,
            "ticker": listing.tickers[0],
            "cik": listing.cik,
            "form": filing.form,
            "filed": filing.filed.isoformat(),
            "age_bucket": "recent" if age_days <= RECENT_DAYS else "older",
        },
        now=now,
        syntax=syntax,
        tier=listing.tier,
    )
