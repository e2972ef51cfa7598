"""A stand-in for the language model that needs no key and no network: rules and word vectors.

It answers the same prompts with the same reply JSON, so that everything behind it is the code of
the live profile. It is a grader of word overlap and vector closeness, not of meaning: scores of
the embedded profile are real and repeatable, but not comparable with an LLM judge's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from runner.llm.client import Completion, Prompt, PromptName
from runner.records.judgements import Spend

MODEL = "embedded/lexical-vector-1"


class EmbeddedModel:
    """Answers each prompt by its rule; deterministic, free of cost."""

    @property
    def model(self) -> str:
        return MODEL

    @property
    def effort(self) -> str | None:
        return None

    async def complete(self, prompt: Prompt) -> Completion:
        """The rule's reply as JSON text."""
        reply = _rules()[prompt.name](prompt.variables)
        return Completion(json.dumps(reply, ensure_ascii=False), Spend(calls=1), MODEL)

    async def aclose(self) -> None:
        return None


def _rules() -> dict[PromptName, Callable[[Mapping[str, Any]], dict[str, Any]]]:
    from runner.llm.embedded_grader import query_profile, relevance
    from runner.llm.embedded_news import news_query

    return {"news_query": news_query, "query_profile": query_profile, "relevance": relevance}
