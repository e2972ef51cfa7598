from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from runner.records.reports import OverlapCounts
from runner.scoring.overlap import Labelled, overlap_counts


def labelled(urls: str, low: str = "") -> list[Labelled]:
    return [(url, "FailsM" if url in low else None) for url in urls]


def test_vector_10_overlap_of_two_engines() -> None:
    counts = overlap_counts(
        {
            "A": [labelled("abc", low="c"), labelled("x"), None, []],
            "B": [labelled("bcd", low="cd"), labelled("yz", low="y"), labelled("q"), []],
        }
    )
    assert counts == [
        OverlapCounts(
            a="A",
            b="B",
            jaccard_sum=0.5,
            num_shared3=0,
            num_suspect=1,
            low_shared_urls=1,
            num_queries=2,
        )
    ]


def test_a_query_that_one_of_the_two_answered_with_nothing_counts() -> None:
    [counts] = overlap_counts({"A": [labelled("ab")], "B": [[]]})
    assert (counts.num_queries, counts.jaccard_sum) == (1, 0.0)


def test_three_shared_urls_are_suspect_without_any_label() -> None:
    [counts] = overlap_counts({"A": [labelled("abcx")], "B": [labelled("abcy")]})
    assert (counts.num_shared3, counts.num_suspect, counts.low_shared_urls) == (1, 1, 0)


def test_a_url_that_is_good_for_one_engine_is_not_shared_junk() -> None:
    [counts] = overlap_counts({"A": [[("a", "FailsM")]], "B": [[("a", "HM")]]})
    assert (counts.low_shared_urls, counts.num_suspect) == (0, 0)


def test_a_url_that_came_twice_goes_by_its_better_label() -> None:
    twice: list[Labelled] = [("a", "FailsM"), ("a", "HM")]
    [counts] = overlap_counts({"A": [twice], "B": [[("a", "SM")]]})
    assert (counts.jaccard_sum, counts.low_shared_urls) == (1.0, 0)


def test_pairs_come_in_roster_order() -> None:
    pairs = overlap_counts({"b": [[]], "a": [[]], "c": [[]]})
    assert [(pair.a, pair.b) for pair in pairs] == [("b", "a"), ("b", "c"), ("a", "c")]


answer = st.one_of(
    st.none(),
    st.lists(
        st.tuples(
            st.sampled_from("abcdef"), st.sampled_from([None, "FailsM", "SM", "HM", "FullyM"])
        ),
        max_size=6,
    ),
)


@given(st.lists(st.tuples(answer, answer), max_size=6))
def test_overlap_is_symmetric_and_bounded(
    rows: list[tuple[list[Labelled] | None, list[Labelled] | None]],
) -> None:
    a, b = [left for left, _ in rows], [right for _, right in rows]
    [one] = overlap_counts({"A": a, "B": b})
    [other] = overlap_counts({"A": b, "B": a})
    assert one == other
    assert 0 <= one.jaccard_sum <= one.num_queries <= len(rows)
    assert one.num_shared3 <= one.num_suspect <= one.num_queries
