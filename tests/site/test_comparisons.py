"""Who differs from whom: tests, tie groups, ranks, by hand-worked cases and against plain ways."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.records.published import BENCHES
from runner.scoring.significance import holm, minimum_detectable, sign_flip_test, two_way_variance
from sitebuilder.comparisons import Comparison, between, compact_letters, compare, rank_draws
from sitebuilder.intervals import overall_draws, overall_intervals, study
from sitebuilder.results import Pair
from sitebuilder.scores import BenchScores
from tests.site.made_scores import matrix

D = [0.30, 0.10, -0.05, 0.20, 0.15, 0.05]


def compared(scores: BenchScores) -> Comparison:
    benches, _ = compare({scores.bench: scores}, {scores.bench: study(scores)}, None)
    return benches[scores.bench]


def test_few_clusters_are_tested_against_every_sign_pattern() -> None:
    a, b = [0.5 + d / 2 for d in D], [0.5 - d / 2 for d in D]
    (pair,) = compared(matrix({"a": a, "b": b}, queries=range(6))).pairs
    assert (pair.delta, pair.p, pair.p_holm) == (0.125, 0.09375, 0.09375)
    assert (pair.n, pair.clusters) == (6, 6)


@pytest.mark.parametrize("groups", [12, 16, 17, 60])
def test_joint_flips_agree_with_the_test_of_a_single_pair(groups: int) -> None:
    rng = np.random.default_rng(groups)
    lifts = {"a": 0.2, "b": 0.0, "c": 0.0}
    columns = {name: (rng.random(groups) + lift).tolist() for name, lift in lifts.items()}
    columns["c"][0] = None
    pairs = compared(matrix(columns, queries=range(groups))).pairs
    assert [(pair.a, pair.b) for pair in pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    for pair in pairs:
        differences = [
            x - y
            for x, y in zip(columns[pair.a], columns[pair.b], strict=True)
            if x is not None and y is not None
        ]
        assert pair.clusters == len(differences)
        within = 1e-6 if pair.clusters <= 16 else 0.012
        assert pair.p == pytest.approx(sign_flip_test(differences), abs=within)
        assert pair.delta == pytest.approx(float(np.mean(differences)), abs=1e-6)
    assert [pair.p_holm for pair in pairs] == pytest.approx(
        holm([pair.p for pair in pairs]), abs=1e-5
    )


def test_the_whole_bench_is_one_family() -> None:
    assert holm([0.001, 0.012, 0.02, 0.04, 0.3]) == pytest.approx([0.005, 0.048, 0.06, 0.08, 0.3])


def test_the_interval_of_a_difference_is_the_wider_clustering() -> None:
    """By query 6 pairs, by run two clusters of 3: both t, the run one with one degree."""
    a, b = [0.5 + d / 2 for d in D], [0.5 - d / 2 for d in D]
    (alone,) = compared(matrix({"a": a, "b": b}, queries=range(6))).pairs
    # SE = sqrt(6/5 · Σ(d - .125)²) / 6 = .049582, t₅ = 2.570582
    assert (alone.lo, alone.hi) == pytest.approx((-0.0025, 0.2525), abs=6e-5)
    (both,) = compared(matrix({"a": a, "b": b}, queries=range(6), runs=[0, 0, 0, 1, 1, 1])).pairs
    # run sums .35 and .40: SE = sqrt(2 · 2 · .025²) / 6 = .008333, t₁ = 12.7062
    assert (both.lo, both.hi) == pytest.approx((-0.0025, 0.2525), abs=6e-5)


def test_the_detectable_difference_is_2_8016_standard_errors() -> None:
    assert round(minimum_detectable(0.0055), 4) == 0.0154
    assert two_way_variance(0.0004, 0.0003, 0.0002) ** 0.5 == pytest.approx(0.022361, abs=5e-7)
    a, b = [0.5 + d / 2 for d in D], [0.5 - d / 2 for d in D]
    error = (6 / 5 * sum((d - 0.125) ** 2 for d in D)) ** 0.5 / 6
    found = compared(matrix({"a": a, "b": b}, queries=range(6)))
    assert found.mdd == round(2.801585 * error, 4)
    assert found.method == "paired sign-flip test over 6 query clusters, Holm over 1 pair"


def test_engines_without_a_common_query_are_not_tested() -> None:
    found = compared(matrix({"a": [1, 0, None, None], "b": [None, None, 1, 0]}, queries=range(4)))
    assert (found.pairs, found.mdd, found.method) == ([], None, None)
    assert found.tie_groups(["a", "b"]) == {}


def test_an_engine_without_any_score_leaves_the_ranks_of_all_open() -> None:
    nothing: list[float | None] = [None] * 8
    columns: dict[str, list[float | None]] = {"a": [1.0] * 8, "b": [0.0] * 8, "c": nothing}
    found = compared(matrix(columns, queries=range(8)))
    assert (found.ranks, found.p_best) == ({}, {})
    assert [(pair.a, pair.b, pair.p) for pair in found.pairs] == [("a", "b", round(2 / 256, 6))]


def test_the_reverse_of_a_pair_has_the_opposite_difference() -> None:
    pair = Pair(a="a", b="b", delta=0.2, lo=0.1, hi=0.3, p=0.01, p_holm=0.02, n=5, clusters=4)
    assert between([pair], "a", "b") == pair
    other = between([pair], "b", "a")
    assert other
    assert (other.a, other.b, other.delta, other.lo, other.hi) == ("b", "a", -0.2, -0.3, -0.1)
    assert between([pair], "a", "c") is None


LETTERS = [
    ("abc", [], {"a": "a", "b": "a", "c": "a"}),
    ("abc", ["ab", "ac", "bc"], {"a": "a", "b": "b", "c": "c"}),
    ("abc", ["ac"], {"a": "a", "b": "ab", "c": "b"}),
    ("abcd", ["ac", "ad", "bd"], {"a": "a", "b": "ab", "c": "bc", "d": "c"}),
    ("abc", ["ab", "bc"], {"a": "a", "b": "b", "c": "a"}),
    ("", [], {}),
]


@pytest.mark.parametrize(("names", "apart", "letters"), LETTERS)
def test_letters_follow_the_ranks(names: str, apart: list[str], letters: dict[str, str]) -> None:
    assert compact_letters(list(names), lambda a, b: a + b in apart or b + a in apart) == letters


@given(st.integers(1, 14), st.data())
def test_two_engines_share_a_letter_exactly_where_they_are_not_separated(
    size: int, data: st.DataObject
) -> None:
    names = [f"e{number}" for number in range(size)]
    every = [frozenset(pair) for pair in combinations(names, 2)]
    apart = data.draw(st.sets(st.sampled_from(every))) if every else set()
    letters = compact_letters(names, lambda a, b: frozenset((a, b)) in apart)
    assert all(letters.values())
    for a, b in combinations(names, 2):
        share = set(_split(letters[a])) & set(_split(letters[b]))
        assert bool(share) == (frozenset((a, b)) not in apart)


def _split(text: str) -> list[str]:
    """`aZb2` → a, Z, b2."""
    found: list[str] = []
    for sign in text:
        if sign.isdigit():
            found[-1] += sign
        else:
            found.append(sign)
    return found


def test_ranks_and_the_chance_of_being_first_come_from_the_draws() -> None:
    """`a` is first in 3 of 4 resamples, once level with `b`; `c` is always last."""
    draws = np.array([[9, 9, 9, 1], [5, 9, 5, 5], [0, 0, 0, 0]], dtype=float)
    ranks, best = rank_draws("abc", [draws])
    assert ranks == {"a": (1, 2), "b": (1, 2), "c": (3, 3)}
    assert best == {"a": 0.625, "b": 0.375, "c": 0.0}
    assert sum(best.values()) == 1


def test_the_wider_clustering_gives_the_ranks() -> None:
    sure = np.array([[9.0] * 8, [5.0] * 8])
    open_ = np.array([[9.0, 5.0] * 4, [5.0, 9.0] * 4])
    assert rank_draws("ab", [sure, open_])[0] == {"a": (1, 2), "b": (1, 2)}
    assert rank_draws("ab", [sure, sure])[0] == {"a": (1, 1), "b": (2, 2)}


def _five(lift: float, groups: int = 40) -> dict[str, BenchScores]:
    rng = np.random.default_rng(8)
    found = {}
    for bench in BENCHES:
        base = rng.random(groups) * 0.5
        columns = {
            "a": (base + lift).tolist(),
            "b": (base + rng.normal(0, 0.02, groups)).tolist(),
            "c": (base + rng.normal(0, 0.02, groups)).tolist(),
            "ultimate": [1.0] * groups,
        }
        found[bench] = matrix(columns, queries=range(groups), bench=bench)
    return found


def test_overall_the_shares_of_all_benches_are_compared() -> None:
    scores = _five(0.1)
    studies = {bench: study(own) for bench, own in scores.items()}
    draws = overall_draws(scores, studies)
    assert draws
    benches, overall = compare(scores, studies, draws)
    assert set(benches) == set(BENCHES)
    assert overall.ranks["a"] == (1, 1)
    assert overall.p_best == {"a": 1.0, "b": 0.0, "c": 0.0}
    assert overall.tie_groups(["a", "b", "c"]) == {"a": "a", "b": "b", "c": "b"}
    pair = between(overall.pairs, "a", "b")
    assert pair
    assert (pair.n, pair.clusters) == (200, 200)
    assert pair.p == round(1 / 20_001, 6)
    low, high = overall_intervals(draws)["a"]
    assert low < draws.centre[0] < high


def test_overall_needs_every_bench() -> None:
    scores = {bench: own for bench, own in _five(0.1).items() if bench != "legal"}
    assert overall_draws(scores, {bench: study(own) for bench, own in scores.items()}) is None


def test_equal_engines_are_not_separated_more_often_than_the_level_allows() -> None:
    """200 benches of 3 equal engines: the share with any false claim stays near 5 % at most."""
    rng = np.random.default_rng(11)
    false = 0
    for _ in range(200):
        columns = {name: rng.normal(0.5, 0.2, 12).tolist() for name in "abc"}
        pairs = compared(matrix(columns, queries=range(12))).pairs
        false += any(pair.p_holm < 0.05 for pair in pairs)
    assert false <= 17  # 10 expected, standard deviation 3.1
