"""Small reports for the tests of publishing, and what they read back: real structure, invented
numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from runner.publishing.publish import publish
from runner.records.judgements import LABELS, Spend
from runner.records.reports import (
    EngineNote,
    JudgedEngine,
    JudgedQuery,
    JudgedReport,
    JudgedResult,
    OverlapCounts,
    Profile,
    UniquenessCounts,
)
from runner.scoring.aggregates import mean_scored
from runner.scoring.latency import summarise
from runner.text import parse_time, query_hash, query_id, run_id

TS = "2026-11-15T10:17Z"
NOW = datetime(2026, 11, 15, 10, 30, tzinfo=UTC)
LATER = NOW + timedelta(hours=5)
FAMILIES = {"alpha-fast": "alpha", "alpha": "alpha"}
SCORES: dict[str, Sequence[float | None]] = {"alpha": (0.5, 0.25), "beta": (1.0, None)}

Archive = Literal["full", "snippet", "urls"]


def result(url: str, rating: int | None = 3, *, text: str = "words") -> JudgedResult:
    return JudgedResult(
        url=url,
        title=f"Title of {text}",
        snippet=f"Snippet of {text}",
        published_raw="2 days ago",
        published="2026-11-13",
        rating=rating,
        label=None if rating is None else LABELS[rating],
        reasoning=f"It says: {text}",
        gates={"staleness_gate": "pass"},
        gate_violations=[],
        code_gates=[],
        penalized=rating,
    )


def query(text: str, score: float | None, results: Sequence[JudgedResult], ts: str) -> JudgedQuery:
    return JudgedQuery(
        query_id=query_id(text, parse_time(ts)),
        query=text,
        query_hash=query_hash(text),
        bucket="headline",
        topical_domain="tech",
        query_profile=None,
        ndcg=score,
        dcg=score,
        ratings=[each.rating for each in results],
        penalized_ratings=[each.rating for each in results],
        results=list(results),
        n_results=len(results),
        judge_errors=0,
        search_error=None,
        score=score,
    )


def report(
    bench: str = "news",
    ts: str = TS,
    *,
    profile: Profile = "live",
    scores: Mapping[str, Sequence[float | None]] = SCORES,
    results: Mapping[str, Sequence[JudgedResult]] | None = None,
    archive: Mapping[str, Archive] | None = None,
    with_latency: bool = True,
) -> JudgedReport:
    """A report in which every engine has the given scores, query by query, and results."""
    roster = list(scores)
    found = results or {name: [result(f"https://{name}.example/1")] for name in roster}
    pooled = [each for name in roster for each in found[name]]
    count = len(next(iter(scores.values())))
    all_scores = {**scores, "ultimate": [1.0] * count}
    blocks: dict[str, JudgedEngine] = {}
    for name, values in all_scores.items():
        mean, n = mean_scored(values)
        blocks[name] = JudgedEngine(
            mean_ndcg=mean,
            num_scored=n,
            search_errors=0,
            account_errors=0,
            service_errors=0,
            judge_errors=0,
            latency=summarise([120.0, 80.5], 0) if with_latency and name != "ultimate" else None,
            by_bucket={},
            by_domain={},
            by_archetype={},
            per_query=[
                query(f"{bench} question {i}", score, found.get(name, pooled), ts)
                for i, score in enumerate(values)
            ],
        )
    return JudgedReport(
        bench=bench,
        run_id=run_id(ts),
        ts=ts,
        profile=profile,
        started_at=ts,
        finished_at=ts,
        git_sha=None,
        roster=roster,
        roster_notes={
            name: EngineNote(
                label=name.title(),
                family=name,
                archive=(archive or {}).get(name, "snippet"),
                price_usd_per_1k=None,
            )
            for name in roster
        },
        num_queries=count,
        num_results=5,
        k=5,
        snippet_chars=2000,
        seed=0,
        url_norm_version=1,
        queries_from="feeds",
        judge_model="vendor/judge-1",
        judge_effort="high",
        judge_provider_models=[],
        prompt_sha256={},
        judged_pairs=4,
        judge_errors=0,
        profile_errors=0,
        gate_violations=0,
        label_mismatches=0,
        code_gated=0,
        stopped_by_budget=False,
        spend=Spend(),
        overlap=[
            OverlapCounts(
                a=a,
                b=b,
                jaccard_sum=0.25,
                num_shared3=0,
                num_suspect=1,
                low_shared_urls=1,
                num_queries=count,
            )
            for i, a in enumerate(roster)
            for b in roster[i + 1 :]
        ],
        uniqueness=[
            UniquenessCounts(
                engine=name,
                unique_urls=3,
                total_urls=4,
                relevant_unique_urls=1,
                relevant_total_urls=2,
            )
            for name in roster
        ],
        engines=blocks,
    )


def put(data: Path, *reports: JudgedReport, now: datetime = NOW, **more: Any) -> None:
    for each in reports:
        publish(each, data, now=now, families=FAMILIES, **more)


def state(data: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(data.iterdir()) if path.name[0] != "."}


def rows(data: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (data / name).read_text().splitlines()]


def document(data: Path, name: str) -> Any:
    return json.loads((data / name).read_text())
