"""Query files: JSONL rows of a bench, or plain text with one query a line."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import msgspec

from runner.benches.bench import Bench
from runner.errors import DataError, UsageError
from runner.records.jsonl import Rows, decode_rows, read_file, read_rows
from runner.records.queries import QueryOrigin, QueryRow, check_query_text, decode_query
from runner.text import hour_ts, query_hash, query_id


def load_queries(path: Path, now: datetime, bench: Bench) -> Rows[QueryRow]:
    """The usable rows in file order, each query id once, and the unusable ones.

    A line that begins with `{` is a row; any other line is the text of a query, even a bare JSON
    scalar such as `1984`. On a known-item bench a row without usable gold cannot be scored, so it
    is unusable. Raises UsageError where there is no file, DataError where no row is left.
    """
    if not path.exists():
        made = f"needle {bench.name} generate --out FILE"
        raise UsageError(f"{path}: no such file; make one with: {made}")

    seen: set[str] = set()

    def decode(line: bytes) -> QueryRow:
        row = _decode(line, now)
        if bench.target is not None:
            bench.target(row)  # for what it refuses
        if row.query_id in seen:
            raise msgspec.ValidationError("an earlier line asks the same")
        seen.add(row.query_id)
        return row

    if bench.query_lines is None:
        rows = read_rows(path, decode)
    else:
        try:
            rows = decode_rows(bench.query_lines(read_file(path), now), path, decode)
        except ValueError as error:
            raise DataError(path, str(error)) from error
    if not rows.good:
        reason = f" (first: {rows.bad[0]})" if rows.bad else ""
        raise DataError(path, f"no queries loaded{reason}")
    return rows


def encode_queries(rows: Iterable[QueryRow]) -> bytes:
    """The rows as JSONL."""
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)


def text_query(text: str, now: datetime) -> QueryRow:
    """The row of a query that somebody typed: no provenance, domain `other`."""
    return QueryRow(
        query_id=query_id(text, now),
        query_hash=query_hash(text),
        query_text=text,
        query_source="text",
        query_origin=QueryOrigin(bucket="text"),
        hour_ts=hour_ts(now),
        query_produced_at=hour_ts(now),
    )


def _decode(line: bytes, now: datetime) -> QueryRow:
    if line.lstrip().startswith(b"{"):
        return decode_query(line)
    text = line.decode().strip().removeprefix("\ufeff")
    check_query_text(text)
    return text_query(text, now)
