from __future__ import annotations

import random

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import nDCG

from runner.records.search import ErrorClass, SearchError
from runner.scoring.aggregates import mean_scored
from runner.scoring.ndcg import (
    EXPONENTIAL_GAINS,
    GAINS,
    LINEAR_GAINS,
    Gains,
    dcg,
    ndcg,
    penalise,
    score_query,
)
from runner.scoring.ultimate import Rated
from runner.scoring.urls import normalise_url


def failed(error_class: ErrorClass) -> SearchError:
    return SearchError(error_type="http_error", error_message="x", error_class=error_class)


def rated(ratings: str, prefix: str = "u") -> list[Rated]:
    """`"u1=4 u2=?"` as results; `?` is unjudged."""
    pairs = [item.split("=") for item in ratings.split()]
    return [(url, None if rating == "?" else int(rating)) for url, rating in pairs]


@pytest.mark.parametrize(
    ("ratings", "expected"),
    [
        ([4, 3, 2, 1, 0], 1.479330),
        ([0, 2, 4, 3, 1], 0.861080),
        ([0, 0, 0, 0, 4], 0.386853),
        ([3] * 5, 1.966622),
        ([4] * 5, 2.948459),
        ([4] * 9, 2.948459),
        ([], 0.0),
    ],
)
def test_vector_1_dcg_of_rating_lists(ratings: list[int], expected: float) -> None:
    assert dcg(ratings, 5) == pytest.approx(expected, abs=1e-6)


def test_vector_2_two_engines_against_their_pooled_ideal() -> None:
    scores = score_query({"A": rated("u1=4 u2=2 u3=0"), "B": rated("u2=3 u4=3")}, 5)
    assert scores["A"].score == pytest.approx(0.612096, abs=1e-6)
    assert scores["B"].score == pytest.approx(0.620083, abs=1e-6)
    assert dcg([4, 3, 3, 0], 5) == pytest.approx(1.754330, abs=1e-6)


def test_vector_3_a_repeated_url_counts_once() -> None:
    urls = [
        normalise_url(url) for url in ("http://ex.com/1", "http://www.ex.com/1/", "http://ex.com/2")
    ]
    score = score_query({"A": [(url, 4) for url in urls]}, 5)["A"]
    assert score.penalised == [4, 0, 4]
    assert score.dcg == pytest.approx(1.5)
    assert score.score == pytest.approx(0.919721, abs=1e-6)
    assert dcg([4, 4], 5) == pytest.approx(1.630930, abs=1e-6)


def test_vector_4_a_site_query_does_not_excuse_a_duplicate() -> None:
    urls = [normalise_url(url) for url in ("https://a.com/1", "https://a.com/1?utm_source=z")]
    assert urls[0] == urls[1]
    score = score_query({"A": [(url, 4) for url in urls]}, 5)["A"]
    assert (score.dcg, score.score) == (1.0, 1.0)


def test_vector_5_a_richer_pool_lowers_an_engine_that_did_not_change() -> None:
    alone = score_query({"A": rated("u1=4")}, 5)["A"]
    crowded = score_query({"A": rated("u1=4"), "B": rated("u2=4 u3=4")}, 5)["A"]
    assert alone.score == 1.0
    assert crowded.score == pytest.approx(0.469279, abs=1e-6)
    assert ndcg([4], [4] * 5, 5) == pytest.approx(0.339160, abs=1e-6)


def test_vector_6_service_failures_count_and_account_failures_do_not() -> None:
    scored = score_query({"A": failed("service"), "B": rated("u1=4")}, 5)["A"].score
    skipped = score_query({"A": failed("account"), "B": rated("u1=4")}, 5)["A"].score
    mean, n = mean_scored([0.8, skipped, scored, 0.6])
    assert (mean, n) == (pytest.approx(0.466667, abs=1e-6), 3)


@pytest.mark.parametrize(
    ("gains", "x", "y"),
    [(GAINS, 0.5541, 0.6352), (LINEAR_GAINS, 0.4846, 0.7139), (EXPONENTIAL_GAINS, 0.6196, 0.5336)],
)
def test_vector_21_the_gains_decide_which_of_two_lists_is_better(
    gains: Gains, x: float, y: float
) -> None:
    ideal = [4, 3, 3, 2]
    assert ndcg([4, 0, 0], ideal, 5, gains) == pytest.approx(x, abs=5e-5)
    assert ndcg([3, 3, 2], ideal, 5, gains) == pytest.approx(y, abs=5e-5)


def test_the_first_occurrence_keeps_a_rating_below_that_of_its_copy() -> None:
    assert penalise(["u", "v", "u"], [2, 3, 4]) == [2, 3, 0]
    assert penalise(["u", "u"], [None, None]) == [None, 0]


def test_an_empty_list_on_a_scored_query_scores_0() -> None:
    scores = score_query({"A": [], "B": rated("u1=4")}, 5)
    assert (scores["A"].score, scores["B"].score) == (0.0, 1.0)


def test_a_query_without_a_relevant_document_is_scored_for_nobody() -> None:
    scores = score_query({"A": rated("u1=1 u2=0"), "B": [], "C": failed("service")}, 5)
    assert [score.score for score in scores.values()] == [None, None, None]


