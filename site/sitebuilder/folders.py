"""Where the pages of engines and pairs stand; any name gives a folder that is safe everywhere."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from itertools import combinations

from sitebuilder.results import Results

BETWEEN = "-vs-"
MAX_PLAIN_CHARS = 40
_PLAIN = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_OTHER = re.compile(r"[^a-z0-9]+")


def engine_slug(engine: str) -> str:
    """The id itself where it is plain; else what is plain in it, and a digest that tells it apart.

    A slug never holds `-vs-`, so that the two halves of a pair's folder can't be mistaken.
    """
    is_plain = _PLAIN.fullmatch(engine) and len(engine) <= MAX_PLAIN_CHARS
    if is_plain and BETWEEN not in f"-{engine}-":
        return engine
    digest = hashlib.sha256(engine.encode()).hexdigest()[:8]
    words = [word for word in _OTHER.split(engine.lower()[:MAX_PLAIN_CHARS]) if word]
    return "-".join(["x", *(word for word in words if word != "vs"), digest])


def engine_folder(engine: str) -> str:
    return f"engines/{engine_slug(engine)}/"


def pair_folder(a: str, b: str) -> str:
    """The same folder whichever of the two is named first."""
    first, second = sorted((a, b))
    return f"compare/{engine_slug(first)}{BETWEEN}{engine_slug(second)}/"


def pairs(results: Results) -> list[tuple[str, str]]:
    """Every pair of engines that have runs in the window, each in order of id."""
    names = sorted(entry.engine for entry in results.roster if entry.is_in_window)
    return list(combinations(names, 2))


@dataclass(frozen=True)
class Folders:
    """Folders of the pages that exist; None for an engine or a pair without one."""

    engines: frozenset[str]
    in_window: frozenset[str]

    def engine(self, name: str) -> str | None:
        return engine_folder(name) if name in self.engines else None

    def pair(self, a: str, b: str) -> str | None:
        is_page = a != b and a in self.in_window and b in self.in_window
        return pair_folder(a, b) if is_page else None


def folders_of(results: Results) -> Folders:
    return Folders(
        frozenset(entry.engine for entry in results.roster),
        frozenset(entry.engine for entry in results.roster if entry.is_in_window),
    )
