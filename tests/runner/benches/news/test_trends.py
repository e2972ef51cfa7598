from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from runner.benches.news.feeds import FeedError, Harvested
from runner.benches.news.trends import (
    US_ALL,
    NewsItem,
    Topic,
    fetch_trends,
    is_latin,
    parse_geos,
    parse_trends,
    select_topics,
    traffic_value,
    trend_candidate,
)
from runner.errors import UsageError
from runner.http import HttpClient
from tests.fakes import FakeWorld, Fault
from tests.fakes.hostile import ENTITY_BOMB
from tests.runner.benches.news.build import NOW

BODY = b"""<?xml version="1.0" encoding="UTF-8"?>
<rss xmlns:ht="https://trends.google.com/trending/rss" version="2.0"><channel>
<title>Daily Search Trends</title>
<item><title>harbor city ferry</title><ht:approx_traffic>2,000+</ht:approx_traffic>
  <pubDate>Tue, 3 Nov 2026 05:10:00 -0800</pubDate>
  <ht:news_item><ht:news_item_title>Council &lt;b&gt;votes&lt;/b&gt; on ferry</ht:news_item_title>
    <ht:news_item_url>https://paper.example/a1</ht:news_item_url>
    <ht:news_item_source>Paper</ht:news_item_source></ht:news_item>
  <ht:news_item><ht:news_item_title>Ferry vote tonight</ht:news_item_title>
    <ht:news_item_url>javascript:alert(1)</ht:news_item_url></ht:news_item>
  <ht:news_item><ht:news_item_title></ht:news_item_title></ht:news_item>
</item>
<item><title> </title></item>
<item><title>lonely topic</title></item>
</channel></rss>"""
TRAFFIC = {
    "500+": 500,
    "2,000+": 2_000,
    "50K+": 50_000,
    "2M+": 2_000_000,
    "1.5m+": 1_500_000,
    "lots": 0,
    "": 0,
}


@pytest.mark.parametrize("text", TRAFFIC)
def test_traffic_is_read_as_a_number(text: str) -> None:
    assert traffic_value(text) == TRAFFIC[text]


def test_all_us_is_52_geographies() -> None:
    assert parse_geos("us-all") == US_ALL
    assert len(set(US_ALL)) == 52
    assert parse_geos("us, US-ny,us") == ("US", "US-NY")


@pytest.mark.parametrize("text", ["DE", "US-XX", "", ",", "US,US-PR"])
def test_unknown_geographies_are_named(text: str) -> None:
    with pytest.raises(UsageError, match=r"known are us-all and US, US-DC, US-AL"):
        parse_geos(text)


def test_topics_keep_all_their_news_items() -> None:
    first, second = parse_trends(BODY, "US")
    assert (first.text, first.traffic, first.approx_traffic) == (
        "harbor city ferry",
        2_000,
        "2,000+",
    )
    assert first.published == NOW.replace(hour=13, minute=10)
    assert first.news_items == (
        NewsItem("Council votes on ferry", "https://paper.example/a1", "Paper"),
        NewsItem("Ferry vote tonight", None, ""),
    )
    assert (second.text, second.published, second.news_items) == ("lonely topic", None, ())


@pytest.mark.parametrize("body", [ENTITY_BOMB.encode(), b"<rss><channel>", b"not xml", b""])
def test_broken_documents_are_errors(body: bytes) -> None:
    with pytest.raises(FeedError):
        parse_trends(body, "US")


def topic(text: str, traffic: float = 500, geo: str = "US", hours: float | None = 1) -> Topic:
    published = None if hours is None else NOW - timedelta(hours=hours)
    return Topic(text, f"{traffic:g}+", traffic, published, "", (geo,), ())


def select(*topics: Topic, most: int = 0) -> tuple[list[Topic], Harvested]:
    harvested = Harvested()
    return select_topics(topics, NOW, max_trends=most, harvested=harvested), harvested


def test_the_same_topic_is_merged_and_collects_its_geographies() -> None:
    (merged,), _ = select(
        topic("ferry vote"), topic("ferry vote", geo="US-NY"), topic("ferry vote")
    )
    assert merged.geos == ("US", "US-NY")


def test_near_copies_join_the_busier_topic() -> None:
    (kept,), _ = select(
        topic("celtics v lakers", 500, "US-CA"), topic("Lakers vs Celtics", 9_000, "US-MA")
    )
    assert (kept.text, kept.geos) == ("Lakers vs Celtics", ("US-MA", "US-CA"))


def test_topics_come_by_traffic_and_are_capped() -> None:
    topics = [topic("alpha mine", 1), topic("bravo opera", 3), topic("charlie storm", 2)]
    assert [one.text for one in select(*topics)[0]] == [
        "bravo opera",
        "charlie storm",
        "alpha mine",
    ]
    assert [one.text for one in select(*topics, most=1)[0]] == ["bravo opera"]


def test_only_dated_topics_of_a_day_in_latin_letters_are_kept_accents_folded() -> None:
    kept, harvested = select(
        topic("café élan"),
        topic("погода завтра"),
        topic("日本代表 vs usa"),
        topic("2026"),
        topic("at the edge", hours=24),
        topic("yesterday's news", hours=24.1),
        topic("no date", hours=None),
        topic("planned event", hours=-1),
    )
    assert [one.text for one in kept] == ["cafe elan", "at the edge"]
    assert harvested.counts == {
        "dropped_not_latin": 3,
        "dropped_old": 1,
        "dropped_undated": 1,
        "dropped_future": 1,
    }


def test_latin_is_told_from_other_scripts() -> None:
    assert is_latin("Beyoncé & Łódź 2")
    assert not is_latin("ＡＢＣ東京")
    assert not is_latin("123")


def test_a_candidate_carries_headlines_and_provenance() -> None:
    (first, _) = parse_trends(BODY, "US-NY")
    made = trend_candidate(replace(first, geos=("US", "US-NY")), NOW)
    assert made.titles == ("harbor city ferry", "Council votes on ferry", "Ferry vote tonight")
    assert made.variables == {
        "today": "2026-11-03",
        "bucket": "trending",
        "topic": "harbor city ferry",
        "headlines": "Paper: Council votes on ferry\nFerry vote tonight",
    }
    assert made.provenance == {
        "producer": "trends_queries",
        "topic": "harbor city ferry",
        "approx_traffic": "2,000+",
        "pub_date": "Tue, 3 Nov 2026 05:10:00 -0800",
        "geos": ["US", "US-NY"],
        "geo_count": 2,
        "news_items": [
            {
                "title": "Council votes on ferry",
                "url": "https://paper.example/a1",
                "source": "Paper",
            },
            {"title": "Ferry vote tonight", "url": None, "source": ""},
        ],
    }


def test_a_failed_geography_is_counted_and_the_rest_goes_on() -> None:
    async def go(world: FakeWorld) -> tuple[list[Topic], Harvested]:
        client = HttpClient(timeout_s=10, max_connections=3, gateway=world.url)
        try:
            return await fetch_trends(["US", "US-NY", "US-WY"], client)
        finally:
            await client.aclose()

    fault = Fault(kind="status", host="trends.google.com", status=503, times=1)
    with FakeWorld(faults=[fault]) as world:
        topics, harvested = asyncio.run(go(world))
        assert world.count("trends.google.com", "/trending/rss") == 3
    assert harvested.counts["geos_failed"] == 1
    assert harvested.counts["geos_read"] == 2
    assert harvested.counts["topics"] == len(topics) > 0
