"""One page for each engine of the files, and an index of them."""

from __future__ import annotations

from typing import Any

from runner.records.published import BENCH_LABELS, HistoryRow
from sitebuilder.folders import engine_folder
from sitebuilder.gate import headline
from sitebuilder.independence import WindowName
from sitebuilder.render import METRICS, Page, Part, Site
from sitebuilder.results import ULTIMATE, PairShares, Results, RosterEntry

NEIGHBOURS = 8
LAST_RUNS = 15


def part(site: Site) -> Part:
    """`/engines/` and `/engines/<id>/`."""
    history: dict[str, list[HistoryRow]] = {}
    for row in site.tables.history:
        if row.engine != ULTIMATE:
            history.setdefault(row.engine, []).append(row)
    index = Page(
        folder="engines/",
        template="engines.html.j2",
        title="Engines: Needle",
        description="Every search engine that Needle has measured: where it stands, what it "
        "costs, how fast it answers, and when it was last asked.",
        context=_index_context(site.results),
    )
    pages = [
        _page(site.results, entry, history.get(entry.engine, [])) for entry in site.results.roster
    ]
    return Part(pages=[index, *pages])


def _index_context(results: Results) -> dict[str, Any]:
    standings = {row.engine: row for row in results.overall}
    latency = {row.engine: row for row in results.latency}
    prices = {price.engine: price for price in results.prices}
    measured = {
        entry.engine: [
            board.label
            for board in results.benches.values()
            if any(row.engine == entry.engine and row.score for row in board.engines)
        ]
        for entry in results.roster
    }
    ranked = sorted(
        (entry for entry in results.roster if entry.is_in_window),
        key=lambda entry: _place(standings.get(entry.engine)),
    )
    return {
        "current": ranked,
        "past": [entry for entry in results.roster if not entry.is_in_window],
        "standings": standings,
        "latency": latency,
        "prices": prices,
        "measured": measured,
    }


def _place(standing: Any) -> tuple[int, str]:
    """Ranked engines by rank, the others behind them by id (the roster's order)."""
    return (standing.rank or 10**6, "") if standing else (10**6, "")


def _page(results: Results, entry: RosterEntry, history: list[HistoryRow]) -> Page:
    engine = entry.engine
    rows = {
        bench: next((row for row in board.engines if row.engine == engine), None)
        for bench, board in results.benches.items()
    }
    window, neighbours = _neighbours(results, engine)
    unique = [line for line in results.independence[window].engines if line.engine == engine]
    newest = sorted(history, key=lambda row: (row.ts, row.bench), reverse=True)[:LAST_RUNS]
    return Page(
        folder=engine_folder(engine),
        template="engine.html.j2",
        title=f"{entry.label}: results on Needle",
        description=f"How {entry.label} does on each bench of Needle: scores with intervals and "
        "numbers of queries, errors, latency, price, and which engines return the same pages.",
        context={
            "entry": entry,
            "relatives": [
                other.engine
                for other in results.roster
                if other.family == entry.family and other.engine != engine
            ],
            "rows": rows,
            "standing": next((row for row in results.overall if row.engine == engine), None),
            "latency": next((row for row in results.latency if row.engine == engine), None),
            "price": next((price for price in results.prices if price.engine == engine), None),
            "unique": unique[0] if unique else None,
            "neighbours": neighbours,
            "neighbours_in_all": window == "all",
            "others": [
                other.engine
                for other in results.roster
                if other.is_in_window and other.engine != engine
            ]
            if entry.is_in_window
            else [],
            "last_runs": [_run_line(row) for row in newest],
            "run_count": len(history),
        },
    )


def _neighbours(results: Results, engine: str) -> tuple[WindowName, list[PairShares]]:
    """The pairs that share most, the other engine second; of the window where it has any."""
    shares = results.independence
    window: WindowName = "7d" if any(engine in (p.a, p.b) for p in shares["7d"].pairs) else "all"
    own = [pair for pair in shares[window].pairs if engine in (pair.a, pair.b)]
    own.sort(key=lambda pair: (-(pair.mean_jaccard or 0.0), pair.a, pair.b))
    return window, own[:NEIGHBOURS]


def _run_line(row: HistoryRow) -> dict[str, Any]:
    score = headline(row)
    return {
        "row": row,
        "label": BENCH_LABELS[row.bench],
        "metric": METRICS["ndcg" if row.ndcg is not None else "recall"],
        "score": score,
        "is_older_measure": score is None and row.rbp is not None and row.num_scored > 0,
    }
