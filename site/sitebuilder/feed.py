"""`feed.xml`, an Atom feed (RFC 4287) of what changed: months, engines, order.

Everything in it follows from the data, so the same data gives the same bytes, and an entry keeps
its id and its date in every later build.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from uuid import UUID, uuid5
from xml.etree import ElementTree

from runner.records.published import BENCH_LABELS
from runner.text import parse_time
from sitebuilder.changes import OrderChange, RosterChange, order_changes, roster_changes
from sitebuilder.folders import engine_folder
from sitebuilder.history import FOLDER, Month, read_months
from sitebuilder.render import CONTENT, Part, Site
from sitebuilder.xmltext import xml_characters

MAX_ENTRIES = 50
_SPACE = UUID("6d0d3f0e-2f6b-4b0e-9d52-7a2b6f3c1e84")
_ATOM = "http://www.w3.org/2005/Atom"
_MORE_TURNS = 6
_KINDS = {
    "joined": "is measured from now on",
    "left": "is no longer measured",
    "returned": "is measured again",
}


@dataclass(frozen=True)
class Entry:
    """One change; `key` makes its id, `folder` is the page about it (may hold a fragment)."""

    key: str
    day: date
    title: str
    text: str
    folder: str


def part(site: Site) -> Part:
    """The feed; none without a base address or without a run."""
    if site.base_url is None or site.results.window is None:
        return Part()
    months = read_months(site.data_path, CONTENT / "history_posts.json", site.moment)
    labels = {entry.engine: entry.label for entry in site.results.roster}
    history = site.tables.history
    found = [
        *map(_month, months),
        *[_roster(change, labels) for change in roster_changes(history)],
        *[_order(change, labels) for change in order_changes(history)],
    ]
    return Part(files={"feed.xml": feed_xml(found, site.base_url, site.results.window.end)})


def feed_xml(entries: Iterable[Entry], base_url: str, end: str) -> bytes:
    """The newest entries first; without any, the feed is as new as the newest run `end`."""
    newest = sorted(entries, key=lambda entry: (entry.day, entry.key), reverse=True)[:MAX_ENTRIES]
    updated = _time(newest[0].day) if newest else f"{parse_time(end):%Y-%m-%dT%H:%M:%SZ}"
    feed = ElementTree.Element("feed", {"xmlns": _ATOM, "xml:lang": "en"})
    _add(feed, "id", _id("feed"))
    _add(feed, "title", "Changes on Needle")
    _add(feed, "subtitle", "New months, engines that come and go, and proven changes of order.")
    _add(feed, "updated", updated)
    _add(feed, "link", rel="self", type="application/atom+xml", href=f"{base_url}feed.xml")
    _add(feed, "link", rel="alternate", type="text/html", href=base_url)
    _add(feed, "rights", "CC BY 4.0")
    _add(_add(feed, "author"), "name", "Needle")
    for entry in newest:
        node = _add(feed, "entry")
        _add(node, "id", _id(entry.key))
        _add(node, "title", entry.title)
        _add(node, "updated", _time(entry.day))
        _add(node, "link", rel="alternate", type="text/html", href=f"{base_url}{entry.folder}")
        _add(node, "summary", entry.text)
    ElementTree.indent(feed, space="")
    body: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return body + b"\n"


def _add(
    parent: ElementTree.Element, tag: str, text: str | None = None, **attributes: str
) -> ElementTree.Element:
    node = ElementTree.SubElement(parent, tag, attributes)
    node.text = None if text is None else xml_characters(text)
    return node


def _id(key: str) -> str:
    return f"urn:uuid:{uuid5(_SPACE, key)}"


def _time(day: date) -> str:
    return f"{day.isoformat()}T00:00:00Z"


def _month(month: Month) -> Entry:
    year, number = int(month.key[:4]), int(month.key[5:])
    following = date(year + number // 12, number % 12 + 1, 1)
    return Entry(
        key=f"month {month.key}",
        day=following,
        title=f"Results of {month.label}",
        text=f"The results of {month.label} are frozen: standings, leaderboards and files.",
        folder=f"{FOLDER}/{month.key}/",
    )


def _roster(change: RosterChange, labels: Mapping[str, str]) -> Entry:
    label = labels.get(change.engine, change.engine)
    return Entry(
        key=f"{change.kind} {change.engine} {change.day.isoformat()}",
        day=change.day,
        title=f"{label} {_KINDS[change.kind]}",
        text=f"{label} {_KINDS[change.kind]}, as the runs of {change.day:%-d %B %Y} show.",
        folder=engine_folder(change.engine),
    )


def _order(change: OrderChange, labels: Mapping[str, str]) -> Entry:
    bench = BENCH_LABELS[change.bench]
    named = [
        f"{labels.get(turn.above, turn.above)} is ahead of {labels.get(turn.below, turn.below)} "
        f"by {turn.delta:.3f} over {turn.days} days"
        for turn in change.turns
    ]
    rest = f"; and {len(named) - _MORE_TURNS} more pairs" if len(named) > _MORE_TURNS else ""
    first = change.turns[0]
    title = (
        f"{bench}: {labels.get(first.above, first.above)} overtakes "
        f"{labels.get(first.below, first.below)}"
        if len(named) == 1
        else f"{bench}: the order of {len(named)} pairs has turned"
    )
    return Entry(
        key=f"order {change.bench} {change.day.isoformat()}",
        day=change.day,
        title=title,
        text=f"In the four weeks to {change.day:%-d %B %Y}, {'; '.join(named[:_MORE_TURNS])}"
        f"{rest}. Both this order and the opposite one before it passed a test at 5 %, corrected "
        "for the number of pairs.",
        folder="results/",
    )
