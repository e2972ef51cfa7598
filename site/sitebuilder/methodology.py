"""The pages of prose: how it is measured, and how to run and extend it."""

from __future__ import annotations

from sitebuilder.prose import render_prose
from sitebuilder.render import CONTENT, Page, Part, Site

# File (without `.md`) and what it is about; the folder has the file's name.
PAGES = (
    (
        "methodology",
        "How Needle measures search: queries, judging, matching, metrics, failures, intervals, "
        "ties, latency, independence, and its known weaknesses.",
    ),
    (
        "maintaining",
        "How to run Needle on your own machine, with keys or without, stage by stage.",
    ),
    (
        "adding-an-engine",
        "How to measure another search engine with Needle, with or without writing Python.",
    ),
    (
        "adding-a-bench",
        "How to add a kind of question to Needle: the few modules of a bench and their contract.",
    ),
)


def part(site: Site) -> Part:
    """`/methodology/`, `/maintaining/`, `/adding-an-engine/` and `/adding-a-bench/`."""
    return Part(pages=[_page(name, description) for name, description in PAGES])


def _page(name: str, description: str) -> Page:
    path = CONTENT / f"{name}.md"
    prose = render_prose(path.read_text(encoding="utf-8"), "../", path)
    return Page(
        folder=f"{name}/",
        template="prose.html.j2",
        title=f"{prose.title}: Needle",
        description=description,
        context={"prose": prose},
    )
