"""A records file and a model in, a responses file out; a stopped run goes on where it was.

Each finished record is a line that is written at once. Beside `OUT` stand `OUT.run.json`, what the
answers were asked with, and `OUT.errors.jsonl`, the records that got none, which the next run asks
again. When nothing is left to ask, `OUT` is put in the order of the records.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.benches.needleif.models.model import Answer, AskError, Model
from runner.benches.needleif.questions import (
    Question,
    questions,
    record_at,
    selected,
    user_messages,
)
from runner.benches.needleif.reading import CONDITIONS, json_lines
from runner.benches.needleif.reasoning import StripReasoning, without_reasoning
from runner.errors import DataError, UsageError
from runner.llm.client import run_bounded
from runner.progress import Progress
from runner.storage import Journal, write_file

DENIALS_TO_STOP = 2
FIRST_USD = 0.02  # what a record is taken to cost before the first one is known
SAMPLED_TEMPERATURE = 0.7


@dataclass(frozen=True, kw_only=True)
class AskOptions:
    """How to ask: `max_tokens` None is each record's reserve, `limit` counts whole pairs.

    With `max_usd` no record is asked that could carry the spending past it, each counted with one
    and a half times the dearest so far; it needs a model that says what it costs.
    """

    samples: int = 1
    temperature: float | None = 0.0
    max_tokens: int | None = None
    concurrency: int = 4
    conditions: tuple[str, ...] = CONDITIONS
    limit: int = 0
    max_usd: float | None = None
    strip_reasoning: StripReasoning = "auto"
    restart: bool = False

    def __post_init__(self) -> None:
        if self.samples > 1 and self.temperature == 0:
            raise UsageError(
                f"{self.samples} samples at temperature 0 are one sample; "
                "raise --temperature or leave --samples out"
            )


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The whole responses file, earlier runs included; sums are None where a part is unknown.

    `failed` records have no answer. `temperature` is the one that was sent. `stopped` says why
    the run ended before all records were asked.
    """

    done: int
    failed: int
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    temperature: float | None
    stopped: str | None = None

    def spend_line(self, model: str) -> str:
        """What was asked and what it cost, in words."""
        tokens = "unknown tokens"
        if self.input_tokens is not None and self.output_tokens is not None:
            tokens = f"{self.input_tokens:,} tokens in, {self.output_tokens:,} out"
        cost = "at a price unknown" if self.cost_usd is None else f"{self.cost_usd:.4f} USD"
        return f"{model}: {self.done} answers, {tokens}, {cost}"


async def ask_records(
    records: Path, out: Path, model: Model, options: AskOptions, *, progress: Progress
) -> Asked:
    """Asks what `out` does not hold yet. Closes the model.

    Raises DataError for a broken file, UsageError for an `out` of another run.
    """
    try:
        wanted = list(
            selected(list(questions(records)), limit=options.limit, conditions=options.conditions)
        )
        _warn(wanted, options, progress)
        journal, known = _opened(records, out, model, options)
        try:
            left = [question for question in wanted if question.id not in known]
            failures, stopped = await _ask(
                records, journal, known, left, out, model, options, progress
            )
        finally:
            journal.close()
    finally:
        await model.aclose()
    _put_in_order(out, [question.id for question in wanted])
    _write_errors(out, failures)
    temperature = options.temperature if model.takes_temperature else None
    _write_manifest(records, out, model, options, temperature)
    lines = [known[question.id] for question in wanted if question.id in known]
    return Asked(
        done=len(lines),
        failed=len(wanted) - len(lines),
        input_tokens=_total(lines, "input_tokens"),
        output_tokens=_total(lines, "output_tokens"),
        cost_usd=_total(lines, "cost_usd"),
        temperature=temperature,
        stopped=stopped,
    )


def _warn(wanted: list[Question], options: AskOptions, progress: Progress) -> None:
    limit = options.max_tokens
    smaller = sum(1 for question in wanted if limit is not None and limit > question.reserve)
    if smaller:
        progress.note(
            f"--max-tokens {limit} is more than {smaller} records hold back for the answer; "
            "with it their prompts may not fit the window"
        )


