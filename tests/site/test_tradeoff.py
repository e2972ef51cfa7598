"""Quality against cost: who is on a frontier, and what stands for quality."""

from __future__ import annotations

from sitebuilder.results import Figure, LatencyRow, Price, Standing
from sitebuilder.tradeoff import build_tradeoff


def standing(engine: str, value: float | None) -> Standing:
    return Standing(
        engine=engine,
        overall=None if value is None else Figure(value=value),
        shares={},
        n_scored=20,
        rank=None,
        rank_lo=None,
        rank_hi=None,
        reason=None,
    )


def price(engine: str, usd: float) -> Price:
    return Price(engine=engine, usd_per_1k=usd, plan=None, date=None, source=None)


def latency(engine: str, p50_ms: float | None) -> LatencyRow:
    return LatencyRow(
        engine=engine,
        n=1,
        p50_ms=p50_ms,
        p95_ms=p50_ms,
        reconnects=None,
        n_asked=1,
        search_errors=0,
        error_share=0.0,
        runs_with_samples=1,
        runs_percentiles_only=0,
        reason=None,
    )


def test_nobody_beats_those_on_the_frontier() -> None:
    values = {"best": 0.9, "dear": 0.8, "cheap": 0.5, "same": 0.5, "poor": 0.4, "unpriced": 0.95}
    prices = {"best": 5.0, "dear": 7.0, "cheap": 1.0, "same": 2.0, "poor": 1.0}
    found = build_tradeoff(
        {},
        [standing(engine, value) for engine, value in values.items()],
        [price(engine, usd) for engine, usd in prices.items()],
        [latency("poor", 10.0), latency("best", 20.0), latency("dear", None)],
    )
    assert found
    assert found.scope == "overall"
    assert [point.engine for point in found.points][:2] == ["unpriced", "best"]
    assert {point.engine for point in found.points if point.is_on_price_frontier} == {
        "best",
        "cheap",
    }
    assert {point.engine for point in found.points if point.is_on_latency_frontier} == {
        "poor",
        "best",
    }
    assert next(point for point in found.points if point.engine == "unpriced").usd_per_1k is None


def test_without_any_quality_there_is_no_tradeoff() -> None:
    assert build_tradeoff({}, [standing("alpha", None)], [price("alpha", 1.0)], []) is None
