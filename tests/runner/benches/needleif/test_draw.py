"""Random choices that every version of Python makes alike."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.needleif.draw import below, chosen, generator, shuffled


def test_generator_starts_from_the_first_64_bits_of_a_hash() -> None:
    # The first 16 digits of `printf '666|prose|test|8k|0' | sha256sum`.
    same = Random(0x6B2BE33C831A6212)
    rng = generator(666, "prose", "test", "8k", 0)
    assert [rng.random() for _ in range(3)] == [same.random() for _ in range(3)]
    assert generator(666, "prose", "test", "8k", 0).random() == 0.6847218220525594


@pytest.mark.parametrize(
    "other",
    [(667, "book", "test", 3), (666, "start", "test", 3), (666, "book", "val", 3), (666, "book")],
)
def test_seed_purpose_and_each_part_have_a_generator_of_their_own(other: tuple[int, str]) -> None:
    assert generator(*other).random() != generator(666, "book", "test", 3).random()


def test_shuffle_gives_its_known_order() -> None:
    assert shuffled(generator(1, "x"), "abcdefgh") == list("fbcedagh")


@given(st.integers(), st.lists(st.integers(), max_size=40))
def test_shuffle_loses_nothing_and_leaves_its_source_alone(seed: int, items: list[int]) -> None:
    before = list(items)
    assert sorted(shuffled(generator(seed, "x"), items)) == sorted(items)
    assert items == before


def test_every_order_is_as_likely_as_the_others() -> None:
    rng = generator(5, "orders")
    orders = [tuple(shuffled(rng, "abc")) for _ in range(6000)]
    counts = [orders.count(order) for order in set(orders)]
    assert len(counts) == 6
    assert all(850 < count < 1150 for count in counts)  # 1,000 +- 5 standard deviations


class Highest(Random):
    """Always the largest number that `random()` can give."""

    def random(self) -> float:
        return 1 - 2.0**-53


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 10**6, 2**53])
def test_largest_number_stays_below_the_bound(bound: int) -> None:
    assert below(Highest(), bound) == bound - 1


@given(st.integers(), st.integers(1, 10**9))
def test_number_is_from_0_to_the_bound(seed: int, bound: int) -> None:
    assert 0 <= below(generator(seed, "x"), bound) < bound


def test_choice_is_one_of_the_items_and_each_comes_up() -> None:
    rng = generator(2, "x")
    assert {chosen(rng, "abcd") for _ in range(200)} == set("abcd")


def test_choice_among_none_is_an_error() -> None:
    with pytest.raises(IndexError):
        chosen(generator(2, "x"), [])
