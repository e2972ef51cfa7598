"""What code checks of a query for one paper, whatever the model says.

The gaps between the buckets are what the bench measures, so each must be what it says: `body` and
`clue` rest on facts of the full text that title and abstract do not have, `tot` on no word that
can be looked up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from runner.benches.document_text import comparable, stands_in
from runner.benches.proposals import Proposal
from runner.benches.scholar.quantities import has_digit, numbers, spelled_quantity
from runner.benches.scholar.rows import Bucket
from runner.benches.scholar.words import (
    NO_FACTS,
    STOP_WORDS,
    Stems,
    coined,
    content_tokens,
    folded,
    glued,
    is_coined,
    is_common,
    names,
    stem,
    tokens,
)
from runner.llm.prompts import visible

Reason = Literal["form", "bad_anchor", "leak", "unfounded"]
MAX_CHARS = {"body": 200, "clue": 300, "tot": 300}
WORDS = {"body": range(3, 11), "clue": range(8, 41), "tot": range(12, 46)}  # as they are counted
MIN_SPAN_WORDS, MAX_SPAN_WORDS = 3, 6
MIN_NOVEL = 2
MAX_RARE_TITLE_WORDS = 1
MAX_TITLE_WORDS = 2  # of a query from a half-remembered paper
COPIED_RUN = 4
MIN_TITLE_WORDS = 4

_SPAN = re.compile(r'"([^"]*)"')
_SINGLE_QUOTED = re.compile(r"(?<![^\W_])['\u2018][^\W_][^'\u2018\u2019]*['\u2019](?![^\W_])")
_URL = re.compile(
    r"https?:|://|\bwww\.|\b[\w-]+\.(?:org|com|gov|edu|net|io|html?)\b", re.IGNORECASE
)
_ID = re.compile(
    r"\b10\.\d{4,9}/\S|\barxiv\b|\b\d{4}\.\d{4,5}(?:v\d+)?\b|\bPM(?:C|ID)\W{0,2}\d|\bdoi\b"
    r"|\b[a-z-]{2,10}/\d{7}\b",
    re.IGNORECASE,
)
_OPERATOR = re.compile(r"\b(?:site|after|before|inurl|intitle|filetype):", re.IGNORECASE)
_NUMBER_WORD = "one|two|three|four|five|six|seven|eight|nine|ten"
_NUMBERED = re.compile(
    r"\b(?:tables?|figures?|figs?|sections?|sect?|appendi(?:x|ces)|theorems?|lemmas?|lemmata"
    r"|corollar(?:y|ies)|propositions?|equations?|eqs?|algorithms?|definitions?)\b"
    rf"[\s.:#(\[-]{{0,4}}(?:[a-z]?\d|[ivx]{{2,5}}\b|(?:{_NUMBER_WORD})\b)",
    re.IGNORECASE,
)
_LETTERED = re.compile(
    r"\b(?:[Aa]ppendi(?:x|ces)|[Tt]able|[Ff]ig(?:ure)?|[Ss]ection|[Tt]heorem|[Ll]emma)\.? "
    r"\(?[A-HIVX]\b"
)
_ELSEWHERE = re.compile(r"\bet\.?\s+al\b|\bsupplement(?:ary|al)\b", re.IGNORECASE)
_CITED = re.compile(
    r"\[\s*\d+(?:\s*[,;-]\s*\d+)*\s*\]|\([^()]{0,80}\b(?:19|20)\d\d[a-z]?\s*\)"
    r"|\b[A-Z]\w+(?: (?:and|&) [A-Z]\w+)?,? \(?(?:19|20)\d\d[a-z]\b"
)
_QUESTION_WORDS = frozenset(
    "what which who whom whose when where why how is are was were do does did can could".split()
)
_CAPITALISED = re.compile(r"(?<![.!?\u2026] )(?<!\A)(?<![^\W_])[A-Z][^\W\d_]+")


@dataclass(frozen=True)
class Fault:
    """Why a query must not be asked: the reason that is counted, and what exactly."""

    reason: Reason
    detail: str


@dataclass(frozen=True)
class Source:
    """What is known of a paper when its queries are checked; `body` is the whole body text."""

    title: str
    abstract: str
    body: str
    authors: str = ""

    @cached_property
    def title_words(self) -> list[str]:
        """The title's content words, one for each stem, compounds in their parts."""
        parts = content_tokens(folded(self.title).replace("-", " "))
        return list({stem(word): word for word in parts}.values())

    @cached_property
    def title_names(self) -> set[str]:
        """Coined words of the title, and the lone word before a colon: the paper's own name."""
        found = coined(self.title)
        head, colon, _ = folded(self.title).partition(":")
        lead = tokens(head)
        if colon and len(lead) == 1 and not is_common(lead[0]):
            found.add(lead[0].replace("-", ""))
        return found

    @cached_property
    def shown(self) -> Stems:
        """The words that an index of titles and abstracts has."""
        return Stems(self.title, self.abstract)

    @cached_property
    def shown_numbers(self) -> set[str]:
        return numbers(self.title) | numbers(self.abstract)

    @cached_property
    def read(self) -> Stems:
        return Stems(self.body)

    @cached_property
    def read_numbers(self) -> set[str]:
        return numbers(self.body)

    @cached_property
    def coined(self) -> set[str]:
        """Coined words of the whole paper, without those of the body that are everyday words."""
        shown = coined(self.title) | coined(self.abstract)
        return self.title_names | shown | {w for w in coined(self.body) if not is_common(w)}

    @cached_property
    def names(self) -> set[str]:
        """Names that are written like any other word: of people, places, methods, tools."""
        return names(f"{self.abstract}\n{self.body}\nby {self.authors}")

    def stands(self, span: str) -> bool:
        return stands_in(span, self.body)


