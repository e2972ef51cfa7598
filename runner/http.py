"""The network edge: the only module that imports httpx, and that at the first request only.

One `HttpClient` stands for one engine, source or model. `send` gives an `Exchange`: the last
attempt's reply or failure and the number of attempts; it never raises because of the network.

- A slot (one of `max_connections`) is held from the first attempt to the end of the last retry.
- An attempt is bounded as a whole, redirects and body included; a dripping body cannot stretch it.
- Bodies are read raw and unpacked here, so that neither form can grow past `max_body_bytes`.
- The transport is used without httpx's own client: no cookies, no proxy variables, no log line
  with a URL in it (some vendors take their key there).
- With a gateway every hop goes to `GATEWAY/<host>/<path>?<query>`; replies and errors speak of
  the original address only.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote, urlencode, urljoin, urlsplit, urlunsplit

import msgspec

from runner.inflate import DecodingError, Inflater
from runner.settings import USER_AGENT, Mask

if TYPE_CHECKING:
    import httpx

Clock = Callable[[], float]
Sleep = Callable[[float], Awaitable[Any]]

MAX_MESSAGE_CHARS = 500
KEEPALIVE_S = 300.0  # longer than a round of all engines, so that nothing reconnects in between
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_HARMLESS_HEADERS = frozenset({"accept", "accept-language", "user-agent"})
_SECONDS = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")
_json_encoder = msgspec.json.Encoder()


@dataclass(frozen=True, kw_only=True)
class HttpRequest:
    """What to send: `params` are added to the URL's query.

    `json` is the body unless None, else `content` as it is; its type stands in the headers.
    """

    method: str = "GET"
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    params: Mapping[str, str] = field(default_factory=dict)
    json: Any = None
    content: bytes | None = None


@dataclass(frozen=True)
class HttpReply:
    """A complete answer of any status; header names are lower-case, `url` is the final one.

    `elapsed_ms` runs from the start of the attempt until its body was read.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    elapsed_ms: float
    opened_connection: bool
    url: str


@dataclass(frozen=True)
class HttpFailure:
    """No complete answer; `message` is `<ExceptionClass>: <detail>`, masked."""

    kind: Literal["transport"]
    message: str
    is_timeout: bool
    opened_connection: bool


@dataclass(frozen=True)
class RetryPolicy:
    """How many retries follow each kind of failure; 1, 2, 4 ... seconds apart, at most `cap_s`.

    `transport` and `server` (5xx) share one count, 429 has its own; `total` bounds them together.
    """

    transport: int = 3
    server: int = 3
    rate_limited: int = 6
    total: int | None = None
    timeouts: bool = True
    cap_s: float = 30.0


@dataclass(frozen=True)
class Exchange:
    """The outcome of the last attempt: a reply (of any status) or a failure, never both.

    `opened` counts the attempts, the last included, that opened a connection, `rate_limited`
    those that were answered by 429.
    """

    reply: HttpReply | None
    failure: HttpFailure | None
    attempts: int
    opened: int = 0
    rate_limited: int = 0


class Limiter:
    """A minimum gap between starts; clients that use the same key may share one."""

    def __init__(
        self, min_interval_s: float, clock: Clock = time.monotonic, sleep: Sleep = asyncio.sleep
    ) -> None:
        self.min_interval_s = min_interval_s
        self._clock = clock
        self._sleep = sleep
        self._free_at = float("-inf")

    async def wait(self) -> None:
        """Returns when the caller may start; the next caller's turn is at least a gap later."""
        now = self._clock()
        start = max(now, self._free_at)
        self._free_at = start + self.min_interval_s
        if start > now:
            await self._sleep(start - now)


