"""A matched run: queries with gold and engines in, a report out (finance, scholar, legal).

Data flow: rows -> searches -> matches -> (checks by a model) -> report. Matching is pure and is
not kept: the work folder holds the searches and the model's answers, and `assemble` gives equal
reports for equal records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum

from runner.benches.bench import Bench, Found, Target
from runner.benches.job import Job, carry_out
from runner.benches.matched_query import MatchedQuery
from runner.benches.matching_phase import (
    ahead_of_hit,
    judge_facts,
    match_results,
)
from runner.benches.options import RunOptions
from runner.benches.reporting import (
    ALL_FAILED,
    ULTIMATE,
    error_counts,
    latency_of,
    report_head,
)
from runner.benches.work import WorkFolder
from runner.engines.spec import EngineSpec
from runner.judging.relevance import Document
from runner.llm.client import LanguageModel
from runner.records.queries import QueryRow
from runner.records.reports import (
    Gap,
    GroupRecall,
    KnownItemEngine,
    KnownItemQuery,
    KnownItemReport,
)
from runner.scoring.gaps import paired_gap
from runner.scoring.overlap import overlap_counts
from runner.scoring.recall import (
    Misses,
    count_misses,
    recall_at_k,
    recall_by_group,
)
from runner.scoring.uniqueness import uniqueness_counts


async def run_known_item(job: Job) -> KnownItemReport:
    """The report of a job whose queries have known answers; raises as `carry_out` does."""
    targets = targets_of(job.bench, job.rows)
    names = [spec.id for spec in job.roster]

    async def look(model: LanguageModel, work: WorkFolder) -> None:
        await judge_facts(
            model,
            job.rows,
            targets,
            _doubtful(job.rows, targets, names, work, job.options),
            concurrency=job.options.judge_concurrency,
            work=work,
            clock=job.clock,
            progress=job.progress,
        )

    answers = await carry_out(job, ("fact_match",), look)
    return assemble(
        job.bench,
        job.rows,
        job.roster,
        answers.work,
        job.options,
        git_sha=job.git_sha,
        stopped_by_budget=answers.stopped_by_budget,
    )


def targets_of(bench: Bench, rows: Sequence[QueryRow]) -> dict[str, Target]:
    """What each query looks for, by query id."""
    assert bench.target is not None
    return {row.query_id: bench.target(row) for row in rows}


def assemble(
    bench: Bench,
    rows: Sequence[QueryRow],
    roster: Sequence[EngineSpec],
    work: WorkFolder,
    options: RunOptions,
    *,
    git_sha: str | None,
    stopped_by_budget: bool,
) -> KnownItemReport:
    """The report from the records alone."""
    names = [spec.id for spec in roster]
    targets = targets_of(bench, rows)
    queries = [MatchedQuery(row, targets[row.query_id], names, work, options) for row in rows]
    misses = count_misses({name: [query.outcomes[name] for query in queries] for name in names})
    misses[ULTIMATE] = Misses(0, sum(q.outcomes[ULTIMATE].score == 0.0 for q in queries))
    blocks = {
        name: _engine(name, queries, misses[name], work, options, bench)
        for name in [*names, ULTIMATE]
    }
    labelled = {name: [query.labelled(name) for query in queries] for name in names}
    facts = [fact for query in queries for fact in query.facts.values()]
    head = report_head(
        rows,
        roster,
        work,
        options,
        git_sha=git_sha,
        stopped_by_budget=stopped_by_budget,
        provider_models=[fact.provider_model for fact in facts],
    )
    return KnownItemReport(
        **head,
        judged=work.state.judge_model is not None,
        judge_cache_hits=sum(f.states_it is not None and f.spend.calls == 0 for f in facts),
        judge_errors=sum(len(query.unanswered) for query in queries),
        overlap=overlap_counts(labelled),
        uniqueness=uniqueness_counts(labelled, {spec.id: spec.family for spec in roster}),
        engines=blocks,
    )


def _doubtful(
    rows: Sequence[QueryRow],
    targets: Mapping[str, Target],
    names: Sequence[str],
    work: WorkFolder,
    options: RunOptions,
) -> dict[str, dict[str, Document]]:
    """Per query id the distinct documents that a model may overrule, none where it may not."""
    doubtful: dict[str, dict[str, Document]] = {}
    for row in rows:
        target = targets[row.query_id]
        documents = doubtful.setdefault(row.query_id, {})
        if target.question is None:
            continue
        known: dict[str, Found] = {}
        for name in names:
            record = work.searches[row.query_id, name]
            results = match_results(record, target, options.snippet_chars, known)
            for document in ahead_of_hit(results, options.num_results):
                documents.setdefault(document.key, document)
    return doubtful


def _engine(
    name: str,
    queries: Sequence[MatchedQuery],
    misses: Misses,
    work: WorkFolder,
    options: RunOptions,
    bench: Bench,
) -> KnownItemEngine:
    per_query = [query.block(name) for query in queries]
    outcomes = [
        query.outcomes[name] for query in queries if query.outcomes[name].error != ALL_FAILED
    ]
    found = recall_at_k(outcomes)
    searches = [query.searches[name] for query in queries] if name != ULTIMATE else []
    by = _groups(name, queries, bench.group_order)
    return KnownItemEngine(
        num_scored=found.n,
        **error_counts(per_query),
        judge_errors=sum(query.judge_errors for query in per_query),
        latency=latency_of(searches) if options.with_latency else None,
        recall_at_k=found.recall,
        mrr_at_k=None if name == ULTIMATE else found.mrr,
        misses_system_specific=misses.system_specific,
        misses_universal=misses.universal,
        judged_results=sum(r.judge_match is not None for q in per_query for r in q.results),
        judge_upgrades=sum(query.hit_rank != query.det_rank for query in per_query),
        by=by,
        macro={
            dimension: fsum(group.recall_at_k for group in groups.values()) / len(groups)
            for dimension, groups in by.items()
            if groups
        },
        gaps=_gaps(per_query, bench.gaps),
        per_query=per_query,
    )


def _gaps(per_query: Sequence[KnownItemQuery], wanted: Sequence[tuple[str, str, str]]) -> list[Gap]:
    found = []
    for dimension, first, second in wanted:
        scores = [(q.item, q.groups.get(dimension, ""), q.score) for q in per_query]
        gap = paired_gap(scores, first, second)
        if gap is not None:
            found.append(
                Gap(
                    dimension=dimension,
                    first=first,
                    second=second,
                    n=gap.n,
                    delta=gap.delta,
                    lo=gap.lo,
                    hi=gap.hi,
                )
            )
    return found


def _groups(
    name: str, queries: Sequence[MatchedQuery], group_order: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, GroupRecall]]:
    """Per breakdown the groups with a scored query; a query without a place is in none."""
    dimensions = sorted({dimension for query in queries for dimension in query.target.groups})
    by: dict[str, dict[str, GroupRecall]] = {}
    for dimension in dimensions:
        members = [
            (query.outcomes[name], query.target.groups[dimension])
            for query in queries
            if dimension in query.target.groups
        ]
        recalls = recall_by_group([m[0] for m in members], [m[1] for m in members])
        order = list(group_order.get(dimension, ()))
        names = sorted(recalls, key=lambda g: (order.index(g) if g in order else len(order), g))
        by[dimension] = {
            group: GroupRecall(n=recalls[group].n, recall_at_k=recalls[group].recall)
            for group in names
            if recalls[group].n
        }
    return by
