"""Rows that passed, kept on disk until their order is known, and the Parquet file made of them.

In memory stay one number a row and the kinds of values of each column. Values that are no plain
text, number or truth value are written as JSON text: so every reader gets the same columns,
whatever form the stream had.
"""

from __future__ import annotations

import json
import tempfile
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from runner.errors import PublishError

ROW_GROUP_ROWS = 10_000
_INT64 = range(-(1 << 63), 1 << 63)
_decode = msgspec.json.Decoder(dict[str, Any]).decode


class Spool:
    """Rows in a temporary file of `folder`, which is gone when the spool is closed.

    Raises PublishError for a folder that cannot be written to.
    """

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # beside the output: the system's own place for such files may be memory
            self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed by `close`
        except OSError as error:
            raise PublishError(f"{folder}: cannot be written ({error.strerror})") from error
        self._starts = array("Q")
        self._kinds: dict[str, set[type]] = {}

    def add(self, row: Mapping[str, Any]) -> None:
        cells = {name: _cell(value) for name, value in row.items()}
        for name, value in cells.items():
            kinds = self._kinds.setdefault(name, set())
            if value is not None:
                kinds.add(type(value))
        self._starts.append(self._file.tell())
        self._file.write(msgspec.json.encode(cells) + b"\n")

    def rows(self, numbers: Iterable[int]) -> Iterator[dict[str, Any]]:
        """The rows of these numbers, in this order; nothing can be added afterwards."""
        for number in numbers:
            self._file.seek(self._starts[number])
            yield _decode(self._file.readline())

    def write_parquet(
        self,
        path: Path,
        numbers: Sequence[int],
        *,
        first: str,
        last: Sequence[str],
        group_rows: int = ROW_GROUP_ROWS,
    ) -> None:
        """Writes rows, a row group at a time; column `first` first, `last` last."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        names = [name for name in self._kinds if name != first and name not in last]
        schema = pa.schema([(name, self._type(name)) for name in (first, *names, *last)])
        texts = {field.name for field in schema if field.type == pa.string()}
        rows = self.rows(numbers)
        with pq.ParquetWriter(path, schema, compression="zstd") as writer:
            while group := list(islice(rows, group_rows)):
                columns = {
                    name: [
                        _as_text(row.get(name)) if name in texts else row.get(name) for row in group
                    ]
                    for name in schema.names
                }
                writer.write_table(pa.table(columns, schema=schema), row_group_size=group_rows)

    def close(self) -> None:
        self._file.close()

    def _type(self, name: str) -> Any:
        """The column's Arrow type; one of mixed kinds is text."""
        import pyarrow as pa

        kinds = self._kinds.get(name, set())
        if kinds == {bool}:
            return pa.bool_()
        if kinds == {int}:
            return pa.int64()
        if kinds and kinds <= {int, float}:
            return pa.float64()
        return pa.string()


def as_json(value: Any) -> str:
    """The value as JSON text with its keys sorted; what JSON cannot say is put as text."""
    try:
        return msgspec.json.encode(value, order="sorted", enc_hook=str).decode()
    except OverflowError:  # an integer of more than 64 bits
        return json.dumps(value, default=str, ensure_ascii=False, sort_keys=True)


def _cell(value: Any) -> bool | int | float | str | None:
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if value in _INT64 else str(value)
    if isinstance(value, float):
        return value if value - value == 0 else None  # neither infinite nor "not a number"
    return as_json(value)


def _as_text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else as_json(value)
