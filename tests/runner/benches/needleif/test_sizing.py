"""The budget of a window and the search for the longest prompt within it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.needleif.records import Needle
from runner.benches.needleif.sizing import (
    bucket_of,
    longest_fit,
    needed_reserve,
    prompt_budget,
    usable_tokens,
    window_tokens,
)
from runner.errors import UsageError

WORDS = "length_constraints:number_words"


@pytest.mark.parametrize(
    ("label", "budget"),
    [("4k", 1827), ("8k", 5718), ("16k", 13500), ("32k", 29065), ("64k", 60195), ("128k", 122454)],
)
def test_budget_is_95_percent_less_reserve_and_margin(label: str, budget: int) -> None:
    assert prompt_budget(window_tokens(label), 2048) == budget


def test_usable_tokens_are_rounded_down_in_whole_numbers() -> None:
    assert usable_tokens(8192) == 7782
    assert usable_tokens(20) == 19
    assert usable_tokens(19) == 18


@pytest.mark.parametrize("label", ["8", "8K", "0k", "-1k", "k", "8 k", "1.5k", "٣k"])
def test_other_labels_are_refused(label: str) -> None:
    with pytest.raises(UsageError, match="bucket"):
        window_tokens(label)


def _needle(*kwargs: dict[str, object]) -> Needle:
    ids = (WORDS,) * len(kwargs)
    return Needle(source="x", source_key=1, text="t", instruction_id_list=ids, kwargs=kwargs)


@pytest.mark.parametrize(
    ("kwargs", "tokens"),
    [
        ([{"num_words": 1200, "relation": "at least"}], 1864),
        ([{"num_words": 1200, "relation": "less than"}], 64),
        ([{"num_words": 3, "relation": "at least"}], 69),
        ([{"num_words": 10, "relation": "at least"}, {"num_words": 7, "relation": "at least"}], 79),
    ],
)
def test_reserve_needed_is_64_and_one_and_a_half_for_each_word(
    kwargs: list[dict[str, object]], tokens: int
) -> None:
    assert needed_reserve(_needle(*kwargs)) == tokens


def test_reserve_may_differ_by_bucket_and_is_2048_where_the_table_is_silent() -> None:
    table = {"4k": 512}
    assert bucket_of("4k", table, 16).budget == 3891 - 512 - 16
    assert bucket_of("8k", table, 16).budget == 5718


def test_reserve_that_leaves_no_prompt_names_the_bucket() -> None:
    with pytest.raises(UsageError, match="bucket 1k"):
        bucket_of("1k", 2048, 16)


@given(
    st.lists(st.integers(1, 50), min_size=1, max_size=60),
    st.integers(0, 2000),
    st.integers(1, 80),
)
def test_longest_fit_is_exact_where_counts_grow(sizes: list[int], budget: int, start: int) -> None:
    fit = longest_fit(lambda n: sum(sizes[:n]), budget=budget, start=start, most=len(sizes))
    assert sum(sizes[:fit]) <= budget
    assert fit == len(sizes) or sum(sizes[: fit + 1]) > budget


@given(
    st.lists(st.tuples(st.integers(1, 50), st.integers(-60, 60)), min_size=1, max_size=60),
    st.integers(0, 2000),
)
def test_longest_fit_fits_where_counts_are_not_additive(
    sizes: list[tuple[int, int]], budget: int
) -> None:
    def count(n: int) -> int:
        return max(1, sum(size for size, _ in sizes[:n]) + sizes[n - 1][1])

    fit = longest_fit(count, budget=budget, start=7, most=len(sizes))
    assert fit == 0 or count(fit) <= budget
    assert fit == len(sizes) or count(fit + 1) > budget


def test_longest_fit_needs_few_counts_of_even_prose() -> None:
    asked: list[int] = []

    def count(n: int) -> int:
        asked.append(n)
        return 40 + 13 * n + n % 3

    assert longest_fit(count, budget=122_454, start=9_000, most=10_000) == 9416
    assert len(asked) <= 8
