"""Scores over time, worked by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sitebuilder.dataset import read_dataset
from sitebuilder.results import Trend
from sitebuilder.trends import build_trends
from tests.site.made_data import history_row, write_history


def trends(folder: Path, rows: list[dict[str, Any]]) -> list[Trend]:
    data = read_dataset(write_history(folder / "data", [history_row(**row) for row in rows]))
    return build_trends(data)


def judged(ts: str, engine: str, ndcg: float, scored: int = 20) -> dict[str, Any]:
    return {"ts": ts, "engine": engine, "ndcg": ndcg, "num_scored": scored}


def found(ts: str, engine: str, recall: float) -> dict[str, Any]:
    return {"ts": ts, "engine": engine, "bench": "legal", "ndcg": None, "recall": recall}


def test_news_is_pooled_in_6_hours_by_scored_queries_before_the_plain_mean(tmp_path: Path) -> None:
    rows = [
        judged("2026-08-01T00:10Z", "alpha", 0.2, scored=10),
        judged("2026-08-01T05:50Z", "alpha", 0.5, scored=20),  # one bucket: (2 + 10) / 30 = 0.4
        judged("2026-08-01T06:00Z", "alpha", 0.6),  # the next bucket
        judged("2026-08-02T01:00Z", "alpha", 0.8),
        judged("2026-08-01T05:50Z", "ultimate", 1.0),
        judged("2026-08-02T01:00Z", "ultimate", 1.0),
    ]
    (trend,) = trends(tmp_path, rows)
    assert trend.stamps == ["2026-08-01T06:00Z", "2026-08-02T00:00Z"]
    assert [(line.engine, line.values) for line in trend.series] == [("alpha", [0.5, 0.6])]


def test_other_benches_use_their_runs_and_divide_by_the_ceilings_own_mean(tmp_path: Path) -> None:
    rows = [
        found("2026-08-01T10:00Z", "alpha", 0.4),
        found("2026-08-01T10:00Z", "ultimate", 0.8),
        found("2026-08-02T10:00Z", "alpha", 0.6),
        found("2026-08-02T10:00Z", "ultimate", 1.0),
    ]
    (trend,) = trends(tmp_path, rows)
    assert trend.series[0].values == [0.5, round(0.5 / 0.9, 4)]


def test_seven_days_before_is_inside_and_a_minute_more_is_outside(tmp_path: Path) -> None:
    rows = [
        found("2026-08-01T09:59Z", "alpha", 0.0),
        found("2026-08-01T10:00Z", "alpha", 0.4),
        found("2026-08-08T10:00Z", "alpha", 0.6),
        *(found(f"2026-08-0{day}T10:00Z", "ultimate", 1.0) for day in (1, 8)),
    ]
    (trend,) = trends(tmp_path, rows)
    assert trend.series[0].values[-1] == 0.5


def test_a_day_without_the_engine_is_a_gap_and_not_zero(tmp_path: Path) -> None:
    days = ("01", "02", "03")
    rows = [found(f"2026-08-{day}T10:00Z", "ultimate", 1.0) for day in days]
    rows += [found(f"2026-08-{day}T10:00Z", "alpha", 0.5) for day in ("01", "03")]
    (trend,) = trends(tmp_path, rows)
    assert trend.series[0].values == [0.5, None, 0.5]


def test_a_run_that_our_own_account_spoilt_is_left_out(tmp_path: Path) -> None:
    rows = [found(f"2026-08-0{day}T10:00Z", "ultimate", 1.0) for day in (1, 2)]
    rows += [found(f"2026-08-0{day}T10:00Z", "alpha", 0.5) for day in (1, 2)]
    rows[-1] |= {"recall": 0.0, "account_errors": 10, "search_errors": 10}
    (trend,) = trends(tmp_path, rows)
    assert trend.series[0].values == [0.5, None]


@pytest.mark.parametrize("ceiling", [None, 0.0])
def test_without_a_ceiling_there_is_no_share(tmp_path: Path, ceiling: float | None) -> None:
    rows = [found(f"2026-08-0{day}T10:00Z", "alpha", 0.5) for day in (1, 2)]
    if ceiling is not None:
        rows += [found(f"2026-08-0{day}T10:00Z", "ultimate", ceiling) for day in (1, 2)]
    assert trends(tmp_path, rows) == []


def test_one_day_is_no_trend(tmp_path: Path) -> None:
    rows = [found("2026-08-01T10:00Z", engine, 0.5) for engine in ("alpha", "ultimate")]
    assert trends(tmp_path, rows) == []


def test_days_before_the_last_sixty_are_not_drawn(tmp_path: Path) -> None:
    stamps = ("2026-05-01T10:00Z", "2026-08-01T10:00Z", "2026-08-02T10:00Z")
    rows = [found(ts, engine, 0.5) for ts in stamps for engine in ("alpha", "ultimate")]
    (trend,) = trends(tmp_path, rows)
    assert trend.stamps == list(stamps[1:])


def test_reciprocal_ranks_are_followed_themselves_and_not_as_a_share(tmp_path: Path) -> None:
    rows = [
        found("2026-08-01T10:00Z", "alpha", 0.5) | {"mrr": 0.25},
        found("2026-08-02T10:00Z", "alpha", 0.5) | {"mrr": 0.4},
        found("2026-08-01T10:00Z", "beta", 0.5) | {"mrr": 0.5},
        *(found(f"2026-08-0{day}T10:00Z", "ultimate", 1.0) for day in (1, 2)),
    ]
    share, mrr = trends(tmp_path, rows)
    assert (share.measure, mrr.measure, mrr.slice) == ("share", "mrr", None)
    assert [(line.engine, line.values) for line in mrr.series] == [
        ("alpha", [0.25, 0.325]),
        ("beta", [0.5, None]),
    ]


def test_a_judged_bench_has_no_reciprocal_ranks(tmp_path: Path) -> None:
    rows = [
        judged(f"2026-08-0{day}T00:10Z", name, 0.5)
        for day in (1, 2)
        for name in ("alpha", "ultimate")
    ]
    assert [trend.measure for trend in trends(tmp_path, rows)] == ["share"]
