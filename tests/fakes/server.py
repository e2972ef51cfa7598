"""The server: connections, dispatch by host, and the `/_fakes` control paths."""

from __future__ import annotations

import asyncio
import json
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from tests.fakes.calls import CallLog
from tests.fakes.delivery import Peer, deliver
from tests.fakes.faults import Fault, alter, firing
from tests.fakes.hosts import feeds, known_hosts
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import (
    MAX_HEAD_BYTES,
    BadRequestError,
    Request,
    Response,
    json_answer,
    read_request,
    text_answer,
)

CONTROL_HOST = "_fakes"
UNHEARD = {"pace", "quota", "rate_limit", "refuse"}
"""Faults that turn a request away before the host hears of it, so that it changes nothing there."""


class Server:
    """All hosts of the fake world behind one loopback socket. Use it from one event loop."""

    def __init__(
        self,
        scene: Scene,
        faults: Iterable[Fault] = (),
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self.scene = scene
        self.faults = list(faults)
        self.ticks = ticks
        self.log = CallLog(ticks)
        self.hosts = known_hosts()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, port: int = 0) -> int:
        """Listen on loopback; returns the port, a free one for 0."""
        self._listener = await asyncio.start_server(
            self._accept, "127.0.0.1", port, limit=MAX_HEAD_BYTES, backlog=512
        )
        return int(self._listener.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        """Stop listening and drop every connection, answered or not."""
        # Accept no more first and close last: a connection that is accepted but has not begun its
        # conversation would be lost half-open by a listener that is closed already.
        for socket in self._listener.sockets:
            asyncio.get_running_loop().remove_reader(socket.fileno())
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            for task in self._tasks:
                task.cancel()
            await asyncio.wait(others, timeout=0.01)
        self._listener.close()

    def reset(self) -> None:
        """Forget all calls and all faults; open connections and their numbers stay."""
        self.log.calls.clear()
        self.faults.clear()

    def host(self, name: str) -> Host:
        """The host of that name; every unknown one is a feed server."""
        return self.hosts.get(name, feeds.FEED_HOST)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._converse(Peer(reader, writer), self.log.open_connection())
        except (ConnectionError, asyncio.IncompleteReadError, TimeoutError):
            pass  # the client left, or an `idle_close` fault ran out: nothing to answer
        except asyncio.CancelledError:
            writer.transport.abort()  # the world is being closed: do not wait for a slow reader
        except BadRequestError as error:
            answer = text_answer(f"{error}\n", 400)
            writer.write(answer.head(length=len(answer.body)) + answer.body)
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _converse(self, peer: Peer, connection: int) -> None:
        """Serve one connection until either side ends it."""
        idle_s: float | None = None
        while idle_s != 0.0:
            async with asyncio.timeout(idle_s):
                request = await read_request(peer.reader)
            if request is None:
                return
            if request.host == CONTROL_HOST:
                answer = self._control(request)
                await peer.send(answer.head(length=len(answer.body)) + answer.body)
                idle_s = None if request.keep_alive else 0.0
            else:
                idle_s = await self._serve(request, peer, connection)

    async def _serve(self, request: Request, peer: Peer, connection: int) -> float | None:
        """Answer one request; returns how long the connection may idle (0 = close, None = ever)."""
        call = self.log.arrive(request, connection)
        host = self.host(request.host)
        faults = firing(self.faults, request, self.ticks()) if self.faults else {}
        try:
            scene = replace(self.scene, hostile=True) if "hostile" in faults else self.scene
            is_refused = not UNHEARD.isdisjoint(faults)
            response = Response() if is_refused else _answered(host, request, scene)
            for fault in faults.values():
                response = alter(fault, request, response, host)
            is_open = await deliver(peer, call, response, faults, is_paid=host.paid)
        finally:
            call.ended = True
        if not is_open or not request.keep_alive:
            return 0.0
        return float(faults["idle_close"]["idle_s"]) if "idle_close" in faults else None

    def _control(self, request: Request) -> Response:
        match request.method, request.path:
            case "GET", "/calls":
                return json_answer([call.as_json() for call in self.log.calls])
            case "POST", "/faults":
                try:
                    self.faults.extend(parse_faults(request.body))
                except ValueError as error:
                    return json_answer({"error": str(error)}, 400)
                return json_answer({"faults": len(self.faults)})
            case "POST", "/reset":
                self.reset()
                return json_answer({"faults": 0})
        return json_answer({"error": "known: GET calls, POST faults, POST reset"}, 404)


def _answered(host: Host, request: Request, scene: Scene) -> Response:
    """The host's answer; a bug of ours becomes a 500 that shows it, not a silent disconnect."""
    try:
        return host.answer(request, scene)
    except Exception:
        report = traceback.format_exc()
        print(report, file=sys.stderr, flush=True)
        return text_answer(f"the fake {request.host} broke:\n{report}", 500)


def parse_faults(text: bytes | str) -> list[Fault]:
    """Faults from JSON: one object or a list of objects. ValueError says what is wrong."""
    decoded: Any = json.loads(text)
    items = decoded if isinstance(decoded, list) else [decoded]
    if not all(isinstance(item, dict) and "kind" in item for item in items):
        raise ValueError("expected fault objects, each with a kind")
    return [Fault(**item) for item in items]
