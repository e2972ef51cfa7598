"""What a report must hold before any of it is published; each refusal says what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import fsum, isclose, isfinite
from typing import Any

import msgspec

from runner.errors import PublishError
from runner.publishing.tables import is_ts
from runner.records.published import BENCHES
from runner.records.reports import (
    KnownItemEngine,
    KnownItemReport,
    Report,
    ReportedEngine,
    mean_score,
)
from runner.scoring.aggregates import mean_scored
from runner.scoring.recall import Outcome, recall_at_k, recall_by_group
from runner.text import run_id

MAX_UNCERTAIN = 0.1
"""The largest share of an engine's queries that a matched report may leave open."""

_NEXT = "nothing was published; make the report again with `run`"


def check_report(report: Report) -> None:
    """Raises PublishError for the first thing that would make wrong or unreadable rows."""
    if report.bench not in BENCHES:
        known = ", ".join(BENCHES)
        raise PublishError(f"report: unknown bench {report.bench!r} (known: {known}); {_NEXT}")
    if not is_ts(report.ts) or report.run_id != run_id(report.ts):
        raise PublishError(
            f"report: ts {report.ts!r} and run_id {report.run_id!r} are not one time in the form "
            f"2026-11-15T10:17Z and 2026-11-15T1017Z; {_NEXT}"
        )
    _refuse_repeats("engine", report.roster)
    _refuse_repeats("pair", (frozenset((pair.a, pair.b)) for pair in report.overlap))
    _refuse_repeats("uniqueness row", (counts.engine for counts in report.uniqueness))
    if list(report.engines) != [*report.roster, "ultimate"]:
        raise PublishError(f"report: its engines are not its roster and ultimate; {_NEXT}")
    asked = [query.query_id for query in report.engines["ultimate"].per_query]
    _refuse_repeats("query", asked)
    for name, block in report.engines.items():
        if [query.query_id for query in block.per_query] != asked:
            raise PublishError(f"report: {name} has other queries than ultimate; {_NEXT}")
    _refuse_odd_numbers(report)
    for name, block in report.engines.items():
        _refuse_another_mean(name, block)
    if isinstance(report, KnownItemReport):
        for name, matched in report.engines.items():
            _refuse_other_figures(name, matched, report.k)
        _refuse_hits_alone(report)


def _refuse_another_mean(name: str, block: ReportedEngine) -> None:
    """A headline that its own queries do not give was written by hand."""
    is_ceiling = name == "ultimate"  # queries that every engine failed are not in its mean
    mean, n = mean_scored(
        query.score
        for query in block.per_query
        if not (is_ceiling and query.search_error is not None)
    )
    said = mean_score(block)
    if block.num_scored != n or (said is not None and not isclose(said, mean, abs_tol=1e-6)):
        raise PublishError(
            f"report: {name} has the score {said} over {block.num_scored} queries, its queries "
            f"give {mean:.6f} over {n}; {_NEXT}"
        )


def _refuse_other_figures(name: str, block: KnownItemEngine, k: int) -> None:
    """The same for what follows from the ranks of the hits: scores, MRR, the breakdowns."""
    outcomes = [
        Outcome(query.hit_rank, query.search_error, is_uncertain=query.score is None)
        for query in block.per_query
    ]
    for query, outcome in zip(block.per_query, outcomes, strict=True):
        if query.score != outcome.score or not 1 <= (query.hit_rank or 1) <= k:
            raise PublishError(
                f"report: query {query.query_id} of {name} has the score {query.score} and its "
                f"hit at {query.hit_rank}, which do not go together; {_NEXT}"
            )
    for figure, said, true in _figures(block, outcomes):
        is_same = (
            said == true if said is None or true is None else isclose(said, true, abs_tol=1e-6)
        )
        if not is_same:
            raise PublishError(
                f"report: {name} has {said} as its {figure}, its queries give {true}; {_NEXT}"
            )


def _figures(
    block: KnownItemEngine, outcomes: Sequence[Outcome]
) -> Iterator[tuple[str, float | None, float | None]]:
    """Each derived figure: its name, what the report says, and what the queries give.

    None is what is missing on either side.
    """
    if block.mrr_at_k is not None:
        yield "MRR", block.mrr_at_k, recall_at_k(outcomes).mrr
    for dimension, groups in block.by.items():
        members = [
            (outcome, query.groups[dimension])
            for query, outcome in zip(block.per_query, outcomes, strict=True)
            if dimension in query.groups
        ]
        found = recall_by_group([each[0] for each in members], [each[1] for each in members])
        for group, said in groups.items():
            true = found[group].recall if group in found else None
            yield f"recall by {dimension} for {group}", said.recall_at_k, true
        if groups:
            mean = fsum(group.recall_at_k for group in groups.values()) / len(groups)
            yield f"macro recall by {dimension}", block.macro.get(dimension), mean


def _refuse_hits_alone(report: KnownItemReport) -> None:
    """Where the model that backs the matcher failed, misses stay open and hits still count.

    A few such queries are noise; many of them make any engine look perfect.
    """
    for name in report.roster:
        answered = [q for q in report.engines[name].per_query if q.search_error is None]
        uncertain = sum(query.score is None for query in answered)
        if uncertain > MAX_UNCERTAIN * len(answered):
            raise PublishError(
                f"report: the model left {uncertain} of {len(answered)} queries of {name} open, "
                "and without them hits alone would count; nothing was published; go on with the "
                "same flags (and a larger --max-usd where that stopped it): what was answered is "
                "kept. Or make the report again with `run` and no --judge"
            )


def _refuse_repeats(kind: str, keys: Iterable[Any]) -> None:
    seen = set()
    for key in keys:
        if key in seen:
            name = key if isinstance(key, str) else " and ".join(sorted(key))
            raise PublishError(f"report: {kind} {name} is in it twice; {_NEXT}")
        seen.add(key)


def _refuse_odd_numbers(report: Report) -> None:
    for name, block in report.engines.items():
        scores = [mean_score(block), *(query.score for query in block.per_query)]
        for score in scores:
            if score is not None and not 0 <= score <= 1:  # also refuses NaN
                raise PublishError(f"report: {name} has the score {score}, not 0 to 1; {_NEXT}")
    odd = _first_not_finite(msgspec.to_builtins(report), "report")
    if odd is not None:
        raise PublishError(f"report: {odd} is not a finite number; {_NEXT}")


def _first_not_finite(value: Any, path: str) -> str | None:
    """The path of the first number that JSON cannot hold."""
    if isinstance(value, float):
        return None if isfinite(value) else path
    items: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    for key, part in items:
        found = _first_not_finite(part, f"{path}.{key}")
        if found is not None:
            return found
    return None