def test_a_query_that_every_engine_failed_is_scored_for_nobody() -> None:
    scores = score_query({"A": failed("service"), "B": failed("account")}, 5)
    assert [score.score for score in scores.values()] == [None, None]


def test_a_failed_search_has_dcg_0_for_the_service_and_none_for_the_account() -> None:
    scores = score_query({"A": failed("service"), "B": failed("account"), "C": rated("u=4")}, 5)
    assert (scores["A"].dcg, scores["B"].dcg) == (0.0, None)


def test_an_unjudged_document_skips_its_own_engine_only_where_the_ideal_cannot_move() -> None:
    full = "a=4 b=4 c=4 d=4 e=4"
    scores = score_query({"A": rated(full), "B": rated("f=? a=4"), "C": rated("a=4 x=3")}, 5)
    assert scores["A"].score == 1.0
    assert scores["B"].score is None
    assert scores["C"].score == pytest.approx((1 + 0.667 * 0.630930) / 2.948459, abs=1e-6)


def test_an_unjudged_document_that_could_move_the_ideal_skips_every_engine() -> None:
    scores = score_query({"A": rated("a=4"), "B": rated("f=?")}, 5)
    assert [score.score for score in scores.values()] == [None, None]


def test_bounds_close_together_give_their_middle() -> None:
    many = {f"E{i}": rated(f"p{i}=4") for i in range(4)}
    answers = {**many, "A": rated("q1=3"), "B": rated("q2=3 z=?")}
    low, high = 0.667 / dcg([4, 4, 4, 4, 4], 5), 0.667 / dcg([4, 4, 4, 4, 3], 5)
    assert 0 < high - low <= 0.02
    assert score_query(answers, 5)["A"].score == pytest.approx((low + high) / 2)
    assert score_query(answers, 5)["B"].score is None


def test_an_unjudged_repeat_or_one_below_rank_k_costs_its_engine_nothing() -> None:
    repeat = score_query({"A": rated("a=4 a=?")}, 5)["A"]
    below = score_query({"A": rated("a=4 b=4 c=4 d=4 e=4 f=?")}, 5)["A"]
    assert (repeat.score, below.score) == (1.0, 1.0)


def test_dcg_is_missing_where_a_needed_rating_is() -> None:
    assert score_query({"A": rated("a=4 b=?")}, 5)["A"].dcg is None
    assert score_query({"A": rated("a=4 b=?")}, 1)["A"].dcg == 1.0


def test_1000_random_rankings_agree_with_an_independent_library() -> None:
    """Where the definitions coincide: distinct URLs, all judged, one engine's pool plus others.

    The library takes integer gains, so ratings enter as thousandths of their gain.
    """
    rng = random.Random(7)
    qrels, run, ours = [], [], {}
    for number in range(1000):
        query = f"q{number}"
        pool = {f"d{i}": rng.choice([0, 0, 1, 2, 3, 4]) for i in range(rng.randint(3, 12))}
        pool["best"] = rng.choice([2, 3, 4])
        ranking = rng.sample(sorted(pool), rng.randint(0, min(8, len(pool))))
        answers = {
            "A": [(url, pool[url]) for url in ranking],
            "B": list(pool.items()),
        }
        ours[query] = score_query(answers, 5)["A"].score
        qrels += [
            ir_measures.Qrel(query, url, round(1000 * GAINS[rating]))
            for url, rating in pool.items()
        ]
        run += [
            ir_measures.ScoredDoc(query, url, 100.0 - place) for place, url in enumerate(ranking)
        ]
    theirs = {
        found.query_id: found.value for found in ir_measures.iter_calc([nDCG @ 5], qrels, run)
    }
    assert len(theirs) == len(ours) == 1000
    assert all(ours[query] == pytest.approx(theirs[query], abs=1e-9) for query in ours)


results = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.one_of(st.none(), st.integers(0, 4))), max_size=7
)


@given(st.dictionaries(st.sampled_from("ABCD"), results, min_size=1))
def test_every_score_lies_between_0_and_1(answers: dict[str, list[Rated]]) -> None:
    for score in score_query(answers, 5).values():
        assert score.score is None or 0 <= score.score <= 1


@given(
    st.dictionaries(
        st.sampled_from("ABCD"),
        st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 4)), max_size=7),
        min_size=1,
    ),
    st.randoms(),
)
def test_the_order_of_the_roster_changes_no_score(
    answers: dict[str, list[Rated]], rng: random.Random
) -> None:
    names = list(answers)
    rng.shuffle(names)
    assert score_query({name: answers[name] for name in names}, 5) == score_query(answers, 5)


@given(results, results, st.integers(0, 4), st.integers(0, 4))
def test_the_bounds_hold_for_any_rating_that_the_judge_might_have_given(
    mine: list[Rated], others: list[Rated], first: int, second: int
) -> None:
    before = score_query({"A": mine, "B": others}, 5)["A"].score
    actual = score_query(
        {
            "A": [(url, first if rating is None else rating) for url, rating in mine],
            "B": [(url, second if rating is None else rating) for url, rating in others],
        },
        5,
    )["A"].score
    if before is not None:
        assert actual is not None
        assert abs(actual - before) <= 0.01 + 1e-12
