"""The hot files that `compact` moves weeks out of, each as lines with their run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from runner.errors import DataError
from runner.publishing.tables import (
    HISTORY,
    OVERLAP,
    UNIQUENESS,
    Line,
    is_ts,
    table_bytes,
    without_samples,
)
from runner.publishing.weeks import (
    HISTORY_WEEKS,
    OVERLAP_WEEKS,
    RUNS_WEEKS,
    UNIQUENESS_WEEKS,
    WeekTable,
)
from runner.records.base import encode_document, encode_line
from runner.records.published import HistoryRow, RunEntry
from runner.scoring.intervals import window_start

LOCK = ".publish.lock"


@dataclass(frozen=True)
class HotTable:
    """One hot file and the table of closed weeks that its rows move to."""

    name: str
    weeks: WeekTable
    read: Callable[[Path], list[Line[Any]]]
    encode: Callable[[Sequence[Line[Any]]], bytes]


def drop_old_samples(lines: Sequence[Line[HistoryRow]]) -> list[Line[HistoryRow]]:
    """Latency samples are half of the file and read for 7 days only; the percentiles stay."""
    newest = max((line.ts for line in lines if line.row), default=None)
    if newest is None:
        return list(lines)
    start = window_start(newest)
    return [without_samples(line) if line.ts <= start else line for line in lines]


def _read_runs(folder: Path) -> list[Line[Any]]:
    path = folder / "runs.json"
    try:
        entries = msgspec.json.decode(path.read_bytes(), type=list[RunEntry])
    except FileNotFoundError:
        return []
    except OSError as error:
        raise DataError(path, f"cannot be read ({error.strerror})") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DataError(path, f"{error}; restore the file from an earlier copy") from error
    for entry in entries:
        if not is_ts(entry.ts):
            raise DataError(path, f"`ts` is {entry.ts!r}, expected the form 2026-11-15T10:17Z")
    return [Line(encode_line(entry).rstrip(b"\n"), entry.ts, None, entry) for entry in entries]


def _encode_runs(lines: Sequence[Line[Any]]) -> bytes:
    return encode_document([line.row for line in lines])


HOT_TABLES = (
    HotTable(OVERLAP.name, OVERLAP_WEEKS, OVERLAP.read, table_bytes),
    HotTable(UNIQUENESS.name, UNIQUENESS_WEEKS, UNIQUENESS.read, table_bytes),
    HotTable(HISTORY.name, HISTORY_WEEKS, HISTORY.read, table_bytes),
    HotTable("runs.json", RUNS_WEEKS, _read_runs, _encode_runs),
)
