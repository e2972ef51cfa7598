"""The shape of a bench.

A bench is a folder under `runner/benches`. Each has the same few modules: `flags` (its command
line), `entry` (its `BENCH`), `generate` (queries), `rows` (their form), and `score` where it
matches against gold.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING, Literal

from runner.llm.client import LanguageModel
from runner.progress import Progress
from runner.records.queries import QueryRow
from runner.records.reports import Profile
from runner.settings import Settings

if TYPE_CHECKING:
    from runner.engines.local import Page


@dataclass(frozen=True)
class Harvest:
    """What `generate` brought in.

    `pages` are every item read on the way, which the local engines search. `counts` says how many
    items went where; `reasons` holds the first error text of each kind of drop.
    """

    rows: list[QueryRow]
    pages: list[Page] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)

    def summary(self) -> list[str]:
        """The counts in one line, then a line for each first error."""
        counts = ", ".join(f"{name.replace('_', ' ')} {n}" for name, n in self.counts.items() if n)
        lines = [f"{len(self.rows)} query rows" + (f" ({counts})" if counts else "")]
        return lines + [
            f"  {name.replace('_', ' ')}, first: {text}" for name, text in self.reasons.items()
        ]


Generate = Callable[
    [Namespace, Settings, Profile, datetime, LanguageModel, Progress], Awaitable[Harvest]
]


@dataclass(frozen=True)
class Bench:
    """`query_file` is the query file's name in the archive; `generate` takes the parsed flags."""

    name: str
    kind: Literal["judged", "known_item"]
    query_file: str
    stratum: Callable[[QueryRow], str]
    generate: Generate


def load_bench(name: str) -> Bench:
    """The bench of a name in `runner.benches.names`."""
    bench = import_module(f"runner.benches.{name}.entry").BENCH
    assert isinstance(bench, Bench)
    return bench
