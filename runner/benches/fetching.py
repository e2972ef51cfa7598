"""Public sources over HTTP: bodies that are bounded, paced, checked and kept between runs.

One `Fetcher` stands for one source (Wikidata, GLEIF, the SEC). A failure is a `SourceError` whose
`kind` can be counted. With a cache folder, an answer that names its version (`ETag`,
`Last-Modified`; RFC 9110, section 8.8) is kept, and asked for again only on the condition that it
has changed. The cache is a convenience: what is broken in it or cannot be written is passed over.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import quote, urlencode, urlsplit

import msgspec

from runner.errors import PublishError
from runner.http import Exchange, HttpClient, HttpRequest, Limiter, RetryPolicy
from runner.settings import Settings
from runner.storage import write_file

ErrorKind = Literal[
    "not_found", "forbidden", "rate_limited", "http_error", "transport", "malformed", "too_large"
]
MAX_REDIRECTS = 3
MAX_PATH_CHARS, MAX_QUERY_CHARS = 120, 40  # of an address in an error text
MAX_HEAD_BYTES = 8_000
_KINDS: dict[int, ErrorKind] = {
    **dict.fromkeys((301, 302, 303, 307, 308), "not_found"),  # elsewhere, and not followed
    401: "forbidden",
    403: "forbidden",
    404: "not_found",
    410: "not_found",
    429: "rate_limited",
}
_HEADERS = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}

T = TypeVar("T")


class SourceError(Exception):
    """A source that gave nothing usable; `message` names the address and what was wrong."""

    def __init__(self, kind: ErrorKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


@dataclass(frozen=True)
class _Kept:
    """A cached answer; `validators` are its headers `etag` and `last-modified`."""

    body: bytes
    validators: Mapping[str, str]


class Fetcher:
    """GET requests to one source; `limiter` may be shared by fetchers of the same source.

    `accept` is the Accept header, `headers` are more of them (a token, which goes to no other
    host that an answer leads to). The contact of the operator goes along (NEEDLE_CONTACT). With
    `gives_up_after` a host that failed to answer so many requests in a row, each with all its
    retries, is not asked again.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        limiter_interval_s: float = 0.0,
        concurrency: int = 1,
        max_body_bytes: int = 10_000_000,
        timeout_s: float = 30.0,
        cache: Path | None = None,
        accept: str = "application/json",
        headers: Mapping[str, str] | None = None,
        limiter: Limiter | None = None,
        retry: RetryPolicy | None = None,
        gives_up_after: int | None = None,
    ) -> None:
        self._client = HttpClient(
            timeout_s=timeout_s,
            max_body_bytes=max_body_bytes,
            max_connections=concurrency,
            limiter=limiter,
            min_interval_s=limiter_interval_s,
            gateway=settings.gateway,
            mask=settings.mask,
            user_agent=settings.user_agent,
            sleep=settings.sleep,
        )
        self._max_body_bytes = max_body_bytes
        self._cache = cache
        self._accept = accept
        self._headers = dict(headers or {})
        self._retry = retry
        self._gives_up_after = gives_up_after
        self._failed: dict[str, list[ErrorKind]] = {}  # of each host, since its last answer
        self.attempts = 0  # requests sent, retries included

    async def get_json(self, url: str, params: Mapping[str, str] | None = None) -> Any:
        """The decoded JSON body, of any shape; raises SourceError."""
        return await self._get(url, params or {}, _json)

    async def get_text(
        self,
        url: str,
        params: Mapping[str, str] | None = None,
        *,
        max_redirects: int = MAX_REDIRECTS,
    ) -> str:
        """The body as text, UTF-8 or else Windows-1252; raises SourceError."""
        return await self._get(url, params or {}, _text, max_redirects)

    async def get_bytes(self, url: str, params: Mapping[str, str] | None = None) -> bytes:
        """The body as it is; raises SourceError."""
        return await self._get(url, params or {}, bytes)

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._client.aclose()

    async def _get(
        self,
        url: str,
        params: Mapping[str, str],
        read: Callable[[bytes], T],
        max_redirects: int = MAX_REDIRECTS,
    ) -> T:
        address = _full_address(url, params)
        kept = self._kept(address)
        headers = {"Accept": self._accept, **self._headers}
        if kept:
            headers |= {_HEADERS[name]: value for name, value in kept.validators.items()}
        request = HttpRequest(url=url, params=params, headers=headers)
        exchange = await self._send(request, max_redirects)
        body = kept.body if kept and _status(exchange) == 304 else _body(exchange, address)
        try:
            value = read(body)
        except ValueError as error:
            raise SourceError("malformed", f"{_named(address)}: {error}") from error
        if exchange.reply is not None and exchange.reply.status == 200:
            self._keep(address, body, exchange.reply.headers)
        return value

    async def _send(self, request: HttpRequest, max_redirects: int) -> Exchange:
        """The outcome; raises SourceError for a host that was given up."""
        host = urlsplit(request.url).netloc
        failed = self._failed.setdefault(host, [])
        if self._gives_up_after is not None and len(failed) >= self._gives_up_after:
            text = f"{host}: given up after {len(failed)} failures in a row"
            raise SourceError(failed[-1], text)
        exchange = await self._client.send(
            request, retry=self._retry, follow_redirects=max_redirects
        )
        self.attempts += exchange.attempts
        kind = _refusal(exchange)
        if kind is None:
            failed.clear()
        else:
            failed.append(kind)
        return exchange

    def _path(self, address: str) -> Path | None:
        key = hashlib.sha256(f"{self._accept}\n{address}".encode()).hexdigest()
        return self._cache / key[:2] / key if self._cache else None

    def _kept(self, address: str) -> _Kept | None:
        """The cached answer, or None where there is none that is whole and of this address."""
        path = self._path(address)
        if path is None:
            return None
        try:
            with path.open("rb") as file:
                data = file.read(MAX_HEAD_BYTES + self._max_body_bytes + 1)
            head, _, body = data.partition(b"\n")
            entry = msgspec.json.decode(head, type=dict[str, str])
        except (OSError, ValueError, RecursionError):
            return None
        is_whole = entry.get("sha256") == hashlib.sha256(body).hexdigest()
        validators = _validators(entry)
        if entry.get("url") != address or not is_whole or not validators:
            return None
        return _Kept(body, validators)

    def _keep(self, address: str, body: bytes, headers: Mapping[str, str]) -> None:
        """Writes an answer that names its version, where the disk lets it."""
        path = self._path(address)
        validators = _validators(headers)
        if path is None or not validators:
            return
        digest = hashlib.sha256(body).hexdigest()
        head = msgspec.json.encode({"url": address, "sha256": digest, **validators})
        if len(head) < MAX_HEAD_BYTES:
            with contextlib.suppress(PublishError):
                write_file(path, head + b"\n" + body)


