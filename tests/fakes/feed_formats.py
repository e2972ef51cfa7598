"""Writing a feed as RSS 2.0, RSS 1.0 or Atom."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any
from xml.sax.saxutils import escape, quoteattr

# Characters that no XML 1.0 document may contain, not even as references.
ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'


@dataclass(frozen=True)
class Item:
    """One entry of a feed; the dates are strings already, since their form is part of the feed."""

    title: str
    summary: str
    link: str
    rfc822: str | None
    iso: str | None
    edited: str | None
    guid: str

    def changed(self, **fields: Any) -> Item:
        return replace(self, **fields)

    def without_illegal(self) -> Item:
        """The same item, fit for well-formed XML."""
        texts = {name: getattr(self, name) for name in ("title", "summary", "link")}
        return replace(self, **{name: ILLEGAL.sub("", text) for name, text in texts.items()})


def element(name: str, text: str | None) -> str:
    """An element with escaped text; nothing at all for None."""
    return "" if text is None else f"<{name}>{escape(text)}</{name}>"


def rss(title: str, link: str, items: Iterable[Item], *, is_clean: bool = True) -> str:
    """RSS 2.0. Every third item has its title in CDATA with inline markup."""
    entries = []
    for n, item in enumerate(_fit(items, is_clean)):
        is_marked = n % 3 == 1 and "]]>" not in item.title and "&" not in item.title
        marked = f"<title><![CDATA[{item.title}]]></title>"
        entries.append(
            "<item>"
            + (marked if is_marked else element("title", item.title))
            + element("link", item.link)
            + element("description", item.summary)
            + f'<guid isPermaLink="false">{escape(item.guid)}</guid>'
            + (element("pubDate", item.rfc822) if n % 7 else element("dc:date", item.iso))
            + "</item>"
        )
    return (
        f'{HEAD}<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>'
        + element("title", title)
        + element("link", link)
        + element("description", title)
        + "\n".join(entries)
        + "</channel></rss>\n"
    )


def rdf(title: str, link: str, items: Iterable[Item], *, is_clean: bool = True) -> str:
    """RSS 1.0: items stand beside the channel, dates are Dublin Core."""
    entries = [
        f"<item rdf:about={quoteattr(item.link)}>"
        + element("title", item.title)
        + element("link", item.link)
        + element("description", item.summary)
        + element("dc:date", item.iso)
        + "</item>"
        for item in _fit(items, is_clean)
    ]
    return (
        f'{HEAD}<rdf:RDF xmlns="http://purl.org/rss/1.0/"'
        ' xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        f' xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about={quoteattr(link)}>'
        + element("title", title)
        + element("link", link)
        + element("description", title)
        + "</channel>"
        + "\n".join(entries)
        + "</rdf:RDF>\n"
    )


def atom(title: str, link: str, items: Iterable[Item], *, is_clean: bool = True) -> str:
    """Atom 1.0. Every third entry carries `content` only, every fifth an extra link first."""
    entries = []
    for n, item in enumerate(_fit(items, is_clean)):
        comments = f'<link rel="replies" href="{escape(link)}comments"/>' if n % 5 == 1 else ""
        rel = ' rel="alternate"' if n % 2 else ""
        is_full = n % 3 == 2
        entries.append(
            "<entry>"
            + element("title", item.title)
            + comments
            + f"<link{rel} href={quoteattr(item.link)}/>"
            + element("id", item.guid)
            + element("published", item.iso)
            + element("updated", item.edited or item.iso)
            + (element("content", item.summary) if is_full else element("summary", item.summary))
            + "</entry>"
        )
    return (
        f'{HEAD}<feed xmlns="http://www.w3.org/2005/Atom">'
        + element("title", title)
        + f"<link href={quoteattr(link)}/><id>{escape(link)}</id>"
        + "\n".join(entries)
        + "</feed>\n"
    )


def _fit(items: Iterable[Item], is_clean: bool) -> Iterable[Item]:
    return (item.without_illegal() for item in items) if is_clean else items


FORMATS: dict[str, tuple[Callable[..., str], str]] = {
    "rss": (rss, "application/rss+xml"),
    "rdf": (rdf, "application/rdf+xml"),
    "atom": (atom, "application/atom+xml"),
}
