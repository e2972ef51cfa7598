"""A chat model without a task: what it says to a free prompt, and the parameters it refuses."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from tests.fakes.calls import message_text


def said(messages: list[dict[str, Any]]) -> str:
    """A short answer without a comma; other words for another prompt."""
    prompt = "\n".join(message_text(message) for message in messages)
    return f"Here is a plain answer with the number {sha256(prompt.encode()).hexdigest()[:8]}."


def tokens_of(text: str) -> int:
    return len(text) // 4 + 1


def refuses_temperature(model: str) -> bool:
    """Newer models of both vendors take the default only."""
    return any(mark in model for mark in ("-4-7", "-5", "gpt-6", "o5"))


def refuses_max_tokens(model: str) -> bool:
    """OpenAI's reasoning models want `max_completion_tokens`."""
    return any(mark in model for mark in ("gpt-6", "o5"))
