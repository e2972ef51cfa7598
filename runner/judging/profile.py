"""The profile of a query: one model call, shared by all documents of the query."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from runner.judging.asking import ReplyError, ask
from runner.llm.client import LanguageModel, Prompt
from runner.llm.replies import last_object
from runner.records.judgements import (
    Archetype,
    Domain,
    ProfileRecord,
    QueryProfile,
    QueryType,
)
from runner.records.queries import QueryRow

_YES = frozenset({"yes", "true", "1"})
_NO = frozenset({"no", "false", "0", ""})


def parse_profile(text: str) -> QueryProfile:
    """The profile in a model's reply; raises ReplyError where a required field is missing."""
    fields = last_object(text)
    if fields is None:
        raise ReplyError("no JSON object")
    domain = str(fields.get("query_domain") or "").strip()
    return QueryProfile(
        query_type=_word(fields, "query_type", get_args(QueryType)),
        query_domain=_word(fields, "query_domain", get_args(Domain)) if domain else "other",
        query_search_operators_exist=_truth(fields.get("query_search_operators_exist")),
        query_main_aspects=_texts(fields.get("query_main_aspects"))[:3],
        query_aux_aspects=_texts(fields.get("query_aux_aspects")),
        query_content_archetype=_word(fields, "query_content_archetype", get_args(Archetype)),
    )


async def profile_query(
    model: LanguageModel, row: QueryRow, *, today: str, clock: Callable[[], str]
) -> ProfileRecord:
    """The record of one query's profile: the profile, or the error that remains after a retry."""
    prompt = Prompt("query_profile", {"query": row.query_text, "today": today})
    answer = await ask(model, prompt, parse_profile)
    return ProfileRecord(
        query_id=row.query_id,
        profile=answer.value,
        error=answer.error,
        spend=answer.spend,
        provider_model=answer.provider_model,
        finished_at=clock(),
    )


def _word(fields: dict[str, Any], name: str, known: tuple[str, ...]) -> Any:
    """The first known word found in a field's value."""
    value = str(fields.get(name) or "").lower()
    places = [(value.find(word), word) for word in known if word in value]
    if not places:
        raise ReplyError(f"`{name}` is {value[:40]!r}, not one of {', '.join(known)}")
    return min(places)[1]


def _truth(value: Any) -> bool:
    word = str("" if value is None else value).strip().lower()
    if word in _YES or word in _NO:
        return word in _YES
    raise ReplyError(f"`query_search_operators_exist` is {word[:40]!r}, not yes or no")


def _texts(value: Any) -> list[str]:
    items = value if isinstance(value, list) else [value]
    texts = (" ".join(item.split()) for item in items if isinstance(item, str))
    return [text for text in texts if text]
