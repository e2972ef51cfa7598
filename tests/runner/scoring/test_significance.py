from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from runner.scoring.intervals import Clusters
from runner.scoring.significance import (
    benjamini_hochberg,
    difference,
    holm,
    minimum_detectable,
    paired_clusters,
    sign_flip_test,
    t_quantile,
    two_way_variance,
)

P_VALUES = [0.001, 0.012, 0.02, 0.04, 0.3]
probabilities = st.lists(st.floats(0, 1), min_size=1, max_size=20)


def test_vector_16_all_sign_patterns_are_counted() -> None:
    assert sign_flip_test([0.30, 0.10, -0.05, 0.20, 0.15, 0.05]) == 0.09375


def test_vector_17_corrections_for_many_tests() -> None:
    assert holm(P_VALUES) == pytest.approx([0.005, 0.048, 0.06, 0.08, 0.3])
    expected = [0.005, 0.03, 0.033333, 0.05, 0.3]
    assert benjamini_hochberg(P_VALUES) == pytest.approx(expected, abs=1e-6)


def test_vector_19_cluster_robust_interval() -> None:
    found = difference(Clusters([12.4, 11.6, 12.6, 13.2], [20, 20, 18, 20]))
    assert found is not None
    assert found.mean == pytest.approx(0.638462, abs=1e-6)
    assert found.standard_error == pytest.approx(0.025279, abs=1e-6)
    assert t_quantile(0.975, 3) == pytest.approx(3.1824, abs=5e-5)
    assert found.interval() == pytest.approx((0.5580, 0.7189), abs=5e-5)


def test_vector_20_two_way_variance_and_detectable_difference() -> None:
    variance = two_way_variance(0.0004, 0.0003, 0.0002)
    assert variance == pytest.approx(0.0005)
    assert variance**0.5 == pytest.approx(0.022361, abs=1e-6)
    assert minimum_detectable(0.0055) == pytest.approx(0.0154, abs=5e-5)
    assert minimum_detectable(1) == pytest.approx(2.8016, abs=5e-5)


def test_two_way_variance_is_never_below_that_of_one_way() -> None:
    assert two_way_variance(0.0004, 0.0001, 0.0003) == 0.0004


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 10, 29, 168])
def test_t_quantiles_agree_with_an_independent_library(degrees: int) -> None:
    for probability in (0.6, 0.9, 0.975, 0.9995):
        expected = stats.t.ppf(probability, degrees)
        assert t_quantile(probability, degrees) == pytest.approx(expected, rel=1e-8)


def test_corrections_agree_with_an_independent_library() -> None:
    expected = stats.false_discovery_control(P_VALUES)
    assert benjamini_hochberg(P_VALUES) == pytest.approx(list(expected))


def test_only_queries_scored_for_both_are_paired() -> None:
    clusters = paired_clusters(
        [("a", 1.0, 0.5), ("a", 0.5, 0.25), ("b", None, 1.0), ("c", 0.0, None)]
    )
    assert clusters == Clusters([0.75], [2])


def test_one_cluster_has_a_mean_and_no_error() -> None:
    found = difference(Clusters([0.75], [2]))
    assert found is not None
    assert (found.mean, found.standard_error, found.interval()) == (0.375, None, None)
    assert difference(Clusters([], [])) is None


def test_above_16_clusters_random_patterns_are_drawn_from_the_seed() -> None:
    differences = [0.1] * 10 + [-0.05] * 10
    exact = sum(
        comb(10, large) * comb(10, small)
        for large in range(11)
        for small in range(11)
        if abs(2 * (2 * large - 10) + (2 * small - 10)) >= 10
    ) / (1 << 20)
    p = sign_flip_test(differences, seed=3)
    assert p == sign_flip_test(differences, seed=3)
    assert p == pytest.approx(exact, abs=0.01)
    assert sign_flip_test([1.0] * 40) == 1 / 20_001


def test_no_difference_anywhere_gives_p_1() -> None:
    assert sign_flip_test([0.0, 0.0]) == sign_flip_test([]) == 1.0


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=10))
def test_p_does_not_depend_on_which_engine_is_named_first(differences: list[float]) -> None:
    p = sign_flip_test(differences)
    assert 0 < p <= 1
    assert p == sign_flip_test([-value for value in differences])


@given(probabilities)
def test_adjusted_p_values_keep_the_order_and_never_shrink(p_values: list[float]) -> None:
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    for adjusted in (holm(p_values), benjamini_hochberg(p_values)):
        assert all(new >= old - 1e-12 for new, old in zip(adjusted, p_values, strict=True))
        assert all(value <= 1 for value in adjusted)
        ordered = [adjusted[place] for place in order]
        assert ordered == sorted(ordered)
    assert all(
        strict >= loose - 1e-12
        for strict, loose in zip(holm(p_values), benjamini_hochberg(p_values), strict=True)
    )
