"""Boards of single benches, standings over all of them, and who is first in each.

Source of the rules: a bench value is the mean over its runs weighted by scored queries; the
share of ultimate is the ratio of two such means over the same runs; the overall value is the
plain mean of the shares of all benches, and only engines that have every bench are ranked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from runner.records.published import BENCH_LABELS, BENCHES, JUDGED_BENCHES, HistoryRow
from runner.scoring.aggregates import overall_share, share_of_ultimate, weighted_mean
from sitebuilder.dataset import Dataset
from sitebuilder.intervals import BenchIntervals, Bounds, ShareIntervals
from sitebuilder.latency import pooled
from sitebuilder.results import (
    ULTIMATE,
    Answer,
    Board,
    BoardRow,
    Figure,
    SliceFigure,
    Standing,
    Unmeasured,
)

Verdict = Literal["leads", "tie", "untested", "alone"]
DEPTHS = {"news": 5, "agentic_rare": 5, "finance": 5, "scholar": 10, "legal": 5}


def metric_of(bench: str) -> str:
    return "ndcg" if bench in JUDGED_BENCHES else "recall"


def headline(row: HistoryRow) -> float | None:
    """The bench's headline score, or None where the row has none that counts."""
    if row.num_scored == 0:
        return None
    return row.ndcg if row.bench in JUDGED_BENCHES else row.recall


def rows_by_bench(data: Dataset) -> dict[str, list[HistoryRow]]:
    """The rows of the window; benches in their fixed order, only those with rows."""
    rows = [row for row in data.history if data.in_window(row.ts)]
    groups = {bench: [row for row in rows if row.bench == bench] for bench in BENCHES}
    return {bench: group for bench, group in groups.items() if group}


def build_boards(
    data: Dataset, intervals: Mapping[str, BenchIntervals], shares: ShareIntervals
) -> tuple[dict[str, Board], list[Unmeasured]]:
    """A board for each bench that has a scored query in the window; the rest with the reason."""
    boards: dict[str, Board] = {}
    groups = rows_by_bench(data)
    unmeasured = []
    for bench in BENCHES:
        reason = None
        if bench not in groups:
            reason = _why_absent(data, bench)
        elif all(headline(row) is None for row in groups[bench] if row.engine != ULTIMATE):
            reason = _why_unscored(groups[bench], bench)
        if reason:
            unmeasured.append(Unmeasured(bench=bench, label=BENCH_LABELS[bench], reason=reason))
        else:
            boards[bench] = _board(data, bench, groups[bench], intervals[bench], shares)
    return boards, unmeasured


def _why_absent(data: Dataset, bench: str) -> str:
    last = max((row.ts for row in data.history if row.bench == bench), default=None)
    if last is None:
        return "no run in this data"
    return f"no run in this window; the newest was at {last}"


def _why_unscored(rows: list[HistoryRow], bench: str) -> str:
    if any(row.num_scored for row in rows if row.engine != ULTIMATE):
        return f"its runs in this window carry an older measure, not {metric_of(bench)}"
    return "its runs in this window scored no query"


def _board(
    data: Dataset,
    bench: str,
    rows: list[HistoryRow],
    intervals: BenchIntervals,
    shares: ShareIntervals,
) -> Board:
    by_engine: dict[str, list[HistoryRow]] = {}
    for row in rows:
        by_engine.setdefault(row.engine, []).append(row)
    ceiling = _mean_score(by_engine.get(ULTIMATE, []))
    latest = data.latest.get(bench)
    lines = {}
    for engine, own in by_engine.items():
        score = _figure(_mean_score(own), intervals.of(engine))
        ratio = share_of_ultimate(score.value if score else None, ceiling)
        # Where the ceiling is 1 in every run, the share is the score and so is its interval.
        bounds = intervals.of(engine) if ceiling == 1.0 else shares.of(bench, engine)
        note = latest.engines.get(engine) if latest else None
        price = note.price_usd_per_1k if note else None
        lines[engine] = _row(engine, own, score, _figure(ratio, bounds), price)
    ultimate = lines.pop(ULTIMATE, None)
    return Board(
        bench=bench,
        label=BENCH_LABELS[bench],
        metric="ndcg" if bench in JUDGED_BENCHES else "recall",
        k=latest.k if latest else DEPTHS[bench],
        runs=sorted({row.ts for row in rows}),
        judge_model=latest.judge_model if latest else None,
        interval_method=intervals.method,
        interval_reason=intervals.reason,
        engines=_ranked_rows(list(lines.values())),
        ultimate=ultimate,
    )


def _mean_score(rows: Sequence[HistoryRow]) -> float | None:
    return weighted_mean([(headline(row), row.num_scored) for row in rows])


def _figure(value: float | None, bounds: Bounds | None) -> Figure | None:
    if value is None:
        return None
    lo, hi = bounds or (None, None)
    return Figure(value=round(value, 6), lo=lo, hi=hi)


def _why_no_score(asked: int, failed: int, account: int | None) -> str:
    reason = f"no query scored: {failed:,} of {asked:,} searches failed"
    return f"{reason}, {account:,} of them by our own account" if account else reason