def manifest_path(out: Path) -> Path:
    return out.with_name(f"{out.name}.run.json")


def errors_path(out: Path) -> Path:
    return out.with_name(f"{out.name}.errors.jsonl")


def _facts(records: Path, model: Model, options: AskOptions) -> dict[str, Any]:
    """What must be equal for answers to stand in one file."""
    with records.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {
        "records_sha256": digest,
        "model": model.name,
        "provider": model.provider,
        "samples": options.samples,
        "temperature_asked": options.temperature,
        "max_tokens": options.max_tokens,
        "strip_reasoning": options.strip_reasoning,
    }


def _opened(
    records: Path, out: Path, model: Model, options: AskOptions
) -> tuple[Journal, dict[str, dict[str, Any]]]:
    """The open responses file and the lines that it holds, by id."""
    facts = _facts(records, model, options)
    if options.restart:
        for path in (out, manifest_path(out), errors_path(out)):
            path.unlink(missing_ok=True)
    elif out.exists():
        _check_same_run(out, facts)
    write_file(manifest_path(out), _json({**facts, "temperature": options.temperature}))
    journal = Journal(out)  # a line that a kill cut off is gone now
    known = {line["id"]: line for line in _whole_lines(out, options.samples)}
    if len(known) < sum(1 for _ in json_lines(out)):
        journal.close()
        write_file(out, b"".join(map(_json_line, known.values())))
        journal = Journal(out)
    return journal, known


def _check_same_run(out: Path, facts: dict[str, Any]) -> None:
    try:
        held = json.loads(manifest_path(out).read_bytes())
        differing = [name for name in facts if held.get(name) != facts[name]]
    except (OSError, ValueError, AttributeError) as error:
        raise UsageError(
            f"{out} holds answers and {manifest_path(out).name} does not say of which run; "
            "name another --out, or begin anew with --restart"
        ) from error
    if differing:
        name = differing[0]
        raise UsageError(
            f"{out} holds answers with {name} {held.get(name)!r}, not {facts[name]!r}; "
            "name another --out, or begin anew with --restart"
        )


def _whole_lines(out: Path, samples: int) -> Iterator[dict[str, Any]]:
    """The lines with all their samples; a record that is partly done is begun again."""
    for number, line in json_lines(out):
        given = line["responses"] if "responses" in line else [line.get("response")]
        if not isinstance(line.get("id"), str) or not isinstance(given, list):
            raise DataError(out, "not a line of answers; begin anew with --restart", line=number)
        if is_whole(line, samples):
            yield line


def is_whole(line: dict[str, Any], samples: int) -> bool:
    """Whether a line of answers holds all samples of its record."""
    given = line["responses"] if "responses" in line else [line.get("response")]
    return (
        isinstance(given, list)
        and len(given) == samples
        and all(isinstance(each, str) for each in given)
    )


async def _ask(
    records: Path,
    journal: Journal,
    known: dict[str, dict[str, Any]],
    left: list[Question],
    out: Path,
    model: Model,
    options: AskOptions,
    progress: Progress,
) -> tuple[list[dict[str, Any]], str | None]:
    """Asks what is left; the failures, and why the run stopped if it did."""
    failures: list[dict[str, Any]] = []
    denials = flying = 0
    stopped: str | None = None
    purse = _Purse(options.max_usd, known.values())
    progress.phase(f"ask {model.name}", len(left))
    _write_errors(out, [])
    errors = Journal(errors_path(out))

    async def ask(question: Question) -> None:
        nonlocal denials, flying, stopped
        if stopped is None:
            stopped = purse.refusal(flying)
        if stopped is not None:
            return
        flying += 1
        try:
            line = await _line(records, question, model, options)
        except AskError as error:
            failure = {"id": question.id, "status": error.status, "error": error.message}
            failures.append(failure)
            errors.append(_json_line(failure))
            denials = denials + 1 if error.is_denied else 0
            if denials >= DENIALS_TO_STOP:
                stopped = f"the key was refused {denials} times in a row ({error.message})"
        else:
            denials = 0
            journal.append(_json_line(line))
            known[question.id] = line
            purse.paid(line)
        finally:
            flying -= 1
        progress.advance()

    try:
        await run_bounded(left, ask, options.concurrency)
    finally:
        errors.close()
    return failures, stopped


