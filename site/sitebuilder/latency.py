"""Latency over all benches of the window: nearest rank over the pooled samples."""

from __future__ import annotations

from collections.abc import Sequence

from runner.records.published import HistoryRow
from runner.records.reports import Latency
from runner.scoring.latency import summarise
from sitebuilder.dataset import Dataset
from sitebuilder.results import ULTIMATE, LatencyRow


def pooled(rows: Sequence[HistoryRow]) -> Latency | None:
    """Percentiles over the samples of all rows, or None where no row kept any."""
    samples = [sample for row in rows for sample in row.lat_ms or ()]
    return summarise(samples, sum(row.reconnects or 0 for row in rows))


def build_latency(data: Dataset) -> list[LatencyRow]:
    """Engines by p50, then those without samples by id with the reason."""
    by_engine: dict[str, list[HistoryRow]] = {}
    for row in data.history:
        if data.in_window(row.ts) and row.engine != ULTIMATE:
            by_engine.setdefault(row.engine, []).append(row)
    lines = [_line(engine, rows) for engine, rows in by_engine.items()]
    return sorted(lines, key=lambda line: (line.p50_ms is None, line.p50_ms or 0.0, line.engine))


def _line(engine: str, rows: list[HistoryRow]) -> LatencyRow:
    latency = pooled(rows)
    percentiles_only = sum(not row.lat_ms and row.p50_ms is not None for row in rows)
    asked = sum(row.num_queries for row in rows)
    failed = sum(row.search_errors for row in rows)
    reconnects = [row.reconnects for row in rows if row.reconnects is not None]
    reason = None
    if latency is None:
        reason = (
            f"{percentiles_only:,} of its runs kept percentiles only, no samples to pool"
            if percentiles_only
            else "no timed call in these runs"
        )
    return LatencyRow(
        engine=engine,
        n=latency.n if latency else 0,
        p50_ms=latency.p50_ms if latency else None,
        p95_ms=latency.p95_ms if latency else None,
        reconnects=sum(reconnects) if len(reconnects) == len(rows) else None,
        n_asked=asked,
        search_errors=failed,
        error_share=round(failed / asked, 6) if asked else None,
        runs_with_samples=sum(bool(row.lat_ms) for row in rows),
        runs_percentiles_only=percentiles_only,
        reason=reason,
    )
