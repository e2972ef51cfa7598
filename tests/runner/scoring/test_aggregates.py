from __future__ import annotations

import pytest

from runner.records.published import BENCHES
from runner.scoring.aggregates import (
    mean_scored,
    overall_share,
    share_of_ultimate,
    weighted_mean,
)

ULTIMATE = {"news": 1.0, "agentic_rare": 1.0, "finance": 0.96, "scholar": 0.87, "legal": 0.98}
ENGINE = {"news": 0.66, "agentic_rare": 0.50, "finance": 0.90, "scholar": 0.66, "legal": 0.79}


def test_vector_14_the_overall_share_needs_every_bench() -> None:
    shares = {bench: share_of_ultimate(ENGINE[bench], ULTIMATE[bench]) for bench in BENCHES}
    assert [shares[bench] for bench in ULTIMATE] == pytest.approx(
        [0.66, 0.5, 0.9375, 0.758621, 0.806122], abs=1e-6
    )
    assert overall_share(shares, BENCHES) == pytest.approx(0.732449, abs=1e-6)
    two = {"news": shares["news"], "finance": shares["finance"]}
    assert overall_share(two, ["news", "finance"]) == pytest.approx(0.798750, abs=1e-6)
    assert overall_share(two, BENCHES) is None


def test_vector_15_means_are_weighted_by_scored_queries() -> None:
    assert weighted_mean([(0.5, 20), (0.7, 10)]) == pytest.approx(0.566667, abs=1e-6)
    assert weighted_mean([(0.60, 20), (0.50, 18)]) == pytest.approx(0.552632, abs=1e-6)


def test_rows_without_a_value_or_weight_are_left_out() -> None:
    assert weighted_mean([(None, 20), (0.5, 0), (0.3, None), (0.7, 1)]) == 0.7
    assert weighted_mean([(None, 20)]) is None


def test_no_scores_give_n_0() -> None:
    assert mean_scored([None, None]) == (0.0, 0)


def test_a_share_without_an_ultimate_is_missing() -> None:
    assert share_of_ultimate(0.5, 0.0) is None
    assert share_of_ultimate(None, 1.0) is None
