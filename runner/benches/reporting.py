"""What judged and matched runs say alike in their reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from runner.benches.options import RunOptions
from runner.benches.work import WorkFolder
from runner.engines.spec import EngineSpec
from runner.records.queries import QueryRow
from runner.records.reports import EngineNote, Latency, Report, ReportedQuery
from runner.records.search import SearchError, SearchRecord
from runner.scoring.latency import summarise
from runner.text import run_id

URL_NORM_VERSION = 1
ULTIMATE = "ultimate"
ALL_FAILED = SearchError(
    error_type="all_engines_failed", error_message="every engine's search failed"
)


def report_head(
    rows: Sequence[QueryRow],
    roster: Sequence[EngineSpec],
    work: WorkFolder,
    options: RunOptions,
    *,
    git_sha: str | None,
    stopped_by_budget: bool,
    provider_models: Iterable[str | None],
) -> dict[str, Any]:
    """The fields of `ReportHead` that follow from the run itself."""
    state = work.state
    return {
        "bench": state.bench,
        "run_id": run_id(state.ts),
        "ts": state.ts,
        "profile": options.profile,
        "started_at": state.started_at,
        "finished_at": work.finished_at(),
        "git_sha": git_sha,
        "roster": [spec.id for spec in roster],
        "roster_notes": {spec.id: _note(spec) for spec in roster},
        "num_queries": len(rows),
        "num_results": options.num_results,
        "k": options.num_results,
        "snippet_chars": options.snippet_chars,
        "seed": options.seed,
        "url_norm_version": URL_NORM_VERSION,
        "queries_from": _collected_from(rows),
        "judge_model": state.judge_model,
        "judge_effort": state.judge_effort,
        "judge_provider_models": sorted({model for model in provider_models if model}),
        "prompt_sha256": state.prompt_sha256,
        "stopped_by_budget": stopped_by_budget,
        "spend": work.spend,
    }


def error_counts(queries: Iterable[ReportedQuery]) -> dict[str, int]:
    """`search_errors` and its two parts."""
    errors = [query.search_error for query in queries if query.search_error is not None]
    account = sum(error.error_class == "account" for error in errors)
    return {
        "search_errors": len(errors),
        "account_errors": account,
        "service_errors": len(errors) - account,
    }


def latency_of(searches: Iterable[SearchRecord]) -> Latency | None:
    """The percentiles over the timed searches, None where there is none."""
    timed = [record for record in searches if record.latency_ms is not None]
    return summarise(
        [record.latency_ms for record in timed if record.latency_ms is not None],
        sum(record.reconnected for record in timed),
    )


def families_of(report: Report) -> Mapping[str, str]:
    """The variant -> base map of a report's roster, bases left out."""
    return {name: note.family for name, note in report.roster_notes.items() if note.family != name}


def _note(spec: EngineSpec) -> EngineNote:
    return EngineNote(
        label=spec.label,
        family=spec.family,
        mode=spec.mode,
        archive=spec.archive,
        price_usd_per_1k=spec.price_usd_per_1k,
    )


def _collected_from(rows: Sequence[QueryRow]) -> str:
    """Where the queries were collected (feeds, trends, sample, text ...), joined by +."""
    found = {row.query_origin.provenance.get("queries_from", row.query_source) for row in rows}
    return "+".join(sorted(str(name) for name in found))
