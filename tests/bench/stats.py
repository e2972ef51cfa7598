"""What the statistics of the site cost, on one core: intervals, tests, ranks of all benches.

The published data set lies beside the repository and is left out, with a word, where it does
not. The other one is made up: 27 engines, five benches of that data's size, 2 % of the scores
missing. The baseline is `ci.json`, the same scores resampled for the intervals alone.
"""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

from runner.records.published import BENCHES, HistoryRow, ScoresRow
from runner.scoring.aggregates import mean_scored
from runner.scoring.intervals import compute_intervals, window_start
from sitebuilder.dataset import Dataset, read_dataset
from sitebuilder.statistics import compute_statistics

PUBLISHED = Path(__file__).resolve().parents[3] / "shared" / "data" / "published"
ENGINES = 27
RUNS = {"news": (168, 20), "finance": (7, 120), "scholar": (7, 272), "legal": (7, 90)}
BOUNDS_S = {"published": 3.0, "27 engines": 6.0}
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def _made() -> Dataset:
    rng = random.Random(0)
    names = [f"engine-{number:02}" for number in range(ENGINES)]
    history, scores = [], []
    for bench in BENCHES:
        runs, queries = RUNS.get(bench, (7, 100))
        for run in range(runs):
            minute = run * (10_000 // runs)
            ts = f"2026-08-{13 + minute // 1440}T{minute // 60 % 24:02}:{minute % 60:02}Z"
            columns: dict[str, list[float | None]] = {
                name: [
                    None if rng.random() < 0.02 else round(rng.random(), 4) for _ in range(queries)
                ]
                for name in names
            }
            columns["ultimate"] = [1.0] * queries
            qids = [f"{ts} {number}" for number in range(queries)]
            scores.append(ScoresRow(ts=ts, bench=bench, qids=qids, engines=columns))
            history += [_history(ts, bench, engine, own) for engine, own in columns.items()]
    end = max(row.ts for row in history)
    return Dataset(
        profile="live",
        history=history,
        history_lines=[],
        overlap=[],
        uniqueness=[],
        scores=scores,
        intervals=None,
        independence=None,
        families={},
        latest={},
        files=[],
        window_start=window_start(end),
        window_end=end,
        is_cut=False,
    )


def _history(ts: str, bench: str, engine: str, scores: list[float | None]) -> HistoryRow:
    mean, n = mean_scored(scores)
    return HistoryRow(
        ts=ts,
        bench=bench,
        engine=engine,
        ndcg=mean,
        recall=mean,
        num_scored=n,
        num_queries=len(scores),
        search_errors=0,
        p50_ms=None,
        p95_ms=None,
        lat_ms=None,
    )


def main() -> None:
    """Prints seconds, their ratio to the bound and to the baseline."""
    for name in THREADS:
        os.environ.setdefault(name, "1")
    cases = {"27 engines": _made()}
    if PUBLISHED.is_dir():
        cases = {"published": read_dataset(PUBLISHED)} | cases
    else:
        print("published: not beside this checkout, left out")
    for name, tables in cases.items():
        began = time.process_time()
        compute_intervals(tables.scores)
        baseline = time.process_time() - began
        began = time.process_time()
        found = compute_statistics(tables)
        spent = time.process_time() - began
        pairs = sum(len(each.pairs) for each in found.comparisons.values())
        print(
            f"{name}: {spent:.2f} s for {pairs:,} pairs, {spent / BOUNDS_S[name]:.2f} of the bound "
            f"of {BOUNDS_S[name]:.0f} s, {spent / baseline:.1f} × ci.json"
        )


if __name__ == "__main__":
    main()
