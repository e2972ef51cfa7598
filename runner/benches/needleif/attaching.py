"""Assistant turns for train and val: made from the bare prompt, checked strictly, then attached.

A turn that does not pass every strict check, or that does not fit the window, is never written. So
a pair either gets the same verified turn in both of its records or none at all.

Each turn is kept in `OUT.turns.jsonl` as it comes, so that a stopped run, or one that left pairs
without a turn, goes on with what is missing. The file goes when every pair has its turn.
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
from runner.benches.needleif.reading import ScoredRecord, json_lines, read_record
from runner.benches.needleif.records import record_lines
from runner.benches.needleif.sizing import usable_tokens, window_tokens
from runner.errors import DataError, UsageError
from runner.llm.client import run_bounded
from runner.progress import Progress
from runner.settings import Settings
from runner.storage import Journal, replacing

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
    restart: bool = False,
) -> Attached:
    """Writes `out`, all records with their turns. Each model gets `attempts` at what is left.

    The temperature rises from 0 to 1 over the attempts. With `drop_unfilled` pairs without a turn
    are left out; without it they are written as they were. `tokenizer` says where the records'
    tokenizer is when their name for it does not: a folder. `restart` forgets earlier turns. Closes
    the models. Raises DataError for test records and for pairs that are not whole, UsageError for
    another tokenizer than theirs.
    """
    kept = turns_path(out)
    journal: Journal | None = None
    try:
        pairs, counting = _read(records, settings, tokenizer)
        if restart:
            kept.unlink(missing_ok=True)
        journal = Journal(kept)  # a line that a kill cut off is gone now
        turns = _kept_turns(kept, records, pairs, counting)
        for model in models:
            left = [pair for pair in pairs if pair.record.pair_id not in turns]
            progress.phase(f"fill with {model.name}", len(left))

            async def fill(pair: _Pair, model: Model = model, journal: Journal = journal) -> None:
                turn = await _turn(records, pair, model, counting, attempts, progress)
                if turn is not None:
                    line = {"pair_id": pair.record.pair_id, "turn": turn}
                    journal.append((json.dumps(line) + "\n").encode())
                    turns[pair.record.pair_id] = turn
                progress.advance()

            try:
                await run_bounded(left, fill, concurrency)
            except* _DeniedError as denied:
                progress.note(f"{model.name}: {denied.exceptions[0]}; no more is asked of it")
    finally:
        if journal is not None:
            journal.close()
        for model in models:
            await model.aclose()
    _write(records, out, turns, drop_unfilled=drop_unfilled)
    unfilled = [pair.record.pair_id for pair in pairs if pair.record.pair_id not in turns]
    if not unfilled:
        kept.unlink(missing_ok=True)
    return Attached(filled=len(turns), unfilled=unfilled)


def turns_path(out: Path) -> Path:
    return out.with_name(f"{out.name}.turns.jsonl")


def _kept_turns(
    path: Path, records: Path, pairs: Sequence[_Pair], tokenizer: Tokenizer
) -> dict[str, str]:
    """The turns of an earlier run, those that still pass and fit: the records may be others."""
    by_id = {pair.record.pair_id: pair for pair in pairs}
    turns: dict[str, str] = {}
    for number, line in json_lines(path):
        pair, turn = by_id.get(str(line.get("pair_id"))), line.get("turn")
        if not isinstance(turn, str):
            raise DataError(path, "not a turn; begin anew with --restart", line=number)
        if pair is not None and _passes(pair, turn) and _fits(records, pair, turn, tokenizer):
            turns[pair.record.pair_id] = turn
    return turns


def _passes(pair: _Pair, turn: str) -> bool:
    return bool(turn) and all(slot.passes(turn) for slot in pair.record.slots)


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
        if _passes(pair, text) and await asyncio.to_thread(_fits, records, pair, text, tokenizer):
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
