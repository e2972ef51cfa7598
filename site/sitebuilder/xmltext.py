"""Untrusted text inside XML: escaped, without the characters that XML forbids."""

from __future__ import annotations

import re
from html import escape

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
ELLIPSIS = "…"


def xml_characters(text: str) -> str:
    """The text with U+FFFD for what XML 1.0 (production 2) does not allow."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def xml_text(text: str) -> str:
    """Text for an element or an attribute in quotes."""
    return escape(xml_characters(text), quote=True)


def shortened(text: str, max_chars: int) -> str:
    """The text on one line, its end replaced by an ellipsis where it is longer."""
    line = " ".join(text.split())
    return line if len(line) <= max_chars else line[: max_chars - 1].rstrip() + ELLIPSIS
