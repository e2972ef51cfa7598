"""Whether the site is as small as promised: first view, script, nodes, the paper form."""

from __future__ import annotations

import posixpath
import re
import zlib
from collections.abc import Iterator

from sitebuilder.audit.findings import Finding, Public
from sitebuilder.audit.tree import Document

MAX_FIRST_VIEW_BYTES = 60 * 1024  # gzipped: the dashboard's HTML with its SVG, and the style
MAX_SCRIPT_BYTES = 20 * 1024  # gzipped, all scripts of a page
MAX_NODES = 3000  # elements of the dashboard above its appendix
MAX_PDF_BYTES = 120_000
MAX_PDF_PAGES = 8
APPENDIX = "appendix"
_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
_PAGE = re.compile(rb"/Type\s*/Page(?![a-zA-Z])")


def check_budgets(public: Public) -> Iterator[Finding]:
    """What is larger than promised, with its size."""
    page = public.pages["index.html"]
    styles = linked(public, "index.html", "link", "href", "stylesheet")
    view = gz_bytes(public.files["index.html"]) + sum(gz_bytes(public.files[s]) for s in styles)
    if view > MAX_FIRST_VIEW_BYTES:
        text = f"{view:,} bytes gzipped of HTML and style, {MAX_FIRST_VIEW_BYTES:,} are allowed"
        yield Finding("index.html", 0, "size-view", text)
    nodes = nodes_above_appendix(page)
    if nodes > MAX_NODES:
        text = f"{nodes:,} elements above the appendix, {MAX_NODES:,} are allowed"
        yield Finding("index.html", 0, "size-nodes", text)
    for name in public.pages:
        scripts = linked(public, name, "script", "src")
        size = sum(gz_bytes(public.files[script]) for script in scripts)
        if size > MAX_SCRIPT_BYTES:
            text = f"{size:,} bytes gzipped of script, {MAX_SCRIPT_BYTES:,} are allowed"
            yield Finding(name, 0, "size-script", text)
    for name, content in public.named(".pdf"):
        yield from _paper(name, content)


def gz_bytes(content: bytes) -> int:
    """The size as a usual server sends it (level 6)."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return len(packer.compress(content)) + len(packer.flush())


def nodes_above_appendix(page: Document) -> int:
    """Elements before the one with the id `appendix`, or all."""
    for place, element in enumerate(page.elements):
        if element.attributes.get("id") == APPENDIX:
            return place
    return len(page.elements)


def linked(public: Public, page: str, tag: str, attribute: str, rel: str | None = None) -> set[str]:
    """The site's files that a page loads through such a tag."""
    found = set()
    for element in public.pages[page].all(tag):
        own = element.attributes
        if attribute in own and (rel is None or rel in own.get("rel", "").split()):
            name = posixpath.normpath(posixpath.join(posixpath.dirname(page), own[attribute]))
            if name in public.files:
                found.add(name)
    return found


def _paper(name: str, content: bytes) -> Iterator[Finding]:
    if len(content) > MAX_PDF_BYTES:
        text = f"{len(content):,} bytes, {MAX_PDF_BYTES:,} are allowed"
        yield Finding(name, 0, "size-pdf", text)
    if not content.startswith(b"%PDF-") or not content.rstrip().endswith(b"%%EOF"):
        yield Finding(name, 0, "pdf", "begins or ends unlike a PDF")
        return
    everything = [content]
    for match in _STREAM.finditer(content):
        try:
            everything.append(zlib.decompress(match[1]))
        except zlib.error:
            continue  # a stream of another kind, such as a picture
    pages = sum(len(_PAGE.findall(part)) for part in everything)
    if not 1 <= pages <= MAX_PDF_PAGES:
        yield Finding(name, 0, "size-pdf", f"{pages} pages, {MAX_PDF_PAGES} are allowed")
    if not any(b"/StructTreeRoot" in part for part in everything):
        yield Finding(name, 0, "pdf", "not tagged")