def _row(
    engine: str,
    rows: list[HistoryRow],
    score: Figure | None,
    share: Figure | None,
    price: float | None,
) -> BoardRow:
    asked = sum(row.num_queries for row in rows)
    failed = sum(row.search_errors for row in rows)
    account = sum_or_none([row.account_errors for row in rows])
    mrr = weighted_mean([(row.mrr, row.num_scored) for row in rows])
    latency = pooled(rows)
    return BoardRow(
        engine=engine,
        score=score,
        share=share,
        reason=None if score else _why_no_score(asked, failed, account),
        rank=None,
        rank_lo=None,
        rank_hi=None,
        mrr=None if mrr is None else round(mrr, 6),
        slices=_slices(rows),
        n_scored=sum(row.num_scored for row in rows if headline(row) is not None),
        n_asked=asked,
        n_runs=len(rows),
        search_errors=failed,
        account_errors=account,
        service_errors=sum_or_none([row.service_errors for row in rows]),
        judge_errors=sum_or_none([row.judge_errors for row in rows]),
        p50_ms=latency.p50_ms if latency else None,
        p95_ms=latency.p95_ms if latency else None,
        n_latency=latency.n if latency else 0,
        reconnects=sum_or_none([row.reconnects for row in rows]),
        price_usd_per_1k=price,
    )


def _slices(rows: list[HistoryRow]) -> list[SliceFigure]:
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


def rank_ranges(figures: Sequence[Figure]) -> list[tuple[int, int] | None]:
    """The ranks each figure may have: only engines whose intervals do not meet are ordered.

    None everywhere when one interval is missing, since any place would then be a guess.
    """
    bounds = [(f.lo, f.hi) for f in figures if f.lo is not None and f.hi is not None]
    if len(bounds) < len(figures):
        return [None] * len(figures)
    return [
        (
            1 + sum(lo > own_hi for lo, _ in bounds),
            len(bounds) - sum(hi < own_lo for _, hi in bounds),
        )
        for own_lo, own_hi in bounds
    ]


def _ranked_rows(rows: list[BoardRow]) -> list[BoardRow]:
    scored = sorted(
        (row for row in rows if row.score),
        key=lambda row: (-(row.score.value if row.score else 0.0), row.engine),
    )
    ranges = rank_ranges([row.score for row in scored if row.score])
    ranked = [
        replace(row, rank=place, rank_lo=span and span[0], rank_hi=span and span[1])
        for place, (row, span) in enumerate(zip(scored, ranges, strict=True), start=1)
    ]
    return ranked + sorted((row for row in rows if not row.score), key=lambda row: row.engine)


def build_standings(boards: Mapping[str, Board], shares: ShareIntervals) -> list[Standing]:
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
        overall = _figure(overall_share(ratios, BENCHES), shares.overall(engine))
        standing = Standing(
            engine=engine,
            overall=overall,
            shares=own,
            n_scored=sum(row.n_scored for row in rows.values()),
            rank=None,
            rank_lo=None,
            rank_hi=None,
            reason="not measured on " + ", ".join(lacking) if lacking else None,
        )
        (unranked if lacking else ranked).append(standing)
    ranked.sort(key=lambda row: (-(row.overall.value if row.overall else 0.0), row.engine))
    ranges = rank_ranges([row.overall for row in ranked if row.overall])
    return [
        replace(row, rank=place, rank_lo=span and span[0], rank_hi=span and span[1])
        for place, (row, span) in enumerate(zip(ranked, ranges, strict=True), start=1)
    ] + unranked


def build_answers(boards: Mapping[str, Board], standings: Sequence[Standing]) -> list[Answer]:
    """Overall first where engines are ranked overall, then each bench of the boards."""
    answers = []
    overall = [(row.engine, row.overall, row.n_scored) for row in standings if row.overall]
    if overall:
        answers.append(_answer("overall", "All benches", overall))
    for bench, board in boards.items():
        scored = [(row.engine, row.score, row.n_scored) for row in board.engines if row.score]
        answers.append(_answer(bench, board.label, scored))
    return answers


def _answer(scope: str, label: str, ranked: Sequence[tuple[str, Figure | None, int]]) -> Answer:
    figures = [(engine, figure, n) for engine, figure, n in ranked if figure]
    (leader, first, n), others = figures[0], figures[1:]
    tied: list[str] = []
    verdict: Verdict = "alone"
    if others:
        bounds = [(engine, figure.hi) for engine, figure, _ in others]
        if first.lo is None or any(hi is None for _, hi in bounds):
            verdict = "untested"
        else:
            tied = [engine for engine, hi in bounds if hi is not None and hi >= first.lo]
            verdict = "tie" if tied else "leads"
    return Answer(
        scope=scope,
        label=label,
        leader=leader,
        figure=first,
        gap=round(1 - first.value, 6) if scope == "overall" else None,
        n=n,
        runner_up=others[0][0] if others else None,
        runner_up_figure=others[0][1] if others else None,
        tied=tied,
        verdict=verdict,
    )
