"""Who is first, overall and in each bench, and whether the tests carry the claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from sitebuilder.comparisons import between, is_separated
from sitebuilder.results import Answer, Board, Figure, Pair, Standing

Verdict = Literal["leads", "tie", "untested", "alone"]
Ranked = Sequence[tuple[str, Figure, int]]


def build_answers(
    boards: Mapping[str, Board], standings: Sequence[Standing], overall: Sequence[Pair]
) -> list[Answer]:
    """Overall first where engines are ranked overall, then each bench of the boards."""
    answers = []
    ranked = [(row.engine, row.overall, row.n_scored) for row in standings if row.overall]
    if ranked:
        answers.append(_answer("overall", "All benches", ranked, overall))
    for bench, board in boards.items():
        scored = [(row.engine, row.score, row.n_scored) for row in board.engines if row.score]
        answers.append(_answer(bench, board.label, scored, board.pairwise))
    return answers


def _answer(scope: str, label: str, ranked: Ranked, pairs: Sequence[Pair]) -> Answer:
    (leader, first, n), others = ranked[0], ranked[1:]
    tests = {engine: between(pairs, leader, engine) for engine, _, _ in others}
    tied = [engine for engine, test in tests.items() if test and not is_separated(test)]
    verdict: Verdict = "leads"
    if not others:
        verdict = "alone"
    elif any(test is None for test in tests.values()):
        verdict = "untested"
    elif tied:
        verdict = "tie"
    return Answer(
        scope=scope,
        label=label,
        leader=leader,
        figure=first,
        gap=round(1 - first.value, 6) if scope == "overall" else None,
        n=n,
        runner_up=others[0][0] if others else None,
        runner_up_figure=others[0][1] if others else None,
        versus=tests[others[0][0]] if others else None,
        tied=tied if verdict == "tie" else [],
        verdict=verdict,
    )
