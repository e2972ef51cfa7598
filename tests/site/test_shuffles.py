"""Sharing by chance: against every permutation by hand, and against another implementation."""

from __future__ import annotations

from itertools import permutations
from math import sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test

from runner.scoring.overlap import Labelled, UrlSets, overlap_counts, url_sets
from sitebuilder.shuffles import Run, shuffle

MEASURES = ("num_suspect", "num_shared3", "jaccard_sum")
Answer = list[Labelled] | None


def _answers(random: Random, queries: int, pool: int) -> list[Answer]:
    """Of each query some of its own pages and some that come whatever is asked."""
    found: list[Answer] = []
    for query in range(queries):
        own = [(f"q{query}.example/{n}", random.choice(["HM", "FailsM", None])) for n in range(5)]
        any_time = [(f"any.example/{n}", "FailsM") for n in range(pool)]
        found.append(random.sample(own + any_time, random.randint(0, 5)))
        if random.random() < 0.1:
            found[-1] = None
    return found


def _run(answers: dict[str, list[Answer]]) -> Run:
    return {
        name: [None if each is None else url_sets(each) for each in own]
        for name, own in answers.items()
    }


def _sums(a: list[Answer], b: list[Answer]) -> tuple[float, ...]:
    (row,) = overlap_counts({"a": a, "b": b})
    return (*(getattr(row, measure) for measure in MEASURES), row.num_queries)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 5))
def test_what_is_expected_is_the_mean_over_every_permutation(seed: int, queries: int) -> None:
    random = Random(seed)
    a, b = _answers(random, queries, 3), _answers(random, queries, 3)
    found = shuffle([_run({"a": a, "b": b})], deals=1)
    observed = _sums(a, b)
    if not observed[3]:
        assert found == []
        return
    deals = np.array([_sums(a, list(order)) for order in permutations(b)])
    (pair,) = found
    assert pair.num_queries == observed[3]
    for place, each in enumerate((pair.share_suspect, pair.share_shared3, pair.mean_jaccard)):
        assert each.observed == pytest.approx(observed[place] / observed[3], abs=1e-4)
        mean = deals[:, place].mean() / deals[:, 3].mean() if deals[:, 3].any() else 0.0
        assert each.expected == pytest.approx(mean, abs=1e-4)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_p_agrees_with_the_exact_permutation_test_of_another_library(seed: int) -> None:
    random = Random(seed)
    a, b = _answers(random, 6, 4), _answers(random, 6, 4)
    (pair,) = shuffle([_run({"a": a, "b": b})])
    for place, each in enumerate((pair.share_suspect, pair.share_shared3, pair.mean_jaccard)):

        def statistic(order: np.ndarray, place: int = place) -> float:
            return _sums(a, [b[int(n)] for n in order])[place]

        exact = permutation_test(
            (np.arange(6.0),),
            statistic,
            permutation_type="pairings",
            vectorized=False,
            alternative="greater",
            n_resamples=np.inf,
        ).pvalue
        assert abs(each.p - exact) <= 4 * sqrt(exact * (1 - exact) / 9_999) + 2e-4


def test_runs_are_shuffled_apart_and_added_up() -> None:
    random = Random(5)
    runs = [
        _run({name: _answers(random, 4, 3) for name in names}) for names in ("ab", "abc", "bc", "a")
    ]
    together = {(pair.a, pair.b): pair for pair in shuffle(runs, deals=9)}
    assert set(together) == {("a", "b"), ("a", "c"), ("b", "c")}
    alone = [pair for run in runs for pair in shuffle([run], deals=9)]
    for (a, b), pair in together.items():
        own = [each for each in alone if (each.a, each.b) == (a, b)]
        assert pair.num_queries == sum(each.num_queries for each in own)
        assert pair.mean_jaccard.observed * pair.num_queries == pytest.approx(
            sum(each.mean_jaccard.observed * each.num_queries for each in own)
        )


def _same(run: str, query: int) -> UrlSets:
    return url_sets([(f"{run}.example/{query}/{n}", "HM") for n in range(4)])


def test_engines_that_answer_alike_share_more_than_by_chance() -> None:
    answers = [_same("x", query) for query in range(20)]
    (pair,) = shuffle([{"a": answers, "b": answers}])
    assert (pair.share_shared3.observed, pair.share_shared3.expected) == (
        1.0,
        pytest.approx(0.05),
    )
    assert pair.share_shared3.p == 1 / 10_000


def test_engines_that_always_answer_the_same_share_no_more_than_by_chance() -> None:
    always = url_sets([(f"any.example/{n}", "FailsM") for n in range(5)])
    (pair,) = shuffle([{"a": [always] * 20, "b": [always] * 20}])
    assert (pair.share_suspect.observed, pair.share_suspect.expected) == (
        1.0,
        pytest.approx(1.0),
    )
    assert pair.share_suspect.p == 1.0


def test_engines_without_a_page_in_common_share_nothing() -> None:
    run = {name: [_same(name, query) for query in range(5)] for name in "ab"}
    (pair,) = shuffle([run])
    assert (pair.mean_jaccard.observed, pair.mean_jaccard.expected, pair.mean_jaccard.p) == (
        0.0,
        0.0,
        1.0,
    )


def test_p_is_even_where_the_null_hypothesis_holds() -> None:
    """Of many pairs whose queries have nothing to do with each other, 5 % reach 5 %, not more."""
    random = Random(11)
    hits = 0
    for _ in range(200):
        run = {
            name: [
                url_sets([(f"any.example/{random.randrange(12)}", "HM") for _ in range(4)])
                for _ in range(10)
            ]
            for name in "ab"
        }
        (pair,) = shuffle([run], deals=199)
        hits += pair.mean_jaccard.p <= 0.05
    assert hits <= 20  # 10 expected; more than 20 has a chance of 0.1 %


@pytest.mark.parametrize("runs", [[], [{}], [{"a": []}], [{"a": [None], "b": [None]}]])
def test_without_two_answers_there_is_no_pair(runs: list[Run]) -> None:
    assert shuffle(runs, deals=9) == []


def test_the_same_runs_give_the_same_figures() -> None:
    random = Random(7)
    run = _run({name: _answers(random, 8, 4) for name in "abc"})
    assert shuffle([run], deals=99) == shuffle([dict(reversed(run.items()))], deals=99)
