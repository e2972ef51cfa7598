"""The appended tables of a data directory: read whole and checked, one run's rows replaced.

A line stays the bytes that it was unless it belongs to the run being published. Rows of a bench
that this version does not know (a retired or a newer one) are kept and otherwise left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from runner.errors import DataError
from runner.records.base import encode_line
from runner.records.needleif import NeedleifRow, decode_needleif_row
from runner.records.published import (
    BENCHES,
    LEGACY_BENCHES,
    HistoryRow,
    OverlapRow,
    ScoresRow,
    UniquenessRow,
    decode_history,
    encode_history,
)

R = TypeVar("R", HistoryRow, OverlapRow, UniquenessRow, ScoresRow, NeedleifRow)

_TS = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\dZ")
LAT_MS = re.compile(rb'("lat_ms"\s*:\s*)\[[^\]]*\]')


class _Head(msgspec.Struct):
    """What is read of a row whose bench this version does not know."""

    ts: str
    bench: str | None = None


@dataclass(frozen=True)
class Line(Generic[R]):
    """One row with its bytes; `row` is None where this version does not know the bench."""

    raw: bytes
    ts: str
    bench: str | None
    row: R | None


@dataclass(frozen=True)
class Table(Generic[R]):
    """One file: how its rows are read, written and told apart within a run, and of which benches.

    `benches` are those that this version knows in it.
    """

    name: str
    decode: Callable[[bytes], R]
    encode: Callable[[R], bytes]
    part: Callable[[R], Hashable]
    benches: tuple[str, ...] = BENCHES

    def read(self, folder: Path) -> list[Line[R]]:
        """All lines in file order; a missing file has none.

        Raises DataError with path and line for a row that cannot be read, a cut-off line, and a
        second row with the key of an earlier one. Overlap and uniqueness rows from before they
        named their bench have no complete key and may repeat.
        """
        path = folder / self.name
        lines: list[Line[R]] = []
        first_seen: dict[Hashable, int] = {}
        for number, raw in enumerate(_contents(path).split(b"\n"), start=1):
            if not raw.strip():
                continue
            try:
                line = self.line(raw)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                problem = (
                    f"{error}; mend or remove this line and publish again (a whole batch: --resume)"
                )
                raise DataError(path, problem, line=number) from error
            if line.row is not None and line.bench is not None:
                key = (line.ts, line.bench, self.part(line.row))
                if key in first_seen:
                    problem = f"repeats the row of line {first_seen[key]}; remove one of the two"
                    raise DataError(
                        path, f"{problem} and publish again (a whole batch: --resume)", line=number
                    )
                first_seen[key] = number
            lines.append(line)
        return lines

    def line(self, raw: bytes) -> Line[R]:
        try:
            row = self.decode(raw)
        except msgspec.ValidationError:
            head = msgspec.json.decode(raw, type=_Head)
            if head.bench is None or head.bench in (*self.benches, *LEGACY_BENCHES):
                raise
            return Line(raw, _checked_ts(head.ts), head.bench, None)
        if row.bench is not None and row.bench not in self.benches:
            return Line(raw, _checked_ts(row.ts), row.bench, None)
        return Line(raw, _checked_ts(row.ts), row.bench, row)

    def replace(
        self, lines: Sequence[Line[R]], ts: str, bench: str, rows: Sequence[R]
    ) -> list[Line[R]]:
        """The lines with those of (ts, bench) replaced by `rows`, in the place of the first one.

        A run that is new goes to the end. Replacing in place makes a second publish change nothing.
        """
        is_ours = [line.ts == ts and line.bench == bench for line in lines]
        place = is_ours.index(True) if True in is_ours else len(lines)
        fresh = [Line(self.encode(row).rstrip(b"\n"), ts, bench, row) for row in rows]
        kept = [line for line, ours in zip(lines, is_ours, strict=True) if not ours]
        return kept[:place] + fresh + kept[place:]


def table_bytes(lines: Sequence[Line[R]]) -> bytes:
    """The file: each line as it is, with its newline."""
    return b"".join(line.raw + b"\n" for line in lines)


def without_samples(line: Line[HistoryRow]) -> Line[HistoryRow]:
    """The history line with null for its latency samples; every other byte stays."""
    if line.row is None or not line.row.lat_ms:
        return line
    row = msgspec.structs.replace(line.row, lat_ms=None)
    return Line(LAT_MS.sub(rb"\1null", line.raw, count=1), line.ts, line.bench, row)


def _contents(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise DataError(path, f"cannot be read ({error.strerror})") from error


def _checked_ts(ts: str) -> str:
    """Windows compare timestamps as text, so one of another form would upset them all."""
    if _TS.fullmatch(ts) is None:
        raise msgspec.ValidationError(f"`ts` is {ts!r}, expected the form 2026-11-15T10:17Z")
    return ts


def is_ts(ts: str) -> bool:
    """Whether a text has the form of a published timestamp."""
    return _TS.fullmatch(ts) is not None


_scores_decoder = msgspec.json.Decoder(ScoresRow)


def _decode_scores(raw: bytes) -> ScoresRow:
    row = _scores_decoder.decode(raw)
    lists: dict[str, Sequence[object]] = {**row.engines}
    if row.cids is not None:
        lists["cids"] = row.cids
    for name, values in lists.items():
        if len(values) != len(row.qids):
            raise msgspec.ValidationError(
                f"`{name}` has {len(values)} entries for {len(row.qids)} queries"
            )
    return row


HISTORY = Table("history.jsonl", decode_history, encode_history, lambda row: row.engine)
OVERLAP = Table(
    "overlap.jsonl",
    msgspec.json.Decoder(OverlapRow).decode,
    encode_line,
    lambda row: frozenset((row.a, row.b)),
)
UNIQUENESS = Table(
    "uniqueness.jsonl",
    msgspec.json.Decoder(UniquenessRow).decode,
    encode_line,
    lambda row: row.engine,
)
SCORES = Table("ci_scores.jsonl", _decode_scores, encode_line, lambda row: "run")
NEEDLEIF = Table(
    "needleif.jsonl",
    decode_needleif_row,
    encode_line,
    lambda row: row.model,
    benches=("needleif",),
)
