"""The frozen months: each whole, its tables those whose SHA-256 its `results.json` holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from runner.publishing.branch_files import HISTORY
from runner.publishing.closed import digest
from runner.publishing.verify_hot import line_of, line_of_error

Problem = tuple[Path, int | None, str]
_FILE = re.compile(r"needle-(results|overall|social)-(\d{4}-\d\d)\.(csv|json|md|png|webp)")
_WHOLE = {
    ("results", "csv"), ("results", "json"), ("results", "md"), ("overall", "png"),
    ("overall", "webp"), ("social", "png"),
}  # fmt: skip
_STARTS = {"png": b"\x89PNG\r\n\x1a\n", "webp": b"RIFF"}


class _Origin(msgspec.Struct):
    month: str
    sha256: dict[str, str] = {}


class _Frozen(msgspec.Struct):
    """What is read of a frozen `results.json`; those of before the snapshot job have no origin."""

    snapshot: _Origin | None = None


def check_history(data: Path) -> Iterator[Problem]:
    """What is wrong with `history/`; other files than those of months are nobody's business."""
    folder = data / HISTORY
    months: dict[str, dict[tuple[str, str], Path]] = {}
    for path in sorted(folder.glob("needle-*")):
        match = _FILE.fullmatch(path.name)
        if match is None:
            yield path, None, "is no file of a frozen month"
            continue
        months.setdefault(match[2], {})[match[1], match[3]] = path
    for month, files in months.items():
        for kind, ending in sorted(_WHOLE - files.keys()):
            name = f"needle-{kind}-{month}.{ending}"
            yield folder / name, None, "is missing; restore it from an earlier commit"
        for (_, ending), path in files.items():
            start = _STARTS.get(ending)
            if start is not None and not path.read_bytes().startswith(start):
                yield path, None, f"is no {ending.upper()} picture"
        if ("results", "json") in files:
            yield from _check_tables(month, files)


def _check_tables(month: str, files: dict[tuple[str, str], Path]) -> Iterator[Problem]:
    path = files["results", "json"]
    content = path.read_bytes()
    try:
        origin = msgspec.json.decode(content, type=_Frozen).snapshot
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        yield path, line_of_error(content, error), f"cannot be read: {error}"
        return
    if origin is None:
        return
    if origin.month != month:
        yield path, line_of(content, '"month":'), f"is of the month {origin.month}"
    for ending, sha256 in origin.sha256.items():
        table = files.get(("results", ending))
        if table is not None and digest(table.read_bytes()) != sha256:
            line = line_of(content, f'"{ending}": "{sha256}"')
            yield path, line, f"{table} is not the file whose SHA-256 stands here"
