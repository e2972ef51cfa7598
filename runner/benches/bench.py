"""The shape of a bench.

A bench is a folder under `runner/benches` whose package exports `BENCH`. Each has the same few
modules: `generate` (queries), `rows` (their Struct), `score` where it matches against gold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Literal

from runner.records.queries import QueryRow


@dataclass(frozen=True)
class Bench:
    """`query_file` is the query file's name in the archive; `limit` the schedule's sample size."""

    name: str
    kind: Literal["judged", "known_item"]
    query_file: str
    limit: int
    stratum: Callable[[QueryRow], str]


def load_bench(name: str) -> Bench:
    """The bench of a name in `runner.benches.names`."""
    bench = import_module(f"runner.benches.{name}").BENCH
    assert isinstance(bench, Bench)
    return bench
