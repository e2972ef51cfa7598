"""Text as the readers of ids take it: decoded, in ASCII punctuation, lower case, without tags.

Ids come percent-encoded in addresses, entity-encoded in markup, with escapes from Markdown and
TeX, and with the hyphens of typesetters. All of that is undone once per result. What is real
markup becomes a blank; `<` and `>` of an old DOI (`12<345:AQL>2.0.CO;2`) stay.
"""

from __future__ import annotations

import html
import re
from urllib.parse import unquote

# Decoding twice: addresses in the query of an address are encoded twice, so are some feeds.
DECODINGS = 2

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});")
_PERCENT = re.compile(r"%[0-9a-fA-F]{2}")
# `10.1000/a\_b` of Markdown and TeX, `10.1000\/a` of JSON.
_ESCAPED = re.compile(r"\\([-_/.:;&%#<>()\[\]{}~*])")

_DASHES = dict.fromkeys(map(ord, "‐‑‒–−﹣"), "-")
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_FULL_WIDTH = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
_TYPOGRAPHY = _FULL_WIDTH | _DASHES | _UNSEEN  # the full-width hyphen becomes one as well

_NAMES = (
    "a|abbr|article|b|blockquote|body|br|button|center|cite|code|dd|del|div|dl|dt|em|figure|font"
    "|footer|form|h[1-6]|head|header|hr|html|i|img|input|ins|italic|kbd|label|li|link|main|mark"
    "|meta|nav|object|ol|option|p|pre|q|s|script|section|select|small|source|span|strike|strong"
    "|style|sub|sup|svg|table|tbody|td|tfoot|th|thead|title|tr|tt|u|ul|var|xref|ext-link|pub-id"
    "|article-id|(?:jats|mml):[a-z-]{1,20}"
)
# An end tag, or the name of a tag where a name can end; the rest of the tag where it is whole.
_TAG = re.compile(rf"<(?:/|!--|(?:{_NAMES})(?=[\s/>]|$))(?:[^<>]*>)?")
_VALUE = re.compile(r"""=\s{0,4}["']([^"'\s]*)["']""")


def named(name: str, rest: str, *, not_after: str = "a-z0-9-") -> re.Pattern[str]:
    """The pattern of a name that no character of `not_after` precedes, and of what follows it.

    It begins with the name itself, which a search finds several times faster than a look-behind.
    """
    literal = re.escape(name)
    return re.compile(rf"{literal}(?<![{not_after}]{literal}){rest}")


def as_printed(text: str) -> str:
    """The text in which ids are looked for; white space is not changed but where tags were."""
    for _ in range(DECODINGS):
        if "%" in text and _PERCENT.search(text):
            text = unquote(text)
        if "&" in text:
            text = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
    if not text.isascii():
        text = text.translate(_TYPOGRAPHY)
    if "\\" in text:
        text = _ESCAPED.sub(r"\1", text)
    text = text.lower()
    return _TAG.sub(_of_tag, text) if "<" in text else text


def _of_tag(tag: re.Match[str]) -> str:
    """A blank for the tag, and the addresses that it links to."""
    if "=" not in tag[0]:
        return " "
    return f" {' '.join(value for value in _VALUE.findall(tag[0]) if '/' in value)} "
