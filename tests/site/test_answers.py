"""A lead is claimed only where the tests carry it."""

from __future__ import annotations

import pytest

from sitebuilder.answers import build_answers
from sitebuilder.results import Board, BoardRow, Figure, Pair


def _pair(a: str, b: str, p_holm: float) -> Pair:
    return Pair(a=a, b=b, delta=0.1, lo=0.0, hi=0.2, p=p_holm, p_holm=p_holm, n=40, clusters=40)


def _board(engines: str, tests: dict[str, float]) -> Board:
    rows = [
        BoardRow(
            engine=engine,
            score=Figure(value=0.9 - place / 10, lo=0.0, hi=1.0),
            share=None,
            reason=None,
            rank=place + 1,
            rank_lo=None,
            rank_hi=None,
            mrr=None,
            slices=[],
            n_scored=40,
            n_asked=40,
            n_runs=1,
            search_errors=0,
            account_errors=0,
            service_errors=0,
            judge_errors=0,
            p50_ms=None,
            p95_ms=None,
            n_latency=0,
            reconnects=0,
            price_usd_per_1k=None,
        )
        for place, engine in enumerate(engines)
    ]
    return Board(
        bench="news",
        label="News",
        metric="ndcg",
        k=5,
        runs=["2026-08-20T10:17Z"],
        judge_model=None,
        interval_method=None,
        interval_reason=None,
        test_method=None,
        mdd=None,
        pairwise=[_pair(names[0], names[1], p) for names, p in tests.items()],
        engines=rows,
        ultimate=None,
    )


CLAIMS = [
    ("xy", {"xy": 0.049}, "leads", []),
    ("xy", {"xy": 0.05}, "tie", ["y"]),
    ("xyz", {"xy": 0.01, "xz": 0.2, "yz": 1.0}, "tie", ["z"]),
    ("xyz", {"xy": 0.01, "xz": 0.01, "yz": 1.0}, "leads", []),
    ("zxy", {"xz": 0.2, "yz": 0.01, "xy": 1.0}, "tie", ["x"]),
    ("xyz", {"xy": 0.01}, "untested", []),
    ("xyz", {"xy": 0.5}, "untested", []),
    ("xy", {}, "untested", []),
    ("x", {}, "alone", []),
]


@pytest.mark.parametrize(("engines", "tests", "verdict", "tied"), CLAIMS)
def test_the_verdict_follows_the_tests_against_the_leader(
    engines: str, tests: dict[str, float], verdict: str, tied: list[str]
) -> None:
    (answer,) = build_answers({"news": _board(engines, tests)}, [], [])
    assert (answer.leader, answer.verdict, answer.tied) == (engines[0], verdict, tied)


def test_the_leader_is_named_first_in_its_test_against_the_next() -> None:
    (answer,) = build_answers({"news": _board("zx", {"xz": 0.2})}, [], [])
    assert answer.versus
    assert (answer.versus.a, answer.versus.b, answer.versus.delta) == ("z", "x", -0.1)
