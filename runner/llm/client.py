"""The seam to a language model: a prompt goes in, a text comes out, or an LlmError.

Two models stand behind it: `openrouter.ChatModel` (the live profile) and
`embedded.EmbeddedModel` (rules, no network). What follows a reply (parsing, gates, records) is
the same code for both. `Budgeted` wraps either with a spending limit.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import fsum
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from runner.records.judgements import JudgeErrorType, Spend

if TYPE_CHECKING:
    from asyncio import Future

PromptName = Literal[
    "code_query",
    "filing_query",
    "news_query",
    "scholar_body",
    "scholar_clue",
    "scholar_tot",
    "query_profile",
    "relevance",
    "fact_match",
]

FORMAT_REMINDER = "Reply with one JSON object that fits the schema, and nothing else."


@dataclass(frozen=True)
class Prompt:
    """A prompt by the name of its templates; `reminder` adds a line on the reply's format."""

    name: PromptName
    variables: Mapping[str, Any]
    reminder: bool = False


@dataclass(frozen=True)
class Completion:
    """What the model wrote, what it cost, and which model the provider says it was."""

    text: str
    spend: Spend
    provider_model: str | None = None


class LlmError(Exception):
    """A call that gave no usable text; `message` is masked, `spend` what it cost all the same."""

    def __init__(
        self, error_type: JudgeErrorType, message: str, spend: Spend | None = None
    ) -> None:
        super().__init__(f"{error_type}: {message}")
        self.error_type = error_type
        self.message = message[:500]
        self.spend = spend or Spend(calls=1)


class LanguageModel(Protocol):
    """`model` and `effort` are recorded with every run."""

    @property
    def model(self) -> str: ...

    @property
    def effort(self) -> str | None: ...

    async def complete(self, prompt: Prompt) -> Completion:
        """The model's text; raises LlmError."""
        ...

    async def aclose(self) -> None: ...


def total(spends: Iterable[Spend]) -> Spend:
    """The sum of several spends, the same in every order."""
    parts = list(spends)
    return Spend(
        calls=sum(part.calls for part in parts),
        prompt_tokens=sum(part.prompt_tokens for part in parts),
        completion_tokens=sum(part.completion_tokens for part in parts),
        cost_usd=fsum(part.cost_usd for part in parts),
        unpriced_calls=sum(part.unpriced_calls for part in parts),
    )


@dataclass
class Budgeted:
    """A model that refuses a call which could carry the spending past `max_usd`.

    Each call in flight holds back the dearest cost known so far times 1.5, or `first_call_usd`
    while none is known; a resumed run knows it from its records. A call that fits only once
    others have ended waits for them. A refused call raises LlmError("budget") and costs nothing.
    """

    inner: LanguageModel
    max_usd: float
    spent_usd: float = 0.0
    first_call_usd: float = 0.02
    dearest_usd: float = 0.0
    _in_flight: int = field(default=0)
    _waiting: list[Future[None]] = field(default_factory=list)
    refused: int = 0

    @property
    def model(self) -> str:
        return self.inner.model

    @property
    def effort(self) -> str | None:
        return self.inner.effort

    async def complete(self, prompt: Prompt) -> Completion:
        while not self._fits():
            if not self._in_flight:
                self.refused += 1
                raise LlmError(
                    "budget", f"the next call could pass {self.max_usd:.2f} USD", Spend()
                )
            await self._an_end()
        self._in_flight += 1
        spend = Spend()
        try:
            completion = await self.inner.complete(prompt)
            spend = completion.spend
            return completion
        except LlmError as error:
            spend = error.spend
            raise
        finally:
            self._in_flight -= 1
            self.spent_usd += spend.cost_usd
            self.dearest_usd = max(self.dearest_usd, spend.cost_usd)
            for waiting in self._waiting:
                if not waiting.done():
                    waiting.set_result(None)
            self._waiting.clear()

    def _fits(self) -> bool:
        reserve = self.dearest_usd * 1.5 or self.first_call_usd
        return self.spent_usd + (self._in_flight + 1) * reserve <= self.max_usd

    async def _an_end(self) -> None:
        """Returns when a call in flight has ended."""
        from asyncio import get_running_loop

        waiting: Future[None] = get_running_loop().create_future()
        self._waiting.append(waiting)
        await waiting

    async def aclose(self) -> None:
        await self.inner.aclose()


T = TypeVar("T")


async def run_bounded(
    items: Iterable[T], work: Callable[[T], Awaitable[None]], concurrency: int
) -> None:
    """Works through the items in order with `concurrency` workers; an exception stops all."""
    import asyncio

    queue = iter(items)

    async def worker() -> None:
        for item in queue:
            await work(item)

    async with asyncio.TaskGroup() as group:
        for _ in range(concurrency):
            group.create_task(worker())
