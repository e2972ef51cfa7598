"""How many calls may be in flight at a model's service, as the service bears it.

It starts at the number asked for, is halved when the service says "too many requests" (at most
once a second, since calls in flight fail together), and grows by one after as many successes in a
row as it now allows, up to the start (additive increase, multiplicative decrease).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

CUT_EVERY_S = 1.0


class AdaptiveLimit:
    """A gate for calls; `allowed` is the number that may be in flight now."""

    def __init__(self, start: int, clock: Callable[[], float]) -> None:
        self.allowed = start
        self._start = start
        self._clock = clock
        self._in_flight = 0
        self._successes = 0
        self._cut_at = float("-inf")
        self._waiting: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Holds one of the allowed places while the block runs; first come, first served."""
        while self._in_flight >= self.allowed:
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn in self._waiting:
                    self._waiting.remove(turn)
                else:
                    self._wake()
                raise
        self._in_flight += 1
        try:
            yield
        finally:
            self._in_flight -= 1
            self._wake()

    def succeeded(self) -> None:
        """Notes a call that the service answered at once."""
        self._successes += 1
        if self._successes >= self.allowed and self.allowed < self._start:
            self.allowed += 1
            self._successes = 0
            self._wake()

    def refused(self) -> None:
        """Notes a call that the service called one too many."""
        self._successes = 0
        now = self._clock()
        if now - self._cut_at >= CUT_EVERY_S:
            self._cut_at = now
            self.allowed = max(1, self.allowed // 2)

    def _wake(self) -> None:
        free = self.allowed - self._in_flight
        while self._waiting and free > 0:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                free -= 1
