"""A clock whose waiting takes no time: limits of seconds and hours can be proved at once."""

from __future__ import annotations

import asyncio
import time


class SkippingClock:
    """The real time plus all that was slept away.

    Give `sleep` to the program and the clock itself to the world as `ticks`: a program that waits
    long enough is then served at once, and one that does not is refused. Everything that sleeps
    moves the clock, so let only what is to be proved wait.
    """

    def __init__(self) -> None:
        self.slept_s = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.slept_s

    async def sleep(self, seconds: float) -> None:
        """Comes back at once, later."""
        self.slept_s += max(0.0, seconds)
        await asyncio.sleep(0)
