"""The shape of a bench.

A bench is a folder under `runner/benches`. Each has the same few modules: `flags` (its command
line), `entry` (its `BENCH`), `generate` (queries), `rows` (their form), and `score` where it
matches against gold. `flags` says with `LIMIT`, `NUM_RESULTS`, `SEARCH_CONCURRENCY` and `JUDGE`
what a run asks by default, and with `model_purpose(args)` what it needs a model for, if anything.
`EXTRA_STAGES` adds stages of the bench's own.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from runner.llm.client import LanguageModel
from runner.progress import Progress
from runner.records.judgements import Spend
from runner.records.queries import QueryRow
from runner.records.reports import Profile
from runner.settings import Settings

if TYPE_CHECKING:
    from runner.engines.local import Page


@dataclass(frozen=True)
class Harvest:
    """What `generate` brought in.

    `pages` are every item read on the way, which the local engines search. `counts` says how many
    items went where; `reasons` holds the first error text of each kind of drop. `short` names the
    suites that gave too little, with the reason; their rows are not in `rows`. `spend` is what
    the model cost that wrote queries.
    """

    rows: list[QueryRow]
    pages: list[Page] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    short: dict[str, str] = field(default_factory=dict)
    spend: Spend = field(default_factory=Spend)

    def summary(self) -> list[str]:
        """The counts in one line, then a line for each first error, and what the model cost."""
        counts = ", ".join(f"{name.replace('_', ' ')} {n}" for name, n in self.counts.items() if n)
        lines = [f"{len(self.rows)} query rows" + (f" ({counts})" if counts else "")]
        for name, text in self.reasons.items():
            lines.append(f"  {name.replace('_', ' ')}, first: {text}")
        if self.spend.cost_usd:
            lines.append(f"  cost {self.spend.cost_usd:.4f} USD in {self.spend.calls} calls")
        return lines


@dataclass(frozen=True)
class Found:
    """What code finds in one result: how it recognised the item (None: not), and which ids."""

    via: str | None
    ids: Mapping[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Target:
    """What a query of a known-item bench looks for, made once for all its results.

    `match` takes the URL and the evidence text (title, a blank, the snippet as the run cuts it).
    `item`, `gold` and `groups` are those of the report. `question` is what a model is told when
    it may back the matcher, None where code alone decides.
    """

    item: str
    gold: str
    groups: Mapping[str, str]
    match: Callable[[str, str], Found]
    question: Mapping[str, Any] | None = None


Generate = Callable[
    [Namespace, Settings, Profile, datetime, LanguageModel, Progress], Awaitable[Harvest]
]


@dataclass(frozen=True)
class Bench:
    """`query_file` is the query file's name in the archive; `generate` takes the parsed flags.

    On known-item benches `target` reads a row's gold; it raises msgspec.ValidationError for one
    that cannot be used. `group_order` gives breakdowns an order other than the alphabet's.
    `query_lines` makes JSONL rows of a query file of another form; it raises ValueError.
    `gaps` names a breakdown and two of its groups that ask about the same items.
    `suite` says which part of the generation a row is from, for gold that is kept between runs.
    `unit` names what a sample takes whole or not at all, where that is more than a row.
    """

    name: str
    kind: Literal["judged", "known_item"]
    query_file: str
    stratum: Callable[[QueryRow], str]
    generate: Generate
    target: Callable[[QueryRow], Target] | None = None
    suite: Callable[[QueryRow], str] | None = None
    query_lines: Callable[[bytes, datetime], bytes] | None = None
    unit: Callable[[QueryRow], str] | None = None
    gaps: Sequence[tuple[str, str, str]] = ()
    group_order: Mapping[str, Sequence[str]] = field(default_factory=dict)


def load_bench(name: str) -> Bench:
    """The bench of a name in `runner.benches.names`."""
    bench = import_module(f"runner.benches.{name}.entry").BENCH
    assert isinstance(bench, Bench)
    return bench
