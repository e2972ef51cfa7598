"""The leaderboard that a run prints: score, interval, n, errors and latency per engine."""

from __future__ import annotations

from collections.abc import Mapping

from runner.records.published import Interval
from runner.records.reports import JudgedEngine, JudgedReport

_HEAD = ("engine", "nDCG@{k}", "95% interval", "n", "errors", "p50", "p95")


def leaderboard(report: JudgedReport, intervals: Mapping[str, Interval]) -> str:
    """A table of plain text, best engine first, `ultimate` (the ceiling) above all.

    `errors` are failed searches, the part that our own account caused in brackets. What was not
    measured is a dash, never a 0.
    """
    ranked = sorted(
        report.engines.items(),
        key=lambda item: (item[0] != "ultimate", -item[1].mean_ndcg, item[0]),
    )
    head = [title.format(k=report.k) for title in _HEAD]
    rows = [_cells(name, block, intervals.get(name)) for name, block in ranked]
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = []
    for row in [head, *rows]:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "-" * max(len(line) for line in lines))
    return "\n".join(lines)


def _cells(name: str, block: JudgedEngine, interval: Interval | None) -> list[str]:
    errors = f"{block.search_errors}"
    if block.account_errors:
        errors += f" ({block.account_errors} account)"
    is_measured = block.num_scored > 0
    return [
        name,
        f"{block.mean_ndcg:.3f}" if is_measured else "-",
        f"[{interval.lo:.3f}, {interval.hi:.3f}]" if interval and is_measured else "-",
        str(block.num_scored),
        errors,
        _latency(block.latency.p50_ms if block.latency else None),
        _latency(block.latency.p95_ms if block.latency else None),
    ]


def _latency(milliseconds: float | None) -> str:
    if milliseconds is None:
        return "-"
    if milliseconds < 10:
        return f"{milliseconds:.1f} ms"
    return f"{milliseconds:.0f} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"
