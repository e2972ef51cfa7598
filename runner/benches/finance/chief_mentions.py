"""Whether a filing names a person as chief executive: the second source of a registry's claim."""

from __future__ import annotations

import re
from dataclasses import dataclass

from runner.benches.finance.matching.question import Evidence, Question
from runner.text import unescape_html

REACH = 100  # characters on either side of a title that belong to its place
BEHIND = 40  # characters behind a title in which a name still belongs to it
MAX_MARKUP_CHARS = 40_000_000  # the signatures stand at the end of an annual report
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
_FORMER = re.compile(r"\b(?:former(?:ly)?|ex|retired|previous(?:ly)?|prior)\W*\Z", re.IGNORECASE)
_ENDED = re.compile(r"\b(?:until|through|to\s+(?:19|20)\d\d|emeritus)\b", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:retir\w*|resign\w*|step\w*\s+down|depart\w*|terminat\w*|succe(?:ed|ss)\w*|former\w*"
    r"|ceas\w*|transition\w*|remov\w*|left|leaves|vacan\w*)\b",
    re.IGNORECASE,
)
_SAME_SENTENCE = r"(?:[^.|]|\b[A-Z]\.|\b[JS]r\.)*"
_APPOINTED = re.compile(
    r"\b(?:appoint|elect|nam|promot)(?:ed|s|ing|ment of|ion of)\b"
    rf"{_SAME_SENTENCE}\b(?:as|to|be)\b{_SAME_SENTENCE}\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class TitlePlace:
    """One occurrence of the title of chief executive in a filing.

    `is_named`: the person bears it. `is_changing`: the text there speaks of someone who leaves or
    takes over an office. `is_appointment`: someone is appointed to it.
    """

    is_named: bool
    is_changing: bool
    is_appointment: bool


def title_places(markup: str, name: str, company: str) -> list[TitlePlace]:
    """Where a document names the title, in order, and who bears it there.

    The name is found as the bench finds it in a search result: given name (or a short form of it)
    and surname, adjacent. It stands before the title with no other title between, so that the
    chairman who signs above the chief executive is not taken for one, or right behind it.
    """
    from runner.benches.finance.matching.person import matcher

    text = _flat(markup)
    match = matcher(Question("ceo", (name,), company))
    places = []
    for title, _ in zip(_TITLE.finditer(text), range(MAX_TITLES), strict=False):
        after = text[title.end() : title.end() + REACH].partition("|")[0]
        whole = text[max(0, title.start() - REACH) : title.start()]
        before = _OTHER_TITLES.sub("", whole)
        is_over = _FORMER.search(before) is not None or _ENDED.search(after[:BEHIND]) is not None
        bearer = _ANOTHER_TITLE.sub("", before)
        is_named = match(Evidence("", bearer)) or match(Evidence("", after[:BEHIND]))
        places.append(
            TitlePlace(
                is_named=bool(is_named) and not is_over,
                is_changing=_CHANGE.search(f"{whole} {after}") is not None,
                is_appointment=_APPOINTED.search(whole) is not None,
            )
        )
    return places


def _flat(markup: str) -> str:
    """All text of a document in one line, with bars between blocks.

    Hidden text is not looked for: here only names count, and an annual report has tens of
    thousands of elements.
    """
    text = _BREAK.sub(" | ", _UNSEEN.sub(" ", markup[:MAX_MARKUP_CHARS]))
    return _SPACES.sub(" ", unescape_html(_TAG.sub(" ", text)))
