"""Which commit of the data branch is a month's state, by the times at which runs were published.

The times are those in the files (`published_at` in `runs.json`) and in the subjects of commits
(`bench: <start of the run>`). The dates of commits say nothing: a branch may have been rebuilt.
The state is that of a commit that published a run, so that what else is committed after the end
of the month (claims, closed weeks, the snapshot itself) changes nothing, however late it is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import takewhile

import msgspec

from runner.errors import DataError, PublishError, UsageError
from runner.records.published import RunEntry
from runner.text import parse_time

_MONTH = re.compile(r"([12]\d{3})-(0[1-9]|1[0-2])")
_BENCH = re.compile(r"bench: (\d{4}-\d\d-\d\dT\d\d:\d\dZ)")


@dataclass(frozen=True, order=True)
class Month:
    year: int
    number: int

    @property
    def key(self) -> str:
        return f"{self.year:04}-{self.number:02}"

    @property
    def start(self) -> datetime:
        return datetime(self.year, self.number, 1, tzinfo=UTC)

    @property
    def end(self) -> datetime:
        """The first instant of the next month."""
        return (self.start + timedelta(days=31)).replace(day=1)

    @property
    def as_of(self) -> datetime:
        """The last second of the month."""
        return self.end - timedelta(seconds=1)


def parse_month(text: str) -> Month:
    """The month of `2026-10`; raises UsageError."""
    match = _MONTH.fullmatch(text)
    if match is None:
        raise UsageError(f"{text!r} is not a month; write it like 2026-10")
    return Month(int(match[1]), int(match[2]))


def month_before(moment: datetime) -> Month:
    """The last month that was over at a moment."""
    last = moment.astimezone(UTC).replace(day=1) - timedelta(days=1)
    return Month(last.year, last.month)


@dataclass(frozen=True)
class Commit:
    id: str
    subject: str

    @property
    def run_start(self) -> datetime | None:
        """When the run began that it published, or None where it published none."""
        match = _BENCH.fullmatch(self.subject)
        return parse_time(match[1]) if match else None


@dataclass(frozen=True)
class Reach:
    """The newest start of a run, and the first and last time at which one was published."""

    began: datetime
    first: datetime
    last: datetime


Read = Callable[[str], bytes | None]
"""The `runs.json` of a commit by its id, or None where that has none."""


def find_state(log: Sequence[Commit], month: Month, read: Read) -> Commit | None:
    """The last commit that published a run before the next month began.

    `log` has the commits of the branch, oldest first. None where no run of the month was
    published by then. Raises PublishError where the branch begins later than that, DataError for
    a `runs.json` that cannot be read.
    """
    before = list(takewhile(lambda commit: not _is_after(commit, month), log))
    # The first commit may hold what an older branch published: a branch is begun anew at times.
    found = [commit for place, commit in enumerate(before) if place == 0 or commit.run_start]
    for commit in reversed(found):
        reach = _reach(commit, read(commit.id))
        if reach is not None and reach.last < month.end:
            return commit if reach.began >= month.start else None
    first = _reach(log[0], read(log[0].id)) if log else None
    if first is not None and first.first < month.end:
        raise PublishError(
            f"the history of the branch begins after the end of {month.key}; name the branch that "
            "was kept when this one was begun with --branch, or fetch the whole history"
        )
    return None


def _is_after(commit: Commit, month: Month) -> bool:
    return commit.run_start is not None and commit.run_start >= month.end


def _reach(commit: Commit, runs: bytes | None) -> Reach | None:
    """None where the commit holds no run."""
    began = [commit.run_start] if commit.run_start else []
    published = list(began)
    try:
        entries = msgspec.json.decode(runs, type=list[RunEntry]) if runs else []
    except msgspec.MsgspecError as error:
        raise DataError(f"{commit.id}:runs.json", str(error)) from error
    for entry in entries:
        start = parse_time(entry.ts)
        began.append(start)
        published += list(map(parse_time, entry.published_at.values())) or [start]
    return Reach(max(began), min(published), max(published)) if began else None
