"""What the known-item benches do alike when they make questions: parts, yields, the sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from runner.benches.bench import Harvest
from runner.benches.drops import Drops
from runner.errors import UsageError
from runner.paths import ROOT
from runner.records.jsonl import read_all
from runner.records.judgements import Spend
from runner.records.queries import QueryRow, decode_query

Suite = Callable[[QueryRow], str]


def listed(text: str, known: Sequence[str], flag: str) -> tuple[str, ...]:
    """The names in a list flag, in the order of `known`; raises UsageError for another one."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None or not names:
        raise UsageError(f"{flag} {unknown or text!r} is not known; known are {', '.join(known)}")
    return tuple(name for name in known if name in names)


def cache_folder(named: str | None) -> Path:
    """Where answers of public sources are kept: the folder of `--source-cache`, or data/cache."""
    return Path(named) if named else ROOT / "data" / "cache"


def suite_harvest(
    rows: Sequence[QueryRow],
    suite: Suite,
    least: Mapping[str, int],
    drops: Drops,
    *,
    spend: Spend,
) -> Harvest:
    """The harvest of what the suites gave, each query once.

    `least` has the smallest useful yield of each suite that was asked for. A suite below it is
    named in `short` and its rows are left out: the gold of before may stand in for them.
    """
    distinct: dict[str, QueryRow] = {}
    for row in rows:
        distinct.setdefault(row.query_id, row)
    found = Counter(suite(row) for row in distinct.values())
    short = {
        name: f"only {found[name]} rows, at least {wanted} are needed"
        for name, wanted in least.items()
        if found[name] < wanted
    }
    return Harvest(
        rows=[row for row in distinct.values() if suite(row) not in short],
        counts={f"rows_{name}": found[name] for name in least} | dict(sorted(drops.counts.items())),
        reasons=dict(sorted(drops.reasons.items())),
        short=short,
        spend=spend,
    )


def sample_harvest(gold: Path, suite: Suite, suites: Sequence[str]) -> Harvest:
    """The tracked sample's gold, for runs without keys and network; it keeps its own hour."""
    if not gold.exists():
        raise UsageError(
            f"{gold} is missing; it belongs to the repository, so clone that whole, or give "
            "query rows with --queries to the stage `run`"
        )
    rows = [_of_sample(row) for row in read_all(gold, decode_query) if suite(row) in suites]
    return Harvest(rows, counts={"from_the_sample": len(rows)})


def _of_sample(row: QueryRow) -> QueryRow:
    """The row with a note of where it was collected, for the report."""
    origin = row.query_origin
    provenance = {**origin.provenance, "queries_from": "sample"}
    return msgspec.structs.replace(
        row, query_origin=msgspec.structs.replace(origin, provenance=provenance)
    )
