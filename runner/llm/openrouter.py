"""Chat completions as a LanguageModel: OpenRouter's, or any service's with the same interface.

Sources: OpenRouter's API reference for the fields; the retry rule is ours: 429, 5xx and broken
connections up to 3 attempts, a time-out never (the call may have been paid), and an error of
that kind inside a 200 body counts the same.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any

from runner.http import Exchange, HttpClient, HttpRequest, RetryPolicy
from runner.llm.adaptive import AdaptiveLimit
from runner.llm.client import Completion, LlmError, Prompt, PromptName, total
from runner.llm.prompts import render
from runner.llm.schemas import response_format
from runner.records.judgements import Spend
from runner.settings import Mask, Settings

ATTEMPTS = 3
MAX_USAGE = 1e9  # tokens or dollars of one call; more is no report of usage


@dataclass(frozen=True)
class CallLimits:
    """`max_tokens` bounds the reply, hidden reasoning included."""

    effort: str
    max_tokens: int


# A judgement is worth thinking about; a query is not, but an effort must be named all the same,
# since a model at its default effort can spend the whole budget before its first visible word.
# "low" is the least that every provider of the default model takes ("minimal" is not on its list);
# it thinks a little, hence 2,048 tokens for an answer of 60.
LIMITS: dict[PromptName, CallLimits] = {
    "code_query": CallLimits(effort="low", max_tokens=2048),
    "fact_match": CallLimits(effort="high", max_tokens=32768),
    "filing_query": CallLimits(effort="low", max_tokens=2048),
    "news_query": CallLimits(effort="low", max_tokens=2048),
    "query_profile": CallLimits(effort="high", max_tokens=32768),
    "relevance": CallLimits(effort="high", max_tokens=32768),
    "scholar_body": CallLimits(effort="low", max_tokens=2048),
    "scholar_clue": CallLimits(effort="low", max_tokens=2048),
    "scholar_tot": CallLimits(effort="low", max_tokens=2048),
}


class ChatModel:
    """One model behind one key; `concurrency` calls may be in flight at once.

    OpenRouter takes the effort in an object of its own and a choice of providers; other services
    take `reasoning_effort`. Only OpenRouter says what a call cost.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        model: str,
        key: str,
        concurrency: int,
        timeout_s: float,
    ) -> None:
        self._model = model
        self._mask: Mask = settings.mask
        self._sleep = settings.sleep
        self._limit = AdaptiveLimit(concurrency, time.monotonic)
        self._url = f"{settings.llm_base_url}/chat/completions"
        self._is_openrouter = settings.is_openrouter
        self._providers = settings.llm_providers
        self._headers = {"Authorization": f"Bearer {key}"}
        if settings.is_openrouter:
            self._headers["X-OpenRouter-Title"] = "Needle"
        self._http = HttpClient(
            timeout_s=timeout_s,
            max_body_bytes=2_000_000,
            max_connections=concurrency,
            gateway=settings.gateway,
            mask=self._mask,
            sleep=settings.sleep,
        )

    @property
    def model(self) -> str:
        return self._model

    @property
    def effort(self) -> str | None:
        return LIMITS["relevance"].effort

    async def complete(self, prompt: Prompt) -> Completion:
        """The reply's text; raises LlmError with what the failed attempts cost."""
        request = HttpRequest(
            method="POST", url=self._url, headers=self._headers, json=self._body(prompt)
        )
        wasted: list[Spend] = []
        sent = 0
        while True:
            async with self._limit.slot():
                exchange = await self._http.send(request, retry=_retries(ATTEMPTS - sent - 1))
            sent += exchange.attempts
            if exchange.rate_limited:
                self._limit.refused()
            try:
                completion = self._read(exchange)
            except _Overloaded as error:
                if error.is_rate_limit and not exchange.rate_limited:
                    self._limit.refused()
                wasted.append(error.spend)
                if sent >= ATTEMPTS:
                    raise LlmError("api_error", error.message, total(wasted)) from error
                await self._sleep(2.0 ** (sent - 1))
            except LlmError as error:
                raise LlmError(
                    error.error_type, error.message, total([*wasted, error.spend])
                ) from error
            else:
                if not exchange.rate_limited:
                    self._limit.succeeded()
                return Completion(
                    completion.text,
                    total([*wasted, completion.spend]),
                    completion.provider_model,
                )

    async def aclose(self) -> None:
        await self._http.aclose()

    def _body(self, prompt: Prompt) -> dict[str, Any]:
        limits = LIMITS[prompt.name]
        messages = render(prompt)
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": messages.system},
                {"role": "user", "content": messages.user},
            ],
            "temperature": 0,
            "max_tokens": limits.max_tokens,
            "response_format": response_format(prompt.name),
        }
        if not self._is_openrouter:
            body["reasoning_effort"] = limits.effort
            return body
        body["reasoning"] = {"effort": limits.effort}
        if self._providers:
            body["provider"] = {"order": list(self._providers), "allow_fallbacks": False}
        return body

    def _read(self, exchange: Exchange) -> Completion:
        if exchange.reply is None:
            message = exchange.failure.message if exchange.failure else "no answer"
            raise LlmError("transport", message)
        reply = exchange.reply
        try:
            body = json.loads(reply.body)
        except (ValueError, RecursionError):
            body = None
        if reply.status != 200:
            detail = _error_text(body) or reply.body[:300].decode("utf-8", "replace")
            raise LlmError("http_error", self._plain(f"{reply.status}: {detail}"))
        if not isinstance(body, dict):
            raise LlmError("bad_json", self._mask(reply.body[:300].decode("utf-8", "replace")))
        return self._read_body(body)

    def _read_body(self, body: dict[str, Any]) -> Completion:
        spend = _spend(body.get("usage"))
        choices = body.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        choice = choice if isinstance(choice, dict) else {}
        error = body.get("error") or choice.get("error")
        if error:
            message = self._plain(_error_text({"error": error}) or "error without a text")
            code = error.get("code") if isinstance(error, dict) else None
            if code == 429 or (isinstance(code, int) and 500 <= code <= 599):
                raise _Overloaded(message, spend, is_rate_limit=code == 429)
            raise LlmError("api_error", message, spend)
        if choice.get("finish_reason") == "length":
            raise LlmError("truncated", "the reply ended at max_tokens", spend)
        message_part = choice.get("message")
        message_part = message_part if isinstance(message_part, dict) else {}
        text = _content_text(message_part.get("content"))
        if not text.strip():
            if message_part.get("refusal") or choice.get("finish_reason") == "content_filter":
                refusal = str(message_part.get("refusal") or "content filter")
                raise LlmError("refusal", self._plain(refusal), spend)
            raise LlmError("no_content", "the reply holds no text", spend)
        model = body.get("model")
        model = self._plain(model)[:200] if isinstance(model, str) else None
        return Completion(self._plain(text), spend, model)

    def _plain(self, text: str) -> str:
        """The text as it may be written to a file: no key, no half characters."""
        return self._mask(text.encode("utf-8", "replace").decode())


