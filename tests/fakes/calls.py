"""The record of what was asked: one `Call` per request, in order of arrival."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from tests.fakes.wire import Request


@dataclass
class Call:
    """One request and what became of it.

    `at` is seconds on the world's clock (only differences mean anything). `status` stays 0 when
    no status line was sent. `delivered`: the whole response went out while the client was still
    there. `billed`: delivered with status 200 on a paid host, the body not being an error.
    `ended`: nothing more will happen to this call.
    """

    host: str
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes
    at: float
    connection: int
    status: int = 0
    delivered: bool = False
    billed: bool = False
    ended: bool = False

    @property
    def json(self) -> Any:
        """The decoded body, or None when it is not JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    @property
    def prompt(self) -> str | None:
        """The text of all chat messages in the body, or None when it has none."""
        body = self.json
        if not isinstance(body, dict) or not isinstance(body.get("messages"), list):
            return None
        return "\n\n".join(message_text(message) for message in body["messages"])

    def as_json(self) -> dict[str, Any]:
        """The form served by `/_fakes/calls`; a body that is not JSON becomes a string."""
        fields = dict(self.__dict__)
        decoded = self.json
        fields["body"] = self.body.decode("utf-8", "replace") if decoded is None else decoded
        return fields


def message_text(message: Any) -> str:
    """The text of one chat message whose content is a string or a list of text parts."""
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(part["text"] for part in parts if isinstance(part.get("text"), str))


class CallLog:
    """All calls of one world, and how many connections were opened."""

    def __init__(self, ticks: Callable[[], float] = time.monotonic) -> None:
        self._ticks = ticks
        self.calls: list[Call] = []
        self.connections = 0

    def open_connection(self) -> int:
        """The number of a new connection, from 1."""
        self.connections += 1
        return self.connections

    def arrive(self, request: Request, connection: int) -> Call:
        """Record a request the moment it is read, before anything is answered."""
        call = Call(
            host=request.host,
            method=request.method,
            path=request.path,
            query=request.query,
            headers=request.headers,
            body=request.body,
            at=self._ticks(),
            connection=connection,
        )
        self.calls.append(call)
        return call

    def matching(self, host: str = "*", path: str | None = None) -> list[Call]:
        """Calls by host and path; both may be shell patterns."""
        return [
            call
            for call in list(self.calls)
            if fnmatchcase(call.host, host) and fnmatchcase(call.path, path or "*")
        ]

    def prompts(self) -> list[str]:
        """The messages of every model request, as text, in order."""
        texts = (call.prompt for call in list(self.calls))
        return [text for text in texts if text is not None]
