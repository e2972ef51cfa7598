"""The search phase: every engine asked every query, engines side by side.

Each engine has its own workers (one request in flight by default), so that a slow engine holds
up nobody else. Local engines compute in this process and would hold up every answer that arrives
meanwhile, so they come after the others. Judging starts only after this phase, so model traffic
cannot disturb latency.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from runner.benches.work import WorkFolder
from runner.engines.spec import Engine, SearchOutcome
from runner.llm.client import run_bounded
from runner.progress import Progress
from runner.records.queries import QueryRow
from runner.records.search import SearchRecord, SearchResult

LOCAL = "local"  # the vendor of the engines that need no network
MAX_URL_CHARS = 4_096
MAX_TITLE_CHARS = 1_000
MAX_SNIPPET_CHARS = 50_000
MAX_DATE_CHARS = 100


async def search_all(
    engines: Sequence[Engine],
    rows: Sequence[QueryRow],
    *,
    num_results: int,
    concurrency: int,
    work: WorkFolder,
    clock: Callable[[], str],
    progress: Progress,
) -> None:
    """Fills `work.searches` with an outcome for every (query, engine); known ones are kept."""
    missing = {
        engine.spec.id: [row for row in rows if (row.query_id, engine.spec.id) not in work.searches]
        for engine in engines
    }
    progress.phase("searches", sum(len(queue) for queue in missing.values()))

    async def ask(engine: Engine) -> None:
        async def one(row: QueryRow) -> None:
            outcome = await engine.search(row.query_text, num_results=num_results)
            work.add_search(_record(row, engine.spec.id, outcome, clock()))
            progress.advance()

        await run_bounded(missing[engine.spec.id], one, concurrency)

    networked = [engine for engine in engines if engine.spec.vendor != LOCAL]
    local = [engine for engine in engines if engine.spec.vendor == LOCAL]
    try:
        for side_by_side in (networked, local):
            async with asyncio.TaskGroup() as group:
                for engine in side_by_side:
                    group.create_task(ask(engine))
    finally:
        for engine in engines:
            await engine.aclose()


def _record(row: QueryRow, engine: str, outcome: SearchOutcome, now: str) -> SearchRecord:
    results = None
    if outcome.results is not None:
        results = [_bounded(result) for result in outcome.results if _fits(result)]
    return SearchRecord(
        query_id=row.query_id,
        engine=engine,
        results=results,
        error=outcome.error,
        latency_ms=outcome.latency_ms,
        reconnected=outcome.reconnected,
        attempts=outcome.attempts,
        finished_at=now,
    )


def _fits(result: SearchResult) -> bool:
    return len(result.url) <= MAX_URL_CHARS


def _bounded(result: SearchResult) -> SearchResult:
    """The result with texts of bounded length; no honest result comes near these limits."""
    return SearchResult(
        url=result.url,
        title=result.title and result.title[:MAX_TITLE_CHARS],
        snippet=result.snippet and result.snippet[:MAX_SNIPPET_CHARS],
        published_date=result.published_date and result.published_date[:MAX_DATE_CHARS],
    )
