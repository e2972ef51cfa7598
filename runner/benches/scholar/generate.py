"""The queries of one generation: papers drawn cell by cell, each asked for in every bucket.

A paper is kept only when all of its buckets pass, so that buckets are compared on the same
papers. What a suite gives too little of is named in `Harvest.short`, so that the gold of the time
before can stand in for it. No suite can break another.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from runner.benches.bench import Harvest
from runner.benches.draws import derived_seed
from runner.benches.drops import Drops
from runner.benches.fetching import SourceError
from runner.benches.scholar.papers import Paper
from runner.benches.scholar.queries import (
    Lost,
    prompt_variables,
    source_of,
    title_query,
    written_query,
)
from runner.benches.scholar.rows import AgeBucket, Bucket, PaperIds, ScholarGold, Suite, scholar_row
from runner.benches.scholar.sampling import (
    Cell,
    candidates_wanted,
    cells,
    interleaved,
    per_window,
    usable,
    windows,
)
from runner.benches.scholar.score import suite_of
from runner.benches.scholar.sources.arxiv import Arxiv
from runner.benches.scholar.sources.europepmc import EuropePmc
from runner.benches.scholar.sources.idconv import IdConverter
from runner.benches.suites import suite_harvest
from runner.llm.client import LanguageModel, run_bounded, total
from runner.progress import Progress
from runner.records.judgements import Spend
from runner.records.queries import QueryRow
from runner.settings import Settings
from runner.text import query_hash

MIN_PAPERS = 30  # of all suites together
USEFUL_SHARE = 3  # one paper in so many that were asked for is enough


@dataclass(frozen=True, kw_only=True)
class ScholarOptions:
    """What to ask: `per_cell` papers of each field and age, in each of the `buckets`."""

    now: datetime
    suites: tuple[Suite, ...]
    ages: tuple[AgeBucket, ...]
    buckets: tuple[Bucket, ...]
    per_cell: int
    seed: int
    concurrency: int


@dataclass(frozen=True)
class Asked:
    """A paper with a query in every bucket."""

    paper: Paper
    queries: Mapping[Bucket, str]


@dataclass(frozen=True)
class Sources:
    """Where papers come from."""

    arxiv: Arxiv
    europepmc: EuropePmc
    idconv: IdConverter

    async def body(self, paper: Paper) -> str | None:
        """The text of a paper, None where its source has none; raises SourceError."""
        source = self.arxiv if paper.suite == "arxiv" else self.europepmc
        return await source.body(paper)

    async def aclose(self) -> None:
        for source in (self.arxiv, self.europepmc, self.idconv):
            await source.aclose()


async def generate(
    options: ScholarOptions, *, model: LanguageModel, settings: Settings, progress: Progress
) -> Harvest:
    """The rows of all papers that passed in every bucket, cell by cell."""
    drops, spends = Drops(), list[Spend]()
    sources = Sources(Arxiv(settings), EuropePmc(settings), IdConverter(settings))
    try:
        candidates = await _candidates(options, sources, drops, progress)
        found = await _project(options, candidates, sources, model, drops, spends, progress)
        kept = [(cell, asked) for cell, papers in found.items() for asked in papers]
        ids = await sources.idconv.completed([asked.paper.ids for _, asked in kept], drops)
    finally:
        await sources.aclose()
    rows = [
        row
        for (cell, asked), complete in zip(kept, ids, strict=True)
        for row in _rows(cell, asked, complete, options.now)
    ]
    return suite_harvest(rows, suite_of, least_rows(options), drops, spend=total(spends))


async def _candidates(
    options: ScholarOptions, sources: Sources, drops: Drops, progress: Progress
) -> dict[Cell, list[Paper]]:
    """The papers to try, cell by cell; a window whose source fails is counted and passed over."""
    grid = cells(options.suites, options.ages)
    wanted = candidates_wanted(options.per_cell)
    spans = {cell: windows(cell.age, wanted, options.now) for cell in grid}
    progress.phase("lists of papers", sum(map(len, spans.values())))
    listed: dict[Cell, list[list[Paper]]] = {cell: [] for cell in grid}
    lost = {suite: Drops() for suite in options.suites}  # suites are read at the same time

    async def read(suite: Suite) -> None:
        for cell in (cell for cell in grid if cell.suite == suite):
            count = per_window(wanted, len(spans[cell]))
            for i, window in enumerate(spans[cell]):
                seed = derived_seed(options.seed, cell, i)
                try:
                    if suite == "arxiv":
                        papers = await sources.arxiv.sample(
                            cell.domain, window, count, seed, lost[suite]
                        )
                    else:
                        papers = await sources.europepmc.sample(window, count, seed, lost[suite])
                    listed[cell].append(papers)
                except SourceError as error:
                    lost[suite].add(f"{suite}_{error.kind}", error.message)
                progress.advance()

    async with asyncio.TaskGroup() as group:
        for suite in options.suites:
            group.create_task(read(suite))
    for suite in options.suites:
        drops.add_all(lost[suite])
    seen: set[str] = set()
    return {cell: usable(interleaved(listed[cell]), seen, drops)[:wanted] for cell in grid}


async def _project(
    options: ScholarOptions,
    candidates: Mapping[Cell, Sequence[Paper]],
    sources: Sources,
    model: LanguageModel,
    drops: Drops,
    spends: list[Spend],
    progress: Progress,
) -> dict[Cell, list[Asked]]:
    """The first papers of each cell that pass in every bucket, at most `per_cell`.

    In each round every cell tries as many papers as it misses, so that no more are paid for than
    are needed, and what is kept does not depend on which answer came first.
    """
    kept: dict[Cell, list[Asked]] = {cell: [] for cell in candidates}
    tried = dict.fromkeys(candidates, 0)
    asked_before: set[str] = set()
    progress.phase("papers", options.per_cell * len(candidates))
    while True:
        batch = [
            (cell, paper)
            for cell, papers in candidates.items()
            for paper in papers[tried[cell] :][: options.per_cell - len(kept[cell])]
        ]
        if not batch:
            break
        outcomes: dict[int, Asked | Lost] = {}

        async def work(
            i: int,
            batch: Sequence[tuple[Cell, Paper]] = batch,
            outcomes: dict[int, Asked | Lost] = outcomes,
        ) -> None:
            outcomes[i] = await _try(batch[i][1], options, sources, model, spends)

        await run_bounded(range(len(batch)), work, options.concurrency)
        for i, (cell, paper) in enumerate(batch):
            tried[cell] += 1
            outcome = _once(outcomes[i], asked_before)
            if isinstance(outcome, Lost):
                drops.add(outcome.reason, f"{paper.url}: {outcome.text}")
            else:
                kept[cell].append(outcome)
                progress.advance()
    for cell, papers in kept.items():
        if len(papers) < options.per_cell:
            drops.add("short_cells", f"{cell}: {len(papers)} of {options.per_cell} papers")
    return kept


def _once(outcome: Asked | Lost, asked_before: set[str]) -> Asked | Lost:
    """The outcome; a paper is lost where one of its queries is another paper's."""
    if isinstance(outcome, Lost):
        return outcome
    hashes = {query_hash(query) for query in outcome.queries.values()}
    if len(hashes) < len(outcome.queries) or not hashes.isdisjoint(asked_before):
        return Lost("same_query", "; ".join(outcome.queries.values()))
    asked_before |= hashes
    return outcome


