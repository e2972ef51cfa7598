"""JSONL in: good rows are kept, bad ones are reported by path and line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from runner.errors import DataError

T = TypeVar("T")


@dataclass(frozen=True)
class BadRow:
    """A line that could not be used, and why."""

    path: Path
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.reason}"


@dataclass(frozen=True)
class Rows(Generic[T]):
    """What a file gave: the good rows in file order, and the bad ones."""

    good: list[T]
    bad: list[BadRow]


def read_rows(path: Path, decode: Callable[[bytes], T]) -> Rows[T]:
    """All rows of a JSONL file; a missing file gives none. Blank lines are passed over.

    A last line without a newline counts as bad unless it decodes whole: it was cut off.
    """
    return decode_rows(read_file(path), path, decode)


def read_file(path: Path) -> bytes:
    """The content, empty where there is no file; raises DataError where it cannot be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise DataError(path, f"cannot be read ({error.strerror})") from error


def decode_rows(data: bytes, path: Path, decode: Callable[[bytes], T]) -> Rows[T]:
    """The same from the content of a file; `path` is what bad rows are reported by."""
    good: list[T] = []
    bad: list[BadRow] = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            good.append(decode(line))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            bad.append(BadRow(path, number, str(error)))
        except RecursionError:
            bad.append(BadRow(path, number, "nested too deeply"))
    return Rows(good, bad)


def read_all(path: Path, decode: Callable[[bytes], T]) -> list[T]:
    """All rows; raises DataError at the first bad one, with its path and line."""
    rows = read_rows(path, decode)
    if rows.bad:
        first = rows.bad[0]
        raise DataError(first.path, f"{first.reason}; mend or remove this line", line=first.line)
    return rows.good
