"""Clustered means, joint resamples and the products behind them, against the plain ways."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.scoring.intervals import Clusters
from runner.scoring.significance import difference
from sitebuilder.resampling import (
    draws,
    pair_clusters,
    quantiles,
    resample,
    robust,
    sign_draws,
    t_975,
)
from tests.site.made_scores import matrix


def test_the_clustered_error_is_that_of_the_hand_worked_run_clusters() -> None:
    sums = np.array([[12.4], [11.6], [12.6], [13.2]])
    counts = np.array([[20.0], [20.0], [18.0], [20.0]])
    found = robust(sums, counts)
    assert found.mean[0] == pytest.approx(0.638462, abs=5e-7)
    assert found.error[0] == pytest.approx(0.025279, abs=5e-7)
    assert found.bounds()[:, 0] == pytest.approx([0.5580, 0.7189], abs=5e-5)


def test_one_cluster_tells_nothing_about_the_spread() -> None:
    found = robust(np.array([[3.0]]), np.array([[4.0]]))
    assert found.mean[0] == 0.75
    assert np.isnan(found.bounds()).all()


clusters = st.lists(st.tuples(st.floats(-5, 5), st.integers(1, 9)), min_size=2, max_size=12)


@given(clusters)
def test_columns_have_the_error_of_the_single_test(pairs: list[tuple[float, int]]) -> None:
    sums, counts = [a for a, _ in pairs], [n for _, n in pairs]
    single = difference(Clusters(sums, counts))
    found = robust(np.array([sums]).T, np.array([counts], dtype=float).T)
    assert single
    assert found.mean[0] == pytest.approx(single.mean)
    assert found.error[0] == pytest.approx(single.standard_error, abs=1e-12)
    assert found.bounds()[:, 0] == pytest.approx(single.interval(), abs=1e-9)


@pytest.mark.parametrize("degrees", [1, 2, 3, 6, 13, 28, 29, 200])
def test_t_agrees_with_an_independent_library(degrees: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    assert t_975(degrees) == pytest.approx(stats.t.ppf(0.975, degrees), rel=1e-9)


def test_resampled_means_follow_the_law_of_the_hand_worked_example() -> None:
    scores = matrix({"a": [1, 1, 0]}, queries=[0, 0, 1], runs=[0, 1, 0])
    laws = {"query": {0.0: 0.25, 2 / 3: 0.5, 1.0: 0.25}, "run": {0.5: 0.25, 2 / 3: 0.5, 1.0: 0.25}}
    bounds = {"query": [0.0, 1.0], "run": [0.5, 1.0]}
    for unit in scores.labels:
        found = resample(scores, unit)
        assert found.own.mean[0] == pytest.approx(2 / 3)
        assert quantiles(found.means)[:, 0] == pytest.approx(bounds[unit])
        for value, share in laws[unit].items():
            assert np.isclose(found.means[0], value).mean() == pytest.approx(share, abs=0.02)


def test_sixty_queries_give_the_known_interval_and_repeating_them_changes_nothing() -> None:
    ones = [1.0] * 40 + [0.0] * 20
    once = resample(matrix({"a": ones}, queries=range(60)), "query")
    again = resample(matrix({"a": ones * 7}, queries=[*range(60)] * 7), "query")
    assert quantiles(once.means)[:, 0] == pytest.approx([0.55, 0.783], abs=0.01)
    assert quantiles(again.means).tolist() == quantiles(once.means).tolist()


@pytest.mark.parametrize("groups", [2, 7, 40, 3000])
def test_every_resample_draws_as_many_clusters_as_there_are(groups: int) -> None:
    places, blocks = zip(*draws(groups, [0, 1]), strict=True)
    assert places[0] == 0
    times = np.hstack(blocks) if groups < 3000 else blocks[0]
    assert (times.sum(axis=0) == groups).all()
    assert sum(block.shape[1] for block in blocks) == 10_000
    assert times.mean(axis=1) == pytest.approx(1.0, abs=0.3 if groups == 3000 else 0.06)


def test_random_signs_are_even() -> None:
    signs = sign_draws(9, np.random.default_rng(0), 8000)
    assert set(np.unique(signs)) == {-1.0, 1.0}
    assert signs.mean(axis=1) == pytest.approx(0, abs=0.05)
    assert np.corrcoef(signs)[np.triu_indices(9, 1)] == pytest.approx(0, abs=0.05)


def _holey(rows: int, seed: int) -> dict[str, list[float | None]]:
    """Four engines; `d` lacks the first third, the others a query here and there."""
    rng = np.random.default_rng(seed)
    columns: dict[str, list[float | None]] = {}
    for name in "abcd":
        values: list[float | None] = rng.random(rows).round(4).tolist()
        columns[name] = [None if rng.random() < 0.05 else value for value in values]
    columns["d"] = [None] * (rows // 3) + columns["d"][rows // 3 :]
    return columns


def test_products_by_engine_equal_products_by_pair() -> None:
    rng = np.random.default_rng(5)
    scores = matrix(_holey(300, 1), queries=rng.permutation(np.arange(300) % 80).tolist())
    pairs = pair_clusters(scores, "query")
    times = rng.integers(0, 4, size=(80, 50)).astype(float)
    assert np.allclose(pairs.drawn(times), (pairs.sums.T @ times) / (pairs.counts.T @ times))
    signs = sign_draws(80, rng, 64)
    assert np.allclose(pairs.flipped(signs), pairs.sums.T @ signs)


def test_pairs_count_only_what_both_have() -> None:
    scores = matrix({"a": [1, 0.5, None], "b": [0.5, None, 1]}, queries=[0, 0, 1])
    pairs = pair_clusters(scores, "query")
    assert pairs.sums.tolist() == [[0.5], [0.0]]
    assert pairs.counts.tolist() == [[1.0], [0.0]]
    drawn = pairs.drawn(np.array([[1.0, 2.0, 0.0], [1.0, 0.0, 2.0]]))
    assert drawn[0, :2].tolist() == [0.5, 0.5]
    assert np.isnan(drawn[0, 2])


def test_a_share_has_the_error_of_the_linearised_ratio() -> None:
    """Against the resamples themselves, which know nothing of the linearisation."""
    rng = np.random.default_rng(2)
    ceiling = rng.random(400) < 0.9
    engine = ceiling & (rng.random(400) < 0.7)
    columns = {"a": engine.astype(float).tolist(), "ultimate": ceiling.astype(float).tolist()}
    found = resample(matrix(columns, queries=range(400)), "query")
    assert found.shares.mean[0] == pytest.approx(engine.mean() / ceiling.mean())
    assert found.shares.error[0] == pytest.approx(found.share_draws()[0].std(), rel=0.03)
    assert found.shares.error[1] == pytest.approx(0, abs=1e-12)


def test_without_a_ceiling_there_is_no_share() -> None:
    found = resample(matrix({"a": [0, 0, 0], "ultimate": [0, 0, 0]}, queries=range(3)), "query")
    assert np.isnan(found.shares.mean).all()
    assert np.isnan(resample(matrix({"a": [1, 0]}, queries=[0, 1]), "query").shares.error).all()


def test_resamples_without_a_value_are_passed_over() -> None:
    rows = np.array([[0.0, 1.0, np.nan, np.nan], [np.nan] * 4])
    bounds = quantiles(rows)
    assert bounds[:, 0] == pytest.approx([0.025, 0.975])
    assert np.isnan(bounds[:, 1]).all()
