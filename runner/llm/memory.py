"""A model that remembers its answers in a file: a stopped job pays for none of them twice."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from runner.llm.client import Completion, LanguageModel, Prompt
from runner.llm.prompts import render
from runner.records.base import Row, encode_line
from runner.records.jsonl import read_rows
from runner.records.judgements import Spend
from runner.storage import Journal


class CompletionRecord(Row, frozen=True, kw_only=True):
    """A line of `completions.jsonl`: the answer to a prompt, by the hash of all that was sent."""

    key: str
    text: str
    spend: Spend
    provider_model: str | None


class Remembering:
    """Asks `inner` once for each distinct prompt; failed calls are not remembered."""

    def __init__(self, inner: LanguageModel, path: Path) -> None:
        self._inner = inner
        rows = read_rows(path, msgspec.json.Decoder(CompletionRecord).decode)
        self._known = {row.key: row for row in rows.good}
        self._journal = Journal(path)

    @property
    def model(self) -> str:
        return self._inner.model

    @property
    def effort(self) -> str | None:
        return self._inner.effort

    async def complete(self, prompt: Prompt) -> Completion:
        """The remembered or the new answer; raises LlmError as the inner model does."""
        key = self._key(prompt)
        known = self._known.get(key)
        if known is None:
            completion = await self._inner.complete(prompt)
            known = CompletionRecord(
                key=key,
                text=completion.text,
                spend=completion.spend,
                provider_model=completion.provider_model,
            )
            self._journal.append(encode_line(known))
            self._known[key] = known
        return Completion(known.text, known.spend, known.provider_model)

    async def aclose(self) -> None:
        self._journal.close()
        await self._inner.aclose()

    def _key(self, prompt: Prompt) -> str:
        messages = render(prompt)
        sent = [self._inner.model, self._inner.effort, messages.system, messages.user]
        return hashlib.sha256(msgspec.json.encode(sent)).hexdigest()
