"""The eCFR: titles with the day they are current to, their sections, and the text of one.

Source: its versioner and search services. A title that is being processed answers 503 with a
Retry-After, which the client honours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.benches.document_text import pieces
from runner.benches.fetching import Fetcher, SourceError
from runner.benches.legal.citing.cfr import section_key
from runner.benches.markup import plain_text
from runner.settings import Settings
from runner.text import unescape_html

VERSIONER = "https://www.ecfr.gov/api/versioner/v1"
SEARCH = "https://www.ecfr.gov/api/search/v1/results"
PAGE = "https://www.ecfr.gov/current"
CONCURRENCY = 2
GAP_S = 0.2
MAX_BODY_BYTES = 40_000_000  # the structure of a large title
MAX_NODES = 200_000
MAX_HEADING_CHARS = 300
MAX_TEXT_CHARS = 60_000
SEARCH_PAGE = 20
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_IDENTIFIER = re.compile(r"\d{1,4}[a-z]{0,2}(?:-\d{1,4})?\.\S{1,30}", re.IGNORECASE)
_NUMBER = re.compile(r"\bN\s*=\s*[\"']([^\"']{1,60})[\"']", re.IGNORECASE)
_TEXT_TAGS = frozenset({"p", "fp", "hd1", "hd2", "hd3", "td", "note"})


@dataclass(frozen=True)
class Section:
    """One section in force on `day`; `heading` is its description without the number."""

    title: int
    part: str
    number: str
    heading: str
    day: str

    @property
    def url(self) -> str:
        """Where a reader finds it."""
        return f"{PAGE}/title-{self.title}/section-{self.number}"


class Ecfr:
    """One client for the services of ecfr.gov; every method raises SourceError."""

    def __init__(self, settings: Settings, *, cache: Path | None) -> None:
        self._fetcher = Fetcher(
            settings,
            limiter_interval_s=GAP_S,
            concurrency=CONCURRENCY,
            max_body_bytes=MAX_BODY_BYTES,
            timeout_s=90.0,
            cache=cache,
            accept="application/json, application/xml",
            gives_up_after=5,
        )

    async def current_days(self) -> dict[int, str]:
        """For each title that is not reserved the day to which it is current."""
        return read_titles(await self._fetcher.get_json(f"{VERSIONER}/titles.json"))

    async def sections(self, title: int, day: str) -> list[Section]:
        """The sections of a title, in its order, without the reserved ones."""
        url = f"{VERSIONER}/structure/{day}/title-{title}.json"
        return read_sections(await self._fetcher.get_json(url), title, day)

    async def text(self, section: Section) -> str:
        """The paragraphs of a section, a line each."""
        url = f"{VERSIONER}/full/{section.day}/title-{section.title}.xml"
        markup = await self._fetcher.get_text(
            url, {"part": section.part, "section": section.number}
        )
        return read_text(markup, section.number)

    async def sections_with(self, phrase: str) -> frozenset[str] | None:
        """The keys (`title:section`) of sections that hold a phrase; None for more than a page."""
        params = {"query": f'"{phrase}"', "per_page": str(SEARCH_PAGE), "page": "1"}
        return read_hits(await self._fetcher.get_json(SEARCH, params))

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._fetcher.aclose()


def read_titles(document: Any) -> dict[int, str]:
    """Title number to day; what is reserved, in processing or malformed is left out."""
    titles = document.get("titles") if isinstance(document, dict) else None
    if not isinstance(titles, list):
        raise SourceError("malformed", "titles.json: expected an object with `titles`")
    found = {}
    for raw in titles:
        if not isinstance(raw, dict) or raw.get("reserved") is True:
            continue
        number, day = raw.get("number"), raw.get("up_to_date_as_of")
        if isinstance(number, int) and isinstance(day, str) and _DAY.fullmatch(day):
            found[number] = day
    return found


def read_sections(document: Any, title: int, day: str) -> list[Section]:
    """The sections of a structure; each needs a part above it, a number and a description."""
    if not isinstance(document, dict):
        raise SourceError("malformed", f"structure of title {title}: expected an object")
    return [
        Section(title, part, number, heading, day)
        for part, node in _nodes(document)
        if (number := _section_number(node)) and (heading := _heading(node)) and part
    ]


def read_text(markup: str, number: str) -> str:
    """The text of one section of a response, which may wrap the whole part around it."""
    lines: list[str] = []
    is_inside, is_text, size = False, False, 0
    for tag, attributes, text in pieces(markup):
        if tag == "div8":
            found = _NUMBER.search(attributes)
            is_inside = found is not None and unescape_html(found[1]).strip() == number
        elif tag == "/div8":
            is_inside = False
        elif tag in _TEXT_TAGS:
            is_text = True
            lines.append("")
        elif tag.removeprefix("/") in _TEXT_TAGS:
            is_text = False
        if is_inside and is_text and size < MAX_TEXT_CHARS:
            lines[-1] += text
            size += len(text)
    plain = (plain_text(line, MAX_TEXT_CHARS) for line in lines)
    return "\n".join(line for line in plain if line)


def read_hits(document: Any) -> frozenset[str] | None:
    """The sections of a search, each once; None where they are more than it lists."""
    results = document.get("results") if isinstance(document, dict) else None
    meta = document.get("meta") if isinstance(document, dict) else None
    total = meta.get("total_count") if isinstance(meta, dict) else None
    if not isinstance(results, list) or not isinstance(total, int):
        raise SourceError("malformed", "eCFR search: expected `results` and `meta.total_count`")
    if total > SEARCH_PAGE:
        return None
    keys = set()
    for raw in results:
        place = raw.get("hierarchy") if isinstance(raw, dict) else None
        if isinstance(place, dict) and place.get("section"):
            key = section_key(f"{place.get('title')}:{place.get('section')}")
            if key is not None:
                keys.add(key)
    return frozenset(keys)


def _nodes(root: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every node that is not reserved, with the part it stands in, in document order."""
    stack: list[tuple[str, Any]] = [("", root)]
    for _ in range(MAX_NODES):
        if not stack:
            return
        part, node = stack.pop()
        if not isinstance(node, dict) or node.get("reserved") is True:
            continue
        if node.get("type") == "part" and isinstance(node.get("identifier"), str):
            part = node["identifier"]
        yield part, node
        children = node.get("children")
        if isinstance(children, list):
            stack += [(part, child) for child in reversed(children)]


def _section_number(node: dict[str, Any]) -> str | None:
    number = node.get("identifier")
    if node.get("type") != "section" or not isinstance(number, str):
        return None
    return number if _IDENTIFIER.fullmatch(number) else None


def _heading(node: dict[str, Any]) -> str:
    heading = node.get("label_description")
    return plain_text(heading, MAX_HEADING_CHARS).rstrip(".") if isinstance(heading, str) else ""
