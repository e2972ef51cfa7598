"""Which needle goes where: counts, depths, disjoint splits, and what a further bucket changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.needleif.allocation import (
    Plan,
    half_up,
    interleaved,
    pairs_by_bucket,
    planned,
)
from runner.benches.needleif.config import FULL, SAMPLE, Config
from runner.benches.needleif.pool import Pool, load_pool
from runner.benches.needleif.records import Needle
from runner.errors import UsageError
from tests.runner.benches.needleif.sources import IFEVAL, NEEDLES, needs_shared


@pytest.mark.parametrize(("value", "whole"), [(0.5, 1), (1.4999, 1), (2.5, 3), (0, 0), (3.5, 4)])
def test_half_is_rounded_upwards(value: float, whole: int) -> None:
    assert half_up(value) == whole


def test_full_grid_has_33_complex_pairs_of_100_in_each_split() -> None:
    expected = {"4k": (5, 3), "8k": (8, 4), "16k": (11, 5), "32k": (13, 7)}
    expected |= {"64k": (15, 7), "128k": (15, 7)}
    for split in ("test", "train", "val"):
        assert pairs_by_bucket(FULL, split) == expected


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ({"1k": 4, "2k": 4}, {"1k": (3, 1), "2k": (2, 2)}),  # 3 of 8, and the last evens it out
        ({"1k": 5, "2k": 5}, {"1k": (3, 2), "2k": (4, 1)}),
        ({"1k": 2, "2k": 2, "4k": 0}, {"1k": (1, 1), "2k": (2, 0), "4k": (0, 0)}),
        ({"1k": 1, "2k": 1}, {"1k": (1, 0), "2k": (0, 1)}),
        ({"1k": 0}, {"1k": (0, 0)}),
    ],
)
def test_last_bucket_evens_out_the_complex_pairs(
    pairs: dict[str, int], counts: dict[str, tuple[int, int]]
) -> None:
    assert pairs_by_bucket(replace(FULL, pairs=pairs), "test") == counts


def test_split_multiplies_each_bucket() -> None:
    config = replace(FULL, pairs={"1k": 3, "2k": 6}, splits={"test": 0.5})
    assert pairs_by_bucket(config, "test") == {"1k": (1, 1), "2k": (2, 1)}


@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=6),
    st.floats(0, 1),
    st.floats(0, 3),
)
def test_complex_pairs_are_the_asked_share_of_every_split(
    sizes: list[int], fraction: float, factor: float
) -> None:
    config = replace(
        FULL,
        pairs={f"{i + 1}k": n for i, n in enumerate(sizes)},
        complex_fraction=fraction,
        splits={"val": factor},
    )
    counts = pairs_by_bucket(config, "val")
    assert [sum(each) for each in counts.values()] == [half_up(n * factor) for n in sizes]
    assert all(simple >= 0 and complex_ >= 0 for simple, complex_ in counts.values())
    total = sum(map(sum, counts.values()))
    assert sum(complex_ for _, complex_ in counts.values()) == half_up(total * fraction)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 5))
def test_complexity_is_spread_evenly_over_the_depths(
    simple: int, complex_: int, depths: int
) -> None:
    order = interleaved(simple, complex_, depths)
    assert Counter(order) == +Counter(simple=simple, complex=complex_)
    at_depth = [order[depth::depths].count("complex") for depth in range(depths)]
    room = [len(order[depth::depths]) for depth in range(depths)]
    assert max(at_depth) - min(at_depth) <= 1 or len(order) < depths
    assert all(n <= most for n, most in zip(at_depth, room, strict=True))


def _needle(key: int, slots: int, words: int = 0) -> Needle:
    arguments = {"num_words": words, "relation": "at least"}
    ids = ("length_constraints:number_words",) * slots if words else ("startend:quotation",) * slots
    return Needle(
        source="own",
        source_key=key,
        text=f"Needle {key}.",
        instruction_id_list=ids,
        kwargs=(arguments if words else {},) * slots,
    )


def _pool(simple: int, complex_: int) -> Pool:
    needles = [_needle(key, 1) for key in range(simple)]
    needles += [_needle(1000 + key, 2) for key in range(complex_)]
    return Pool(needles=tuple(needles), dropped={})


SMALL = Config(haystack="programmatic", output_reserve=256, pairs={"1k": 3, "2k": 6})


def _keys(plans: Sequence[Plan]) -> list[int]:
    return [plan.needle.source_key for plan in plans]


def test_every_needle_is_used_once_and_depths_cycle_within_each_bucket() -> None:
    plans = planned(SMALL, _pool(18, 9))
    assert list(plans) == ["test", "train", "val"]
    every = [key for split in plans.values() for key in _keys(split)]
    assert sorted(every) == [*range(18), *range(1000, 1009)]
    for split, pairs in plans.items():
        assert {plan.split for plan in pairs} == {split}
        places = [(plan.bucket.label, plan.index, plan.depth_percent) for plan in pairs]
        assert places == [
            *[("1k", i, (10.0, 50.0, 90.0)[i % 3]) for i in range(3)],
            *[("2k", i, (10.0, 50.0, 90.0)[i % 3]) for i in range(6)],
        ]
        assert [plan.needle.complexity for plan in pairs].count("complex") == 3


@pytest.mark.parametrize(
    ("simple", "complex_", "message"),
    [
        (17, 9, "18 simple needles are asked for and the pool has 17"),
        (18, 8, "9 complex needles are asked for and the pool has 8"),
        (0, 0, "18 simple needles are asked for and the pool has 0"),
    ],
)
def test_pool_that_is_too_small_is_refused_with_both_numbers(
    simple: int, complex_: int, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        planned(SMALL, _pool(simple, complex_))


@pytest.mark.parametrize("seed", range(5))
def test_long_answers_go_only_where_the_reserve_holds_them(seed: int) -> None:
    needles = [_needle(key, 1, words=100 if key % 2 else 200) for key in range(40)]
    config = Config(
        seed=seed,
        output_reserve={"1k": 300, "2k": 400},
        pairs={"1k": 2, "2k": 2},
        complex_fraction=0,
    )
    plans = planned(config, Pool(needles=tuple(needles), dropped={}))
    for plan in (plan for split in plans.values() for plan in split):
        assert plan.bucket.label == "2k" or plan.needle.source_key % 2
    assert len({key for split in plans.values() for key in _keys(split)}) == 12


def test_bucket_whose_reserve_holds_no_answer_is_named() -> None:
    needles = tuple(_needle(key, 1, words=200) for key in range(9))
    config = Config(output_reserve=300, pairs={"1k": 1}, complex_fraction=0)
    with pytest.raises(UsageError, match="bucket 1k of test: no needle is left whose answer"):
        planned(config, Pool(needles=needles, dropped={}))


@cache
def _sample_pool() -> Pool:
    return load_pool(NEEDLES)


def test_further_bucket_named_last_leaves_the_others_as_they_were() -> None:
    before = planned(SAMPLE, _sample_pool())
    wider = replace(SAMPLE, pairs={**SAMPLE.pairs, "8k": 3})
    after = planned(wider, _sample_pool())
    for split, pairs in before.items():
        assert after[split][: len(pairs)] == pairs
        assert len(after[split]) == len(pairs) + 3


@pytest.mark.parametrize("kept", [("test",), ("train", "val"), ("val",)])
def test_split_that_is_left_out_changes_no_other(kept: tuple[str, ...]) -> None:
    every = planned(SAMPLE, _sample_pool())
    some = planned(replace(SAMPLE, splits=dict.fromkeys(kept, 1.0)), _sample_pool())
    assert some == {split: every[split] for split in kept}


def test_split_larger_than_its_third_goes_on_with_what_the_others_leave() -> None:
    config = replace(SAMPLE, splits={"test": 2.0, "train": 0.5, "val": 0.5})
    plans = planned(config, _sample_pool())
    keys = [set(_keys(pairs)) for pairs in plans.values()]
    assert [len(each) for each in keys] == [36, 9, 9]
    assert len(set().union(*keys)) == 54


def test_another_seed_draws_other_needles() -> None:
    one, other = (planned(replace(SAMPLE, seed=seed), _sample_pool()) for seed in (666, 667))
    assert _keys(one["test"]) != _keys(other["test"])


@needs_shared
def test_full_grid_draws_300_needles_each_once() -> None:
    plans = planned(FULL, load_pool(IFEVAL))
    assert {split: len(pairs) for split, pairs in plans.items()} == dict.fromkeys(plans, 100)
    assert len({key for pairs in plans.values() for key in _keys(pairs)}) == 300
    for pairs in plans.values():
        assert Counter(p.needle.complexity for p in pairs) == {"simple": 67, "complex": 33}
        by_depth = Counter((p.depth_percent, p.needle.complexity) for p in pairs)
        complex_ = [by_depth[depth, "complex"] for depth in (10.0, 50.0, 90.0)]
        assert max(complex_) - min(complex_) <= 6  # at most one a bucket
