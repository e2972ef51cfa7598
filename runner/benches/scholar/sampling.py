"""Which papers are tried: cells of field and age, each spread evenly over its span of time.

A cell's span is cut into windows of equal length; a seeded sample of each is taken, and windows
take turns, so that the first papers of a cell are from all of its span.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import TypeVar

from runner.benches.drops import Drops
from runner.benches.scholar.papers import Paper, is_notice
from runner.benches.scholar.rows import DOMAINS, AgeBucket, Domain, Suite
from runner.benches.scholar.words import content_tokens, folded, is_coined, tokens
from runner.text import canonical_text

SPANS: dict[AgeBucket, tuple[int, int]] = {  # days before now: the older end, the newer end
    "7d": (7, 0),
    "30d": (29, 8),
    "1y": (364, 31),
    "older": (1800, 366),
}
CANDIDATES_A_PAPER = 3
MAX_WINDOWS = 24
MIN_TITLE_WORDS = 4
TELLING_WORDS = 5  # so many content words make a title its own

_COMPOUND = re.compile(r"[^\W\d_]{3,}-[^\W\d_]{3,}")
T = TypeVar("T")


@dataclass(frozen=True)
class Window:
    """A span of time, both ends included (UTC)."""

    start: datetime
    end: datetime

    def holds(self, moment: datetime, *, by_day: bool = False) -> bool:
        """Whether the moment, or the day of it, lies in the window."""
        if by_day:
            return self.start.date() <= moment.date() <= self.end.date()
        return self.start <= moment <= self.end


@dataclass(frozen=True)
class Cell:
    """The papers of one field and age that one suite asks about."""

    suite: Suite
    domain: Domain
    age: AgeBucket

    def __str__(self) -> str:
        return f"{self.suite}, {self.domain}, {self.age}"


def cells(suites: Sequence[Suite], ages: Sequence[AgeBucket]) -> list[Cell]:
    """All cells: Europe PMC has the health sciences, arXiv the other fields."""
    return [
        Cell(suite, domain, age)
        for suite in suites
        for domain in DOMAINS
        if (domain == "health sciences") == (suite == "europepmc")
        for age in ages
    ]


def candidates_wanted(per_cell: int) -> int:
    """How many papers of a cell are tried at most."""
    return CANDIDATES_A_PAPER * per_cell


def windows(age: AgeBucket, wanted: int, now: datetime) -> list[Window]:
    """Equal windows over the span of an age, the newest first; at most 24, none below a day."""
    older, newer = SPANS[age]
    count = max(1, min(wanted, MAX_WINDOWS, older - newer))
    end = now.replace(second=0, microsecond=0) - timedelta(days=newer)
    step = timedelta(days=older - newer) / count
    return [Window(end - step * (i + 1), end - step * i) for i in range(count)]


def per_window(wanted: int, count: int) -> int:
    """How many papers each of `count` windows gives, so that there are `wanted`."""
    return -(-wanted // count)


def interleaved(columns: Iterable[Sequence[T]]) -> list[T]:
    """The first of each column, then the second of each, and so on."""
    absent = object()
    turns = zip_longest(*columns, fillvalue=absent)
    return [item for turn in turns for item in turn if item is not absent]  # type: ignore[misc]


def usable(papers: Iterable[Paper], seen: set[str], drops: Drops) -> list[Paper]:
    """The papers that a query can find, each once; `seen` are the names of those taken before.

    Counts the others as `no_id`, `notice`, `title_short`, `title_generic`, `duplicate`.
    """
    kept = []
    for paper in papers:
        if why := unfit(paper):
            drops.add(why, paper.title)
            continue
        known = {paper.key, canonical_text(paper.title)}
        known |= {f"{kind}:{value}" for kind, value in paper.ids.named().items()}
        if known.isdisjoint(seen):
            kept.append(paper)
        else:
            drops.add("duplicate", paper.title)
        seen |= known
    return kept


def unfit(paper: Paper) -> str | None:
    """Why no query can be asked for a paper, whatever is in it; None where one can."""
    if not paper.ids.named():
        return "no_id"
    if is_notice(paper):
        return "notice"
    if len(tokens(paper.title)) < MIN_TITLE_WORDS:
        return "title_short"
    return "title_generic" if is_generic(paper.title) else None


def is_generic(title: str) -> bool:
    """Whether many papers could bear the title: no digit, no acronym, no camel case, no compound
    of two words of three letters, and fewer than five content words.
    """
    plain = folded(title)
    words = re.findall(r"[^\W_]+", plain)
    if sum(word.isupper() for word in words) > len(words) / 2:
        plain = plain.lower()  # a title in capitals has no acronyms to tell
    if any(is_coined(word) for word in re.findall(r"[^\W_]+", plain)):
        return False
    if _COMPOUND.search(plain):
        return False
    return len(set(content_tokens(title))) < TELLING_WORDS
