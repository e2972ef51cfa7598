"""Queries about one quarter of one company, with gold from the XBRL facts of its 10-Q filings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta

from runner.benches.drops import Drops
from runner.benches.fetching import SourceError
from runner.benches.finance.companies import Listing, query_name
from runner.benches.finance.fields import FIELDS, Freshness
from runner.benches.finance.rows import finance_row
from runner.benches.finance.sources.sec import Sec, facts_url
from runner.benches.finance.xbrl_facts import Quarter, field_quarters
from runner.llm.client import run_bounded
from runner.records.queries import QueryRow
from runner.sampling import permutation
from runner.text import canonical_text

DAYS_BACK_EACH = 95  # a quarter, and the days until its report
RECENT_DAYS = 200
IN_FLIGHT = 4  # companies at once; their files are megabytes each
SYNTAXES = ("plain", "quoted")
_LADDER: tuple[tuple[int, Freshness], ...] = ((7, "7d"), (30, "30d"), (366, "1y"), (1_827, "5y"))


async def quarter_rows(
    listings: Sequence[Listing],
    *,
    sec: Sec,
    fields: Sequence[str],
    per_company: int,
    quarters_back: int,
    seed: int,
    now: datetime,
    drops: Drops,
    advance: Callable[[], None] = lambda: None,
) -> list[QueryRow]:
    """Rows in the order of the listings, `per_company` at most for each.

    A company whose facts or filings cannot be had is counted (`facts_missing` where it has none,
    as foreign filers do).
    """
    found: list[list[Quarter]] = [[] for _ in listings]

    async def work(i: int) -> None:
        found[i] = await _company(listings[i], sec, fields, quarters_back, now.date(), drops)
        advance()

    await run_bounded(range(len(listings)), work, IN_FLIGHT)
    rows: list[QueryRow] = []
    asked: set[str] = set()
    for listing, quarters in zip(listings, found, strict=True):
        order = permutation(len(quarters), seed ^ listing.cik)
        for i in order[: max(per_company, 0)]:
            row = _row(listing, quarters[i], SYNTAXES[len(rows) % len(SYNTAXES)], now)
            text = canonical_text(row.query_text.replace('"', ""))
            if text in asked:  # of another company with the same common name
                drops.add("quarter_duplicate", row.query_text)
            else:
                asked.add(text)
                rows.append(row)
    return rows


async def _company(
    listing: Listing,
    sec: Sec,
    fields: Sequence[str],
    quarters_back: int,
    today: date,
    drops: Drops,
) -> list[Quarter]:
    """The quarters of one company; a failing source is counted and gives none."""
    oldest = today - timedelta(days=(quarters_back + 1) * DAYS_BACK_EACH)
    try:
        facts = await sec.facts(listing.cik)
        submissions = await sec.submissions(listing.cik, since=oldest)
    except SourceError as error:
        reason = "facts_missing" if error.kind == "not_found" else f"facts_{error.kind}"
        drops.add(reason, f"{listing.title}: {error.message}")
        return []
    periods = {
        filing.accession: filing.period
        for filing in submissions.filings
        if filing.form == "10-Q" and filing.period is not None
    }
    if not periods:
        drops.add("facts_missing", f"{listing.title}: no 10-Q since {oldest}")
        return []
    found: list[Quarter] = []
    for field in fields:
        quarters = field_quarters(
            field, facts, periods, year_end=submissions.year_end, oldest=oldest, drops=drops
        )
        found += [each for each in quarters if each.fact.end <= today][:quarters_back]
    return found


def freshness_of(age_days: int) -> Freshness:
    """How long a fact of that age is good for: the ladder's first step that holds it."""
    return next((label for days, label in _LADDER if age_days <= days), "static")


def _row(listing: Listing, quarter: Quarter, syntax: str, now: datetime) -> QueryRow:
    fact = quarter.fact
    name = query_name(listing.title)
    shown = f'"{name}"' if syntax == "quoted" else name
    template = FIELDS[quarter.field].keyword
    assert template is not None  # every field of this suite has one
    age_days = (now.date() - fact.end).days
    return finance_row(
        template.format(name=shown, period=quarter.label),
        bucket="filings",
        field=quarter.field,
        value=fact.value,
        aliases=list(quarter.aliases),
        provenance={
            "registry": "sec_xbrl",
            "source_url": facts_url(listing.cik),
            "entity": listing.title,
            "ticker": listing.tickers[0],
            "cik": listing.cik,
            "concept": fact.concept,
            "accession": fact.accession,
            "fy": fact.fy,
            "fp": fact.fp,
            "period_end": fact.end.isoformat(),
            "age_bucket": "recent" if age_days <= RECENT_DAYS else "older",
        },
        now=now,
        syntax=syntax,
        freshness=freshness_of(age_days),
        tier=listing.tier,
    )
