"""A text as the figure rules read it: one kind of blank, no markup, no footnote marks.

This runs before NFKC and not after it, because NFKC makes digits of superscripts: `458¹` would
become 4,581. For the same reason a typographic blank inside a number becomes a comma here.
Offsets change, so everything that follows works on the cleaned text alone.
"""

from __future__ import annotations

import re
import unicodedata

from runner.text import unescape_html

_TAG = re.compile(r"<sup\b[^<>]*>[^<>]{0,8}</sup>|</?[A-Za-z!][^<>]*>", re.IGNORECASE)
_URL = re.compile(r"(?:[a-z]{2,10}://|www\.)\S+", re.IGNORECASE)
_SUPERSCRIPT = re.compile("[⁰¹²³⁴-⁹ᵃᵇᶜᵈᵉ*†‡§®™]+")
_SCALE = r"(?:trillion|billion|million|thousand|tn|bn|mn|mm|[TtBbMmKk])"
# `801(1)`, `$458 million(a)`, `(458)[2]`: a reference, not a negative one. The bracket is looked
# for first and the figure before it then, which is the faster way round in a table.
_GLUED_NOTE = re.compile(
    r"(?<=[0-9A-Za-z)])(?:\((?:[0-9]{1,2}|[A-Za-z])\)|\[(?:[0-9]{1,3}|[A-Za-z])\])+"
)
_FIGURE_BEFORE = re.compile(rf"[0-9]\)?(?:[ ]?{_SCALE})?\Z", re.IGNORECASE)
_THIN_IN_NUMBER = re.compile("(?<=[0-9])[\u2009\u200a\u202f](?=[0-9]{3}(?![0-9]))")
_HARD_BLANK_IN_NUMBER = re.compile(
    "(?<![0-9.,])[0-9]{1,3}(?:\u00a0[0-9]{3}){1,4}"
    rf"(?=(?:[.][0-9]+)?[ \u00a0-]?{_SCALE}(?![A-Za-z]))",
    re.IGNORECASE,
)
_NOTHING = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]")
_DASHES = str.maketrans({"\u2010": "-", "\u2011": "-", "\u2212": "-", "\t": " ", "\r": "\n"})


def clean(text: str) -> str:
    """The text that figures are read from; plain ASCII without markup comes back as it is."""
    if "&" in text:
        text = unescape_html(text)
        if "&" in text and ";" in text:  # escaped twice, as feeds do
            text = unescape_html(text)
    if "<" in text:
        text = _TAG.sub(" ", text)
    if "://" in text or "www." in text or "WWW." in text:
        text = _URL.sub(" ", text)
    if not text.isascii():
        text = _plain(text)
    if "*" in text:
        text = text.replace("*", " ")
    if "(" in text or "[" in text:
        text = _GLUED_NOTE.sub(_blank_note, text)
    return text.translate(_DASHES) if "\t" in text or "\r" in text else text


def _blank_note(note: re.Match[str]) -> str:
    """A blank where the brackets are glued to a figure, else the brackets themselves."""
    start = note.start()
    return " " if _FIGURE_BEFORE.search(note.string, max(0, start - 12), start) else note[0]


def _plain(text: str) -> str:
    """Non-ASCII text without its marks, its blanks and dashes told apart, then in NFKC."""
    text = _NOTHING.sub("", text)
    text = _SUPERSCRIPT.sub(" ", text)
    text = _THIN_IN_NUMBER.sub(",", text)
    text = _HARD_BLANK_IN_NUMBER.sub(lambda number: number[0].replace("\u00a0", ","), text)
    return unicodedata.normalize("NFKC", text.translate(_DASHES))
