"""The body text of a paper, from arXiv's HTML or a JATS file, and the excerpt that a model reads.

Both forms are read as they come, broken or hostile, in time that grows with their length only.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from runner.benches.document_text import OpenElements, pieces
from runner.benches.draws import drawn
from runner.llm.prompts import visible
from runner.text import unescape_html

MAX_MARKUP_CHARS = 12_000_000
MAX_TAGS = 500_000  # a long paper full of formulas has half of it
MAX_BODY_CHARS = 200_000
MIN_BODY_CHARS = 600  # less is an abstract, or a page that says there is no text
EXCERPT_PARTS, PART_CHARS = 3, 2_000
GAP = " \u2026 "  # stands for what is left out, so that no quotation reaches across it

_BLANKS = re.compile(r"\s+")
_GAPS = re.compile(r"(?:\s*\u2026\s*)+")
_CLASS = re.compile(r"\bclass\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE)
_MAX_ATTRIBUTE_CHARS = 2_000


@dataclass(frozen=True)
class _Form:
    """Where the text of a form stands: in `taken` elements within a `root`, outside `left_out`."""

    root: str
    taken: frozenset[str]
    left_out: frozenset[str]
    left_out_classes: frozenset[str] = frozenset()


_HTML = _Form(
    root="article",
    taken=frozenset({"p", "figcaption"}),
    left_out=frozenset(
        """math script style svg noscript annotation annotation-xml cite button nav template
        title""".split()
    ),
    left_out_classes=frozenset(
        "ltx_abstract ltx_authors ltx_note ltx_bibliography ltx_equation ltx_error".split()
    ),
)
_JATS = _Form(
    root="body",
    taken=frozenset({"p"}),
    left_out=frozenset(
        """inline-formula disp-formula tex-math mml:math math xref fn table-wrap-foot
        supplementary-material object-id ref-list alternatives""".split()
    ),
)


class _Place(NamedTuple):
    """Where an element stands."""

    in_root: bool = False
    is_taken: bool = False
    is_left_out: bool = False


def html_body(markup: str) -> str | None:
    """The paragraphs and captions within `article`, a line each; None where there are none.

    Formulas, citations and notes become an ellipsis; the abstract is left out.
    """
    return _body(markup, _HTML)


def jats_body(markup: str) -> str | None:
    """The paragraphs within `body`, a line each; None where there are none."""
    return _body(markup, _JATS)


def _body(markup: str, form: _Form) -> str | None:
    opened = OpenElements(_Place())
    parts: list[str] = []
    size = 0
    for tag, attributes, text in islice(pieces(markup[:MAX_MARKUP_CHARS]), MAX_TAGS):
        before = opened.state
        if tag.startswith("/"):
            opened.leave(tag[1:])
        elif tag:
            opened.enter(tag, attributes, _placing(form, tag, attributes))
        now = opened.state
        if tag.removeprefix("/") in form.taken and not now.is_left_out:
            parts.append("\n")
        elif before.is_left_out and now.is_taken and not now.is_left_out:
            parts.append(GAP)
        if now.in_root and now.is_taken and not now.is_left_out and text:
            text = unescape_html(text) if "&" in text else text
            parts.append(_BLANKS.sub(" ", text))
            size += len(parts[-1])
            if size > MAX_BODY_CHARS:
                break
    lines = (_line(line) for line in visible("".join(parts)).split("\n"))
    body = "\n".join(line for line in lines if line)[:MAX_BODY_CHARS].rstrip()
    return body if len(body) >= MIN_BODY_CHARS else None


def _placing(form: _Form, tag: str, attributes: str) -> Callable[[_Place], _Place]:
    """How the place of an element follows from that of the one around it."""
    is_root, is_taken = tag == form.root, tag in form.taken
    is_left_out = tag in form.left_out or _has_class(attributes, form.left_out_classes)

    def place(outer: _Place) -> _Place:
        in_root = outer.in_root or is_root
        is_within = in_root and (outer.is_taken or is_taken)
        inner = (in_root, is_within, outer.is_left_out or is_left_out)
        return outer if inner == outer else _Place(*inner)

    return place


def _has_class(attributes: str, classes: frozenset[str]) -> bool:
    if not classes or not attributes:
        return False
    match = _CLASS.search(attributes[:_MAX_ATTRIBUTE_CHARS])
    if match is None:
        return False
    return not classes.isdisjoint("".join(filter(None, match.groups())).split())


def _line(text: str) -> str:
    """A paragraph without the blanks that markup leaves, and one ellipsis for each gap."""
    text = _GAPS.sub(GAP, _BLANKS.sub(" ", text)).strip(" \u2026")
    return text.replace(" .", ".").replace(" ,", ",")


def excerpt(body: str, seed: int) -> str:
    """Two thousand characters from each third of the body, at places that the seed draws.

    The start of a paper is mostly introduction, which says what the abstract says. Cuts are at
    blanks. A body that is not longer than the excerpt is given whole.
    """
    if len(body) <= EXCERPT_PARTS * PART_CHARS:
        return body
    third = len(body) // EXCERPT_PARTS
    parts = []
    for i in range(EXCERPT_PARTS):
        slack = max(third - PART_CHARS, 0)
        start = i * third + drawn(slack + 1, seed, i)
        parts.append(_whole_words(body, start, start + PART_CHARS))
    return "\n\n[...]\n\n".join(parts)


def _whole_words(body: str, start: int, end: int) -> str:
    """The text between two places, without the words that they cut."""
    text = body[start:end]
    if start > 0 and not body[start - 1].isspace():
        text = text.partition(" ")[2]
    if end < len(body) and not body[end].isspace():
        text = text.rpartition(" ")[0]
    return text.strip()
