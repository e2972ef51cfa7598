"""`FakeWorld`: the server in a thread of its own, for tests."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterable
from datetime import datetime
from itertools import pairwise
from types import TracebackType

from tests.fakes.calls import Call
from tests.fakes.faults import Fault
from tests.fakes.scene import DEFAULT_CLOCK, Scene
from tests.fakes.server import Server


class FakeWorld:
    """Use as a context manager; `url` is the value for NEEDLE_GATEWAY.

    `clock` is the moment the feeds and engines take for now. `ticks` measures the seconds between
    calls; with one that a test's `sleep` moves on, limits of minutes and hours can be proved at
    once. A world that cannot listen raises OSError on entry.
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        faults: Iterable[Fault] = (),
        clock: datetime = DEFAULT_CLOCK,
        ticks: Callable[[], float] = time.monotonic,
        port: int = 0,
    ) -> None:
        self._server = Server(Scene(seed=seed, clock=clock), faults, ticks)
        self._port = port
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self.url = ""

    def __enter__(self) -> FakeWorld:
        self._thread.start()
        starting = asyncio.run_coroutine_threadsafe(self._server.start(self._port), self._loop)
        self.url = f"http://127.0.0.1:{starting.result()}"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._server.stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def calls(self) -> list[Call]:
        """Every request so far, in order of arrival (the list is a copy, the calls are live)."""
        return list(self._server.log.calls)

    @property
    def connections(self) -> int:
        """How many connections clients have opened."""
        return self._server.log.connections

    def calls_to(self, host: str, path: str | None = None) -> list[Call]:
        """The calls of one host, or of one path of it; both may be shell patterns."""
        return self._server.log.matching(host, path)

    def count(self, host: str, path: str | None = None) -> int:
        """The number of `calls_to`."""
        return len(self.calls_to(host, path))

    def gaps(self, host: str, path: str | None = None) -> list[float]:
        """The seconds between one call and the next of those that `calls_to` names."""
        times = [call.at for call in self.calls_to(host, path)]
        return [later - earlier for earlier, later in pairwise(times)]

    def billed(self, host: str = "*") -> int:
        """How many calls had to be paid for."""
        return sum(call.billed for call in self.calls_to(host))

    def prompts(self) -> list[str]:
        """The messages of every model request, as text."""
        return self._server.log.prompts()

    def add_faults(self, faults: Iterable[Fault]) -> None:
        """Misbehave from the next request on, after the faults that are there already."""
        self._server.faults.extend(faults)

    def reset(self) -> None:
        """Forget all calls and all faults."""
        self._server.reset()

    def settle(self, timeout_s: float = 10.0) -> None:
        """Wait until no request is being answered, so that every record is final."""
        deadline = time.monotonic() + timeout_s
        while any(not call.ended for call in self.calls):
            if time.monotonic() > deadline:
                raise TimeoutError(f"a request was still open after {timeout_s} s")
            time.sleep(0.002)
