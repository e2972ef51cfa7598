"""Markdown as the HTML of a page: headings with ids, relative links, nothing raw let through."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner.errors import DataError

if TYPE_CHECKING:
    from markdown_it.token import Token

_NOT_ID = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class Prose:
    """One text: its title (the first heading, which is not in `html`) and its sections."""

    title: str
    html: str
    sections: list[tuple[str, str]]


def render_prose(text: str, root: str, where: Path) -> Prose:
    """The text as HTML; links to other pages are written from the top of the site.

    `root` leads there from the page. HTML in the text is shown as text. Raises DataError where
    the first line is no heading of level 1, a section has a name twice, or a link leads neither
    to a page nor to an https address.
    """
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False})
    tokens = parser.parse(text)
    if not tokens or (tokens[0].type, tokens[0].tag) != ("heading_open", "h1"):
        raise DataError(where, "expected a heading of level 1 in the first line")
    title, tokens = _plain(tokens[1]), tokens[3:]
    sections = []
    for opening, content in pairwise(tokens):
        if opening.type == "heading_open":
            name = _NOT_ID.sub("-", _plain(content).lower()).strip("-")
            opening.attrSet("id", name)
            if opening.tag == "h2":
                sections.append((name, _plain(content)))
        for piece in content.children or []:
            if piece.type == "link_open":
                piece.attrSet("href", _href(str(piece.attrGet("href")), root, where))
    names = [name for name, _ in sections]
    if len(set(names)) < len(names):
        raise DataError(where, "two sections have the same name")
    options: Any = parser.options
    # on a phone commands are wider than the page: who uses keys must be able to scroll them
    html = parser.renderer.render(tokens, options, {}).replace("<pre>", '<pre tabindex="0">')
    return Prose(title, html, sections)


def _plain(heading: Token) -> str:
    return "".join(part.content for part in heading.children or [])


def _href(target: str, root: str, where: Path) -> str:
    if target.startswith(("https://", "#")):
        return target
    if re.fullmatch(r"[a-z0-9./#_-]+", target) and not target.startswith(("/", ".")):
        return root + target
    raise DataError(where, f"a link to {target!r}, neither a page of the site nor https")
