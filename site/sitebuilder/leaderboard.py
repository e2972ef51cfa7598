"""Boards of single benches and standings over all of them.

Source of the rules: a bench value is the mean over its runs weighted by scored queries; the
share of ultimate is the ratio of two such means over the same runs; the overall value is the
plain mean of the shares of all benches, and only engines that have every bench are ranked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from runner.records.published import BENCH_LABELS, BENCHES, JUDGED_BENCHES, HistoryRow
from runner.scoring.aggregates import overall_share, share_of_ultimate, weighted_mean
from sitebuilder.comparisons import Comparison
from sitebuilder.dataset import Dataset
from sitebuilder.gate import Admitted, headline
from sitebuilder.intervals import BenchIntervals, Bounds
from sitebuilder.latency import pooled
from sitebuilder.results import (
    ULTIMATE,
    Board,
    BoardRow,
    Figure,
    SliceFigure,
    Standing,
    Unmeasured,
)

DEPTHS = {"news": 5, "agentic_rare": 5, "finance": 5, "scholar": 10, "legal": 5}


def metric_of(bench: str) -> str:
    return "ndcg" if bench in JUDGED_BENCHES else "recall"


def build_boards(
    data: Dataset,
    admitted: Mapping[str, Admitted],
    intervals: Mapping[str, BenchIntervals],
    comparisons: Mapping[str, Comparison],
) -> tuple[dict[str, Board], list[Unmeasured]]:
    """A board for each bench with a measured engine in the window; the rest with the reason."""
    boards: dict[str, Board] = {}
    unmeasured: list[Unmeasured] = []
    for bench in BENCHES:
        own = admitted.get(bench)
        reason = _why_unscored(own) if own else _why_absent(data, bench)
        if reason is not None:
            unmeasured.append(Unmeasured(bench=bench, label=BENCH_LABELS[bench], reason=reason))
        else:
            boards[bench] = _board(
                data, admitted[bench], intervals[bench], comparisons.get(bench, Comparison())
            )
    return boards, unmeasured


def _why_absent(data: Dataset, bench: str) -> str:
    last = max((row.ts for row in data.history if row.bench == bench), default=None)
    if last is None:
        return "no run in this data"
    return f"no run in this window; the newest was at {last}"


def _why_unscored(admitted: Admitted) -> str | None:
    """None where an engine is measured."""
    if admitted.measured:
        return None
    rows = [row for own in admitted.rows.values() for row in own if row.engine != ULTIMATE]
    if not any(row.num_scored for row in rows):
        return "its runs in this window scored no query"
    if all(headline(row) is None for row in rows):
        return f"its runs in this window carry an older measure, not {metric_of(admitted.bench)}"
    return "no engine in this window has enough scored queries"


def _board(
    data: Dataset, admitted: Admitted, intervals: BenchIntervals, comparison: Comparison
) -> Board:
    bench = admitted.bench
    ceiling = _mean_score(admitted.kept.get(ULTIMATE, []))
    latest = data.latest.get(bench)
    lines = {}
    for engine, own in admitted.rows.items():
        kept = admitted.kept[engine]
        is_measured = engine not in admitted.reasons
        score = _figure(_mean_score(kept) if is_measured else None, intervals.scores.get(engine))
        ratio = share_of_ultimate(score.value if score else None, ceiling)
        # Where the ceiling is 1 in every run, the share is the score and so is its interval.
        bounds = (intervals.scores if ceiling == 1.0 else intervals.shares).get(engine)
        note = latest.engines.get(engine) if latest else None
        lines[engine] = replace(
            _row(engine, own, kept),
            score=score,
            share=_figure(ratio, bounds),
            reason=None if score else admitted.reasons.get(engine, "no query scored"),
            price_usd_per_1k=note.price_usd_per_1k if note else None,
        )
    ultimate = lines.pop(ULTIMATE, None)
    return Board(
        bench=bench,
        label=BENCH_LABELS[bench],
        metric="ndcg" if bench in JUDGED_BENCHES else "recall",
        k=latest.k if latest else DEPTHS[bench],
        runs=admitted.runs,
        judge_model=latest.judge_model if latest else None,
        interval_method=intervals.method,
        interval_reason=intervals.reason,
        test_method=comparison.method,
        mdd=comparison.mdd,
        pairwise=list(comparison.pairs),
        engines=_ranked_rows(list(lines.values()), comparison),
        ultimate=ultimate,
    )


def _mean_score(rows: Sequence[HistoryRow]) -> float | None:
    return weighted_mean([(headline(row), row.num_scored) for row in rows])


def _figure(value: float | None, bounds: Bounds | None) -> Figure | None:
    if value is None:
        return None
    lo, hi = bounds or (None, None)
    return Figure(value=round(value, 6), lo=lo, hi=hi)


def _row(engine: str, rows: Sequence[HistoryRow], kept: Sequence[HistoryRow]) -> BoardRow:
    """Counts and latency of all rows, scores of those kept; headline score and rank are to come."""
    mrr = weighted_mean([(row.mrr, row.num_scored) for row in kept])
    latency = pooled(rows)
    return BoardRow(
        engine=engine,
        score=None,
        share=None,
        reason=None,
        rank=None,
        rank_lo=None,
        rank_hi=None,
        mrr=None if mrr is None else round(mrr, 6),
        slices=_slices(kept),
        n_scored=sum(row.num_scored for row in kept if headline(row) is not None),
        n_asked=sum(row.num_queries for row in rows),
        n_runs=len(kept),
        runs_left_out=len(rows) - len(kept),
        search_errors=sum(row.search_errors for row in rows),
        account_errors=sum_or_none([row.account_errors for row in rows]),
        service_errors=sum_or_none([row.service_errors for row in rows]),
        judge_errors=sum_or_none([row.judge_errors for row in rows]),
        p50_ms=latency.p50_ms if latency else None,
        p95_ms=latency.p95_ms if latency else None,
        n_latency=latency.n if latency else 0,
        reconnects=sum_or_none([row.reconnects for row in rows]),
        price_usd_per_1k=None,
    )


def _slices(rows: Sequence[HistoryRow]) -> list[SliceFigure]:
    names = sorted({name for row in rows for name in row.slices})
    figures = []
    for name in names:
        parts = [row.slices[name] for row in rows if name in row.slices]
        mean = weighted_mean([(part.recall, part.n) for part in parts])
        if mean is not None:
            n = sum(part.n or 0 for part in parts if part.recall is not None)
            figures.append(SliceFigure(name=name, recall=round(mean, 6), n=n))
    return figures


def sum_or_none(values: Sequence[int | None]) -> int | None:
    """The sum, or None where any part is unknown: a partial sum would pass for the whole."""
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _ranked_rows(rows: Sequence[BoardRow], comparison: Comparison) -> list[BoardRow]:
    scored = sorted(
        (row for row in rows if row.score),
        key=lambda row: (-(row.score.value if row.score else 0.0), row.engine),
    )
    places = _placed([row.engine for row in scored], comparison)
    ranked = [replace(row, **places[row.engine]) for row in scored]
    return ranked + sorted((row for row in rows if not row.score), key=lambda row: row.engine)


def _placed(ranked: Sequence[str], comparison: Comparison) -> dict[str, dict[str, Any]]:
    """Rank, its interval, tie group and P(best) of engines in rank order.

    The rank shown always lies in its interval, as resamples of sparse data may pass it by.
    """
    letters = comparison.tie_groups(ranked)
    places = {}
    for rank, engine in enumerate(ranked, start=1):
        span = comparison.ranks.get(engine)
        places[engine] = {
            "rank": rank,
            "rank_lo": span and min(span[0], rank),
            "rank_hi": span and max(span[1], rank),
            "tie_group": letters.get(engine),
            "p_best": comparison.p_best.get(engine),
        }
    return places


def build_standings(
    boards: Mapping[str, Board], bounds: Mapping[str, Bounds], comparison: Comparison
) -> list[Standing]:
    """Engines with every bench in rank order, then the others by id with what they lack."""
    by_engine: dict[str, dict[str, BoardRow]] = {}
    for bench, board in boards.items():
        for row in board.engines:
            by_engine.setdefault(row.engine, {})[bench] = row
    ranked: list[Standing] = []
    unranked: list[Standing] = []
    for engine, rows in sorted(by_engine.items()):
        own = {bench: rows[bench].share if bench in rows else None for bench in boards}
        lacking = [BENCH_LABELS[bench] for bench in BENCHES if not own.get(bench)]
        ratios = {bench: share.value if share else None for bench, share in own.items()}
        standing = Standing(
            engine=engine,
            overall=_figure(overall_share(ratios, BENCHES), bounds.get(engine)),
            shares=own,
            n_scored=sum(row.n_scored for row in rows.values()),
            rank=None,
            rank_lo=None,
            rank_hi=None,
            reason="not measured on " + ", ".join(lacking) if lacking else None,
        )
        (unranked if lacking else ranked).append(standing)
    ranked.sort(key=lambda row: (-(row.overall.value if row.overall else 0.0), row.engine))
    places = _placed([row.engine for row in ranked], comparison)
    return [replace(row, **places[row.engine]) for row in ranked] + unranked
