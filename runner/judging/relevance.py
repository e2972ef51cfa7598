"""The rating of one document for one query: the model's reply, read strictly, then code's gates.

Reading a reply: the last valid JSON object counts (a hidden draft comes before the final one);
else the last block of `field: value` lines. `rating` must be an integer or its decimal digits,
0 to 4. The label always follows from the rating. Source: the judge contract, reply schema.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from runner.judging.asking import ReplyError, ask
from runner.judging.gates import failed_by_code, violations
from runner.llm.client import LanguageModel, Prompt
from runner.llm.replies import last_object
from runner.llm.schemas import GATES
from runner.records.judgements import LABELS, JudgementRecord, QueryProfile
from runner.records.queries import QueryRow
from runner.records.search import SearchResult
from runner.scoring.urls import normalise_url
from runner.text import clip

MAX_EVIDENCE_CHARS = 50_000
_FIELD = re.compile(r"^\s*[\"']?(\w+)[\"']?\s*:\s*(.*?)\s*,?\s*$")


@dataclass(frozen=True)
class Document:
    """One distinct document of one query, as the judge sees it; evidence is already clipped.

    The prompt does not say that a snippet was cut: some vendors cut it themselves, so the remark
    would tell engines apart.
    """

    key: str
    url: str
    title: str | None
    snippet: str | None
    published: str | None


@dataclass(frozen=True)
class Reply:
    """A model's rating with its gates; `label_mismatch` says its own label contradicted it."""

    rating: int
    reasoning: str | None
    gates: dict[str, str]
    label_mismatch: bool


def document_of(
    result: SearchResult, *, snippet_chars: int, published: str | None, url_norm_version: int = 1
) -> Document:
    """The document of a search result; equal evidence gives an equal key, whatever the engine.

    Two results are one document when normalised URL, title, clipped snippet and ISO date agree.
    """
    snippet = clip(result.snippet, snippet_chars or MAX_EVIDENCE_CHARS)
    url = normalise_url(result.url, url_norm_version)
    identity = msgspec.json.encode([url, result.title, snippet, published])
    return Document(
        key=hashlib.sha256(identity).hexdigest()[:20],
        url=result.url,
        title=result.title,
        snippet=snippet,
        published=published,
    )


def parse_relevance(text: str) -> Reply:
    """The rating in a model's reply; raises ReplyError where none can be read for certain."""
    fields = last_object(text)
    if fields is None or "rating" not in fields:
        fields = _last_block(text)
    rating = _rating(fields.get("rating"))
    gates = {}
    for gate in GATES:
        value = fields.get(gate)
        if isinstance(value, str) and value.strip():
            gates[gate] = value.strip().lower()
    label = fields.get("label")
    reasoning = fields.get("reasoning")
    return Reply(
        rating=rating,
        reasoning=reasoning.strip()[:2000] if isinstance(reasoning, str) else None,
        gates=gates,
        label_mismatch=label in LABELS.values() and label != LABELS[rating],
    )


async def judge_document(
    model: LanguageModel,
    row: QueryRow,
    document: Document,
    *,
    profile: QueryProfile | None,
    today: str,
    clock: Callable[[], str],
) -> JudgementRecord:
    """The record of one judgement; the engine that found the document is nowhere in the prompt."""
    prompt = Prompt(
        "relevance",
        {
            "today": today,
            "query": row.query_text,
            "profile": msgspec.json.encode(profile).decode() if profile else None,
            "url": document.url,
            "title": document.title,
            "published": document.published,
            "snippet": document.snippet,
        },
    )
    answer = await ask(model, prompt, parse_relevance)
    reply = answer.value
    code_gates = failed_by_code(
        row.query_text, url=document.url, title=document.title, snippet=document.snippet
    )
    rating = None if reply is None else 0 if code_gates else reply.rating
    return JudgementRecord(
        query_id=row.query_id,
        document_key=document.key,
        rating=rating,
        model_rating=reply.rating if reply else None,
        label=None if rating is None else LABELS[rating],
        reasoning=reply.reasoning if reply else None,
        gates=reply.gates if reply else None,
        gate_violations=violations(reply.rating, reply.gates) if reply else [],
        code_gates=code_gates,
        label_mismatch=reply.label_mismatch if reply else False,
        error=answer.error,
        spend=answer.spend,
        provider_model=answer.provider_model,
        finished_at=clock(),
    )


def _rating(value: Any) -> int:
    if isinstance(value, str) and re.fullmatch(r"[0-4]", value.strip()):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 4:
        return value
    raise ReplyError(f"`rating` is {str(value)[:40]!r}, not an integer from 0 to 4")


def _last_block(text: str) -> dict[str, Any]:
    """The fields of the last run of `field: value` lines that ends with a rating or label."""
    fields: dict[str, Any] = {}
    for line in text.splitlines():
        match = _FIELD.match(line)
        if match is None or match[1] not in (*GATES, "reasoning", "rating", "label"):
            continue
        if match[1] in fields:
            fields = {}
        fields[match[1]] = match[2].strip("\"'")
    return fields
