"""Search operators taken out of a query: site:, after: and before:.

The grammar is one word at a time, split at its first colon, the name in any case. What is not
exactly an operator stays in the text: quotes, `-site:x`, `site:` alone, `after:yesterday`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_EPOCH = date(1970, 1, 1)


@dataclass(frozen=True)
class Operators:
    """`text` holds the other words, single-spaced; both days are inclusive, in UTC."""

    text: str
    sites: tuple[str, ...] = ()
    after: date | None = None
    before: date | None = None

    @property
    def text_with_sites(self) -> str:
        """The text with a `site:` word behind it for each host."""
        return " ".join(filter(None, (self.text, *(f"site:{site}" for site in self.sites))))

    def words(self, query: str) -> str:
        """The text; where a query is nothing but operators its hosts, and without hosts itself."""
        return self.text or " ".join(self.sites) or query

    def freshness_window(self, today: date) -> str | None:
        """`YYYY-MM-DDtoYYYY-MM-DD`, open ends filled with 1970 and today; None without dates."""
        if self.after is None and self.before is None:
            return None
        start = self.after or _EPOCH
        end = self.before or max(today, start)
        return f"{start.isoformat()}to{end.isoformat()}"


@lru_cache(maxsize=256)  # every engine asks the same query
def parse_operators(query: str) -> Operators:
    """The operators of a query; of several dates with one name the last wins."""
    words: list[str] = []
    sites: dict[str, None] = {}
    days: dict[str, date] = {}
    for word in query.split():
        name, _, value = word.partition(":")
        name = name.lower()
        if name == "site" and (host := _host(value)):
            sites[host] = None
        elif name in ("after", "before") and (day := parse_day(value)):
            days[name] = day
        else:
            words.append(word)
    return Operators(" ".join(words), tuple(sites), days.get("after"), days.get("before"))


def parse_day(text: str) -> date | None:
    """The calendar day of exactly `YYYY-MM-DD`, else None."""
    if not _DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def clip_words(text: str, max_chars: int, max_words: int | None = None) -> str:
    """The longest start of the text that ends at a word and keeps both limits.

    A single word longer than the limit is cut.
    """
    if max_words is not None:
        words = text.split()
        if len(words) > max_words:
            text = " ".join(words[:max_words])
    if len(text) <= max_chars:
        return text
    head = text[:max_chars]
    if not text[max_chars].isspace():
        head = head[: head.rfind(" ")] if " " in head else head
    return head.rstrip()


def clip_before(tokens: Iterable[str], text: str, max_chars: int) -> str:
    """The clipped text, and behind it every whole token that fits: the text gives way first."""
    kept: list[str] = []
    for token in tokens:
        if len(" ".join([*kept, token])) <= max_chars:
            kept.append(token)
    tail = " ".join(kept)
    room = max_chars - len(tail) - 1 if tail else max_chars
    words = clip_words(text, room) if room > 0 else ""
    return " ".join(filter(None, (words, tail)))


def _host(value: str) -> str | None:
    host = value.lower()
    if "://" in host:
        host = host.partition("://")[2]
    host = re.split(r"[/?]", host, maxsplit=1)[0].strip(".")
    return host if "." in host else None
