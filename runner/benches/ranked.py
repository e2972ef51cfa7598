"""A judged run: queries and engines in, a report out (news, agentic_rare).

Data flow: rows -> searches -> profiles -> judgements -> report. The work folder holds what has
arrived; `assemble` is pure and gives equal reports for equal records.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

import msgspec

from runner.benches.job import Job, carry_out
from runner.benches.judging_phase import document_for, documents_by_query, judge_all
from runner.benches.options import RunOptions
from runner.benches.reporting import (
    ALL_FAILED,
    ULTIMATE,
    URL_NORM_VERSION,
    error_counts,
    latency_of,
    report_head,
)
from runner.benches.work import WorkFolder
from runner.engines.spec import EngineSpec
from runner.llm.client import LanguageModel
from runner.records.judgements import JudgementRecord
from runner.records.queries import QueryRow
from runner.records.reports import (
    JudgedEngine,
    JudgedQuery,
    JudgedReport,
    JudgedResult,
    Slice,
)
from runner.records.search import SearchError, SearchRecord, SearchResult
from runner.scoring.aggregates import mean_scored
from runner.scoring.ndcg import QueryScore, dcg, score_query
from runner.scoring.overlap import Labelled, overlap_counts
from runner.scoring.ultimate import Pick, Rated, pooled_ideal
from runner.scoring.uniqueness import uniqueness_counts
from runner.scoring.urls import normalise_url


async def run_judged(job: Job) -> JudgedReport:
    """The report of a job whose results a model rates; raises as `carry_out` does."""
    names = [spec.id for spec in job.roster]

    async def look(model: LanguageModel, work: WorkFolder) -> None:
        await judge_all(
            model,
            job.rows,
            documents_by_query(work.searches, job.rows, names, job.options.snippet_chars),
            concurrency=job.options.judge_concurrency,
            work=work,
            clock=job.clock,
            progress=job.progress,
        )

    answers = await carry_out(job, ("query_profile", "relevance"), look)
    return assemble(
        job.rows,
        job.roster,
        answers.work,
        job.options,
        git_sha=job.git_sha,
        stopped_by_budget=answers.stopped_by_budget,
    )


def assemble(
    rows: Sequence[QueryRow],
    roster: Sequence[EngineSpec],
    work: WorkFolder,
    options: RunOptions,
    *,
    git_sha: str | None,
    stopped_by_budget: bool,
) -> JudgedReport:
    """The report from the records alone."""
    names = [spec.id for spec in roster]
    queries = [_QueryView(row, names, work, options) for row in rows]
    blocks = {name: _engine(name, queries, work, options) for name in names}
    blocks[ULTIMATE] = _engine(ULTIMATE, queries, work, options)
    labelled = {name: [query.labelled(name) for query in queries] for name in names}
    families = {spec.id: spec.family for spec in roster}
    judgements = [record for query in queries for record in query.judgements.values()]
    profiles = [work.profiles[row.query_id] for row in rows if row.query_id in work.profiles]
    models = {record.provider_model for record in profiles}
    models |= {record.provider_model for record in judgements}
    head = report_head(
        rows,
        roster,
        work,
        options,
        git_sha=git_sha,
        stopped_by_budget=stopped_by_budget,
        provider_models=models,
    )
    return JudgedReport(
        **head,
        judged_pairs=sum(record.rating is not None for record in judgements),
        judge_cache_hits=sum(_is_from_cache(record) for record in judgements),
        judge_errors=sum(query.unjudged for query in queries),
        profile_errors=sum(query.has_no_profile for query in queries),
        gate_violations=sum(bool(record.gate_violations) for record in judgements),
        label_mismatches=sum(record.label_mismatch for record in judgements),
        code_gated=sum(
            bool(record.code_gates) and bool(record.model_rating) for record in judgements
        ),
        overlap=overlap_counts(labelled),
        uniqueness=uniqueness_counts(labelled, families),
        engines=blocks,
    )


class _QueryView:
    """One query with everything that is known of it, and its scores."""

    def __init__(
        self, row: QueryRow, names: Sequence[str], work: WorkFolder, options: RunOptions
    ) -> None:
        self.row = row
        profile = work.profiles.get(row.query_id)
        self.profile = profile.profile if profile else None
        self.searches = {name: work.searches[row.query_id, name] for name in names}
        documents = documents_by_query(work.searches, [row], names, options.snippet_chars)
        keys = documents[row.query_id]
        self.has_no_profile = profile is not None and profile.profile is None
        self.judgements: dict[str, JudgementRecord] = {
            key: work.judgements[row.query_id, key]
            for key in keys
            if (row.query_id, key) in work.judgements
        }
        self.unjudged = sum(not self._is_judged(key) for key in keys)
        self.results = {
            name: [self._judged(record, result, options.snippet_chars) for result in record.results]
            for name, record in self.searches.items()
            if record.results is not None
        }
        self._score(options.num_results)

    def _is_judged(self, key: str) -> bool:
        return key in self.judgements and self.judgements[key].rating is not None

    def _judged(
        self, record: SearchRecord, result: SearchResult, snippet_chars: int
    ) -> JudgedResult:
        document = document_for(record, result, snippet_chars)
        judgement = self.judgements.get(document.key)
        return JudgedResult(
            url=document.url,
            title=document.title,
            snippet=document.snippet,
            published_raw=result.published_date,
            published=document.published,
            rating=judgement.rating if judgement else None,
            label=judgement.label if judgement else None,
            reasoning=judgement.reasoning if judgement else None,
            gates=judgement.gates if judgement else None,
            gate_violations=judgement.gate_violations if judgement else [],
            code_gates=judgement.code_gates if judgement else [],
            penalized=None,
        )

    def _score(self, k: int) -> None:
        rated: dict[str, Sequence[Rated]] = {
            name: [(normalise_url(r.url, URL_NORM_VERSION), r.rating) for r in results]
            for name, results in self.results.items()
        }
        answers: dict[str, Sequence[Rated] | SearchError] = {
            name: rated[name] if record.error is None else record.error
            for name, record in self.searches.items()
        }
        self.scores: dict[str, QueryScore] = score_query(answers, k)
        self.ideal: list[Pick] = pooled_ideal(rated, k)
        ideal_ratings: list[int | None] = [pick.rating for pick in self.ideal]
        is_scored = any(score.score is not None for score in self.scores.values())
        self.scores[ULTIMATE] = QueryScore(
            score=1.0 if is_scored else None,
            dcg=dcg([pick.rating for pick in self.ideal], k),
            penalised=ideal_ratings,
        )

    def labelled(self, name: str) -> list[Labelled] | None:
        """The engine's (normalised URL, label) pairs, None where its search failed."""
        if name not in self.results:
            return None
        return [(normalise_url(r.url, URL_NORM_VERSION), r.label) for r in self.results[name]]

    def block(self, name: str) -> JudgedQuery:
        """The query as it stands in the engine's part of the report."""
        error = self._error(name)
        score = self.scores[name]
        results = self._results(name)
        return JudgedQuery(
            query_id=self.row.query_id,
            query=self.row.query_text,
            query_hash=self.row.query_hash,
            bucket=self.row.query_origin.bucket,
            topical_domain=self.row.topical_domain,
            length_bucket=self.row.query_origin.length_bucket,
            query_profile=self.profile,
            ndcg=score.score,
            dcg=score.dcg,
            ratings=[result.rating for result in results],
            penalized_ratings=list(score.penalised),
            results=results,
            n_results=len(results),
            judge_errors=sum(result.rating is None for result in results),
            search_error=error,
            score=score.score,
        )

    def _results(self, name: str) -> list[JudgedResult]:
        if name == ULTIMATE:
            found = [self.results[pick.engine][pick.place] for pick in self.ideal]
        else:
            found = self.results.get(name, [])
        penalised = self.scores[name].penalised
        return [
            msgspec.structs.replace(result, penalized=rating)
            for result, rating in zip(found, penalised, strict=True)
        ]

    def _error(self, name: str) -> SearchError | None:
        if name != ULTIMATE:
            return self.searches[name].error
        if self.results:
            return None
        return ALL_FAILED


