"""One closed ISO week of one table as a Parquet file, and the rows back from it.

The columns are the fields of the JSONL row under the same names, the recall of a slice as
`<slice>_recall` and `<slice>_n`. `lat_ms` is not among them: samples live for 7 days. A line that
the columns cannot hold (a bench that this version does not know, a slice of nulls) stands in
`other` as it was. Equal rows give equal bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from runner.publishing.tables import LAT_MS, Line
from runner.records.published import (
    HistoryRow,
    OverlapRow,
    RunEntry,
    SliceScore,
    UniquenessRow,
)

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

OTHER = "other"


@dataclass(frozen=True)
class OtherLine:
    """A line that the columns cannot hold, with the run that it is of."""

    ts: str
    bench: str | None
    raw: bytes


@dataclass(frozen=True)
class WeekTable:
    """How a table's rows lie in Parquet: fields that are texts, counts and decimal numbers."""

    name: str
    row: Callable[..., Any]
    texts: tuple[str, ...]
    counts: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()

    def path(self, week: str) -> str:
        """The name of a week's file in `closed/`."""
        return f"{self.name}/{week}.parquet"


HISTORY_WEEKS = WeekTable(
    "history",
    HistoryRow,
    ("ts", "bench", "engine", "profile"),
    (
        "schema_version", "num_scored", "num_queries", "search_errors", "account_errors",
        "service_errors", "judge_errors", "reconnects",
    ),
    ("ndcg", "recall", "mrr", "rbp", "rbp_max", "p50_ms", "p95_ms"),
)  # fmt: skip
OVERLAP_WEEKS = WeekTable(
    "overlap",
    OverlapRow,
    ("ts", "bench", "a", "b", "profile"),
    ("schema_version", "num_shared3", "num_suspect", "low_shared_urls", "num_queries"),
    ("jaccard_sum",),
)
UNIQUENESS_WEEKS = WeekTable(
    "uniqueness",
    UniquenessRow,
    ("ts", "bench", "engine", "profile"),
    (
        "schema_version", "unique_urls", "total_urls", "relevant_unique_urls",
        "relevant_total_urls",
    ),
)  # fmt: skip
RUNS_WEEKS = WeekTable("runs", RunEntry, ("id", "ts"))
WEEK_TABLES = (HISTORY_WEEKS, OVERLAP_WEEKS, UNIQUENESS_WEEKS, RUNS_WEEKS)


def week_of(ts: str) -> str:
    """The ISO week of a timestamp, `2026-W47`; weeks compare as texts."""
    return _week_of_day(ts[:10])


@cache
def _week_of_day(day: str) -> str:
    year, week, _ = date.fromisoformat(day).isocalendar()
    return f"{year:04}-W{week:02}"


def week_start(week: str) -> datetime:
    """Its Monday at 00:00 UTC. Raises ValueError for what is no week."""
    monday = date.fromisocalendar(int(week[:4]), int(week[6:]), 1)
    return datetime(monday.year, monday.month, monday.day, tzinfo=UTC)


def week_end(week: str) -> datetime:
    """The moment at which the next week begins."""
    return week_start(week) + timedelta(days=7)


def month_of(week: str) -> str:
    """The month of its Sunday, `2026-11`."""
    return f"{week_start(week) + timedelta(days=6):%Y-%m}"


def settled(line: Line[Any]) -> Any:
    """What a closed file gives back for a line: its row without samples, or else the line."""
    row = line.row
    if isinstance(row, HistoryRow):
        if any(part.recall is None and part.n is None for part in row.slices.values()):
            row = None
        elif row.lat_ms is not None:
            row = msgspec.structs.replace(row, lat_ms=None)
    if row is not None:
        return row
    return OtherLine(line.ts, line.bench, LAT_MS.sub(rb"\1null", line.raw, count=1))


