"""The suite `caselaw`: recent published opinions, asked for by the names of their parties.

Of each court some of the last months are drawn and each is asked for once; the number of
searches is known before the first one and stays within CourtListener's hour.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from itertools import zip_longest

from runner.benches.draws import derived_seed, picked
from runner.benches.drops import Drops
from runner.benches.fetching import SourceError
from runner.benches.legal.captions import MIN_WORDS, caption_query, party_tokens
from runner.benches.legal.rows import LegalGold, LegalIds, legal_row
from runner.benches.legal.sources.courtlistener import (
    MAX_SEARCHES,
    CourtListener,
    Month,
    Opinion,
    months_before,
)
from runner.errors import UsageError
from runner.records.queries import QueryRow

COURTS = {
    "scotus": "supreme court",
    "ca1": "first circuit",
    "ca2": "second circuit",
    "ca3": "third circuit",
    "ca4": "fourth circuit",
    "ca5": "fifth circuit",
    "ca6": "sixth circuit",
    "ca7": "seventh circuit",
    "ca8": "eighth circuit",
    "ca9": "ninth circuit",
    "ca10": "tenth circuit",
    "ca11": "eleventh circuit",
    "cadc": "dc circuit",
    "cafc": "federal circuit",
}
SYNTAXES = ("plain", "quoted", "plain", "site", "plain", "date")
DATE_SLACK = timedelta(days=45)
MAX_PLANNED = MAX_SEARCHES - 4  # leaves room for a few second tries


def plan_searches(
    courts: Sequence[str], *, months_back: int, months_per_court: int, now: datetime, seed: int
) -> list[tuple[str, Month]]:
    """Court and month of every search, in order; raises UsageError where they are too many."""
    count = min(months_per_court, months_back)
    if len(courts) * count > MAX_PLANNED:
        raise UsageError(
            f"{len(courts)} courts x {count} months = {len(courts) * count} searches; "
            f"CourtListener allows {MAX_SEARCHES} an hour, so plan at most {MAX_PLANNED}: "
            "--months-per-court "
            f"{max(1, MAX_PLANNED // len(courts))} or fewer --courts"
        )
    months = months_before(now.date(), months_back)
    return [
        (court, month)
        for court in courts
        for month in picked(months, count, derived_seed(seed, "months", court))
    ]


async def caselaw_rows(
    searches: Sequence[tuple[str, Month]],
    *,
    source: CourtListener,
    per_court: int,
    seed: int,
    now: datetime,
    drops: Drops,
    advance: Callable[[], None] = lambda: None,
) -> list[QueryRow]:
    """At most `per_court` rows a court, in the order of the courts; months of a court in turn."""
    found: dict[str, list[list[Opinion]]] = {}
    for court, month in searches:
        opinions: list[Opinion] = []
        try:
            opinions = await source.opinions(court, month, drops)
        except SourceError as error:
            drops.add(f"courtlistener_{error.kind}", error.message)
        shuffled = picked(
            opinions, len(opinions), derived_seed(seed, court, month.year, month.month)
        )
        found.setdefault(court, []).append(shuffled)
        advance()
    rows: list[QueryRow] = []
    seen: set[str] = set()
    for court, months in found.items():
        wanted = len(rows) + per_court
        for opinion in _in_turn(months):
            if len(rows) == wanted:
                break
            if opinion.cluster in seen:
                continue
            seen.add(opinion.cluster)
            row = _row(opinion, SYNTAXES[len(rows) % len(SYNTAXES)], now, drops)
            if row is not None:
                rows.append(row)
        if len(rows) < wanted:
            drops.add("short_courts", f"{court}: {per_court - (wanted - len(rows))} rows")
    return rows


def _in_turn(months: Sequence[Sequence[Opinion]]) -> list[Opinion]:
    """The first of each month, then the second of each, and so on."""
    return [each for turn in zip_longest(*months) for each in turn if each is not None]


def _row(opinion: Opinion, syntax: str, now: datetime, drops: Drops) -> QueryRow | None:
    caption = caption_query(opinion.name)
    tokens = party_tokens(caption) if caption else []
    if caption is None or not tokens or len(caption.split()) < MIN_WORDS:
        drops.add("generic_caption", opinion.name)
        return None
    return legal_row(
        with_syntax(caption, syntax, opinion),
        gold=LegalGold(
            case_key=opinion.cluster,
            ids=LegalIds(
                cluster=opinion.cluster, docket=opinion.docket or None, cites=list(opinion.cites)
            ),
            party_tokens=tokens,
            court=opinion.court,
            date_filed=opinion.filed.isoformat(),
            case_name=opinion.name,
        ),
        syntax=syntax,
        provenance={
            "producer": "legal",
            "case_name": opinion.name,
            "url": opinion.url,
            "date_filed": opinion.filed.isoformat(),
        },
        now=now,
    )


def with_syntax(caption: str, syntax: str, opinion: Opinion) -> str:
    """The query in one of the syntaxes; the court's name always stands outside the quotes."""
    court = COURTS[opinion.court]
    if syntax == "quoted":
        return f'"{caption}" {court}'
    if syntax == "site":
        return f"{caption} {court} site:courtlistener.com"
    if syntax == "date":
        after, before = opinion.filed - DATE_SLACK, opinion.filed + DATE_SLACK
        return f"{caption} {court} after:{after} before:{before}"
    return f"{caption} {court}"
