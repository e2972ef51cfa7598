"""Google Trends: the trending topics of US geographies, merged, without near-copies.

Source: `https://trends.google.com/trending/rss?geo=US` (RSS 2.0 with the `ht` namespace).
feedparser keeps only the last of the repeated `ht:news_item`, hence ElementTree here, behind
the same check of the document.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from xml.etree import ElementTree as ET

from runner.benches.markup import plain_text, safe_url
from runner.benches.news.candidates import Candidate
from runner.benches.news.dedupe import TOPIC_RATIO, Clusters, normal_topic, to_ascii
from runner.benches.news.domains import OTHER
from runner.benches.news.feeds import (
    MAX_TITLE_CHARS,
    FeedError,
    Harvested,
    check_document,
    fetch_body,
    gather_in_time,
    parse_date,
)
from runner.benches.news.picks import age_hours
from runner.errors import UsageError
from runner.http import HttpClient, HttpRequest

URL = "https://trends.google.com/trending/rss"
STATES = (
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM "
    "NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY"
).split()
US_ALL = ("US", "US-DC", *(f"US-{state}" for state in STATES))
MAX_AGE_H = 24.0
MAX_NEWS_ITEMS = 5
_HT = "{https://trends.google.com/trending/rss}"
_TRAFFIC = re.compile(r"(\d+(?:\.\d+)?)([KM]?)", re.IGNORECASE)


@dataclass(frozen=True)
class NewsItem:
    """A headline that Trends shows with a topic; `url` is None where it is no safe address."""

    title: str
    url: str | None
    source: str


@dataclass(frozen=True)
class Topic:
    """A trending topic and the geographies that report it, in order of arrival."""

    text: str
    approx_traffic: str
    traffic: float
    published: datetime | None
    pub_date: str
    geos: tuple[str, ...]
    news_items: tuple[NewsItem, ...]


def parse_geos(text: str) -> tuple[str, ...]:
    """The geographies of a comma list; `us-all` is all 52. Raises UsageError for unknown ones."""
    if text.strip().lower() == "us-all":
        return US_ALL
    geos = tuple(dict.fromkeys(part.strip().upper() for part in text.split(",") if part.strip()))
    unknown = [geo for geo in geos if geo not in US_ALL]
    if unknown or not geos:
        raise UsageError(
            f"unknown geography {', '.join(unknown) or text!r}; "
            f"known are us-all and {', '.join(US_ALL)}"
        )
    return geos


def traffic_value(text: str) -> float:
    """Searches from `500+`, `2,000+`, `50K+`, `2M+`; anything else is 0."""
    found = _TRAFFIC.match(text.replace(",", "").strip())
    if not found:
        return 0.0
    return float(found[1]) * {"": 1, "K": 1_000, "M": 1_000_000}[found[2].upper()]


async def fetch_trends(
    geos: Sequence[str],
    client: HttpClient,
    *,
    deadline_s: float | None = None,
    advance: Callable[[], None] = lambda: None,
) -> tuple[list[Topic], Harvested]:
    """The topics of all geographies in their order; a geography that failed is counted."""
    outcomes = await gather_in_time(
        [_fetch(geo, client) for geo in geos], deadline_s=deadline_s, advance=advance
    )
    harvested = Harvested()
    topics: list[Topic] = []
    for geo, outcome in zip(geos, outcomes, strict=True):
        if outcome is None:
            harvested.note("geos_late", f"{geo}: not waited for")
        elif isinstance(outcome, FeedError):
            harvested.note("geos_failed", f"{geo}: {outcome}")
        else:
            harvested.counts["geos_read"] += 1
            topics += outcome
    harvested.counts["topics"] += len(topics)
    return topics, harvested


async def _fetch(geo: str, client: HttpClient) -> list[Topic]:
    body, _ = await fetch_body(HttpRequest(url=URL, params={"geo": geo}), client)
    return parse_trends(body, geo)


def parse_trends(body: bytes, geo: str) -> list[Topic]:
    """The topics of one geography in feed order; raises FeedError."""
    check_document(body)
    try:
        root = ET.fromstring(body)  # noqa: S314 - checked: no entities, bounded size and depth
    except (ET.ParseError, ValueError, LookupError) as error:
        raise FeedError(f"is broken XML ({error})") from error
    return [topic for item in root.iter("item") if (topic := _topic(item, geo)) is not None]


def _topic(item: ET.Element, geo: str) -> Topic | None:
    text = _text(item, "title")
    if not text:
        return None
    news = []
    for entry in item.iter(f"{_HT}news_item"):
        title = _text(entry, f"{_HT}news_item_title")
        if title:
            url = safe_url(entry.findtext(f"{_HT}news_item_url"))
            news.append(NewsItem(title, url, _text(entry, f"{_HT}news_item_source")))
    approx_traffic = _text(item, f"{_HT}approx_traffic")
    pub_date = _text(item, "pubDate")
    return Topic(
        text=text,
        approx_traffic=approx_traffic,
        traffic=traffic_value(approx_traffic),
        published=parse_date(pub_date),
        pub_date=pub_date,
        geos=(geo,),
        news_items=tuple(news[:MAX_NEWS_ITEMS]),
    )


def _text(element: ET.Element, tag: str) -> str:
    return plain_text(element.findtext(tag) or "", MAX_TITLE_CHARS)


def select_topics(
    topics: Sequence[Topic], now: datetime, *, max_trends: int, harvested: Harvested
) -> list[Topic]:
    """The topics worth a query, highest traffic first; drops are counted in `harvested`.

    Same text merged; near-copies joined to the busier one, whose geographies grow; then only
    Latin script (accents are folded), at most 24 h old, and at most `max_trends` (0 = all).
    """
    merged: dict[str, Topic] = {}
    for topic in topics:
        known = merged.get(topic.text)
        merged[topic.text] = _joined(known, topic) if known else topic
    kept: list[Topic] = []
    for topic in _joined_copies(sorted(merged.values(), key=lambda topic: -topic.traffic)):
        age = None if topic.published is None else age_hours(topic.published, now)
        if not is_latin(topic.text):
            harvested.note("dropped_not_latin", topic.text)
        elif topic.published is None:
            harvested.note("dropped_undated", topic.text)
        elif age is None:
            harvested.note("dropped_future", topic.text)
        elif age > MAX_AGE_H:
            harvested.note("dropped_old", topic.text)
        else:
            kept.append(replace(topic, text=to_ascii(topic.text)))
    return kept[:max_trends] if max_trends > 0 else kept


def _joined_copies(topics: Iterable[Topic]) -> list[Topic]:
    kept: list[Topic] = []
    clusters: Clusters[int] = Clusters(TOPIC_RATIO)
    for topic in topics:
        form = normal_topic(topic.text)
        position = clusters.find(form)
        if position is None:
            clusters.keep(form, len(kept))
            kept.append(topic)
        else:
            kept[position] = _joined(kept[position], topic)
    return kept


def _joined(kept: Topic, other: Topic) -> Topic:
    return replace(kept, geos=tuple(dict.fromkeys(kept.geos + other.geos)))


def is_latin(text: str) -> bool:
    """Whether every letter is Latin, accents included, and there is at least one."""
    letters = [char for char in text if char.isalpha()]
    return bool(letters) and all(unicodedata.name(c, "").startswith("LATIN") for c in letters)


def trend_candidate(topic: Topic, now: datetime) -> Candidate:
    """The candidate of a topic: neither the topic nor a headline may come back as the query."""
    headlines = [item.title for item in topic.news_items]
    lines = [
        f"{item.source}: {item.title}" if item.source else item.title for item in topic.news_items
    ]
    return Candidate(
        bucket="trending",
        topical_domain=OTHER,
        subcategory="google_trends",
        titles=(topic.text, *headlines),
        source_text="\n".join([topic.text, *lines]),
        variables={
            "today": f"{now:%Y-%m-%d}",
            "bucket": "trending",
            "topic": topic.text,
            "headlines": "\n".join(lines),
        },
        provenance={
            "producer": "trends_queries",
            "topic": topic.text,
            "approx_traffic": topic.approx_traffic,
            "pub_date": topic.pub_date,
            "geos": list(topic.geos),
            "geo_count": len(topic.geos),
            "news_items": [
                {"title": item.title, "url": item.url, "source": item.source}
                for item in topic.news_items
            ],
        },
    )
