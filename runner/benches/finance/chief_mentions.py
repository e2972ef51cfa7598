"""Whether a filing names a person as chief executive: the second source of a registry's claim."""

from __future__ import annotations

import html
import re

from runner.benches.finance.document_text import MAX_MARKUP_CHARS
from runner.benches.finance.matching.question import Evidence, Question

REACH = 160  # characters around a title that belong to its place
MAX_TITLES = 500  # of one document
_UNSEEN = re.compile(r"<(script|style)\b[^<>]*>[^<]*", re.IGNORECASE)
_BREAK = re.compile(r"</(?:p|div|td|th|tr|li|h[1-6])\s*>|<br\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_SPACES = re.compile(r"\s+")
_TITLE = re.compile(
    r"chief\s+executive(?:\s+officer)?|principal\s+executive\s+officer|\bCEO\b", re.IGNORECASE
)
# "Jane Roe, Chairman, President and CEO": what stands between a name and the title.
_TITLE_WORD = r"chair(?:man|woman|person)?|president|founder|co-founder|director|officer|counsel"
_OTHER_TITLES = re.compile(
    rf"(?:\b(?:{_TITLE_WORD}|executive|interim|of|the|board|our|its|and|as|is|currently)\b"
    r"|[\s,&|()-])+\Z",
    re.IGNORECASE,
)
_ANOTHER_TITLE = re.compile(rf".*\b(?:{_TITLE_WORD})\b", re.IGNORECASE | re.DOTALL)
_BEFORE_REACH, _AFTER_REACH = 100, 40
_FORMER = re.compile(r"\b(?:former(?:ly)?|ex|retired|previous(?:ly)?|prior)\W*\Z", re.IGNORECASE)
_ENDED = re.compile(r"\b(?:until|through|to\s+(?:19|20)\d\d|emeritus)\b", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:retir\w*|resign\w*|step\w*\s+down|depart\w*|terminat\w*|succe(?:ed|ss)\w*|former\w*"
    r"|ceas\w*|transition\w*|remov\w*|left|leaves|vacan\w*)\b",
    re.IGNORECASE,
)


def beside_title(markup: str, name: str, company: str) -> list[str]:
    """The places of a document where the person is the one who bears the title.

    The name is found as the bench finds it in a search result: given name (or a short form of it)
    and surname, adjacent. It stands before the title with no other title between, so that the
    chairman who signs above the chief executive is not taken for one, or right behind it.
    """
    from runner.benches.finance.matching.person import matcher

    text = _flat(markup)
    match = matcher(Question("ceo", (name,), company))
    places = []
    for title, _ in zip(_TITLE.finditer(text), range(MAX_TITLES), strict=False):
        after = text[title.end() : title.end() + _AFTER_REACH].partition("|")[0]
        before = text[max(0, title.start() - _BEFORE_REACH) : title.start()]
        before = _OTHER_TITLES.sub("", before)
        if _FORMER.search(before) or _ENDED.search(after):
            continue
        before = _ANOTHER_TITLE.sub("", before)
        if match(Evidence("", before)) or match(Evidence("", after)):
            places.append(text[max(0, title.start() - REACH) : title.end() + REACH])
    return places


def tells_of_change(place: str) -> bool:
    """Whether a place speaks of someone who leaves or takes over an office."""
    return _CHANGE.search(place) is not None


def _flat(markup: str) -> str:
    """All text of a document in one line, with bars between blocks.

    Hidden text is not looked for: here only names count, and an annual report has tens of
    thousands of elements.
    """
    text = _BREAK.sub(" | ", _UNSEEN.sub(" ", markup[:MAX_MARKUP_CHARS]))
    return _SPACES.sub(" ", html.unescape(_TAG.sub(" ", text)))
