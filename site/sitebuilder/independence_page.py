"""The page of independence: all matrices, graphs and tables of both windows."""

from __future__ import annotations

from sitebuilder.drawn import sharing_charts
from sitebuilder.independence import WindowName
from sitebuilder.render import Page, Part, Site
from sitebuilder.sharing_charts import KINDS, legend

WINDOWS: tuple[tuple[WindowName, str], ...] = (("all", "All runs"), ("7d", "Last 7 days"))


def part(site: Site) -> Part:
    """`/independence/`."""
    results = site.results
    page = Page(
        folder="independence/",
        template="independence.html.j2",
        title="Independence: Needle",
        description="How many URLs each engine has to itself and how many two engines share, "
        "over all runs and over the last 7 days, drawn and as tables.",
        context={
            "windows": [
                (name, heading, shares, sharing_charts(results, shares))
                for name, heading in WINDOWS
                for shares in [results.independence[name]]
            ],
            "kinds": KINDS,
            "beside": results.sharing_by_chance,
            "legend": legend(),
            "families": {
                entry.engine: entry.family
                for entry in results.roster
                if entry.family != entry.engine
            },
        },
    )
    return Part(pages=[page])
