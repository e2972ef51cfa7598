"""The needles: instructions whose every slot can be checked, in the order of their keys.

Two forms of file are read and give the same pool: IFEval's own JSON Lines (`key`, `prompt`,
`instruction_id_list`, `kwargs`) and the pool file written here, a JSON array.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from runner.benches.needleif.checks import CHECKS, read_slot
from runner.benches.needleif.faults import RecordFault
from runner.benches.needleif.records import Needle, has_marker_line
from runner.errors import DataError

MOST_SLOTS = 3

# What is odd about some of IFEval's prompts. It changes no verdict, so they stay in the pool.
IFEVAL_NOTES: Mapping[str, frozenset[int]] = {
    "context": frozenset({1000, 3401}),  # names a web page
    "defect": frozenset({30, 337, 2078}),  # the argument is not what the prompt says
    # asks for something that no slot checks
    "unchecked": frozenset({30, 251, 1964, 2097, 2229, 2392, 2807, 3025, 3221}),
}


@dataclass(frozen=True, kw_only=True)
class Pool:
    """The needles by key, and how many rows each id that cannot be checked has cost."""

    needles: tuple[Needle, ...]
    dropped: Mapping[str, int]
    origin: str | None = None  # OWNER/NAME@COMMIT of a data set of the hub

    def of_complexity(self, complexity: str) -> list[Needle]:
        """The simple needles (one slot) or the complex ones (two or three)."""
        return [needle for needle in self.needles if needle.complexity == complexity]

    def unflagged(self) -> Pool:
        """The same pool without the needles that carry a note."""
        kept = tuple(needle for needle in self.needles if not needle.notes)
        return replace(self, needles=kept)


def load_pool(path: Path) -> Pool:
    """The pool of a file in either form; DataError names the line of a row that does not fit."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DataError(path, f"cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise DataError(path, f"is not UTF-8 ({error.reason})") from error
    return pool_of(path, text)


def pool_of(path: Path, text: str) -> Pool:
    """The pool of a file's text; `path` is only for the messages."""
    needles: dict[tuple[str, int], Needle] = {}
    dropped: Counter[str] = Counter()
    for number, row in _rows(path, text):
        try:
            needle = _needle(row, dropped)
        except RecordFault as error:
            raise DataError(path, str(error), line=number) from error
        if needle is None:
            continue
        identity = (needle.source, needle.source_key)
        if identity in needles:
            raise DataError(path, f"the key {needle.source_key} comes twice", line=number)
        needles[identity] = needle
    if not needles:
        raise DataError(path, f"no needle with one of the {len(CHECKS)} known instructions")
    in_order = sorted(needles.values(), key=lambda n: (n.source_key, n.source))
    return Pool(needles=tuple(in_order), dropped=dict(sorted(dropped.items())))


def pool_file(pool: Pool) -> bytes:
    """The pool as a JSON array, one needle a line; `load_pool` reads it back."""
    lines = [
        json.dumps(
            {
                "source": needle.source,
                "source_key": needle.source_key,
                "text": needle.text,
                "instruction_id_list": list(needle.instruction_id_list),
                "kwargs": [dict(arguments) for arguments in needle.kwargs],
                "complexity": needle.complexity,
                "num_instructions": len(needle.instruction_id_list),
                "notes": list(needle.notes),
            },
            ensure_ascii=False,
        )
        for needle in pool.needles
    ]
    return ("[\n" + ",\n".join(lines) + "\n]\n").encode()


def _rows(path: Path, text: str) -> list[tuple[int, Any]]:
    """The rows with their line numbers; those of an array are numbered as its items."""
    if text.lstrip().startswith("["):
        try:
            return list(enumerate(json.loads(text), start=1))
        except (ValueError, RecursionError) as error:
            raise DataError(path, f"no JSON array ({error})") from error
    rows = []
    # Only a line feed ends a line: a prompt may hold other line separators.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            rows.append((number, json.loads(line)))
        except (ValueError, RecursionError) as error:
            raise DataError(path, f"no JSON object ({error})", line=number) from error
    return rows


def _needle(row: Any, dropped: Counter[str]) -> Needle | None:
    """The needle of a row, or None (and counted) where an id is not one of the 17."""
    if not isinstance(row, dict):
        raise RecordFault(f"expected an object, found {row!r:.60}")
    key = row.get("source_key", row.get("key"))
    prompt = row.get("text", row.get("prompt"))
    source = row.get("source", "ifeval")
    ids, kwargs = row.get("instruction_id_list"), row.get("kwargs")
    if not isinstance(key, int) or isinstance(key, bool):
        raise RecordFault(f"key must be a whole number, found {key!r}")
    if not isinstance(prompt, str) or not prompt.strip():
        raise RecordFault(f"prompt must be a text, found {prompt!r:.60}")
    if not isinstance(source, str) or not source:
        raise RecordFault(f"source must be a name, found {source!r:.60}")
    if not isinstance(ids, list) or not ids or not all(isinstance(i, str) for i in ids):
        raise RecordFault(f"instruction_id_list must be a list of ids, found {ids!r:.60}")
    if not isinstance(kwargs, list) or len(kwargs) != len(ids):
        raise RecordFault(f"kwargs must be a list of {len(ids)} objects, found {kwargs!r:.60}")
    unknown = sorted({i for i in ids if i not in CHECKS})
    if unknown:
        dropped.update(unknown)
        return None
    if len(ids) > MOST_SLOTS:
        raise RecordFault(f"{len(ids)} instructions in one needle; {MOST_SLOTS} are the most")
    if has_marker_line(prompt):
        raise RecordFault("the prompt holds a line that marks a document's begin or end")
    slots = [read_slot(i, arguments) for i, arguments in zip(ids, kwargs, strict=True)]
    return Needle(
        source=source,
        source_key=key,
        text=prompt,
        instruction_id_list=tuple(ids),
        kwargs=tuple(slot.arguments for slot in slots),
        notes=_ifeval_notes(key) if source == "ifeval" else _own_notes(row),
    )


def _ifeval_notes(key: int) -> tuple[str, ...]:
    return tuple(note for note, keys in IFEVAL_NOTES.items() if key in keys)


def _own_notes(row: Mapping[str, Any]) -> tuple[str, ...]:
    notes = row.get("notes", [])
    if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
        raise RecordFault(f"notes must be a list of words, found {notes!r:.60}")
    return tuple(notes)
