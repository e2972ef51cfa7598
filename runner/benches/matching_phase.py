"""The match phase of a known-item run: code first, then the model where it may back code.

The model is asked about the results that stand ahead of the first one that code matched (all of
them where none did), once for each distinct document of a query, whoever returned it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from runner.benches.bench import Found, Target
from runner.benches.judging_phase import document_for
from runner.benches.work import WorkFolder
from runner.judging.fact import asked_sha256, judge_fact
from runner.judging.relevance import Document
from runner.llm.client import LanguageModel, run_bounded
from runner.progress import Progress
from runner.records.judgements import FactRecord
from runner.records.queries import QueryRow
from runner.records.search import SearchRecord
from runner.scoring.recall import first_hit


@dataclass(frozen=True)
class Matched:
    """One result of one engine: the document, and what code found in it."""

    document: Document
    published_raw: str | None
    found: Found


def match_results(
    record: SearchRecord, target: Target, snippet_chars: int, known: dict[str, Found]
) -> list[Matched]:
    """The results of a search in rank order; `known` keeps each document's finding."""
    matched = []
    for result in record.results or []:
        document = document_for(record, result, snippet_chars)
        if document.key not in known:
            text = f"{document.title or ''} {document.snippet or ''}"
            known[document.key] = target.match(document.url, text)
        matched.append(Matched(document, result.published_date, known[document.key]))
    return matched


def ahead_of_hit(results: Sequence[Matched], k: int) -> list[Document]:
    """The documents that code rejected before its first match within the first `k`."""
    counted = results[:k]
    hit = first_hit([each.found.via is not None for each in counted])
    return [each.document for each in (counted if hit is None else counted[: hit - 1])]


async def judge_facts(
    model: LanguageModel,
    rows: Sequence[QueryRow],
    targets: Mapping[str, Target],
    documents: Mapping[str, Mapping[str, Document]],
    *,
    concurrency: int,
    work: WorkFolder,
    clock: Callable[[], str],
    progress: Progress,
) -> None:
    """Fills `work.facts` for the documents of each query id; what failed is asked once more.

    A call refused by the budget leaves no record, so that a later resume can make it.
    """

    async def judge(item: tuple[QueryRow, Document]) -> None:
        row, document = item
        question = targets[row.query_id].question
        assert question is not None
        record = await judge_fact(model, row, document, question=question, clock=clock)
        if not _is_refused(record):
            work.add_fact(record)
        progress.advance()

    def unanswered() -> list[tuple[QueryRow, Document]]:
        return [
            (row, document)
            for row in rows
            for key, document in documents[row.query_id].items()
            if (known := known_fact(work, row, targets[row.query_id], key)) is None
            or known.error is not None
        ]

    progress.phase("checks of rejected results", len(unanswered()))
    await run_bounded(unanswered(), judge, concurrency)
    again = [
        (row, document)
        for row, document in unanswered()
        if known_fact(work, row, targets[row.query_id], document.key)
    ]
    if again:
        progress.phase("checks, second try", len(again))
        await run_bounded(again, judge, concurrency)


def known_fact(work: WorkFolder, row: QueryRow, target: Target, key: str) -> FactRecord | None:
    """The model's answer about a document, None where it was asked about another value or never."""
    found = work.facts.get((row.query_id, key))
    if found is None or target.question is None:
        return None
    return found if found.asked_sha256 == asked_sha256(row, target.question) else None


def _is_refused(record: FactRecord) -> bool:
    """Whether the budget refused the call before anything of it was paid."""
    is_refused = record.error is not None and record.error.error_type == "budget"
    return is_refused and record.spend.calls == 0
