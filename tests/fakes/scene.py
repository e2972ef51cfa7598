"""What every host of the fake world shares: seed, clock, and the shape of a host."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from tests.fakes.wire import Request, Response, json_answer

DEFAULT_CLOCK = datetime(2026, 11, 15, 10, 17, tzinfo=UTC)


@dataclass(frozen=True)
class Scene:
    """The state an answer may depend on, besides the request. `hostile` is set by that fault."""

    seed: int = 0
    clock: datetime = DEFAULT_CLOCK
    hostile: bool = False

    def draw(self, *parts: object) -> random.Random:
        """A generator that depends on the seed and these parts only, in this and any process."""
        return random.Random("|".join(map(str, (self.seed, *parts))))


def plain_error(status: int, message: str) -> Response:
    """The error shape of a host that has none of its own."""
    return json_answer({"error": message}, status)


@dataclass(frozen=True)
class Host:
    """One host name: how it answers, how its errors look, and whether its answers cost money.

    `empty` makes the page without results that the fault `empty_page` asks for.

    A module in `tests/fakes/hosts` joins the world by defining `HOSTS: dict[str, Host]`.
    """

    answer: Callable[[Request, Scene], Response]
    error: Callable[[int, str], Response] = plain_error
    paid: bool = False
    empty: Callable[[Response], Response] | None = None
