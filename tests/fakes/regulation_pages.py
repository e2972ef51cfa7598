"""What the fake web says about sections of regulations: their pages, citations, near misses."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.fakes import regulation_words, words
from tests.fakes.company_pages import Page, is_on
from tests.fakes.legal_replies import SPAN
from tests.fakes.operators import Ask
from tests.fakes.regulations import Section, code
from tests.fakes.scene import Scene

STATING = (0, 1, 2, 4, 6)  # how many pages state the citation, drawn with equal chance
VAGUE = (
    "What keepers should know about {subject}: our checklist.",
    "An agency explains its rule on {subject} without naming it.",
    "Comments on the proposed rule about {subject} are open.",
)


def meant(scene: Scene, text: str) -> Section | None:
    """The section that holds a span of the query."""
    known = code(scene).by_span
    spans = SPAN.findall(" ".join(text.lower().replace('"', " ").split()))
    return next((known[span] for span in spans if span in known), None)


def section_pages(scene: Scene, ask: Ask) -> list[Page]:
    """The pages about the section that a query means, on the sites it asks for; else none."""
    section = meant(scene, ask.words)
    if section is None:
        return []
    rng = scene.draw("section pages", ask)
    pages = [
        *(_stating(rng, section) for _ in range(rng.choice(STATING))),
        *_missing(rng, section),
    ]
    return list({page.url: page for page in pages if is_on(page, ask.sites)}.values())


def addresses(section: Section) -> list[str]:
    """The addresses that name the section."""
    title, number, part = section.title, section.number, section.part
    chapter = regulation_words.TITLES[title][1]
    rest = number.partition(".")[2]
    return [
        f"https://www.law.cornell.edu/cfr/text/{title}/{number}",
        f"https://www.ecfr.gov/current/title-{title}/chapter-{chapter}/part-{part}/section-{number}",
        f"https://www.ecfr.gov/current/title-{title}/section-{number}#p-{number}(a)",
        f"https://www.govinfo.gov/app/details/CFR-2025-title{title}-vol2-sec{part}-{rest}",
    ]


def text_forms(section: Section) -> list[str]:
    """The citation as writers write it."""
    title, number = section.title, section.number
    return [
        f"{title} CFR {number}",
        f"{title} CFR § {number}",
        f"{title} C.F.R. § {number}(b)(1).",
        f"{title} C. F. R. §{number}",
        f"{title} CFR {number.replace('-', '‑')}",
        f"{title} CFR\u00a0§\u00a0{number.upper()}",
        f"{title} CFR §§ {section.part}.99, {number}",
        f"§ {number} of title {title}",
        f"{title} Code of Federal Regulations § {number}",
    ]


def _stating(rng: random.Random, section: Section) -> Page:
    title = f"§ {section.number} {section.heading}"
    sentence = section.paragraphs[rng.randrange(len(section.paragraphs))]
    if rng.randrange(3):
        return Page(rng.choice(addresses(section)), title, sentence, rng.choice([1.0, 0.7]))
    stated = f"{sentence} {rng.choice(text_forms(section))}"
    return Page(_elsewhere(rng, section), section.heading, stated, rng.choice([1.0, 0.7]))


def _subject(section: Section) -> str:
    return regulation_words.SUBJECTS[section.title][0]


def _elsewhere(rng: random.Random, section: Section) -> str:
    name = words.slug(_subject(section))
    return f"https://{rng.choice(words.SITES)}.example/rules/{name}-{rng.randrange(1000, 9999)}"


def _missing(rng: random.Random, section: Section) -> Iterator[Page]:
    """Pages that miss the section: another title, a digit more, the part alone, no citation."""
    other = next(t for t in regulation_words.TITLES if t != section.title)
    near = [
        f"{other} CFR {section.number}",
        f"{section.title} CFR {section.number}0",
        f"{section.title} CFR Part {section.part}",
        f"Rule {section.number.partition('.')[2]}",
        section.number,
    ]
    for said in rng.sample(near, rng.randrange(3)):
        sentence = f"The rule on {_subject(section)} is found at {said}."
        yield Page(_elsewhere(rng, section), section.heading, sentence, rng.choice([1.0, 0.7]))
    for _ in range(rng.randint(2, 4)):
        sentence = rng.choice(VAGUE).format(subject=_subject(section))
        yield Page(_elsewhere(rng, section), "Rules", sentence, rng.choice([0.7, 0.4]))
