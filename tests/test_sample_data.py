"""The sample world keeps its promises: what data/sample/README.md says can be counted."""

import json
import re
import tomllib
from collections import Counter
from datetime import UTC, datetime, timedelta
from difflib import SequenceMatcher
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest

SAMPLE = Path(__file__).parent.parent / "data" / "sample"
TOPICS = {
    "sports", "finance", "tech", "health", "weather", "local_civic", "entertainment", "gaming",
    "commerce", "government", "science", "education", "travel", "automotive", "other",
}  # fmt: skip
KINDS = {"rss_news", "rss_release", "rss_blog", "rss_paper", "rss_social"}
BROKEN, EMPTY, GERMAN = "broken_mast.xml", "quiet_channel.xml", "hafenbote.xml"
ATOM = "{http://www.w3.org/2005/Atom}"
RSS1 = "{http://purl.org/rss/1.0/}"
DC_DATE = "{http://purl.org/dc/elements/1.1/}date"


def read_pages() -> list[dict[str, Any]]:
    lines = (SAMPLE / "pages.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def read_config() -> dict[str, Any]:
    return tomllib.loads((SAMPLE / "feeds.toml").read_text(encoding="utf-8"))


def parse_date(text: str) -> datetime:
    """Aware datetime of an RFC 822 or ISO 8601 text; ValueError where it is neither."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return parsedate_to_datetime(text)


def text_of(element: ElementTree.Element | None) -> str:
    return "" if element is None else "".join(element.itertext()).strip()


def parse_feed(path: Path) -> ElementTree.Element:
    return ElementTree.parse(path).getroot()  # our own files, not the network's


def read_items(path: Path) -> list[dict[str, Any]]:
    """Items of a well-formed feed: title, link, published and updated (datetime or None)."""
    items: list[dict[str, Any]] = []
    for node in parse_feed(path).iter():
        if node.tag in ("item", RSS1 + "item"):
            prefix = RSS1 if node.tag.startswith(RSS1) else ""
            date = text_of(node.find("pubDate")) or text_of(node.find(DC_DATE))
            link, title = text_of(node.find(prefix + "link")), text_of(node.find(prefix + "title"))
            dates = (date, "")
        elif node.tag == ATOM + "entry":
            links = node.findall(ATOM + "link")
            link = next(one.get("href", "") for one in links if one.get("rel") == "alternate")
            title = text_of(node.find(ATOM + "title"))
            dates = (text_of(node.find(ATOM + "published")), text_of(node.find(ATOM + "updated")))
        else:
            continue
        published, updated = (parse_date(one) if one else None for one in dates)
        items.append({"title": title, "link": link, "published": published, "updated": updated})
    return items


def all_items() -> dict[str, list[dict[str, Any]]]:
    files = sorted((SAMPLE / "feeds").glob("*.xml"))
    return {path.name: read_items(path) for path in files if path.name != BROKEN}


CLOCK = datetime.fromisoformat(read_config()["clock"])


def test_pages_are_as_many_as_the_readme_says() -> None:
    count = len(read_pages())
    assert 420 <= count <= 600
    assert f"| {count} pages," in (SAMPLE / "README.md").read_text(encoding="utf-8")


def test_every_page_has_the_five_fields_and_nothing_else() -> None:
    for page in read_pages():
        assert list(page) == ["url", "title", "text", "published_date", "topic"]
        assert page["topic"] in TOPICS
        assert 1 <= len(page["title"]) <= 120
        assert 60 <= len(page["text"].split()) <= 200, page["url"]


def test_page_dates_are_days_or_utc_seconds_not_after_the_clock_or_null() -> None:
    dates = [page["published_date"] for page in read_pages()]
    assert 60 <= dates.count(None) <= 160
    for date in filter(None, dates):
        assert re.fullmatch(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?", date)
        stamp = datetime.fromisoformat(date)
        assert (stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)) <= CLOCK


def test_urls_are_unique_http_addresses_on_example_hosts() -> None:
    urls = [page["url"] for page in read_pages()]
    assert [url for url, count in Counter(urls).items() if count > 1] == []
    for url in urls:
        parts = urlsplit(url)
        assert parts.scheme in ("http", "https")
        assert (parts.hostname or "").endswith(".example"), url


def test_every_news_topic_has_pages() -> None:
    counts = Counter(page["topic"] for page in read_pages())
    assert set(counts) == TOPICS
    assert min(counts[topic] for topic in TOPICS - {"other"}) >= 20


def test_the_same_page_comes_under_tracking_parameters() -> None:
    pages = {page["url"]: page for page in read_pages()}
    tracked = [url for url in pages if "?" in url]
    assert len(tracked) >= 15
    for url in tracked:
        assert pages[url.split("?")[0]]["text"] == pages[url]["text"]


def test_copies_on_other_hosts_are_nearly_but_not_quite_the_same() -> None:
    pages = read_pages()
    by_slug: dict[str, list[dict[str, Any]]] = {}
    for page in pages:
        if "?" not in page["url"]:
            by_slug.setdefault(page["url"].rsplit("/", 1)[1], []).append(page)
    pairs = [group for group in by_slug.values() if len(group) == 2]
    ratios = [
        SequenceMatcher(None, a["text"].split(), b["text"].split(), autojunk=False).ratio()
        for a, b in pairs
        if a["title"].split(" |")[0] == b["title"].split(" |")[0]
    ]
    assert len(ratios) >= 30
    assert all(0.8 <= ratio < 1 for ratio in ratios)


def test_the_feed_list_names_exactly_the_feed_files() -> None:
    sources = read_config()["source"]
    names = [source["file"] for source in sources]
    assert sorted(names) == sorted(f"feeds/{path.name}" for path in (SAMPLE / "feeds").iterdir())
    for source in sources:
        assert set(source) - {"language"} == {"file", "source_kind", "topical_domain"}
        assert source["topical_domain"] in TOPICS
    assert {source["source_kind"] for source in sources} == KINDS


def test_the_readme_counts_the_feeds_and_items() -> None:
    readme = (SAMPLE / "README.md").read_text(encoding="utf-8")
    assert f"the {len(read_config()['source'])} feeds" in readme
    assert f"{sum(map(len, all_items().values()))} items" in readme


def test_all_three_formats_are_there() -> None:
    roots = Counter(
        parse_feed(path).tag.rsplit("}", 1)[-1]
        for path in (SAMPLE / "feeds").glob("*.xml")
        if path.name != BROKEN
    )
    assert roots["rss"] >= 10
    assert roots["RDF"] >= 3
    assert roots["feed"] >= 3


def test_one_feed_is_broken_one_empty_one_german() -> None:
    with pytest.raises(ElementTree.ParseError):
        parse_feed(SAMPLE / "feeds" / BROKEN)
    assert all_items()[EMPTY] == []
    root = parse_feed(SAMPLE / "feeds" / GERMAN)
    assert root.findtext("channel/language") == "de"
    languages = {one["file"]: one.get("language") for one in read_config()["source"]}
    assert {file for file, language in languages.items() if language} == {f"feeds/{GERMAN}"}


def test_at_least_45_events_are_fresh_and_in_english() -> None:
    pages = {page["url"]: page for page in read_pages()}
    fresh = {
        item["link"]
        for name, items in all_items().items()
        for item in items
        if name != GERMAN and item["published"]
        if timedelta(minutes=-5) <= CLOCK - item["published"] <= timedelta(hours=1)
        if item["link"] in pages and pages[item["link"]]["published_date"]
    }
    assert len(fresh) >= 45


def test_most_feeds_have_an_item_of_the_last_hour_and_some_have_older_ones_only() -> None:
    newest = [
        max(date for item in items if (date := item["published"] or item["updated"]))
        for items in all_items().values()
        if items
    ]
    ages = [CLOCK - one for one in newest]
    assert sum(age <= timedelta(hours=1) for age in ages) >= 25
    assert sum(timedelta(hours=1) < age <= timedelta(hours=6) for age in ages) == 2


def test_dates_run_ahead_by_two_minutes_and_by_two_days_once_each() -> None:
    ahead = [
        item["published"] - CLOCK
        for items in all_items().values()
        for item in items
        if item["published"] and item["published"] > CLOCK
    ]
    assert sorted(ahead) == [timedelta(minutes=2), timedelta(days=2)]


def test_some_items_have_no_date() -> None:
    undated = [
        item
        for items in all_items().values()
        for item in items
        if item["published"] is None and item["updated"] is None
    ]
    assert len(undated) == 3


def test_an_old_atom_entry_was_updated_a_moment_ago() -> None:
    edited = [
        item
        for items in all_items().values()
        for item in items
        if item["published"] and item["updated"]
        if item["updated"] - item["published"] > timedelta(days=1)
    ]
    assert len(edited) == 1
    assert CLOCK - edited[0]["updated"] <= timedelta(hours=1)


def test_titles_come_with_markup_cdata_and_entities() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (SAMPLE / "feeds").glob("*.xml")]
    for mark in ('type="html"', 'type="xhtml"', "<title><![CDATA[", "&amp;", "&#8217;", "+01:00"):
        assert any(mark in text for text in texts), mark


def test_every_link_is_an_example_address_and_nearly_all_lead_to_a_page() -> None:
    urls = {page["url"] for page in read_pages()}
    links = [item["link"] for items in all_items().values() for item in items]
    for link in links:
        assert urlsplit(link).scheme == "https"
        assert (urlsplit(link).hostname or "").endswith(".example")
    assert [link for link in links if link not in urls] == [
        "https://calderquaycourier.example/lantern-bridge-shuttle-timetable"
    ]


def test_the_whole_sample_stays_below_one_and_a_half_megabytes() -> None:
    sizes = [path.stat().st_size for path in SAMPLE.rglob("*") if path.is_file()]
    assert sum(sizes) < 1_500_000
