"""A server that answers with exactly the bytes it is given, and a clock that only tests move."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class FakeTime:
    """`sleep` takes no time: it moves `now` and notes how long was asked for."""

    now: float = 1000.0
    slept: list[float] = field(default_factory=list)

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@dataclass
class Script:
    """`answers` are sent one a request, the last one again and again; b"" closes instead.

    `head` and `body` of every request are kept as they came.
    """

    answers: list[bytes]
    url: str = ""
    connections: int = 0
    heads: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    in_flight: int = 0
    most_in_flight: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while head := (await reader.readuntil(b"\r\n\r\n")).decode("latin-1"):
                length = next(
                    (
                        int(line[15:])
                        for line in head.lower().split("\r\n")
                        if line.startswith("content-length:")
                    ),
                    0,
                )
                self.heads.append(head)
                self.bodies.append(await reader.readexactly(length))
                self.arrived.set()
                self.in_flight += 1
                self.most_in_flight = max(self.most_in_flight, self.in_flight)
                await self.gate.wait()
                self.in_flight -= 1
                answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
                if not answer:
                    break
                writer.write(answer)
                await writer.drain()
                if b"connection: close" in answer.lower():
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client has left
        finally:
            writer.close()


@asynccontextmanager
async def wire(*answers: bytes) -> AsyncIterator[Script]:
    """A running script on a loopback port."""
    script = Script(list(answers))
    script.gate.set()
    server = await asyncio.start_server(script.serve, "127.0.0.1", 0)
    script.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield script
    finally:
        server.close()


def answer(body: bytes = b"{}", status: int = 200, **headers: str) -> bytes:
    """A complete HTTP/1.1 answer; `content_encoding="gzip"` becomes a header of that name."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    names.setdefault("content-length", str(len(body)))
    lines = "".join(f"{name}: {value}\r\n" for name, value in names.items())
    return f"HTTP/1.1 {status} X\r\n{lines}\r\n".encode() + body
