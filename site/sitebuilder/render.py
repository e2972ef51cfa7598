"""Pages as bytes: templates filled from the one object, in one shell, with the assets beside them.

A part of the site is a module with `part(site) -> Part`: its pages, and files that are no pages.
Every page is a folder with an `index.html`; links between pages are relative, so that the site
works below any address and from a disk. Only what must be absolute (canonical address, sitemap,
feed) needs `base_url`, and is left out without it.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner.records.published import BENCH_LABELS, BENCHES
from runner.text import parse_time, second_ts
from sitebuilder.dataset import Dataset
from sitebuilder.folders import folders_of
from sitebuilder.independence import IndependenceTables
from sitebuilder.metadata import head_of
from sitebuilder.results import ULTIMATE, Results
from sitebuilder.web_links import host

if TYPE_CHECKING:
    from jinja2 import Environment

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "templates" / "site"
ASSETS = ROOT / "site" / "assets"
CONTENT = ROOT / "site" / "content"
STALE_AFTER = timedelta(days=2)
METRICS = {"ndcg": "nDCG", "recall": "recall"}
# Folder and label of the links at the top of every page, and of those at its foot.
NAVIGATION = (
    ("", "Dashboard"),
    ("results/", "Results"),
    ("engines/", "Engines"),
    ("judgements/", "Judgements"),
    ("needleif/", "Needleif"),
    ("runs/", "Runs"),
    ("methodology/", "Methodology"),
    ("data/", "Data"),
)
MORE_NAVIGATION = (
    ("trends/", "Scores over time"),
    ("independence/", "Independence"),
    ("compare/", "Compare two engines"),
    ("history/", "History by month"),
    ("maintaining/", "Running it yourself"),
    ("adding-an-engine/", "Adding an engine"),
    ("adding-a-bench/", "Adding a bench"),
)


@dataclass(frozen=True)
class Site:
    """What pages are made of: the one object, the tables behind it, where the site will live.

    `moment` is the reader's time, which only decides whether the data is called old; `as_of` is
    the time at which the data was cut, None where it is all there. `data_path` is the data
    directory, whose archive some parts read; `archive` is the data set of the hub, OWNER/NAME,
    that holds all runs. `base_url` ends with a slash. `files` are the files so far that are no
    pages: a part sees those of the parts before it.
    """

    results: Results
    tables: Dataset
    independence: IndependenceTables
    data_path: Path
    base_url: str | None = None
    moment: datetime | None = None
    as_of: datetime | None = None
    files: dict[str, bytes] = field(default_factory=dict)
    archive: str | None = None

    @cached_property
    def charts(self) -> dict[str, Any]:
        """The drawings of the dashboard by name, which the paper has too."""
        from sitebuilder.drawn import dashboard_charts

        return dashboard_charts(self.results)


@dataclass(frozen=True)
class Page:
    """One page: its folder (`""`, `engines/exa/`), template, head, and what the template needs.

    `is_listed`: whether it is in the sitemap.
    """

    folder: str
    template: str
    title: str
    description: str
    context: Mapping[str, Any] = field(default_factory=dict)
    is_listed: bool = True

    @property
    def section(self) -> str:
        """The first folder of its address: where in the navigation it stands."""
        return self.folder.partition("/")[0]

    @property
    def name(self) -> str:
        """The file."""
        return f"{self.folder}index.html"

    @property
    def root(self) -> str:
        """The way from the page to the top of the site, empty or `../../`."""
        return "../" * self.folder.count("/")


@dataclass(frozen=True)
class Part:
    """Pages and other files (by relative name) of one part, and what it had to leave out."""

    pages: Sequence[Page] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    warnings: Sequence[str] = ()


def environment() -> Environment:
    """The templates and filters of all pages; every value is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {
        "score": _score,
        "percent": _percent,
        "count": _count,
        "latency": _latency,
        "when": _when,
        "day": _day,
        "listed": _listed,
        "signed": _signed,
        "chance": _chance,
        "size": _size,
        "money": _money,
        "host": host,
    }
    return found


