"""Chat completions as OpenAI defined them and as many others serve them.

Some models refuse `max_tokens` in favour of `max_completion_tokens`, some refuse a temperature;
the request is sent again in the other form, and so is every later request of the run. What a call
cost is known where the endpoint says it, as OpenRouter does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from runner.benches.needleif.models.endpoint import Endpoint, count_in
from runner.benches.needleif.models.model import Answer, AskError, Messages
from runner.records.needleif import Provider

MOST_USD = 1e4  # of one call; more is no report of a cost


class OpenAiModel:
    """One model behind one endpoint; `extra_body` is merged into every request."""

    provider: Provider = "openai"

    def __init__(
        self, endpoint: Endpoint, *, model: str, name: str, extra_body: Mapping[str, Any]
    ) -> None:
        self._endpoint = endpoint
        self._model = model
        self._extra = dict(extra_body)
        self._limit_field = "max_tokens"
        self.name = name
        self.takes_temperature = True

    async def answer(
        self, messages: Messages, *, max_tokens: int, temperature: float | None
    ) -> Answer:
        """The first choice's content, null as ""; hidden reasoning is passed over."""
        while True:
            field, takes = self._limit_field, self.takes_temperature
            body: dict[str, Any] = {
                "model": self._model,
                "messages": [dict(message) for message in messages],
                field: max_tokens,
            }
            if takes and temperature is not None:
                body["temperature"] = temperature
            try:
                return self._read(await self._endpoint.post(body | self._extra))
            except AskError as error:
                if error.status != 400 or not self._learns(error.message, body):
                    raise

    async def aclose(self) -> None:
        await self._endpoint.aclose()

    def _learns(self, message: str, sent: Mapping[str, Any]) -> bool:
        """Whether the refusal names something that the next request can do otherwise."""
        if "max_tokens" in sent and "max_completion_tokens" in message:
            self._limit_field = "max_completion_tokens"
            return True
        if "temperature" in sent and "temperature" in message:
            self.takes_temperature = False
            return "temperature" not in self._extra
        return False

    def _read(self, reply: Mapping[str, Any]) -> Answer:
        choices = reply.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(choice, dict) or not isinstance(message, dict):
            raise AskError("the reply has no choice with a message")
        if choice.get("error"):
            raise AskError("the choice holds an error instead of an answer")
        content, stop = message.get("content"), choice.get("finish_reason")
        if content is not None and not isinstance(content, str):
            raise AskError("the content of the reply is no text")
        usage = reply.get("usage")
        return Answer(
            text=self._endpoint.plain(content or ""),
            stop_reason=self._endpoint.plain(stop)[:50] if isinstance(stop, str) else None,
            input_tokens=count_in(usage, "prompt_tokens"),
            output_tokens=count_in(usage, "completion_tokens"),
            cost_usd=_cost(usage),
        )


def _cost(usage: Any) -> float | None:
    value = usage.get("cost") if isinstance(usage, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and 0 <= value <= MOST_USD else None
