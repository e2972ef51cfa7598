"""The head of a page for those who do not read it: crawlers, link previews, data set search."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from runner.records.published import BENCH_LABELS
from runner.text import parse_time

if TYPE_CHECKING:
    from sitebuilder.render import Page, Site

SITE_NAME = "Needle"
PICTURES = "pictures"
SOCIAL = "history/needle-social-"
LICENCE_PAGE = "https://creativecommons.org/licenses/by/4.0/"
DATASET_PAGES = ("", "results/")
TYPES = {
    "results/results.csv": "text/csv",
    "results/results.json": "application/json",
    "results/results.md": "text/markdown",
    "results/results.pdf": "application/pdf",
    "results/results.parquet": "application/vnd.apache.parquet",
}


def head_of(site: Site, page: Page) -> dict[str, Any]:
    """What the shell's head needs: absolute addresses are None where the site has none."""
    base = site.base_url
    picture = _picture(site, page)
    has_feed = base is not None and "feed.xml" in site.files
    return {
        "canonical": f"{base}{page.folder}" if base else None,
        "picture": f"{base}{picture}" if base and picture else None,
        "is_own_picture": bool(picture) and str(picture).startswith((PICTURES, SOCIAL)),
        "feed": f"{page.root}feed.xml" if has_feed else None,
        "site_name": SITE_NAME,
        "dataset": _embedded(dataset(site, page.root)) if page.folder in DATASET_PAGES else None,
    }


def picture_name(folder: str) -> str:
    """The picture of the page in this folder."""
    return f"{PICTURES}/{folder.rstrip('/') or 'index'}.png"


def _picture(site: Site, page: Page) -> str | None:
    """Its own, a frozen month's, or that of the dashboard, whichever was built first."""
    month = page.folder.removeprefix("history/").rstrip("/")
    names = (
        picture_name(page.folder),
        f"{SOCIAL}{month}.png",
        f"history/needle-overall-{month}.png",
        picture_name(""),
    )
    return next((name for name in names if name in site.files), None)


def dataset(site: Site, root: str) -> dict[str, Any]:
    """The results as a schema.org Dataset; relative addresses where the site knows no other."""
    results, top = site.results, site.base_url or root
    benches = ", ".join(BENCH_LABELS.values())
    found: dict[str, Any] = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": "Needle: results of search APIs for AI agents",
        "description": "Scores of search APIs on fresh questions of five kinds "
        f"({benches}), with 95 % intervals, numbers of queries, paired tests, errors, latency "
        "and price, over the seven days that end at the newest run.",
        "license": LICENCE_PAGE,
        "isAccessibleForFree": True,
        "creator": {"@type": "Organization", "name": SITE_NAME},
        "keywords": ["search API", "web search", "retrieval", "AI agents", "benchmark"],
        "variableMeasured": ["nDCG", "recall", "MRR", "share of the ceiling", "latency", "price"],
        "citation": results.citation,
        "distribution": [
            {"@type": "DataDownload", "encodingFormat": kind, "contentUrl": f"{top}{name}"}
            for name, kind in TYPES.items()
            if name in site.files
        ],
    }
    if site.base_url:
        found["url"] = f"{site.base_url}results/"
        found["creator"]["url"] = site.base_url
    if results.window:
        start, end = (
            f"{parse_time(ts):%Y-%m-%dT%H:%M:%SZ}"
            for ts in (results.window.start, results.window.end)
        )
        found |= {"version": end, "dateModified": end, "temporalCoverage": f"{start}/{end}"}
    return found


def _embedded(document: dict[str, Any]) -> Markup:
    """JSON that cannot end the element it stands in."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 - no character of markup is left
