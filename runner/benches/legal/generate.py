"""The questions of one generation: opinions by their parties, sections by what they say."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from runner.benches.bench import Harvest
from runner.benches.drops import Drops
from runner.benches.legal.caselaw import caselaw_rows, plan_searches
from runner.benches.legal.code import TRIED_A_ROW, code_rows
from runner.benches.legal.score import suite_of
from runner.benches.legal.sources.courtlistener import CourtListener
from runner.benches.legal.sources.ecfr import Ecfr
from runner.benches.suites import suite_harvest
from runner.llm.client import LanguageModel, total
from runner.progress import Progress
from runner.records.judgements import Spend
from runner.records.queries import QueryRow
from runner.settings import Settings

MIN_ROWS = {"caselaw": 28, "code": 20}
MIN_COURTS = 10


@dataclass(frozen=True, kw_only=True)
class LegalOptions:
    """What to ask; `seed` draws months, opinions and sections."""

    now: datetime
    suites: tuple[str, ...]
    courts: tuple[str, ...]
    per_court: int
    months_back: int
    months_per_court: int
    titles: tuple[int, ...]
    per_title: int
    seed: int
    llm_concurrency: int
    cache: Path | None


async def generate(
    options: LegalOptions, *, model: LanguageModel, settings: Settings, progress: Progress
) -> Harvest:
    """The rows of the suites; raises UsageError for more searches than an hour allows."""
    drops, spends, rows = Drops(), list[Spend](), list[QueryRow]()
    searches = plan_searches(
        options.courts,
        months_back=options.months_back,
        months_per_court=options.months_per_court,
        now=options.now,
        seed=options.seed,
    )
    courts = CourtListener(settings)
    ecfr = Ecfr(settings, cache=options.cache)
    try:
        if "caselaw" in options.suites:
            progress.phase("courts and months", len(searches))
            rows += await caselaw_rows(
                searches,
                source=courts,
                per_court=options.per_court,
                seed=options.seed,
                now=options.now,
                drops=drops,
                advance=progress.advance,
            )
        if "code" in options.suites:
            progress.phase("sections", len(options.titles) * options.per_title * TRIED_A_ROW)
            rows += await code_rows(
                options.titles,
                source=ecfr,
                model=model,
                per_title=options.per_title,
                seed=options.seed,
                now=options.now,
                concurrency=options.llm_concurrency,
                drops=drops,
                spends=spends,
                advance=progress.advance,
            )
    finally:
        await courts.aclose()
        await ecfr.aclose()
    rows = _of_enough_courts(rows, options, drops)
    return suite_harvest(rows, suite_of, least_rows(options), drops, spend=total(spends))


def least_rows(options: LegalOptions) -> dict[str, int]:
    """The smallest useful yield of each suite: half of what was asked for, where that is less."""
    asked = {
        "caselaw": len(options.courts) * options.per_court // 2,
        "code": len(options.titles) * options.per_title // 2,
    }
    return {suite: max(1, min(MIN_ROWS[suite], asked[suite])) for suite in options.suites}


def _of_enough_courts(rows: list[QueryRow], options: LegalOptions, drops: Drops) -> list[QueryRow]:
    """The rows, without the opinions where they are of too few courts to stand for all."""
    courts = {str(row.gold.get("court")) for row in rows if row.gold and row.gold.get("court")}
    least = min(MIN_COURTS, (len(options.courts) * MIN_COURTS + 13) // 14)
    if "caselaw" not in options.suites or len(courts) >= least:
        return rows
    drops.add("too_few_courts", f"{len(courts)} courts gave opinions, at least {least} are needed")
    return [row for row in rows if suite_of(row) != "caselaw"]
