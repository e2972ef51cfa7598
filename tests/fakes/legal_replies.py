"""What the fake model answers to the task of the legal bench."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Literal, get_args

from tests.fakes import words
from tests.fakes.delimiters import Delimited
from tests.fakes.proposal_kinds import drawn_kind, malformed, proposed, refused
from tests.fakes.regulation_words import ADJECTIVES, DEVICES, FORMS, STANDING
from tests.fakes.regulations import RECURRING

CodeKind = Literal[
    "no_distinct_detail",
    "boilerplate",
    "malformed",
    "misquoted",
    "no_span",
    "two_spans",
    "citation",
    "standing",
    "no_context",
    "section_sign",
]
KINDS: tuple[CodeKind, ...] = get_args(CodeKind)
SPAN = re.compile(rf"\b(?:{'|'.join(ADJECTIVES)}) (?:{'|'.join(DEVICES)}) (?:{'|'.join(FORMS)})\b")
DULL = frozenset(words.listed("must unless keeper person section agency other under three"))


def code_query(prompt: Delimited, clock: datetime) -> dict[str, Any]:
    """Keywords and one quoted span of a section; a text that has no span of its own is refused.

    A span that many sections share is preferred where there is one: a model cannot know that.
    """
    heading, text = prompt.need("heading"), prompt.need("text")
    spans = SPAN.findall(text)
    kind = drawn_kind(KINDS, "code", text)
    if not spans or kind == "boilerplate":
        return refused("boilerplate", text)
    if kind == "no_distinct_detail":
        return refused(kind, text)
    span = RECURRING if RECURRING in text else spans[0]
    line = next(one for one in text.split("\n") if span in one)
    known = {*span.split(), *words.content_words(heading), *DULL}
    near = [word for word in re.findall(r"\b[a-z]{5,}\b", line) if word not in known]
    context = list(dict.fromkeys(near))[:4]
    parts = [*context[:2], f'"{span}"', *context[2:]]
    match kind:
        case "malformed":
            return malformed(None)
        case "misquoted":
            span = " ".join(reversed(span.split()))
            parts[2] = f'"{span}"'
        case "no_span":
            return proposed(" ".join([*context, *span.split()]), evidence=line)
        case "two_spans":
            parts.append(f'"{context[0]}"')
        case "citation":
            parts.append("40 cfr")
        case "section_sign":
            parts.append("§ 7")
        case "no_context":
            parts = [f'"{span}"']
        case "standing":
            shared = next((one for one in STANDING if one in text), "")
            span = "of this part" if "of this part" in shared else " ".join(shared.split()[:3])
            parts[2] = f'"{span.rstrip(",.")}"' if span else parts[2]
            span = span.rstrip(",.")
    return proposed(" ".join(parts), span=span, evidence=line)
