"""One vendor's address: requests with the retries of a long unattended run.

Retried: 408, 409, 429, 500, 502, 503, 504, 529, time-outs, broken connections, and an error of
those kinds inside a 200. Pauses double from 1 s to at most 60 s, with jitter; what the vendor asks
for in Retry-After wins, up to ten minutes.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from typing import Any

from runner.benches.needleif.models.model import AskError
from runner.http import Exchange, HttpClient, HttpRequest, RetryPolicy, asked_pause_s
from runner.settings import Settings

TIMEOUT_S = 600.0  # a long document and a slow model
MAX_BODY_BYTES = 20_000_000
FIRST_PAUSE_S, LONGEST_PAUSE_S, LONGEST_ASKED_S = 1.0, 60.0, 600.0
MOST_TOKENS = 10**9  # of one call; more is no report of usage
RETRIED = frozenset({408, 409, 429, 500, 502, 503, 504, 529})
_ONCE = RetryPolicy(transport=0, server=0, rate_limited=0)


class _WorthAnotherTryError(Exception):
    """A failure that may go away; `pause_s` is what the vendor asks for, None where it does not."""

    def __init__(self, error: AskError, pause_s: float | None = None) -> None:
        super().__init__(error.message)
        self.error = error
        self.pause_s = pause_s


class Endpoint:
    """POSTs to one address; `concurrency` requests may be in flight."""

    def __init__(
        self,
        settings: Settings,
        *,
        url: str,
        headers: Mapping[str, str],
        concurrency: int,
        retries: int,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._url, self._headers = url, headers
        self._retries, self._jitter = retries, jitter
        self._sleep = settings.sleep
        self._mask = settings.mask
        self._http = HttpClient(
            timeout_s=TIMEOUT_S,
            max_body_bytes=MAX_BODY_BYTES,
            max_connections=concurrency,
            gateway=settings.gateway,
            mask=settings.mask,
            sleep=settings.sleep,
        )

    async def post(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON object of a 200; AskError with the last failure once the retries are used up."""
        request = HttpRequest(method="POST", url=self._url, headers=self._headers, json=body)
        for attempt in range(self._retries + 1):
            exchange = await self._http.send(request, retry=_ONCE)
            try:
                return self._read(exchange)
            except _WorthAnotherTryError as failure:
                if attempt == self._retries:
                    raise failure.error from None
                await self._sleep(self._pause_s(attempt, failure.pause_s))
        raise AssertionError("unreachable: the last attempt returns or raises")

    def plain(self, text: str) -> str:
        """The text as it may be written to a file: no key, no half characters."""
        return self._mask(text.encode("utf-8", "replace").decode())

    async def aclose(self) -> None:
        await self._http.aclose()

    def _pause_s(self, attempt: int, asked: float | None) -> float:
        if asked is not None:
            return min(max(asked, 0.0), LONGEST_ASKED_S)
        longest = min(FIRST_PAUSE_S * 2.0**attempt, LONGEST_PAUSE_S)
        return longest * (0.5 + self._jitter() / 2)

    def _read(self, exchange: Exchange) -> dict[str, Any]:
        if exchange.reply is None:
            failure = exchange.failure
            raise _WorthAnotherTryError(AskError(failure.message if failure else "no answer"))
        reply = exchange.reply
        try:
            body = json.loads(reply.body)
        except (ValueError, RecursionError):
            body = None
        if reply.status != 200:
            text = error_text(body) or reply.body[:300].decode("utf-8", "replace")
            error = AskError(self.plain(f"{reply.status}: {text}"), status=reply.status)
            if reply.status in RETRIED:
                raise _WorthAnotherTryError(error, asked_pause_s(reply))
            raise error
        if not isinstance(body, dict):
            # Half an answer, or a page of something in between.
            found = reply.body[:100].decode("utf-8", "replace")
            raise _WorthAnotherTryError(AskError(self.plain(f"no JSON object: {found}")))
        if body.get("error"):
            code = body["error"].get("code") if isinstance(body["error"], dict) else None
            status = code if isinstance(code, int) else None
            error = AskError(self.plain(error_text(body) or "an error without text"), status=status)
            if status in RETRIED:
                raise _WorthAnotherTryError(error)
            raise error
        return body


def error_text(body: Any) -> str:
    """The message of an error body, empty where there is none."""
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict):
        return str(error.get("message") or error.get("type") or "")
    return error if isinstance(error, str) else ""


def count_in(usage: Any, name: str) -> int | None:
    """A number of tokens, None where the vendor does not say one."""
    value = usage.get(name) if isinstance(usage, dict) else None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_TOKENS:
        return None
    return value
