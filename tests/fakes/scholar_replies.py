"""What the fake model answers to the three tasks of the scholar bench.

It looks for what made-up papers have: a coined name before the kind of thing it names, and the
plot in plain words. Most replies keep every rule of the prompt; each wrong one breaks one rule.
A reply that gives both a query and a refusal is mended when the prompt reminds of the format.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal, get_args

from tests.fakes import words
from tests.fakes.delimiters import Delimited
from tests.fakes.paper_words import PLOTS
from tests.fakes.proposal_kinds import drawn_kind, malformed, proposed, refused

BodyKind = Literal[
    "no_distinct_detail",
    "boilerplate",
    "malformed",
    "both",
    "title_copy",
    "abstract_only",
    "misquoted",
    "two_spans",
    "citation",
    "invented",
    "question",
]
ClueKind = Literal[
    "no_distinct_detail",
    "boilerplate",
    "malformed",
    "title_name",
    "quotes",
    "short",
    "one_fact",
    "numbered",
    "invented",
]
TotKind = Literal[
    "no_distinct_detail",
    "evergreen",
    "malformed",
    "digit",
    "quantity",
    "coined",
    "quotes",
    "short",
    "title_words",
]
BODY_KINDS: tuple[BodyKind, ...] = get_args(BodyKind)
CLUE_KINDS: tuple[ClueKind, ...] = get_args(ClueKind)
TOT_KINDS: tuple[TotKind, ...] = get_args(TotKind)

NAMED = re.compile(r"\bthe ([A-Z][a-z]{4,}) ([a-z]{4,})(?=[ .,;])")
VALUE = re.compile(r"\b\d,\d{3}\b|\b\d{3}\b")
TOLD = [re.compile(f"^{re.escape(form.partition('{')[0])}(.+)[.]$") for form in PLOTS]
NOT_FACTS = frozenset(
    words.listed(
        """
