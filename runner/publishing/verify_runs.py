"""Whether each run is whole: one row for each engine, and one for each pair of them.

The rows of the tables are counted by run as they are read; a week that is closed takes a few
numbers a run, however many rows it has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

Run = tuple[str, str]
Place = tuple[Path, int]


@dataclass
class Count:
    """The rows of one run in one table: where they begin, how many, and of which engines."""

    place: Place
    rows: int = 0
    engines: set[str] = field(default_factory=set)


@dataclass
class Runs:
    """What the tables hold of each run, and what `runs.json` says of it.

    `listed` maps a run to its place in `runs.json` or a closed file; `stamps` are all times listed.
    """

    history: dict[Run, Count] = field(default_factory=dict)
    overlap: dict[Run, Count] = field(default_factory=dict)
    uniqueness: dict[Run, Count] = field(default_factory=dict)
    scores: dict[Run, Count] = field(default_factory=dict)
    needleif: dict[Run, Count] = field(default_factory=dict)
    listed: dict[Run, Place] = field(default_factory=dict)
    stamps: set[str] = field(default_factory=set)
    rosters: dict[frozenset[str], set[str]] = field(default_factory=dict)

    def shared(self, engines: set[str]) -> set[str]:
        """The same engines as one set for all runs that have them."""
        return self.rosters.setdefault(frozenset(engines), engines)


def check_runs(runs: Runs) -> Iterator[tuple[Path, int | None, str]]:
    """The runs that miss rows or have too many of them."""
    for run, place in runs.listed.items():
        ts, bench = run
        if bench == "needleif":
            if run not in runs.needleif:
                yield *place, f"the run {ts} of {bench} has no row in needleif.jsonl"
            continue
        history = runs.history.get(run)
        if history is None:
            yield *place, f"the run {ts} of {bench} has no row in history.jsonl"
            continue
        if "ultimate" not in history.engines:
            yield *history.place, f"the run {ts} of {bench} has no row of ultimate"
        yield from _check_run(run, history.engines - {"ultimate"}, history.place, runs)
    for table in (runs.history, runs.overlap, runs.uniqueness, runs.needleif):
        for (ts, bench), count in table.items():
            if ts not in runs.stamps:
                yield *count.place, f"a row of the run {ts} of {bench}, which runs.json has not"
            elif (ts, bench) in runs.listed or table is runs.history:
                continue
            elif any(at == ts for at, _ in runs.listed):
                yield *count.place, f"a row of the run {ts} of {bench}, which runs.json has not"


def _check_run(
    run: Run, roster: set[str], place: Place, runs: Runs
) -> Iterator[tuple[Path, int | None, str]]:
    ts, bench = run
    n = len(roster)
    expected = {
        "uniqueness": (runs.uniqueness.get(run), n),
        "overlap": (runs.overlap.get(run), n * (n - 1) // 2),
    }
    for name, (count, rows) in expected.items():
        found = count.rows if count else 0
        where = count.place if count else place
        if found != rows:
            yield (
                *where,
                f"the run {ts} of {bench} has {found} rows in {name}, its {n} engines need {rows}",
            )
        elif count and count.engines != (roster if found else set()):
            odd = ", ".join(sorted(count.engines ^ roster))
            yield *where, f"the run {ts} of {bench} has other engines in {name}: {odd}"
    scores = runs.scores.get(run)
    if scores is not None and scores.engines - {"ultimate"} != roster:
        odd = ", ".join(sorted((scores.engines - {"ultimate"}) ^ roster))
        yield *scores.place, f"the run {ts} of {bench} has other engines in ci_scores: {odd}"
