"""The pages as bytes: templates filled from the one object, and the assets beside them."""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from runner.records.published import BENCH_LABELS, BENCHES
from runner.text import parse_time
from sitebuilder.results import ULTIMATE, LatencyRow, Results

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "templates" / "site"
ASSETS = ROOT / "site" / "assets"
STALE_AFTER = timedelta(days=2)
PAIRS_OPEN = 12
PAIRS_AT_MOST = 60
METRICS = {"ndcg": "nDCG", "recall": "recall"}


def render_site(results: Results, *, moment: datetime | None) -> dict[str, bytes]:
    """Every page and asset by its relative name; `moment` decides only whether the data is old."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "score": _score,
        "percent": _percent,
        "count": _count,
        "latency": _latency,
        "when": _when,
        "day": _day,
        "listed": _listed,
    }
    files = {f"assets/{path.name}": path.read_bytes() for path in sorted(ASSETS.iterdir())}
    index = environment.get_template("index.html.j2").render(_context(results, moment))
    files["index.html"] = index.encode()
    style = (TEMPLATES / "404.css").read_text(encoding="utf-8").strip()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    missing = environment.get_template("404.html.j2").render(style=style, style_hash=digest)
    files["404.html"] = missing.encode()
    return files


def _context(results: Results, moment: datetime | None) -> dict[str, Any]:
    labels = {entry.engine: entry.label for entry in results.roster} | {ULTIMATE: ULTIMATE}
    return {
        "results": results,
        "labels": labels,
        "bench_labels": BENCH_LABELS,
        "bench_count": len(BENCHES),
        "metrics": METRICS,
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


def _score(value: float) -> str:
    return f"{value:.3f}"


def _percent(value: float) -> str:
    return f"{100 * value:.1f}%"


def _count(value: int) -> str:
    return f"{value:,}"


def _latency(value_ms: float) -> str:
    """Milliseconds below a second, else seconds with one decimal."""
    if value_ms < 9.95:
        return f"{value_ms:.1f} ms"
    if value_ms < 999.5:
        return f"{value_ms:.0f} ms"
    return f"{value_ms / 1000:.1f} s"


def _when(ts: str) -> str:
    return f"{parse_time(ts):%-d %b %Y, %H:%M} UTC"


def _day(ts: str) -> str:
    return f"{parse_time(ts):%-d %b %Y}"


def _listed(names: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
