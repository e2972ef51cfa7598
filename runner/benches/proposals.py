"""A model's proposal of a query: the reply that every bench with a language model asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from runner.judging.asking import ReplyError
from runner.llm.prompts import visible
from runner.llm.replies import last_object
from runner.llm.schemas import REFUSALS

MAX_QUERY_CHARS = 200
SPAN_WORDS = range(2, 9)  # of the quoted span, where a query must have one
SENTINEL = "NO_DISTINCT_QUERY"
_SPAN = re.compile(r'"([^"]*)"')
_QUOTES = str.maketrans(dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'))


@dataclass(frozen=True)
class Proposal:
    """A query, or a refusal and why; never both. `quoted_span` and `evidence` are as given."""

    query: str | None
    refusal: str | None = None
    quoted_span: str | None = None
    evidence: str | None = None


def parse_proposal(text: str) -> Proposal:
    """The proposal in a reply; raises ReplyError where it holds none.

    A reply without a JSON object is read as one line: a query, or the sentinel or nothing for a
    refusal. Quotation marks of all kinds become straight ones.
    """
    reply = last_object(text)
    if reply is None:
        return _from_line(text.strip())
    query, refusal = reply.get("query"), reply.get("refusal")
    span, evidence = _text(reply.get("quoted_span")), _text(reply.get("evidence"))
    if isinstance(query, str) and query.strip() and refusal is None:
        return Proposal(_clean(query), None, span, evidence)
    if query is None and refusal in REFUSALS:
        return Proposal(None, str(refusal), None, evidence)
    raise ReplyError("neither a query alone nor a known refusal alone")


def span_of(query: str) -> str | None:
    """The quoted span of a query with exactly one, else None."""
    spans = _SPAN.findall(query)
    return str(spans[0]).strip() if len(spans) == 1 and query.count('"') == 2 else None


def outside_spans(query: str) -> str:
    """The query without its quoted spans."""
    return _SPAN.sub(" ", query)


def _from_line(text: str) -> Proposal:
    line = text.splitlines()[0].strip() if text else ""
    if not line or SENTINEL in line.upper():
        return Proposal(None, "no_distinct_detail", None, line or "empty reply")
    if len(line) > MAX_QUERY_CHARS or line.startswith(("{", "[", "`", "<")):
        raise ReplyError("neither a JSON object nor one short line")
    return Proposal(_clean(line))


def _clean(query: str) -> str:
    return " ".join(visible(query).translate(_QUOTES).split())


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None
