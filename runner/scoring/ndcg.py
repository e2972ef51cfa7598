"""Judged benches: nDCG@k against the ideal that all engines together could have returned.

A query is scored against the best k distinct pages that any engine found for it, so a score
depends on the roster. Source of the form: Järvelin and Kekäläinen, ACM TOIS 20(4), 2002, with a
gain for each rating and the discount log2(rank + 1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, log2

from runner.records.search import SearchError
from runner.scoring.ultimate import Rated, pooled_ideal

Gains = Mapping[int, float]

GAINS: Gains = {4: 1.0, 3: 0.667, 2: 0.117, 1: 0.0, 0: 0.0}
LINEAR_GAINS: Gains = {rating: rating / 4 for rating in range(5)}
EXPONENTIAL_GAINS: Gains = {rating: (2**rating - 1) / 15 for rating in range(5)}

MAX_BOUND_WIDTH = 0.02


def dcg(ratings: Sequence[int], k: int, gains: Gains = GAINS) -> float:
    """Sum over the first k ranks of gain(rating) / log2(rank + 1); an empty list gives 0."""
    return fsum(gains[rating] / log2(rank + 1) for rank, rating in enumerate(ratings[:k], start=1))


def penalise(urls: Sequence[str], ratings: Sequence[int | None]) -> list[int | None]:
    """The ratings with every repeat of a URL at 0; `urls` are normalised and in rank order.

    The first occurrence keeps its own rating, even below that of a later copy. No query is
    exempt: with `site:` too, the same page twice is worth once, and nDCG stays at most 1.
    """
    seen: set[str] = set()
    penalised: list[int | None] = []
    for url, rating in zip(urls, ratings, strict=True):
        penalised.append(0 if url in seen else rating)
        seen.add(url)
    return penalised


def ndcg(
    ratings: Sequence[int], ideal: Sequence[int], k: int, gains: Gains = GAINS
) -> float | None:
    """DCG of penalised ratings over the DCG of the ideal ones, at most 1; None without an ideal."""
    ideal_dcg = dcg(ideal, k, gains)
    return min(1.0, dcg(ratings, k, gains) / ideal_dcg) if ideal_dcg > 0 else None


@dataclass(frozen=True)
class QueryScore:
    """One engine on one query. `score` is None where the query is not in the engine's mean.

    `penalised` is aligned to the results; `dcg` is None where a rating it needs is missing.
    """

    score: float | None
    dcg: float | None
    penalised: list[int | None]


def score_query(
    answers: Mapping[str, Sequence[Rated] | SearchError], k: int, gains: Gains = GAINS
) -> dict[str, QueryScore]:
    """Every engine's score on one query, from all their rated results or search errors.

    The query is scored where at least one judged document has a gain. Then an empty list and a
    failure of the service score 0, and a failure of our account is skipped.

    An unjudged document leaves each engine between two bounds: at the lowest its own unjudged
    documents count 0 while those of the pool count 4, at the highest the reverse. Where the two
    are at most 0.02 apart the engine gets their middle; else the query is skipped for it.
    """
    found = {
        name: answer for name, answer in answers.items() if not isinstance(answer, SearchError)
    }
    least = [pick.rating for pick in pooled_ideal(found, k, unjudged=0)]
    most = [pick.rating for pick in pooled_ideal(found, k, unjudged=4)]
    is_scored = dcg(least, k, gains) > 0
    scores: dict[str, QueryScore] = {}
    for name, answer in answers.items():
        if isinstance(answer, SearchError):
            value = 0.0 if is_scored and answer.error_class == "service" else None
            scores[name] = QueryScore(value, value, [])
            continue
        penalised = penalise([url for url, _ in answer], [rating for _, rating in answer])
        low = ndcg(_filled(penalised, 0), most, k, gains)
        high = ndcg(_filled(penalised, 4), least, k, gains)
        is_complete = None not in penalised[:k]
        scores[name] = QueryScore(
            score=_middle(low, high) if is_scored else None,
            dcg=dcg(_filled(penalised, 0), k, gains) if is_complete else None,
            penalised=penalised,
        )
    return scores


def _filled(ratings: Sequence[int | None], unjudged: int) -> list[int]:
    return [unjudged if rating is None else rating for rating in ratings]


def _middle(low: float | None, high: float | None) -> float | None:
    if low is None or high is None or high - low > MAX_BOUND_WIDTH:
        return None
    return (low + high) / 2
