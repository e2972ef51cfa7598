"""`results.pdf`: the results on at most 8 pages, tagged, equal bytes for equal results."""

from __future__ import annotations

import hashlib
from typing import Any

from runner.text import parse_time
from sitebuilder.exports import results_json
from sitebuilder.render import TEMPLATES, Site, environment, shared_context


class NoPdfError(Exception):
    """The libraries that set a page are not on this machine; the text names the missing one."""


def results_pdf(site: Site) -> bytes:
    """PDF/UA-1 of the print template; dates are the window's end, the id a digest of the results.

    Fonts of the machine decide the bytes. Raises NoPdfError where WeasyPrint or the Pango below
    it cannot be loaded.
    """
    digest = hashlib.sha256(results_json(site.results)).hexdigest()[:32]
    pdf: bytes = print_document(site).write_pdf(
        stylesheets=[TEMPLATES / "print.css"],
        finisher=_flatten_cells,
        pdf_identifier=digest.encode(),
        pdf_variant="pdf/ua-1",
        pdf_tags=True,
    )
    return pdf


def print_document(site: Site) -> Any:
    """A WeasyPrint document of the print template, which can load nothing; raises NoPdfError."""
    try:
        from weasyprint import HTML  # type: ignore[import-untyped]
    except (ImportError, OSError) as error:  # OSError: a native library is missing
        raise NoPdfError(str(error).splitlines()[0]) from error

    return HTML(string=print_html(site), url_fetcher=_nothing)


def print_html(site: Site) -> str:
    window = site.results.window
    end = parse_time(window.end) if window else None
    context = shared_context(site) | {
        "root": "",
        "base_url": site.base_url,
        "title": f"Needle: results of the 7 days to {end:%-d %B %Y}" if end else "Needle: results",
        "created": f"{end:%Y-%m-%dT%H:%M:%SZ}" if end else "1970-01-01T00:00:00Z",
    }
    return environment().get_template("print.html.j2").render(context)


def _flatten_cells(_document: Any, pdf: Any) -> None:
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


def _nothing(url: str, **_: Any) -> Any:
    raise ValueError(f"{url}: the print page loads nothing")