def _validators(headers: Mapping[str, str]) -> dict[str, str]:
    """What names the version of an answer, where it can be sent back as it is."""
    given = {name: headers.get(name, "").strip() for name in _HEADERS}
    return {
        name: text for name, text in given.items() if text and text.isascii() and text.isprintable()
    }


def _status(exchange: Exchange) -> int | None:
    return exchange.reply.status if exchange.reply else None


def _body(exchange: Exchange, address: str) -> bytes:
    """The body of a 200 reply; raises SourceError for anything else."""
    named = _named(address)
    if exchange.reply is None:
        message = exchange.failure.message if exchange.failure else "no answer"
        raise SourceError(
            "too_large" if _is_too_large(exchange) else "transport", f"{named}: {message}"
        )
    status = exchange.reply.status
    if status != 200:
        raise SourceError(_KINDS.get(status, "http_error"), f"{named}: HTTP {status}")
    return exchange.reply.body


def _refusal(exchange: Exchange) -> ErrorKind | None:
    """How the host failed to serve the request, None where it answered in its way."""
    status = _status(exchange)
    if status is None:
        return None if _is_too_large(exchange) else "transport"
    if status >= 500:
        return "http_error"
    kind = _KINDS.get(status)
    return kind if kind in ("forbidden", "rate_limited") else None


def _is_too_large(exchange: Exchange) -> bool:
    return exchange.failure is not None and exchange.failure.message.startswith("BodyTooLarge")


def _full_address(url: str, params: Mapping[str, str]) -> str:
    return f"{url}?{urlencode(params, quote_via=quote)}" if params else url


def _named(address: str) -> str:
    """Host, path and query, short enough for an error text."""
    parts = urlsplit(address)
    path = _cut(f"{parts.netloc}{parts.path}", MAX_PATH_CHARS)
    return path + (_cut(f"?{parts.query}", MAX_QUERY_CHARS) if parts.query else "")


def _cut(text: str, max_chars: int) -> str:
    return text if len(text) <= max_chars else f"{text[: max_chars - 3]}..."


def _json(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"not JSON ({type(error).__name__})") from error


def _text(body: bytes) -> str:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return body.decode("cp1252", "replace")