def fault(bucket: Bucket, proposal: Proposal, source: Source) -> Fault | None:
    """Why the query must not be asked, or None where nothing speaks against it.

    The `title` bucket comes from no model and is not checked here.
    """
    query = visible(proposal.query or "")
    checks: list[Callable[[], Fault | None]] = [
        lambda: _form(bucket, query),
        lambda: _anchor(query),
        lambda: _leak(bucket, query, source),
        lambda: _unfounded(bucket, query, proposal, source),
    ]
    return next((found for check in checks if (found := check()) is not None), None)


def cleaned(query: str) -> str:
    """The query without quotes around the whole and without quotation marks that never close."""
    query = query.strip()
    for mark in "\"'":
        if len(query) > 2 and query[0] == query[-1] == mark and query.count(mark) == 2:
            query = query[1:-1].strip()
    return query.replace('"', "") if query.count('"') % 2 else query


def _form(bucket: Bucket, query: str) -> Fault | None:
    count = sum(any(char.isalnum() for char in word) for word in query.split())
    if "\n" in query or len(query) > MAX_CHARS[bucket] or count not in WORDS[bucket]:
        return Fault("form", "length")
    if _URL.search(query) or _ID.search(query):
        return Fault("form", "id")
    if _OPERATOR.search(query):
        return Fault("form", "operator")
    if not is_english(query, strictly=bucket == "tot"):
        return Fault("form", "not_english")
    if bucket == "body":
        return _body_form(query)
    if '"' in query or _SINGLE_QUOTED.search(query):
        return Fault("form", "quotes")
    if bucket == "clue" and (not query.rstrip().endswith("?") or query.count("?") > 1):
        return Fault("form", "no_question")
    return None


def _body_form(query: str) -> Fault | None:
    if "?" in query or not _QUESTION_WORDS.isdisjoint(tokens(query)[:1]):
        return Fault("form", "question")
    spans = _SPAN.findall(query)
    if len(spans) > 1 or query.count('"') not in (0, 2):
        return Fault("form", "span_count")
    if spans and not _is_span_length(spans[0]):
        return Fault("form", "span_length")
    return None


def _is_span_length(span: str) -> bool:
    """Whether a span has three to six words; a compound may count as one or as its parts."""
    parts = sum(len(word.split("-")) for word in tokens(span))
    return parts >= MIN_SPAN_WORDS and len(span.split()) <= MAX_SPAN_WORDS


def is_english(query: str, *, strictly: bool) -> bool:
    """Whether the letters are those of English; unless `strictly`, one in five may be others."""
    letters = [char for char in folded(query) if char.isalpha()]
    others = sum(not char.isascii() for char in letters)
    return bool(letters) and (others == 0 if strictly else others <= len(letters) / 5)


def _anchor(query: str) -> Fault | None:
    plain = folded(query)
    if _ELSEWHERE.search(plain):
        return Fault("bad_anchor", "elsewhere")
    if _NUMBERED.search(plain) or _LETTERED.search(plain):
        return Fault("bad_anchor", "numbered")
    if _CITED.search(plain):
        return Fault("bad_anchor", "citation")
    return None


