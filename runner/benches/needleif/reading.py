"""Records and responses, read line by line; whatever does not fit is named with its line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .checks import Slot, read_slot
from .faults import RecordFault

CONDITIONS = ("bare", "haystack")
CUT_SHORT = ("length", "max_tokens")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredRecord:
    """What scoring needs of a record; its text is left behind, but for the assistant's turn."""

    id: str
    pair_id: str
    condition: str
    slots: tuple[Slot, ...]
    size_bucket: str
    depth_percent: float | None
    complexity: str
    answer: str | None  # the assistant turn of train and val


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The samples given to one record, none when it is missing, and how many were cut short."""

    samples: tuple[str, ...]
    truncated: int = 0


@dataclass(frozen=True, slots=True)
class Responses:
    """Answers by record id, and the model that every line names, if it is one."""

    answers: dict[str, Answers]
    model: str | None


def json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON Lines file with their line numbers; blank lines are passed over.

    Raises RecordFault for a line that is no JSON object or not UTF-8, OSError for no file.
    """
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                value = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise RecordFault(f"{path}:{number}: not a line of JSON ({error})") from None
            if not isinstance(value, dict):
                raise RecordFault(f"{path}:{number}: expected a JSON object")
            yield number, value


def read_records(path: Path) -> list[ScoredRecord]:
    """The records in file order; RecordFault for one that scoring can not use or a second id."""
    records: list[ScoredRecord] = []
    seen: set[str] = set()
    for number, value in json_lines(path):
        try:
            record = read_record(value)
            if record.id in seen:
                raise RecordFault(f"record {record.id}: a second record of this id")
        except RecordFault as fault:
            raise RecordFault(f"{path}:{number}: {fault}") from None
        seen.add(record.id)
        records.append(record)
    return records


def read_record(value: dict[str, Any]) -> ScoredRecord:
    """One record of the schema; slots keep their positions, for ids repeat within a needle."""
    name = f"record {value.get('id')!s}"
    metadata = value.get("metadata")
    if not isinstance(metadata, dict):
        raise RecordFault(f"{name}: expected metadata, found {metadata!r}")
    ids, kwargs = metadata.get("instruction_id_list"), metadata.get("kwargs")
    if not isinstance(ids, list) or not isinstance(kwargs, list) or len(ids) != len(kwargs):
        raise RecordFault(f"{name}: instruction_id_list and kwargs must be lists of one length")
    if not ids:
        raise RecordFault(f"{name}: no instruction")
    try:
        slots = tuple(read_slot(each, given) for each, given in zip(ids, kwargs, strict=True))
    except RecordFault as fault:
        raise RecordFault(f"{name}: {fault}") from None
    condition = _string(name, metadata, "condition")
    if condition not in CONDITIONS:
        raise RecordFault(f"{name}: condition must be bare or haystack, found {condition!r}")
    depth = metadata.get("depth_percent")
    if isinstance(depth, bool) or not isinstance(depth, int | float | None):
        raise RecordFault(f"{name}: depth_percent must be a number or null, found {depth!r}")
    return ScoredRecord(
        id=_string("record", value, "id"),
        pair_id=_string(name, value, "pair_id"),
        condition=condition,
        slots=slots,
        size_bucket=_string(name, metadata, "size_bucket"),
        depth_percent=None if depth is None else float(depth),
        complexity=_string(name, metadata, "complexity"),
        answer=_assistant_turn(name, value.get("messages")),
    )


def _string(name: str, value: dict[str, Any], field: str) -> str:
    found = value.get(field)
    if not isinstance(found, str):
        raise RecordFault(f"{name}: {field} must be a string, found {found!r}")
    return found


def _assistant_turn(name: str, messages: object) -> str | None:
    if not isinstance(messages, list):
        raise RecordFault(f"{name}: messages must be a list")
    for message in messages:
        if isinstance(message, dict) and message.get("role") == "assistant":
            return _string(name, message, "content")
    return None


def own_answers(records: Iterable[ScoredRecord]) -> Responses:
    """The assistant turns of the records themselves as their answers."""
    return Responses(
        {
            record.id: Answers(samples=() if record.answer is None else (record.answer,))
            for record in records
        },
        None,
    )


def read_responses(path: Path, known: Iterable[str]) -> Responses:
    """The answers by id. An empty string is an answer; null and an empty list are missing.

    Raises RecordFault, with the line, for both or neither of `response` and `responses`, for
    anything but strings in them, and for an id that is unknown or comes twice.
    """
    ids = frozenset(known)
    answers: dict[str, Answers] = {}
    models: set[str] = set()
    for number, value in json_lines(path):
        try:
            record_id = _string("response", value, "id")
            if record_id not in ids:
                raise RecordFault(f"unknown id {record_id!r}")
            if record_id in answers:
                raise RecordFault(f"a second line for id {record_id!r}")
            answers[record_id] = _read_answers(value)
        except RecordFault as fault:
            raise RecordFault(f"{path}:{number}: {fault}") from None
        if isinstance(value.get("model"), str):
            models.add(value["model"])
    return Responses(answers, models.pop() if len(models) == 1 else None)


def _read_answers(value: dict[str, Any]) -> Answers:
    if ("response" in value) == ("responses" in value):
        raise RecordFault("expected either response or responses")
    if "response" in value:
        given = value["response"]
        samples = [] if given is None else [given]
    else:
        given = value["responses"]
        samples = [] if given is None else given
    if not isinstance(samples, list) or not all(isinstance(each, str) for each in samples):
        raise RecordFault("a response must be a string, responses a list of strings")
    stops = value.get("stop_reason")
    reasons = stops if isinstance(stops, list) else [stops]
    truncated = min(sum(reason in CUT_SHORT for reason in reasons), len(samples))
    return Answers(samples=tuple(samples), truncated=truncated)
