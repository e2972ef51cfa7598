"""`HttpEngine`: a vendor's two functions on top of the shared HTTP client.

Here, once for all vendors: what counts as an error and whose it is, what is timed, the mask over
keys that a vendor echoes, and the cut to `num_results` results of at most `snippet_chars` each.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from typing import Any

import msgspec

from runner.engines.classify import classify_error
from runner.engines.operators import parse_operators
from runner.engines.spec import ApiError, Ask, EngineSpec, SearchOutcome, Vendor
from runner.http import MAX_MESSAGE_CHARS, Exchange, HttpClient, HttpReply, RetryPolicy
from runner.records.search import ErrorType, SearchError, SearchResult
from runner.settings import Mask
from runner.text import clip

MAX_ERROR_BYTES = 1_000_000  # of an error's body; what is read of it holds up all other engines
MAX_ERROR_WORDS = 20_000
MAX_ERROR_CHARS = 100_000

_decoder = msgspec.json.Decoder()


class HttpEngine:
    """One engine of a run; `mask_results` takes its own keys out of what it returns.

    Latency: the successful attempt alone, from its start until the body was read. Requests that
    open the engine's first `concurrency` connections are warm-ups and not timed; a later one that
    must open a connection is timed and marked as a reconnect.
    """

    def __init__(
        self,
        spec: EngineSpec,
        vendor: Vendor,
        http: HttpClient,
        *,
        key: str | None,
        snippet_chars: int,
        today: date,
        concurrency: int = 1,
        mask_results: Callable[[str], str] | None = None,
        retry: RetryPolicy | None = None,
    ) -> None:
        self.spec = spec
        self._mask_results = mask_results or Mask()
        self._vendor = vendor
        self._http = http
        self._key = key
        self._snippet_chars = snippet_chars
        self._today = today
        self._concurrency = concurrency
        self._retry = retry
        self._opened = 0

    async def search(self, query: str, *, num_results: int = 10) -> SearchOutcome:
        """Results or an error; raises nothing but cancellation."""
        ask = Ask(
            query=query,
            operators=parse_operators(query),
            num_results=num_results,
            snippet_chars=self._snippet_chars,
            key=self._key,
            mode=self.spec.mode,
            today=self._today,
        )
        exchange = await self._http.send(self._vendor.build_request(ask), retry=self._retry)
        self._opened += exchange.opened
        answer = self._read(exchange, ask)
        if isinstance(answer, SearchError):
            return SearchOutcome(
                results=None,
                error=answer,
                latency_ms=None,
                reconnected=False,
                attempts=exchange.attempts,
            )
        opened = exchange.reply is not None and exchange.reply.opened_connection
        is_warm_up = opened and self._opened <= self._concurrency
        return SearchOutcome(
            results=answer,
            error=None,
            latency_ms=exchange.reply.elapsed_ms if exchange.reply and not is_warm_up else None,
            reconnected=opened and not is_warm_up,
            attempts=exchange.attempts,
        )

    async def aclose(self) -> None:
        await self._http.aclose()

    def _read(self, exchange: Exchange, ask: Ask) -> list[SearchResult] | SearchError:
        if exchange.failure is not None:
            return SearchError(error_type="transport", error_message=exchange.failure.message)
        reply = exchange.reply
        assert reply is not None, "an exchange is a reply or a failure"
        if reply.status != 200:
            if self._is_no_results(reply):
                return []
            return self._error("http_error", f"{reply.status}: {_text(reply)}", ask, reply.status)
        try:
            body = _decode(reply.body)
        except (ValueError, RecursionError):
            return self._error("bad_json", f"not JSON: {_text(reply)}", ask)
        try:
            found = self._vendor.parse_response(body, ask)
        except ApiError as error:
            return self._error("api_error", str(error), ask)
        return [self._kept(result) for result in found[: ask.num_results]]

    def _is_no_results(self, reply: HttpReply) -> bool:
        """Whether the vendor says "nothing found" by a status of its own (the hook is optional)."""
        hook = getattr(self._vendor, "is_no_results", None)
        if hook is None:
            return False
        try:
            return bool(hook(reply.status, _decode(reply.body)))
        except (ValueError, RecursionError):
            return False

    def _kept(self, result: SearchResult) -> SearchResult:
        """Masked before it is clipped, so that no half of a key can stay."""
        mask = self._mask_results
        return SearchResult(
            url=mask(result.url),
            title=result.title and mask(result.title),
            snippet=clip(result.snippet and mask(result.snippet), self._snippet_chars),
            published_date=result.published_date and mask(result.published_date),
        )

    def _error(
        self, error_type: ErrorType, message: str, ask: Ask, status: int | None = None
    ) -> SearchError:
        """One line that a terminal can show, masked before it is shortened to what is kept."""
        words = message.split(None, MAX_ERROR_WORDS)[:MAX_ERROR_WORDS]
        message = self._http.scrub(" ".join(words)[:MAX_ERROR_CHARS])
        shown = message[:MAX_MESSAGE_CHARS]
        return SearchError(
            error_type=error_type,
            error_message="".join(c if c.isprintable() else "\ufffd" for c in shown),
            error_class=classify_error(error_type, message=message, query=ask.query, status=status),
            status=status,
        )


def _decode(body: bytes) -> Any:
    """The JSON value; vendors' small sins (a byte order mark, half a surrogate) are forgiven.

    Raises ValueError or RecursionError.
    """
    try:
        return _decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return json.loads(body.decode("utf-8-sig", "replace"))


def _text(reply: HttpReply) -> str:
    return reply.body[:MAX_ERROR_BYTES].decode("utf-8", "replace")
