"""Paired gaps: only items with both scores count, and the interval is over items."""

from __future__ import annotations

import pytest

from runner.scoring.gaps import paired_gap


def test_a_gap_is_the_mean_difference_over_items_that_have_both() -> None:
    scores = [
        ("p1", "title", 1.0),
        ("p1", "body", 0.0),
        ("p2", "title", 1.0),
        ("p2", "body", 1.0),
        ("p3", "title", 1.0),
        ("p3", "body", None),  # an account error: not paired
        ("p4", "title", 0.0),
        ("p4", "body", 1.0),
        ("p5", "title", 1.0),
        ("p5", "body", 0.0),
        ("p6", "tot", 1.0),
    ]
    gap = paired_gap(scores, "title", "body")
    assert gap is not None
    assert (gap.n, gap.delta) == (4, pytest.approx(0.25))
    assert gap.lo is not None
    assert gap.hi is not None
    assert -1 <= gap.lo < gap.delta < gap.hi <= 1


def test_without_a_pair_there_is_no_gap_and_with_one_no_interval() -> None:
    assert paired_gap([("p1", "title", 1.0)], "title", "body") is None
    one = paired_gap([("p1", "title", 1.0), ("p1", "body", 0.0)], "title", "body")
    assert one is not None
    assert (one.n, one.delta, one.lo, one.hi) == (1, 1.0, None, None)


def test_equal_scores_have_no_gap_and_no_width() -> None:
    scores = [(f"p{i}", group, float(i % 2)) for i in range(20) for group in ("title", "body")]
    gap = paired_gap(scores, "title", "body")
    assert gap is not None
    assert (gap.delta, gap.lo, gap.hi) == (0.0, 0.0, 0.0)
