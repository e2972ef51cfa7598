"""The results page: every table of the window in one place, the files, and the frozen months."""

from __future__ import annotations

from sitebuilder.history import read_months
from sitebuilder.render import CONTENT, Page, Part, Site

# File below results/, and what it is. A form that this build did not write is not offered.
FORMS = (
    ("results.csv", "one line for each bench, engine and metric: for a spreadsheet"),
    ("results.json", "every figure of the site, with intervals and tests: for a program"),
    ("results.md", "the same tables as plain text: for a language model"),
    ("results.pdf", "the same tables on paper, with the charts"),
    ("results.parquet", "the lines of results.csv with types: for a data frame"),
)


def part(site: Site) -> Part:
    """`/results/`."""
    results = site.results
    end = results.window.end[:10] if results.window else None
    page = Page(
        folder="results/",
        template="results.html.j2",
        title=f"Results of the 7 days to {end}: Needle" if end else "Results: Needle",
        description="All results of the current 7 days: overall and by bench, with intervals, "
        "numbers of queries, errors, latency and price, as tables and as files.",
        context={
            "forms": FORMS,
            "written": site.files,
            "months": read_months(site.data_path, CONTENT / "history_posts.json", site.moment),
        },
    )
    return Part(pages=[page])
