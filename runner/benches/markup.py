"""Untrusted text of feeds and registries made plain: bounded, nothing invisible, http(s) links."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from runner.llm.prompts import visible
from runner.text import unescape_html

MAX_MARKUP_CHARS = 50_000  # what is looked at of one field, before it is flattened
MAX_URL_CHARS = 2_000
_UNSEEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|iframe|svg)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE
)
_BLOCK = re.compile(r"</?(?:p|div|br|li|ul|ol|h[1-6]|tr|td|blockquote)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_SPACES = re.compile(r"\s+")
_ACCENTS = re.compile("([\u0300-\u036f]{3})[\u0300-\u036f]+")


def plain_text(markup: str, max_chars: int) -> str:
    """One line of at most `max_chars` characters.

    Tags go, text within tags stays; script and style go whole. Entities are decoded, twice
    where a feed encoded them twice. Piled-up accents are cut to three.
    """
    text = markup[:MAX_MARKUP_CHARS]
    for _ in range(2):
        text = _UNSEEN.sub(" ", text)
        text = _TAG.sub("", _BLOCK.sub(" ", text))
        text = unescape_html(text)
    text = text.encode("utf-8", "replace").decode()
    text = _ACCENTS.sub(r"\1", visible(text))
    return _SPACES.sub(" ", text).strip()[:max_chars].rstrip()


def safe_url(url: object) -> str | None:
    """The link where it is an absolute http(s) address fit to be stored and shown, else None.

    Addresses with credentials, control characters, spaces or markup characters are refused.
    """
    if not isinstance(url, str):
        return None
    url = url.strip()
    if len(url) > MAX_URL_CHARS or visible(url) != url or re.search(r"[\s<>\"\\]", url):
        return None
    try:
        parts = urlsplit(url)
        is_sound = parts.scheme in ("http", "https") and bool(parts.hostname)
        is_sound = is_sound and parts.username is None and (parts.port or 1) > 0
        url.encode()
    except ValueError:  # a port or an IPv6 host that is none; half a character
        return None
    return url if is_sound else None
