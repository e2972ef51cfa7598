"""An archived judged run, judged again by another model: no search is made, no row is touched.

Every distinct document of a query is rated once, as in a run. A result whose text the archive may
not hold, by its engine's terms, cannot be rated again: its query has bounds like any other with an
unjudged document. All figures then come from `rebuild`, as those of a check do.
"""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from runner.benches.judging_phase import judge_date
from runner.clock import clock_from
from runner.errors import UsageError
from runner.judging.profile import profile_query
from runner.judging.relevance import Document, document_of, judge_document
from runner.llm.client import LanguageModel, run_bounded, total
from runner.llm.openrouter import ChatModel
from runner.pipeline import JUDGE_TIMEOUT_S
from runner.progress import Progress, progress_for
from runner.publishing.archive import QUERY_FILES, FolderArchive, run_folder
from runner.publishing.rebuild import rebuild
from runner.records.base import encode_document
from runner.records.jsonl import read_all
from runner.records.judgements import JudgementRecord, ProfileRecord
from runner.records.queries import QueryRow, decode_query
from runner.records.reports import JudgedQuery, JudgedReport, JudgedResult
from runner.records.search import SearchResult
from runner.settings import Settings
from runner.storage import write_file
from runner.text import second_ts

Key = tuple[str, str]  # query id, document key


def judged_again(
    root: Path, runs: Sequence[tuple[str, str]], args: Namespace, settings: Settings
) -> Iterator[tuple[JudgedReport, JudgedReport]]:
    """(as it was judged, as `--judge-model` judges it) for each (run id, bench) of an archive.

    With `--out` the new report is written there before the pair is given. Raises UsageError
    without a key.
    """
    if settings.llm_key is None:
        raise UsageError(f"{settings.llm_key_env} is not set, and --judge-model needs it")
    for run_id, bench in runs:
        then = FolderArchive(root).load(run_id, bench)
        assert isinstance(then, JudgedReport)
        model = ChatModel(
            settings,
            model=args.judge_model,
            key=settings.llm_key,
            concurrency=args.judge_concurrency,
            timeout_s=JUDGE_TIMEOUT_S,
        )
        progress = progress_for()
        again = rejudged(
            then,
            read_all(root / run_folder(run_id, bench) / QUERY_FILES[bench], decode_query),
            model,
            concurrency=args.judge_concurrency,
            clock=lambda: second_ts(clock_from(None)()),
            progress=progress,
        )
        try:
            now = asyncio.run(again)
        finally:
            progress.close()
        if args.out is not None:
            write_file(Path(args.out) / f"{run_id}-{bench}.json", encode_document(now))
        yield then, now


async def rejudged(
    report: JudgedReport,
    rows: Sequence[QueryRow],
    model: LanguageModel,
    *,
    concurrency: int,
    clock: Callable[[], str],
    progress: Progress,
) -> JudgedReport:
    """The report with the ratings of `model`, which is closed. `rows` are those of the run.

    Raises UsageError where a query of the report is not among them.
    """
    by_id = {row.query_id: row for row in rows}
    asked = [query.query_id for query in report.engines[report.roster[0]].per_query]
    lacking = next((query_id for query_id in asked if query_id not in by_id), None)
    if lacking is not None:
        raise UsageError(f"the archived query file of {report.run_id} has no query {lacking}")
    documents = _documents(report)
    profiles: dict[str, ProfileRecord] = {}
    judgements: dict[Key, JudgementRecord] = {}

    async def profile(query_id: str) -> None:
        row = by_id[query_id]
        profiles[query_id] = await profile_query(model, row, today=judge_date(row), clock=clock)
        progress.advance()

    async def judge(key: Key) -> None:
        row = by_id[key[0]]
        judgements[key] = await judge_document(
            model,
            row,
            documents[key],
            profile=profiles[key[0]].profile,
            today=judge_date(row),
            clock=clock,
        )
        progress.advance()

    wanted = [query_id for query_id in asked if any(key[0] == query_id for key in documents)]
    try:
        progress.phase("query profiles", len(wanted))
        await run_bounded(wanted, profile, concurrency)
        progress.phase("judgements", len(documents))
        await run_bounded(list(documents), judge, concurrency)
    finally:
        await model.aclose()
    return _with_ratings(report, profiles, judgements, model)


def _documents(report: JudgedReport) -> dict[Key, Document]:
    """The distinct documents that can be rated, in the order of queries, roster and ranks."""
    found: dict[Key, Document] = {}
    for name in report.roster:
        for query in report.engines[name].per_query:
            for result in query.results:
                document = _document(result, report)
                if document is not None:
                    found.setdefault((query.query_id, document.key), document)
    return found


def _document(result: JudgedResult, report: JudgedReport) -> Document | None:
    """What the judge would see of a result; None where the archive holds its address alone."""
    if result.title is None and result.snippet is None:
        return None
    seen = SearchResult(
        url=result.url,
        title=result.title,
        snippet=result.snippet,
        published_date=result.published_raw,
    )
    return document_of(
        seen,
        snippet_chars=report.snippet_chars,
        published=result.published,
        url_norm_version=report.url_norm_version,
    )


def _with_ratings(
    report: JudgedReport,
    profiles: Mapping[str, ProfileRecord],
    judgements: Mapping[Key, JudgementRecord],
    model: LanguageModel,
) -> JudgedReport:
    def query(old: JudgedQuery) -> JudgedQuery:
        known = profiles.get(old.query_id)
        return msgspec.structs.replace(
            old,
            query_profile=known.profile if known else None,
            results=[_rated(old.query_id, each, report, judgements) for each in old.results],
        )

    engines = {
        name: msgspec.structs.replace(block, per_query=[query(each) for each in block.per_query])
        for name, block in report.engines.items()
    }
    records: list[ProfileRecord | JudgementRecord] = [*profiles.values(), *judgements.values()]
    made = list(judgements.values())
    told = {record.provider_model for record in records if record.provider_model}
    changed = msgspec.structs.replace(
        report,
        engines=engines,
        judge_model=model.model,
        judge_effort=model.effort,
        judge_provider_models=sorted(told),
        judged_pairs=sum(record.rating is not None for record in made),
        judge_cache_hits=0,
        judge_errors=sum(record.rating is None for record in made),
        profile_errors=sum(record.profile is None for record in profiles.values()),
        gate_violations=sum(bool(record.gate_violations) for record in made),
        label_mismatches=sum(record.label_mismatch for record in made),
        code_gated=sum(bool(record.code_gates) and bool(record.model_rating) for record in made),
        stopped_by_budget=False,
        spend=total(record.spend for record in records),
    )
    rebuilt = rebuild(changed)
    assert isinstance(rebuilt, JudgedReport)
    return rebuilt


def _rated(
    query_id: str,
    result: JudgedResult,
    report: JudgedReport,
    judgements: Mapping[Key, JudgementRecord],
) -> JudgedResult:
    document = _document(result, report)
    record = judgements.get((query_id, document.key)) if document else None
    return msgspec.structs.replace(
        result,
        rating=record.rating if record else None,
        label=record.label if record else None,
        reasoning=record.reasoning if record else None,
        gates=record.gates if record else None,
        gate_violations=record.gate_violations if record else [],
        code_gates=record.code_gates if record else [],
        penalized=None,
    )


def unjudged(report: JudgedReport) -> int:
    """How many results of the roster have no rating."""
    return sum(
        result.rating is None
        for name in report.roster
        for query in report.engines[name].per_query
        for result in query.results
    )
