"""The harvest of one hour: sources to query rows, and every item as a page to search in."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from runner.benches.bench import Harvest
from runner.benches.news.candidates import Candidate, feed_candidate
from runner.benches.news.feeds import MAX_BODY_BYTES, FeedItem, Harvested, fetch_feeds, read_feeds
from runner.benches.news.picks import folder_picks, live_picks
from runner.benches.news.project import Projected, project
from runner.benches.news.rows import news_row
from runner.benches.news.sources import PACKAGED, load_folder, load_sources
from runner.benches.news.trends import US_ALL, fetch_trends, select_topics, trend_candidate
from runner.engines.local import Page
from runner.errors import TooLittleError, UsageError
from runner.http import HttpClient
from runner.llm.client import LanguageModel
from runner.progress import Progress
from runner.sampling import hour_seed, sample
from runner.settings import Settings
from runner.text import minute_ts

QueriesFrom = Literal["feeds", "feeds-dir", "sample"]
SOURCES = ("rss", "trending", "both")
MIN_ROWS = {"rss": 10, "trending": 5, "both": 10}
TIMEOUT_S = 20.0
CONNECT_TIMEOUT_S = 10.0
TRENDS_CONCURRENCY = 10


@dataclass(frozen=True, kw_only=True)
class NewsOptions:
    """How to harvest. `now` is the clock of ages, rows and seed.

    `limit` 0 takes all candidates. `seed` None stands for the hour. `sample` is a folder of feeds
    to fall back to when the live ones give too few rows (the embedded profile); `deadline_s`
    bounds the fetching as a whole.
    """

    now: datetime
    source: str = "rss"
    feeds: Path | None = None
    feeds_dir: Path | None = None
    sample: Path | None = None
    limit: int = 0
    seed: int | None = None
    fetch_concurrency: int = 15
    max_rows_per_source: int = 50
    min_candidates: int = 30
    geos: tuple[str, ...] = US_ALL
    max_trends: int = 0
    llm_concurrency: int = 8
    deadline_s: float | None = None


@dataclass(frozen=True)
class NewsHarvest(Harvest):
    """The harvest, whether its queries are from live feeds, a folder or the sample, at what time.

    `now` is the clock of the rows: the sample's own where the queries are from there.
    """

    queries_from: QueriesFrom = "feeds"
    now: datetime | None = None

    def summary(self) -> list[str]:
        """That of every harvest, and the sample's clock where it was used."""
        lines = super().summary()
        if self.queries_from == "sample" and self.now is not None:
            lines.append(f"  from the sample feeds, whose clock stands at {minute_ts(self.now)}")
        return lines


@dataclass
class _Found:
    """Candidates in the order in which they are tried, and what was seen on the way."""

    candidates: list[Candidate]
    items: Sequence[FeedItem]
    harvested: Harvested


async def generate(
    options: NewsOptions,
    *,
    model: LanguageModel,
    settings: Settings,
    progress: Progress,
) -> NewsHarvest:
    """The rows of this hour; raises TooLittleError where there are too few, UsageError early."""
    _check(options)
    if options.feeds_dir is not None:
        found = _from_folder(options, options.feeds_dir)
        return await _harvest(found, options, model, "feeds-dir", progress)
    found = await _from_network(options, settings, progress)
    try:
        return await _harvest(found, options, model, "feeds", progress)
    except TooLittleError as error:
        if options.sample is None:
            raise
        first = next(iter(found.harvested.reasons.values()), str(error))
        progress.note(f"the live feeds gave too few queries ({first}); taking the sample feeds")
        return await _from_sample(options, options.sample, found.harvested, model, progress)


async def _from_sample(
    options: NewsOptions, folder: Path, live: Harvested, model: LanguageModel, progress: Progress
) -> NewsHarvest:
    """The harvest of the tracked sample at its own clock, with the failures of the live one."""
    options = replace(options, now=_sample_clock(folder) or options.now)
    harvest = await _harvest(_from_folder(options, folder), options, model, "sample", progress)
    counts = {f"live_{name}": count for name, count in live.counts.items() if count}
    return replace(
        harvest,
        counts=counts | harvest.counts,
        reasons={f"live_{name}": text for name, text in live.reasons.items()} | harvest.reasons,
    )


def _sample_clock(folder: Path) -> datetime | None:
    if not folder.is_dir():
        raise UsageError(
            f"no feed answered and {folder} is missing; it belongs to the repository, so clone "
            "that whole, or give feed files with --feeds-dir"
        )
    return load_folder(folder).clock


def _check(options: NewsOptions) -> None:
    if options.source not in SOURCES:
        raise UsageError(f"unknown source {options.source!r}; known are {', '.join(SOURCES)}")
    if options.feeds_dir is not None and options.source != "rss":
        raise UsageError("a folder of feeds goes with source rss only")


def _from_folder(options: NewsOptions, folder: Path) -> _Found:
    """Candidates of feed files, least stale first; the ones behind fill in for the refused."""
    harvested = read_feeds(load_folder(folder).sources)
    picks = folder_picks(
        harvested.items,
        options.now,
        max_rows_per_source=options.max_rows_per_source,
        drops=harvested.counts,
    )
    count = max(options.min_candidates, 3 * options.limit)
    candidates = _distinct((feed_candidate(pick, options.now) for pick in picks), harvested)
    return _Found(candidates[:count], harvested.items, harvested)


