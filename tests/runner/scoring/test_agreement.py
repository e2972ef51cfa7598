from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.scoring.agreement import agreement_within, at_least, kappa

TABLE = [
    [30, 5, 1, 0, 0],
    [6, 12, 4, 0, 0],
    [1, 5, 15, 4, 1],
    [0, 0, 5, 20, 5],
    [0, 0, 1, 6, 29],
]


def test_vector_18_judge_against_human() -> None:
    assert agreement_within(TABLE, 0) == pytest.approx(0.7067, abs=5e-5)
    assert agreement_within(TABLE, 1) == pytest.approx(0.9733, abs=5e-5)
    assert kappa(TABLE) == pytest.approx(0.6302, abs=5e-5)
    assert kappa(TABLE, power=1) == pytest.approx(0.8115, abs=5e-5)
    assert kappa(TABLE, power=2) == pytest.approx(0.9176, abs=5e-5)
    assert at_least(TABLE, 3) == [[79, 5], [6, 60]]
    assert kappa(at_least(TABLE, 3)) == pytest.approx(0.8509, abs=5e-5)


@given(st.lists(st.integers(1, 9), min_size=2, max_size=5))
def test_perfect_agreement_is_1_at_every_weight(diagonal: list[int]) -> None:
    table = [[n if i == j else 0 for j in range(len(diagonal))] for i, n in enumerate(diagonal)]
    assert agreement_within(table, 0) == 1
    assert [kappa(table, power) for power in (0, 1, 2)] == [1, 1, 1]
