"""The closed weeks: hashes, the chain of manifests, and every row of every file, week by week."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from runner.errors import DataError
from runner.publishing.closed import Closed, digest, run_of, week_in
from runner.publishing.independence import NOTHING, combine, sum_rows
from runner.publishing.tables import is_ts
from runner.publishing.verify_hot import line_of, odd_entry, odd_numbers
from runner.publishing.verify_runs import Count, Run, Runs
from runner.publishing.weeks import (
    HISTORY_WEEKS,
    OVERLAP_WEEKS,
    RUNS_WEEKS,
    UNIQUENESS_WEEKS,
    WEEK_TABLES,
    OtherLine,
    WeekTable,
    month_of,
    read_week,
    week_of,
    week_rows,
)
from runner.records.closed import ClosedFile, Manifest
from runner.records.published import IndependenceWindow, OverlapRow

Problem = tuple[Path, int | None, str]


def check_closed(data: Path, runs: Runs) -> Iterator[Problem]:
    """What is wrong with `closed/`; its rows are counted by run in `runs`."""
    closed = Closed(data)
    named = set()
    before: tuple[Manifest, Path] | None = None
    for path in closed.manifests:
        try:
            manifest = closed.manifest(path)
        except DataError as error:
            yield path, 1, str(error).removeprefix(f"{path}: ")
            before = None
            continue
        yield from _check_chain(path, manifest, before, is_first=path == closed.manifests[0])
        rows = dict(before[0].rows) if before else {}
        totals = before[0].totals if before else NOTHING
        is_whole = before is not None or path == closed.manifests[0]
        for week in dict.fromkeys(week_in(file) for file in manifest.files):
            own = [file for file in manifest.files if week_in(file) == week]
            named |= {closed.folder / file.name for file in own}
            sums = yield from _check_week(path, own, runs)
            is_whole = is_whole and sums is not None
            for file in own:
                name = file.name.partition("/")[0]
                rows[name] = rows.get(name, 0) + file.rows
            if sums is not None:
                totals = combine(totals, sums)
        content = path.read_bytes()
        if is_whole and rows != manifest.rows:
            yield path, line_of(content, '"rows": {'), f"`rows` is not the sum of the files: {rows}"
        if is_whole and totals != manifest.totals:
            line = line_of(content, '"totals":')
            yield (
                path,
                line,
                f"`totals` are not the sums of the closed rows{_first(totals, manifest.totals)}",
            )
        before = (manifest, path)
    for path in sorted(closed.folder.rglob("*")):
        if path.is_file() and path not in named and path not in closed.manifests:
            what = "a half-written file" if path.suffix == ".tmp" else "no manifest names it"
            yield path, None, f"{what}; where `compact` was stopped, run it again"


def _first(ours: IndependenceWindow, theirs: IndependenceWindow) -> str:
    """The first sum that differs, as words to put behind a problem."""
    for kind in ("pairs", "engines"):
        for own in getattr(ours, kind):
            if own not in getattr(theirs, kind):
                names = [own.a, own.b] if kind == "pairs" else [own.engine]
                return f" (first: {' and '.join(names)})"
    return ""


def _check_chain(
    path: Path, manifest: Manifest, before: tuple[Manifest, Path] | None, *, is_first: bool
) -> Iterator[Problem]:
    content = path.read_bytes()
    if manifest.month != path.stem:
        yield path, line_of(content, '"month":'), f"is of the month {manifest.month!r}"
    true = digest(before[1].read_bytes()) if before else None
    if (before or is_first) and manifest.previous != true:
        said = "no month" if manifest.previous is None else f"{manifest.previous[:12]}…"
        found = f"{before[1].name} is {true[:12]}…" if before and true else "there is no month"
        yield path, line_of(content, '"previous":'), f"the month before is {said}, but {found}"
    weeks = [week_in(file) for file in manifest.files]
    names = [file.name for file in manifest.files]
    for place, (file, week) in enumerate(zip(manifest.files, weeks, strict=True)):
        line = line_of(content, f'"name": "{file.name}"')
        if not week or file.name.partition("/")[0] not in {each.name for each in WEEK_TABLES}:
            yield path, line, f"{file.name!r} is no name of a closed week"
        elif month_of(week) != manifest.month:
            yield path, line, f"{file.name} belongs to the month {month_of(week)}"
        elif place and week < weeks[place - 1]:
            yield path, line, f"{file.name} stands behind a later week"
        elif file.name in names[:place]:
            yield path, line, f"{file.name} is named twice"


def _check_week(path: Path, files: list[ClosedFile], runs: Runs) -> Any:
    """Yields what is wrong with the files of a week; returns its sums, None where rows are lost."""
    sums: dict[str, list[Any]] = {OVERLAP_WEEKS.name: [], UNIQUENESS_WEEKS.name: []}
    is_whole = True
    for file in files:
        table = next((t for t in WEEK_TABLES if t.path(week_in(file)) == file.name), None)
        if table is None:
            is_whole = False
            continue
        place = path.parent / file.name
        try:
            content = place.read_bytes()
        except OSError as error:
            line = line_of(path.read_bytes(), f'"name": "{file.name}"')
            yield path, line, f"{place} cannot be read ({error.strerror})"
            is_whole = False
            continue
        if len(content) != file.bytes or digest(content) != file.sha256:
            line = line_of(path.read_bytes(), f'"name": "{file.name}"')
            yield path, line, f"{place} is not the file whose SHA-256 stands here"
        try:
            rows = week_rows(table, read_week(content))
        except (OSError, ValueError, KeyError, TypeError) as error:
            yield place, None, f"is not a readable closed week ({error})"
            is_whole = False
            continue
        if len(rows) != file.rows:
            line = line_of(path.read_bytes(), f'"name": "{file.name}"')
            yield path, line, f"{place} has {len(rows)} rows, not {file.rows}"
        yield from _check_rows(place, table, week_in(file), rows, runs)
        if table.name in sums:
            sums[table.name] = [row for row in rows if not isinstance(row, OtherLine)]
    if not is_whole:
        return None
    return sum_rows(sums[OVERLAP_WEEKS.name], sums[UNIQUENESS_WEEKS.name])


def _check_rows(
    path: Path, table: WeekTable, week: str, rows: list[Any], runs: Runs
) -> Iterator[Problem]:
    seen: set[Any] = set()
    counts = _counts(table, runs)
    before = ""
    checked: set[str] = set()
    fresh: list[Count] = []
    for number, row in enumerate(rows, start=1):
        ts, bench = run_of(row)
        if ts not in checked:
            if not is_ts(ts) or week_of(ts) != week:
                yield path, number, f"a row of {ts}, which is not in {week}"
            checked.add(ts)
        if ts < before:
            yield path, number, f"a row of {ts} behind one of {before}"
        before = ts
        if isinstance(row, OtherLine):
            continue
        if table is RUNS_WEEKS:
            yield from ((path, number, problem) for problem in odd_entry(row))
            runs.stamps.add(ts)
            runs.listed.update({(ts, each): (path, number) for each in row.published_at})
            continue
        problem = odd_numbers(row)
        if problem:
            yield path, number, problem
        if bench is None:
            continue
        engines = (row.a, row.b) if isinstance(row, OverlapRow) else (row.engine,)
        key = (ts, bench, *sorted(engines))
        if key in seen:
            yield path, number, f"repeats a row of the run {ts} of {bench}"
        seen.add(key)
        count = counts.get((ts, bench))
        if count is None:
            count = counts[ts, bench] = Count((path, number))
            fresh.append(count)
        count.rows += 1
        count.engines.update(engines)
    for count in fresh:  # mostly one roster: kept once, not once a run
        count.engines = runs.shared(count.engines)


def _counts(table: WeekTable, runs: Runs) -> dict[Run, Count]:
    if table is HISTORY_WEEKS:
        return runs.history
    return runs.overlap if table is OVERLAP_WEEKS else runs.uniqueness
