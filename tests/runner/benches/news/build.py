"""Small feeds, items and models for the tests of this folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from runner.benches.news.candidates import Candidate, feed_candidate
from runner.benches.news.feeds import FeedItem, parse_feed
from runner.benches.news.picks import Pick
from runner.benches.news.sources import Source
from runner.llm.client import Completion, LlmError, Prompt
from runner.records.judgements import Spend

NOW = datetime(2026, 11, 3, 14, 20, tzinfo=UTC)
URL = "https://paper.example/feed"
RSS_DATE = "Tue, 03 Nov 2026 13:41:00 GMT"


def rss_item(
    title: str = "Council backs ferry plan",
    link: str = "https://paper.example/a1",
    date: str = RSS_DATE,
    more: str = "",
) -> str:
    return f"<item><title>{title}</title><link>{link}</link><pubDate>{date}</pubDate>{more}</item>"


def rss(*items: str, head: str = "") -> bytes:
    return (
        f'<?xml version="1.0" encoding="utf-8"?>{head}<rss version="2.0" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:content="http://purl.org/rss/1.0/modules/content/">'
        f"<channel><title>Paper</title>{''.join(items)}</channel></rss>"
    ).encode()


def atom(*entries: str) -> bytes:
    return (
        '<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom">'
        f"<title>Paper</title>{''.join(entries)}</feed>"
    ).encode()


def parsed(body: bytes, kind: str = "rss_news") -> list[FeedItem | str]:
    return parse_feed(body, Source(URL, kind), base=URL)


def one_item(body: bytes) -> FeedItem:
    (item,) = parsed(body)
    assert isinstance(item, FeedItem)
    return item


def item_aged(
    hours: float | None,
    feed: str = "a",
    title: str = "Title",
    kind: str = "rss_news",
    domain: str = "other",
) -> FeedItem:
    """An item published so many hours before NOW (None: undated)."""
    published = None if hours is None else NOW - timedelta(hours=hours)
    source = Source(f"https://{feed}.example/feed", kind, domain)
    text = published.isoformat() if published else ""
    return FeedItem(
        source, source.url, f"https://{feed}.example/{title}", title, "", published, text
    )


def candidate(title: str, summary: str = "", domain: str = "other") -> Candidate:
    source = Source(URL, "rss_news", domain)
    item = FeedItem(source, URL, "https://paper.example/a1", title, summary, NOW, RSS_DATE)
    return feed_candidate(Pick(item, 0.0, 0), NOW)


def reply(query: str | None = None, refusal: str | None = None, evidence: str | None = None) -> str:
    return json.dumps(
        {"query": query, "refusal": refusal, "quoted_span": None, "evidence": evidence}
    )


class ScriptedModel:
    """A model that answers by a function of the variables; an LlmError among answers is raised."""

    model = "scripted"
    effort = None

    def __init__(self, answer: Callable[[Mapping[str, Any], bool], str | LlmError]) -> None:
        self.prompts: list[Prompt] = []
        self._answer = answer

    async def complete(self, prompt: Prompt) -> Completion:
        self.prompts.append(prompt)
        answer = self._answer(prompt.variables, prompt.reminder)
        if isinstance(answer, LlmError):
            raise answer
        return Completion(answer, Spend(calls=1, cost_usd=0.01), "scripted-1")

    async def aclose(self) -> None:
        return None


class SilentProgress:
    """Keeps what was said, shows nothing."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.steps = 0

    def phase(self, name: str, total: int) -> None:
        return None

    def advance(self) -> None:
        self.steps += 1

    def note(self, text: str) -> None:
        self.notes.append(text)

    def close(self) -> None:
        return None