class _Purse:
    """What was spent, and whether one more record may be asked."""

    def __init__(self, most: float | None, lines: Iterable[dict[str, Any]]) -> None:
        self.most = most
        self.spent = self.dearest = 0.0
        self.is_blind = False
        for line in lines:
            self.paid(line)

    def paid(self, line: dict[str, Any]) -> None:
        cost = line["usage"]["cost_usd"]
        if cost is None:
            self.is_blind = True
        else:
            self.spent += cost
            self.dearest = max(self.dearest, cost)

    def refusal(self, flying: int) -> str | None:
        """Why no more is asked, None where it may be."""
        if self.most is None:
            return None
        if self.is_blind:
            return "--max-usd needs a model that says what it costs, as those of OpenRouter do"
        if self.spent + (flying + 1) * (1.5 * self.dearest or FIRST_USD) > self.most:
            return f"{self.spent:.4f} USD are spent and the next record could pass {self.most} USD"
        return None


async def _line(
    records: Path, question: Question, model: Model, options: AskOptions
) -> dict[str, Any]:
    """The line of one record, all samples asked one after the other."""
    messages = user_messages(await asyncio.to_thread(record_at, records, question.offset))
    answers = [
        await model.answer(
            messages,
            max_tokens=options.max_tokens or question.reserve,
            temperature=options.temperature,
        )
        for _ in range(options.samples)
    ]
    texts = [without_reasoning(answer.text, options.strip_reasoning) for answer in answers]
    raws = [
        answer.text if answer.text != text else None
        for answer, text in zip(answers, texts, strict=True)
    ]
    stops = [answer.stop_reason for answer in answers]
    is_single = options.samples == 1
    line: dict[str, Any] = {"id": question.id}
    line |= {"response": texts[0]} if is_single else {"responses": texts}
    line |= {"stop_reason": stops[0] if is_single else stops, "usage": _usage(answers)}
    line |= {"model": model.name}
    if any(raw is not None for raw in raws):
        line["raw"] = raws[0] if is_single else raws
    return line


def _usage(answers: list[Answer]) -> dict[str, Any]:
    def total(values: list[Any]) -> Any:
        return None if any(value is None for value in values) else sum(values)

    return {
        "input_tokens": total([answer.input_tokens for answer in answers]),
        "output_tokens": total([answer.output_tokens for answer in answers]),
        "cost_usd": total([answer.cost_usd for answer in answers]),
    }


def _total(lines: list[dict[str, Any]], name: str) -> Any:
    """The sum over all lines, None where one of them does not say it."""
    values: list[Any] = [(line.get("usage") or {}).get(name) for line in lines]
    return None if any(value is None for value in values) else sum(values)


def _put_in_order(out: Path, ids: list[str]) -> None:
    """Rewrites the file in the order of the records; lines of other records follow as they are."""
    with out.open("rb") as lines:
        held = [(json.loads(line)["id"], line) for line in lines if line.strip()]
    place = {each: number for number, each in enumerate(ids)}
    ordered = sorted(held, key=lambda item: place.get(item[0], len(place)))
    if ordered != held:
        write_file(out, b"".join(line for _, line in ordered))


def _write_errors(out: Path, failures: list[dict[str, Any]]) -> None:
    path = errors_path(out)
    if failures:
        write_file(path, b"".join(map(_json_line, failures)))
    else:
        path.unlink(missing_ok=True)


def _write_manifest(
    records: Path, out: Path, model: Model, options: AskOptions, temperature: float | None
) -> None:
    facts = _facts(records, model, options)
    write_file(manifest_path(out), _json({**facts, "temperature": temperature}))


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def _json_line(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False) + "\n").encode("utf-8", "replace")
