"""A server that answers with exactly the bytes it is given, and a clock that only tests move."""

from __future__ import annotations

import asyncio
import re
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

    `heads` and `bodies` of the requests are kept as they came. Answers wait for `gate`; with
    `drip_s` they go out byte by byte.
    """

    answers: list[bytes]
    drip_s: float = 0.0
    url: str = ""
    heads: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    in_flight: int = 0
    most_in_flight: int = 0
    _serving: list[tuple[asyncio.Task[None], asyncio.StreamWriter]] = field(default_factory=list)

    @property
    def connections(self) -> int:
        return len(self._serving)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.append((task, writer))
        try:
            while await self._exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client has left
        finally:
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = re.search(r"(?i)\ncontent-length: *(\d+)", head)
        self.heads.append(head)
        self.bodies.append(await reader.readexactly(int(length[1]) if length else 0))
        self.arrived.set()
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        await self.gate.wait()
        self.in_flight -= 1
        reply = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        for part in [reply[n : n + 1] for n in range(len(reply))] if self.drip_s else [reply]:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(self.drip_s)
        return bool(reply) and b"connection: close" not in reply.lower()

    async def stop(self) -> None:
        """Breaks what is still open and waits until every connection has ended."""
        self.gate.set()
        for _, writer in self._serving:
            writer.transport.abort()
        await asyncio.gather(*(task for task, _ in self._serving))


@asynccontextmanager
async def wire(*answers: bytes, drip_s: float = 0.0) -> AsyncIterator[Script]:
    """A running script on a loopback port."""
    script = Script(list(answers), drip_s)
    script.gate.set()
    server = await asyncio.start_server(script.serve, "127.0.0.1", 0)
    script.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield script
    finally:
        server.close()
        await script.stop()


def answer(body: bytes = b"{}", status: int = 200, **headers: str) -> bytes:
    """A complete HTTP/1.1 answer; `content_encoding="gzip"` becomes a header of that name."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    names.setdefault("content-length", str(len(body)))
    lines = "".join(f"{name}: {value}\r\n" for name, value in names.items())
    return f"HTTP/1.1 {status} X\r\n{lines}\r\n".encode() + body
