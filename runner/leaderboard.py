"""The leaderboard that a run prints: score, interval, n, errors and latency per engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runner.records.published import Interval
from runner.records.reports import KnownItemEngine, Report, ReportedEngine, mean_score


def leaderboard(report: Report, intervals: Mapping[str, Interval]) -> str:
    """A table of plain text, best engine first, `ultimate` (the ceiling) above all.

    `errors` are failed searches, the part that our own account caused in brackets. What was not
    measured is a dash, never a 0. Known-item benches add MRR, and recall in each bucket below.
    """
    ranked = sorted(
        report.engines.items(),
        key=lambda item: (item[0] != "ultimate", -(mean_score(item[1]) or 0.0), item[0]),
    )
    is_recall = report.metric == "recall"
    head = ["engine", f"recall@{report.k}" if is_recall else f"nDCG@{report.k}", "95% interval"]
    head += ["MRR"] if is_recall else []
    head += ["n", "errors", "p50", "p95"]
    table = _table(head, [_cells(name, block, intervals.get(name)) for name, block in ranked])
    return f"{table}\n\n{_buckets(ranked)}" if is_recall else table


def _cells(name: str, block: ReportedEngine, interval: Interval | None) -> list[str]:
    errors = f"{block.search_errors}"
    if block.account_errors:
        errors += f" ({block.account_errors} account)"
    mean = mean_score(block)
    cells = [name, _score(mean)]
    cells.append(
        f"[{interval.lo:.3f}, {interval.hi:.3f}]" if interval and mean is not None else "-"
    )
    if isinstance(block, KnownItemEngine):
        cells.append(_score(None if mean is None else block.mrr_at_k))
    return [
        *cells,
        str(block.num_scored),
        errors,
        _latency(block.latency.p50_ms if block.latency else None),
        _latency(block.latency.p95_ms if block.latency else None),
    ]


def _buckets(ranked: Sequence[tuple[str, ReportedEngine]]) -> str:
    """Recall in each bucket, with its number of queries where all engines have the same."""
    blocks = {name: block.by for name, block in ranked if isinstance(block, KnownItemEngine)}
    names = list(dict.fromkeys(name for by in blocks.values() for name in by.get("bucket", {})))
    rows = []
    for engine, by in blocks.items():
        groups = [by.get("bucket", {}).get(name) for name in names]
        rows.append([engine, *(f"{g.recall_at_k:.3f} ({g.n})" if g else "-" for g in groups)])
    return _table(["recall by bucket (n)", *names], rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = []
    for row in [head, *rows]:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "-" * max(len(line) for line in lines))
    return "\n".join(lines)


def _score(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _latency(milliseconds: float | None) -> str:
    if milliseconds is None:
        return "-"
    if milliseconds < 10:
        return f"{milliseconds:.1f} ms"
    return f"{milliseconds:.0f} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"
