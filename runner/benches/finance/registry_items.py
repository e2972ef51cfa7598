"""The Wikidata item of each company, proven to be its own, and the items that this one names.

A company is joined by its SEC number (P5531). Only where no item states the number is the name
searched, and then the item must have the company's ticker, or the LEI that GLEIF has under its
registered name. Names alone join nothing: a subsidiary is often the better hit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from runner.benches.drops import Drops
from runner.benches.fetching import SourceError
from runner.benches.finance import registry_proof as proof
from runner.benches.finance.companies import Listing, clean_title, query_name
from runner.benches.finance.registry_proof import DoubtError
from runner.benches.finance.sources import statements as wd
from runner.benches.finance.sources.gleif import Gleif
from runner.benches.finance.sources.statements import Item, Names
from runner.benches.finance.sources.wikidata import CIKS_PER_QUERY, IDS_PER_CALL, Wikidata

MAX_ITEMS = 6  # looked at for one SEC number

A = TypeVar("A")
R = TypeVar("R")


@dataclass
class Found:
    """A company and its item; `lost` holds reason and text of what was left out, in order."""

    listing: Listing
    item: Item | None = None
    lost: list[tuple[str, str]] = field(default_factory=list)

    def doubt(self, error: DoubtError) -> None:
        self.lost.append((error.reason, f"{self.listing.title}: {error}"))

    @contextmanager
    def doubts(self) -> Iterator[None]:
        """Notes the doubt that ends the block, if one does."""
        try:
            yield
        except DoubtError as error:
            self.doubt(error)

    def failed(self, source: str, error: SourceError) -> None:
        self.lost.append((f"{source}_{error.kind}", error.message))


async def find_items(
    listings: Sequence[Listing],
    *,
    wikidata: Wikidata,
    gleif: Gleif | None,
    concurrency: int,
    drops: Drops,
) -> list[Found]:
    """Each company with its item, None where none is proven; failed batches go to `drops`."""
    batches = _batches([listing.cik for listing in listings], CIKS_PER_QUERY)
    answers = await outcomes(wikidata.by_cik, batches, concurrency)
    by_cik: dict[int, list[str]] = {}
    for answer in _usable(answers, drops):
        by_cik |= answer

    async def find(listing: Listing) -> Found:
        found = Found(listing)
        try:
            if qids := by_cik.get(listing.cik):
                found.item = await _item_by_cik(found, qids, wikidata)
            else:
                found.item = await _item_by_name(found, wikidata, gleif)
        except DoubtError as error:
            found.doubt(error)
        except SourceError as error:
            found.failed("wikidata", error)
        return found

    return await in_order(find, listings, concurrency)


async def read_items(
    qids: Iterable[str], *, wikidata: Wikidata, concurrency: int, drops: Drops
) -> dict[str, Item]:
    """The items that can be read, by the ids that were asked for."""
    wanted = list(dict.fromkeys(qids))
    answers = await outcomes(wikidata.item, wanted, concurrency)
    usable = _usable(answers, drops)
    asked = [qid for qid, answer in zip(wanted, answers, strict=True) if isinstance(answer, Item)]
    return dict(zip(asked, usable, strict=True))


async def read_names(
    qids: Iterable[str], *, wikidata: Wikidata, concurrency: int, drops: Drops
) -> dict[str, Names]:
    """The names of all items that have any."""
    batches = _batches(list(dict.fromkeys(qids)), IDS_PER_CALL)
    names: dict[str, Names] = {}
    for answer in _usable(await outcomes(wikidata.names, batches, concurrency), drops):
        names |= answer
    return names


async def in_order(
    work: Callable[[A], Awaitable[R]], items: Iterable[A], concurrency: int
) -> list[R]:
    """The result of each item, in their order, with at most `concurrency` at work."""
    slots = asyncio.Semaphore(max(concurrency, 1))

    async def one(item: A) -> R:
        async with slots:
            return await work(item)

    tasks = [asyncio.create_task(one(item)) for item in items]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()


async def outcomes(
    work: Callable[[A], Awaitable[R]], items: Iterable[A], concurrency: int
) -> list[R | SourceError]:
    """As `in_order`, with a SourceError as the result of what failed."""

    async def one(item: A) -> R | SourceError:
        try:
            return await work(item)
        except SourceError as error:
            return error

    return await in_order(one, items, concurrency)


def _usable(answers: Iterable[R | SourceError], drops: Drops) -> list[R]:
    """The answers of Wikidata that are some; the others are counted."""
    usable = []
    for answer in answers:
        if isinstance(answer, SourceError):
            drops.add(f"wikidata_{answer.kind}", answer.message)
        else:
            usable.append(answer)
    return usable


async def _item_by_cik(found: Found, qids: Sequence[str], wikidata: Wikidata) -> Item:
    """The one item of those that state the number; raises DoubtError or SourceError."""
    items: dict[str, Item] = {}
    for qid in qids[:MAX_ITEMS]:
        try:
            item = await wikidata.item(qid)
        except SourceError as error:
            if error.kind != "not_found":  # the query service knows deleted items for a while
                raise
            found.failed("wikidata", error)
        else:
            items[item.qid] = item
    return proof.choose_item(list(items.values()), found.listing)


async def _item_by_name(found: Found, wikidata: Wikidata, gleif: Gleif | None) -> Item:
    """The first search hit that is proven to be the company; else DoubtError or SourceError."""
    listing = found.listing
    hits = await wikidata.search(query_name(listing.title))
    for qid in hits:
        item = await wikidata.item(qid)
        if not proof.is_company(item) or proof.has_other_cik(item, listing.cik):
            continue
        try:
            proof.check_company(item, listing)
        except DoubtError:
            continue
        is_proven = proof.holds_cik(item, listing.cik) or proof.shares_ticker(item, listing)
        if is_proven or await _shares_lei(found, item, gleif):
            return item
    reason = "entity_unproven" if hits else "entity_missing"
    raise DoubtError(reason, f"no item states CIK {listing.cik}; the name has {len(hits)} hits")


async def _shares_lei(found: Found, item: Item, gleif: Gleif | None) -> bool:
    """Whether the item's LEI is the one that GLEIF has under the company's registered name."""
    stated = set(item.texts(wd.LEI))
    if gleif is None or not stated:
        return False
    try:
        records = await gleif.records(clean_title(found.listing.title))
    except SourceError as error:
        found.failed("gleif", error)
        return False
    return {record.lei for record in records} == stated


def _batches(items: Sequence[A], size: int) -> list[Sequence[A]]:
    return [items[start : start + size] for start in range(0, len(items), size)]
