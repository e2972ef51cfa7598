"""Whether a stranger's text reached a page as markup: names, titles, snippets, addresses.

The site's own JSON holds the texts as they came. Each that could be markup is a canary: where a
page holds a piece of it unescaped, some template forgot to escape it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

from sitebuilder.audit.findings import Finding, Public
from sitebuilder.audit.markup import texts

CANARY_CHARS = 24
_MARKUP = re.compile(r"<[a-zA-Z/!?]")
_BARE_TAG = re.compile(r"</?[a-zA-Z0-9]*>?")
_BARE_MARKUP = re.compile(r"(?<!\\)<[a-zA-Z/!?][^\s>]{0,20}")
_TEMPLATE = re.compile(r"\{\{.{0,80}?\}\}|\{%.{0,80}?%\}")
_TWICE = re.compile(r"&(?:amp|lt|gt|quot|#\d+);")
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2060-\u2069\ufeff]")
_SCRIPT_ADDRESS = re.compile(r"\s*(?:javascript|vbscript|data|file|blob):", re.IGNORECASE)
_ADDRESSES = ("href", "src", "xlink:href", "action", "formaction", "cite", "poster", "data")


def check_untrusted(public: Public) -> Iterator[Finding]:
    """Canaries that came through, addresses that run, and characters that nobody sees."""
    strings = list(_strings(public))
    canaries = sorted(_canaries(strings))
    # What a stranger wrote may look like a template, or like an entity, on a page too.
    strange = "\n".join(text for text in strings if "{" in text or "&" in text)
    for name, page in public.pages.items():
        for canary in canaries:
            at = page.source.find(canary)
            if at >= 0:
                line = page.source.count("\n", 0, at) + 1
                yield Finding(name, line, "untrusted", f"{canary!r} is not escaped")
        for element in page.elements:
            for attribute in _ADDRESSES:
                value = element.attributes.get(attribute, "")
                if _SCRIPT_ADDRESS.match(value):
                    yield Finding(name, element.line, "untrusted", f"{attribute}={value[:60]!r}")
        for element, text in texts(page.elements):
            if element.tag in ("code", "pre"):
                continue
            for rule, pattern in (("template", _TEMPLATE), ("twice-escaped", _TWICE)):
                match = pattern.search(text)
                if match and match[0] not in strange:
                    yield Finding(name, element.line, rule, f"{match[0]!r} in a text")
    for name, content in public.named(".md"):
        for number, line_text in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
            if match := _BARE_MARKUP.search(line_text):
                yield Finding(name, number, "untrusted", f"{match[0]!r} is not escaped")
    for name, content in public.named(".html", ".md", ".csv", ".txt", ".xml", ".svg"):
        text = content.decode("utf-8", "replace")
        if match := _UNSEEN.search(text):
            line = text.count("\n", 0, match.start()) + 1
            yield Finding(name, line, "unseen", f"the character U+{ord(match[0]):04X}")


def _strings(public: Public) -> Iterator[str]:
    for name, content in public.files.items():
        suffix = PurePosixPath(name).suffix
        if suffix == ".json":
            try:
                yield from _inside(json.loads(content))
            except ValueError:
                continue  # the rule of well-formed files says so


def _inside(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from _inside(part)
    elif isinstance(value, list):
        for part in value:
            yield from _inside(part)


def _canaries(strings: Iterable[str]) -> set[str]:
    """Pieces of strangers' texts around their markup, long enough to be no piece of a template."""
    found = set()
    for text in strings:
        for match in _MARKUP.finditer(text):
            piece = text[match.start() : match.start() + CANARY_CHARS]
            if _BARE_TAG.fullmatch(piece):  # a template may write the same; take what is before
                piece = text[max(0, match.start() - CANARY_CHARS) : match.end()]
            if "\n" not in piece and len(piece) >= 8 and not _BARE_TAG.fullmatch(piece):
                found.add(piece)
    return found
