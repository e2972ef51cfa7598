"""The dashboard: the answer, standings, leaderboards, latency, independence, method and data."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from runner.text import parse_time
from sitebuilder.render import Page, Part, Site
from sitebuilder.results import LatencyRow, Results

STALE_AFTER = timedelta(days=2)
PAIRS_OPEN = 12
PAIRS_AT_MOST = 60


def part(site: Site) -> Part:
    """The page that everybody sees first."""
    page = Page(
        folder="",
        template="index.html.j2",
        title="Needle: which retrieval can an AI agent rely on?",
        description="A live, open benchmark of search for AI agents: fresh questions, scored "
        "answers, every figure with its interval and the number of queries behind it.",
        context=_context(site.results, site.moment),
    )
    return Part(pages=[page])


def _context(results: Results, moment: datetime | None) -> dict[str, Any]:
    return {
        "old_days": _days_old(results, moment),
        "absent_files": _absent_files(results),
        "absent": [entry for entry in results.roster if not entry.is_in_window],
        "families": {
            entry.engine: entry.family for entry in results.roster if entry.family != entry.engine
        },
        "latency_axis": _latency_axis(results.latency),
        "pairs_open": PAIRS_OPEN,
        "pairs_at_most": PAIRS_AT_MOST,
    }


def _absent_files(results: Results) -> list[str]:
    """Files that a reader may miss; a bench without runs has no newest report either."""
    idle = {f"latest_{part.bench}.json" for part in results.unmeasured if results.benches}
    absent = [state.name for state in results.files if state.state == "absent"]
    return [name for name in absent if name not in idle]


def _days_old(results: Results, moment: datetime | None) -> int | None:
    """Whole days between the newest run and `moment`, or None while that is no news."""
    if moment is None or results.generated_at is None:
        return None
    age = moment - parse_time(results.generated_at)
    return age.days if age > STALE_AFTER else None


def _latency_axis(rows: Iterable[LatencyRow]) -> dict[str, Any] | None:
    """Places (0 to 100) on a logarithmic axis of whole decades, and its ticks in ms.

    A latency that was rounded to 0 stands at the low end.
    """
    timed = [v for row in rows for v in (row.p50_ms, row.p95_ms) if v is not None]
    if not timed:
        return None
    values = [v for v in timed if v > 0] or [0.1]
    low = math.floor(math.log10(min(values)))
    high = max(math.ceil(math.log10(max(values))), low + 1)

    def place(value: float) -> float:
        return 100 * (math.log10(max(value, 10.0**low)) - low) / (high - low)

    return {"place": place, "ticks": [10.0**power for power in range(low, high + 1)]}
