"""Which queries stay, against a plain reading of the rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.agentic_rare.filtering.dedupe import Fingerprints, keep
from runner.benches.agentic_rare.filtering.words import ngrams, words_of
from runner.text import canonical_text

Query = tuple[str, int]


def kept(
    queries: Sequence[Query], n: int = 3, at_most: int = 2
) -> tuple[list[int], dict[str, int]]:
    prints = Fingerprints(n)
    for text, pieces in queries:
        prints.add(text, words_of(text), pieces)
    numbers, dropped = keep(prints, at_most)
    return numbers, dict(dropped)


def by_the_rule(queries: Sequence[Query], n: int, at_most: int) -> list[int]:
    texts: set[str] = set()
    times: Counter[str] = Counter()
    stay = []
    for i in sorted(range(len(queries)), key=lambda i: -queries[i][1]):
        text = canonical_text(queries[i][0])
        runs = set(ngrams(words_of(text), n))
        if text not in texts and all(times[run] < at_most for run in runs):
            times.update(runs)
            stay.append(i)
        texts.add(text)
    return stay


@pytest.mark.parametrize(
    ("queries", "numbers", "dropped"),
    [
        ([], [], (0, 0)),
        ([("a b c", 5)], [0], (0, 0)),
        ([("a b c", 5), ("d e f", 9), ("g h i", 7)], [1, 2, 0], (0, 0)),
        ([("a b c x", 5), ("a b c y", 5), ("a b c z", 5)], [0, 1], (0, 1)),
        ([("a b c x", 5), ("a b c y", 5), ("a b c z", 6)], [2, 0], (0, 1)),
        ([("a b c x", 99), ("q a b c", 50), ("z a b c y", 49)], [0, 1], (0, 1)),
        # what was dropped does not count: `c d e` is in one query that stays
        (
            [("a b c x", 9), ("a b c y", 9), ("a b c d e", 8), ("c d e f", 7), ("c d e g", 6)],
            [0, 1, 3, 4],
            (0, 1),
        ),
        ([("a b c", 5), ("A  B c", 5), ("a b c!", 5)], [0, 2], (1, 0)),
        ([("a b", 5), ("a, b", 5), ("a-b", 5)], [0, 1], (0, 1)),
        ([("a b", 5), ("a b", 9)], [1], (1, 0)),
        # a run counts once in a query, however often it is there
        ([("a a a a a a", 5), ("a a a b", 5), ("a a a c", 5)], [0, 1], (0, 1)),
        ([("a b c", 5), ("c b a", 5), ("b a c", 5)], [0, 1, 2], (0, 0)),
    ],
)
def test_few_queries_share_a_run(
    queries: list[Query], numbers: list[int], dropped: tuple[int, int]
) -> None:
    assert kept(queries) == (numbers, dict(zip(("duplicate", "ngram_cap"), dropped, strict=True)))


@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from("abcd"), min_size=1, max_size=6).map(" ".join),
            st.integers(5, 8),
        ),
        max_size=25,
    ),
    st.integers(1, 4),
    st.integers(1, 3),
)
def test_what_stays_is_what_the_rule_says(queries: list[Query], n: int, at_most: int) -> None:
    numbers, dropped = kept(queries, n, at_most)
    assert numbers == by_the_rule(queries, n, at_most)
    assert len(numbers) + sum(dropped.values()) == len(queries)
    times = Counter(run for i in numbers for run in ngrams(words_of(queries[i][0]), n))
    assert all(count <= at_most for count in times.values())


def test_a_row_costs_a_few_dozen_bytes() -> None:
    prints = Fingerprints(3)
    for number in range(1000):
        prints.add(f"one two three four five {number}", ["one", "two", "three", "four", "five"], 7)
    arrays = (prints.pieces, prints.texts, prints.runs, prints.ends)
    assert sum(array.itemsize * len(array) for array in arrays) == 1000 * (2 + 8 + 3 * 8 + 8)
