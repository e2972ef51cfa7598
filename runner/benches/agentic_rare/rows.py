"""The rows of the agentic_rare bench: those of the filtered artifact, and those that are asked.

Nested values of the artifact are JSON texts in Parquet and may be either in JSONL; both are read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from io import BytesIO
from typing import Any

import msgspec

from runner.benches.agentic_rare.filtering.stream import is_parquet, read_batches
from runner.benches.agentic_rare.filtering.words import LengthBucket, length_bucket, tidy, words_of
from runner.errors import DataError
from runner.records.queries import QueryOrigin, QueryRow, check_query_text
from runner.text import hour_ts, query_hash, query_id

QUERY_SOURCE = "agentic_rare"
MAX_ROWS = 1_000_000


class HardWord(msgspec.Struct, frozen=True, kw_only=True):
    """A rare word and the pieces that it breaks into."""

    word: str
    subwords: list[str] = []


class RareRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the artifact; columns of the stream that no row of a query has are passed over."""

    query_text: str
    source: str | None = None
    metadata: Any = None
    length_bucket: LengthBucket
    n_words: int
    hard_words: list[HardWord] = []
    max_pieces: int | None = None


def decode_rare(raw: Mapping[str, Any]) -> RareRow:
    """The row, nested or with JSON texts; raises msgspec.ValidationError for an unusable one.

    A row without a length is measured: the bucket is that of its words.
    """
    check_query_text(raw.get("query_text"))
    row = {name: value for name, value in raw.items() if value is not None}
    for name in ("metadata", "hard_words"):
        if isinstance(row.get(name), str):
            row[name] = _unpacked(row[name])
    n_words = len(words_of(tidy(row["query_text"])))
    row = {"n_words": n_words, "length_bucket": length_bucket(n_words)} | row
    return msgspec.convert(row, RareRow)


def read_artifact(data: bytes) -> tuple[list[RareRow], list[str]]:
    """The rows of an artifact, Parquet or JSONL, and why each of the unusable ones is left out.

    Raises ValueError for data that is neither, or where no row can be used.
    """
    rows: list[RareRow] = []
    bad: list[str] = []
    try:
        for batch in read_batches(BytesIO(data), "the artifact"):
            bad += ["no JSON object"] * batch.unreadable
            places = range(len(batch.queries))
            for query, others in zip(batch.queries, batch.others(places), strict=True):
                try:
                    rows.append(decode_rare({**others, "query_text": query}))
                except msgspec.MsgspecError as error:
                    bad.append(str(error))
            if len(rows) > MAX_ROWS:
                raise ValueError(f"more than {MAX_ROWS:,} rows")
    except DataError as error:
        raise ValueError(str(error)) from error
    if not rows:
        raise ValueError(f"no row that can be used ({bad[0]})" if bad else "no rows")
    return rows, bad


def rare_row(row: RareRow, *, now: datetime, queries_from: str = "artifact") -> QueryRow:
    """The row of a query; `queries_from` is noted where it is not the artifact."""
    text = row.query_text
    provenance: dict[str, Any] = {"producer": QUERY_SOURCE, "source": row.source}
    provenance["metadata"] = row.metadata
    provenance["hard_words"] = msgspec.to_builtins(row.hard_words)
    if queries_from != "artifact":
        provenance["queries_from"] = queries_from
    return QueryRow(
        query_id=query_id(text, now),
        query_hash=query_hash(text),
        query_text=text,
        query_source=QUERY_SOURCE,
        query_origin=QueryOrigin(
            bucket=QUERY_SOURCE,
            subcategory=f"rare_{row.length_bucket}",
            length_bucket=row.length_bucket,
            provenance={name: value for name, value in provenance.items() if value is not None},
        ),
        hour_ts=hour_ts(now),
        query_produced_at=hour_ts(now),
    )


def as_query_lines(data: bytes, now: datetime) -> bytes:
    """A file of queries as JSONL of rows that can be asked, whatever form it had.

    Rows of an artifact, Parquet or JSONL, become rows of the hour `now`; lines that are such rows
    already, plain words or broken stay as they are and where they are. Raises ValueError for
    Parquet that is no artifact.
    """
    if is_parquet(data):
        rows, _ = read_artifact(data)
        return b"".join(_line(row, now) + b"\n" for row in rows)
    return b"\n".join(_adopted(line, now) for line in data.split(b"\n"))


def _adopted(line: bytes, now: datetime) -> bytes:
    try:
        raw = msgspec.json.decode(line) if line.lstrip().startswith(b"{") else None
        if not isinstance(raw, dict) or "query_id" in raw:
            return line
        return _line(decode_rare(raw), now)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return line  # whoever reads it says what is wrong with it


def _line(row: RareRow, now: datetime) -> bytes:
    return msgspec.json.encode(rare_row(row, now=now, queries_from="file"))


def bucket_of(row: QueryRow) -> str:
    """The length bucket, also of rows that only name it in their subcategory, or not at all."""
    origin = row.query_origin
    named = origin.length_bucket or origin.subcategory.removeprefix("rare_")
    if named in ("short", "medium", "long"):
        return named
    return length_bucket(len(words_of(tidy(row.query_text))))


def distinct(rows: Sequence[RareRow]) -> list[RareRow]:
    """The rows in their order, of equal queries the first."""
    first: dict[str, RareRow] = {}
    for row in rows:
        first.setdefault(query_hash(row.query_text), row)
    return list(first.values())


def _unpacked(text: str) -> Any:
    """What a JSON text holds; a text that is none stands for itself."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text
