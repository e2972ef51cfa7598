"""Closed ISO weeks out of the hot files, into one immutable Parquet file a table and week.

A week closes when it ended more than 8 days before the newest run, weeks in their order. Its files
are written, read back and compared row by row; then the month's manifest names them, which is the
one moment in which the week changes sides; only then are its rows dropped from the hot files.
Killed before the manifest, the next run writes the same files again. Killed after it, hot rows hide
the equal closed ones until the next run drops them (see `closed`). A second run changes nothing.

The clock of the data decides, not that of the machine: with no run for a month nothing closes,
so that the last 7 days of the data are always hot. `now` only keeps a row from the future from
closing everything.
"""

from __future__ import annotations

import contextlib
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner.clock import clock_from
from runner.errors import DataError, PublishError
from runner.publishing.closed import RESTORE, Closed, digest, read_rows, run_of
from runner.publishing.hot import HOT_TABLES, LOCK, HotTable, drop_old_samples
from runner.publishing.independence import NOTHING, combine, sum_rows
from runner.publishing.tables import Line
from runner.publishing.weeks import (
    HISTORY_WEEKS,
    OVERLAP_WEEKS,
    RUNS_WEEKS,
    UNIQUENESS_WEEKS,
    month_of,
    settled,
    week_bytes,
    week_end,
    week_of,
    week_table,
)
from runner.records.base import encode_document
from runner.records.closed import ClosedFile, Manifest
from runner.records.published import IndependenceWindow
from runner.storage import exclusive, write_file, write_files
from runner.text import minute_ts, parse_time

if TYPE_CHECKING:
    from runner.edge import Edge

Hot = Mapping[HotTable, Sequence[Line[Any]]]
CLOSES_AFTER = timedelta(days=8)


@dataclass(frozen=True)
class Compacted:
    """`weeks` that were closed, `rows` dropped from each hot file, `changed` files."""

    weeks: list[str]
    rows: dict[str, int]
    changed: list[str]


def compact(data: Path, *, now: datetime) -> Compacted:
    """Closes every week that is due; raises DataError (path and line) for a broken hot file."""
    if not data.is_dir():
        raise PublishError(f"{data}: no such data directory; nothing was compacted")
    with exclusive(data / LOCK):
        closed = Closed(data)
        changed = _clear_leftovers(data, closed.folder)
        hot = {table: table.read(data) for table in HOT_TABLES}
        _refuse_unnamed(closed, hot)
        weeks = _due(hot, closed, now)
        for week in weeks:
            lines = {
                table: _in_order(line for line in of_table if week_of(line.ts) == week)
                for table, of_table in hot.items()
            }
            changed += _close(data, week, lines)
        kept = _without_closed(hot, Closed(data))
        files = {}
        for table, own in kept.items():
            if own != hot[table]:
                files[data / table.name] = table.encode(own)
        write_files(files)
    dropped = {table.name: len(hot[table]) - len(kept[table]) for table in HOT_TABLES}
    return Compacted(weeks, dropped, [*changed, *(path.name for path in files)])


def reference(hot: Hot, now: datetime) -> str:
    """The moment that ages are counted from: the newest run that every table has reached."""
    newest = [
        max(line.ts for line in lines if line.row is not None)
        for table, lines in hot.items()
        if table.weeks is not RUNS_WEEKS and any(line.row is not None for line in lines)
    ]
    return min([minute_ts(now), *newest]) if newest else ""


def _due(hot: Hot, closed: Closed, now: datetime) -> list[str]:
    moment = reference(hot, now)
    if not moment:
        return []
    limit = parse_time(moment) - CLOSES_AFTER
    weeks = {week_of(line.ts) for lines in hot.values() for line in lines}
    return sorted(week for week in weeks if week > closed.week and week_end(week) < limit)


def _in_order(lines: Any) -> list[Line[Any]]:
    """By time; rows of one minute stay in their order."""
    return sorted(lines, key=lambda line: line.ts)


def _close(data: Path, week: str, lines: dict[HotTable, list[Line[Any]]]) -> list[str]:
    """Writes and checks the files of a week, then the manifest that makes them count."""
    folder = Closed(data).folder
    contents = {
        table: week_bytes(week_table(table.weeks, of_table))
        for table, of_table in lines.items()
        if of_table
    }
    write_files({folder / table.weeks.path(week): content for table, content in contents.items()})
    files = []
    for table in contents:
        path = folder / table.weeks.path(week)
        _compare(path, table, lines[table])
        content = path.read_bytes()
        files.append(
            ClosedFile(
                name=table.weeks.path(week),
                rows=len(lines[table]),
                bytes=len(content),
                sha256=digest(content),
            )
        )
    by_weeks = {table.weeks.name: of_table for table, of_table in lines.items()}
    manifest = extended(
        Closed(data),
        week,
        files,
        sum_rows(
            [line.row for line in by_weeks[OVERLAP_WEEKS.name] if line.row],
            [line.row for line in by_weeks[UNIQUENESS_WEEKS.name] if line.row],
        ),
    )
    write_file(folder / f"{manifest.month}.json", encode_document(manifest))
    return [*(file.name for file in files), f"{manifest.month}.json"]


