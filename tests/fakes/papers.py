"""The papers of the fake world, and the traps that are set with them.

One library per seed and clock: 1,425 papers, 285 in each of five domains, spread over four bands
of age that are counted back from the clock. What arXiv, Europe PMC, the id converter and the
search engines say of a paper all follows from its `Paper`, so that they agree, unless one of its
`traps` says that they do not. The texts are made by `paper_texts`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from typing import Literal

from tests.fakes import paper_words as words
from tests.fakes.scene import Scene

Suite = Literal["arxiv", "europepmc"]
HEALTH = "health sciences"
DOMAINS = (*words.CATEGORIES, HEALTH)
# Band: (days before the clock at its older end, at its newer end, papers of each domain).
BANDS = {"7d": (7, 0, 63), "30d": (29, 8, 66), "1y": (364, 31, 96), "older": (1800, 366, 60)}
PAPERS = len(DOMAINS) * sum(count for _, _, count in BANDS.values())
DETAILS = 10  # coined names in the body of each paper

# What is unusual about a paper at arXiv: every third one has a trap.
ARXIV_TRAPS = {
    "latex_title": "the title holds LaTeX",
    "coined_title": "the title begins with a coined name, which the body repeats",
    "cross_listed": "a second category belongs to another domain",
    "no_html": "arxiv.org has no HTML; ar5iv has, for papers of over 30 days",
    "no_text": "neither arxiv.org nor ar5iv has HTML",
    "failed_html": "the HTML is a page that says that the conversion failed",
    "dated_elsewhere": "the index finds the paper by a date years after the one it shows",
    "generic_title": "a title of general words that would suit any paper",
    "short_title": "a title of under four words",
    "withdrawn": "withdrawn: a comment says so, and there is no HTML",
    "revised": "a newer version, whose date is not that of the first",
    "published": "a DOI of the journal version beside the one of arXiv itself",
    "wrapped_title": "a title and an abstract that the feed breaks into lines",
    "same_title": "another paper of the domain has the same title",
}
# What is unusual about a paper at Europe PMC: every third one has a trap.
EUROPEPMC_TRAPS = {
    "dated_elsewhere": ARXIV_TRAPS["dated_elsewhere"],
    "generic_title": ARXIV_TRAPS["generic_title"],
    "short_title": ARXIV_TRAPS["short_title"],
    "same_title": ARXIV_TRAPS["same_title"],
    "coined_title": ARXIV_TRAPS["coined_title"],
    "markup_title": "the title holds tags, brackets or a closing full stop",
    "no_jats": "listed as open access with full text, but the full text is not found",
    "empty_jats": "the full text has an empty body",
    "no_doi": "no DOI on any side",
    "no_pmcid": "no PMCID in the search result; the converter has none either",
    "search_no_pmid": "no PMID in the search result, but the converter knows one",
    "converter_no_pmid": "the converter's record has no PMID, but the search result has",
    "converter_unknown": "the converter answers that the PMCID is not in PMC",
    "preprint": "a preprint: source PPR, a DOI, and neither PMID nor PMCID",
    "closed": "not open access: only a query without that filter finds it",
    "no_abstract": "no abstract: only a query without that filter finds it",
    "foreign": "in German: only a query without the filter of languages finds it",
}
TRAPS = ARXIV_TRAPS | EUROPEPMC_TRAPS


@dataclass(frozen=True)
class Detail:
    """A thing that only one paper's body tells of: its coined name and what it is."""

    kind: str
    name: str
    thing: str


@dataclass(frozen=True)
class Plot:
    """The finding in plain words."""

    who: str
    where: str
    what: str
    when: str

    @property
    def parts(self) -> tuple[str, str, str, str]:
        return self.who, self.where, self.what, self.when


