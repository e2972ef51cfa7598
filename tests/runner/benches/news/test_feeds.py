from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from runner.benches.news import feeds
from runner.benches.news.feeds import (
    FeedError,
    FeedItem,
    check_document,
    fetch_feeds,
    gather_in_time,
    parse_date,
    parse_feed,
    read_feeds,
)
from runner.benches.news.sources import Source
from runner.http import HttpClient
from tests.fakes import FakeWorld, Fault
from tests.fakes.hostile import ENTITY_BOMB, EXTERNAL_ENTITY
from tests.runner.benches.news.build import (
    RSS_DATE,
    URL,
    atom,
    one_item,
    parsed,
    rss,
    rss_item,
)

MOMENT = datetime(2026, 11, 3, 13, 41, tzinfo=UTC)
DATES = {
    "Tue, 03 Nov 2026 13:41:00 GMT": MOMENT,
    "Tue, 03 Nov 2026 13:41:00 +0000": MOMENT,
    "Tue, 03 Nov 2026 08:41:00 -0500": MOMENT,
    "Tue, 3 Nov 2026 08:41:00 EST": MOMENT,
    "Tue, 03 Nov 2026 13:41:00": MOMENT,
    "03 Nov 2026 13:41:00 GMT": MOMENT,
    "2026-11-03T13:41:00Z": MOMENT,
    "2026-11-03T13:41:00": MOMENT,
    "2026-11-03T14:41:00+01:00": MOMENT,
    "2026-11-03 13:41:00": MOMENT,
    "2026-11-03": datetime(2026, 11, 3, tzinfo=UTC),
    " 2026-11-03T13:41:00.000Z ": MOMENT,
    "yesterday": None,
    "": None,
    "32 Nov 2026 13:41:00 GMT": None,
    "0001-01-01T00:00:00+14:00": None,
    "1 " * 5_000: None,
}


@pytest.mark.parametrize("text", DATES)
def test_dates_of_both_standards_are_read_as_utc(text: str) -> None:
    assert parse_date(text) == DATES[text]


def test_rss_2_fields() -> None:
    item = one_item(rss(rss_item(more="<description>The &lt;b&gt;vote&lt;/b&gt;.</description>")))
    assert (item.title, item.url) == ("Council backs ferry plan", "https://paper.example/a1")
    assert (item.summary, item.published) == ("The vote.", MOMENT)
    assert (item.published_text, item.feed_url) == (RSS_DATE, URL)


def test_rss_2_with_a_dublin_core_date() -> None:
    body = rss(
        "<item><title>Council backs plan</title><link>https://paper.example/a1</link>"
        "<dc:date>2026-11-03T14:41:00+01:00</dc:date></item>"
    )
    assert one_item(body).published == MOMENT


def test_rss_1_fields() -> None:
    body = b"""<?xml version="1.0"?>
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
      xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <channel rdf:about="https://paper.example/"><title>Paper</title></channel>
    <item rdf:about="https://paper.example/a1"><title>Council backs plan</title>
      <link>https://paper.example/a1</link><description>The vote.</description>
      <dc:date>2026-11-03T13:41:00Z</dc:date></item></rdf:RDF>"""
    item = one_item(body)
    assert (item.title, item.url, item.summary, item.published) == (
        "Council backs plan",
        "https://paper.example/a1",
        "The vote.",
        MOMENT,
    )


def test_atom_fields() -> None:
    body = atom(
        '<entry><title type="html">Council &lt;i&gt;backs&lt;/i&gt; &amp;amp; plans</title>'
        '<link rel="self" href="https://paper.example/self"/>'
        '<link href="/a1"/><summary>The vote.</summary>'
        "<published>2026-11-03T13:41:00Z</published></entry>"
    )
    item = one_item(body)
    assert (item.title, item.url) == ("Council backs & plans", "https://paper.example/a1")
    assert (item.summary, item.published) == ("The vote.", MOMENT)


def test_published_comes_before_updated() -> None:
    entry = (
        '<entry><title>Old story, edited</title><link href="/a1"/>'
        "<updated>2026-11-03T13:41:00Z</updated>{}</entry>"
    )
    published = "<published>2026-10-01T08:00:00Z</published>"
    assert one_item(atom(entry.format(published))).published == datetime(2026, 10, 1, 8, tzinfo=UTC)
    assert one_item(atom(entry.format(""))).published == MOMENT


