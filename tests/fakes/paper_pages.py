"""What the fake web says about papers: pages that are the paper, that cite it, or miss it.

A query that names a paper, by the words of its title, a coined name or its plot, gets such pages
into its pool. How many state an id depends on what it is named by: a title is found most often, a
plot least. Ids come in all the forms that pages have; some differ from the right one by a digit.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Literal

from tests.fakes import paper_words, words
from tests.fakes.company_pages import Page, is_on
from tests.fakes.operators import Ask
from tests.fakes.paper_texts import plain_title
from tests.fakes.papers import Paper, Plot, library
from tests.fakes.scene import Scene

Clue = Literal["title", "detail", "plot"]
# How many pages state the right id, drawn with equal chance.
STATING: dict[Clue, tuple[int, ...]] = {
    "title": (2, 4, 6, 8),
    "detail": (0, 1, 3, 5),
    "plot": (0, 0, 1, 3),
}
MIN_TITLE_WORDS, MIN_TITLE_SHARE = 4, 0.7
PHRASES = (paper_words.WHO, paper_words.WHERE, paper_words.WHAT, paper_words.WHEN)
CITES = (
    "[12] {authors}. {title}. {id}.",
    "We follow earlier work on {topic} ({id}), which see for details.",
    "See also {title}, {id}, cited by {number} others.",
)
VAGUE = (
    "A summary of new work on {topic} by {author} and colleagues.",
    "{title}: what the authors found, in five minutes.",
    "Slides of a talk about {topic}; the paper is linked in the comments.",
    "Please log in to read about {topic}.",
)


@lru_cache(maxsize=8)
def _names(seed: int, clock: datetime) -> dict[str, Paper]:
    """The papers by coined names in lower case."""
    found: dict[str, Paper] = {}
    for paper in library(Scene(seed, clock)).papers:
        for detail in paper.details:
            found[detail.name.lower()] = paper
        if paper.coined:
            found[words.content_words(paper.coined)[0]] = paper
    return found


@lru_cache(maxsize=8)
def _plots(seed: int, clock: datetime) -> dict[Plot, Paper]:
    return {paper.plot: paper for paper in library(Scene(seed, clock)).papers}


@lru_cache(maxsize=8)
def _titles(seed: int, clock: datetime) -> dict[str, list[Paper]]:
    """The papers by each content word of their titles."""
    found: dict[str, list[Paper]] = {}
    for paper in library(Scene(seed, clock)).papers:
        for word in words.content_words(plain_title(paper)):
            found.setdefault(word, []).append(paper)
    return found


def meant(scene: Scene, text: str) -> tuple[Paper, Clue] | None:
    """The paper that a query means, and by what."""
    said = words.content_words(text)
    names = _names(scene.seed, scene.clock)
    named = [names[word] for word in said if word in names]
    if named:
        return max(named, key=named.count), "detail"
    folded = " ".join(text.lower().split())
    parts = [next((one for one in phrases if one in folded), None) for phrases in PHRASES]
    if all(parts):
        plot = Plot(*(part or "" for part in parts))
        paper = _plots(scene.seed, scene.clock).get(plot)
        if paper:
            return paper, "plot"
    titled = _titled(scene, said)
    return (titled, "title") if titled else None


def _titled(scene: Scene, said: list[str]) -> Paper | None:
    """The paper most of whose title is said, if there is one."""
    index = _titles(scene.seed, scene.clock)
    counts: dict[int, int] = {}
    for word in said:
        for paper in index.get(word, []):
            counts[paper.number] = counts.get(paper.number, 0) + 1
    papers = library(scene).papers
    best = max(counts, key=lambda number: (counts[number], -number), default=None)
    if best is None or counts[best] < MIN_TITLE_WORDS:
        return None
    size = len(words.content_words(plain_title(papers[best])))
    return papers[best] if counts[best] >= MIN_TITLE_SHARE * size else None


def paper_pages(scene: Scene, ask: Ask) -> list[Page]:
    """The pages about the paper that a query means, on the sites it asks for; else none."""
    found = meant(scene, ask.words)
    if found is None:
        return []
    paper, clue = found
    rng = scene.draw("paper pages", ask)
    pages = [
        *(_stating(rng, paper) for _ in range(rng.choice(STATING[clue]))),
        *(_citing(rng, paper, right_id(rng, paper)) for _ in range(rng.choice([0, 0, 1, 2]))),
        *_missing(rng, scene, paper),
    ]
    return list({page.url: page for page in pages if is_on(page, ask.sites)}.values())


def right_id(rng: random.Random, paper: Paper) -> str:
    """An id of the paper in one of the forms of running text."""
    forms = _text_forms(paper)
    return rng.choice(forms) if forms else "no identifier"


def _text_forms(paper: Paper) -> list[str]:
    found = []
    if paper.arxiv_id:
        found += [
            f"arXiv:{paper.arxiv_id}",
            f"arXiv preprint arXiv:{paper.arxiv_id}v{paper.version} [{paper.categories[0]}]",
            f"arXiv {paper.arxiv_id}",
            f"https://doi.org/10.48550/arXiv.{paper.arxiv_id}",
        ]
    if paper.doi:
        found += [f"doi:{paper.doi}.", f"(https://doi.org/{paper.doi})", f"DOI {paper.doi.upper()}"]
    if paper.pmid:
        found += [f"PMID: {paper.pmid}", f"PMID {paper.pmid};"]
    if paper.pmcid:
        found.append(f"PMCID: {paper.pmcid}")
    return found


def addresses(paper: Paper) -> list[str]:
    """The addresses at which the paper itself can be read, and those that name it."""
    found = []
    if paper.arxiv_id:
        one = paper.arxiv_id
        found += [
            f"https://arxiv.org/abs/{one}",
            f"http://arxiv.org/abs/{one}v{paper.version}",
            f"https://arxiv.org/pdf/{one}v1.pdf",
            f"https://arxiv.org/pdf/{one}",
            f"https://export.arxiv.org/abs/{one}",
            f"https://ar5iv.labs.arxiv.org/html/{one}",
            f"https://www.alphaxiv.org/abs/{one}",
            f"https://huggingface.co/papers/{one}",
        ]
    if paper.doi:
        found += [
            f"https://doi.org/{paper.doi}",
            f"https://journals.example/doi/full/{paper.doi}",
            f"https://press.example/articles/{paper.doi}/full?utm_source=x",
        ]
    if paper.pmid:
        found += [
            f"https://pubmed.ncbi.nlm.nih.gov/{paper.pmid}/",
            f"https://www.ncbi.nlm.nih.gov/pubmed/{paper.pmid}",
            f"https://europepmc.org/article/MED/{paper.pmid}",
        ]
    if paper.pmcid:
        found += [
            f"https://pmc.ncbi.nlm.nih.gov/articles/{paper.pmcid}/",
            f"https://www.ncbi.nlm.nih.gov/pmc/articles/{paper.pmcid}/",
            f"https://europepmc.org/articles/{paper.pmcid}",
        ]
    return found


def _stating(rng: random.Random, paper: Paper) -> Page:
    """A page of the paper itself: its address names it, or its text does."""
    title = plain_title(paper)
    if "arxiv.org" in paper.url and rng.randrange(4) == 0:
        title = f"[{paper.arxiv_id}] {title}"
    sentence = f"{', '.join(paper.authors)}. Abstract: work on {paper.topic} for {paper.object}."
    known = addresses(paper)
    if known and rng.randrange(4):
        return Page(rng.choice(known), title, sentence, rng.choice([1.0, 0.7]), paper.published)
    return Page(
        _elsewhere(rng, paper), title, f"{sentence} {right_id(rng, paper)}", 1.0, paper.published
    )


def _elsewhere(rng: random.Random, paper: Paper) -> str:
    name = words.slug(plain_title(paper))
    return f"https://{rng.choice(words.SITES)}.example/papers/{name}-{rng.randrange(100, 999)}"


def _blanks(rng: random.Random, paper: Paper, said: str) -> dict[str, object]:
    return {
        "authors": ", ".join(paper.authors[:2]),
        "author": paper.authors[0],
        "title": plain_title(paper),
        "topic": paper.topic,
        "id": said,
        "number": rng.randrange(11, 90),
    }


def _citing(rng: random.Random, paper: Paper, said: str) -> Page:
    """A page of somebody else's that names the paper by an id, right or wrong."""
    sentence = rng.choice(CITES).format(**_blanks(rng, paper, said))
    title = f"A survey of {paper.topic} and {rng.choice(paper_words.TOPICS[paper.domain])}"
    return Page(_elsewhere(rng, paper), title, sentence, rng.choice([1.0, 0.7, 0.4]))