@dataclass(frozen=True)
class Paper:
    """One paper. `title` is as its source writes it.

    `published` is the date that is shown, `indexed` the one that a filter of dates sees. An empty
    id is one that does not exist. `coined` is the coined name in the title, if any.
    """

    number: int
    suite: Suite
    domain: str
    band: str
    title: str
    coined: str
    quality: str
    topic: str
    object: str
    categories: tuple[str, ...]
    authors: tuple[str, ...]
    published: datetime
    indexed: datetime
    version: int
    arxiv_id: str
    doi: str
    pmid: str
    pmcid: str
    details: tuple[Detail, ...]
    plot: Plot
    traps: frozenset[str]

    @property
    def updated(self) -> datetime:
        """The date of the newest version."""
        return self.indexed + timedelta(hours=5) if self.version > 1 else self.indexed

    @property
    def url(self) -> str:
        """The page of the paper at its own source."""
        if self.suite == "arxiv":
            return f"https://arxiv.org/abs/{self.arxiv_id}"
        source, key = self.epmc_key
        return f"https://europepmc.org/article/{source}/{key}"

    @property
    def epmc_key(self) -> tuple[str, str]:
        """Source and id at Europe PMC; without a PMID there, PMC or preprint numbers."""
        if "preprint" in self.traps:
            return "PPR", f"PPR{900_000 + self.number}"
        if "search_no_pmid" in self.traps or not self.pmid:
            return "PMC", self.pmcid
        return "MED", self.pmid


@dataclass(frozen=True)
class Library:
    """All papers, in order of number."""

    papers: tuple[Paper, ...]

    @cached_property
    def by_arxiv(self) -> dict[str, Paper]:
        return {paper.arxiv_id: paper for paper in self.papers if paper.arxiv_id}

    @cached_property
    def by_pmcid(self) -> dict[str, Paper]:
        return {paper.pmcid: paper for paper in self.papers if paper.pmcid}

    def of(self, suite: Suite) -> list[Paper]:
        """The papers of one source."""
        return [paper for paper in self.papers if paper.suite == suite]

    def trapped(self, kind: str) -> list[Paper]:
        """The papers with this trap; a kind that does not exist raises KeyError."""
        TRAPS[kind]
        return [paper for paper in self.papers if kind in paper.traps]


def library(scene: Scene) -> Library:
    """The papers of this seed and clock."""
    return _library(scene.seed, scene.clock)


@lru_cache(maxsize=8)
def _library(seed: int, clock: datetime) -> Library:
    scene = Scene(seed, clock)
    plots = _plots(scene)
    titles: dict[str, tuple[str, str, str]] = {}
    used: set[tuple[str, str, str]] = set()
    papers: list[Paper] = []
    for domain in DOMAINS:
        for band, (_, _, count) in BANDS.items():
            for at in range(count):
                number = len(papers)
                trait = _traits(scene.draw("paper title", number), domain, used)
                traps = _traps(number, domain)
                if "same_title" in traps:
                    trait = titles.get(domain, trait)
                titles[domain] = trait
                papers.append(_paper(scene, number, domain, band, at, trait, plots[number], traps))
    return Library(tuple(papers))


def _plots(scene: Scene) -> list[Plot]:
    """As many plots as there are papers, all different."""
    sizes = [len(words.WHO), len(words.WHERE), len(words.WHAT), len(words.WHEN)]
    total = sizes[0] * sizes[1] * sizes[2] * sizes[3]
    found = []
    for rest in scene.draw("plots").sample(range(total), PAPERS):
        chosen = []
        for options in (words.WHO, words.WHERE, words.WHAT, words.WHEN):
            rest, at = divmod(rest, len(options))
            chosen.append(options[at])
        found.append(Plot(*chosen))
    return found


def _traits(
    rng: random.Random, domain: str, used: set[tuple[str, str, str]]
) -> tuple[str, str, str]:
    """Quality, topic and object of a title, a combination that no other title has."""
    while True:
        made = (
            rng.choice(words.QUALITIES),
            rng.choice(words.TOPICS[domain]),
            rng.choice(words.OBJECTS[domain]),
        )
        if made not in used:
            used.add(made)
            return made


