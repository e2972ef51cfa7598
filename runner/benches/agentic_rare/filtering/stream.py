"""A stream of queries from a file, some thousand rows at a time: Parquet or JSONL.

Parquet is read page by page, not by row group, so that a file in one row group needs no more
memory than one in many. A line of JSONL that is no object, or is too long, is an unreadable row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from runner.errors import DataError

QUERY_FIELDS = ("query_text", "query")  # of a stream, in order of preference
BATCH_ROWS = 1_024
MAX_LINE_BYTES = 1_000_000
MAX_BATCH_BYTES = 16_000_000  # of lines
_PARQUET = b"PAR1"  # how such a file begins
_READ_BYTES = 1 << 20


@dataclass(frozen=True)
class Batch:
    """Some rows in file order: their queries, and the way to the other columns of chosen rows.

    Most rows are never chosen, and a row's metadata costs more to unpack than its query.
    """

    queries: Sequence[Any]
    others: Callable[[Sequence[int]], list[dict[str, Any]]]
    unreadable: int = 0


def is_parquet(data: bytes) -> bool:
    """Whether a file that begins with `data` is Parquet."""
    return data.startswith(_PARQUET)


def read_stream(path: Path, field: str, batch_rows: int = BATCH_ROWS) -> Iterator[Batch]:
    """The rows of a file: see `read_batches`."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise DataError(path, f"cannot be read ({error.strerror})") from error
    with file:
        yield from read_batches(file, str(path), field, batch_rows)


def read_batches(
    file: BinaryIO, name: str, field: str = QUERY_FIELDS[0], batch_rows: int = BATCH_ROWS
) -> Iterator[Batch]:
    """The rows of an open file, by its first bytes of Parquet or else JSONL.

    `field` is the column of the queries; without it one of the stream's own names is taken.
    Raises DataError, with the file's name, for what cannot be read or has no such column.
    """
    try:
        head = file.read(len(_PARQUET))
        file.seek(0)
        if is_parquet(head):
            yield from _parquet(file, name, field, batch_rows)
        else:
            yield from _jsonl(file, _names(field), batch_rows)
    except OSError as error:  # Arrow's own too
        raise DataError(name, f"cannot be read ({error.strerror or error})") from error


def _names(field: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((field, *QUERY_FIELDS)))


def _parquet(file: BinaryIO, source: str, field: str, batch_rows: int) -> Iterator[Batch]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        parquet = pq.ParquetFile(file, pre_buffer=False, buffer_size=_READ_BYTES)
        columns = parquet.schema_arrow.names
        name = next((name for name in _names(field) if columns.count(name) == 1), None)
        if name is None:
            raise DataError(source, f"no column {field!r}; it has {', '.join(columns) or 'none'}")
        if len(set(columns)) < len(columns):
            raise DataError(source, f"two columns of one name; it has {', '.join(columns)}")
        for batch in parquet.iter_batches(batch_size=batch_rows):
            rest = batch.drop_columns([name])
            yield Batch(_values(batch.column(name)), _taken(rest))
    except (pa.ArrowException, ValueError) as error:
        raise DataError(source, f"not a Parquet file that can be read: {error}") from error


def _values(column: Any) -> list[Any]:
    """The values of an Arrow array; a text that is not UTF-8, which Arrow lets pass, is None."""
    try:
        return list(column.to_pylist())
    except UnicodeDecodeError:
        return [_value(value) for value in column]


def _value(value: Any) -> Any:
    try:
        return value.as_py()
    except UnicodeDecodeError:
        return None


def _taken(batch: Any) -> Callable[[Sequence[int]], list[dict[str, Any]]]:
    def others(places: Sequence[int]) -> list[dict[str, Any]]:
        import pyarrow as pa

        rows = batch.take(pa.array(places, type=pa.int64()))
        names = rows.schema.names
        columns = [_values(rows.column(number)) for number in range(len(names))]
        return [
            {name: column[place] for name, column in zip(names, columns, strict=True)}
            for place in range(len(places))
        ]

    return others


def _jsonl(file: BinaryIO, names: Sequence[str], batch_rows: int) -> Iterator[Batch]:
    rows: list[dict[str, Any]] = []
    unreadable = size = 0
    for line in _lines(file):
        row = _object(line)
        size += len(line or b"")
        if row is None:
            unreadable += 1
        else:
            rows.append(row)
        if len(rows) + unreadable == batch_rows or size > MAX_BATCH_BYTES:
            yield _of_objects(rows, names, unreadable)
            rows, unreadable, size = [], 0, 0
    if rows or unreadable:
        yield _of_objects(rows, names, unreadable)


def _of_objects(rows: list[dict[str, Any]], names: Sequence[str], unreadable: int) -> Batch:
    queries = []
    for row in rows:
        name = next((name for name in names if name in row), None)
        queries.append(row.pop(name) if name is not None else None)
    return Batch(queries, lambda places: [rows[place] for place in places], unreadable)


def _lines(file: BinaryIO) -> Iterator[bytes | None]:
    """The lines that are not blank; None for one that is too long, of which little is kept."""
    while line := file.readline(MAX_LINE_BYTES + 1):
        if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
            while (rest := file.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                pass
            yield None
        elif line.strip():
            yield line


def _object(line: bytes | None) -> dict[str, Any] | None:
    try:
        row = None if line is None else msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return row if isinstance(row, dict) else None
