"""Anthropic's Messages interface, version 2023-06-01.

Models of the 4.7 generation and later refuse a temperature with a 400; then the request is sent
again without one, and so is every later request of the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runner.benches.needleif.models.endpoint import Endpoint, count_in
from runner.benches.needleif.models.model import Answer, AskError, Messages
from runner.records.needleif import Provider


class AnthropicModel:
    """One model of Anthropic's; `extra_body` is merged into every request."""

    provider: Provider = "anthropic"

    def __init__(
        self, endpoint: Endpoint, *, model: str, name: str, extra_body: Mapping[str, Any]
    ) -> None:
        self._endpoint = endpoint
        self._model = model
        self._extra = dict(extra_body)
        self.name = name
        self.takes_temperature = True

    async def answer(
        self, messages: Messages, *, max_tokens: int, temperature: float | None
    ) -> Answer:
        """The text blocks of the reply, joined; blocks of thinking are passed over."""
        body: dict[str, Any] = {
            "model": self._model,
            "max_tokens": max_tokens,
            "messages": [dict(message) for message in messages],
        }
        sent = temperature if self.takes_temperature else None
        while True:
            extra = {} if sent is None else {"temperature": sent}
            try:
                reply = await self._endpoint.post(body | extra | self._extra)
                break
            except AskError as error:
                if sent is None or error.status != 400 or "temperature" not in error.message:
                    raise
                self.takes_temperature, sent = False, None
        return self._read(reply)

    async def aclose(self) -> None:
        await self._endpoint.aclose()

    def _read(self, reply: Mapping[str, Any]) -> Answer:
        blocks, stop = reply.get("content"), reply.get("stop_reason")
        if not isinstance(blocks, list):
            raise AskError("the reply has no list of content blocks")
        texts = [
            block["text"]
            for block in blocks
            if isinstance(block, dict)
            and block.get("type") == "text"
            and isinstance(block.get("text"), str)
        ]
        if not texts and stop not in ("refusal", "max_tokens", "end_turn", "stop_sequence"):
            raise AskError(f"the reply has no text and stopped for {str(stop)[:50]!r}")
        usage = reply.get("usage")
        return Answer(
            text=self._endpoint.plain("".join(texts)),
            stop_reason=self._endpoint.plain(stop)[:50] if isinstance(stop, str) else None,
            input_tokens=count_in(usage, "input_tokens"),
            output_tokens=count_in(usage, "output_tokens"),
        )
