"""HTTP/1.1 on asyncio streams: bytes to `Request`, `Response` to bytes.

Only what the program under test needs (no trailers, no upgrade, no chunked request bodies), so
that every byte we send is ours to spoil.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from functools import cached_property
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, unquote

MAX_HEAD_BYTES = 64 * 1024
MAX_BODY_BYTES = 32 * 1024 * 1024
JSON_TYPE = "application/json; charset=utf-8"


class BadRequestError(Exception):
    """The peer sent bytes that are not a request we can read; the text says why."""


@dataclass
class Request:
    """One request, already split into the host it was meant for and that host's own path."""

    host: str
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes
    keep_alive: bool = True

    @cached_property
    def json(self) -> Any:
        """The decoded body, or None when it is not JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    @property
    def text(self) -> str:
        """Everything an answer may depend on, as one string (headers left out: they name hosts)."""
        return f"{self.host}{self.path}?{self.query}{self.body.decode('utf-8', 'replace')}"


@dataclass
class Response:
    """An answer before it is put on the wire. `data` is the JSON value behind `body`, if any."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    data: Any = None
    delay_s: float = 0.0
    billable: bool = True

    def head(self, *, length: int | None) -> bytes:
        """The status line and headers; `length` None announces a chunked body."""
        try:
            phrase = HTTPStatus(self.status).phrase
        except ValueError:
            phrase = "Unknown"
        lines = [f"HTTP/1.1 {self.status} {phrase}"]
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        lines.append(
            "Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}"
        )
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def json_answer(data: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON response. Lone surrogates cannot be UTF-8, so such a body falls back to escapes."""
    try:
        body = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        body = json.dumps(data, separators=(",", ":")).encode()
    return Response(status, body, {"Content-Type": JSON_TYPE, **(headers or {})}, data)


def text_answer(text: str, status: int = 200, kind: str = "text/plain") -> Response:
    return Response(status, text.encode(), {"Content-Type": f"{kind}; charset=utf-8"})


async def read_request(reader: asyncio.StreamReader) -> Request | None:
    """The next request of this connection; None when the peer closed instead of sending one."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as error:
        if error.partial.strip():
            raise BadRequestError("the connection ended inside a request head") from None
        return None
    except asyncio.LimitOverrunError:
        raise BadRequestError(f"a request head over {MAX_HEAD_BYTES} bytes") from None
    first, *lines = head[:-4].decode("latin-1").split("\r\n")
    parts = first.split(" ")
    if len(parts) != 3 or not parts[1].startswith("/"):
        raise BadRequestError(f"not a request line: {first[:80]!r}")
    method, target, version = parts
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon:
            raise BadRequestError(f"not a header line: {line[:80]!r}")
        headers[name.strip().lower()] = value.strip()
    if "transfer-encoding" in headers:
        raise BadRequestError("chunked request bodies are not supported")
    length = headers.get("content-length", "0")
    if not length.isdigit() or int(length) > MAX_BODY_BYTES:
        raise BadRequestError(f"not a usable Content-Length: {length[:40]!r}")
    body = await reader.readexactly(int(length)) if length != "0" else b""
    raw_path, _, raw_query = target.partition("?")
    host, _, path = raw_path[1:].partition("/")
    return Request(
        host=host.lower(),
        method=method,
        path="/" + (unquote(path) if "%" in path else path),
        query=dict(parse_qsl(raw_query, keep_blank_values=True)) if raw_query else {},
        headers=headers,
        body=body,
        keep_alive=version == "HTTP/1.1" and headers.get("connection", "").lower() != "close",
    )
