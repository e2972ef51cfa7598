from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.needleif.intervals import (
    bootstrap,
    mean_bare,
    mean_haystack,
    paired_difference,
    pass_at_k,
    penalty,
    regression,
    wilson,
)


@pytest.mark.parametrize(
    ("samples", "passed", "k", "expected"),
    [
        (5, 2, 1, 0.4),
        (5, 2, 3, 0.9),
        (10, 3, 5, 0.9166666667),
        (4, 0, 2, 0.0),
        (4, 4, 2, 1.0),
        (20, 1, 10, 0.5),
        (5, 4, 2, 1.0),  # fewer failures than draws
        (1, 1, 1, 1.0),
        (1000, 1, 500, 0.5),
    ],
)
def test_pass_at_k_is_as_worked(samples: int, passed: int, k: int, expected: float) -> None:
    assert pass_at_k(samples, passed, k) == pytest.approx(expected, abs=5e-11)


def test_pass_at_k_of_too_few_samples_is_undefined() -> None:
    assert pass_at_k(2, 2, 3) is None
    assert pass_at_k(0, 0, 1) is None


@given(st.integers(1, 40).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_pass_at_1_is_the_share_and_pass_at_k_grows_with_k(drawn: tuple[int, int]) -> None:
    samples, passed = drawn
    assert pass_at_k(samples, passed, 1) == pytest.approx(passed / samples)
    values = [pass_at_k(samples, passed, k) or 0.0 for k in range(1, samples + 1)]
    assert values == sorted(values)
    assert values[-1] == (1.0 if passed else 0.0)


@pytest.mark.parametrize(
    ("passed", "of", "low", "high"),
    [
        (0, 10, 0.0, 0.277533),
        (10, 10, 0.722467, 1.0),
        (67, 100, 0.573053, 0.754369),
        (20, 82, 0.163799, 0.346927),
    ],
)
def test_wilson_is_as_worked(passed: int, of: int, low: float, high: float) -> None:
    assert wilson(passed, of) == pytest.approx((low, high), abs=5e-7)


def test_there_is_no_interval_of_nothing() -> None:
    assert wilson(0, 0) is None
    assert paired_difference(0, 0, 0) is None
    assert bootstrap([], (mean_bare, regression)) == [None, None]


def test_the_paired_difference_is_as_worked_and_cut() -> None:
    assert paired_difference(20, 5, 100) == pytest.approx((0.056516, 0.243484), abs=5e-7)
    assert paired_difference(3, 0, 3) == (1.0, 1.0)
    assert paired_difference(2, 0, 3) == pytest.approx((0.13323, 1.0), abs=5e-6)


PAIRS = [(1.0, 0.5), (0.5, 0.5), (0.0, 0.25), (1.0, 0.0)]


def test_the_four_statistics_of_a_hand_made_case() -> None:
    assert mean_bare(PAIRS) == 0.625
    assert mean_haystack(PAIRS) == 0.3125
    assert regression(PAIRS) == 0.7  # (0.5 + 0.25 + 0 + 1) / 2.5
    assert penalty(PAIRS) == 0.3125
    assert [each([]) for each in (mean_bare, mean_haystack, regression, penalty)] == [None] * 4
    assert regression([(0.0, 1.0)]) is None


def test_the_bootstrap_starts_from_the_same_string_each_time() -> None:
    statistics = (mean_bare, mean_haystack, regression, penalty)
    first = bootstrap(PAIRS, statistics)
    assert first == bootstrap(PAIRS, statistics)
    for statistic, interval in zip(statistics, first, strict=True):
        value = statistic(PAIRS)
        assert interval is not None
        assert value is not None
        assert interval[0] < value < interval[1]


def test_the_bootstrap_of_equal_pairs_has_no_width_and_passes_over_what_is_undefined() -> None:
    assert bootstrap([(0.5, 0.25)] * 4, (mean_bare, penalty)) == [(0.5, 0.5), (0.25, 0.25)]
    assert bootstrap([(0.0, 1.0)] * 4, (regression,)) == [None]
    # A resample of the second pair alone has no regression.
    assert bootstrap([(1.0, 0.0), (0.0, 0.0)], (regression,)) == [(1.0, 1.0)]


def test_a_bootstrap_of_single_samples_is_near_wilson() -> None:
    pairs = [(1.0, 1.0)] * 67 + [(0.0, 0.0)] * 33
    (interval,) = bootstrap(pairs, (mean_bare,))
    assert interval == pytest.approx((0.573, 0.754), abs=0.02)
