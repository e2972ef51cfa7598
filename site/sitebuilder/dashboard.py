"""The dashboard: the answer, standings, leaderboards, latency, independence, method and data."""

from __future__ import annotations

from typing import Any

from sitebuilder.needleif import leaders
from sitebuilder.render import Page, Part, Site
from sitebuilder.results import Results
from sitebuilder.trends import TREND_DAYS

PAIRS_OPEN = 12


def part(site: Site) -> Part:
    """The page that everybody sees first."""
    page = Page(
        folder="",
        template="index.html.j2",
        title="Needle: which retrieval can an AI agent rely on?",
        description="A live, open benchmark of search for AI agents: fresh questions, scored "
        "answers, every figure with its interval and the number of queries behind it.",
        context=_context(site),
    )
    return Part(pages=[page])


def _context(site: Site) -> dict[str, Any]:
    results = site.results
    return {
        "absent_files": _absent_files(results),
        "absent": [entry for entry in results.roster if not entry.is_in_window],
        "families": {
            entry.engine: entry.family for entry in results.roster if entry.family != entry.engine
        },
        "charts": site.charts,
        "trend_days": TREND_DAYS,
        "pairs_open": PAIRS_OPEN,
        "price_of": {price.engine: price.usd_per_1k for price in results.prices},
        "board_engines": _board_engines(results),
        "board_rows": {
            bench: {row.engine: row for row in board.engines}
            for bench, board in results.benches.items()
        },
        "needleif_answer": _needleif(results),
    }


def _board_engines(results: Results) -> list[str]:
    """Every engine on a leaderboard: in the order of the standings, the others behind by id."""
    on_boards = {row.engine for board in results.benches.values() for row in board.engines}
    standing = [row.engine for row in results.overall if row.engine in on_boards]
    return [*standing, *sorted(on_boards.difference(standing))]


def _needleif(results: Results) -> dict[str, Any] | None:
    """The first of the board that was asked last, None where nobody was asked."""
    first = leaders(results.needleif[0])[0] if results.needleif else None
    return None if first is None or first.loose.baseline.value is None else {"first": first}


def _absent_files(results: Results) -> list[str]:
    """Files that a reader may miss; a bench without runs has no newest report either."""
    idle = {f"latest_{part.bench}.json" for part in results.unmeasured if results.benches}
    optional = {"needleif.jsonl"}  # another kind of bench, which nobody has to run
    absent = [state.name for state in results.files if state.state == "absent"]
    return [name for name in absent if name not in idle | optional]
