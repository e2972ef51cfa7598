from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.scoring.latency import nearest_rank, summarise


@pytest.mark.parametrize(
    ("samples", "p50", "p95", "mean"),
    [
        ([120, 80, 200, 95, 300, 110, 90, 150, 1000, 85], 110, 1000, 223.0),
        (list(range(1, 21)), 10, 19, 10.5),
        ([5], 5, 5, 5),
    ],
)
def test_vector_8_percentiles_are_nearest_rank(
    samples: list[float], p50: float, p95: float, mean: float
) -> None:
    latency = summarise(samples, 0)
    assert latency is not None
    assert (latency.p50_ms, latency.p95_ms, latency.mean_ms) == (p50, p95, mean)


def test_vector_9_a_later_connection_is_timed_and_counted() -> None:
    """Of 900 (opens the connection), 200, 210, failed, 650 (reconnects) the client keeps three."""
    latency = summarise([650, 200, 210], reconnects=1)
    assert latency is not None
    assert latency.samples_ms == [200, 210, 650]
    assert (latency.n, latency.reconnects, latency.p50_ms) == (3, 1, 210)


def test_no_sample_is_no_latency_rather_than_0() -> None:
    assert summarise([], 3) is None


def test_values_have_one_decimal() -> None:
    latency = summarise([1.26, 2.24], 0)
    assert latency is not None
    assert latency.samples_ms == [1.3, 2.2]
    assert latency.mean_ms == 1.8


@given(st.lists(st.floats(0, 1e6), min_size=1), st.integers(1, 100))
def test_a_percentile_is_a_sample_with_enough_values_at_or_below_it(
    values: list[float], percent: int
) -> None:
    ordered = sorted(values)
    value = nearest_rank(ordered, percent)
    assert 100 * sum(other <= value for other in ordered) >= percent * len(ordered)
    assert 100 * sum(other < value for other in ordered) < percent * len(ordered)
