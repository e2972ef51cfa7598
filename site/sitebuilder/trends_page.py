"""The page of scores over time: every bench and every slice."""

from __future__ import annotations

from itertools import groupby

from runner.records.published import BENCHES
from sitebuilder.drawn import draw_trends, main_trends
from sitebuilder.palette import highlights
from sitebuilder.render import Page, Part, Site
from sitebuilder.trends import TREND_DAYS


def part(site: Site) -> Part:
    """`/trends/`."""
    main = main_trends(site.results)  # drawn for the dashboard already
    others = [each for each in site.results.trends if each not in main]
    drawn = [*site.charts["trends"], *draw_trends(site.results, others)]
    drawn.sort(key=lambda each: BENCHES.index(each.trend.bench))
    page = Page(
        folder="trends/",
        template="trends.html.j2",
        title="Scores over time: Needle",
        description="Each bench and each slice of it over time, as rolling means of 7 days in "
        "shares of the ceiling, drawn and as tables.",
        context={
            "drawn": [
                (label, list(own)) for label, own in groupby(drawn, lambda each: each.trend.label)
            ],
            "highlights": highlights(site.results),
            "trend_days": TREND_DAYS,
        },
    )
    return Part(pages=[page])
