"""The key under which two URLs count as the same page; the only place that makes it.

Version 1 is what all published rows were made with. It merges too much (ports, routes behind
`#`, encoded slashes) and is kept for comparability. Version 2 mends that. A report records its
version, and keys of different versions are never compared.
"""

from __future__ import annotations

import re
from urllib.parse import (
    SplitResult,
    parse_qsl,
    quote,
    unquote,
    unquote_to_bytes,
    urlencode,
    urlsplit,
)

VERSIONS = (1, 2)

_TRACKERS = """
_hsenc _hsmi dclid epik fbclid gbraid gclid igshid mc_cid mc_eid mkt_tok msclkid msockid
oly_anon_id oly_enc_id srsltid ttclid twclid vero_id wbraid yclid
"""
TRACKING_KEYS = frozenset(_TRACKERS.split())
_DEFAULT_PORTS = {"http": 80, "https": 443}
_HAS_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_ESCAPES = re.compile(r"(?:%[0-9a-f]{2})+", re.IGNORECASE)
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PATH_SAFE = "/:@!$&'()*+,;=-._~%"
_NO_HOST = re.compile(r"[\x00-\x20\x7f]")
_EDGES = "".join(map(chr, range(33)))  # control characters and the space, as URL parsers trim them


def normalise_url(url: str, version: int = 1) -> str:
    """`host + path + ?query`, without scheme, `www.`, trailing slash, fragment and tracking keys.

    A text that is no URL comes back unchanged. Version 2 is idempotent; version 1 decodes once,
    so a path that was encoded twice changes again on a second call. Raises ValueError for an
    unknown version.
    """
    if version not in VERSIONS:
        raise ValueError(f"URL normalisation {version} is unknown; known: 1, 2")
    try:
        return _version_1(url.strip()) if version == 1 else _version_2(url.strip(_EDGES))
    except ValueError:  # a malformed host or port, or a lone surrogate
        return url


def _version_1(url: str) -> str:
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.")
    path = unquote(parts.path).rstrip("/")
    pairs = [
        (key, value)
        for key, value in parse_qsl(parts.query, keep_blank_values=True)
        if not key.startswith("utm_") and key not in TRACKING_KEYS
    ]
    return host + path + _query(pairs)


def _version_2(url: str) -> str:
    """Other ports, routes and encoded delimiters stay apart; spellings of one character merge."""
    has_scheme = _HAS_SCHEME.match(url) is not None
    parts = urlsplit(url if has_scheme else f"//{url}")
    path = _plain_escapes(parts.path).rstrip("/")
    pairs = [
        (key, value)
        for key, value in parse_qsl(parts.query, keep_blank_values=True, errors="surrogateescape")
        if not key.lower().startswith("utm_") and key.lower() not in TRACKING_KEYS
    ]
    return _host_and_port(parts, has_scheme) + path + _query(pairs) + _route(parts.fragment)


def _query(pairs: list[tuple[str, str]]) -> str:
    return "?" + urlencode(sorted(pairs), errors="surrogateescape") if pairs else ""


def _host_and_port(parts: SplitResult, has_scheme: bool) -> str:
    host = parts.hostname or ""
    if not host.isascii():
        host = host.encode("idna").decode("ascii").lower()
    if _NO_HOST.search(host):  # IDNA makes a plain space of some, and then edges would be trimmed
        raise ValueError("no host holds blanks or control characters")
    host = host.rstrip(".")
    if has_scheme:  # without one the text is taken as a key already: `www.` was removed from it
        host = host.removeprefix("www.")
    if ":" in host:
        host = f"[{host}]"
    port = parts.port
    if port is None or port == _DEFAULT_PORTS.get(parts.scheme):
        return host
    return f"{host}:{port}"


def _plain_escapes(text: str) -> str:
    """One spelling for each character: unreserved and non-ASCII plain, all else encoded."""
    text = re.sub(r"%(?![0-9a-fA-F]{2})", "%25", text)
    text = re.sub(r"[\x00-\x7f]+", lambda run: quote(run[0], safe=_PATH_SAFE), text)
    return _ESCAPES.sub(lambda run: _decode_run(unquote_to_bytes(run[0])), text)


def _decode_run(data: bytes) -> str:
    """Escaped bytes: those that are unreserved or valid non-ASCII UTF-8 decoded, the rest kept."""
    pieces: list[str] = []
    for character in data.decode("utf-8", errors="surrogateescape"):
        if ord(character) < 128:
            plain = ord(character) in _UNRESERVED
            pieces.append(character if plain else f"%{ord(character):02X}")
        elif "\udc80" <= character <= "\udcff":  # a byte that is not valid UTF-8
            pieces.append(f"%{ord(character) - 0xDC00:02X}")
        else:
            pieces.append(character)
    return "".join(pieces)


def _route(fragment: str) -> str:
    """`#/…` and `#!…` name a page of an app; every other fragment is a place on the page."""
    if not fragment.startswith(("/", "!")) or not fragment.strip("/!"):
        return ""
    return "#" + _plain_escapes(fragment)
