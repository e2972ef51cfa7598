"""The sections of federal regulations in the fake world, and the traps that are set with them.

One code per seed: ten titles of four parts, each of twelve sections with reserved places between.
Every section has three spans of three words that stand in no other, and sentences that stand in
all. The structure tree, the full text, the search and the search engines all follow from it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property, lru_cache

from tests.fakes import regulation_words as words
from tests.fakes.scene import Scene

PARTS, SECTIONS, SPANS = 4, 12, 3
TRAPS = {
    "moved": "listed in the structure, but the full text is not found",
    "wrapped": "the full text of the section comes inside its whole part",
    "recurring": "a span that stands out, but in every such section of all titles",
    "boilerplate": "only sentences that every section has",
    "cross_reference": "only a reference to other provisions",
    "office": "only an address and a control number",
    "amended": "a search without a date finds an older version too",
    "odd_number": "a number with letters and hyphens after the dot, such as 240.15c3-1",
    "curly": "typographic quotation marks, dashes and a non-breaking space in the text",
    "tables": "a table and a note beside the paragraphs",
    "long": "over 6,000 characters, the spans at the end",
    "grouped": "below a subject group of its subpart",
    "italics": "a span that inline tags cut in two",
}
RECURRING = "tamper-evident gusset seal"


@dataclass(frozen=True)
class Section:
    """One section. `paragraphs` are plain text; `spans` stand in them and nowhere else."""

    title: int
    part: int
    subpart: str
    number: str
    heading: str
    spans: tuple[str, ...]
    paragraphs: tuple[str, ...]
    traps: frozenset[str]

    @property
    def text(self) -> str:
        return "\n".join(self.paragraphs)

    @property
    def citation(self) -> str:
        return f"{self.title} CFR {self.number}"


@dataclass(frozen=True)
class Code:
    """All sections, in order of title and number."""

    sections: tuple[Section, ...]

    @cached_property
    def by_number(self) -> dict[tuple[int, str], Section]:
        return {(section.title, section.number): section for section in self.sections}

    @cached_property
    def by_span(self) -> dict[str, Section]:
        return {span: section for section in self.sections for span in section.spans}

    def of(self, title: int) -> list[Section]:
        """The sections of one title, in its order."""
        return [section for section in self.sections if section.title == title]

    def trapped(self, kind: str) -> list[Section]:
        """The sections with this trap; a kind that does not exist raises KeyError."""
        TRAPS[kind]
        return [section for section in self.sections if kind in section.traps]


def code(scene: Scene) -> Code:
    """The regulations of this seed."""
    return _code(scene.seed)


@lru_cache(maxsize=8)
def _code(seed: int) -> Code:
    scene = Scene(seed)
    total = len(words.TITLES) * PARTS * SECTIONS
    sizes = len(words.ADJECTIVES) * len(words.DEVICES) * len(words.FORMS)
    chosen = scene.draw("spans").sample(range(sizes), total * SPANS)
    spans = [_span(number) for number in chosen]
    found: list[Section] = []
    for title in words.TITLES:
        for nth in range(PARTS):
            for at in range(SECTIONS):
                number = len(found)
                own = tuple(spans[number * SPANS : (number + 1) * SPANS])
                found.append(_section(scene, number, title, nth, at, own))
    return Code(tuple(found))


def _span(number: int) -> str:
    number, form = divmod(number, len(words.FORMS))
    adjective, device = divmod(number, len(words.DEVICES))
    return f"{words.ADJECTIVES[adjective]} {words.DEVICES[device]} {words.FORMS[form]}"


def part_number(title: int, nth: int) -> int:
    """The number of the nth part of a title; between two parts others are reserved."""
    return words.TITLES[title][2] + 3 * nth


def _section(
    scene: Scene, number: int, title: int, nth: int, at: int, spans: tuple[str, ...]
) -> Section:
    rng = scene.draw("section", number)
    kinds = list(TRAPS)
    traps = frozenset({kinds[number // 2 % len(kinds)]}) if number % 2 else frozenset()
    part = part_number(title, nth)
    rest = str(at * 2 + 1)
    if "odd_number" in traps:
        rest = f"{at * 2 + 1}c{rng.randint(1, 9)}-{rng.randint(1, 12)}"
    subject = words.SUBJECTS[title][(nth + at) % 5]
    paragraphs = _paragraphs(rng, subject, spans, traps)
    is_plain = bool(traps & {"boilerplate", "cross_reference", "office"})
    return Section(
        title=title,
        part=part,
        subpart="ABCD"[at * 4 // SECTIONS],
        number=f"{part}.{rest}",
        heading=rng.choice(words.HEADINGS),
        spans=() if is_plain else spans,
        paragraphs=paragraphs,
        traps=traps,
    )


def _paragraphs(
    rng: random.Random, subject: str, spans: tuple[str, ...], traps: frozenset[str]
) -> tuple[str, ...]:
    """The text: details of the section's own among sentences that every section may have."""
    standing = rng.sample(words.STANDING, 4)
    if "cross_reference" in traps:
        return (words.CROSS_REFERENCE[0].format(letter=rng.choice("EFG")), words.CROSS_REFERENCE[1])
    if "office" in traps:
        return (*words.OFFICE, standing[0])
    if "boilerplate" in traps:
        return tuple(f"({'abcdef'[at]}) {line}" for at, line in enumerate(standing))
    forms = rng.sample(words.DETAILS, SPANS)
    own = [
        form.format(subject=subject, span=span, count=rng.randint(13, 97))
        for form, span in zip(forms, spans, strict=True)
    ]
    if "recurring" in traps:
        own = [f"Each {RECURRING} must be broken by the inspector alone.", *own]
    if "curly" in traps:
        own = [f"The words “{subject}”—as used here—bind the keeper’s\u00a0heirs.", *own]
    mixed = [*own, *standing]
    if "long" in traps:
        return tuple(f"({at}) {line}" for at, line in enumerate([*words.STANDING * 11, *own], 1))
    rng.shuffle(mixed)
    return tuple(f"({'abcdefghij'[at]}) {line}" for at, line in enumerate(mixed))
