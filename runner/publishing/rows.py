"""A report as the rows and the document that a data directory holds of it."""

from __future__ import annotations

from typing import Any

from runner.records.published import (
    HistoryRow,
    LatestEngine,
    LatestReport,
    OverlapRow,
    ScoresRow,
    SliceScore,
    UniquenessRow,
)
from runner.records.reports import (
    JudgedEngine,
    JudgedReport,
    KnownItemEngine,
    Report,
    ReportedEngine,
    mean_score,
)


def history_rows(report: Report) -> list[HistoryRow]:
    """One row an engine, in the report's order; a mean over no query is null, not 0."""
    return [_history_row(report, name, block) for name, block in report.engines.items()]


def _history_row(report: Report, engine: str, block: ReportedEngine) -> HistoryRow:
    latency = block.latency
    return HistoryRow(
        ts=report.ts,
        bench=report.bench,
        engine=engine,
        profile=report.profile,
        **_score_fields(block),
        num_scored=block.num_scored,
        num_queries=report.num_queries,
        search_errors=block.search_errors,
        account_errors=block.account_errors,
        service_errors=block.service_errors,
        judge_errors=block.judge_errors,
        reconnects=latency.reconnects if latency else None,
        p50_ms=latency.p50_ms if latency else None,
        p95_ms=latency.p95_ms if latency else None,
        lat_ms=latency.samples_ms if latency else None,
    )


def _score_fields(block: ReportedEngine) -> dict[str, Any]:
    """The metric of the bench, and on known-item benches recall in each bucket."""
    mean = mean_score(block)
    if not isinstance(block, KnownItemEngine):
        return {"ndcg": mean}
    slices = {
        bucket: SliceScore(recall=group.recall_at_k, n=group.n)
        for bucket, group in block.by.get("bucket", {}).items()
    }
    return {"recall": mean, "mrr": None if mean is None else block.mrr_at_k, "slices": slices}


def overlap_rows(report: Report) -> list[OverlapRow]:
    return [
        OverlapRow(
            ts=report.ts,
            bench=report.bench,
            a=pair.a,
            b=pair.b,
            profile=report.profile,
            jaccard_sum=pair.jaccard_sum,
            num_shared3=pair.num_shared3,
            num_suspect=pair.num_suspect,
            low_shared_urls=pair.low_shared_urls,
            num_queries=pair.num_queries,
        )
        for pair in report.overlap
    ]


def uniqueness_rows(report: Report) -> list[UniquenessRow]:
    return [
        UniquenessRow(
            ts=report.ts,
            bench=report.bench,
            engine=counts.engine,
            profile=report.profile,
            unique_urls=counts.unique_urls,
            total_urls=counts.total_urls,
            relevant_unique_urls=counts.relevant_unique_urls,
            relevant_total_urls=counts.relevant_total_urls,
        )
        for counts in report.uniqueness
    ]


def scores_row(report: Report) -> ScoresRow:
    """The scores of every query, 4 decimals, aligned to the query hashes and cluster ids."""
    blocks = list(report.engines.values())
    queries = blocks[0].per_query if blocks else []
    qids = [query.query_hash for query in queries]
    cids = [query.cluster_id for query in queries]
    return ScoresRow(
        ts=report.ts,
        bench=report.bench,
        profile=report.profile,
        qids=qids,
        cids=None if cids == qids else cids,
        engines={
            name: [
                None if query.score is None else round(query.score, 4) for query in block.per_query
            ]
            for name, block in report.engines.items()
        },
    )


def latest_report(report: Report) -> LatestReport:
    """The report without its queries."""
    engines: dict[str, LatestEngine] = {}
    for name, block in report.engines.items():
        note, mean = report.roster_notes.get(name), mean_score(block)
        engines[name] = LatestEngine(
            label=note.label if note else name,
            family=note.family if note else name,
            mean_ndcg=mean if isinstance(block, JudgedEngine) else None,
            recall_at_k=mean if isinstance(block, KnownItemEngine) else None,
            mrr_at_k=block.mrr_at_k
            if isinstance(block, KnownItemEngine) and block.num_scored
            else None,
            num_scored=block.num_scored,
            search_errors=block.search_errors,
            account_errors=block.account_errors,
            service_errors=block.service_errors,
            judge_errors=block.judge_errors,
            latency=block.latency,
            price_usd_per_1k=note.price_usd_per_1k if note else None,
        )
    return LatestReport(
        bench=report.bench,
        run_id=report.run_id,
        ts=report.ts,
        profile=report.profile,
        metric=report.metric,
        num_queries=report.num_queries,
        num_results=report.num_results,
        k=report.k,
        judge_model=report.judge_model,
        judged_pairs=report.judged_pairs if isinstance(report, JudgedReport) else None,
        queries_from=report.queries_from,
        engines=engines,
    )
