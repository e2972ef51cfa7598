"""Whether a document states a known fact: the backstop of the deterministic matcher.

A model is asked only about results that code rejected. It sees the question, the value with its
other forms, and the result, never the engine. A yes can add a hit; nothing can take one away.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from runner.judging.asking import ReplyError, ask
from runner.judging.relevance import Document
from runner.llm.client import LanguageModel, Prompt
from runner.llm.replies import last_object
from runner.records.judgements import FactRecord
from runner.records.queries import QueryRow

_WORD = re.compile(r"[^\w]*(yes|no)[^\w]*", re.IGNORECASE)


def parse_fact(text: str) -> bool:
    """The yes or no of a reply: the field `answer` of its object, or the bare word."""
    fields = last_object(text)
    said = text if fields is None else fields.get("answer")
    match = _WORD.fullmatch(said) if isinstance(said, str) else None
    if match is None:
        raise ReplyError(f"`answer` is {str(said)[:40]!r}, not yes or no")
    return match[1].lower() == "yes"


def asked_sha256(row: QueryRow, question: Mapping[str, Any]) -> str:
    """The SHA-256 of what is asked of a query's documents."""
    asked = msgspec.json.encode([row.query_text, question], order="deterministic")
    return hashlib.sha256(asked).hexdigest()


async def judge_fact(
    model: LanguageModel,
    row: QueryRow,
    document: Document,
    *,
    question: Mapping[str, Any],
    clock: Callable[[], str],
) -> FactRecord:
    """The record of one document: yes, no, or the error that remains after a retry."""
    variables = {
        "query": row.query_text,
        **question,
        "title": document.title,
        "url": document.url,
        "snippet": document.snippet,
    }
    answer = await ask(model, Prompt("fact_match", variables), parse_fact)
    return FactRecord(
        query_id=row.query_id,
        document_key=document.key,
        asked_sha256=asked_sha256(row, question),
        states_it=answer.value,
        error=answer.error,
        spend=answer.spend,
        provider_model=answer.provider_model,
        finished_at=clock(),
    )
