"""Feeds: fetched or read from files, checked before they are parsed, turned into plain items.

A feed is refused as a whole when it declares entities, is too deep or too long, or is so broken
that only the slow tolerant parser would read it while being large; each with its reason.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
from calendar import timegm
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, TypeVar
from xml.parsers import expat

from runner.benches.markup import plain_text, safe_url
from runner.benches.news.sources import Source
from runner.http import HttpClient, HttpRequest, RetryPolicy

MAX_BODY_BYTES = 4_000_000
MAX_ENTRIES = 2_000
MAX_ELEMENTS = 60_000
MAX_ATTRIBUTES = 200  # of one element; the parser compares each with all others
MAX_DEPTH = 64
MAX_BROKEN_BYTES = 250_000  # the tolerant parser takes quadratic time on the worst input
MAX_TITLE_CHARS = 300
MAX_SUMMARY_CHARS = 500
MAX_TEXT_CHARS = 2_000
HOPELESS = 12  # so many failures without one success: there is no network
ONE_ATTEMPT = RetryPolicy(transport=0, server=0, rate_limited=0)

T = TypeVar("T")


class FeedError(Exception):
    """A feed that gives nothing; the text is the reason to count."""


@dataclass(frozen=True)
class FeedItem:
    """One entry, in plain text. `published` is UTC, None where no date could be read."""

    source: Source
    feed_url: str
    url: str
    title: str
    text: str
    published: datetime | None
    published_text: str

    @property
    def summary(self) -> str:
        return self.text[:MAX_SUMMARY_CHARS].rstrip()


@dataclass
class Harvested:
    """What feeds gave: items in source order, counts, and the first error text per reason."""

    items: list[FeedItem] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, str] = field(default_factory=dict)

    def note(self, reason: str, text: str) -> None:
        """Counts a failure and keeps the first text for its reason."""
        self.counts[reason] += 1
        self.reasons.setdefault(reason, text)


async def fetch_feeds(
    sources: Sequence[Source],
    client: HttpClient,
    *,
    deadline_s: float | None = None,
    advance: Callable[[], None] = lambda: None,
) -> Harvested:
    """All items of all feeds that answered in time; the others are counted by reason.

    `client` bounds concurrency, time and size of each feed; `deadline_s` bounds the whole.
    """
    outcomes = await gather_in_time(
        [_fetch(source, client) for source in sources], deadline_s=deadline_s, advance=advance
    )
    harvested = Harvested()
    for source, outcome in zip(sources, outcomes, strict=True):
        if outcome is None:
            harvested.note("feeds_late", f"{source.url}: not waited for")
        elif isinstance(outcome, FeedError):
            harvested.note("feeds_failed", f"{source.url}: {outcome}")
        else:
            _add(harvested, outcome)
    return harvested


async def gather_in_time(
    works: Iterable[Coroutine[Any, Any, T]],
    *,
    deadline_s: float | None,
    advance: Callable[[], None],
) -> list[T | FeedError | None]:
    """The result or FeedError of each, in order; None for those cut off before they ended.

    With a deadline, waiting also ends when the first `HOPELESS` have all failed: there is no
    network. `advance` is called as each one ends. Any other exception is raised.
    """
    tasks = [asyncio.create_task(work) for work in works]
    for task in tasks:
        task.add_done_callback(lambda ended: None if ended.cancelled() else advance())
    pending = set(tasks)
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(deadline_s):
                while pending:
                    _, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                    failed = sum(task.done() and task.exception() is not None for task in tasks)
                    if deadline_s is not None and HOPELESS <= failed == len(tasks) - len(pending):
                        break
    finally:
        late = {task for task in tasks if not task.done()}
        for task in late:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    outcomes: list[T | FeedError | None] = []
    for task, outcome in zip(tasks, ended, strict=True):
        if task in late:
            outcomes.append(None)
        elif isinstance(outcome, BaseException) and not isinstance(outcome, FeedError):
            raise outcome
        else:
            outcomes.append(outcome)
    return outcomes


def read_feeds(sources: Sequence[Source]) -> Harvested:
    """All items of feed files; a file that cannot be used is counted by reason."""
    harvested = Harvested()
    for source in sources:
        try:
            with Path(source.url).open("rb") as file:
                body = file.read(MAX_BODY_BYTES + 1)
            _add(harvested, parse_feed(body, source, base=""))
        except OSError as error:
            harvested.note("feeds_failed", f"{source.url}: {error.strerror}")
        except FeedError as error:
            harvested.note("feeds_failed", f"{source.url}: {error}")
    return harvested


async def _fetch(source: Source, client: HttpClient) -> list[FeedItem | str]:
    accepted = "application/rss+xml, application/atom+xml, application/xml, text/xml, */*;q=0.5"
    body, url = await fetch_body(HttpRequest(url=source.url, headers={"Accept": accepted}), client)
    return await asyncio.to_thread(parse_feed, body, source, base=url)


async def fetch_body(request: HttpRequest, client: HttpClient) -> tuple[bytes, str]:
    """The body of a 200 reply and its final address, after one attempt; else FeedError."""
    exchange = await client.send(request, retry=ONE_ATTEMPT, follow_redirects=5)
    if exchange.reply is None:
        raise FeedError(exchange.failure.message if exchange.failure else "no answer")
    if exchange.reply.status != 200:
        raise FeedError(f"HTTP {exchange.reply.status}")
    return exchange.reply.body, exchange.reply.url


def _add(harvested: Harvested, entries: list[FeedItem | str]) -> None:
    harvested.counts["feeds_read"] += 1
    for entry in entries:
        if isinstance(entry, FeedItem):
            harvested.items.append(entry)
            harvested.counts["items"] += 1
        else:
            harvested.counts[f"dropped_{entry}"] += 1


def parse_feed(body: bytes, source: Source, *, base: str) -> list[FeedItem | str]:
    """The items in feed order; an entry that cannot be used stands there as its drop reason.

    `base` resolves relative links. Raises FeedError.
    """
    import feedparser

    check_document(body)
    # A stream, never the bytes themselves: those would be tried as a file name.
    parsed = feedparser.parse(
        io.BytesIO(body),
        response_headers={"content-location": base} if base else {},
        sanitize_html=False,
        resolve_relative_uris=False,
    )
    if not parsed.entries and not parsed.get("version"):
        raise FeedError("is not a feed")
    feed_url = _feed_url(parsed.feed, source)
    return [_item(entry, source, feed_url) for entry in parsed.entries[:MAX_ENTRIES]]


def check_document(body: bytes) -> None:
    """Returns when the document is safe to parse; raises FeedError with what is wrong.

    Well-formed documents are bounded in entries, elements and depth, broken ones in size.
    """
    if len(body) > MAX_BODY_BYTES:
        raise FeedError(f"is larger than {MAX_BODY_BYTES} bytes")
    elements = entries = depth = 0

    def start(name: str, attributes: Mapping[str, str]) -> None:
        nonlocal elements, entries, depth
        elements += 1
        depth += 1
        entries += name.rpartition(":")[2] in ("item", "entry")
        if elements > MAX_ELEMENTS or entries > MAX_ENTRIES:
            raise FeedError(f"has more than {MAX_ENTRIES} entries or {MAX_ELEMENTS} elements")
        if depth > MAX_DEPTH or len(attributes) > MAX_ATTRIBUTES:
            raise FeedError(
                f"nests deeper than {MAX_DEPTH} or has over {MAX_ATTRIBUTES} attributes"
            )

    def end(_name: str) -> None:
        nonlocal depth
        depth -= 1

    def refuse(*_declaration: object) -> None:
        raise FeedError("declares entities")

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(body, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        if len(body) > MAX_BROKEN_BYTES:
            raise FeedError(f"is broken XML ({error})") from error


def _feed_url(feed: Mapping[str, Any], source: Source) -> str:
    """The address of a fetched feed; of a file, its own self or alternate link, else its name."""
    if safe_url(source.url):
        return source.url
    links = feed.get("links", [])
    for rel in ("self", "alternate"):
        for link in links:
            url = safe_url(link.get("href"))
            if url and link.get("rel") == rel:
                return url
    return Path(source.url).name


def _item(entry: Mapping[str, Any], source: Source, feed_url: str) -> FeedItem | str:
    title = plain_text(entry.get("title") or "", MAX_TITLE_CHARS)
    if not title:
        return "no_title"
    url = _link(entry)
    if url is None:
        return "no_link"
    fields = [entry.get("summary") or ""]
    fields += [part.get("value") or "" for part in entry.get("content", [])]
    text = max((plain_text(markup, MAX_TEXT_CHARS) for markup in fields), key=len)
    published_text, published = _date(entry)
    return FeedItem(source, feed_url, url, title, text, published, published_text)


def _link(entry: Mapping[str, Any]) -> str | None:
    """The alternate link, else the first other one that is a safe address."""
    links = sorted(entry.get("links", []), key=lambda link: link.get("rel") != "alternate")
    candidates = [safe_url(link.get("href")) for link in links if link.get("rel") != "enclosure"]
    candidates.append(safe_url(entry.get("link")))
    return next((url for url in candidates if url), None)


def _date(entry: Mapping[str, Any]) -> tuple[str, datetime | None]:
    """Date text and moment: when it was published, else when it was updated.

    A feed that rewrites `updated` on each edit would make old articles look new.
    """
    for name in ("published", "updated"):
        if name in entry and (text := str(entry[name] or "").strip()):
            moment = parse_date(text) or _from_parts(entry.get(f"{name}_parsed"))
            if moment is not None:
                return text[:100], moment
    return "", None


def parse_date(text: str) -> datetime | None:
    """The UTC moment of an RFC 822 or ISO 8601 date; naive is UTC, None where it is neither."""
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = read(text.strip())
        except (ValueError, IndexError, TypeError, OverflowError):
            continue
        try:
            return moment.replace(tzinfo=UTC) if not moment.tzinfo else moment.astimezone(UTC)
        except (ValueError, OverflowError):  # beyond the first or last year once in UTC
            return None
    return None


def _from_parts(parts: Any) -> datetime | None:
    """The moment of feedparser's own reading (a UTC time tuple), for rarer date forms."""
    try:
        return datetime.fromtimestamp(timegm(parts), UTC) if parts else None
    except (ValueError, TypeError, OverflowError):
        return None
