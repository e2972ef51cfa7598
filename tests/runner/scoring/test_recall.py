from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.records.search import SearchError
from runner.scoring.recall import (
    Misses,
    Outcome,
    count_misses,
    first_hit,
    recall_at_k,
    recall_by_group,
)

SERVICE = Outcome(error=SearchError(error_type="http_error", error_message="503"))
ACCOUNT = Outcome(
    error=SearchError(error_type="http_error", error_message="401", error_class="account")
)
MISS = Outcome()


def test_vector_7_an_account_error_is_skipped_and_a_service_error_is_a_zero() -> None:
    recall = recall_at_k([Outcome(1), Outcome(3), MISS, Outcome(2), SERVICE, ACCOUNT])
    assert recall.n == 5
    assert recall.recall == pytest.approx(0.6)
    assert recall.mrr == pytest.approx(0.366667, abs=1e-6)


def test_the_first_match_is_the_hit() -> None:
    assert first_hit([False, True, True]) == 2
    assert first_hit([False]) is None


def test_an_uncertain_miss_is_left_out_and_an_uncertain_hit_counts() -> None:
    assert recall_at_k([Outcome(is_uncertain=True), Outcome(2, is_uncertain=True)]).n == 1


def test_no_scored_query_gives_n_0() -> None:
    assert recall_at_k([ACCOUNT]).n == 0


def test_groups_are_scored_apart() -> None:
    groups = recall_by_group([Outcome(1), MISS, Outcome(2), ACCOUNT], ["b", "a", "a", "b"])
    assert [(name, group.n, group.recall) for name, group in groups.items()] == [
        ("a", 2, 0.5),
        ("b", 1, 1.0),
    ]


def test_a_miss_is_specific_where_another_engine_hit_and_universal_where_none_did() -> None:
    misses = count_misses(
        {
            "A": [MISS, MISS, Outcome(1), SERVICE],
            "B": [Outcome(1), MISS, MISS, MISS],
            "ultimate": [Outcome(1), MISS, Outcome(1), MISS],
        }
    )
    assert misses == {"A": Misses(1, 1), "B": Misses(1, 2), "ultimate": Misses(0, 2)}


@given(st.lists(st.one_of(st.none(), st.integers(1, 5)).map(Outcome), min_size=1))
def test_mrr_never_exceeds_recall(outcomes: list[Outcome]) -> None:
    result = recall_at_k(outcomes)
    assert 0 <= result.mrr <= result.recall <= 1
