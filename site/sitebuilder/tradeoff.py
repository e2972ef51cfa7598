"""What quality costs: share of the ceiling beside list price and median latency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sitebuilder.results import (
    Board,
    Figure,
    LatencyRow,
    Price,
    Standing,
    Tradeoff,
    TradeoffPoint,
)


def build_tradeoff(
    boards: Mapping[str, Board],
    standings: Sequence[Standing],
    prices: Sequence[Price],
    latency: Sequence[LatencyRow],
) -> Tradeoff | None:
    """The engines with a quality, best first; None where nobody has one."""
    scope, label, shares = _quality(boards, standings)
    if not shares:
        return None
    price = {entry.engine: entry.usd_per_1k for entry in prices}
    median = {row.engine: row.p50_ms for row in latency}
    cheap = _frontier({engine: (price.get(engine), own.value) for engine, own in shares.items()})
    fast = _frontier({engine: (median.get(engine), own.value) for engine, own in shares.items()})
    points = [
        TradeoffPoint(
            engine=engine,
            share=share,
            usd_per_1k=price.get(engine),
            p50_ms=median.get(engine),
            is_on_price_frontier=engine in cheap,
            is_on_latency_frontier=engine in fast,
        )
        for engine, share in shares.items()
    ]
    points.sort(key=lambda point: (-point.share.value, point.engine))
    return Tradeoff(scope=scope, label=label, points=points)


def _quality(
    boards: Mapping[str, Board], standings: Sequence[Standing]
) -> tuple[str, str, dict[str, Figure]]:
    overall = {row.engine: row.overall for row in standings if row.overall}
    if overall:
        return "overall", "overall", overall
    for bench, board in boards.items():
        shares = {row.engine: row.share for row in board.engines if row.share}
        if shares:
            return bench, board.label, shares
    return "overall", "overall", {}


def _frontier(points: Mapping[str, tuple[float | None, float]]) -> set[str]:
    """Engines that no other beats: none is at least as good for less, or better for the same."""
    known = {name: (cost, good) for name, (cost, good) in points.items() if cost is not None}
    return {
        name
        for name, (cost, good) in known.items()
        if not any(
            (other_cost <= cost and other_good > good) or (other_cost < cost and other_good >= good)
            for other_cost, other_good in known.values()
        )
    }
