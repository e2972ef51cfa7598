from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest

from runner.benches.news.picks import Pick, age_hours, folder_picks, live_picks
from tests.runner.benches.news.build import NOW, item_aged

MINUTE = 1 / 60
AGES = {
    "an hour ago": (timedelta(hours=-1), 1.0),
    "now": (timedelta(0), 0.0),
    "five minutes ahead": (timedelta(minutes=5), 0.0),
    "just over five minutes ahead": (timedelta(minutes=5, seconds=1), None),
}


@pytest.mark.parametrize("case", AGES)
def test_a_fast_clock_is_forgiven_for_five_minutes(case: str) -> None:
    ahead, expected = AGES[case]
    assert age_hours(NOW + ahead, NOW) == expected


def titles(picks: list[Pick]) -> list[str]:
    return [pick.item.title for pick in picks]


def live(items: list, least: int = 0, most: int = 50) -> tuple[list[str], Counter[str]]:  # type: ignore[type-arg]
    drops: Counter[str] = Counter()
    picks = live_picks(items, NOW, max_rows_per_source=most, min_candidates=least, drops=drops)
    return titles(picks), drops


def test_only_the_newest_item_of_a_feed_is_picked() -> None:
    items = [item_aged(0.5, title="older"), item_aged(0.1, title="newest"), item_aged(0.2, "b")]
    assert live(items)[0] == ["newest", "Title"]


WINDOWS = {
    "news within the hour": (1.0, "rss_news", True, None),
    "news past the hour": (1.0 + MINUTE, "rss_news", False, None),
    "news at the end of the raw window": (24.0, "rss_news", False, None),
    "news past the raw window": (24.0 + MINUTE, "rss_news", False, "dropped_old"),
    "a release past the raw window": (25.0, "rss_release", False, "dropped_old"),
    "a paper within its week": (168.0, "rss_paper", True, None),
    "a paper past its week": (168.0 + MINUTE, "rss_paper", False, "dropped_old"),
    "undated": (None, "rss_news", False, "dropped_undated"),
    "ahead by six minutes": (-6 * MINUTE, "rss_news", False, "dropped_future"),
    "ahead by five minutes": (-5 * MINUTE, "rss_news", True, None),
}


@pytest.mark.parametrize("case", WINDOWS)
def test_windows(case: str) -> None:
    hours, kind, is_fresh, drop = WINDOWS[case]
    picked, drops = live([item_aged(hours, kind=kind)])
    assert bool(picked) == is_fresh
    assert drops == (Counter({drop: 1}) if drop else Counter())


def test_too_few_fresh_items_are_filled_up_by_the_least_stale() -> None:
    items = [
        item_aged(0.5, "a", "fresh"),
        item_aged(9, "b", "b-newest"),
        item_aged(10, "b", "b-second"),
        item_aged(3, "c", "c-newest"),
        item_aged(2, "a", "a-second"),
        item_aged(20, "a", "a-third"),
    ]
    ladder = ["fresh", "c-newest", "b-newest", "a-second", "b-second", "a-third"]
    assert live(items, least=0)[0] == ladder[:1]
    for least in range(1, 7):
        assert live(items, least=least)[0] == ladder[:least]
    assert live(items, least=99)[0] == ladder


def test_fresh_items_are_never_cut_to_the_minimum() -> None:
    items = [item_aged(0.5, feed) for feed in "abcd"]
    assert len(live(items, least=2)[0]) == 4


def test_rows_per_feed_are_cut_in_feed_order_after_the_window() -> None:
    items = [
        item_aged(30, title="old"),
        item_aged(5, title="first"),
        item_aged(4, title="second"),
        item_aged(3, title="third"),
    ]
    assert live(items, least=9, most=2)[0] == ["second", "first"]


def folder(items: list) -> list[str]:  # type: ignore[type-arg]
    return titles(folder_picks(items, NOW, max_rows_per_source=50, drops=Counter()))


def test_a_folder_has_no_window_and_goes_from_the_least_stale() -> None:
    items = [
        item_aged(None, "u", "undated"),
        item_aged(24 * 400, "o", "a year old"),
        item_aged(50, "a", "a-newest"),
        item_aged(51, "a", "a-second"),
        item_aged(100, "b", "b-newest"),
        item_aged(24 * 31, "b", "b-far-older"),
    ]
    assert folder(items) == [
        "a-newest",
        "b-newest",
        "a-second",
        "a year old",
        "b-far-older",
        "undated",
    ]


def test_domains_of_a_folder_take_turns() -> None:
    items = [
        item_aged(1, "a", "s1", domain="sports"),
        item_aged(2, "b", "s2", domain="sports"),
        item_aged(3, "c", "t1", domain="tech"),
        item_aged(4, "d", "s3", domain="sports"),
        item_aged(5, "e", "t2", domain="tech"),
    ]
    assert folder(items) == ["s1", "t1", "s2", "t2", "s3"]


def test_a_folder_drops_items_from_the_future_only() -> None:
    drops: Counter[str] = Counter()
    picks = folder_picks(
        [item_aged(-48, title="planned"), item_aged(1, "b", "here")],
        NOW,
        max_rows_per_source=50,
        drops=drops,
    )
    assert titles(picks) == ["here"]
    assert drops == {"dropped_future": 1}
