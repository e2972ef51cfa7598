from __future__ import annotations

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.records.jsonl import read_all
from runner.records.published import Interval, ScoresRow
from runner.scoring.intervals import (
    Clusters,
    cluster,
    cluster_bootstrap,
    compute_intervals,
    envelope,
    in_window,
)

PUBLISHED = Path(__file__).parents[4] / "shared" / "data" / "published"


def scores_row(
    ts: str, scores: dict[str, float | None], cids: list[str] | None = None
) -> ScoresRow:
    return ScoresRow(
        ts=ts, bench="news", qids=list(scores), cids=cids, engines={"alpha": list(scores.values())}
    )


def interval_of(*rows: ScoresRow) -> Interval | None:
    return compute_intervals(rows).benches["news"].get("alpha")


def test_vector_12_the_envelope_of_both_clusterings() -> None:
    first = scores_row("2026-11-15T10:17Z", {"q1": 1.0, "q2": 0.0})
    second = scores_row("2026-11-15T11:17Z", {"q1": 1.0})
    by_query = cluster([("q1", 1.0), ("q2", 0.0), ("q1", 1.0)])
    by_run = cluster([("r1", 1.0), ("r1", 0.0), ("r2", 1.0)])
    assert cluster_bootstrap([by_query, by_run]) == [(0.0, 1.0), (0.5, 1.0)]
    assert interval_of(first, second) == Interval(point=0.6667, lo=0.0, hi=1.0)


def test_vector_12_the_ratios_have_the_law_of_drawn_clusters() -> None:
    """P(0) = 1/4, P(2/3) = 1/2, P(1) = 1/4: so the 20 % quantile is 0 and the 30 % one is 2/3."""
    rng = np.random.default_rng(0)
    drawn = rng.integers(0, 2, size=(10_000, 2))
    sums, counts = np.array([2.0, 0.0]), np.array([2, 1])
    ratios = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    shares = [np.mean(np.isclose(ratios, value)) for value in (0, 2 / 3, 1)]
    assert shares == pytest.approx([0.25, 0.5, 0.25], abs=0.015)


def test_vector_13_the_seed_gives_this_very_interval() -> None:
    clusters = Clusters([2.1, 0.4, 1.5, 0.0, 1.0], [3, 1, 2, 1, 2])
    [interval] = cluster_bootstrap([clusters])
    assert interval == pytest.approx((0.3000, 0.6909), abs=5e-5)
    assert sum(clusters.sums) / sum(clusters.counts) == pytest.approx(0.555556, abs=1e-6)


def test_vector_13_forty_of_sixty() -> None:
    scores = [(f"q{i}", 1.0 if i < 40 else 0.0) for i in range(60)]
    once = cluster_bootstrap([cluster(scores)])
    assert once[0] == pytest.approx((0.55, 0.783), abs=0.01)
    assert cluster_bootstrap([cluster(scores * 7)])[0] == pytest.approx(once[0])


def test_fresh_queries_narrow_the_interval() -> None:
    few = cluster((f"q{i}", float(i % 3 > 0)) for i in range(60))
    many = cluster((f"q{i}", float(i % 3 > 0)) for i in range(420))
    widths = [high - low for low, high in filter(None, cluster_bootstrap([few, many]))]
    assert widths[1] < widths[0] / 2


def test_an_input_does_not_feel_its_neighbours_in_one_block() -> None:
    clusters = [Clusters([2.1, 0.4, 1.5, 0.0, 1.0], [3, 1, 2, 1, 2]), Clusters([1, 0], [1, 1])]
    others = [Clusters([float(i), 1, 0, 2, 5], [9, 1, 1, 2, 5]) for i in range(30)]
    together = cluster_bootstrap([*others, *clusters])[30:]
    for alone, beside in zip(cluster_bootstrap(clusters), together, strict=True):
        assert beside == pytest.approx(alone)


def test_many_clusters_in_small_steps_equal_one_block() -> None:
    size, resamples = 3000, 60
    sums, counts = np.linspace(0, 1, size), np.arange(size) % 3 + 1
    drawn = np.random.default_rng(5).integers(0, size, size=(resamples, size))
    ratios = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    [interval] = cluster_bootstrap(
        [Clusters(sums.tolist(), counts.tolist())], resamples=resamples, seed=5
    )
    assert interval == pytest.approx(tuple(np.quantile(ratios, [0.025, 0.975])), abs=1e-12)


def test_vector_22_a_row_of_exactly_seven_days_is_out() -> None:
    newest = "2026-11-15T10:17Z"
    assert not in_window("2026-11-08T10:17Z", newest)
    assert in_window("2026-11-08T10:18Z", newest)
    assert in_window(newest, newest)
    rows = [
        scores_row(ts, {"q1": 1.0}) for ts in ("2026-11-08T10:17Z", "2026-11-08T10:18Z", newest)
    ]
    assert compute_intervals(rows).runs == {"news": ["2026-11-08T10:18Z", newest]}


def test_an_engine_with_one_cluster_of_each_kind_gets_no_interval() -> None:
    assert interval_of(scores_row("2026-11-15T10:17Z", {"q1": 1.0})) is None


def test_a_score_of_none_is_no_score_of_0() -> None:
    with_gap = interval_of(scores_row("2026-11-15T10:17Z", {"q1": 1.0, "q2": None, "q3": 0.5}))
    without = interval_of(scores_row("2026-11-15T10:17Z", {"q1": 1.0, "q3": 0.5}))
    assert with_gap == without
    assert interval_of(scores_row("2026-11-15T10:17Z", {"q1": None, "q2": None})) is None


def test_cluster_ids_take_the_place_of_queries() -> None:
    scores: dict[str, float | None] = {f"q{i}": float(i < 10) for i in range(20)}
    ts = "2026-11-15T10:17Z"
    apart = interval_of(scores_row(ts, scores))
    together = interval_of(scores_row(ts, scores, cids=["a"] * 10 + ["b"] * 10))
    assert apart == Interval(point=0.5, lo=0.3, hi=0.7)
    assert together == Interval(point=0.5, lo=0.0, hi=1.0)


def test_the_envelope_passes_over_what_is_missing() -> None:
    assert envelope([(0.2, 0.4), None]) == (0.2, 0.4)
    assert envelope([(0.2, 0.4), (0.1, 0.3)]) == (0.1, 0.4)
    assert envelope([None]) is None


@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.floats(0, 1)), min_size=2, max_size=12),
)
def test_an_interval_stays_inside_the_scores(scores: list[tuple[str, float]]) -> None:
    [interval] = cluster_bootstrap([cluster(scores)], resamples=200)
    if interval is not None:
        values = [score for _, score in scores]
        assert min(values) - 1e-9 <= interval[0] <= interval[1] <= max(values) + 1e-9


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published data set is not on this machine")
def test_the_published_intervals_come_out_to_the_last_digit() -> None:
    rows = read_all(PUBLISHED / "ci_scores.jsonl", msgspec.json.Decoder(ScoresRow).decode)
    ours = msgspec.to_builtins(compute_intervals(rows))
    ours.pop("schema_version")
    assert ours == json.loads((PUBLISHED / "ci.json").read_text())
