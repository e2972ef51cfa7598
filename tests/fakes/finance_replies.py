"""What the fake model answers to the two tasks of the finance bench."""

from __future__ import annotations

import re
from datetime import datetime
from enum import IntEnum
from hashlib import sha256
from typing import Any

from tests.fakes import words
from tests.fakes.delimiters import Delimited

# A proper name of two to four words inside a line; the place names of the fake world all begin so.
NAME = re.compile(r"\b[A-Z][a-z]+(?: [A-Z][a-z]+){1,3}\b")
DULL = frozenset(
    words.listed(
        """
united states securities exchange commission act section note notes item form chief officer
executive annual meeting common stock earnings net income total inc corp company holdings group
january february march april may june july august september october november december
"""
    )
)
KINDS = 16  # one excerpt in so many gets each of the replies below


class Kind(IntEnum):
    """How a reply goes wrong; any number above these, below KINDS, is a right one."""

    NO_DETAIL = 0
    BOILERPLATE = 1
    MISQUOTED = 2
    NAMELESS = 3
    TWO_SPANS = 4
    NO_SPAN = 5
    ACCESSION = 6
    RECURRING = 7


def filing_query(prompt: Delimited, clock: datetime) -> dict[str, Any]:
    """A query for a filing with one quoted span of its excerpt; half of them break a rule.

    Which rule depends on the excerpt. A text without a name worth quoting is refused.
    """
    excerpt = prompt.need("excerpt")
    company = prompt.need("company")
    kind = kind_of(excerpt)
    name = [word for word in words.content_words(company) if word not in DULL][:3]
    spans = distinctive(excerpt, set(name))
    if not spans or kind is Kind.BOILERPLATE:
        return _refusal("boilerplate", excerpt)
    if kind is Kind.NO_DETAIL:
        return _refusal("no_distinct_detail", excerpt)
    span = max(spans, key=excerpt.count)
    if kind is Kind.RECURRING:
        span = next((one for one in spans if f"operate the {one}" in excerpt), span)
    evidence = _sentence(excerpt, span)
    near = [word for word in words.content_words(evidence) if len(word) > 4 and word.isalpha()]
    extra = [word for word in near if word not in span.lower() and word not in name][:2]
    if kind is Kind.MISQUOTED:
        span = " ".join(reversed(span.split()))
    parts = [*name, f'"{span}"', *extra]
    if kind is Kind.NAMELESS:
        parts = parts[len(name) :]
    elif kind is Kind.TWO_SPANS:
        parts.append(f'"{evidence.split()[0]}"')
    elif kind is Kind.NO_SPAN:
        parts[len(name)] = span.lower()
    elif kind is Kind.ACCESSION:
        parts.append("0001234567-26-000001")
    return {
        "query": " ".join(parts),
        "refusal": None,
        "quoted_span": None if kind is Kind.NO_SPAN else span,
        "evidence": evidence[:200],
    }


def kind_of(excerpt: str) -> Kind | None:
    """How the reply to this excerpt goes wrong; None where it does not."""
    number = sha256(excerpt.encode(errors="replace")).digest()[0] % KINDS
    return Kind(number) if number in list(Kind) else None


def distinctive(excerpt: str, company: set[str]) -> list[str]:
    """The names in a text that are neither the company's own nor words of every filing."""
    found = []
    for match in NAME.findall(excerpt):
        folded = set(words.content_words(match))
        if not folded & (company | DULL) and match not in found:
            found.append(match)
    return found


def _sentence(text: str, span: str) -> str:
    """The sentence in which a span stands first."""
    at = text.index(span)
    start = max(text.rfind(". ", 0, at) + 1, text.rfind("\n", 0, at) + 1)
    return re.split(r"\. |\n", text[start:].lstrip(), maxsplit=1)[0].strip()


def _refusal(reason: str, excerpt: str) -> dict[str, Any]:
    return {
        "query": None,
        "refusal": reason,
        "quoted_span": None,
        "evidence": excerpt.strip()[:80] or None,
    }


def fact_match(prompt: Delimited, clock: datetime) -> dict[str, Any]:
    """Yes where the value or one of its other forms stands in title, snippet or URL.

    An order outside the delimiters is obeyed, as in `relevance`: it can only be there if the
    prompt let untrusted text out of its bounds.
    """
    value = prompt.need("correct value", "value")
    prompt.need("url")
    accepted = [value, *prompt.values.get("also accepted", "").split("\n")]
    shown = "\n".join(prompt.values.get(label, "") for label in ("title", "snippet", "url"))
    is_there = any(_loose(form) in _loose(shown) for form in accepted if form.strip())
    ordered = prompt.ordered_rating()
    if ordered is not None:
        is_there = ordered > 0
    return {"answer": "yes" if is_there else "no"}


def _loose(text: str) -> str:
    """Text without case, accents and the marks inside numbers and ids."""
    return " ".join(re.sub(r"[,.\-]", "", words.fold(text)).split())
