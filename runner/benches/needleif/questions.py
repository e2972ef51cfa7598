"""The records as far as asking goes: which there are, in which order, where each line begins."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.benches.needleif.models.model import Messages
from runner.benches.needleif.reading import CONDITIONS
from runner.errors import DataError


@dataclass(frozen=True)
class Question:
    """One record as far as asking goes, and where its line begins in the file.

    `prompt_tokens` are those that the record itself names, None where it does not.
    """

    id: str
    pair_id: str
    condition: str
    reserve: int
    prompt_tokens: int | None
    offset: int


def questions(records: Path) -> Iterator[Question]:
    """The records in file order; DataError names a line that cannot be asked."""
    offset = 0
    with records.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    yield _question(json.loads(line), offset)
                except (ValueError, KeyError, TypeError, RecursionError) as error:
                    problem = f"{error} is missing" if isinstance(error, KeyError) else error
                    raise DataError(
                        records, f"not a record that can be asked ({problem})", line=number
                    ) from error
            offset += len(line)


def _question(value: dict[str, Any], offset: int) -> Question:
    metadata = value["metadata"]
    reserve = metadata["output_reserve_tokens"]
    if isinstance(reserve, bool) or not isinstance(reserve, int) or reserve < 1:
        raise ValueError(f"output_reserve_tokens is {reserve!r}")
    user_messages(value)
    tokens = metadata.get("total_prompt_tokens")
    return Question(
        value["id"],
        value["pair_id"],
        metadata["condition"],
        reserve,
        tokens if isinstance(tokens, int) else None,
        offset,
    )


def user_messages(value: dict[str, Any]) -> Messages:
    """The messages of a record without the assistant's turn."""
    turns = [
        {"role": message["role"], "content": message["content"]}
        for message in value["messages"]
        if message["role"] != "assistant"
    ]
    if not turns or not all(isinstance(turn["content"], str) for turn in turns):
        raise ValueError("no user turn")
    return turns


def record_at(records: Path, offset: int) -> dict[str, Any]:
    """The record whose line begins there; a document is in memory only while it is asked."""
    with records.open("rb") as lines:
        lines.seek(offset)
        record: dict[str, Any] = json.loads(lines.readline())
    return record


def selected(
    all_questions: Sequence[Question], *, limit: int, conditions: Collection[str] = CONDITIONS
) -> Iterator[Question]:
    """The questions of the wanted conditions, of the first `limit` pairs; 0 is all."""
    pairs: dict[str, None] = {}
    for question in all_questions:
        pairs.setdefault(question.pair_id)
    kept = set(list(pairs)[: limit or len(pairs)])
    for question in all_questions:
        if question.pair_id in kept and question.condition in conditions:
            yield question
