"""The query operators, read from the vendors' side: what a query still contains or asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
HOST = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+")


@dataclass(frozen=True)
class Ask:
    """What to look for: words, the hosts they are limited to, and days (both included)."""

    words: str
    sites: tuple[str, ...] = ()
    after: date | None = None
    before: date | None = None


def day(text: object) -> date | None:
    """A calendar day from exactly YYYY-MM-DD; None for anything else."""
    if not isinstance(text, str) or not ISO_DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def is_bare_host(text: object) -> bool:
    """Whether this is a host name alone: no scheme, path, port or wildcard."""
    return isinstance(text, str) and len(text) <= 253 and bool(HOST.fullmatch(text))


def site_of(value: str) -> str | None:
    """The host a `site:` value names, or None when it names none."""
    bare = re.split(r"[/?]", value.lower().split("://")[-1])[0].strip(".")
    return bare if "." in bare else None


def read_query(text: str) -> Ask:
    """Split a query into words and those operators that are valid; the others stay words."""
    words: list[str] = []
    sites: list[str] = []
    days: dict[str, date] = {}
    for word in text.split():
        name, _, value = word.partition(":")
        name = name.lower().removeprefix("published_")
        site = site_of(value) if name == "site" else None
        when = day(value) if name in ("after", "before") else None
        if site:
            sites.append(site)
        elif when:
            days[name] = when
        else:
            words.append(word)
    unique = tuple(dict.fromkeys(sites))
    return Ask(" ".join(words), unique, days.get("after"), days.get("before"))


def leftover(text: str, *names: str) -> str | None:
    """The first valid operator of these names that was left in a query, or None."""
    for word in text.split():
        name, _, value = word.partition(":")
        name = name.lower()
        if name in names and (site_of(value) if name == "site" else day(value)):
            return word
    return None
