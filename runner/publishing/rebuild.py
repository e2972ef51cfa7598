"""A report made anew from what its results say: every number in it that is published.

Judged runs are scored again from ratings and URLs, matched ones from what code and model said of
each result. What only the run itself could know stays as it was: texts, latency samples, spend,
and the counts of distinct documents that the judge was asked about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import fsum
from typing import Any, TypeVar

import msgspec

from runner.benches.reporting import ALL_FAILED, ULTIMATE, error_counts
from runner.records.judgements import LABELS
from runner.records.reports import (
    Gap,
    GroupRecall,
    JudgedEngine,
    JudgedQuery,
    JudgedReport,
    JudgedResult,
    KnownItemEngine,
    KnownItemQuery,
    KnownItemReport,
    KnownItemResult,
    Latency,
    Report,
    ReportedResult,
    Slice,
)
from runner.records.search import SearchError
from runner.scoring.aggregates import mean_scored
from runner.scoring.gaps import paired_gap
from runner.scoring.latency import summarise
from runner.scoring.ndcg import GAINS, Gains, QueryScore, dcg, score_query
from runner.scoring.overlap import Labelled, overlap_counts
from runner.scoring.recall import (
    Misses,
    Outcome,
    count_misses,
    first_hit,
    recall_at_k,
    recall_by_group,
)
from runner.scoring.ultimate import KnownItem, Rated, known_item_ideal, pooled_ideal
from runner.scoring.uniqueness import uniqueness_counts
from runner.scoring.urls import normalise_url

Q = TypeVar("Q", JudgedQuery, KnownItemQuery)
replace = msgspec.structs.replace


def rebuild(report: Report, gains: Gains = GAINS) -> Report:
    """The report with all its numbers computed again; other `gains` are another metric."""
    if isinstance(report, JudgedReport):
        return _rebuild_judged(report, gains)
    return _rebuild_matched(report)


def _labelled(
    report: Report, per_query: Mapping[str, Sequence[Q]], label: Callable[[Q, int], str | None]
) -> dict[str, list[list[Labelled] | None]]:
    """Per engine of the roster and query the (URL, label) pairs, None where the search failed."""
    return {
        name: [
            None
            if query.search_error is not None
            else [
                (_url(report, result), label(query, place))
                for place, result in enumerate(query.results)
            ]
            for query in per_query[name]
        ]
        for name in report.roster
    }


def _url(report: Report, result: ReportedResult) -> str:
    return normalise_url(result.url, report.url_norm_version)


def _families(report: Report) -> dict[str, str]:
    return {name: note.family for name, note in report.roster_notes.items()}


def _latency(latency: Latency | None) -> Latency | None:
    """The percentiles of the samples; the mean was taken before they were rounded, and stays."""
    found = summarise(latency.samples_ms, latency.reconnects) if latency else None
    return replace(found, mean_ms=latency.mean_ms) if found and latency else None


# Judged runs


def _rebuild_judged(report: JudgedReport, gains: Gains) -> JudgedReport:
    names = [*report.roster, ULTIMATE]
    per_query: dict[str, list[JudgedQuery]] = {name: [] for name in names}
    for row in zip(*(report.engines[name].per_query for name in names), strict=True):
        for name, query in _judged_row(report, dict(zip(names, row, strict=True)), gains).items():
            per_query[name].append(query)
    labelled = _labelled(report, per_query, lambda query, place: query.results[place].label)
    return replace(
        report,
        overlap=overlap_counts(labelled),
        uniqueness=uniqueness_counts(labelled, _families(report)),
        engines={name: _judged_engine(report.engines[name], per_query[name]) for name in names},
    )


def _judged_row(
    report: JudgedReport, row: Mapping[str, JudgedQuery], gains: Gains
) -> dict[str, JudgedQuery]:
    """One query as every engine and `ultimate` stand in it."""
    k = report.num_results
    errors = {name: row[name].search_error for name in report.roster}
    results = {name: row[name].results for name in report.roster if errors[name] is None}
    rated: dict[str, Sequence[Rated]] = {
        name: [(_url(report, result), result.rating) for result in found]
        for name, found in results.items()
    }
    answers: dict[str, Sequence[Rated] | SearchError] = {
        name: rated[name] if error is None else error for name, error in errors.items()
    }
    scores = score_query(answers, k, gains)
    ideal = pooled_ideal(rated, k)
    is_scored = any(score.score is not None for score in scores.values())
    best: list[int | None] = [pick.rating for pick in ideal]
    scores[ULTIMATE] = QueryScore(
        1.0 if is_scored else None, dcg([pick.rating for pick in ideal], k, gains), best
    )
    results[ULTIMATE] = [results[pick.engine][pick.place] for pick in ideal]
    errors[ULTIMATE] = None if len(results) > 1 else ALL_FAILED
    return {
        name: _judged_query(row[name], scores[name], results.get(name, []), errors[name])
        for name in row
    }


def _judged_query(
    query: JudgedQuery,
    score: QueryScore,
    found: Sequence[JudgedResult],
    error: SearchError | None,
) -> JudgedQuery:
    results = [
        replace(
            result,
            label=None if result.rating is None else LABELS[result.rating],
            penalized=penalised,
        )
        for result, penalised in zip(found, score.penalised, strict=True)
    ]
    return replace(
        query,
        ndcg=score.score,
        dcg=score.dcg,
        score=score.score,
        ratings=[result.rating for result in results],
        penalized_ratings=list(score.penalised),
        results=results,
        n_results=len(results),
        judge_errors=sum(result.rating is None for result in results),
        search_error=error,
    )


def _judged_engine(block: JudgedEngine, per_query: list[JudgedQuery]) -> JudgedEngine:
    mean, scored = mean_scored(query.score for query in per_query)
    return replace(
        block,
        mean_ndcg=mean,
        num_scored=scored,
        **error_counts(per_query),
        judge_errors=sum(query.judge_errors for query in per_query),
        latency=_latency(block.latency),
        by_bucket=_slices(per_query, lambda query: query.bucket),
        by_domain=_slices(per_query, lambda query: query.topical_domain),
        by_archetype=_slices(per_query, _archetype),
        by_length=_slices(per_query, lambda query: query.length_bucket),
        per_query=per_query,
    )


def _archetype(query: JudgedQuery) -> str:
    return query.query_profile.query_content_archetype if query.query_profile else "unknown"


def _slices(queries: Sequence[JudgedQuery], key: Callable[[JudgedQuery], str]) -> dict[str, Slice]:
    groups: dict[str, list[float | None]] = defaultdict(list)
    for query in queries:
        groups[key(query)].append(query.score)
    means = {name: mean_scored(scores) for name, scores in sorted(groups.items()) if name}
    return {name: Slice(n=n, mean_ndcg=mean) for name, (mean, n) in means.items() if n}


# Matched runs


def _rebuild_matched(report: KnownItemReport) -> KnownItemReport:
    names = [*report.roster, ULTIMATE]
    per_query: dict[str, list[KnownItemQuery]] = {name: [] for name in names}
    outcomes: dict[str, list[Outcome]] = {name: [] for name in names}
    for row in zip(*(report.engines[name].per_query for name in names), strict=True):
        queries = dict(zip(names, row, strict=True))
        for name, (query, outcome) in _matched_row(report, queries).items():
            per_query[name].append(query)
            outcomes[name].append(outcome)
    misses = count_misses({name: outcomes[name] for name in report.roster})
    misses[ULTIMATE] = Misses(0, sum(each.score == 0.0 for each in outcomes[ULTIMATE]))
    labelled = _labelled(
        report, per_query, lambda query, place: "FullyM" if place + 1 == query.hit_rank else None
    )
    return replace(
        report,
        overlap=overlap_counts(labelled),
        uniqueness=uniqueness_counts(labelled, _families(report)),
        engines={
            name: _matched_engine(
                name, report.engines[name], per_query[name], outcomes[name], misses[name]
            )
            for name in names
        },
    )


def _matched_row(
    report: KnownItemReport, row: Mapping[str, KnownItemQuery]
) -> dict[str, tuple[KnownItemQuery, Outcome]]:
    k = report.num_results
    rebuilt: dict[str, tuple[KnownItemQuery, Outcome]] = {}
    answers: dict[str, KnownItem] = {}
    answered: dict[str, list[KnownItemResult]] = {}
    for name in report.roster:
        query = row[name]
        if query.search_error is not None:
            outcome = Outcome(error=query.search_error)
        else:
            hit = first_hit([result.matched for result in query.results[:k]])
            outcome = Outcome(hit, is_uncertain=hit is None and query.judge_errors > 0)
            answered[name] = query.results
            if not outcome.is_uncertain:
                urls = [_url(report, result) for result in query.results]
                answers[name] = KnownItem(urls, hit)
        by_code = first_hit([result.match_via is not None for result in query.results[:k]])
        rebuilt[name] = _matched_query(query, outcome, by_code, query.results), outcome
    picks, hit_rank = known_item_ideal(answers, k)
    error = None if answered else ALL_FAILED
    ceiling = Outcome(hit_rank, error, is_uncertain=not answers)
    pooled = [answered[pick.engine][pick.place] for pick in picks]
    query = replace(row[ULTIMATE], judge_errors=0)
    rebuilt[ULTIMATE] = _matched_query(query, ceiling, hit_rank, pooled), ceiling
    return rebuilt


def _matched_query(
    query: KnownItemQuery,
    outcome: Outcome,
    by_code: int | None,
    results: list[KnownItemResult],
) -> KnownItemQuery:
    return replace(
        query,
        score=outcome.score,
        search_error=outcome.error,
        hit_rank=outcome.hit_rank,
        det_rank=by_code,
        results=results,
        n_results=len(results),
    )


def _matched_engine(
    name: str,
    block: KnownItemEngine,
    per_query: list[KnownItemQuery],
    outcomes: Sequence[Outcome],
    misses: Misses,
) -> KnownItemEngine:
    found = recall_at_k([outcome for outcome in outcomes if outcome.error != ALL_FAILED])
    by = _groups(per_query, outcomes)
    return replace(
        block,
        num_scored=found.n,
        **error_counts(per_query),
        judge_errors=sum(query.judge_errors for query in per_query),
        latency=_latency(block.latency),
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
        gaps=[_gap(gap, per_query) for gap in block.gaps],
        per_query=per_query,
    )


def _groups(
    per_query: Sequence[KnownItemQuery], outcomes: Sequence[Outcome]
) -> dict[str, dict[str, GroupRecall]]:
    by: dict[str, dict[str, GroupRecall]] = {}
    for dimension in sorted({name for query in per_query for name in query.groups}):
        members = [
            (outcome, query.groups[dimension])
            for query, outcome in zip(per_query, outcomes, strict=True)
            if dimension in query.groups
        ]
        recalls = recall_by_group([each[0] for each in members], [each[1] for each in members])
        by[dimension] = {
            group: GroupRecall(n=recall.n, recall_at_k=recall.recall)
            for group, recall in recalls.items()
            if recall.n
        }
    return by


def _gap(gap: Gap, per_query: Sequence[KnownItemQuery]) -> Gap:
    """The gap again; one that the queries do not give has no items."""
    scores = [(q.item, q.groups.get(gap.dimension, ""), q.score) for q in per_query]
    found = paired_gap(scores, gap.first, gap.second)
    if found is None:
        return replace(gap, n=0, delta=0.0, lo=None, hi=None)
    return replace(gap, n=found.n, delta=found.delta, lo=found.lo, hi=found.hi)


def plain(report: Report) -> dict[str, Any]:
    """The report as plain values without texts, so that only numbers and names are compared.

    A result of `ultimate` may have lost its text to another engine's terms.
    """
    document: dict[str, Any] = msgspec.to_builtins(report)
    for block in document["engines"].values():
        for query in block["per_query"]:
            for result in query["results"]:
                for name in ("title", "snippet", "published_raw", "published", "reasoning"):
                    result.pop(name, None)
    return document