def _engine(
    name: str, queries: Sequence[_QueryView], work: WorkFolder, options: RunOptions
) -> JudgedEngine:
    per_query = [query.block(name) for query in queries]
    mean, scored = mean_scored(query.score for query in per_query)
    searches = [query.searches[name] for query in queries] if name != ULTIMATE else []
    return JudgedEngine(
        mean_ndcg=mean,
        num_scored=scored,
        **error_counts(per_query),
        judge_errors=sum(query.judge_errors for query in per_query),
        latency=latency_of(searches) if options.with_latency else None,
        by_bucket=_slices(per_query, lambda query: query.bucket),
        by_domain=_slices(per_query, lambda query: query.topical_domain),
        by_archetype=_slices(per_query, _archetype),
        by_length=_slices(per_query, lambda query: query.length_bucket),
        per_query=per_query,
    )


def _archetype(query: JudgedQuery) -> str:
    return query.query_profile.query_content_archetype if query.query_profile else "unknown"


def _slices(
    per_query: Sequence[JudgedQuery], key: Callable[[JudgedQuery], str]
) -> dict[str, Slice]:
    groups: dict[str, list[float | None]] = defaultdict(list)
    for query in per_query:
        if key(query):  # a query without a place in a breakdown is in none of its groups
            groups[key(query)].append(query.score)
    slices = {}
    for name in sorted(groups):
        mean, n = mean_scored(groups[name])
        if n:
            slices[name] = Slice(n=n, mean_ndcg=mean)
    return slices


def _is_from_cache(record: JudgementRecord) -> bool:
    """Whether no call was made for a rating: another run had asked for it."""
    return record.rating is not None and record.spend.calls == 0
