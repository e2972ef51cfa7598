"""`ultimate`: the list that a perfect choice among all engines' results would have given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Rated = tuple[str, int | None]  # (normalised URL, rating or None where judging failed)


@dataclass(frozen=True)
class Pick:
    """Where a result of the pool stands: which engine, which place in its list (from 0)."""

    engine: str
    place: int
    url: str
    rating: int


def pooled_ideal(
    answers: Mapping[str, Sequence[Rated]], k: int, *, unjudged: int = 0
) -> list[Pick]:
    """The k best distinct pages of all successful engines, best first.

    Of each normalised URL the entry with the highest rating stands, the first seen on a tie, in
    roster and rank order; equal ratings keep that order. A missing rating counts as `unjudged`.
    """
    best: dict[str, Pick] = {}
    for engine, results in answers.items():
        for place, (url, rating) in enumerate(results):
            pick = Pick(engine, place, url, unjudged if rating is None else rating)
            if url not in best or pick.rating > best[url].rating:
                best[url] = pick
    # `best` keeps the place of the first entry of each URL, so the stable sort is in seen order
    return sorted(best.values(), key=lambda pick: -pick.rating)[:k]


@dataclass(frozen=True)
class KnownItem:
    """One engine's successful search for a known item: URLs in rank order, rank of the hit."""

    urls: Sequence[str]
    hit_rank: int | None


def known_item_ideal(answers: Mapping[str, KnownItem], k: int) -> tuple[list[Pick], int | None]:
    """The pooled list with the first hit in roster order on top, and its hit rank (1 or None).

    The other distinct pages follow in seen order. A pick's rating is 1 for the hit, else 0.
    """
    hit: list[Pick] = []
    others: dict[str, Pick] = {}
    for engine, answer in answers.items():
        for place, url in enumerate(answer.urls):
            if not hit and place + 1 == answer.hit_rank:
                hit.append(Pick(engine, place, url, 1))
            others.setdefault(url, Pick(engine, place, url, 0))
    rest = [pick for pick in others.values() if not hit or pick.url != hit[0].url]
    return (hit + rest)[:k], 1 if hit else None
