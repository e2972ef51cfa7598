"""The questions of one generation: companies drawn by size, then each suite on its own.

A suite that gives too little is named in `Harvest.short` and its rows are left out, so that the
gold of the time before can stand in for it. No suite can break another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from runner.benches.bench import Harvest
from runner.benches.drops import Drops
from runner.benches.finance.companies import Listing, pick_companies
from runner.benches.finance.known_filings import filing_rows
from runner.benches.finance.quarter_facts import quarter_rows
from runner.benches.finance.registry_facts import registry_rows
from runner.benches.finance.score import suite_of
from runner.benches.finance.sources.gleif import Gleif
from runner.benches.finance.sources.sec import Sec
from runner.benches.finance.sources.wikidata import Wikidata
from runner.benches.suites import suite_harvest
from runner.llm.client import LanguageModel, total
from runner.progress import Progress
from runner.records.judgements import Spend
from runner.records.queries import QueryRow
from runner.settings import Settings

MIN_ROWS = {"finance": 200, "filings": 40, "filingdoc": 15}
FILINGS_A_ROW = 3  # companies tried for each filing that is wanted
SEC_CONCURRENCY = 4
FILING_SEED = 0xF111


@dataclass(frozen=True, kw_only=True)
class FinanceOptions:
    """What to ask: `fields` are those of a quarter, `cache` keeps what the sources answer.

    `seed` draws the companies, so that another hour asks about others.
    """

    now: datetime
    suites: tuple[str, ...]
    fields: tuple[str, ...]
    max_companies: int
    min_employee_year: int
    per_company: int
    quarters_back: int
    filingdoc_target: int
    seed: int
    llm_concurrency: int
    registry_concurrency: int
    cache: Path | None


async def generate(
    options: FinanceOptions, *, model: LanguageModel, settings: Settings, progress: Progress
) -> Harvest:
    """The rows of the suites; raises TooLittleError without a list of companies."""
    drops, spends = Drops(), list[Spend]()
    sec = Sec(settings, cache=options.cache, concurrency=SEC_CONCURRENCY, drops=drops)
    wikidata = Wikidata(settings, cache=options.cache)
    gleif = Gleif(settings, cache=options.cache)
    rows: list[QueryRow] = []
    try:
        listings = await sec.companies()
        chosen = pick_companies(listings, options.max_companies, options.seed)
        if "finance" in options.suites:
            progress.phase("companies", len(chosen))
            found = await registry_rows(
                chosen,
                wikidata=wikidata,
                gleif=gleif,
                confirm_ceo=sec.mentions,
                now=options.now,
                min_employee_year=options.min_employee_year,
                concurrency=options.registry_concurrency,
                drops=drops,
                progress_advance=progress.advance,
            )
            rows += found
        if "filings" in options.suites:
            progress.phase("quarters", len(chosen))
            rows += await quarter_rows(
                chosen,
                sec=sec,
                fields=options.fields,
                per_company=options.per_company,
                quarters_back=options.quarters_back,
                seed=options.seed,
                now=options.now,
                drops=drops,
                advance=progress.advance,
            )
        if "filingdoc" in options.suites:
            candidates = _filing_companies(listings, options)
            progress.phase("filings", options.filingdoc_target)
            rows += await filing_rows(
                candidates,
                sec=sec,
                model=model,
                target=options.filingdoc_target,
                seed=options.seed,
                now=options.now,
                concurrency=options.llm_concurrency,
                drops=drops,
                spends=spends,
                advance=progress.advance,
            )
    finally:
        for source in (sec, wikidata, gleif):
            await source.aclose()
    return suite_harvest(rows, suite_of, least_rows(options), drops, spend=total(spends))


def _filing_companies(listings: Sequence[Listing], options: FinanceOptions) -> list[Listing]:
    """Other companies than the other suites ask about, as far as there are others."""
    count = options.filingdoc_target * FILINGS_A_ROW
    return pick_companies(listings, count, options.seed ^ FILING_SEED)


def least_rows(options: FinanceOptions) -> dict[str, int]:
    """The smallest useful yield of each suite, smaller where fewer companies were asked for."""
    asked = {
        "finance": 3 * options.max_companies,
        "filings": options.max_companies * options.per_company // 5,
        "filingdoc": options.filingdoc_target // 3,
    }
    return {suite: max(1, min(MIN_ROWS[suite], asked[suite])) for suite in options.suites}