def week_table(table: WeekTable, lines: Sequence[Line[Any]]) -> pa.Table:
    """The Arrow table of a week's lines, in their order."""
    import pyarrow as pa

    kept = [settled(line) for line in lines]
    rows = [None if isinstance(row, OtherLine) else row for row in kept]
    text = pa.dictionary(pa.int32(), pa.string())
    columns: dict[str, pa.Array] = {}
    for name in table.texts:
        values = [getattr(row, name, None) for row in rows]
        if name in ("ts", "bench"):  # known of every line
            values = [getattr(line, name) for line in lines]
        columns[name] = pa.array(values, pa.string()).cast(text)
    for name in table.counts:
        columns[name] = pa.array([getattr(row, name, None) for row in rows], pa.int64())
    for name in table.numbers:
        columns[name] = pa.array([getattr(row, name, None) for row in rows], pa.float64())
    for name in sorted({name for row in rows for name in getattr(row, "slices", ())}):
        parts = [getattr(row, "slices", {}).get(name) for row in rows]
        recalls, sizes = ([getattr(part, each, None) for part in parts] for each in ("recall", "n"))
        columns[f"{name}_recall"] = pa.array(recalls, pa.float64())
        columns[f"{name}_n"] = pa.array(sizes, pa.int64())
    if table is RUNS_WEEKS:
        columns["artifacts"] = pa.array([each.artifacts for each in kept], pa.list_(pa.string()))
        times = [list(each.published_at.items()) for each in kept]
        columns["published_at"] = pa.array(times, pa.map_(pa.string(), pa.string()))
        costs = [list(each.spend_usd.items()) for each in kept]
        if any(costs):  # weeks without are as they always were
            columns["spend_usd"] = pa.array(costs, pa.map_(pa.string(), pa.float64()))
    others = [row.raw.decode() if isinstance(row, OtherLine) else None for row in kept]
    columns[OTHER] = pa.array(others, pa.string())
    return pa.table(columns)


def week_bytes(arrow: pa.Table) -> bytes:
    """The Parquet file: zstd, dictionaries, one row group."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    pq.write_table(
        arrow,
        sink,
        row_group_size=max(1, arrow.num_rows),
        compression="zstd",
        compression_level=9,
        use_dictionary=True,
    )
    return bytes(sink.getvalue())


def read_week(source: Path | bytes) -> pa.Table:
    """The Arrow table of a file or its content; raises ValueError or OSError where it is none."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    place = pa.BufferReader(source) if isinstance(source, bytes) else pa.OSFile(str(source))
    try:
        with place, pq.ParquetFile(place) as file:
            return file.read(use_threads=False)
    except pa.ArrowException as error:
        raise ValueError(error) from error


def week_rows(table: WeekTable, arrow: pa.Table) -> list[Any]:
    """The rows as `settled` gave them; raises KeyError or ValueError for a foreign table."""
    names = [*table.texts, *table.counts, *table.numbers]
    columns = {name: _values(arrow, name) for name in names}
    if table is HISTORY_WEEKS:
        columns["lat_ms"] = [None] * arrow.num_rows
        columns["slices"] = _slices(arrow)
    if table is RUNS_WEEKS:
        columns["artifacts"] = _values(arrow, "artifacts")
        columns["published_at"] = [dict(items) for items in _values(arrow, "published_at")]
        if "spend_usd" in arrow.column_names:
            costs = [dict(items or ()) for items in _values(arrow, "spend_usd")]
            columns["spend_usd"] = costs
    others = _values(arrow, OTHER)
    if table is RUNS_WEEKS or not any(others):
        return _built(table.row, columns)
    return [
        row if other is None else OtherLine(ts, bench, other.encode())
        for row, other, ts, bench in zip(
            _built(table.row, columns), others, columns["ts"], columns["bench"], strict=True
        )
    ]


def _built(build: Callable[..., Any], columns: Mapping[str, Sequence[Any]]) -> list[Any]:
    names = tuple(columns)
    return [
        build(**dict(zip(names, values, strict=True)))
        for values in zip(*columns.values(), strict=True)
    ]


def _slices(arrow: pa.Table) -> list[dict[str, SliceScore]]:
    none: dict[str, SliceScore] = {}  # one for all rows without: there may be millions of them
    found = [none] * arrow.num_rows
    for column in arrow.column_names:
        if not column.endswith("_recall"):
            continue
        name = column.removesuffix("_recall")
        recalls, sizes = _values(arrow, column), _values(arrow, f"{name}_n")
        for place, (recall, n) in enumerate(zip(recalls, sizes, strict=True)):
            if recall is not None or n is not None:
                found[place] = {**found[place], name: SliceScore(recall=recall, n=n)}
    return found


def _values(arrow: pa.Table, name: str) -> list[Any]:
    """A column as Python values; each text of a dictionary is made once, not once a row."""
    import pyarrow as pa

    column = arrow.column(name).combine_chunks()
    if isinstance(column, pa.ChunkedArray):
        column = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([])
    if column.null_count == len(column):
        return [None] * len(column)
    if pa.types.is_dictionary(column.type):
        # interned, so that a default is the very object that an encoder leaves out
        words = [sys.intern(word) for word in column.dictionary.to_pylist()]
        return [None if at is None else words[at] for at in _numbers(column.indices)]
    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        return _numbers(column)
    values: list[Any] = column.to_pylist()
    return values


def _numbers(column: pa.Array) -> list[Any]:
    values: list[Any]
    values = column.to_numpy().tolist() if column.null_count == 0 else column.to_pylist()
    return values
