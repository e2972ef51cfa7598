"""The judge phase: all profiles, then all judgements, bounded by one concurrency."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from runner.benches.work import WorkFolder
from runner.judging.dates import iso_date
from runner.judging.profile import profile_query
from runner.judging.relevance import Document, document_of, judge_document
from runner.llm.client import LanguageModel, run_bounded
from runner.progress import Progress
from runner.records.judgements import JudgementRecord, ProfileRecord
from runner.records.queries import QueryRow
from runner.records.search import SearchRecord, SearchResult


def judge_date(row: QueryRow) -> str:
    """`today` for the judge of a query: the UTC date of its `hour_ts`."""
    return row.hour_ts[:10]


def document_for(record: SearchRecord, result: SearchResult, snippet_chars: int) -> Document:
    """The document of a result; relative dates count from the time of the search."""
    asked_at = datetime.fromisoformat(record.finished_at)
    published = iso_date(result.published_date, asked_at)
    return document_of(result, snippet_chars=snippet_chars, published=published)


def documents_by_query(
    searches: Mapping[tuple[str, str], SearchRecord],
    rows: Sequence[QueryRow],
    roster: Sequence[str],
    snippet_chars: int,
) -> dict[str, dict[str, Document]]:
    """Per query id the distinct documents of all engines by key, in roster and rank order."""
    found: dict[str, dict[str, Document]] = {}
    for row in rows:
        documents = found.setdefault(row.query_id, {})
        for engine in roster:
            record = searches.get((row.query_id, engine))
            if record is None:
                continue
            for result in record.results or []:
                document = document_for(record, result, snippet_chars)
                documents.setdefault(document.key, document)
    return found


async def judge_all(
    model: LanguageModel,
    rows: Sequence[QueryRow],
    documents: Mapping[str, Mapping[str, Document]],
    *,
    concurrency: int,
    work: WorkFolder,
    clock: Callable[[], str],
    progress: Progress,
) -> None:
    """Fills `work.profiles` and `work.judgements`; what failed is asked once more at the end.

    A call refused by the budget leaves no record, so that a later resume can make it; the
    documents of a query whose profile was refused wait for that resume too.
    """
    asked = [row for row in rows if documents[row.query_id]]

    async def profile(row: QueryRow) -> None:
        record = await profile_query(model, row, today=judge_date(row), clock=clock)
        if not _is_refused(record):
            work.add_profile(record)
        progress.advance()

    async def judge(item: tuple[QueryRow, Document]) -> None:
        row, document = item
        known = work.profiles.get(row.query_id)
        record = await judge_document(
            model,
            row,
            document,
            profile=known.profile if known else None,
            today=judge_date(row),
            clock=clock,
        )
        if not _is_refused(record):
            work.add_judgement(record)
        progress.advance()

    def unprofiled() -> list[QueryRow]:
        return [row for row in asked if not _is_settled(work.profiles.get(row.query_id))]

    def unjudged() -> list[tuple[QueryRow, Document]]:
        return [
            (row, document)
            for row in asked
            if row.query_id in work.profiles
            for key, document in documents[row.query_id].items()
            if not _is_settled(work.judgements.get((row.query_id, key)))
        ]

    progress.phase("query profiles", len(unprofiled()))
    await run_bounded(unprofiled(), profile, concurrency)
    progress.phase("judgements", len(unjudged()))
    await run_bounded(unjudged(), judge, concurrency)
    again = [
        (row, document)
        for row, document in unjudged()
        if (row.query_id, document.key) in work.judgements
    ]
    if again:
        progress.phase("judgements, second try", len(again))
        await run_bounded(again, judge, concurrency)


def _is_settled(record: ProfileRecord | JudgementRecord | None) -> bool:
    return record is not None and record.error is None


def _is_refused(record: ProfileRecord | JudgementRecord) -> bool:
    """Whether the budget refused the call before anything of it was paid."""
    is_refused = record.error is not None and record.error.error_type == "budget"
    return is_refused and record.spend.calls == 0
