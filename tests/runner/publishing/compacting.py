"""What the tests of closed weeks share: a stream of runs, and what a reader sees of a folder."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from runner.publishing.closed import Closed, run_of
from runner.publishing.compact import compact
from runner.publishing.hot import HOT_TABLES
from runner.publishing.publish import publish
from runner.publishing.weeks import settled
from runner.records.reports import JudgedReport
from runner.scoring import intervals
from runner.text import minute_ts, parse_time
from tests.runner.publishing.made import FAMILIES, document, report

START = parse_time("2026-09-07T10:17Z")  # a Monday
NOW = parse_time("2027-01-01T00:00Z")


def stamp(day: int, minute: int = 0) -> str:
    return minute_ts(START + timedelta(days=day, minutes=minute))


def run(
    day: int, bench: str = "news", scores: Sequence[float] = (0.5, 0.25, 0.75), minute: int = 0
) -> JudgedReport:
    names = ("alpha", "beta", "gamma")
    per_engine = {name: [score, 0.5] for name, score in zip(names, scores, strict=False)}
    return report(bench, stamp(day, minute), scores=per_engine)


def publish_run(data: Path, each: JudgedReport, now: datetime | None = None) -> None:
    """Publishes with few resamples: no test here looks at intervals, and there are many runs."""
    moment = now or parse_time(each.ts) + timedelta(minutes=9)
    artifacts = [f"{each.bench}.json"]
    few = partial(intervals.cluster_bootstrap, resamples=20)
    with patch.object(intervals, "cluster_bootstrap", few):
        publish(each, data, now=moment, families=FAMILIES, artifacts=artifacts)


def fill(data: Path, days: Sequence[int]) -> None:
    for day in days:
        publish_run(data, run(day))
        publish_run(data, run(day, "agentic_rare"))


def compact_all(data: Path) -> list[str]:
    return compact(data, now=NOW).weeks


def view(data: Path) -> dict[str, list[Any]]:
    """Every row that a reader sees, hot and closed as one table, in order of run; the sums."""
    closed = Closed(data)
    seen: dict[str, list[Any]] = {}
    for table in HOT_TABLES:
        hot = [(line.ts, line.bench, settled(line)) for line in table.read(data)]
        rows = closed.unhidden(table.weeks, {(ts, b) for ts, b, _ in hot}, closed.weeks())
        both = [*((*run_of(row), row) for row in rows), *hot]
        seen[table.name] = [
            row for *_, row in sorted(both, key=lambda each: (each[0], each[1] or ""))
        ]
    if (data / "independence.json").exists():
        sums = document(data, "independence.json")
        seen["sums"] = [sums["windows"], sums["families"]]
    return seen
