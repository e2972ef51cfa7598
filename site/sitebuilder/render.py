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
from datetime import datetime
from pathlib import Path
from typing import Any

from runner.records.published import BENCH_LABELS, BENCHES
from runner.text import parse_time
from sitebuilder.dataset import Dataset
from sitebuilder.independence import IndependenceTables
from sitebuilder.results import ULTIMATE, Results

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "templates" / "site"
ASSETS = ROOT / "site" / "assets"
METRICS = {"ndcg": "nDCG", "recall": "recall"}


@dataclass(frozen=True)
class Site:
    """What pages are made of: the one object, the tables behind it, where the site will live.

    `moment` is the reader's time, which only decides whether the data is called old. `data_path`
    is the data directory, whose archive some parts read. `base_url` ends with a slash.
    """

    results: Results
    tables: Dataset
    independence: IndependenceTables
    data_path: Path
    base_url: str | None = None
    moment: datetime | None = None


@dataclass(frozen=True)
class Page:
    """One page: its folder (`""`, `engines/exa/`), template, head, and what the template needs.

    `is_listed`: whether it is in the sitemap. `has_data_script`: whether it may fetch our shards.
    """

    folder: str
    template: str
    title: str
    description: str
    context: Mapping[str, Any] = field(default_factory=dict)
    is_listed: bool = True
    has_data_script: bool = False

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
    """Pages and other files (by relative name) of one part of the site."""

    pages: Sequence[Page] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)


def render_pages(site: Site, pages: Iterable[Page]) -> dict[str, bytes]:
    """The pages by file name, the page for missing ones, and the assets."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "score": _score,
        "percent": _percent,
        "count": _count,
        "latency": _latency,
        "when": _when,
        "day": _day,
        "listed": _listed,
    }
    files = _assets()
    shared = shared_context(site)
    for page in pages:
        head = {"page": page, "root": page.root, "canonical": _canonical(site, page)}
        text = environment.get_template(page.template).render(shared | head | dict(page.context))
        files[page.name] = text.encode()
    style = (TEMPLATES / "404.css").read_text(encoding="utf-8").strip()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    missing = environment.get_template("404.html.j2").render(style=style, style_hash=digest)
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
    }


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


def _canonical(site: Site, page: Page) -> str | None:
    return f"{site.base_url}{page.folder}" if site.base_url else None


def _score(value: float) -> str:
    return f"{value:.3f}"


def _percent(value: float) -> str:
    return f"{100 * value:.1f}%"


def _count(value: int) -> str:
    return f"{value:,}"


def _latency(value_ms: float) -> str:
    """Milliseconds below a second, else seconds with one decimal."""
    if value_ms < 9.95:
        return f"{value_ms:.1f} ms"
    if value_ms < 999.5:
        return f"{value_ms:.0f} ms"
    return f"{value_ms / 1000:.1f} s"


def _when(ts: str) -> str:
    return f"{parse_time(ts):%-d %b %Y, %H:%M} UTC"


def _day(ts: str) -> str:
    return f"{parse_time(ts):%-d %b %Y}"


def _listed(names: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
