"""What the templates need to show charts: the drawings of a page, and the words beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sitebuilder.charts import (
    Chart,
    Names,
    latency_chart,
    price_chart,
    share_chart,
    speed_chart,
    trend_chart,
)
from sitebuilder.palette import highlights
from sitebuilder.results import IndependenceShares, Results, Trend
from sitebuilder.sharing_charts import (
    KINDS,
    borrowing_chart,
    legend,
    matrix_chart,
    uniqueness_chart,
)

MAX_COLUMNS = 8
DAYS_BACK = 7


@dataclass(frozen=True)
class DrawnTrend:
    """A trend with its drawing; `latest` has the engines of its last stamp, best first."""

    trend: Trend
    chart: Chart
    latest: Sequence[tuple[str, float]]
    columns: Sequence[tuple[str, int]]

    @property
    def key(self) -> str:
        """Its anchor."""
        name = "-".join(filter(None, ("trend", self.trend.bench, self.trend.slice)))
        return name if self.trend.measure == "share" else f"{name}.{self.trend.measure}"

    @property
    def part(self) -> str:
        """What of the bench it is."""
        if self.trend.measure == "mrr":
            return "Mean reciprocal rank"
        return self.trend.slice or "All queries"


def dashboard_charts(results: Results) -> dict[str, Any]:
    """The drawings of the dashboard by name; None where there is nothing to draw."""
    names = Names(results)
    shares = results.independence["all"]
    trade = results.tradeoff
    return {
        "highlights": highlights(results),
        "share": share_chart(names, results),
        "trends": draw_trends(results, main_trends(results)),
        "price": price_chart(names, trade) if trade else None,
        "speed": speed_chart(names, trade) if trade else None,
        "latency": latency_chart(names, results),
        "unique": uniqueness_chart(names, shares),
        "share_suspect": matrix_chart(names, shares, KINDS[0]),
        "borrowing": borrowing_chart(names, shares),
        "legend": legend(),
    }


def main_trends(results: Results) -> list[Trend]:
    """One trend a bench: all its queries."""
    return [each for each in results.trends if each.slice is None and each.measure == "share"]


def draw_trends(results: Results, trends: Sequence[Trend]) -> list[DrawnTrend]:
    """Each trend with its drawing and the stamps that its table shows."""
    names = Names(results)
    return [
        DrawnTrend(trend, trend_chart(names, trend), _latest(trend), _columns(trend))
        for trend in trends
    ]


def sharing_charts(results: Results, shares: IndependenceShares) -> Mapping[str, Chart | None]:
    """All drawings of one window by name."""
    names = Names(results)
    charts = {kind.measure: matrix_chart(names, shares, kind) for kind in KINDS}
    return charts | {
        "unique": uniqueness_chart(names, shares),
        "borrowing": borrowing_chart(names, shares),
    }


def _latest(trend: Trend) -> list[tuple[str, float]]:
    ends = [(line.engine, line.values[-1]) for line in trend.series]
    known = [(engine, value) for engine, value in ends if value is not None]
    return sorted(known, key=lambda pair: (-pair[1], pair[0]))


def _columns(trend: Trend) -> list[tuple[str, int]]:
    """The stamps of the table with their places: the newest, and every seventh day before it."""
    places = range(len(trend.stamps) - 1, -1, -DAYS_BACK)
    return [(trend.stamps[place], place) for place in sorted(places[:MAX_COLUMNS])]
