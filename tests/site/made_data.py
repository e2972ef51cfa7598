"""Small data directories, made up but whole: the same arguments give the same bytes.

`write_data` goes through the records' own encoders, so the files are what publishing writes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from runner.records.base import encode_document, encode_line
from runner.records.published import (
    JUDGED_BENCHES,
    HistoryRow,
    LatestEngine,
    LatestReport,
    OverlapRow,
    ScoresRow,
    SliceScore,
    UniquenessRow,
    encode_history,
)
from runner.text import minute_ts, parse_time, run_id

END = "2026-08-20T10:17Z"
ENGINES = ("alpha", "beta", "gamma")
FIVE = ("news", "finance", "scholar", "legal", "agentic_rare")


def history_row(**fields: Any) -> HistoryRow:
    """A history row of 20 news queries; fields by name change it."""
    base: dict[str, Any] = {
        "ts": END,
        "bench": "news",
        "engine": "alpha",
        "ndcg": 0.5,
        "num_scored": 20,
        "num_queries": 20,
        "search_errors": 0,
        "account_errors": 0,
        "service_errors": 0,
        "judge_errors": 0,
        "p50_ms": None,
        "p95_ms": None,
        "lat_ms": None,
    }
    return HistoryRow(**(base | fields))


def write_history(folder: Path, rows: Sequence[HistoryRow]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "history.jsonl").write_bytes(b"".join(encode_history(row) for row in rows))
    return folder


def write_data(
    folder: Path,
    *,
    engines: Sequence[str] = ENGINES,
    benches: Sequence[str] = ("news",),
    runs: int = 2,
    queries: int = 6,
    profile: Any = "live",
    end: str = END,
) -> Path:
    """A whole data directory; runs are a day apart and the last one is at `end`."""
    folder.mkdir(parents=True, exist_ok=True)
    stamps = [minute_ts(parse_time(end) - timedelta(days=back)) for back in reversed(range(runs))]
    tables: dict[str, list[bytes]] = {"history": [], "overlap": [], "uniqueness": []}
    tables["ci_scores"] = []
    for ts in stamps:
        for bench in benches:
            scores = _scores(engines, bench, ts, queries)
            tables["ci_scores"].append(encode_line(scores | {"profile": profile}))
            for place, engine in enumerate([*engines, "ultimate"]):
                values = scores["engines"][engine]
                row = _history(ts, bench, engine, place, values, profile)
                tables["history"].append(encode_history(row))
            tables["overlap"] += _overlap(engines, bench, ts, queries, profile)
            tables["uniqueness"] += _uniqueness(engines, bench, ts, queries, profile)
    for name, lines in tables.items():
        (folder / f"{name}.jsonl").write_bytes(b"".join(lines))
    families = {engines[1]: engines[0]} if profile == "live" else {}
    (folder / "families.json").write_text(json.dumps(families))
    for bench in benches:
        report = _latest(bench, stamps[-1], engines, queries, profile)
        (folder / f"latest_{bench}.json").write_bytes(encode_document(report))
    return folder


def _scores(engines: Sequence[str], bench: str, ts: str, queries: int) -> dict[str, Any]:
    """Per-query scores; the first engine fails no query, the last misses one in each run."""
    columns: dict[str, list[float | None]] = {}
    for place, engine in enumerate(engines):
        rng = Random(f"{bench} {ts} {place}")
        lift = 0.25 * (len(engines) - place) / len(engines)
        values: list[float | None] = [
            round(min(1.0, lift + 0.75 * rng.random()), 4) for _ in range(queries)
        ]
        if bench not in JUDGED_BENCHES:
            values = [float(value is not None and value > 0.5) for value in values]
        if place == len(engines) - 1 and place:
            values[0] = None
        columns[engine] = values
    judged = bench in JUDGED_BENCHES
    columns["ultimate"] = [
        1.0 if judged else max((own[q] or 0.0) for own in columns.values()) for q in range(queries)
    ]
    qids = [f"{bench}-{ts}-{number}" for number in range(queries)]
    row = ScoresRow(ts=ts, bench=bench, qids=qids, engines=columns)
    return {"ts": row.ts, "bench": row.bench, "qids": row.qids, "engines": row.engines}


def _history(
    ts: str, bench: str, engine: str, place: int, values: list[float | None], profile: Any
) -> HistoryRow:
    scored = [value for value in values if value is not None]
    mean = sum(scored) / len(scored)
    judged = bench in JUDGED_BENCHES
    rng = Random(f"{ts} {bench} {place} latency")
    samples = sorted(round(40.0 * (place + 1) * (1 + rng.random()), 1) for _ in scored[1:])
    timed = engine != "ultimate"
    missing = len(values) - len(scored)
    is_split = missing * 10 <= len(values)  # with more, our own account would spoil the run
    return HistoryRow(
        ts=ts,
        bench=bench,
        engine=engine,
        profile=profile,
        ndcg=mean if judged else None,
        recall=None if judged else mean,
        mrr=None if judged or not timed else mean / 2,
        slices={} if judged else {"title": SliceScore(recall=mean, n=len(scored))},
        num_scored=len(scored),
        num_queries=len(values),
        search_errors=missing,
        account_errors=missing if is_split else None,
        service_errors=0 if is_split else None,
        judge_errors=0 if judged else None,
        reconnects=0,
        p50_ms=samples[(len(samples) - 1) // 2] if timed else None,
        p95_ms=samples[-1] if timed else None,
        lat_ms=samples if timed else None,
    )


def _overlap(
    engines: Sequence[str], bench: str, ts: str, queries: int, profile: Any
) -> list[bytes]:
    lines = []
    for a, b in combinations(engines, 2):
        rng = Random(f"{bench} {ts} {engines.index(a)} {engines.index(b)} overlap")
        shared3 = rng.randrange(queries)
        row = OverlapRow(
            ts=ts,
            bench=bench,
            a=a,
            b=b,
            profile=profile,
            jaccard_sum=round(queries * rng.random() / 2, 4),
            num_shared3=shared3,
            num_suspect=min(queries, shared3 + 1),
            low_shared_urls=shared3,
            num_queries=queries,
        )
        lines.append(encode_line(row))
    return lines


def _uniqueness(
    engines: Sequence[str], bench: str, ts: str, queries: int, profile: Any
) -> list[bytes]:
    lines = []
    for place, engine in enumerate(engines):
        rng = Random(f"{bench} {ts} {place} uniqueness")
        total = 5 * queries
        relevant = total // 2
        row = UniquenessRow(
            ts=ts,
            bench=bench,
            engine=engine,
            profile=profile,
            unique_urls=rng.randrange(total),
            total_urls=total,
            relevant_unique_urls=rng.randrange(relevant),
            relevant_total_urls=relevant,
        )
        lines.append(encode_line(row))
    return lines


def _latest(
    bench: str, ts: str, engines: Sequence[str], queries: int, profile: Any
) -> LatestReport:
    judged = bench in JUDGED_BENCHES
    return LatestReport(
        bench=bench,
        run_id=run_id(ts),
        ts=ts,
        profile=profile,
        metric="ndcg" if judged else "recall",
        num_queries=queries,
        num_results=10,
        k=10 if bench == "scholar" else 5,
        judge_model=f"{profile}/judge-1" if judged else None,
        judged_pairs=queries if judged else None,
        queries_from="feeds",
        engines={
            engine: LatestEngine(
                label=engine.title() if profile == "live" else engine,
                family=engine,
                num_scored=queries,
                search_errors=0,
                account_errors=0,
                service_errors=0,
                judge_errors=0,
                price_usd_per_1k=1.5 if profile == "live" else None,
            )
            for engine in engines
        },
    )
