"""Addresses that strangers wrote: which may be a link, and whose they are.

The script applies the same two rules (40-judgements.js).
"""

from __future__ import annotations

import re

# A backslash is a slash to a browser, and an ellipsis ends an address that was cut.
_WEB = re.compile(r"https?://[^\s\\<>\"…]+", re.IGNORECASE)
_HOST = re.compile(r"[a-z]+://(?:[^/?#]*@)?(?:www\.)?([^/?#:@]+)", re.IGNORECASE)


def is_web_address(url: str) -> bool:
    """Whether a link may lead there: http or https, whole, without white space or markup."""
    return _WEB.fullmatch(url) is not None


def host(url: str) -> str:
    """Whose page it is, without `www.`; of what is no web address, the text itself."""
    match = _HOST.match(url) if is_web_address(url) else None
    return match[1].lower() if match else url
