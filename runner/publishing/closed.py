"""The closed weeks of a data directory, and how they and the hot files are one table.

A week is closed once a manifest names its files; files that no manifest names do not count. From
then on the rule of reading is: **a run that stands in a hot file hides the same run in a closed
one**. So a reader sees every row once, both while `compact` has not yet dropped the rows that it
moved, and when a run of a closed week is published late or corrected: such a run stays hot for
good, and the closed file, which its manifest vouches for, never changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from runner.errors import DataError
from runner.publishing.independence import NOTHING, combine, sum_rows
from runner.publishing.weeks import (
    OVERLAP_WEEKS,
    UNIQUENESS_WEEKS,
    WeekTable,
    month_of,
    read_week,
    week_of,
    week_rows,
)
from runner.records.closed import ClosedFile, Manifest
from runner.records.published import IndependenceWindow, OverlapRow, UniquenessRow

FOLDER = "closed"
RESTORE = "restore it from an earlier commit of the data branch"
_MANIFEST = re.compile(r"\d{4}-\d\d\.json")
_FILE = re.compile(r"[a-z]+/(\d{4}-W\d\d)\.parquet")


@dataclass(frozen=True)
class Sums:
    """What overlap and uniqueness add up to: rows to add, and the sums of all other runs."""

    overlap: list[OverlapRow]
    uniqueness: list[UniquenessRow]
    closed: IndependenceWindow

    @property
    def total(self) -> IndependenceWindow:
        return combine(self.closed, sum_rows(self.overlap, self.uniqueness))


class Closed:
    """The closed weeks as they stand now; reads as little as each question needs."""

    def __init__(self, data: Path) -> None:
        self.folder = data / FOLDER
        self.manifests = manifest_paths(self.folder)
        self._read: dict[Path, Manifest] = {}

    @cached_property
    def newest(self) -> Manifest | None:
        """The manifest of the last month with a closed week."""
        return self.manifest(self.manifests[-1]) if self.manifests else None

    @cached_property
    def week(self) -> str:
        """The newest closed week, empty where there is none; no older week closes any more."""
        return max((week_in(file) for file in self.newest.files), default="") if self.newest else ""

    def holds(self, ts: str) -> bool:
        """Whether a run of this time comes too late to be closed with its week."""
        return week_of(ts) <= self.week

    def manifest(self, path: Path) -> Manifest:
        """A month's manifest; raises DataError where it cannot be read."""
        if path not in self._read:
            try:
                self._read[path] = msgspec.json.decode(path.read_bytes(), type=Manifest)
            except OSError as error:
                raise DataError(path, f"cannot be read ({error.strerror})") from error
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise DataError(path, f"{error}; {RESTORE}") from error
        return self._read[path]

    def files(self) -> list[ClosedFile]:
        """Every closed file, oldest first."""
        return [file for path in self.manifests for file in self.manifest(path).files]

    def weeks(self) -> list[str]:
        """Every closed week, oldest first."""
        return sorted({week_in(file) for file in self.files()})

    def rows(self, table: WeekTable, week: str) -> list[Any]:
        """The rows of a closed week, none where the table had none in it."""
        path = self.folder / f"{month_of(week)}.json"
        if path not in self.manifests:
            return []
        name = table.path(week)
        if not any(file.name == name for file in self.manifest(path).files):
            return []
        return read_rows(table, self.folder / name)

    def run(self, table: WeekTable, ts: str, bench: str | None) -> list[Any]:
        """The closed rows of one run."""
        if not self.holds(ts):
            return []
        return [row for row in self.rows(table, week_of(ts)) if run_of(row) == (ts, bench)]

    def unhidden(
        self, table: WeekTable, hot: Iterable[tuple[str, str | None]], weeks: Iterable[str]
    ) -> list[Any]:
        """The closed rows of `weeks` but those of runs that are hot."""
        hidden = set(hot)
        return [
            row for week in weeks for row in self.rows(table, week) if run_of(row) not in hidden
        ]

    def sums(
        self,
        overlap: Sequence[OverlapRow],
        uniqueness: Sequence[UniquenessRow],
        extra: Iterable[str] = (),
    ) -> Sums:
        """The sums of all time from the hot rows, without reading more weeks than it takes.

        Weeks with hot rows in them, and those of `extra`, are read and come back as rows.
        """
        if self.newest is None:
            return Sums(list(overlap), list(uniqueness), NOTHING)
        stamps = {row.ts for row in overlap} | {row.ts for row in uniqueness}
        late = {week_of(ts) for ts in stamps if self.holds(ts)}
        weeks = sorted(late | set(extra))
        total = self.newest.totals
        for week in weeks:
            total = combine(total, self.week_sums(week), sign=-1)
        return Sums(
            [*self.unhidden(OVERLAP_WEEKS, map(run_of, overlap), weeks), *overlap],
            [*self.unhidden(UNIQUENESS_WEEKS, map(run_of, uniqueness), weeks), *uniqueness],
            total,
        )

    def week_sums(self, week: str) -> IndependenceWindow:
        """What the closed rows of one week add up to."""
        return sum_rows(
            [row for row in self.rows(OVERLAP_WEEKS, week) if isinstance(row, OverlapRow)],
            [row for row in self.rows(UNIQUENESS_WEEKS, week) if isinstance(row, UniquenessRow)],
        )


def manifest_paths(folder: Path) -> list[Path]:
    """The manifests in a `closed/` folder, oldest first."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if _MANIFEST.fullmatch(path.name))


def read_rows(table: WeekTable, path: Path) -> list[Any]:
    """All rows of a closed file; raises DataError where it cannot be read."""
    try:
        return week_rows(table, read_week(path))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(path, f"is not a readable closed week ({error}); {RESTORE}") from error


def week_in(file: ClosedFile) -> str:
    """The week in the name of a closed file, empty where the name has another form."""
    match = _FILE.fullmatch(file.name)
    return match[1] if match else ""


def run_of(row: Any) -> tuple[str, str | None]:
    """The run of a row: its time and its bench, where rows of the table name one."""
    return row.ts, getattr(row, "bench", None)


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()