def _leak(bucket: Bucket, query: str, source: Source) -> Fault | None:
    if is_copied(query, source.title):
        return Fault("leak", "title_copy")
    if bucket == "tot":
        return _recalled_too_well(query, source)
    if found := mentioned(query, source.title_names):
        return Fault("leak", f"title_name {found}")
    rare = [word for word in _title_words_in(query, source) if not is_common(word)]
    if len(rare) > MAX_RARE_TITLE_WORDS:
        return Fault("leak", f"title_words {', '.join(rare)}")
    novel = _facts(novel_words(query, source))
    values = numbers(query) - source.shown_numbers
    if bucket == "body" and len(novel) < MIN_NOVEL:
        return Fault("leak", "nothing_new")
    if bucket == "clue" and len(novel) + len(values) < MIN_NOVEL:
        return Fault("leak", "nothing_new")
    return None


def _recalled_too_well(query: str, source: Source) -> Fault | None:
    if has_digit(query):
        return Fault("leak", "digit")
    if found := spelled_quantity(query):
        return Fault("leak", f"quantity {found}")
    if found := next((part for part in re.findall(r"[^\W_]+", query) if is_coined(part)), None):
        return Fault("leak", f"coined {found}")
    if found := mentioned(query, source.coined):
        return Fault("leak", f"coined {found}")
    small = {part for word in tokens(query) for part in word.split("-")}
    written = {word.lower() for word in _CAPITALISED.findall(folded(query))}
    for word in sorted(small & (source.names | written)):
        if not is_common(word) and word not in STOP_WORDS:
            return Fault("leak", f"name {word}")
    if len(_title_words_in(query, source)) > MAX_TITLE_WORDS:
        return Fault("leak", "title_words")
    return None


def _unfounded(bucket: Bucket, query: str, proposal: Proposal, source: Source) -> Fault | None:
    """Faults of a query that does not say what stands in the body text."""
    if bucket != "tot":
        if missing := numbers(query) - source.shown_numbers - source.read_numbers:
            return Fault("unfounded", f"value {min(missing)}")
        novel = novel_words(query, source)
        held = [word for word in novel if source.read.has(word)]
        values = numbers(query) - source.shown_numbers
        bare = {value for value in values if not any(value in word for word in held)}
        if bucket == "body" and len(held) < len(novel):
            return Fault("unfounded", f"word {next(w for w in novel if w not in held)}")
        if bucket == "clue" and len(_facts(held)) + len(bare) < MIN_NOVEL:
            return Fault("unfounded", "too_few_facts")
        for span in _SPAN.findall(query):
            if not source.stands(span):
                return Fault("unfounded", "span")
            if proposal.quoted_span and comparable(proposal.quoted_span) != comparable(span):
                return Fault("unfounded", "span_differs")
    if proposal.evidence and comparable(proposal.evidence) not in comparable(source.body):
        return Fault("unfounded", "evidence")
    return None


def novel_words(query: str, source: Source) -> list[str]:
    """The query's content words that title and abstract have in no form, one for each stem."""
    found = {stem(word): word for word in content_tokens(query) if not source.shown.has(word)}
    return list(found.values())


def _facts(words: Iterable[str]) -> list[str]:
    """The words that say something of one paper rather than of papers."""
    return [word for word in words if word not in NO_FACTS]


def mentioned(query: str, coined_words: set[str]) -> str | None:
    """A coined word that the query has, in any case and with or without hyphens; function words
    count only where the query writes them as a name."""
    written = set(glued(tokens(query)))
    written |= {word[:-1] for word in written if word.endswith("s")}
    found = written & coined_words - STOP_WORDS
    return min(found | coined(query) & coined_words, default=None)


def is_copied(query: str, title: str) -> bool:
    """Whether four words follow one another as in the title."""
    words, known = tokens(query), tokens(title)
    runs = {tuple(known[i : i + COPIED_RUN]) for i in range(len(known) - COPIED_RUN + 1)}
    return any(tuple(words[i : i + COPIED_RUN]) in runs for i in range(len(words) - COPIED_RUN + 1))


def _title_words_in(query: str, source: Source) -> list[str]:
    """The title's content words that the query has in any form.

    Of a compound, parts count that the title has in the same form, and all of them where the
    title has them all: `cold-sensor` is two words of `Cold Sensors`, `triple-sensor` is none.
    """
    title, same = Stems(*source.title_words), set(source.title_words)
    words = tokens(query)
    own = [word for word in words if title.has(word)]
    own += [part for word in words for part in word.split("-") if part in same]
    asked = Stems(" ".join(own))
    return [word for word in source.title_words if asked.has(word)]
