"""A page as a tree with line numbers, read without mercy: nothing is closed or repaired silently.

A browser repairs what it gets, so that a broken page may look right on one machine. Here every
element must be closed by its own tag, and every `<` or `&` in a text must be written as an entity.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset(
    "area base br col embed hr img input link meta source track wbr".split()
)  # elements that have no end tag
RAW_TEXT = frozenset({"script", "style"})
_ENTITY = re.compile(r"&(?:[a-zA-Z][a-zA-Z0-9]*|#[0-9]+|#[xX][0-9a-fA-F]+);")
_LOOSE = re.compile(r"[<&]")
_ATTRIBUTE = re.compile(r"[a-z_:][a-z0-9_:.\-]*")


@dataclass(eq=False)
class Element:
    """A tag with its attributes (lower case names), its place and what it holds."""

    tag: str
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    parent: Element | None = None
    children: list[Element | str] = field(default_factory=list)

    def walk(self) -> Iterator[Element]:
        """The element and all below it, in order."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    @property
    def elements(self) -> list[Element]:
        return [child for child in self.children if isinstance(child, Element)]

    @property
    def text(self) -> str:
        """All text inside, white space collapsed."""
        return " ".join("".join(self._texts()).split())

    def _texts(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            else:
                yield from child._texts()

    @property
    def ancestors(self) -> Iterator[Element]:
        """From the parent upwards, the root left out."""
        node = self.parent
        while node is not None and node.parent is not None:
            yield node
            node = node.parent

    @property
    def is_drawn(self) -> bool:
        """Whether it is a part of an inline SVG (the `svg` element itself included)."""
        return self.tag == "svg" or any(node.tag == "svg" for node in self.ancestors)


@dataclass(frozen=True)
class Document:
    """A parsed page; `problems` are (line, rule, text) of what is no proper markup."""

    source: str
    root: Element
    elements: list[Element]
    problems: list[tuple[int, str, str]]

    def all(self, *tags: str) -> list[Element]:
        return [element for element in self.elements if element.tag in tags]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.root = Element("#root", 0)
        self.open = [self.root]
        self.elements: list[Element] = []
        self.problems: list[tuple[int, str, str]] = []
        self.has_doctype = False

    def say(self, rule: str, text: str) -> None:
        self.problems.append((self.getpos()[0], rule, text))

    def handle_decl(self, decl: str) -> None:
        if decl.lower() == "doctype html" and not self.elements and not self.has_doctype:
            self.has_doctype = True
        else:
            self.say("doctype", f"<!{decl[:40]}> is not the one <!doctype html> at the top")

    def unknown_decl(self, data: str) -> None:
        self.say("nesting", f"<![{data[:20]}: no such section in HTML")

    def handle_pi(self, data: str) -> None:
        self.say("nesting", f"<?{data[:20]}: no processing instruction in HTML")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = self._add(tag, attrs)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = self._add(tag, attrs)
        if tag not in VOID and not element.is_drawn:
            self.say("nesting", f"<{tag}/> closes itself, which HTML does not know")

    def _add(self, tag: str, attrs: list[tuple[str, str | None]]) -> Element:
        if not self.has_doctype and not self.elements:
            self.say("doctype", "the page does not begin with <!doctype html>")
        names = [name for name, _ in attrs]
        for name in sorted({name for name in names if names.count(name) > 1}):
            self.say("attribute", f"<{tag}> has {name} twice")
        for name in names:
            if not _ATTRIBUTE.fullmatch(name):
                self.say("attribute", f"<{tag}> has an attribute named {name[:40]!r}")
        raw = (self.get_starttag_text() or "")[1:]
        if _LOOSE.search(_ENTITY.sub("", raw)):
            self.say("escape", f"an attribute of <{tag}> holds a bare < or &")
        values = {name: value or "" for name, value in attrs}
        element = Element(tag, self.getpos()[0], values, self.open[-1])
        self.open[-1].children.append(element)
        self.elements.append(element)
        return element

    def handle_endtag(self, tag: str) -> None:
        current = self.open[-1]
        if tag in VOID:
            self.say("nesting", f"</{tag}>: a void element has no end tag")
        elif current.tag == tag:
            self.open.pop()
        elif any(element.tag == tag for element in self.open[1:]):
            self.say("nesting", f"</{tag}> while <{current.tag}> of line {current.line} is open")
            while self.open.pop().tag != tag:
                pass
        else:
            self.say("nesting", f"</{tag}> closes nothing")

    def handle_data(self, data: str) -> None:
        if self.open[-1].tag not in RAW_TEXT and _LOOSE.search(data):
            self.say("escape", f"a bare < or & in the text {data.strip()[:40]!r}")
        self._append(data)

    def handle_entityref(self, name: str) -> None:
        self._reference(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._reference(f"&#{name};")

    def _reference(self, written: str) -> None:
        from html import unescape

        text = unescape(written)
        if text == written:
            self.say("escape", f"{written} is no character")
        self._append(text)

    def _append(self, text: str) -> None:
        """Adds to the text before it, so that an entity does not part a text in two."""
        children = self.open[-1].children
        if children and isinstance(children[-1], str):
            children[-1] += text
        else:
            children.append(text)


def read_document(source: str) -> Document:
    """The page as a tree, with every place where its markup is not well formed."""
    reader = _Reader()
    reader.feed(source)
    reader.close()
    for element in reader.open[1:]:
        reader.problems.append((element.line, "nesting", f"<{element.tag}> is never closed"))
    return Document(source, reader.root, reader.elements, reader.problems)
