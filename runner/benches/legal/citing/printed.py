"""A result as the citation rules read it: no markup, one kind of hyphen."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from runner.benches.markup import MAX_URL_CHARS
from runner.benches.normal import visible_text

# A footnote mark set high is no digit of the page before it; the `th` of a series is part of it.
_HIGH_NUMBER = re.compile(r"<sup(?:\s[^<>]{0,200})?>[\s\[]{0,2}[0-9*]{1,4}[\s\]]{0,2}</sup>", re.I)
_HIGH = re.compile(r"</?sup(?:\s[^<>]{0,200})?>", re.IGNORECASE)
# Few enough to be replaced one by one, which is faster than a table. The long dash is no hyphen.
_SPELLINGS = {
    **dict.fromkeys("‐‑‒–−﹣－", "-"),
    **dict.fromkeys("‘’′", "'"),
    "ᵗʰ": "th",
    "ⁿᵈ": "nd",
    "ʳᵈ": "rd",
}


def printed_text(text: str) -> str:
    """What a reader sees, every hyphen and apostrophe in its plain form."""
    if "<" in text:
        text = _HIGH.sub("", _HIGH_NUMBER.sub(" ", text))
    text = visible_text(text)
    if not text.isascii():
        for written, plain in _SPELLINGS.items():
            text = text.replace(written, plain)
    return text


@dataclass(frozen=True)
class Address:
    """A web address without its percent signs; `query` begins with `?` where there is one."""

    host: str
    path: str
    query: str

    def is_at(self, domain: str) -> bool:
        """Whether the host is the domain or one of its sub-domains."""
        return self.host == domain or self.host.endswith("." + domain)


def address_of(url: str) -> Address:
    """The parts of a URL, with or without its scheme; a text that is none is all path."""
    url = url[:MAX_URL_CHARS]
    url = url if "://" in url[:12] else f"//{url}"
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:  # a bracketed host that is no IPv6 address
        return Address("", printed_text(unquote(url)), "")
    query = f"?{unquote(parts.query)}" if parts.query else ""
    return Address(host, printed_text(unquote(parts.path)), printed_text(query))
