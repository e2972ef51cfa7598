"""From a dataset to the one object that every published form is written from."""

from __future__ import annotations

from pathlib import Path

from runner.scoring.intervals import WINDOW_DAYS
from runner.text import parse_time
from sitebuilder.answers import build_answers
from sitebuilder.chance import build_chance
from sitebuilder.dataset import Dataset, is_name
from sitebuilder.gate import GATE
from sitebuilder.independence import IndependenceTables
from sitebuilder.intervals import OVERALL_METHOD
from sitebuilder.latency import build_latency
from sitebuilder.leaderboard import build_boards, build_standings
from sitebuilder.needleif import build_needleif
from sitebuilder.prices import build_prices
from sitebuilder.results import ULTIMATE, Results, RosterEntry, Window
from sitebuilder.statistics import compute_statistics
from sitebuilder.tradeoff import build_tradeoff
from sitebuilder.trends import build_trends


def build_results(
    data: Dataset, independence: IndependenceTables, folder: Path | None = None
) -> Results:
    """Every figure of the site; `generated_at` is the newest run, never the clock.

    `folder` is the data directory, for what takes the archive beside the data.
    """
    found = compute_statistics(data)
    boards, unmeasured = build_boards(data, found.admitted, found.intervals, found.comparisons)
    standings = build_standings(boards, found.overall_intervals, found.overall)
    window = None
    if data.window_start and data.window_end:
        window = Window(start=data.window_start, end=data.window_end, days=WINDOW_DAYS)
    roster = _roster(data)
    latency = build_latency(data)
    prices = build_prices(data, [entry.engine for entry in roster])
    return Results(
        generated_at=data.window_end,
        profile=data.profile,
        window=window,
        citation=_citation(data.window_end),
        roster=roster,
        answers=build_answers(boards, standings, found.overall.pairs),
        overall=standings,
        overall_method=OVERALL_METHOD if found.overall_intervals else None,
        overall_test_method=found.overall.method,
        overall_pairwise=list(found.overall.pairs),
        gate=GATE,
        benches=boards,
        unmeasured=unmeasured,
        latency=latency,
        prices=prices,
        independence=independence.shares,
        independence_from=independence.source,
        sharing_by_chance=build_chance(data, folder),
        trends=build_trends(data),
        tradeoff=build_tradeoff(boards, standings, prices, latency),
        needleif=build_needleif(data.needleif),
        files=data.files,
    )


def _citation(end: str | None) -> str:
    if end is None:
        return "Needle, a live benchmark of retrieval for AI agents"
    moment = parse_time(end)
    return (
        "Needle, a live benchmark of retrieval for AI agents, "
        f"results of the {WINDOW_DAYS} days to {moment:%Y-%m-%d %H:%M} UTC"
    )


def _roster(data: Dataset) -> list[RosterEntry]:
    """Every engine that any file names, by id; labels from the newest report that has one."""
    labels: dict[str, str] = {}
    for report in sorted(data.latest.values(), key=lambda report: (report.ts, report.bench)):
        labels |= {engine: part.label for engine, part in report.engines.items()}
    newest: dict[str, str] = {}
    for row in data.history:
        newest[row.engine] = max(row.ts, newest.get(row.engine, row.ts))
    names = set(newest)
    names |= {name for row in data.overlap for name in (row.a, row.b)}
    names |= {row.engine for row in data.uniqueness}
    names |= {name for pair in data.closed.pairs for name in (pair.a, pair.b)}
    names |= {line.engine for line in data.closed.engines}
    names |= {name for row in data.scores for name in row.engines}
    names.discard(ULTIMATE)
    return [
        RosterEntry(
            engine=name,
            label=_usable_label(labels.get(name), name),
            family=data.families.get(name, name),
            last_run=newest.get(name),
            is_in_window=name in newest and data.in_window(newest[name]),
        )
        for name in sorted(names)
    ]


def _usable_label(label: str | None, name: str) -> str:
    return label if label and is_name(label) else name
