"""Needleif in the one object: models over the same records, compared needle by needle.

Rows over other records are another board: their accuracies are of other questions. Of several runs
of a model over the same records the newest counts, the others are its history.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

from msgspec.structs import replace

from runner.benches.needleif.intervals import paired_difference
from runner.records.needleif import NeedleifRow
from runner.scoring.significance import holm
from sitebuilder.results import ModelPair, NeedleBoard, NeedleModel, NeedleRun

ALPHA = 0.05


def build_needleif(rows: Sequence[NeedleifRow]) -> list[NeedleBoard]:
    """A board for each set of records that was asked, the one asked last first."""
    groups: dict[tuple[str, int], list[NeedleifRow]] = {}
    for row in sorted(rows, key=lambda row: row.ts):
        groups.setdefault((row.dataset.records_sha256, row.dataset.pairs), []).append(row)
    boards = sorted(groups.values(), key=lambda own: own[-1].ts, reverse=True)
    return [_board(own) for own in boards]


def _board(rows: Sequence[NeedleifRow]) -> NeedleBoard:
    """`rows` in order of time."""
    runs: dict[str, list[NeedleifRow]] = {}
    for row in rows:
        runs.setdefault(row.model, []).append(row)
    newest = [own[-1] for own in runs.values()]
    models = sorted((_model(runs[row.model]) for row in newest), key=_place)
    return NeedleBoard(dataset=rows[-1].dataset, models=models, pairwise=_pairs(newest))


def _place(model: NeedleModel) -> tuple[bool, float, str]:
    value = model.loose.long_context.value
    return model.is_reference, 1.0 if value is None else -value, model.model


def _model(runs: Sequence[NeedleifRow]) -> NeedleModel:
    row = runs[-1]
    return NeedleModel(
        model=row.model,
        provider=row.provider,
        is_reference=row.provider == "embedded",
        ts=row.ts,
        samples=row.samples,
        temperature=row.temperature,
        records=row.records,
        answered=row.answered,
        missing=row.missing,
        failed=row.failed,
        truncated=row.truncated,
        pairs=row.pairs,
        pairs_left_out=row.pairs_left_out,
        input_tokens=row.input_tokens,
        output_tokens=row.output_tokens,
        cost_usd=row.cost_usd,
        strict=row.strict,
        loose=row.loose,
        instruction_level_bare=row.instruction_level_bare,
        instruction_level_haystack=row.instruction_level_haystack,
        by=row.by,
        runs=[
            NeedleRun(
                ts=run.ts,
                pairs=run.pairs,
                baseline=run.loose.baseline.value,
                long_context=run.loose.long_context.value,
                distraction_regression=run.loose.distraction_regression.value,
            )
            for run in runs
        ],
    )


def _pairs(rows: Sequence[NeedleifRow]) -> list[ModelPair]:
    """Every pair with single samples over needles that both answered, by name.

    References are compared with each other only where nobody else was asked: each test more makes
    the others weaker.
    """
    models = [row for row in rows if row.provider != "embedded"] or rows
    usable = sorted(
        (row for row in models if row.samples == 1 and row.haystack is not None),
        key=lambda row: row.model,
    )
    found: list[ModelPair] = []
    for a, b in combinations(usable, 2):
        both = [
            (one, other)
            for one, other in zip(a.haystack or [], b.haystack or [], strict=True)
            if one is not None and other is not None
        ]
        if not both:
            continue
        only_a = sum(one > other for one, other in both)
        only_b = sum(one < other for one, other in both)
        interval = paired_difference(only_a, only_b, len(both))
        if interval is None:
            continue
        found.append(
            ModelPair(
                a=a.model,
                b=b.model,
                n=len(both),
                only_a=only_a,
                only_b=only_b,
                delta=(only_a - only_b) / len(both),
                lo=interval[0],
                hi=interval[1],
                p=mcnemar(only_a, only_b),
                p_holm=1.0,
            )
        )
    return _adjusted(found)


def mcnemar(only_a: int, only_b: int) -> float:
    """The exact two-sided p: under no difference each needle of one alone is a coin's throw."""
    n = only_a + only_b
    tail = sum(comb(n, k) for k in range(min(only_a, only_b) + 1))
    return min(1.0, 2 * tail / 2**n) if n else 1.0


def _adjusted(found: Sequence[ModelPair]) -> list[ModelPair]:
    adjusted = holm([pair.p for pair in found])
    return [replace(pair, p_holm=p) for pair, p in zip(found, adjusted, strict=True)]


def leaders(board: NeedleBoard) -> tuple[NeedleModel | None, list[str]]:
    """The model that is first, and those whom the tests do not separate from it.

    A reference is first only where there is no model.
    """
    contestants = [model for model in board.models if not model.is_reference] or board.models
    measured = [model for model in contestants if model.loose.long_context.value is not None]
    if not measured:
        return None, []
    first = measured[0]
    beaten = {
        pair.b if pair.a == first.model else pair.a
        for pair in board.pairwise
        if first.model in (pair.a, pair.b) and pair.p_holm < ALPHA
    }
    return first, [model.model for model in measured[1:] if model.model not in beaten]
