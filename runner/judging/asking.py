"""One question to a model with one retry for a reply that cannot be parsed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from runner.llm.client import LanguageModel, LlmError, Prompt, total
from runner.records.judgements import JudgeError, Spend

T = TypeVar("T")


class ReplyError(Exception):
    """A reply that does not hold what its prompt asked for."""


@dataclass(frozen=True)
class Answer(Generic[T]):
    """The parsed value or the error, and what all calls for it cost."""

    value: T | None
    error: JudgeError | None
    spend: Spend
    provider_model: str | None


async def ask(model: LanguageModel, prompt: Prompt, parse: Callable[[str], T]) -> Answer[T]:
    """The parsed reply. A provider's error is final; a reply that cannot be parsed is asked for
    once more with a reminder of the format, then becomes `judge_parse_error`.
    """
    spends: list[Spend] = []
    provider_model = None
    problem = ""
    for attempt in (prompt, replace(prompt, reminder=True)):
        try:
            completion = await model.complete(attempt)
        except LlmError as error:
            spends.append(error.spend)
            failure = JudgeError(error_type=error.error_type, error_message=error.message)
            return Answer(None, failure, total(spends), provider_model)
        spends.append(completion.spend)
        provider_model = completion.provider_model
        try:
            return Answer(parse(completion.text), None, total(spends), provider_model)
        except ReplyError as error:
            problem = f"{error}; the reply began: {completion.text}"[:500]
    failure = JudgeError(error_type="judge_parse_error", error_message=problem)
    return Answer(None, failure, total(spends), provider_model)
