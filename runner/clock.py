"""The time of a command: the machine's, or the one that `--now` sets."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from runner.text import parse_time

Clock = Callable[[], datetime]


def clock_from(now: str | None) -> Clock:
    """A clock that stands at `now`, or the machine's own in UTC where none is given."""
    if now is None:
        return lambda: datetime.now(UTC)
    moment = parse_time(now)
    return lambda: moment
