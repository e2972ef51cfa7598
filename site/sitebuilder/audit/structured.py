"""Whether what programs read is well formed: JSON, CSV, JSON-LD, sitemap, feed, drawings."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

from sitebuilder.audit.findings import MISSING_PAGE, Finding, Public
from sitebuilder.audit.tree import Element

SITEMAP = "sitemap.xml"
SITEMAP_SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
FEED_SPACE = "{http://www.w3.org/2005/Atom}"
MAX_SITEMAP_URLS = 50_000
MAX_URL_CHARS = 2048
DATASET_FIELDS = (
    "name", "description", "license", "creator", "distribution", "isAccessibleForFree",
)  # fmt: skip
DESCRIPTION_CHARS = (50, 5000)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)")
_DAY_OR_TIME = re.compile(rf"\d{{4}}-\d\d-\d\d|{_TIME.pattern}")


def check_structured(public: Public) -> Iterator[Finding]:
    """Files that a parser would refuse, and descriptions that lack what they must have."""
    for name, content in public.named(".json"):
        try:
            json.loads(content)
        except ValueError as error:
            yield Finding(name, 0, "json", f"no JSON: {error}")
    for name, content in public.named(".jsonl"):
        yield from _lines(name, content)
    for name, content in public.named(".csv"):
        yield from _csv(name, content)
    for name, content in public.named(".xml", ".svg"):
        yield from _xml(public, name, content)
    for name, page in public.pages.items():
        for element in page.all("script"):
            if element.attributes.get("type") == "application/ld+json":
                for text in _linked_data(public, element):
                    yield Finding(name, element.line, "json-ld", text)
    yield from _canonical(public)


def _lines(name: str, content: bytes) -> Iterator[Finding]:
    if content and not content.endswith(b"\n"):
        yield Finding(name, 0, "json", "the last line is cut")
    for number, line in enumerate(content.splitlines(), 1):
        try:
            json.loads(line)
        except ValueError as error:
            yield Finding(name, number, "json", f"no JSON: {error}")


def _csv(name: str, content: bytes) -> Iterator[Finding]:
    try:
        rows = list(csv.reader(io.StringIO(content.decode("utf-8")), strict=True))
    except (ValueError, csv.Error) as error:
        yield Finding(name, 0, "csv", f"cannot be read: {error}")
        return
    if not rows or len(set(rows[0])) != len(rows[0]):
        yield Finding(name, 1, "csv", "no head of different names")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            text = f"{len(row)} fields where the head has {len(rows[0])}"
            yield Finding(name, number, "csv", text)


def _xml(public: Public, name: str, content: bytes) -> Iterator[Finding]:
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        yield Finding(name, 0, "xml", "a document type, which could hide anything")
        return
    try:
        root = ElementTree.fromstring(content)  # noqa: S314 - no entities, refused above
    except ElementTree.ParseError as error:
        yield Finding(name, error.position[0], "xml", f"not well formed: {error}")
        return
    if name == SITEMAP:
        yield from _sitemap(public, root)
    elif root.tag == f"{FEED_SPACE}feed":
        yield from (Finding(name, 0, "feed", text) for text in _feed(public, root))


def _sitemap(public: Public, root: ElementTree.Element) -> Iterator[Finding]:
    if root.tag != f"{SITEMAP_SPACE}urlset":
        yield Finding(SITEMAP, 0, "sitemap", f"the root is {root.tag}")
        return
    seen: set[str] = set()
    for url in root:
        address = (url.findtext(f"{SITEMAP_SPACE}loc") or "").strip()
        shown = address[:120]
        when = url.findtext(f"{SITEMAP_SPACE}lastmod")
        if not _is_web(address) or len(address) >= MAX_URL_CHARS:
            yield Finding(SITEMAP, 0, "sitemap", f"{shown!r} is no absolute address")
        elif public.own_file(address) not in public.pages:
            yield Finding(SITEMAP, 0, "sitemap", f"{shown!r} is no page of the site")
        if address in seen:
            yield Finding(SITEMAP, 0, "sitemap", f"{shown!r} stands twice")
        if when is not None and not _DAY_OR_TIME.fullmatch(when):
            yield Finding(SITEMAP, 0, "sitemap", f"{when!r} is no date")
        seen.add(address)
    if not 1 <= len(seen) <= MAX_SITEMAP_URLS:
        yield Finding(SITEMAP, 0, "sitemap", f"{len(seen):,} addresses")


def _feed(public: Public, root: ElementTree.Element) -> Iterator[str]:
    """What an Atom feed must have: an id, a title and a time each, and links that lead."""
    ids: set[str] = set()
    for part in (root, *root.findall(f"{FEED_SPACE}entry")):
        for field in ("id", "title", "updated"):
            if not (part.findtext(f"{FEED_SPACE}{field}") or "").strip():
                yield f"{part.tag.rpartition('}')[2]} without {field}"
        name = part.findtext(f"{FEED_SPACE}id") or ""
        if name in ids:
            yield f"the id {name!r} stands twice"
        ids.add(name)
        when = part.findtext(f"{FEED_SPACE}updated") or ""
        if when and not _TIME.fullmatch(when):
            yield f"{when!r} is no time"
        for link in part.findall(f"{FEED_SPACE}link"):
            address = link.get("href", "").partition("#")[0]
            own = public.own_file(address)
            if not _is_web(address):
                yield f"{address[:120]!r} is no absolute address"
            elif own is not None and own not in public.files:
                yield f"{address[:120]!r} is not in the site"
    authors = root.find(f"{FEED_SPACE}author")
    if authors is None and any(
        entry.find(f"{FEED_SPACE}author") is None for entry in root.findall(f"{FEED_SPACE}entry")
    ):
        yield "no author"


def _linked_data(public: Public, element: Element) -> Iterator[str]:
    """What is wrong with a description in JSON-LD."""
    try:
        document: Any = json.loads("".join(c for c in element.children if isinstance(c, str)))
    except ValueError as error:
        yield f"no JSON: {error}"
        return
    if not isinstance(document, dict):
        yield "no object"
        return
    context = str(document.get("@context", "")).rstrip("/")
    if context not in ("https://schema.org", "http://schema.org"):
        yield f"the context is {context!r}"
    if not document.get("@type"):
        yield "no @type"
    if document.get("@type") == "Dataset":
        yield from _dataset(public, document)


def _dataset(public: Public, document: dict[str, Any]) -> Iterator[str]:
    for field in DATASET_FIELDS:
        if document.get(field) in (None, "", [], {}):
            yield f"the data set lacks {field}"
    low, high = DESCRIPTION_CHARS
    if not low <= len(str(document.get("description", ""))) <= high:
        yield f"a description of a data set has {low} to {high:,} characters"
    span = document.get("temporalCoverage")
    if span is not None and not all(_DAY_OR_TIME.fullmatch(end) for end in str(span).split("/")):
        yield f"{span!r} is no span of time"
    for download in document.get("distribution") or []:
        address = str(download.get("contentUrl", ""))
        own = public.own_file(address)
        name = address.lstrip("./") if not _is_web(address) else own
        if not address or not download.get("encodingFormat"):
            yield "a download without its address or format"
        elif name is not None and name not in public.files:
            yield f"{address[:120]!r} is not in the site"


def _canonical(public: Public) -> Iterator[Finding]:
    """Where the site knows its address, every page says its own; pictures of links exist."""
    base = public.base_url
    for name, page in public.pages.items():
        links = [
            element for element in page.all("link") if element.attributes.get("rel") == "canonical"
        ]
        addresses = [element.attributes.get("href", "") for element in links]
        own = f"{base}{name.removesuffix('index.html')}" if base else None
        if name != MISSING_PAGE and addresses != ([own] if own else []):
            yield Finding(name, 0, "canonical", f"{addresses} where {own} is due")
        for element in page.all("meta"):
            if element.attributes.get("property", "") in ("og:image", "og:url"):
                address = element.attributes.get("content", "")
                if not _is_web(address) or public.own_file(address) not in public.files:
                    yield Finding(
                        name, element.line, "link", f"{address[:120]!r} is not in the site"
                    )


def _is_web(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme in ("http", "https") and bool(parts.hostname)
