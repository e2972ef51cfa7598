"""What the fake engines find: one pool of documents per query, which each engine ranks its way.

All engines draw from the same pool, so their results overlap; each has its own eye for relevance
and its own luck, so they differ. A document uses all, some or none of the query's words.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from tests.fakes import words
from tests.fakes.case_pages import case_pages
from tests.fakes.company_pages import Page, company_pages
from tests.fakes.hostile import ADDRESSES, LONG_TEXT, SURROGATE, TEXTS, hostile_text
from tests.fakes.operators import Ask
from tests.fakes.paper_pages import paper_pages
from tests.fakes.regulation_pages import section_pages
from tests.fakes.scene import Scene

# A query with this word finds nothing anywhere; others come back empty once in EMPTY_ONE_IN.
EMPTY_WORD = "emptyanswer"
EMPTY_ONE_IN = 40
POOL_SIZE = 40
UTM = "utm_source=newsletter&utm_medium=email"


@dataclass(frozen=True)
class Document:
    """One page of the fake web. `share` is the part of the query's words that it uses."""

    url: str
    title: str
    sentences: tuple[str, ...]
    published: datetime | None
    share: float

    @property
    def text(self) -> str:
        return " ".join(self.sentences)


def found(scene: Scene, engine: str, ask: Ask, count: int) -> list[Document]:
    """The documents one engine returns for a query, best first: `count`, fewer, or none."""
    rng = scene.draw("rank", engine, ask)
    if EMPTY_WORD in ask.words.lower().split() or rng.randrange(EMPTY_ONE_IN) == 0:
        return []
    eye = scene.draw("eye", engine).uniform(0.1, 0.6)
    documents = pool(scene, ask, max(POOL_SIZE, 2 * count))
    scored = [(eye * d.share + (1 - eye) * rng.random(), i) for i, d in enumerate(documents)]
    ranked = [documents[i] for _, i in sorted(scored, reverse=True)]
    if rng.randrange(10) == 0:
        count -= min(3, count // 2)
    ranked = ranked[:count]
    if len(ranked) > 3 and rng.randrange(4) == 0:
        first, last = ranked[0], ranked[-1]
        ranked[-1] = replace(last, url=with_utm(first.url), title=first.title)
    return ranked


def with_utm(url: str) -> str:
    """The same address with tracking parameters."""
    bare, hash_sign, fragment = url.partition("#")
    return f"{bare}{'&' if '?' in bare else '?'}{UTM}{hash_sign}{fragment}"


@lru_cache(maxsize=512)
def pool(scene: Scene, ask: Ask, size: int) -> tuple[Document, ...]:
    """The documents there are for a query."""
    if scene.hostile:
        made = (_hostile_document(scene.draw("page", ask, n), scene, ask, n) for n in range(size))
        return tuple(made)
    pages = _known_pages(scene, ask)[: size // 2]
    told = [_told(scene.draw("told", ask, n), scene, ask, page) for n, page in enumerate(pages)]
    rest = range(size - len(told))
    return (*told, *(_document(scene.draw("page", ask, n), scene, ask) for n in rest))


def _known_pages(scene: Scene, ask: Ask) -> list[Page]:
    """The pages about the opinion, section, paper or company that a query means; else none.

    Opinions come first: the names of their parties are often those of companies.
    """
    for pages_about in (case_pages, section_pages, paper_pages, company_pages):
        if found := pages_about(scene, ask):
            return found
    return []


def _told(rng: random.Random, scene: Scene, ask: Ask, page: Page) -> Document:
    """A page about a known thing: what it says stands near its beginning, filler around it."""
    sentences = [sentence(rng, scene.clock) for _ in range(rng.randint(2, 6))]
    sentences.insert(rng.choice([0, 0, 1]), page.sentence)
    published = page.published or moment(rng, scene, ask)
    return Document(page.url, page.title, tuple(sentences), published, page.share)


def _document(rng: random.Random, scene: Scene, ask: Ask) -> Document:
    query_words = words.content_words(ask.words)
    share = rng.choices([1.0, 0.7, 0.4, 0.0], [1, 2, 3, 5])[0]
    used = rng.sample(query_words, round(share * len(query_words)))
    subject = " ".join(word for word in query_words if word in used).title()
    title = _title(rng, subject)
    sentences = [sentence(rng, scene.clock) for _ in range(rng.randint(4, 14))]
    if subject:
        sentences.insert(0, f"{subject}: what is known so far.")
    for at in range(0, len(used), 2):
        line = f"More on {' and '.join(used[at : at + 2])} from {words.place(rng.randrange(480))}."
        sentences.insert(rng.randrange(len(sentences)), line)
    if share == 1.0 and rng.randrange(2):
        plain = " ".join(ask.words.replace('"', " ").split())
        sentences.insert(1, f"It concerns {plain}.")
    return Document(
        url=address(rng, scene, ask, title),
        title=title,
        sentences=tuple(sentences),
        published=moment(rng, scene, ask),
        share=share,
    )


def _hostile_document(rng: random.Random, scene: Scene, ask: Ask, n: int) -> Document:
    """A search result that attacks whoever reads it; about half have a usable address."""
    title, snippet = hostile_text(rng), rng.choice(TEXTS)
    if n == 0 and rng.randrange(8) == 0:
        snippet = SURROGATE
    is_echo = title is not LONG_TEXT and rng.randrange(2) == 0
    usable = f"https://evil.example/{n}?q={rng.randrange(1000)}"
    return Document(
        url=usable if rng.randrange(2) else rng.choice(ADDRESSES),
        title=f"{title} {ask.words}" if is_echo else title,
        sentences=(snippet, f"{ask.words}.", snippet),
        published=scene.clock - timedelta(hours=n),
        share=rng.choice([0.0, 0.5, 1.0]),
    )


def _title(rng: random.Random, subject: str) -> str:
    actor, action, thing = (rng.choice(x) for x in (words.ACTORS, words.ACTIONS, words.OBJECTS))
    where = words.place(rng.randrange(480))
    if not subject:
        return f"{where} {actor} {action} {thing}"
    forms = [
        subject,
        f"{subject}: {where} {actor} reacts",
        f"{subject} - the latest from {where}",
        f"{where} {actor} {action} {thing} | {subject}",
    ]
    return rng.choice(forms)


def sentence(rng: random.Random, clock: datetime) -> str:
    """One sentence of filler."""
    return rng.choice(words.SENTENCES).format(
        day=(clock - timedelta(days=rng.randrange(7))).strftime("%A"),
        actor=rng.choice(words.ACTORS),
        action=rng.choice(words.ACTIONS),
        object=rng.choice(words.OBJECTS),
        place=words.place(rng.randrange(480)),
        number=rng.randrange(2, 900),
    )


def address(rng: random.Random, scene: Scene, ask: Ask, title: str) -> str:
    """An http(s) address, on one of the hosts asked for, in one of the forms pages have."""
    host = rng.choice(ask.sites) if ask.sites else f"{rng.choice(words.SITES)}.example"
    prefix = rng.choice(["", "", "www.", "m."])
    name = words.slug(title)
    form = rng.choice(
        [
            "/{day}/{name}",
            "/{day}/{name}/",
            "/news/{name}.html",
            "/a/{number}?id={number}&lang=en",
            "/{name}#comments",
            "/story/{number}-{name}",
        ]
    )
    path = form.format(
        day=scene.clock.strftime("%Y/%m"), name=name, number=rng.randrange(10_000, 99_999)
    )
    return f"{rng.choice(['https', 'https', 'https', 'http'])}://{prefix}{host}{path}"


def moment(rng: random.Random, scene: Scene, ask: Ask) -> datetime | None:
    """A publication time inside the days asked for; None for one page in eight."""
    if rng.randrange(8) == 0:
        return None
    latest, earliest = scene.clock, scene.clock - timedelta(days=rng.choice([1, 7, 60, 500]))
    if ask.after or ask.before:
        latest = min(latest, _bound(ask.before, time(23, 59, 59)) or latest)
        earliest = _bound(ask.after, time()) or latest - timedelta(days=60)
    span_s = max(0, int((latest - earliest).total_seconds()))
    return earliest + timedelta(seconds=rng.randint(0, span_s))


def _bound(day: date | None, at: time) -> datetime | None:
    return datetime.combine(day, at, UTC) if day else None
