"""`results.pdf`: the results on at most 8 pages, tagged, equal bytes for equal results.

The charts are those of the pages in concrete colours, since what sets the paper resolves no style.
Tables come first: charts are left out, those over time before the others, until all fits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from runner.text import parse_time
from sitebuilder.charts import Chart
from sitebuilder.exports import results_json
from sitebuilder.palette import highlights
from sitebuilder.render import TEMPLATES, Site, environment, shared_context
from sitebuilder.svg import concrete

CROWDED, FULL = 20, 30  # engines; with more, tables leave out columns
MAX_PAGES, MAX_BYTES = 8, 120_000
_MAIN = ("share", "price", "speed", "latency")
_ROOM = (14, 30, 30)  # engines for which it is worth trying all charts, the main ones, the first
_SCHEME = "chart:"


class NoPdfError(Exception):
    """The libraries that set a page are not on this machine; the text names the missing one."""


def results_pdf(site: Site) -> bytes:
    """PDF/UA-1 of the print template; dates are the window's end, the id a digest of the results.

    Fonts of the machine decide the bytes. Raises NoPdfError where WeasyPrint or the Pango below
    it cannot be loaded.
    """
    digest = hashlib.sha256(results_json(site.results)).hexdigest()[:32]
    pdf = b""
    for charts in _choices(site):
        document = print_document(site, charts).render(
            stylesheets=[TEMPLATES / "print.css"], pdf_variant="pdf/ua-1", pdf_tags=True
        )
        pdf = document.write_pdf(
            finisher=_finish,
            pdf_identifier=digest.encode(),
            pdf_variant="pdf/ua-1",
            pdf_tags=True,
        )
        if len(document.pages) <= MAX_PAGES and len(pdf) <= MAX_BYTES:
            break
    return pdf


def _choices(site: Site) -> Iterator[dict[str, Chart]]:
    """Fewer and fewer charts, by name; the last choice is none."""
    size = len(site.results.overall)
    if size and size <= max(_ROOM):
        main = {name: site.charts[name] for name in _MAIN if site.charts[name]}
        every = main | {each.key: each.chart for each in site.charts["trends"]}
        first = {name: chart for name, chart in main.items() if name == _MAIN[0]}
        for most, charts in zip(_ROOM, (every, main, first), strict=True):
            if charts and size <= most:
                yield charts
    yield {}


def print_document(site: Site, charts: Mapping[str, Chart]) -> Any:
    """A WeasyPrint document of the print template, which can load these charts and nothing else;
    raises NoPdfError."""
    try:
        from weasyprint import HTML  # type: ignore[import-untyped]
        from weasyprint.urls import (  # type: ignore[import-untyped]
            FatalURLFetchingError,
            URLFetcher,
            URLFetcherResponse,
        )
    except (ImportError, OSError) as error:  # OSError: a native library is missing
        raise NoPdfError(str(error).splitlines()[0]) from error

    class Drawings(URLFetcher):  # type: ignore[misc]
        """Our charts by name, and nothing else."""

        def fetch(self, url: str, headers: Any = None) -> Any:
            if not url.startswith(_SCHEME):
                raise FatalURLFetchingError(f"{url}: the print page loads nothing")
            drawing = concrete(charts[url.removeprefix(_SCHEME)].svg)
            return URLFetcherResponse(url, drawing.encode(), {"Content-Type": "image/svg+xml"})

    return HTML(string=print_html(site, charts), url_fetcher=Drawings())


def print_html(site: Site, charts: Mapping[str, Chart]) -> str:
    window = site.results.window
    end = parse_time(window.end) if window else None
    context = shared_context(site) | {
        "root": "",
        "base_url": site.base_url,
        "charts": charts,
        "over_time": [name for name in charts if name.startswith("trend-")],
        "crowded": len(site.results.overall) > CROWDED,
        "full": len(site.results.overall) > FULL,
        "highlights": highlights(site.results),
        "title": f"Needle: results of the 7 days to {end:%-d %B %Y}" if end else "Needle: results",
        "created": f"{end:%Y-%m-%dT%H:%M:%SZ}" if end else "1970-01-01T00:00:00Z",
    }
    return environment().get_template("print.html.j2").render(context)


def _finish(_document: Any, pdf: Any) -> None:
    _flatten_cells(pdf)
    _inline_labels(pdf)


def _inline_labels(pdf: Any) -> None:
    """Puts the labels of charts where they are drawn.

    Each text that does not start at its place is a drawing of its own, with resources of its own,
    which would make most of the file.
    """
    objects: dict[bytes, Any] = {each.reference: each for each in pdf.objects}
    forms: dict[bytes, list[Any]] = {}
    for resources in list(pdf.objects):
        if not isinstance(resources, dict) or "XObject" not in resources:
            continue
        for name, reference in list(resources["XObject"].items()):
            form = objects[reference]
            own = objects[form.extra["Resources"]]
            if set(own["ExtGState"]) <= set(resources["ExtGState"]) and not own["XObject"]:
                forms[f"/{name} Do".encode()] = [b"q", *form.stream, b"Q"]
                del resources["XObject"][name]
                for freed in (form, own):
                    pdf.objects[freed.number] = pdf.objects[0]
    for stream in pdf.objects:
        operators = getattr(stream, "stream", None)
        if isinstance(operators, list):
            named = [(each, isinstance(each, bytes) and each in forms) for each in operators]
            operators[:] = [
                part for each, is_form in named for part in (forms[each] if is_form else [each])
            ]


def _flatten_cells(pdf: Any) -> None:
    """Lets cells hold their text themselves: a span in each would make half of the file.

    A span that stands alone in its cell hands its marked content up and its number is freed, as
    the entry 0 of every PDF is.
    """
    objects: dict[bytes, Any] = {each.reference: each for each in pdf.objects}
    moved: dict[bytes, bytes] = {}
    for reference, cell in objects.items():
        if not isinstance(cell, dict) or cell.get("S") not in ("/TD", "/TH"):
            continue
        span = objects.get(cell["K"][0]) if len(cell["K"]) == 1 else None
        if span is not None and _is_text_span(span):
            cell["K"] = span["K"]
            moved[span.reference] = reference
            pdf.objects[span.number] = pdf.objects[0]
    tree = objects[objects[pdf.catalog["StructTreeRoot"]]["ParentTree"]]
    for numbers in tree["Nums"]:
        if isinstance(numbers, list):
            numbers[:] = [moved.get(each, each) for each in numbers]


def _is_text_span(node: Any) -> bool:
    """Whether it is a span with marked content alone, no further elements."""
    is_span = isinstance(node, dict) and node.get("S") == "/Span"
    return is_span and all(isinstance(part, int) for part in node["K"])