async def _from_network(options: NewsOptions, settings: Settings, progress: Progress) -> _Found:
    """Candidates of the live sources: in a seeded order, the domains in turn, when limited."""
    wants_feeds = options.source in ("rss", "both")
    wants_trends = options.source in ("trending", "both")
    sources = load_sources(options.feeds or PACKAGED) if wants_feeds else []
    geos = options.geos if wants_trends else ()
    progress.phase("feeds", len(sources) + len(geos))
    clients = [
        _client(settings, options.fetch_concurrency),
        _client(settings, min(TRENDS_CONCURRENCY, options.fetch_concurrency)),
    ]
    try:
        harvested, (topics, trends) = await asyncio.gather(
            fetch_feeds(
                sources, clients[0], deadline_s=options.deadline_s, advance=progress.advance
            ),
            fetch_trends(geos, clients[1], deadline_s=options.deadline_s, advance=progress.advance),
        )
    finally:
        for client in clients:
            await client.aclose()
    picks = live_picks(
        harvested.items,
        options.now,
        max_rows_per_source=options.max_rows_per_source,
        min_candidates=options.min_candidates,
        drops=harvested.counts,
    )
    topics = select_topics(topics, options.now, max_trends=options.max_trends, harvested=trends)
    harvested.counts.update(trends.counts)
    harvested.reasons = trends.reasons | harvested.reasons
    candidates = _distinct(
        [feed_candidate(pick, options.now) for pick in picks]
        + [trend_candidate(topic, options.now) for topic in topics],
        harvested,
    )
    if options.limit > 0:
        seed = hour_seed(options.now) if options.seed is None else options.seed
        candidates = sample(candidates, len(candidates), "stratified", seed, _stratum)
    return _Found(candidates, harvested.items, harvested)


def _stratum(candidate: Candidate) -> str:
    return f"{candidate.bucket}:{candidate.topical_domain}"


def _client(settings: Settings, connections: int) -> HttpClient:
    return HttpClient(
        timeout_s=TIMEOUT_S,
        connect_timeout_s=CONNECT_TIMEOUT_S,
        max_body_bytes=MAX_BODY_BYTES,
        max_connections=connections,
        gateway=settings.gateway,
        mask=settings.mask,
        user_agent=settings.user_agent,
        sleep=settings.sleep,
    )


def _distinct(candidates: Iterable[Candidate], harvested: Harvested) -> list[Candidate]:
    """The candidates without those whose title an earlier one has: no model needed to see that."""
    kept: dict[str, Candidate] = {}
    for candidate in candidates:
        title = candidate.titles[0].casefold()
        if title in kept:
            harvested.counts["dropped_same_title"] += 1
        else:
            kept[title] = candidate
    return list(kept.values())


async def _harvest(
    found: _Found,
    options: NewsOptions,
    model: LanguageModel,
    queries_from: QueriesFrom,
    progress: Progress,
) -> NewsHarvest:
    projected = await project(
        found.candidates,
        model,
        now=options.now,
        wanted=options.limit,
        concurrency=options.llm_concurrency,
        progress=progress,
    )
    rows = [
        news_row(text, candidate, now=options.now, queries_from=queries_from)
        for candidate, text in projected.queries
    ]
    counts = _counts(found, projected, len(rows))
    reasons = found.harvested.reasons | projected.reasons
    least = MIN_ROWS[options.source]
    least = min(least, options.limit) if options.limit > 0 else least
    if len(rows) < least:
        raise TooLittleError(_too_little(len(rows), least, counts, reasons))
    return NewsHarvest(
        rows=rows,
        pages=pages_of(found.items),
        counts=counts,
        reasons=reasons,
        queries_from=queries_from,
        now=options.now,
        spend=projected.spend,
    )


def _counts(found: _Found, projected: Projected, rows: int) -> dict[str, int]:
    counts = Counter(found.harvested.counts)
    counts["candidates"] = len(found.candidates)
    counts.update(projected.counts)
    counts["rows"] = rows
    return {name: counts[name] for name in sorted(counts)}


def _too_little(rows: int, least: int, counts: dict[str, int], reasons: dict[str, str]) -> str:
    account = ", ".join(f"{name} {count}" for name, count in counts.items() if count)
    firsts = "; ".join(f"{name}: {text}" for name, text in sorted(reasons.items()))
    return f"only {rows} news queries, at least {least} are needed ({account}; first of each: " + (
        f"{firsts})" if firsts else "no error)"
    )


def pages_of(items: Iterable[FeedItem]) -> list[Page]:
    """Every item as a page, one for each address, in feed order."""
    pages: dict[str, Page] = {}
    for item in items:
        if item.url not in pages:
            published = item.published.date().isoformat() if item.published else None
            pages[item.url] = Page(
                url=item.url, title=item.title, text=item.text, published_date=published
            )
    return list(pages.values())