def test_the_whole_title_is_read_across_inline_markup() -> None:
    xhtml = (
        '<entry><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Council '
        '<em>backs</em> plan</div></title><link href="/a1"/></entry>'
    )
    assert one_item(atom(xhtml)).title == "Council backs plan"
    assert one_item(rss(rss_item("Council <b>backs</b> plan"))).title == "Council backs plan"
    assert one_item(rss(rss_item("<![CDATA[Council <b>backs</b> plan]]>"))).title == (
        "Council backs plan"
    )


def test_the_longer_of_summary_and_content_is_the_text() -> None:
    more = (
        "<description>Short.</description>"
        "<content:encoded><![CDATA[<p>The whole story of the vote.</p>]]></content:encoded>"
    )
    assert one_item(rss(rss_item(more=more))).text == "The whole story of the vote."


def test_texts_are_cut() -> None:
    item = one_item(rss(rss_item("t" * 5_000, more=f"<description>{'d' * 9_000}</description>")))
    assert (len(item.title), len(item.summary), len(item.text)) == (300, 500, 2_000)


def test_entries_without_title_or_safe_link_stand_as_their_reason() -> None:
    body = rss(
        rss_item("<b></b>"),
        rss_item(link="javascript:alert(1)"),
        "<item><title>No link at all</title></item>",
        rss_item(),
    )
    outcomes = parsed(body)
    assert outcomes[:3] == ["no_title", "no_link", "no_link"]
    assert isinstance(outcomes[3], FeedItem)


def test_another_encoding_is_read() -> None:
    body = rss(rss_item("Cafétéria élue")).decode().replace("utf-8", "iso-8859-1")
    assert one_item(body.encode("iso-8859-1")).title == "Cafétéria élue"


def test_a_cut_off_feed_gives_the_items_it_has() -> None:
    body = rss(rss_item(), rss_item("Second story of the day", "https://paper.example/a2"))
    titles = [item.title for item in parsed(body[:-60]) if isinstance(item, FeedItem)]
    assert titles[0] == "Council backs ferry plan"


def test_an_empty_feed_gives_nothing_and_is_no_error() -> None:
    assert parsed(rss()) == []


@pytest.mark.parametrize("body", [b"", b"<html><body>Not found</body></html>", b"{}", b"\0" * 99])
def test_what_is_no_feed_is_an_error(body: bytes) -> None:
    with pytest.raises(FeedError, match="is not a feed"):
        parsed(body)


def test_a_path_as_body_is_not_opened(tmp_path: Path) -> None:
    secret = tmp_path / "secret.xml"
    secret.write_bytes(rss(rss_item("Secret title")))
    with pytest.raises(FeedError):
        parsed(str(secret).encode())