def render_pages(site: Site, pages: Iterable[Page]) -> dict[str, bytes]:
    """The pages by file name, the page for missing ones, and the assets."""
    templates = environment()
    files = _assets()
    shared = shared_context(site)
    for page in pages:
        head = {"page": page, "root": page.root, **head_of(site, page)}
        text = templates.get_template(page.template).render(shared | head | dict(page.context))
        files[page.name] = text.encode()
    style = (TEMPLATES / "404.css").read_text(encoding="utf-8").strip()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    missing = templates.get_template("404.html.j2").render(style=style, style_hash=digest)
    files["404.html"] = missing.encode()
    return files


def shared_context(site: Site) -> dict[str, Any]:
    """What every template knows."""
    results = site.results
    labels = {entry.engine: entry.label for entry in results.roster} | {ULTIMATE: ULTIMATE}
    return {
        "results": results,
        "labels": labels,
        "bench_labels": BENCH_LABELS,
        "bench_count": len(BENCHES),
        "metrics": METRICS,
        "old_days": _days_old(results, site.moment),
        "as_of": second_ts(site.as_of) if site.as_of else None,
        "folders": folders_of(results),
        "navigation": NAVIGATION,
        "more_navigation": MORE_NAVIGATION,
    }


def _days_old(results: Results, moment: datetime | None) -> int | None:
    """Whole days between the newest run and `moment`, or None while that is no news."""
    if moment is None or results.generated_at is None:
        return None
    age = moment - parse_time(results.generated_at)
    return age.days if age > STALE_AFTER else None


def _assets() -> dict[str, bytes]:
    """The icon, and style and script, each joined from its pieces in order of name."""
    files = {
        f"assets/{path.name}": path.read_bytes()
        for path in sorted(ASSETS.iterdir())
        if path.is_file()
    }
    for name, folder in (("site.css", "styles"), ("site.js", "scripts")):
        pieces = sorted((ASSETS / folder).iterdir())
        files[f"assets/{name}"] = b"\n".join(piece.read_bytes() for piece in pieces)
    return files


def _score(value: float) -> str:
    return f"{value:.3f}"


def _percent(value: float) -> str:
    """A share with one decimal, a true minus in front where it is below zero."""
    digits = f"{abs(100 * value):.1f}%"
    return f"\N{MINUS SIGN}{digits}" if value < 0 and digits != "0.0%" else digits


def _count(value: int) -> str:
    return f"{value:,}"


def _latency(value_ms: float) -> str:
    """Milliseconds below a second, else seconds with one decimal."""
    if value_ms < 9.95:
        return f"{value_ms:.1f} ms"
    if value_ms < 999.5:
        return f"{value_ms:.0f} ms"
    return f"{value_ms / 1000:.1f} s"


def _signed(value: float) -> str:
    """A difference with its sign (a true minus); what rounds to zero has none."""
    digits = f"{abs(value):.3f}"
    if float(digits) == 0:
        return digits
    return f"+{digits}" if value > 0 else f"\N{MINUS SIGN}{digits}"


def _chance(p: float) -> str:
    """A p-value; what rounds to zero is never called zero."""
    return f"{p:.3f}" if p >= 0.0005 else "< 0.001"


def _money(usd: float) -> str:
    return f"${usd:,.2f}"


def _size(size_bytes: int) -> str:
    if size_bytes < 1000:
        return f"{size_bytes} B"
    if size_bytes < 999_500:
        return f"{size_bytes / 1000:.1f} kB"
    return f"{size_bytes / 1e6:.1f} MB"


def _when(ts: str) -> str:
    return f"{parse_time(ts):%-d %b %Y, %H:%M} UTC"


def _day(ts: str) -> str:
    return f"{parse_time(ts):%-d %b %Y}"


def _listed(names: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
