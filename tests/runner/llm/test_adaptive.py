"""The number of calls in flight follows what the service bears."""

from __future__ import annotations

import asyncio

import pytest

from runner.llm.adaptive import AdaptiveLimit


class _Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_refusal_halves_it_once_a_second_and_never_below_one() -> None:
    clock = _Clock()
    limit = AdaptiveLimit(32, clock)
    seen = []
    for now in (0.0, 0.5, 0.99, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0):
        clock.now = now
        limit.refused()
        seen.append(limit.allowed)
    assert seen == [16, 16, 16, 8, 4, 2, 1, 1, 1]


def test_it_grows_by_one_after_as_many_successes_as_it_allows_up_to_the_start() -> None:
    limit = AdaptiveLimit(4, _Clock())
    limit.refused()
    assert limit.allowed == 2
    grown = []
    for _ in range(12):
        limit.succeeded()
        grown.append(limit.allowed)
    assert grown == [2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4]


def test_a_refusal_between_successes_starts_the_count_anew() -> None:
    clock = _Clock()
    limit = AdaptiveLimit(8, clock)
    limit.refused()
    for _ in range(3):
        limit.succeeded()
    limit.refused()  # within the same second: no second cut, but the row is broken
    limit.succeeded()
    assert limit.allowed == 4


@pytest.mark.parametrize("start", [1, 3, 8])
def test_no_more_than_allowed_run_and_all_of_them_get_a_turn(start: int) -> None:
    limit = AdaptiveLimit(start, _Clock())
    running, most, done = 0, 0, 0

    async def call(number: int) -> None:
        nonlocal running, most, done
        async with limit.slot():
            running += 1
            most = max(most, running)
            assert running <= start
            await asyncio.sleep(0)
            if number == 5:
                limit.refused()
            else:
                limit.succeeded()
            running -= 1
            done += 1

    async def all_calls() -> None:
        await asyncio.gather(*(call(number) for number in range(40)))

    asyncio.run(all_calls())
    assert (most, done) == (start, 40)


def test_a_cancelled_wait_leaves_the_place_to_others() -> None:
    limit = AdaptiveLimit(1, _Clock())

    async def scenario() -> list[str]:
        told: list[str] = []
        release = asyncio.Event()

        async def hold() -> None:
            async with limit.slot():
                await release.wait()

        async def wait(name: str) -> None:
            async with limit.slot():
                told.append(name)

        holder = asyncio.create_task(hold())
        await asyncio.sleep(0)
        first, second = asyncio.create_task(wait("first")), asyncio.create_task(wait("second"))
        await asyncio.sleep(0)
        first.cancel()
        release.set()
        await asyncio.gather(holder, second)
        return told

    assert asyncio.run(scenario()) == ["second"]