REFUSED = {
    "entity bomb": (ENTITY_BOMB.encode(), "declares entities"),
    "external entity": (EXTERNAL_ENTITY.encode(), "declares entities"),
    "entity bomb in UTF-16": (
        ENTITY_BOMB.replace('version="1.0"', 'version="1.0" encoding="utf-16"').encode("utf-16"),
        "declares entities",
    ),
    "bomb behind a comment": (
        b"<!-- <rss> --><!DOCTYPE r [<!ENTITY a 'x'>]><rss/>",
        "declares entities",
    ),
    "too deep": (b"<rss>" + b"<a>" * 100 + b"</a>" * 100 + b"</rss>", "nests deeper"),
    "too many entries": (rss(*["<item/>"] * 2_001), "2000 entries"),
    "too many elements": (rss("<item>" + "<a/>" * 60_000 + "</item>"), "60000 elements"),
    "too many attributes": (
        rss("<item " + " ".join(f'a{n}="x"' for n in range(300)) + "/>"),
        "200 attributes",
    ),
    "broken and large": (rss(rss_item()) + b"<" * 250_000, "is broken XML"),
    "too large": (rss(rss_item("x" * 4_000_000)), "is larger than"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_dangerous_documents_are_refused_before_they_are_parsed(case: str) -> None:
    body, reason = REFUSED[case]
    with pytest.raises(FeedError, match=reason):
        check_document(body)


def test_a_document_type_without_entities_is_fine() -> None:
    body = rss(rss_item(), head='<!DOCTYPE rss SYSTEM "https://dtd.example/rss-0.91.dtd">')
    assert one_item(body).title == "Council backs ferry plan"


def test_files_are_read_and_the_unreadable_counted(tmp_path: Path) -> None:
    good, bad, missing = tmp_path / "a.xml", tmp_path / "b.xml", tmp_path / "c.xml"
    good.write_bytes(rss(rss_item(), rss_item(link="/relative")))
    bad.write_bytes(ENTITY_BOMB.encode())
    harvested = read_feeds([Source(str(path)) for path in (good, bad, missing)])
    assert [item.title for item in harvested.items] == ["Council backs ferry plan"]
    assert harvested.counts == {
        "feeds_read": 1,
        "items": 1,
        "dropped_no_link": 1,
        "feeds_failed": 2,
    }
    assert harvested.reasons["feeds_failed"].endswith("b.xml: declares entities")


def test_a_file_is_named_by_its_own_link_or_its_name(tmp_path: Path) -> None:
    path = tmp_path / "paper.xml"
    for head, expected in (
        ("<link>https://paper.example/</link>", "https://paper.example/"),
        ("<link>javascript:alert(1)</link>", "paper.xml"),
        ("", "paper.xml"),
    ):
        (item,) = parse_feed(rss(head, rss_item()), Source(str(path)), base="")
        assert isinstance(item, FeedItem)
        assert item.feed_url == expected


def fetch(world: FakeWorld, *urls: str, deadline_s: float | None = None) -> feeds.Harvested:
    async def go() -> feeds.Harvested:
        client = HttpClient(
            timeout_s=5, max_body_bytes=100_000, max_connections=4, gateway=world.url
        )
        try:
            sources = [Source(url) for url in urls]
            return await fetch_feeds(sources, client, deadline_s=deadline_s)
        finally:
            await client.aclose()

    return asyncio.run(go())


def test_a_failing_feed_costs_only_itself() -> None:
    faults = [
        Fault(kind="status", host="down.example", status=503),
        Fault(kind="refuse", host="closed.example"),
        Fault(kind="huge", host="huge.example"),
        Fault(kind="gzip_bomb", host="bomb.example"),
        Fault(kind="html", host="html.example"),
        Fault(kind="redirect", host="file.example", to="file:///etc/passwd"),
        Fault(kind="truncate", host="cut.example"),
    ]
    hosts = ["down", "closed", "huge", "bomb", "html", "file", "cut", "good"]
    with FakeWorld(faults=faults) as world:
        harvested = fetch(world, *(f"https://{host}.example/rss" for host in hosts))
        assert harvested.counts["feeds_failed"] == 7
        assert harvested.counts["feeds_read"] == 1
        assert world.count("down.example") == 1  # one attempt: the next hour is the retry
    assert harvested.reasons["feeds_failed"] == "https://down.example/rss: HTTP 503"
    assert {item.source.url for item in harvested.items} == {"https://good.example/rss"}


def test_a_redirect_to_another_host_is_followed() -> None:
    fault = Fault(kind="redirect", host="old.example", to="https://new.example/rss")
    with FakeWorld(faults=[fault]) as world:
        harvested = fetch(world, "https://old.example/rss")
        assert world.count("new.example") == 1
    assert harvested.counts["feeds_read"] == 1
    assert {item.feed_url for item in harvested.items} == {"https://old.example/rss"}


def test_a_slow_feed_is_left_behind_at_the_deadline() -> None:
    fault = Fault(kind="delay", host="slow.example", seconds=4)
    with FakeWorld(faults=[fault]) as world:
        harvested = fetch(
            world, "https://slow.example/rss", "https://good.example/rss", deadline_s=1.5
        )
    assert harvested.counts["feeds_late"] == 1
    assert harvested.counts["feeds_read"] == 1


def gathered(works: list[str], deadline_s: float | None) -> list[str | FeedError | None]:
    """Outcomes of works that end at once ("ok", "bad") or never ("hang")."""

    async def work(kind: str) -> str:
        if kind == "bad":
            raise FeedError("down")
        if kind == "hang":
            await asyncio.Event().wait()
        return kind

    async def go() -> list[str | FeedError | None]:
        return await gather_in_time(
            [work(kind) for kind in works], deadline_s=deadline_s, advance=lambda: None
        )

    return asyncio.run(go())


def test_without_any_network_the_rest_is_not_waited_for() -> None:
    outcomes = gathered(["bad"] * feeds.HOPELESS + ["hang"], deadline_s=60)
    assert [type(outcome) for outcome in outcomes] == [FeedError] * feeds.HOPELESS + [type(None)]


def test_one_success_keeps_the_waiting_up_to_the_deadline() -> None:
    outcomes = gathered(["ok", *["bad"] * feeds.HOPELESS, "hang"], deadline_s=0.05)
    assert outcomes[0] == "ok"
    assert outcomes[-1] is None


def test_an_error_of_ours_is_not_counted_as_a_feed_failure() -> None:
    async def broken() -> str:
        raise KeyError("ours")

    async def go() -> None:
        await gather_in_time([broken()], deadline_s=None, advance=lambda: None)

    with pytest.raises(KeyError):
        asyncio.run(go())
