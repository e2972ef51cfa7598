"""The suite `code`: sections of the CFR, asked for by what they say and one quoted span.

A model reads a section and proposes a query; code checks the quotation and that the citation does
not stand in it, and the eCFR's search says in how many sections the quoted words are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from runner.benches.draws import derived_seed, picked
from runner.benches.drops import Drops
from runner.benches.fetching import SourceError
from runner.benches.legal.citing.cfr import section_key
from runner.benches.legal.code_checks import rejection
from runner.benches.legal.rows import LegalGold, LegalIds, legal_row
from runner.benches.legal.sources.ecfr import Ecfr, Section
from runner.benches.proposals import parse_proposal, span_of
from runner.judging.asking import ask
from runner.llm.client import LanguageModel, Prompt, run_bounded
from runner.records.judgements import Spend
from runner.records.queries import QueryRow

TRIED_A_ROW = 3  # sections for each one that is wanted
MAX_SECTIONS = 5  # that may have the quoted words
TEXT_CHARS = 6_000
MIN_TEXT_CHARS = 200
SYNTAXES = ("plain", "quoted", "plain", "site")


@dataclass(frozen=True)
class _Lost:
    reason: str
    text: str


async def code_rows(
    titles: Sequence[int],
    *,
    source: Ecfr,
    model: LanguageModel,
    per_title: int,
    seed: int,
    now: datetime,
    concurrency: int,
    drops: Drops,
    spends: list[Spend],
    advance: Callable[[], None] = lambda: None,
) -> list[QueryRow]:
    """At most `per_title` rows a title, in the order of the titles.

    What a section failed at is counted (`section_fetch`, `section_thin`, `section_llm_error`,
    `section_no_query`, `section_rejected_*`, `section_search`, `section_not_unique`).
    """
    candidates = await _candidates(titles, source, per_title * TRIED_A_ROW, seed, drops)
    outcomes: list[str | _Lost] = [_Lost("section_fetch", "not tried")] * len(candidates)

    async def work(i: int) -> None:
        outcomes[i] = await _try(candidates[i], source, model, spends)
        advance()

    await run_bounded(range(len(candidates)), work, concurrency)
    rows: list[QueryRow] = []
    for title in titles:
        wanted = len(rows) + per_title
        for section, outcome in zip(candidates, outcomes, strict=True):
            if section.title != title:
                continue
            if isinstance(outcome, _Lost):
                drops.add(outcome.reason, f"{title} CFR {section.number}: {outcome.text}")
            elif len(rows) == wanted:
                drops.add("section_surplus", outcome)
            else:
                rows.append(_row(section, outcome, SYNTAXES[len(rows) % len(SYNTAXES)], now))
        if len(rows) < wanted:
            drops.add("short_titles", f"title {title}: {per_title - (wanted - len(rows))} rows")
    return rows


async def _candidates(
    titles: Sequence[int], source: Ecfr, count: int, seed: int, drops: Drops
) -> list[Section]:
    """The sections that are tried, `count` of each title, drawn by the seed."""
    try:
        days = await source.current_days()
    except SourceError as error:
        drops.add(f"ecfr_{error.kind}", error.message)
        return []
    found: list[Section] = []
    for title in titles:
        if title not in days:
            drops.add("title_missing", f"title {title} is reserved or not listed")
            continue
        try:
            sections = await source.sections(title, days[title])
        except SourceError as error:
            drops.add(f"ecfr_{error.kind}", error.message)
            continue
        found += picked(sections, count, derived_seed(seed, "title", title))
    return found


async def _try(
    section: Section, source: Ecfr, model: LanguageModel, spends: list[Spend]
) -> str | _Lost:
    """The query about a section, or why there is none."""
    try:
        text = await source.text(section)
    except SourceError as error:
        return _Lost("section_fetch", error.message)
    if len(text) < MIN_TEXT_CHARS:
        return _Lost("section_thin", f"{len(text)} characters")
    variables = {"heading": section.heading, "text": text[:TEXT_CHARS]}
    answer = await ask(model, Prompt("code_query", variables), parse_proposal)
    spends.append(answer.spend)
    if answer.value is None:
        return _Lost("section_llm_error", answer.error.error_message if answer.error else "")
    proposal = answer.value
    if proposal.query is None:
        return _Lost("section_no_query", f"{proposal.refusal}: {proposal.evidence or 'no reason'}")
    if why := rejection(proposal, section=section, text=text):
        return _Lost(f"section_rejected_{why}", proposal.query)
    try:
        with_span = await source.sections_with(span_of(proposal.query) or "")
    except SourceError as error:
        return _Lost("section_search", error.message)
    if with_span is None or len(with_span) > MAX_SECTIONS:
        return _Lost("section_not_unique", proposal.query)
    if _key(section) not in with_span:
        return _Lost("section_search", f"is not found by {proposal.query}")
    return proposal.query


def with_syntax(query: str, syntax: str) -> str:
    """The query in one of the syntaxes: `quoted` keeps its quotation marks, the others do not."""
    bare = " ".join(query.replace('"', " ").split())
    if syntax == "quoted":
        return query
    return f"{bare} site:law.cornell.edu" if syntax == "site" else bare


def _row(section: Section, query: str, syntax: str, now: datetime) -> QueryRow:
    citation = f"{section.title} CFR {section.number}"
    return legal_row(
        with_syntax(query, syntax),
        gold=LegalGold(ids=LegalIds(cfr=_key(section)), citation=citation, heading=section.heading),
        syntax=syntax,
        provenance={
            "producer": "legal",
            "citation": citation,
            "url": section.url,
            "as_of": section.day,
        },
        now=now,
    )


def _key(section: Section) -> str:
    key = section_key(f"{section.title}:{section.number}")
    return key if key is not None else f"{section.title}:{section.number}".lower()