class _RefusedError(Exception):
    """The attempt cannot succeed by being repeated; `reason` is the class name to report."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


class HttpClient:
    """A connection pool with pacing, retries, limits and masking.

    `max_connections` is also the number of requests in flight.
    """

    def __init__(
        self,
        *,
        timeout_s: float = 30.0,
        connect_timeout_s: float = 10.0,
        max_body_bytes: int = 10_000_000,
        max_connections: int = 1,
        limiter: Limiter | None = None,
        min_interval_s: float = 0.0,
        gateway: str | None = None,
        mask: Callable[[str], str] | None = None,
        user_agent: str = USER_AGENT,
        clock: Clock = time.monotonic,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._timeout_s = timeout_s
        self._phases = {"connect": min(connect_timeout_s, timeout_s)}
        self._max_body_bytes = max_body_bytes
        self._max_connections = max_connections
        self._limiter = limiter or Limiter(min_interval_s, clock, sleep)
        self._gateway = gateway.rstrip("/") if gateway else None
        self._mask = mask or Mask()
        self._user_agent = user_agent
        self._clock = clock
        self._sleep = sleep
        self._transport: httpx.AsyncHTTPTransport | None = None
        self._slots = asyncio.Semaphore(max_connections)

    async def send(
        self, request: HttpRequest, *, retry: RetryPolicy | None = None, follow_redirects: int = 0
    ) -> Exchange:
        """The outcome after all retries; only cancellation passes through."""
        policy = retry or RetryPolicy()
        attempts = opened = failed = limited = 0
        async with self._slots:
            while True:
                await self._limiter.wait()
                outcome, may_retry = await self._attempt(request, follow_redirects)
                attempts += 1
                opened += outcome.opened_connection
                if isinstance(outcome, HttpReply) and outcome.status == 429:
                    limited += 1
                    nth, allowed = limited, policy.rate_limited
                elif isinstance(outcome, HttpReply):
                    failed += 1
                    nth, allowed = failed, policy.server if 500 <= outcome.status < 600 else 0
                else:
                    failed += 1
                    may_retry = may_retry and (policy.timeouts or not outcome.is_timeout)
                    nth, allowed = failed, policy.transport if may_retry else 0
                if nth > allowed or (policy.total is not None and attempts > policy.total):
                    break
                await self._sleep(self._pause_s(outcome, nth, policy.cap_s))
        if isinstance(outcome, HttpReply):
            return Exchange(outcome, None, attempts, opened, limited)
        return Exchange(None, outcome, attempts, opened, limited)

    async def aclose(self) -> None:
        """Closes the connections; a later `send` opens new ones."""
        transport, self._transport = self._transport, None
        self._slots = asyncio.Semaphore(self._max_connections)
        if transport is not None:
            await transport.aclose()

    def scrub(self, text: str) -> str:
        """The text without any key and without the gateway's address."""
        if self._gateway:
            text = text.replace(self._gateway, "[gateway]")
            text = text.replace(urlsplit(self._gateway).netloc, "[gateway]")
        return self._mask(text)

    def _pause_s(self, outcome: HttpReply | HttpFailure, nth: int, cap_s: float) -> float:
        """Seconds before the nth retry: what the server asked for, else the exponential series."""
        if isinstance(outcome, HttpReply):
            asked = asked_pause_s(outcome)
            if asked is not None:
                return max(min(max(asked, 0.0), 30.0), self._limiter.min_interval_s)
        return min(2.0 ** (nth - 1), cap_s)

    async def _attempt(
        self, request: HttpRequest, follow_redirects: int
    ) -> tuple[HttpReply | HttpFailure, bool]:
        """One attempt, and whether its failure might go away by itself."""
        import httpx

        trace = _Trace()
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._follow(request, follow_redirects, trace), True
        except TimeoutError:
            detail = f"no complete answer within {self._timeout_s:g} s"
            return self._failure("TimeoutError", detail, trace, is_timeout=True), True
        except _RefusedError as error:
            return self._failure(error.reason, str(error), trace), False
        except (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.LocalProtocolError) as error:
            return self._failure(type(error).__name__, str(error), trace), False
        except (httpx.HTTPError, DecodingError, OSError) as error:
            is_timeout = isinstance(error, httpx.TimeoutException)
            name = type(error).__name__
            return self._failure(name, str(error), trace, is_timeout=is_timeout), True
        except ValueError as error:  # an address or a header that cannot be put on the wire
            return self._failure(type(error).__name__, str(error), trace), False

    def _failure(
        self, name: str, detail: str, trace: _Trace, *, is_timeout: bool = False
    ) -> HttpFailure:
        detail = self.scrub(detail)
        message = f"{name}: {detail}" if detail else name
        return HttpFailure("transport", message[:MAX_MESSAGE_CHARS], is_timeout, trace.opened)

    async def _follow(self, request: HttpRequest, hops: int, trace: _Trace) -> HttpReply:
        """The reply at the end of at most `hops` redirects."""
        url = _full_url(request)
        has_json = request.json is not None
        body = _json_encoder.encode(request.json) if has_json else request.content
        method = request.method
        headers = _with_defaults(request.headers, has_json=has_json, user_agent=self._user_agent)
        left = hops
        start = self._clock()
        while True:
            status, reply_headers, content = await self._exchange(method, url, headers, body, trace)
            if hops == 0 or status not in _REDIRECTS or "location" not in reply_headers:
                elapsed_ms = (self._clock() - start) * 1000
                return HttpReply(status, reply_headers, content, elapsed_ms, trace.opened, url)
            if left == 0:
                raise _RefusedError("TooManyRedirects", f"more than {hops} in a row")
            left -= 1
            target = _redirect_target(url, reply_headers["location"])
            if not _is_trusted_hop(url, target):
                headers = {k: v for k, v in headers.items() if k.lower() in _HARMLESS_HEADERS}
            if status == 303 or (status in (301, 302) and method == "POST"):
                method, body = "HEAD" if method == "HEAD" else "GET", None
                headers = {k: v for k, v in headers.items() if k.lower() != "content-type"}
            url = target

    async def _exchange(
        self, method: str, url: str, headers: dict[str, str], body: bytes | None, trace: _Trace
    ) -> tuple[int, dict[str, str], bytes]:
        import httpx

        target = self._through_gateway(url)
        trace.wanted = _OPENED_TLS if target.startswith("https:") else _OPENED_TCP
        request = httpx.Request(
            method,
            target,
            headers=headers,
            content=body,
            extensions={"timeout": self._phases, "trace": trace},
        )
        if self._transport is None:
            self._transport = httpx.AsyncHTTPTransport(
                verify=_ssl_context(),
                trust_env=False,
                limits=httpx.Limits(
                    max_connections=self._max_connections,
                    max_keepalive_connections=self._max_connections,
                    keepalive_expiry=KEEPALIVE_S,
                ),
            )
        response = await self._transport.handle_async_request(request)
        try:
            reply_headers = {k.lower(): v for k, v in response.headers.items()}
            content = await self._read(response, reply_headers.get("content-encoding", ""))
        finally:
            await response.aclose()
        return response.status_code, reply_headers, content

    async def _read(self, response: httpx.Response, encoding: str) -> bytes:
        """The unpacked body; neither the raw nor the unpacked form may pass the limit."""
        unpack = _unpacker(encoding)
        limit = self._max_body_bytes
        parts: list[bytes] = []
        raw = size = 0
        async for chunk in response.aiter_raw():
            raw += len(chunk)
            part = chunk if unpack is None else unpack.feed(chunk, limit + 1 - size)
            size += len(part)
            if raw > limit or size > limit:
                raise _RefusedError("BodyTooLarge", f"more than {limit} bytes")
            parts.append(part)
        if unpack is not None and raw and not unpack.is_complete:
            raise DecodingError("the compressed body ended early")
        return b"".join(parts)

    def _through_gateway(self, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise _RefusedError("UnsupportedProtocol", f"{url[:200]!r} is not an http(s) URL")
        _ = parts.port  # raises for what is no number
        if self._gateway is None:
            return url
        netloc = parts.netloc.rpartition("@")[2].lower()
        query = f"?{parts.query}" if parts.query else ""
        return f"{self._gateway}/{netloc}{parts.path or '/'}{query}"


_OPENED_TCP = "connection.connect_tcp.complete"
_OPENED_TLS = "connection.start_tls.complete"


class _Trace:
    """Called by the transport for each of its steps; notes that a connection came up."""

    def __init__(self) -> None:
        self.wanted = _OPENED_TCP
        self.opened = False

    async def __call__(self, event: str, _info: Mapping[str, Any]) -> None:
        if event == self.wanted:
            self.opened = True


def _unpacker(encoding: str) -> Inflater | None:
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return None
    if name in ("gzip", "x-gzip", "deflate"):
        return Inflater()
    raise _RefusedError("DecodingError", f"content-encoding {name[:50]!r} was not asked for")


@cache
def _ssl_context() -> ssl.SSLContext:
    """One context for all clients: loading the certificates takes longer than a request."""
    import httpx

    return httpx.create_ssl_context(trust_env=False)


def _full_url(request: HttpRequest) -> str:
    if not request.params:
        return request.url
    parts = urlsplit(request.url)
    query = urlencode(request.params, quote_via=quote)
    both = f"{parts.query}&{query}" if parts.query else query
    return urlunsplit((parts.scheme, parts.netloc, parts.path, both, ""))


def _with_defaults(
    headers: Mapping[str, str], *, has_json: bool, user_agent: str
) -> dict[str, str]:
    given = {name.lower() for name in headers}
    defaults = {"User-Agent": user_agent, "Accept": "*/*", "Accept-Encoding": "gzip"}
    if has_json:
        defaults["Content-Type"] = "application/json"
    return {k: v for k, v in defaults.items() if k.lower() not in given} | dict(headers)


def _redirect_target(url: str, location: str) -> str:
    """The absolute address, checked: http or https, and from a public host to no private address.

    A feed that sends us to this machine or its network would be read from within.
    """
    target = urljoin(url, location.strip())
    if urlsplit(target).scheme not in ("http", "https"):
        raise _RefusedError("UnsupportedProtocol", f"redirect to {location[:200]!r} refused")
    host = urlsplit(target).hostname
    if host != urlsplit(url).hostname and _is_private(host or ""):
        raise _RefusedError("PrivateAddress", f"redirect to {location[:200]!r} refused")
    return target


def _is_private(host: str) -> bool:
    """Whether a host names this machine or a network that is not the public one.

    Names are not looked up: one that leads to a private address is not seen here.
    """
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
        return True
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        # 127.1 and 0x7f000001 are addresses too, to those who look them up
        return bool(re.fullmatch(r"[0-9.]+|0x[0-9a-f.x]+", host))


def _is_trusted_hop(source: str, target: str) -> bool:
    """Whether the request's own headers may go along: same host and port, no way back to http."""
    old, new = urlsplit(source), urlsplit(target)
    if old.netloc.lower() != new.netloc.lower():
        return False
    return new.scheme in (old.scheme, "https")


def asked_pause_s(reply: HttpReply) -> float | None:
    """Seconds from Retry-After or a 429 body's `retry_after_seconds`; dates and junk are None."""
    header = reply.headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(header):
        return float(header)
    if reply.status != 429 or b"retry_after_seconds" not in reply.body:
        return None
    try:
        body = msgspec.json.decode(reply.body)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None
    value = body.get("retry_after_seconds") if isinstance(body, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value)