def _missing(rng: random.Random, scene: Scene, paper: Paper) -> Iterator[Page]:
    """Pages without the right id: with one of a digit more or another digit, of another paper,
    or with none."""
    for _ in range(rng.randrange(3)):
        wrong = near_miss(rng, right_id(rng, paper))
        yield _citing(rng, paper, wrong)
    other = library(scene).papers[rng.randrange(len(library(scene).papers))]
    if other.number != paper.number and addresses(other):
        title = plain_title(other)
        yield Page(rng.choice(addresses(other)), title, f"On {other.topic}.", 0.4, other.published)
    for _ in range(rng.randint(2, 5)):
        sentence = rng.choice(VAGUE).format(**_blanks(rng, paper, ""))
        yield Page(_elsewhere(rng, paper), f"About {paper.topic}", sentence, rng.choice([0.7, 0.4]))


def near_miss(rng: random.Random, said: str) -> str:
    """An id in which the last digit is another one; for text without a digit the text."""
    digits = [match.start() for match in re.finditer(r"\d", said)]
    # The version at the end of an arXiv id is not part of the id.
    bare = re.search(r"v\d+\b", said)
    usable = [at for at in digits if not bare or at < bare.start()]
    if not usable:
        return said
    at = usable[-1]
    other = rng.choice([digit for digit in "0123456789" if digit != said[at]])
    return f"{said[:at]}{other}{said[at + 1 :]}"
