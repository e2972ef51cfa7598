"""Whether a data directory holds together: every file, the chain of manifests, every row.

Each finding names file and line; in a Parquet file the line is the number of the row. What is
checked: closed files against the SHA-256, size and row count of their manifest, each manifest
against the hash in the next one, no file that is named nowhere; rows that can be read, have keys of
their own, lie in their week and in order of time; runs that are whole (each bench has one row for
every engine of its roster and every pair of them); sums that are those of the rows; frozen months
that are whole and whose tables are those that their `results.json` vouches for.

Rows from before `runs.json` said when a bench was published are read and their keys compared, but
not counted: their rosters are not known to be whole.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from runner.clock import clock_from
from runner.errors import UsageError
from runner.publishing.closed import Closed
from runner.publishing.hot import LOCK
from runner.publishing.verify_closed import check_closed
from runner.publishing.verify_history import check_history
from runner.publishing.verify_hot import check_documents, check_sums, read_hot
from runner.publishing.verify_runs import Runs, check_runs
from runner.storage import exclusive
from runner.text import minute_ts

if TYPE_CHECKING:
    from runner.edge import Edge

MAX_SHOWN = 50


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, and where: `line` counts from 1 and is None for a whole file."""

    path: Path
    line: int | None
    problem: str

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else str(self.path)
        return f"{where}: {self.problem}"


def verify(data: Path, *, now: datetime) -> list[Finding]:
    """Everything that is wrong with a data directory, none where it is sound.

    Nobody publishes meanwhile. Raises UsageError where there is no such folder.
    """
    if not data.is_dir():
        raise UsageError(f"{data}: no such data directory; name one with --data")
    with exclusive(data / LOCK):
        return [Finding(path, line, problem) for path, line, problem in _problems(data, now)]


def _problems(data: Path, now: datetime) -> Iterator[tuple[Path, int | None, str]]:
    runs = Runs()
    is_chain_whole = True
    for found in check_closed(data, runs):
        is_chain_whole = False
        yield found
    yield from check_history(data)
    hot, problems = read_hot(data, runs, latest=minute_ts(now))
    yield from problems
    yield from check_runs(runs)
    yield from check_documents(data, hot, runs)
    if is_chain_whole and not problems:
        yield from check_sums(data, hot, Closed(data))


def run_verify(args: Namespace, edge: Edge) -> int:
    """`verify`: the findings, one a line; 1 where there is any."""
    data = Path(args.data)
    findings = verify(data, now=clock_from(args.now)())
    for finding in findings[:MAX_SHOWN]:
        print(finding)
    if len(findings) > MAX_SHOWN:
        print(f"and {len(findings) - MAX_SHOWN:,} more")
    if findings:
        return 1
    closed = Closed(data)
    print(f"{data}: sound; {len(closed.files()):,} closed files in {len(closed.manifests)} months")
    return 0
