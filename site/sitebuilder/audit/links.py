"""Whether every link leads to a file of the site, and every fragment to a place on its page."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from sitebuilder.audit.findings import MISSING_PAGE, Finding, Public, file_of

_SCHEME = re.compile(r"[a-z][a-z0-9+.\-]*:", re.IGNORECASE)
_WEB = re.compile(r"https?://[^\s\\<>\"]+", re.IGNORECASE)
# A fragment of the script's own: the state of a table, which no element has to carry.
STATE = re.compile(r"[a-z0-9-]*=|.*[=&]")
MAX_FRAGMENT_CHARS = 100


def check_links(public: Public) -> Iterator[Finding]:
    """Broken addresses, fragments without a place, and pages that no page links to."""
    ids = {
        name: {element.attributes["id"] for element in page.elements if "id" in element.attributes}
        for name, page in public.pages.items()
    }
    reached = {"index.html", MISSING_PAGE}
    for name, page in public.pages.items():
        for element in page.elements:
            for attribute in ("href", "src", "srcset", "poster", "data", "xlink:href"):
                value = element.attributes.get(attribute)
                if value is None or (element.tag, attribute) == ("link", "srcset"):
                    continue
                for address in _addresses(attribute, value):
                    problem, target = _resolve(public, ids, name, address)
                    if problem:
                        yield Finding(name, element.line, *problem)
                    if target and target != name:
                        reached.add(target)
    for name in sorted(set(public.pages) - reached):
        yield Finding(name, 0, "orphan", "no page links here")


def _addresses(attribute: str, value: str) -> list[str]:
    if attribute != "srcset":
        return [value]
    return [part.split()[0] for part in value.split(",") if part.strip()]


def _resolve(
    public: Public, ids: dict[str, set[str]], page: str, address: str
) -> tuple[tuple[str, str] | None, str | None]:
    """(rule and text of what is wrong, or None; the file it leads to, where that is ours)."""
    shown = address[:120]
    if address.strip() != address or any(char in address for char in '\\ "<>\n\t'):
        return ("link", f"{shown!r} is no address"), None
    if _SCHEME.match(address):
        if address.startswith("mailto:"):
            return None, None
        if not _WEB.fullmatch(address):
            return ("link-scheme", f"{shown!r} is neither http nor https"), None
        own = public.own_file(address)
        if own is not None and own not in public.files:
            return ("link", f"{shown!r} is not in the site"), None
        return None, own
    parts = urlsplit(address)
    if address.startswith("/"):
        return ("link", f"{shown!r} leaves the folder where the site lives"), None
    if parts.path:
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(parts.path)))
        if joined.startswith(".."):
            return ("link", f"{shown!r} leads out of the site"), None
        is_folder = parts.path.endswith(("/", "/.", "/..")) or parts.path in (".", "..")
        target = file_of("" if joined == "." else f"{joined}/" if is_folder else joined)
    else:
        target = page
    if target not in public.files:
        return ("link", f"{shown!r} is not in the site"), None
    fragment = unquote(parts.fragment)
    if len(fragment) > MAX_FRAGMENT_CHARS:
        return ("fragment", f"{shown!r} is longer than {MAX_FRAGMENT_CHARS} characters"), target
    if fragment and target in ids and fragment not in ids[target] and not STATE.match(fragment):
        return ("fragment", f"{shown!r}: {target} has no id {fragment!r}"), target
    return None, target