before after until while which whose where there these those their without within against because
could would should about through throughout other every again later since least nobody
"""
    )
)


@dataclass(frozen=True)
class Fact:
    """A named thing, the sentence that tells of it, and the words of it that title and abstract
    do not have."""

    name: str
    thing: str
    sentence: str
    novel: tuple[str, ...]


def facts(excerpt: str, shown: str) -> list[Fact]:
    """The facts of an excerpt, each thing once, without those that `shown` names."""
    known = {word[:5] for word in words.content_words(shown)}
    found: dict[str, Fact] = {}
    for sentence in sentences(excerpt):
        for name, thing in NAMED.findall(f"{sentence} "):
            if name.lower()[:5] in known and name in shown:
                continue
            near = [
                word
                for word in re.findall(r"\b[a-z]{5,}\b", sentence)
                if word[:5] not in known and word not in NOT_FACTS and word != thing
            ]
            fact = Fact(name, thing, sentence, tuple(dict.fromkeys(near)))
            if len(near) >= 3:
                found.setdefault(name, fact)
    return list(found.values())


def sentences(text: str) -> list[str]:
    """The sentences that are whole, as far as that can be seen."""
    return [one.strip() for one in re.split(r"(?<=[.]) |\n", text) if one.strip().endswith(".")]


def plots(excerpt: str) -> list[tuple[str, str]]:
    """What the excerpt tells in plain words, each with the sentence it stands in."""
    found = []
    for sentence in sentences(excerpt):
        for form in TOLD:
            if match := form.match(sentence):
                found.append((match[1], sentence))
    return found


def _pick(options: int, *parts: str) -> int:
    """A number below `options` that depends on the parts alone."""
    return sha256("\n".join(parts).encode(errors="replace")).digest()[0] % options


def scholar_body(prompt: Delimited, clock: datetime) -> dict[str, Any]:
    """Keywords around one named thing of the excerpt; one in three has a quoted span."""
    title, abstract, excerpt = (prompt.need(name) for name in ("title", "abstract", "excerpt"))
    found = facts(excerpt, f"{title} {abstract}")
    kind = drawn_kind(BODY_KINDS, "body", excerpt)
    if kind in ("no_distinct_detail", "boilerplate"):
        return refused(kind, excerpt)
    if not found:
        return refused("no_distinct_detail", excerpt)
    fact = found[_pick(len(found), "fact", excerpt)]
    name, near = f"{fact.name} {fact.thing}", " ".join(fact.novel[:3])
    query, span = f"{name} {near}".lower(), None
    if _pick(3, "span", excerpt) == 0 and (span := _span(fact)):
        rest = [word for word in fact.novel if word not in span.lower()][:2]
        query = " ".join([f'"{span}"', *rest])
    match kind:
        case "malformed":
            return malformed(None)
        case "both" if not prompt.is_reminded():
            return malformed(query)
        case "title_copy":
            query, span = " ".join(title.lower().split()[:7]), None
        case "abstract_only":
            query, span = " ".join(words.content_words(abstract)[:6]), None
        case "misquoted":
            span = f"{fact.thing} {fact.name} {fact.novel[0]}"
            query = f'"{span}" {near}'
        case "two_spans":
            query = f'"{fact.name} {fact.thing}" near "{fact.novel[0]} {fact.novel[1]}"'
        case "citation":
            query, span = f"{name} {near} et al figure 3".lower(), None
        case "invented":
            query, span = f"{fact.name[::-1]} {fact.thing} zirconium {near}".lower(), None
        case "question":
            query, span = f"which paper used {name}?".lower(), None
    return proposed(query, span=span, evidence=fact.sentence)


def _span(fact: Fact) -> str | None:
    """Three to five words of the sentence that begin with the name, up to a mark of its own."""
    following = fact.sentence[fact.sentence.index(fact.name) :]
    run = re.split(r"[,.;:]", following, maxsplit=1)[0].split()[:5]
    return " ".join(run) if len(run) >= 3 else None


def scholar_clue(prompt: Delimited, clock: datetime) -> dict[str, Any]:
    """A question that puts two named things of the excerpt together."""
    title, abstract, excerpt = (prompt.need(name) for name in ("title", "abstract", "excerpt"))
    found = facts(excerpt, f"{title} {abstract}")
    kind = drawn_kind(CLUE_KINDS, "clue", excerpt)
    if kind in ("no_distinct_detail", "boilerplate"):
        return refused(kind, excerpt)
    if len(found) < 2:
        return refused("no_distinct_detail", excerpt)
    first, second = found[0], found[1 + _pick(len(found) - 1, "other", excerpt)]
    value = VALUE.search(first.sentence)
    also = f", something about {value[0]} of them," if value and "," in value[0] else ""
    query = (
        f"Which study tells of the {first.name} {first.thing}, of {first.novel[0]} and "
        f"{first.novel[1]}{also} and further of the {second.name} {second.thing} with its "
        f"{second.novel[0]}?"
    )
    match kind:
        case "malformed":
            return malformed(None)
        case "title_name":
            head = " ".join(title.split()[:5]).rstrip(":.")
            query = f"Which study of {head} has the {first.name} {first.thing} in its report?"
        case "quotes":
            query = query.replace(f"{first.name} {first.thing}", f'"{first.name} {first.thing}"')
        case "short":
            query = f"Who built the {first.name} {first.thing}?"
        case "one_fact":
            about = " ".join(words.content_words(abstract)[:4])
            query = f"Which study is it that has so much to say about {about} in all its parts?"
        case "numbered":
            query = f"{query[:-1]}, as in Table 4 and Section 2?"
        case "invented":
            names = (first.name[::-1].capitalize(), second.name[::-1].capitalize())
            query = f"Which study sends the {names[0]} zeppelin to the {names[1]} volcano by night?"
    return proposed(query, evidence=first.sentence)


def scholar_tot(prompt: Delimited, clock: datetime) -> dict[str, Any]:
    """The plot as somebody tells it who has forgotten all names."""
    title, _, excerpt = (prompt.need(name) for name in ("title", "abstract", "excerpt"))
    found = plots(excerpt)
    kind = drawn_kind(TOT_KINDS, "tot", excerpt)
    if kind in ("no_distinct_detail", "evergreen"):
        return refused(kind, excerpt)
    if not found:
        return refused("no_distinct_detail", excerpt)
    told, sentence = found[_pick(len(found), "plot", excerpt)]
    query = _hedged(told, _pick(3, "hedge", excerpt))
    match kind:
        case "malformed":
            return malformed(None)
        case "digit":
            query = f"{query[:-1]}, in 37 cases."
        case "quantity":
            query = f"{query[:-1]}, in twelve per cent of them."
        case "coined":
            named = NAMED.search(excerpt)
            query = f"{query[:-1]}, near the {named[1] if named else 'BERT'} place."
        case "quotes":
            query = query.replace(told, f'"{told}"')
        case "short":
            query = f"Something about {' '.join(told.split()[:4])}."
        case "title_words":
            query = f"{query[:-1]}, all about {' '.join(words.content_words(title)[:5])}."
    return proposed(query, evidence=sentence)


def _hedged(told: str, at: int) -> str:
    forms = (
        "I vaguely remember a paper which found that {told}, though I forget who wrote it.",
        "There was some study, maybe years ago, where {told}, if I recall it rightly.",
        "I think I once read somewhere that {told}, or something along those lines.",
    )
    return forms[at].format(told=told)