def _retries(count: int) -> RetryPolicy:
    """So many retries in all, of whatever kind; a time-out is final."""
    return RetryPolicy(
        transport=count, server=count, rate_limited=count, total=count, timeouts=False
    )


class _Overloaded(Exception):
    """A 200 body that carries an error worth another try."""

    def __init__(self, message: str, spend: Spend, *, is_rate_limit: bool) -> None:
        super().__init__(message)
        self.is_rate_limit = is_rate_limit
        self.message = message
        self.spend = spend


def _error_text(body: Any) -> str:
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict):
        code = error.get("code")
        text = str(error.get("message", ""))
        return f"{code}: {text}" if code is not None else text
    return error if isinstance(error, str) else ""


def _content_text(content: Any) -> str:
    """The text of a message whose content is a string or a list of text parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _spend(usage: Any) -> Spend:
    usage = usage if isinstance(usage, dict) else {}

    def number(field: str) -> float | None:
        value = usage.get(field)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return float(value) if is_number and 0 <= value <= MAX_USAGE else None

    cost = number("cost")
    return Spend(
        calls=1,
        prompt_tokens=int(number("prompt_tokens") or 0),
        completion_tokens=int(number("completion_tokens") or 0),
        cost_usd=cost or 0.0,
        unpriced_calls=int(cost is None),
    )
