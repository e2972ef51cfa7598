"""Assistant turns for train and val: made from the bare prompt, checked strictly, then attached.

A turn that does not pass every strict check, or that does not fit the window, is never written. So
a pair either gets the same verified turn in both of its records or none at all.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.benches.needleif.counting import Tokenizer, tokenizer_named
from runner.benches.needleif.models.model import AskError, Model
from runner.benches.needleif.questions import Question, questions, record_at, user_messages
from runner.benches.needleif.reading import ScoredRecord, read_record
from runner.benches.needleif.records import record_lines
from runner.benches.needleif.sizing import usable_tokens, window_tokens
from runner.errors import DataError, UsageError
from runner.llm.client import run_bounded
from runner.progress import Progress
from runner.settings import Settings
from runner.storage import replacing

ATTEMPTS = 8


@dataclass(frozen=True, kw_only=True)
class Attached:
    """How many pairs have a turn, and the ids of those without one, in the records' order."""

    filled: int
    unfilled: list[str]


class _DeniedError(Exception):
    """The key of a model is refused."""


@dataclass(frozen=True)
class _Pair:
    """The two records of a pair; the checks are those of either."""

    bare: Question
    haystack: Question
    record: ScoredRecord


async def attach_answers(
    records: Path,
    out: Path,
    models: Sequence[Model],
    *,
    settings: Settings,
    progress: Progress,
    attempts: int = ATTEMPTS,
    concurrency: int = 4,
    drop_unfilled: bool = False,
    tokenizer: str | None = None,
) -> Attached:
    """Writes `out`, all records with their turns. Each model gets `attempts` at what is left.

    The temperature rises from 0 to 1 over the attempts. With `drop_unfilled` pairs without a turn
    are left out; without it they are written as they were. `tokenizer` says where the records'
    tokenizer is when their name for it does not: a folder. Closes the models. Raises DataError for
    test records and for pairs that are not whole, UsageError for another tokenizer than theirs.
    """
    try:
        pairs, counting = _read(records, settings, tokenizer)
        turns: dict[str, str] = {}
        for model in models:
            left = [pair for pair in pairs if pair.record.pair_id not in turns]
            progress.phase(f"fill with {model.name}", len(left))

            async def fill(pair: _Pair, model: Model = model) -> None:
                turn = await _turn(records, pair, model, counting, attempts, progress)
                if turn is not None:
                    turns[pair.record.pair_id] = turn
                progress.advance()

            try:
                await run_bounded(left, fill, concurrency)
            except* _DeniedError as denied:
                progress.note(f"{model.name}: {denied.exceptions[0]}; no more is asked of it")
    finally:
        for model in models:
            await model.aclose()
    _write(records, out, turns, drop_unfilled=drop_unfilled)
    unfilled = [pair.record.pair_id for pair in pairs if pair.record.pair_id not in turns]
    return Attached(filled=len(turns), unfilled=unfilled)


def _read(records: Path, settings: Settings, named: str | None) -> tuple[list[_Pair], Tokenizer]:
    sides: dict[str, dict[str, Question]] = {}
    tokenizers: set[str] = set()
    for question in questions(records):
        value = record_at(records, question.offset)
        if value["metadata"].get("split") == "test":
            raise DataError(records, f"{question.id} is a test record, which gets no turn")
        tokenizers.add(str(value["metadata"].get("reference_tokenizer")))
        sides.setdefault(question.pair_id, {})[question.condition] = question
    if len(tokenizers) != 1:
        raise DataError(records, f"expected records of one tokenizer, found {sorted(tokenizers)}")
    pairs = []
    for pair_id, known in sides.items():
        if set(known) != {"bare", "haystack"}:
            raise DataError(records, f"pair {pair_id} is not whole")
        record = read_record(record_at(records, known["bare"].offset))
        pairs.append(_Pair(known["bare"], known["haystack"], record))
    recorded = tokenizers.pop()
    tokenizer = tokenizer_named(named or recorded, settings)
    if tokenizer.name != recorded:
        raise UsageError(f"--tokenizer is {tokenizer.name}, the records are counted in {recorded}")
    return pairs, tokenizer


async def _turn(
    records: Path,
    pair: _Pair,
    model: Model,
    tokenizer: Tokenizer,
    attempts: int,
    progress: Progress,
) -> str | None:
    """The first answer that passes and fits, None where no attempt gave one."""
    messages = user_messages(record_at(records, pair.bare.offset))
    for attempt in range(attempts):
        temperature = attempt / (attempts - 1) if attempts > 1 else 0.0
        try:
            answer = await model.answer(
                messages, max_tokens=pair.bare.reserve, temperature=temperature
            )
        except AskError as error:
            if error.is_denied:
                raise _DeniedError(error.message) from error
            progress.note(f"{pair.bare.id}: {error.message}")
            continue
        text = answer.text.strip()
        passes = bool(text) and all(slot.passes(text) for slot in pair.record.slots)
        if passes and await asyncio.to_thread(_fits, records, pair, text, tokenizer):
            return text
    return None


def _fits(records: Path, pair: _Pair, turn: str, tokenizer: Tokenizer) -> bool:
    """Whether both conversations, turn included, are within 95 % of the window."""
    usable = usable_tokens(window_tokens(pair.record.size_bucket))
    for question in (pair.bare, pair.haystack):
        messages = [dict(m) for m in user_messages(record_at(records, question.offset))]
        if tokenizer.count_chat([*messages, _assistant(turn)], False) > usable:
            return False
    return True


def _assistant(turn: str) -> dict[str, str]:
    return {"role": "assistant", "content": turn}


def _write(records: Path, out: Path, turns: dict[str, str], *, drop_unfilled: bool) -> None:
    with records.open("rb") as lines, replacing(out) as temporary, temporary.open("wb") as file:
        for line in lines:
            if not line.strip():
                continue
            record: dict[str, Any] = json.loads(line)
            turn = turns.get(record["pair_id"])
            if turn is not None:
                record["messages"] = [*user_messages(record), _assistant(turn)]
            elif drop_unfilled:
                continue
            file.write(record_lines([record]))
