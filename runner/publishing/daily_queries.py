"""`daily_queries.jsonl` in the archive: every query asked in the last 24 hours, and in which run.

A row is a row of a query file, if its text was asked, with `run_id` and `bench` in front. The
window ends at the newest run of the file, so that the same runs give the same bytes whenever and
in whatever order they come.
"""

from __future__ import annotations

import re
from argparse import Namespace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from runner.errors import DataError
from runner.publishing.archive import QUERY_FILES
from runner.records.base import encode_line
from runner.records.jsonl import read_file
from runner.records.needleif import NeedleifReport, Published
from runner.records.queries import check_query_text
from runner.storage import exclusive, write_file
from runner.text import minute_ts, parse_time, query_hash, run_id

if TYPE_CHECKING:
    from runner.edge import Edge

NAME = "daily_queries.jsonl"
WINDOW = timedelta(hours=24)
_LOCK = ".daily_queries.lock"
_RUN_ID = re.compile(r"(\d{4}-\d\d-\d\dT\d\d)(\d\dZ)")

Row = dict[str, Any]


class _Named(msgspec.Struct):
    """What every row of the file must say."""

    run_id: str
    bench: str


def daily_rows(report: Published, queries: bytes) -> list[Row]:
    """The rows of a run: those of its query file whose text was asked, in the file's order.

    Needleif asks no query.
    """
    if isinstance(report, NeedleifReport):
        return []
    asked = {query.query_hash for query in next(iter(report.engines.values())).per_query}
    return _rows(queries, report.run_id, report.bench, asked)


def merged(old: bytes, rows: list[Row], path: Path = Path(NAME)) -> bytes:
    """The file with a run's rows in the place of its earlier ones, and old runs dropped.

    Raises DataError where a line of the old file cannot be read.
    """
    kept: list[Row] = []
    ours = {(row["run_id"], row["bench"]) for row in rows}
    for number, line in enumerate(old.splitlines(), start=1):
        try:
            msgspec.json.decode(line, type=_Named)
            row = msgspec.json.decode(line, type=dict[str, Any])
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            problem = f"{error}; rebuild the file with `needle daily-queries --archive DIR`"
            raise DataError(path, problem, line=number) from error
        if _key(row) not in ours:
            kept.append(row)
    return _encoded([*kept, *rows])


def update_folder(root: Path, report: Published, queries: bytes) -> None:
    """Brings the file of an archive folder up to date with a run."""
    with exclusive(root / _LOCK):
        path = root / NAME
        write_file(path, merged(read_file(path), daily_rows(report, queries), path))


def backfill(root: Path) -> tuple[bytes, int]:
    """The file made anew from the archived runs of the last 24 hours, and how many those are."""
    folders = sorted(
        (
            folder
            for folder in root.glob("runs/*/*/*")
            if _RUN_ID.fullmatch(folder.name)
            and any((folder / f"{bench}.json").exists() for bench in QUERY_FILES)
        ),
        key=lambda folder: folder.name,
    )
    rows: list[Row] = []
    runs = 0
    start = _window_start(folders[-1].name) if folders else ""
    for folder in folders:
        for bench, query_file in QUERY_FILES.items():
            if folder.name >= start and (folder / f"{bench}.json").exists():
                rows += _archived_rows(folder, bench, query_file)
                runs += 1
    return _encoded(rows), runs


def run_daily_queries(args: Namespace, edge: Edge) -> int:
    """`daily-queries`: the file of an archive folder, from its runs."""
    root = Path(args.archive)
    with exclusive(root / _LOCK):
        content, runs = backfill(root)
        write_file(root / NAME, content)
    count = content.count(b"\n")
    print(f"{count} queries of {runs} runs in {root / NAME}")
    return 0


def _archived_rows(folder: Path, bench: str, query_file: str) -> list[Row]:
    """The rows of an archived run; all engines were asked the same, so any one of them will do."""
    engine_file = next(iter(sorted((folder / bench).glob("*.json"))), None)
    if engine_file is None:
        raise DataError(folder / bench, "holds no engine's file; restore the run from a copy")
    try:
        document = msgspec.json.decode(engine_file.read_bytes(), type=dict[str, Any])
        asked = {query["query_hash"] for query in document["per_query"]}
    except (msgspec.MsgspecError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise DataError(engine_file, f"is no archived answer ({error})") from error
    return _rows(read_file(folder / query_file), folder.name, bench, asked)


def _rows(queries: bytes, run: str, bench: str, asked: set[str]) -> list[Row]:
    rows: list[Row] = []
    for line in queries.splitlines():
        row = _decoded(line)
        if row is not None and query_hash(row["query_text"]) in asked:
            rows.append({**row, "run_id": run, "bench": bench})
    return rows


def _decoded(line: bytes) -> Row | None:
    """A query row as it stands, or None: plain text that was given instead of rows has none."""
    try:
        row = msgspec.json.decode(line, type=dict[str, Any])
        check_query_text(row.get("query_text"))
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return row


def _encoded(rows: list[Row]) -> bytes:
    start = _window_start(max((row["run_id"] for row in rows), default=""))
    kept = (row for row in rows if row["run_id"] >= start)
    return b"".join(encode_line(row) for row in sorted(kept, key=_key))


def _key(row: Row) -> tuple[str, str]:
    return row["run_id"], row["bench"]


def _window_start(newest: str) -> str:
    match = _RUN_ID.fullmatch(newest)
    if match is None:
        return ""
    return run_id(minute_ts(parse_time(f"{match[1]}:{match[2]}") - WINDOW))
