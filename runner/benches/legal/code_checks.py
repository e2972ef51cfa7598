"""What code checks of a query about a section of the CFR, whatever the model says."""

from __future__ import annotations

import re

from runner.benches.document_text import comparable, stands_in
from runner.benches.legal.sources.ecfr import Section
from runner.benches.proposals import (
    MAX_QUERY_CHARS,
    SPAN_WORDS,
    Proposal,
    outside_spans,
    span_of,
)

MIN_WORDS = 3
MIN_CONTEXT_WORDS = 2
RARE_ZIPF = 4.0
_CITATION = re.compile(
    r"\bC\.?\s?F\.?\s?R\b|\bU\.?\s?S\.?\s?C\b|§|\b(?:sections?|titles?|parts?)\s+\d", re.IGNORECASE
)
_URL = re.compile(r"https?:|://|\bwww\.|\.(?:gov|com|org)\b", re.IGNORECASE)
_OPERATOR = re.compile(r"\b(?:site|after|before|inurl|intitle|filetype):", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_][\w'-]*")
_LETTERS = re.compile(r"(?<!\w)[^\W\d_]+(?!\w)")
_TOKEN = re.compile(r"[\w.-]*\w")
_STOP_WORDS = frozenset(
    """a about after all also an and any are as at be been before by for from had has have if in
    into is it its may must no not of on or other shall such than that the their these this those
    to under was were which will with within without who whom whose when where""".split()
)
# Wording that hundreds of sections share; what is left of a span without it must say something.
BOILERPLATE = tuple(
    re.compile(rf"\b{phrase.strip()}\b")
    for phrase in r"""as defined in
    (?:except )?as (?:otherwise )?provided (?:in|for|by)
    for (?:the )?purposes? of
    in accordance with
    pursuant to
    (?:the )?(?:provisions|requirements) of
    subject to
    (?:set forth|described|specified|referred to) (?:in|under)
    (?:this|that) (?:section|part|subpart|chapter|title|paragraph)
    (?:of|in|under) (?:this|the) (?:section|part|subpart|chapter|title|paragraph)
    the term
    means any
    effective date
    (?:the )?(?:administrator|secretary|commissioner|director|agency|department|commission)
    (?:may|shall|must|will) (?:not )?be
    including but not limited to
    (?:code of federal regulations|federal register)
    office of management and budget
    omb control number
    paperwork reduction act
    incorporat(?:ed|ion) by reference
    (?:approved|authority) citation
    severab(?:le|ility)
    (?:calendar|business|working) days?
    (?:in )?writing
    united states
    reasonable (?:time|cause|efforts?)""".splitlines()
)


def rejection(proposal: Proposal, *, section: Section, text: str) -> str | None:
    """Why the query must not be asked, or None where nothing speaks against it.

    `text` is the whole section, of which the model saw the beginning.
    """
    query = proposal.query or ""
    outside = outside_spans(query)
    if len(query) > MAX_QUERY_CHARS or len(query.split()) < MIN_WORDS:
        return "length"
    if _URL.search(query) or _OPERATOR.search(outside):
        return "operator"
    if leaks_citation(query, section):
        return "citation"
    span = span_of(query)
    if span is None:
        return "span_count"
    if proposal.quoted_span is not None and comparable(proposal.quoted_span) != comparable(span):
        return "span_differs"
    if len(span.split()) not in SPAN_WORDS:
        return "span_length"
    if is_boilerplate(span):
        return "span_boilerplate"
    if not has_rare_word(span):
        return "span_common"
    if len(_content(outside)) < MIN_CONTEXT_WORDS:
        return "no_context"
    if set(_content(query)) and set(_content(section.heading)) >= set(_content(query)):
        return "heading"
    return None if stands_in(span, text) else "span_not_found"


def leaks_citation(query: str, section: Section) -> bool:
    """Whether the query gives the citation away: a form of it, the section, its part or rest."""
    if _CITATION.search(query):
        return True
    number = section.number.lower()
    banned = {number, section.part.lower(), number.partition(".")[2]} - {""}
    return bool({token.lower() for token in _TOKEN.findall(query)} & banned)


def is_boilerplate(span: str) -> bool:
    """Whether nothing is left of a span without the wording that regulations share."""
    left = comparable(span)
    for phrase in BOILERPLATE:
        left = phrase.sub(" ", left)
    return not [word for word in _content(left) if len(word) >= 3]


def has_rare_word(span: str) -> bool:
    """Whether a word of letters in the span is rare in English."""
    from wordfreq import zipf_frequency

    words = _LETTERS.findall(comparable(span))
    return any(zipf_frequency(word, "en") < RARE_ZIPF for word in words if len(word) >= 3)


def _content(text: str) -> list[str]:
    return [word for word in _WORD.findall(comparable(text)) if word not in _STOP_WORDS]
