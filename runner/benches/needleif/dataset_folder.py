"""The data set that `generate` and `run --attach` left in a folder, and what is wrong with it.

`SPLIT.filled.jsonl`, which has the assistant turns, stands for `SPLIT.jsonl` where it is there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from runner.benches.needleif.faults import RecordFault
from runner.benches.needleif.generate import MANIFEST
from runner.benches.needleif.haystack import SPLITS
from runner.benches.needleif.reading import json_lines, own_answers, read_records
from runner.benches.needleif.records import record_lines
from runner.benches.needleif.score import file_sha256
from runner.benches.needleif.scoring import score_records
from runner.benches.needleif.stats import dataset_stats
from runner.errors import DataError, UsageError

_MOST_SHOWN = 5


class _Needles(msgspec.Struct):
    sha256: str
    origin: str | None = None


class _Haystack(msgspec.Struct):
    source: Literal["pg19", "programmatic", "text"]
    revision: str
    origin: str | None = None


class _Manifest(msgspec.Struct):
    """What the card and the checks take from a manifest; it may hold more."""

    seed: int
    tokenizer: str
    wrapper_version: str
    needles: _Needles
    haystack: _Haystack
    files: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class DatasetFolder:
    """The files by split, the manifest of `generate`, `stats`, and the sources of the needles."""

    paths: dict[str, Path]
    hashes: dict[str, str]
    manifest: dict[str, Any]
    stats: dict[str, Any]
    needle_sources: tuple[str, ...]
    problems: tuple[str, ...]  # why this is no data set to publish, a line each

    def summary(self) -> str:
        """The first of the problems, and how many more there are."""
        rest = len(self.problems) - _MOST_SHOWN
        more = f"; and {rest} more" if rest > 0 else ""
        return "; ".join(self.problems[:_MOST_SHOWN]) + more


def read_dataset(folder: Path) -> DatasetFolder:
    """All three splits of a folder; raises UsageError for a missing file, DataError for no records.

    What makes it no data set to publish is listed in `problems`.
    """
    paths = {split: _path(folder, split) for split in SPLITS}
    manifest = _manifest(folder / MANIFEST)
    sources: set[str] = set()
    problems: list[str] = []
    try:
        stats = dataset_stats(list(paths.values()))
        problems += stats["broken"]
        for split, path in paths.items():
            problems += _split_problems(folder, split, path, stats, manifest, sources)
    except RecordFault as error:
        raise DataError(folder, str(error).removeprefix(f"{folder}/")) from error
    return DatasetFolder(
        paths=paths,
        hashes={split: file_sha256(path) for split, path in paths.items()},
        manifest=manifest,
        stats=stats,
        needle_sources=tuple(sorted(sources)),
        problems=tuple(problems),
    )


def _path(folder: Path, split: str) -> Path:
    filled, plain = folder / f"{split}.filled.jsonl", folder / f"{split}.jsonl"
    path = filled if filled.is_file() and split != "test" else plain
    if not path.is_file():
        raise UsageError(f"{plain} is missing; `needleif generate` makes it")
    return path


def _manifest(path: Path) -> dict[str, Any]:
    try:
        data = path.read_bytes()
        msgspec.json.decode(data, type=_Manifest)
        manifest: dict[str, Any] = msgspec.json.decode(data)
    except FileNotFoundError as error:
        raise UsageError(f"{path} is missing; `needleif generate` makes it") from error
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(path, f"is no manifest of `needleif generate` ({error})") from error
    return manifest


def _split_problems(
    folder: Path,
    split: str,
    path: Path,
    stats: dict[str, Any],
    manifest: dict[str, Any],
    sources: set[str],
) -> Iterator[str]:
    """What is wrong with one split's file, invariants aside; adds the sources of its needles."""
    counts = stats["splits"].get(split, {"unfilled": 0})
    if counts["unfilled"]:
        pairs = counts["unfilled"] // 2
        yield f"{path.name}: {pairs} pairs have no assistant turn; run --attach makes them"
    asked = hashlib.sha256()
    lines: list[bytes] = []
    for _, value in json_lines(path):
        sources.add(str(value["metadata"].get("needle_source")))
        if value["metadata"].get("split") != split:
            yield f"{path.name}: {value['id']} is of the split {value['metadata'].get('split')}"
        line = record_lines([{**value, "messages": value["messages"][:1]}])
        asked.update(line)
        lines.append(hashlib.sha256(line).digest())
    made = manifest["files"].get(f"{split}.jsonl")
    if not lines:
        yield f"{path.name}: holds no records"
    elif asked.hexdigest() != made and not _is_part(lines, folder / f"{split}.jsonl", made):
        yield f"{path.name}: its prompts are not those that {MANIFEST} tells of"
    if split != "test":
        yield from _failing(path)


def _is_part(lines: list[bytes], generated: Path, made: str | None) -> bool:
    """Whether the lines are some of the generated ones in order: those that could be filled."""
    if not generated.is_file() or file_sha256(generated) != made:
        return False
    with generated.open("rb") as file:
        left = (hashlib.sha256(line).digest() for line in file)
        return all(line in left for line in lines)


def _failing(path: Path) -> Iterator[str]:
    """The assistant turns that do not pass all their checks strictly."""
    records = read_records(path)
    for verdicts in score_records(records, own_answers(records)):
        if not all(verdicts.of("strict")):
            yield f"{verdicts.record.id}: its assistant turn fails a check"
