"""What is going to be asked, said before anything is sent or paid."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.benches.needleif.asking import AskOptions, is_whole
from runner.benches.needleif.questions import questions, selected
from runner.errors import DataError


@dataclass(frozen=True, kw_only=True)
class Ahead:
    """What is left of a run; `held` records have their answers already.

    `input_tokens` are counted by the records' own tokenizer, None where a record does not say;
    `output_tokens` are the most that may come back.
    """

    requests: int
    held: int
    input_tokens: int | None
    output_tokens: int

    def line(self, model: str) -> str:
        """The same in words."""
        read = "unknown tokens" if self.input_tokens is None else f"{self.input_tokens:,} tokens"
        text = f"{model}: {self.requests:,} requests, about {read} in"
        text += f" and at most {self.output_tokens:,} out"
        return f"{text}; {self.held:,} records are answered already" if self.held else text


def ahead(records: Path, out: Path, options: AskOptions) -> Ahead:
    """What `ask_records` would send now; reads only. DataError names a broken line."""
    held = set() if options.restart else set(_answered(out, options.samples))
    known = list(questions(records))
    wanted = list(selected(known, limit=options.limit, conditions=options.conditions))
    left = [question for question in wanted if question.id not in held]
    tokens = [question.prompt_tokens for question in left]
    return Ahead(
        requests=len(left) * options.samples,
        held=len(wanted) - len(left),
        input_tokens=_times(options.samples, tokens),
        output_tokens=sum(options.max_tokens or each.reserve for each in left) * options.samples,
    )


def _answered(out: Path, samples: int) -> Iterator[str]:
    """The ids of the records that have all their answers; a line that was cut off has none."""
    if not out.exists():
        return
    with out.open("rb") as lines:
        for number, raw in enumerate(lines, start=1):
            if not raw.endswith(b"\n") or not raw.strip():
                continue
            try:
                line = json.loads(raw)
                if is_whole(line, samples):
                    yield line["id"]
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                problem = "not a line of answers; begin anew with --restart"
                raise DataError(out, problem, line=number) from error


def _times(samples: int, tokens: Sequence[int | None]) -> int | None:
    known = [each for each in tokens if each is not None]
    return samples * sum(known) if len(known) == len(tokens) else None
