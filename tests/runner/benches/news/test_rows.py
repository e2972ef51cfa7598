from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from runner.benches.news.candidates import feed_candidate
from runner.benches.news.feeds import FeedItem
from runner.benches.news.picks import Pick
from runner.benches.news.rows import news_row
from runner.benches.news.sources import Source
from runner.records.base import encode_line
from runner.records.queries import decode_query

NOW = datetime(2026, 11, 3, 14, 20, tzinfo=UTC)
ITEM = FeedItem(
    source=Source("https://example.org/feed", "rss_news", "local_civic"),
    feed_url="https://example.org/feed",
    url="https://example.org/a1",
    title="Council backs ferry plan",
    text="",
    published=datetime(2026, 11, 3, 13, 41, tzinfo=UTC),
    published_text="Tue, 03 Nov 2026 13:41:00 GMT",
)


def test_a_row_has_the_envelope_that_all_benches_share() -> None:
    candidate = feed_candidate(Pick(ITEM, 0.65, 0), NOW)
    row = news_row("harbor city ferry vote november 3", candidate, now=NOW, queries_from="feeds")
    assert msgspec.to_builtins(row) == {
        "query_id": "c93e94bd32a7fbb9_2026-11-03T14",
        "query_hash": "c93e94bd32a7fbb9",
        "query_text": "harbor city ferry vote november 3",
        "query_source": "fresh-queries",
        "query_origin": {
            "bucket": "rss",
            "topical_domain": "local_civic",
            "subcategory": "rss_local_civic",
            "provenance": {
                "producer": "rss_queries",
                "source_kind": "rss_news",
                "parent_site": "https://example.org/feed",
                "url": "https://example.org/a1",
                "title": "Council backs ferry plan",
                "lastmod_or_pub_at": "Tue, 03 Nov 2026 13:41:00 GMT",
                "age_hours": 0.65,
            },
        },
        "topical_domain": "local_civic",
        "hour_ts": "2026-11-03T14:00:00+00:00",
        "query_produced_at": "2026-11-03T14:00:00+00:00",
    }
    assert decode_query(encode_line(row)) == row


def test_rows_that_are_not_from_live_feeds_say_so() -> None:
    candidate = feed_candidate(Pick(ITEM, None, 0), NOW)
    row = news_row("harbor ferry", candidate, now=NOW, queries_from="sample")
    assert row.query_origin.provenance["queries_from"] == "sample"
    assert "age_hours" not in row.query_origin.provenance
