"""Which items of the feeds are asked about: the newest of each feed, the least stale to fill up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from runner.benches.news.feeds import FeedItem

# Hours. Papers come out once a day and stay news for a week. Items are dated by when they were
# published, not when they were last edited, so a day back is still honest; with six hours a quiet
# night gives too few queries, and the least stale come first in any case.
FRESH_H = {"rss_paper": 168.0}
FRESH_DEFAULT_H = 1.0
RAW_H = {"rss_paper": 168.0}
RAW_DEFAULT_H = 24.0
FAST_CLOCK = timedelta(minutes=5)  # a date this far ahead is a wrong clock, not a planned item
FAR_OLDER_H = 30 * 24.0


@dataclass(frozen=True)
class Pick:
    """An item, its age in hours (None: undated) and its place among its feed's, newest = 0."""

    item: FeedItem
    age_h: float | None
    rank: int


def age_hours(published: datetime, now: datetime) -> float | None:
    """Hours since publication; 0 up to five minutes ahead of `now`, None further ahead."""
    age = now - published
    if age < -FAST_CLOCK:
        return None
    return max(age / timedelta(hours=1), 0.0)


def is_fresh(pick: Pick) -> bool:
    """Whether the item is within the freshness window of its kind."""
    window = FRESH_H.get(pick.item.source.source_kind, FRESH_DEFAULT_H)
    return pick.age_h is not None and pick.age_h <= window


def live_picks(
    items: Sequence[FeedItem],
    now: datetime,
    *,
    max_rows_per_source: int,
    min_candidates: int,
    drops: Counter[str],
) -> list[Pick]:
    """The newest item of each feed where fresh, filled up to `min_candidates` by the youngest rest.

    The rest is taken one a feed, then a second of each feed, and so on. Items without a date,
    from the future or outside the raw window are dropped and counted in `drops`.
    """
    aged: list[tuple[FeedItem, float | None]] = []
    for item in items:
        age = None if item.published is None else age_hours(item.published, now)
        raw_h = RAW_H.get(item.source.source_kind, RAW_DEFAULT_H)
        if item.published is None:
            drops["dropped_undated"] += 1
        elif age is None:
            drops["dropped_future"] += 1
        elif age > raw_h:
            drops["dropped_old"] += 1
        else:
            aged.append((item, age))
    ladder = sorted(_ranked(aged, max_rows_per_source), key=lambda pick: (pick.rank, pick.age_h))
    fresh = [pick for pick in ladder if pick.rank == 0 and is_fresh(pick)]
    rest = [pick for pick in ladder if not (pick.rank == 0 and is_fresh(pick))]
    return fresh + rest[: max(min_candidates - len(fresh), 0)]


def folder_picks(
    items: Sequence[FeedItem], now: datetime, *, max_rows_per_source: int, drops: Counter[str]
) -> list[Pick]:
    """All items, least stale first: the newest of each feed, then the second of each, and so on.

    Items older than 30 days come behind all younger ones, undated ones last. The domains of the
    feeds take turns. Only items from the future are dropped.
    """
    aged: list[tuple[FeedItem, float | None]] = []
    for item in items:
        age = None if item.published is None else age_hours(item.published, now)
        if item.published is not None and age is None:
            drops["dropped_future"] += 1
        else:
            aged.append((item, age))

    def staleness(pick: Pick) -> tuple[int, int, float]:
        if pick.age_h is None:
            return (2, pick.rank, 0.0)
        return (int(pick.age_h > FAR_OLDER_H), pick.rank, pick.age_h)

    return _in_turns(sorted(_ranked(aged, max_rows_per_source), key=staleness))


def _ranked(aged: Iterable[tuple[FeedItem, float | None]], max_rows: int) -> list[Pick]:
    """The first `max_rows` items of each feed, each with its place by age within the feed."""
    feeds: dict[str, list[tuple[FeedItem, float | None]]] = {}
    for item, age in aged:
        rows = feeds.setdefault(item.source.url, [])
        if len(rows) < max_rows:
            rows.append((item, age))
    picks = []
    for rows in feeds.values():
        rows.sort(key=lambda row: float("inf") if row[1] is None else row[1])
        picks += [Pick(item, age, rank) for rank, (item, age) in enumerate(rows)]
    return picks


def _in_turns(picks: Sequence[Pick]) -> list[Pick]:
    """One pick of each domain in turn, the order within a domain kept."""
    queues: dict[str, list[Pick]] = {}
    for pick in picks:
        queues.setdefault(pick.item.source.topical_domain, []).append(pick)
    depth = max((len(queue) for queue in queues.values()), default=0)
    return [queue[i] for i in range(depth) for queue in queues.values() if i < len(queue)]
