"""Draws: the same on every machine, another for each use."""

from __future__ import annotations

from runner.benches.draws import derived_seed, drawn, picked


def test_draws_depend_on_seed_and_use_alone() -> None:
    assert derived_seed(1, "a") == derived_seed(1, "a")
    assert len({derived_seed(1, "a"), derived_seed(1, "b"), derived_seed(2, "a")}) == 3
    assert derived_seed(1, "a", "b") != derived_seed(1, "ab")
    assert {drawn(3, seed) for seed in range(50)} == {0, 1, 2}
    assert picked([1, 2, 3], 5, 0) != []
    assert sorted(picked(range(9), 9, 4)) == list(range(9))
    assert len(picked(range(9), 4, 4)) == 4
