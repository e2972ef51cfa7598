"""The seam to a model that is measured: messages go in, an answer or an AskError comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from runner.records.needleif import Provider

Messages = Sequence[Mapping[str, str]]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a model wrote; tokens and dollars are None where nobody says them.

    An empty text is an answer. `stop_reason` is the vendor's word.
    """

    text: str
    stop_reason: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None


class AskError(Exception):
    """No answer after all attempts; `status` is that of the last reply, None without one.

    The message is masked.
    """

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.message = message[:500]
        self.status = status

    @property
    def is_denied(self) -> bool:
        """Whether the key is refused, so that asking on is of no use."""
        return self.status in (401, 403)


class Model(Protocol):
    """`name` is the one that is published. `takes_temperature` gets False once it is refused."""

    @property
    def name(self) -> str: ...

    @property
    def provider(self) -> Provider: ...

    @property
    def takes_temperature(self) -> bool: ...

    async def answer(
        self, messages: Messages, *, max_tokens: int, temperature: float | None
    ) -> Answer:
        """The answer to one request; raises AskError."""
        ...

    async def aclose(self) -> None: ...
