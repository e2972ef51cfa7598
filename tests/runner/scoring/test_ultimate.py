from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from runner.scoring.ndcg import dcg
from runner.scoring.ultimate import KnownItem, Rated, known_item_ideal, pooled_ideal
from runner.scoring.urls import normalise_url


def test_the_pool_keeps_the_best_entry_of_each_url_and_the_first_on_a_tie() -> None:
    picks = pooled_ideal({"A": [("u1", 2), ("u2", 3)], "B": [("u1", 4), ("u2", 3), ("u3", 3)]}, k=5)
    assert [(pick.engine, pick.place, pick.rating) for pick in picks] == [
        ("B", 0, 4),
        ("A", 1, 3),
        ("B", 2, 3),
    ]


def test_the_pool_is_cut_to_k() -> None:
    assert len(pooled_ideal({"A": [(f"u{i}", 4) for i in range(9)]}, k=5)) == 5


def test_an_unjudged_entry_counts_as_told() -> None:
    answers: dict[str, list[Rated]] = {"A": [("u1", None), ("u2", 3)]}
    assert [pick.url for pick in pooled_ideal(answers, 5)] == ["u2", "u1"]
    assert [pick.url for pick in pooled_ideal(answers, 5, unjudged=4)] == ["u1", "u2"]


@given(
    st.dictionaries(
        st.sampled_from("ABC"),
        st.lists(
            st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 4)),
            max_size=6,
            unique_by=lambda pair: pair[0],
        ),
    )
)
def test_no_engine_beats_the_pooled_ideal(answers: dict[str, list[Rated]]) -> None:
    best = dcg([pick.rating for pick in pooled_ideal(answers, 5)], 5)
    for results in answers.values():
        assert dcg([rating or 0 for _, rating in results], 5) <= best + 1e-12


def test_the_known_item_ideal_puts_the_first_hit_in_roster_order_on_top() -> None:
    picks, rank = known_item_ideal(
        {
            "A": KnownItem(["x", "y"], None),
            "B": KnownItem(["y", "gold"], 2),
            "C": KnownItem(["gold2"], 1),
        },
        k=3,
    )
    assert rank == 1
    assert [(pick.engine, pick.url) for pick in picks] == [("B", "gold"), ("A", "x"), ("A", "y")]


def test_the_known_item_ideal_lists_one_page_once_whatever_the_spelling_of_its_url() -> None:
    urls = [normalise_url(url) for url in ("https://a.com/1", "http://www.a.com/1/")]
    picks, rank = known_item_ideal({"A": KnownItem(urls[:1], 1), "B": KnownItem(urls[1:], 1)}, k=5)
    assert ([pick.url for pick in picks], rank) == (["a.com/1"], 1)


def test_the_known_item_ideal_without_a_hit_is_a_miss() -> None:
    picks, rank = known_item_ideal({"A": KnownItem(["x"], None)}, k=5)
    assert ([pick.rating for pick in picks], rank) == ([0], None)
