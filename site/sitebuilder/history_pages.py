"""The frozen months: a list of them, and a page with the figures, picture and files of each."""

from __future__ import annotations

from sitebuilder.history import FOLDER, Month, read_months
from sitebuilder.render import CONTENT, Page, Part, Site


def part(site: Site) -> Part:
    """`/history/`, `/history/YYYY-MM/`, and the months' files beside them, unchanged."""
    months = read_months(site.data_path, CONTENT / "history_posts.json", site.moment)
    index = Page(
        folder=f"{FOLDER}/",
        template="months.html.j2",
        title="History by month: Needle",
        description="The results of each month as they stood at its end, frozen for good, to "
        "cite and to compare.",
        context={"months": months},
    )
    files = {f"{FOLDER}/{name}": data for month in months for name, data in month.files.items()}
    return Part(pages=[index, *map(_page, months)], files=files)


def _page(month: Month) -> Page:
    return Page(
        folder=f"{FOLDER}/{month.key}/",
        template="month.html.j2",
        title=f"Results of {month.label}: Needle",
        description=f"The results of {month.label} as they stood at its end: standings, "
        "leaderboards and files. They never change.",
        context={"month": month, "frozen": month.results},
    )
