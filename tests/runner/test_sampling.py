from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.sampling import SCHEMES, Scheme, hour_seed, permutation, sample, sample_units

ROWS = ["a0", "a1", "a2", "b0", "b1", "c0"]


def stratum(row: str) -> str:
    return row[0]


@pytest.mark.parametrize(
    ("seed", "order"), [(0, [2, 5, 0, 3, 4, 6, 1, 7]), (123, [6, 0, 7, 2, 1, 4, 5, 3])]
)
def test_the_shuffle_of_a_seed_is_fixed(seed: int, order: list[int]) -> None:
    assert permutation(8, seed) == order


def test_the_stratified_sample_of_a_seed_is_fixed() -> None:
    assert sample(ROWS, 5, "stratified", 42, stratum) == ["a0", "c0", "b1", "a1", "b0"]


def test_the_seed_of_an_hour_is_fixed_for_the_whole_hour() -> None:
    seeds = {
        hour_seed(datetime.fromisoformat(text))
        for text in (
            "2026-11-15T10:00:00+00:00",
            "2026-11-15T10:59:59+00:00",
            "2026-11-15T11:30:00+01:00",
        )
    }
    assert seeds == {18000973688260270739}


def test_head_takes_the_first_rows_and_0_takes_all() -> None:
    assert sample(ROWS, 2, "head", 0, stratum) == ["a0", "a1"]
    assert all(sample(ROWS, 0, scheme, 7, stratum) == ROWS for scheme in SCHEMES)


def test_a_uniform_sample_is_the_start_of_the_shuffle() -> None:
    assert sample(list(range(8)), 3, "uniform", 123, str) == [6, 0, 7]


@given(
    st.lists(st.text(alphabet="abcd", min_size=1, max_size=3), unique=True, max_size=12),
    st.integers(1, 15),
    st.sampled_from(SCHEMES),
    st.integers(0, (1 << 64) - 1),
)
def test_a_sample_holds_distinct_rows_up_to_its_limit(
    rows: list[str], limit: int, scheme: Scheme, seed: int
) -> None:
    picked = sample(rows, limit, scheme, seed, stratum)
    assert len(picked) == min(limit, len(rows))
    assert len(set(picked)) == len(picked)
    assert set(picked) <= set(rows)
    assert picked == sample(rows, limit, scheme, seed, stratum)


@given(st.integers(1, 6), st.integers(0, 1000))
def test_a_stratified_sample_takes_one_of_each_stratum_before_a_second(
    limit: int, seed: int
) -> None:
    picked = sample(ROWS, limit, "stratified", seed, stratum)
    assert len({stratum(row) for row in picked[:3]}) == min(limit, 3)


PAPERS = [f"{paper}:{bucket}" for bucket in ("title", "body") for paper in ("a0", "a1", "b0", "c0")]


def paper(row: str) -> str:
    return row.partition(":")[0]


def test_a_sample_of_units_takes_all_rows_of_each_unit_in_file_order() -> None:
    assert sample_units(PAPERS, 6, "stratified", 42, stratum, paper) == [
        *("a0:title", "a0:body"),
        *("c0:title", "c0:body"),
        *("b0:title", "b0:body"),
    ]


def test_head_takes_the_first_units_and_0_takes_all_rows_as_they_are() -> None:
    head = sample_units(PAPERS, 4, "head", 0, stratum, paper)
    assert head == ["a0:title", "a0:body", "a1:title", "a1:body"]
    assert sample_units(PAPERS, 0, "uniform", 0, stratum, paper) == PAPERS


@pytest.mark.parametrize(
    ("limit", "taken"), [(1, 2), (2, 2), (3, 2), (4, 4), (5, 4), (7, 6), (8, 8), (100, 8)]
)
def test_a_unit_that_does_not_fit_is_left_out_but_one_is_always_taken(
    limit: int, taken: int
) -> None:
    for scheme in SCHEMES:
        assert len(sample_units(PAPERS, limit, scheme, 5, stratum, paper)) == taken


@given(
    st.lists(st.text(alphabet="abcd", min_size=1, max_size=3), unique=True, max_size=12),
    st.integers(0, 15),
    st.sampled_from(SCHEMES),
    st.integers(0, (1 << 64) - 1),
)
def test_rows_that_are_units_by_themselves_are_sampled_as_rows(
    rows: list[str], limit: int, scheme: Scheme, seed: int
) -> None:
    assert sample_units(rows, limit, scheme, seed, stratum, str) == sample(
        rows, limit, scheme, seed, stratum
    )


@given(
    st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 9)), unique=True, max_size=30),
    st.integers(1, 30),
    st.sampled_from(SCHEMES),
    st.integers(0, 1000),
)
def test_no_unit_is_torn_apart(
    rows: list[tuple[str, int]], limit: int, scheme: Scheme, seed: int
) -> None:
    picked = sample_units(rows, limit, scheme, seed, lambda row: row[0], lambda row: row[0])
    taken = {row[0] for row in picked}
    assert sorted(picked) == sorted(row for row in rows if row[0] in taken)
    assert len(picked) <= limit or len(taken) == 1
