"""Latency is pooled over samples; what kept none is said, not guessed."""

from __future__ import annotations

from pathlib import Path

from sitebuilder.dataset import read_dataset
from sitebuilder.latency import build_latency
from tests.site.made_data import history_row, write_history


def test_samples_of_all_benches_are_pooled_by_nearest_rank(tmp_path: Path) -> None:
    rows = [
        history_row(lat_ms=[80.0, 95.0, 120.0, 200.0, 300.0], num_queries=6, reconnects=1),
        history_row(
            bench="finance", lat_ms=[85.0, 90.0, 110.0, 150.0, 1000.0], num_queries=6, reconnects=0
        ),
    ]
    (line,) = build_latency(read_dataset(write_history(tmp_path, rows)))
    assert (line.n, line.p50_ms, line.p95_ms, line.reconnects) == (10, 110.0, 1000.0, 1)


def test_runs_with_percentiles_only_are_counted_and_not_pooled(tmp_path: Path) -> None:
    rows = [
        history_row(lat_ms=[100.0]),
        history_row(ts="2026-08-19T10:17Z", p50_ms=5000.0, p95_ms=9000.0),
        history_row(engine="beta", p50_ms=7.0, p95_ms=9.0),
        history_row(engine="gamma", search_errors=1, num_queries=1),
    ]
    alpha, beta, gamma = build_latency(read_dataset(write_history(tmp_path, rows)))
    assert (alpha.p50_ms, alpha.n, alpha.runs_percentiles_only) == (100.0, 1, 1)
    assert (beta.p50_ms, beta.reason) == (
        None,
        "1 of its runs kept percentiles only, no samples to pool",
    )
    assert (gamma.p50_ms, gamma.reason) == (None, "no timed call in these runs")
    assert gamma.error_share == 1.0


def test_ultimate_has_no_latency(tmp_path: Path) -> None:
    rows = [history_row(engine="ultimate", ndcg=1.0)]
    assert build_latency(read_dataset(write_history(tmp_path, rows))) == []
