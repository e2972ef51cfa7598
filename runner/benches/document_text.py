"""The text of an HTML document that a reader sees, and whether a quoted span stands in it.

Filings are inline XBRL: behind the page that people read lie a header of machine facts, hidden
blocks and `display:none`. What is quoted from there cannot be searched for by its words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

from runner.llm.prompts import visible
from runner.text import canonical_text, unescape_html

MAX_MARKUP_CHARS = 12_000_000
MAX_TEXT_CHARS = 200_000  # an excerpt is taken from the first ten thousand
MAX_ATTRIBUTE_CHARS = 5_000

T = TypeVar("T")

_UNSEEN = frozenset({"script", "style", "svg", "noscript", "head", "title", "template"})
_UNSEEN_XBRL = frozenset({"header", "hidden"})  # ix:header, ix:hidden
_VOID = frozenset(
    "area base br col embed hr img input link meta param source track wbr".split()
)  # they have no end tag
_IMPLIED_END = frozenset({"p", "li", "td", "th", "tr", "dt", "dd", "option"})
_BLOCKS = frozenset(
    """address article aside blockquote body br center dd div dl dt fieldset footer form h1 h2 h3
    h4 h5 h6 header hr li main nav ol p page pre section table tbody tfoot thead tr ul""".split()
)
_CELLS = frozenset({"td", "th", "option"})
_RAW = {name: re.compile(rf"</{name}\b", re.IGNORECASE) for name in ("script", "style")}
_NAME = re.compile(r"<(/?[A-Za-z][^\s<>/]*)")
_MARK = re.compile(r">|=\s{0,9}[\"']")
_ATTRIBUTE = re.compile(r"([A-Za-z][\w:.-]*)(?:\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'>]+))?")
_HIDING = re.compile(
    r"(?:^|[;\"'])\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE
)
_BLANKS = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n[\n ]*")
_SAME = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032`\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    }
)


def visible_text(markup: str, max_chars: int = MAX_TEXT_CHARS) -> str:
    """At most `max_chars` characters of what a reader sees, a line for each block.

    Script, style, drawings, head and title, inline-XBRL headers and hidden facts, and elements
    that are not displayed are left out. Only the first 12 million characters are looked at.
    """
    reader = _Reader()
    for tag, attributes, text in pieces(markup[:MAX_MARKUP_CHARS]):
        reader.take(tag, attributes, text)
        if reader.size > 2 * max_chars:
            break
    text = _BLANKS.sub(" ", visible("".join(reader.parts)))
    return _LINES.sub("\n", text).strip()[:max_chars].rstrip()


def comparable(text: str) -> str:
    """The text without differences that no reader sees: case, white space, quotes, dashes."""
    return canonical_text(visible(text).translate(_SAME))


def stands_in(span: str, text: str) -> bool:
    """Whether the words of the span follow one another in the text, whole words at both ends."""
    wanted = comparable(span)
    if not wanted:
        return False
    pattern = rf"(?<!\w){re.escape(wanted)}(?!\w)"
    return re.search(pattern, comparable(text)) is not None


class OpenElements(Generic[T]):
    """The elements that are open, each with a state; `state` is that of the innermost one.

    End tags may be missing or too many: what a body begins in ends with it, a paragraph ends the
    one before, and an end tag closes what was left open within its element.
    """

    def __init__(self, outside: T) -> None:
        self._outside = outside
        self._open: list[tuple[str, T]] = []
        self._counts: Counter[str] = Counter()  # of the open elements, by name

    @property
    def state(self) -> T:
        return self._open[-1][1] if self._open else self._outside

    def enter(self, tag: str, attributes: str, state_in: Callable[[T], T]) -> None:
        """A start tag; `state_in` makes its state from that of the element it stands in."""
        if tag == "body":
            while self._open:  # a head that was never closed ends here
                self._pop()
        if tag in _IMPLIED_END and self._open and self._open[-1][0] == tag:
            self._pop()
        if tag not in _VOID and not attributes.endswith("/"):
            self._open.append((tag, state_in(self.state)))
            self._counts[tag] += 1

    def leave(self, tag: str) -> None:
        """An end tag: closes the innermost element of its name and all within it."""
        if self._counts[tag] > 0:
            while self._pop() != tag:
                pass

    def _pop(self) -> str:
        tag, _ = self._open.pop()
        self._counts[tag] -= 1
        return tag


class _Reader:
    """Collects the text of elements that are shown, and a break between blocks."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.size = 0
        self._open = OpenElements(False)  # whether they are hidden

    def take(self, tag: str, attributes: str, text: str) -> None:
        """One tag (`/name` for an end tag, "" for none) and the text behind it."""
        if tag.startswith("/"):
            tag = tag[1:]
            self._open.leave(tag)
        elif tag:
            self._open.enter(tag, attributes, lambda hides: hides or _hides(tag, attributes))
        gap = "\n" if tag in _BLOCKS else " " if tag in _CELLS else ""
        if not self._open.state:
            text = unescape_html(text) if "&" in text else text
            gap += text.replace("\n", " ")
        if gap:
            self.parts.append(gap)
            self.size += len(gap)


def pieces(markup: str) -> Iterator[tuple[str, str, str]]:
    """Each tag in lower case with its raw attributes, and the raw text up to the next one.

    Every search goes on where the last one ended, so that no document takes longer than its
    length allows; Python's own parser needs quadratic time for tags that do not end.
    """
    tag = attributes = ""
    position = start = 0
    last = {quote: markup.rfind(quote) for quote in "\"'"}
    while True:
        left = markup.find("<", position)
        if left < 0:
            break
        name = _NAME.match(markup, left)
        if name is not None:
            end = _tag_end(markup, name.end(), last)
        elif markup.startswith("<!--", left):
            end = markup.find("-->", left + 4)
        elif markup.startswith(("<!", "<?"), left):
            end = markup.find(">", left)
        else:
            position = left + 1  # a sign for "less than"
            continue
        yield tag, attributes, markup[start:left]
        if end < 0:
            return  # what begins here never ends
        tag = attributes = ""
        if name is not None:
            tag, attributes = name[1].lower(), markup[name.end() : end]
        elif markup[end] == "-":
            end += 2
        position = start = end + 1
        if tag in _RAW:
            close = _RAW[tag].search(markup, start)
            if close is None:
                return
            position = start = close.start()
    yield tag, attributes, markup[start:]


def _tag_end(markup: str, position: int, last: Mapping[str, int]) -> int:
    """Where the `>` of a tag stands, outside the values in quotes; -1 where it has none."""
    while (mark := _MARK.search(markup, position)) is not None:
        if mark[0] == ">":
            return mark.start()
        quote = mark[0][-1]
        closes = mark.end() <= last[quote]
        position = markup.find(quote, mark.end()) + 1 if closes else mark.end()
    return -1


def _hides(tag: str, attributes: str) -> bool:
    prefix, _, name = tag.rpartition(":")
    if tag in _UNSEEN or (prefix and name in _UNSEEN_XBRL):
        return True
    attributes = unescape_html(attributes[:MAX_ATTRIBUTE_CHARS])
    return any(
        name.lower() == "hidden" or (name.lower() == "style" and _HIDING.search(value))
        for name, value in _ATTRIBUTE.findall(attributes)
    )
