"""trends.google.com: trending topics of one US geography as RSS, empty for one of them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from functools import lru_cache

from tests.fakes import hostile, words
from tests.fakes.feed_formats import HEAD, ILLEGAL, element
from tests.fakes.scene import Host, Scene, plain_error
from tests.fakes.stories import Story, stories
from tests.fakes.wire import Request, Response, text_answer

STATES = words.listed(
    """
AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC
ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC
"""
)
GEOS = frozenset(["US", *(f"US-{state}" for state in STATES)])
EMPTY_GEO = "US-WY"
TRAFFIC = ("200+", "500+", "1,000+", "2,000+", "20,000+", "50K+", "200K+", "2M+", "lots")
FOREIGN_TOPICS = ("elección del puerto", "日本代表 試合", "погода завтра", "café de la côte")
TOPICS = 48


@dataclass(frozen=True)
class Topic:
    """One topic and other spellings under which geographies report it."""

    spellings: tuple[str, ...]
    story: Story
    traffic: int


@lru_cache(maxsize=8)
def topics(scene: Scene) -> tuple[Topic, ...]:
    """All topics of the moment: matches, events, and a few in other languages."""
    rng = scene.draw("topics")
    chosen = rng.sample(stories(scene)[:330], TOPICS)
    found = []
    for n, story in enumerate(chosen):
        if n < len(FOREIGN_TOPICS):
            spellings: tuple[str, ...] = (FOREIGN_TOPICS[n],)
        elif n % 4 == 0:
            home, away = story.place.lower(), chosen[n - 1].place.lower()
            spellings = (f"{home} vs {away}", f"{away} v {home}", f"{home} and {away}")
        elif n % 4 == 1:
            spellings = (story.place.lower(),)
        else:
            spellings = (f"{story.place} {story.thing}".lower(),)
        found.append(Topic(spellings, story, rng.randrange(len(TRAFFIC))))
    return tuple(found)


def answer(request: Request, scene: Scene) -> Response:
    if request.method != "GET" or request.path != "/trending/rss":
        return text_answer("<h1>404. That's an error.</h1>", 404, "text/html")
    geo = request.query.get("geo", "")
    if geo not in GEOS or set(request.query) != {"geo"}:
        return text_answer("<h1>400. That's an error.</h1>", 400, "text/html")
    rng = scene.draw("geo", geo)
    picked = [] if geo == EMPTY_GEO else rng.sample(topics(scene), rng.randint(6, 12))
    items = "\n".join(_item(rng, scene, topic) for topic in picked)
    document = (
        f'{HEAD}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"'
        ' xmlns:ht="https://trends.google.com/trending/rss"><channel>'
        "<title>Daily Search Trends</title><description>Recent searches</description>"
        f"<link>https://trends.google.com/trending?geo={geo}</link>{items}</channel></rss>\n"
    )
    return text_answer(document, 200, "application/xml")


def _item(rng: random.Random, scene: Scene, topic: Topic) -> str:
    title = rng.choice(topic.spellings)
    headlines = [topic.story.title(form) for form in range(rng.randint(1, 3))]
    if scene.hostile:
        title = ILLEGAL.sub("", hostile.hostile_text(rng))
        headlines = [ILLEGAL.sub("", rng.choice(hostile.TEXTS)) for _ in headlines]
    return (
        "<item>"
        + element("title", title)
        + element("ht:approx_traffic", TRAFFIC[topic.traffic])
        + element("description", "")
        + element("link", "https://trends.google.com/trending/rss")
        + element("pubDate", _published(rng, scene.clock, topic.story.at))
        + element("ht:picture", "https://pictures.example/t.jpg")
        + element("ht:picture_source", "Pictures")
        + "".join(_news_item(rng, headline) for headline in headlines)
        + "</item>"
    )


def _news_item(rng: random.Random, headline: str) -> str:
    site = rng.choice(words.SITES)
    return (
        "<ht:news_item>"
        + element("ht:news_item_title", headline)
        + element("ht:news_item_snippet", "")
        + element("ht:news_item_url", f"https://{site}.example/{words.slug(headline)}")
        + element("ht:news_item_picture", "https://pictures.example/n.jpg")
        + element("ht:news_item_source", site.title())
        + "</ht:news_item>"
    )


def _published(rng: random.Random, clock: datetime, at: datetime) -> str | None:
    """The offset form Google uses; one in fifteen is missing, one in fifteen is days old."""
    match rng.randrange(15):
        case 0:
            return None
        case 1:
            at = clock - timedelta(days=3)
    return format_datetime(at.astimezone(timezone(timedelta(hours=-8))))


HOSTS = {"trends.google.com": Host(answer, plain_error)}