def _compare(path: Path, table: HotTable, lines: Sequence[Line[Any]]) -> None:
    """Raises PublishError where a file does not hold exactly the rows that it was made of."""
    found = read_rows(table.weeks, path)
    for number, (line, row) in enumerate(zip(lines, found, strict=False), start=1):
        if settled(line) != row:
            raise PublishError(
                f"{path}:{number}: reads back as another row than {table.name} holds; the hot "
                "files stand as they were; this is a fault of the program, report it with the row"
            )
    if len(lines) != len(found):
        raise PublishError(
            f"{path}: {len(found)} rows read back of {len(lines)}; the hot files stand as they were"
        )


def extended(
    closed: Closed, week: str, files: Sequence[ClosedFile], sums: IndependenceWindow
) -> Manifest:
    """The manifest of the month that the week belongs to, with the week in it."""
    last, month = closed.newest, month_of(week)
    rows = dict(last.rows) if last else {}
    for file in files:
        name = file.name.partition("/")[0]
        rows[name] = rows.get(name, 0) + file.rows
    is_same = last is not None and last.month == month
    previous: str | None = None
    if last is not None:
        previous = last.previous if is_same else digest(closed.manifests[-1].read_bytes())
    return Manifest(
        month=month,
        previous=previous,
        files=[*(last.files if last and is_same else []), *files],
        rows=dict(sorted(rows.items())),
        totals=combine(last.totals if last else NOTHING, sums),
    )


def _without_closed(hot: Hot, closed: Closed) -> dict[HotTable, list[Line[Any]]]:
    """The hot lines but those of runs whose closed rows are the same; no old samples."""
    kept = {}
    for table, lines in hot.items():
        late: dict[tuple[str, str | None], list[Line[Any]]] = {}
        for line in lines:
            if closed.holds(line.ts):
                late.setdefault((line.ts, line.bench), []).append(line)
        there: dict[tuple[str, str | None], list[Any]] = {}
        for week in sorted({week_of(ts) for ts, _ in late}):
            for row in closed.rows(table.weeks, week):
                there.setdefault(run_of(row), []).append(row)
        moved = {
            run for run, own in late.items() if [settled(line) for line in own] == there.get(run)
        }
        kept[table] = [line for line in lines if (line.ts, line.bench) not in moved]
        if table.weeks is HISTORY_WEEKS:
            kept[table] = drop_old_samples(kept[table])
    return kept


def _refuse_unnamed(closed: Closed, hot: Hot) -> None:
    """A file that no manifest names is written again from its hot rows; without them it is lost."""
    named = {file.name for file in closed.files()}
    for table, lines in hot.items():
        weeks = {week_of(line.ts) for line in lines}
        for path in sorted((closed.folder / table.weeks.name).glob("*.parquet")):
            if table.weeks.path(path.stem) not in named and path.stem not in weeks:
                raise DataError(
                    path,
                    f"no manifest names it and {table.name} has no row of it; "
                    f"a manifest in {closed.folder} is missing: {RESTORE}",
                )


def _clear_leftovers(data: Path, folder: Path) -> list[str]:
    """Removes the half-written files of killed processes; the lock keeps living ones out."""
    stale = list(folder.rglob(".*.tmp"))
    names = [table.name for table in HOT_TABLES]
    names += ["ci_scores.jsonl", "ci.json", "families.json", "independence.json"]
    for name in [*names, "latest_*.json"]:
        stale += data.glob(f".{name}.*.tmp")
    for path in stale:
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
    return [str(path.relative_to(data)) for path in sorted(stale)]


def run_compact(args: Namespace, edge: Edge) -> int:
    """`compact`: says what was closed; with `--push` the branch has it too, or it is an error."""
    data, now = Path(args.data), clock_from(args.now)()
    if not args.push:
        print(_closed_line(data, now))
        return 0
    from runner.publishing.push import Change, push_changes, pushing

    change = Change(f"compact: {minute_ts(now)}", partial(_closed_line, data, now))
    with pushing(args, edge) as (branch, tries):
        for line in push_changes(branch, [change], tries):
            print(line)
    return 0


def _closed_line(data: Path, now: datetime) -> str:
    """Closes what is old enough; what was done, in a line."""
    done = compact(data, now=now)
    if not done.changed:
        return f"{data}: no week to close; nothing changed"
    dropped = ", ".join(f"{count:,} of {name}" for name, count in done.rows.items() if count)
    return f"{data}: closed {', '.join(done.weeks) or 'no week'}; dropped {dropped or 'no row'}"
