"""From a model's answers to its part of a report, and the same again from an archived report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from runner.benches.needleif.asking import Asked
from runner.benches.needleif.checks import read_slot
from runner.benches.needleif.reading import CUT_SHORT, Answers, Responses, ScoredRecord
from runner.benches.needleif.scoring import Verdicts, score_records
from runner.benches.needleif.summary import summarise
from runner.benches.needleif.table import table_rows, table_text
from runner.records.needleif import (
    AskedModel,
    AskedRecord,
    NeedleCell,
    NeedleDataset,
    NeedleifReport,
    NeedleifRow,
)
from runner.records.reports import Profile


def asked_model(
    records: Sequence[ScoredRecord],
    needles: Mapping[str, Mapping[str, Any]],
    responses: Responses,
    stops: Mapping[str, Sequence[str | None]],
    facts: Mapping[str, Any],
) -> AskedModel:
    """The part of a report: `needles` and `stops` by record id, `facts` the rest of the row.

    `needles` holds the metadata of each record.
    """
    verdicts = score_records(records, responses)
    answers = []
    for each in verdicts:
        record = each.record
        metadata = needles[record.id]
        given = responses.answers.get(record.id)
        answers.append(
            AskedRecord(
                id=record.id,
                pair_id=record.pair_id,
                condition=metadata["condition"],
                size=record.size_bucket,
                depth=record.depth_percent,
                complexity=record.complexity,
                needle=metadata["needle_text"],
                instruction_ids=list(metadata["instruction_id_list"]),
                kwargs=[dict(arguments) for arguments in metadata["kwargs"]],
                responses=list(given.samples) if given else [],
                stop_reasons=list(stops.get(record.id, ())),
                strict=list(each.of("strict")),
                loose=list(each.of("loose")),
                slots_loose=[list(slot.loose) for slot in each.slots],
                is_missing=each.is_missing,
            )
        )
    summary = _summary(verdicts, facts)
    return AskedModel(row=_row(verdicts, summary, facts), summary=summary, answers=answers)


def rebuilt(model: AskedModel) -> AskedModel:
    """The same part with every verdict and every figure reached again from its answers."""
    records = [_scored(answer) for answer in model.answers]
    responses = Responses(
        {
            answer.id: Answers(
                samples=tuple(answer.responses),
                truncated=sum(stop in CUT_SHORT for stop in answer.stop_reasons),
            )
            for answer in model.answers
            if answer.responses
        },
        model.row.model,
    )
    row = model.row
    facts = {name: getattr(row, name) for name in _GIVEN}
    needles = {
        answer.id: {
            "condition": answer.condition,
            "needle_text": answer.needle,
            "instruction_id_list": answer.instruction_ids,
            "kwargs": answer.kwargs,
        }
        for answer in model.answers
    }
    stops = {answer.id: answer.stop_reasons for answer in model.answers}
    return asked_model(records, needles, responses, stops, facts)


def report_table(report: NeedleifReport) -> str:
    """The table of a report's models, for a terminal and for a summary in Markdown."""
    title = f"Needleif {report.ts}, {report.dataset.pairs} pairs, loose pass@1 in percent"
    summaries = [(name, model.summary) for name, model in report.models.items()]
    return f"{title}\n\n{table_text(table_rows(summaries), 'md')}"


# What of a row is not computed from the answers.
_GIVEN = (
    "ts", "model", "provider", "profile", "dataset", "responses_sha256", "samples", "temperature",
    "failed", "input_tokens", "output_tokens", "cost_usd",
)  # fmt: skip


def row_facts(
    *,
    ts: str,
    profile: Profile,
    model: str,
    provider: str,
    dataset: NeedleDataset,
    responses_sha256: str,
    samples: int,
    asked: Asked,
) -> dict[str, Any]:
    """What of a row is known before its answers are scored."""
    return {
        "ts": ts,
        "model": model,
        "provider": provider,
        "profile": profile,
        "dataset": dataset,
        "responses_sha256": responses_sha256,
        "samples": samples,
        "temperature": asked.temperature,
        "failed": asked.failed,
        "input_tokens": asked.input_tokens,
        "output_tokens": asked.output_tokens,
        "cost_usd": asked.cost_usd,
    }


def _scored(answer: AskedRecord) -> ScoredRecord:
    return ScoredRecord(
        id=answer.id,
        pair_id=answer.pair_id,
        condition=answer.condition,
        slots=tuple(
            read_slot(each, given)
            for each, given in zip(answer.instruction_ids, answer.kwargs, strict=True)
        ),
        size_bucket=answer.size,
        depth_percent=answer.depth,
        complexity=answer.complexity,
        answer=None,
    )


def _summary(verdicts: Sequence[Verdicts], facts: Mapping[str, Any]) -> dict[str, Any]:
    return summarise(
        verdicts,
        records_sha256=facts["dataset"].records_sha256,
        responses_sha256=facts["responses_sha256"],
        model=facts["model"],
    )


def _row(
    verdicts: Sequence[Verdicts], summary: Mapping[str, Any], facts: Mapping[str, Any]
) -> NeedleifRow:
    overall = summary["overall"]
    level = overall["loose"]["instruction_level"]
    return NeedleifRow(
        bench="needleif",
        **facts,
        records=summary["records"],
        answered=summary["answered"],
        missing=summary["missing"],
        truncated=summary["truncated"],
        pairs=summary["pairs"],
        pairs_left_out=summary["pairs_left_out"],
        strict=_cell(overall["strict"]["pass@1"]),
        loose=_cell(overall["loose"]["pass@1"]),
        instruction_level_bare=level["bare"],
        instruction_level_haystack=level["haystack"],
        by={
            breakdown: {name: _cell(modes["loose"]["pass@1"]) for name, modes in groups.items()}
            for breakdown, groups in summary["by"].items()
        },
        bare=_pass_values(verdicts, "bare"),
        haystack=_pass_values(verdicts, "haystack"),
    )


def _cell(figures: Mapping[str, Any]) -> NeedleCell:
    return msgspec.convert(figures, NeedleCell)


def _pass_values(verdicts: Sequence[Verdicts], condition: str) -> list[float | None]:
    """The loose pass@1 of each pair's record of one condition, null without an answer."""
    values: dict[str, float | None] = dict.fromkeys(each.record.pair_id for each in verdicts)
    for each in verdicts:
        if each.record.condition == condition and each.samples:
            values[each.record.pair_id] = sum(each.of("loose")) / each.samples
    return list(values.values())
