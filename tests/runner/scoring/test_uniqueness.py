from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from runner.scoring.overlap import Labelled
from runner.scoring.uniqueness import uniqueness_counts


def urls(text: str) -> list[Labelled]:
    return [(url, None) for url in text]


def test_vector_11_a_variant_does_not_make_its_base_less_unique() -> None:
    counts = uniqueness_counts(
        {
            "exa": [urls("ab"), urls("m")],
            "exa-instant": [urls("a"), urls("mk")],
            "google": [urls("bz"), None],
        },
        {"exa-instant": "exa"},
    )
    assert [(row.engine, row.unique_urls, row.total_urls) for row in counts] == [
        ("exa", 1, 2),
        ("exa-instant", 1, 1),
        ("google", 1, 2),
    ]


def test_relevant_urls_are_compared_with_relevant_urls_of_the_others() -> None:
    counts = uniqueness_counts(
        {
            "A": [[("a", "HM"), ("b", "FullyM"), ("c", "SM")]],
            "B": [[("a", "FailsM"), ("b", "HM")]],
        },
        {},
    )
    assert [
        (row.unique_urls, row.total_urls, row.relevant_unique_urls, row.relevant_total_urls)
        for row in counts
    ] == [(1, 3, 1, 2), (0, 2, 0, 1)]


def test_an_empty_answer_of_another_family_still_counts_as_an_answer() -> None:
    [a, b] = uniqueness_counts({"A": [urls("a")], "B": [[]]}, {})
    assert (a.unique_urls, a.total_urls, b.total_urls) == (1, 1, 0)


answer = st.one_of(
    st.none(),
    st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from([None, "FailsM", "HM"]))),
)


@given(st.lists(st.tuples(answer, answer, answer), max_size=5))
def test_unique_urls_never_exceed_all_urls(
    rows: list[tuple[list[Labelled] | None, ...]],
) -> None:
    answers = {name: [row[i] for row in rows] for i, name in enumerate("ABC")}
    for row in uniqueness_counts(answers, {"B": "A"}):
        assert 0 <= row.unique_urls <= row.total_urls
        assert 0 <= row.relevant_unique_urls <= row.relevant_total_urls <= row.total_urls
