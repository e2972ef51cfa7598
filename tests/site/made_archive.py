"""Archived runs, made up but whole, in the form in which publishing stores them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from runner.publishing.archive import FolderArchive
from runner.records.published import JUDGED_BENCHES
from runner.records.reports import (
    JudgedReport,
    JudgedResult,
    KnownItemEngine,
    KnownItemQuery,
    KnownItemReport,
    KnownItemResult,
    Report,
)
from tests.runner.publishing import made
from tests.site.made_data import END, ENGINES

Edit = Callable[[str, int, Any], Any]  # engine, place of the query, result → result


def unchanged(engine: str, place: int, result: Any) -> Any:
    return result


def made_report(
    bench: str,
    *,
    engines: Sequence[str] = ENGINES,
    queries: int = 4,
    ts: str = END,
    profile: Any = "live",
    archive: Any = None,
    edit: Edit = unchanged,
) -> Report:
    """A run in which query q of the engine at place e scores by a fixed pattern.

    The first query is a hit (or 0.9) for the first engine and a miss for the others, the second
    a miss for all, the third is not scored for the last engine; `edit` changes single results.
    """
    scores = {
        name: [_score(place, q, len(engines)) for q in range(queries)]
        for place, name in enumerate(engines)
    }
    judged = made.report(bench, ts, scores=scores, profile=profile, archive=archive or {})
    report = judged if bench in JUDGED_BENCHES else _known(judged)
    for name, block in report.engines.items():
        per_query = [
            msgspec.structs.replace(
                query, results=[edit(name, place, each) for each in _results(report, name, place)]
            )
            for place, query in enumerate(block.per_query)
        ]
        blocks: Any = report.engines
        blocks[name] = msgspec.structs.replace(block, per_query=per_query)
    return report


def write_archive(data: Path, benches: Sequence[str], **options: Any) -> Path:
    """Stores a made run of each bench below the data directory; returns that directory."""
    for bench in benches:
        FolderArchive(data / "archive").store(made_report(bench, **options), b"")
    return data


def _score(place: int, query: int, engines: int) -> float | None:
    if query == 2 and place == engines - 1:
        return None
    if query == 1 or (query == 0 and place):
        return 0.0
    return 0.9 if query == 0 else round(0.25 + 0.0625 * place, 4)


def _results(report: Report, engine: str, place: int) -> list[Any]:
    if isinstance(report, KnownItemReport):
        query = report.engines[engine].per_query[place]
        return [_known_result(engine, place, rank, query.hit_rank == rank) for rank in (1, 2)]
    first = made.result(f"https://www.{engine}.example/{place}", 4 if place == 0 else 2)
    again = msgspec.structs.replace(first, penalized=0, reasoning="The same page once more.")
    failed = msgspec.structs.replace(
        made.result(f"http://other.example/{place}?from={engine}", 1, text="other words"),
        gates={"document_integrity_check": "limit", "staleness_gate": "fail", "domain_gate": "na"},
        gate_violations=["freshness_gate"],
        code_gates=["search_operators_gate"],
    )
    unrated = msgspec.structs.replace(
        JudgedResult(**msgspec.structs.asdict(failed)), rating=None, label=None, penalized=None
    )
    return [first, again, failed, unrated]


def _known_result(engine: str, place: int, rank: int, is_hit: bool) -> KnownItemResult:
    return KnownItemResult(
        url=f"https://{engine}.example/{place}/{rank}",
        title=f"Page {rank}",
        snippet=f"It reads: {'Gold ' if is_hit else 'lead '}{place}.",
        published_raw=None,
        published=None,
        ids={"arxiv": ["2611.00001"], "doi": ["10.1/abc"]},
        match_via="arxiv" if is_hit and place != 3 else None,
        judge_match=is_hit if place == 3 else None,
    )


def _known(judged: JudgedReport) -> KnownItemReport:
    """The same run with known items: a score above 0 is a hit at rank 2, in query 4 the model's."""
    engines = {}
    for name, block in judged.engines.items():
        per_query = [
            KnownItemQuery(
                query_id=query.query_id,
                query=query.query,
                query_hash=query.query_hash,
                bucket="title",
                n_results=2,
                judge_errors=0,
                search_error=None,
                score=None if query.score is None else float(query.score > 0),
                results=[],
                item=f"item {place}",
                gold=f"Gold {place}",
                groups={"field": "title", "syntax": "plain"},
                hit_rank=2 if query.score else None,
                det_rank=2 if query.score and place != 3 else None,
            )
            for place, query in enumerate(block.per_query)
        ]
        engines[name] = KnownItemEngine(
            num_scored=len(per_query),
            search_errors=0,
            account_errors=0,
            service_errors=0,
            judge_errors=0,
            latency=None,
            recall_at_k=0.5,
            mrr_at_k=None if name == "ultimate" else 0.25,
            misses_system_specific=0,
            misses_universal=0,
            judged_results=0,
            judge_upgrades=0,
            by={},
            macro={},
            per_query=per_query,
        )
    head = {
        name: getattr(judged, name)
        for name in KnownItemReport.__struct_fields__
        if name not in {"judged", "engines", "metric"}
    }
    return KnownItemReport(**head, judged=True, engines=engines)