async def _try(
    paper: Paper,
    options: ScholarOptions,
    sources: Sources,
    model: LanguageModel,
    spends: list[Spend],
) -> Asked | Lost:
    """The queries of a paper in all buckets, or the first reason why there are none."""
    queries: dict[Bucket, str] = {}
    if "title" in options.buckets:
        query = title_query(paper.title, options.seed)
        if query is None:
            return Lost("title_short", paper.title)
        queries["title"] = query
    written = [bucket for bucket in options.buckets if bucket != "title"]
    if not written:
        return Asked(paper, queries)
    try:
        body = await sources.body(paper)
    except SourceError as error:
        return Lost("fetch", error.message)
    if body is None:
        return Lost("fetch", "no full text")
    source = source_of(paper, body)
    variables = prompt_variables(paper, body, options.seed)
    for bucket in written:
        outcome = await written_query(bucket, source, variables, model, spends)
        if isinstance(outcome, Lost):
            return Lost(f"{bucket}_{outcome.reason}", outcome.text)
        queries[bucket] = outcome.query
    return Asked(paper, queries)


def _rows(cell: Cell, asked: Asked, ids: PaperIds, now: datetime) -> list[QueryRow]:
    paper = asked.paper
    gold = ScholarGold(
        paper_key=paper.key,
        ids=ids,
        published_date=paper.published.date().isoformat(),
        age_bucket=cell.age,
        domain=cell.domain,
    )
    return [
        scholar_row(
            query,
            bucket=bucket,
            suite=cell.suite,
            gold=gold,
            title=paper.title,
            url=paper.url,
            now=now,
        )
        for bucket, query in asked.queries.items()
    ]


def least_rows(options: ScholarOptions) -> dict[str, int]:
    """The smallest useful yield of each suite: 30 papers in all, fewer where few were asked for.

    A suite's share of them is its share of the cells, so that none can be missing.
    """
    grid = cells(options.suites, options.ages)
    asked = len(grid) * options.per_cell
    least = min(MIN_PAPERS, asked // USEFUL_SHARE)
    return {
        suite: max(1, least * sum(cell.suite == suite for cell in grid) // len(grid))
        * len(options.buckets)
        for suite in options.suites
    }
