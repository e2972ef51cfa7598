"""From records and responses to verdicts: every slot of every sample, strict and loose."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .checks import loose_variants
from .reading import Answers, Responses, ScoredRecord

MODES = ("strict", "loose")
_MISSING = Answers(samples=())


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotVerdicts:
    """The verdicts on one slot, one for each sample."""

    instruction_id: str
    strict: tuple[bool, ...]
    loose: tuple[bool, ...]

    def of(self, mode: str) -> tuple[bool, ...]:
        return self.strict if mode == "strict" else self.loose


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """The verdicts on one record; a sample passes when all its slots do."""

    record: ScoredRecord
    slots: tuple[SlotVerdicts, ...]
    samples: int
    truncated: int
    is_missing: bool = False

    def of(self, mode: str) -> tuple[bool, ...]:
        """Whether each sample passes; in loose mode each slot may use another variant."""
        by_slot = [slot.of(mode) for slot in self.slots]
        return tuple(all(each) for each in zip(*by_slot, strict=True))

    def to_json(self) -> dict[str, Any]:
        """The line of the results file."""
        return {
            "id": self.record.id,
            "pair_id": self.record.pair_id,
            "condition": self.record.condition,
            "n": self.samples,
            "strict": list(self.of("strict")),
            "loose": list(self.of("loose")),
            "slots": [
                {
                    "id": slot.instruction_id,
                    "strict": list(slot.strict),
                    "loose": list(slot.loose),
                }
                for slot in self.slots
            ],
            "truncated": self.truncated,
        }


def score_sample(record: ScoredRecord, response: str) -> list[tuple[bool, bool]]:
    """(strict, loose) for each slot of the record. The response is taken as it is, untrimmed."""
    strict = [slot.passes(response) for slot in record.slots]
    if all(strict):
        return [(True, True) for _ in record.slots]
    variants = loose_variants(response)
    return [
        (passed, passed or slot.passes_any(variants[1:]))
        for slot, passed in zip(record.slots, strict, strict=True)
    ]


def score_record(record: ScoredRecord, answers: Answers) -> Verdicts:
    """The verdicts on the samples of one record; none when it is missing."""
    by_sample = [score_sample(record, response) for response in answers.samples]
    return Verdicts(
        record=record,
        slots=tuple(
            SlotVerdicts(
                instruction_id=slot.instruction_id,
                strict=tuple(sample[position][0] for sample in by_sample),
                loose=tuple(sample[position][1] for sample in by_sample),
            )
            for position, slot in enumerate(record.slots)
        ),
        samples=len(answers.samples),
        truncated=answers.truncated,
        is_missing=not answers.samples,
    )


def score_records(
    records: Sequence[ScoredRecord], responses: Responses, *, fails_missing: bool = False
) -> list[Verdicts]:
    """The verdicts in record order. `fails_missing` scores an absent answer as failed samples,
    as many as the best-answered record has; it stays marked as missing."""
    scored = [
        score_record(record, responses.answers.get(record.id, _MISSING)) for record in records
    ]
    if not fails_missing:
        return scored
    most = max((verdicts.samples for verdicts in scored), default=0) or 1
    return [
        _failed(verdicts.record, most) if verdicts.is_missing else verdicts for verdicts in scored
    ]


def _failed(record: ScoredRecord, samples: int) -> Verdicts:
    no = (False,) * samples
    return Verdicts(
        record=record,
        slots=tuple(
            SlotVerdicts(instruction_id=slot.instruction_id, strict=no, loose=no)
            for slot in record.slots
        ),
        samples=samples,
        truncated=0,
        is_missing=True,
    )


def results_jsonl(scored: Sequence[Verdicts]) -> str:
    """The results file: one record a line, in record order."""
    return "".join(json.dumps(verdicts.to_json(), ensure_ascii=False) + "\n" for verdicts in scored)