def _traps(number: int, domain: str) -> frozenset[str]:
    if number % 3 != 1:
        return frozenset()
    kinds = list(EUROPEPMC_TRAPS if domain == HEALTH else ARXIV_TRAPS)
    return frozenset({kinds[number // 3 % len(kinds)]})


def _paper(
    scene: Scene,
    number: int,
    domain: str,
    band: str,
    at: int,
    trait: tuple[str, str, str],
    plot: Plot,
    traps: frozenset[str],
) -> Paper:
    rng = scene.draw("paper", number)
    suite: Suite = "europepmc" if domain == HEALTH else "arxiv"
    indexed = _moment(rng, scene.clock, band, at)
    published = indexed
    if "dated_elsewhere" in traps:
        published = indexed - timedelta(days=rng.randint(4200, 5600))
    name = words.coined(DETAILS * PAPERS + number)
    coined = rng.choice([f"{name}Net-3", f"{name.upper()}", f"{name}2Vec", f"Deep{name}"])
    arxiv_id = f"{published:%y%m}.{number + 10_001:05d}" if suite == "arxiv" else ""
    is_preprint = "preprint" in traps
    return Paper(
        number=number,
        suite=suite,
        domain=domain,
        band=band,
        title=_title(rng, suite, trait, coined, traps),
        coined=coined if "coined_title" in traps else "",
        quality=trait[0],
        topic=trait[1],
        object=trait[2],
        categories=_categories(rng, domain, traps),
        authors=tuple(rng.sample(words.AUTHORS, rng.randint(1, 5))),
        published=published,
        indexed=indexed,
        version=rng.randint(2, 4) if "revised" in traps else 1,
        arxiv_id=arxiv_id,
        doi=_doi(suite, number, published, traps),
        pmid="" if suite == "arxiv" or is_preprint else str(40_500_000 + 37 * number),
        pmcid=""
        if suite == "arxiv" or traps & {"preprint", "no_pmcid"}
        else f"PMC{12_000_000 + 53 * number}",
        details=_details(rng, number),
        plot=plot,
        traps=traps,
    )


def _moment(rng: random.Random, clock: datetime, band: str, at: int) -> datetime:
    """A moment in the band: its papers stand at even distances, each somewhere in its own share."""
    oldest, newest, count = BANDS[band]
    share_s = (oldest - newest) * 86_400 / count
    ago_s = newest * 86_400 + (at + rng.uniform(0.02, 0.98)) * share_s
    return (clock - timedelta(seconds=ago_s)).replace(microsecond=0)


def _title(
    rng: random.Random,
    suite: Suite,
    trait: tuple[str, str, str],
    coined: str,
    traps: frozenset[str],
) -> str:
    quality, topic, thing = trait
    parts = (quality, topic, rng.choice(words.LINKS), thing)
    plain = " ".join(parts)
    if "generic_title" in traps:
        return rng.choice(words.GENERIC_TITLES)
    if "short_title" in traps:
        return rng.choice(words.SHORT_TITLES)
    if "latex_title" in traps:
        return rng.choice(words.LATEX_TITLES).format(*parts)
    if "markup_title" in traps:
        return rng.choice(words.MARKUP_TITLES).format(*parts)
    if "coined_title" in traps:
        return f"{coined}: {plain}"
    return f"{plain}." if suite == "europepmc" and rng.randrange(2) else plain


def _categories(rng: random.Random, domain: str, traps: frozenset[str]) -> tuple[str, ...]:
    """The primary category first; none for health."""
    if domain == HEALTH:
        return ()
    own = words.CATEGORIES[domain]
    found = [rng.choice(own)]
    if rng.randrange(3) == 0:
        found.append(rng.choice(own))
    if "cross_listed" in traps:
        others = [name for name in words.CATEGORIES if name != domain]
        found.append(words.CATEGORIES[rng.choice(others)][0])
    return tuple(dict.fromkeys(found))


def _doi(suite: Suite, number: int, published: datetime, traps: frozenset[str]) -> str:
    """The DOI that the source states: arXiv only that of the journal version."""
    if suite == "arxiv":
        return f"10.5555/jfw.{published.year}.{number:06d}" if "published" in traps else ""
    if "no_doi" in traps:
        return ""
    forms = (
        f"10.5555/S0140-{number:04d}({published:%y}){30_000 + number}-X",
        f"10.5555/fmed.{published.year}.{1_700_000 + number}",
        f"10.5555/s00345-{number:03d}-{published:%m%d}",
    )
    return f"10.5555/2026.{number:04d}.v1" if "preprint" in traps else forms[number % 3]


def _details(rng: random.Random, number: int) -> tuple[Detail, ...]:
    things = {
        "tool": words.TOOLS,
        "site": words.SITES,
        "stuff": words.STUFF,
        "cohort": words.COHORTS,
    }
    kinds = list(things)
    return tuple(
        Detail(kind, words.coined(DETAILS * number + at), rng.choice(things[kind]))
        for at, kind in enumerate((kinds * 3)[:DETAILS])
    )
