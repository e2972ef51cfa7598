"""The feed server: answers for every host that no other module claims.

Host and path decide the format (RSS 2.0, RSS 1.0, Atom), the items and the fate of a feed: most
are well, a few are gone, empty, broken or in another language.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from email.utils import format_datetime

from tests.fakes import hostile, words
from tests.fakes.corpus import UTM
from tests.fakes.feed_formats import FORMATS, Item
from tests.fakes.scene import Host, Scene, plain_error
from tests.fakes.stories import Story, by_age
from tests.fakes.wire import Request, Response, text_answer

# What becomes of a feed, out of FATES; any other number is a healthy feed.
FATES = 40
GONE, EMPTY, BROKEN, FOREIGN, LATIN_1 = 0, 1, 2, (3, 4), 5


@dataclass(frozen=True)
class Feed:
    """One feed: where it is, how it is written, what is in it."""

    format: str
    title: str
    link: str
    items: tuple[Item, ...]


def answer(request: Request, scene: Scene) -> Response:
    if request.method not in ("GET", "HEAD"):
        return Response(405, b"", {"Allow": "GET, HEAD"})
    fate = scene.draw("fate", request.host, request.path).randrange(FATES)
    if scene.hostile:
        return _hostile_answer(request, scene, fate)
    if fate == GONE:
        return text_answer("<h1>404 Not Found</h1>", 404, "text/html")
    feed = make_feed(request, scene, is_foreign=fate in FOREIGN)
    write, kind = FORMATS[feed.format]
    document = write(feed.title, feed.link, () if fate == EMPTY else feed.items)
    if fate == BROKEN:
        return text_answer(document[: len(document) * 2 // 3] + "<oops", 200, kind)
    if fate == LATIN_1:
        body = document.replace("utf-8", "iso-8859-1", 1).encode("iso-8859-1", "xmlcharrefreplace")
        return Response(200, body, {"Content-Type": kind})
    return text_answer(document, 200, kind)


def make_feed(request: Request, scene: Scene, *, is_foreign: bool = False) -> Feed:
    """The feed at this address: two to five items of the last hour (or none), then older ones."""
    rng = scene.draw("feed", request.host, request.path, sorted(request.query.items()))
    fresh, recent, old = by_age(scene)
    chosen = rng.sample(fresh, rng.randint(2, 5)) if rng.randrange(5) else []
    chosen += rng.sample(recent, rng.randint(3, 8)) + rng.sample(old, rng.randint(4, 9))
    if rng.randrange(6):
        chosen.sort(key=lambda story: story.at, reverse=True)
    tongue = rng.choice(sorted(words.FOREIGN)) if is_foreign else None
    form = rng.choices(["rss", "rdf", "atom"], [12, 3, 5])[0]
    items = tuple(_item(rng, request.host, scene.clock, story, tongue) for story in chosen)
    link = f"https://{request.host}/"
    return Feed(form, f"{request.host} & friends: news", link, items)


def _item(rng: random.Random, host: str, clock: datetime, story: Story, tongue: str | None) -> Item:
    lag = timedelta(minutes=rng.randrange(10))
    at = min(story.at + lag, clock - timedelta(minutes=1))
    title, summary = story.title(rng.randrange(4)), story.summary()
    if tongue:
        title = _foreign_title(rng, story, tongue)
        summary = f"{title}."
    elif rng.randrange(12) == 0:
        title = rng.choice(words.EVERGREEN)
        summary = f"{title}. Our tips, updated every year."
    link = f"https://{host}/{at:%Y/%m/%d}/{words.slug(title)}-{story.number}"
    edited = None
    match rng.randrange(40):
        case 0:
            written = None  # an item without a date
        case 1:
            written = clock + timedelta(hours=2)  # a planned item, shown too early
        case 2:
            written = clock + timedelta(minutes=3)  # a clock that runs fast
        case 3 | 4:
            written, edited = at - timedelta(days=3), at  # an old item, edited today
        case _:
            written = at
    return Item(
        title=title,
        summary=f"<p>{summary}</p>" if rng.randrange(3) == 0 else summary,
        link=f"{link}?{UTM}" if rng.randrange(8) == 0 else link,
        rfc822=_rfc822(rng, written),
        iso=_iso(rng, written),
        edited=_iso(rng, edited),
        guid=f"tag:{host},{story.number}",
    )


def _foreign_title(rng: random.Random, story: Story, tongue: str) -> str:
    beginnings, middles, ends = words.FOREIGN[tongue]
    start, middle, end = rng.choice(beginnings), rng.choice(middles), rng.choice(ends)
    if tongue == "ja":
        return f"{start}{middle}、{end}"
    return f"{start} {story.place} {middle} {end}"


def _rfc822(rng: random.Random, moment: datetime | None) -> str | None:
    if moment is None:
        return None
    if rng.randrange(4) == 0:
        moment = moment.astimezone(timezone(timedelta(hours=rng.choice([-8, -5, 1, 9]))))
    text = format_datetime(moment)
    return text.replace("+0000", "GMT") if rng.randrange(2) else text


def _iso(rng: random.Random, moment: datetime | None) -> str | None:
    if moment is None:
        return None
    form = rng.randrange(3)
    if form == 0:
        return moment.astimezone(timezone(timedelta(hours=2))).isoformat()
    if form == 1:  # no offset: UTC is meant
        return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds")
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _hostile_answer(request: Request, scene: Scene, fate: int) -> Response:
    """A feed that attacks its reader: entity bombs, raw control bytes, or poisoned items."""
    kind = "application/rss+xml"
    match fate % 8:
        case 0:
            return text_answer(hostile.ENTITY_BOMB, 200, kind)
        case 1:
            return text_answer(hostile.EXTERNAL_ENTITY, 200, kind)
    rng = scene.draw("hostile", request.host, request.path)
    feed = make_feed(request, scene)
    items = tuple(_poisoned(rng, item) for item in feed.items)
    write, kind = FORMATS[feed.format]
    document = write(feed.title, feed.link, items, is_clean=fate % 8 != 2)
    return text_answer(document, 200, kind)


def _poisoned(rng: random.Random, item: Item) -> Item:
    """The same item with hostile texts: always in the summary, mostly in title and link too."""
    title = hostile.hostile_text(rng)
    return item.changed(
        title=title if rng.randrange(3) else item.title,
        summary=rng.choice(hostile.TEXTS),
        link=rng.choice(hostile.ADDRESSES) if rng.randrange(2) else item.link,
    )


FEED_HOST = Host(answer, plain_error)
