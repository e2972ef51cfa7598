"""Engines on one key share the account's pace; others do not wait for each other."""

from __future__ import annotations

import asyncio

import pytest

from runner.engines.registry import build_engines, load_catalog
from runner.settings import Settings
from tests.fakes import FakeWorld
from tests.runner.engines.asking import TODAY
from tests.runner.wire import FakeTime

EXA = ["exa-instant", "exa-lite", "exa"]
KEYS = {spec.key_env: f"fake-{spec.key_env}" for spec in load_catalog().values() if spec.key_env}


def waits(names: list[str], env: dict[str, str], *, at_once: bool = False) -> list[float]:
    """How long searches waited for their turn, each engine asked once."""
    time = FakeTime()

    async def test() -> None:
        with FakeWorld() as world:
            engines = build_engines(
                names,
                settings=Settings(env=env, gateway=world.url),
                snippet_chars=2000,
                corpus=None,
                today=TODAY,
                clock=time.clock,
                sleep=time.sleep,
            )
            if at_once:
                outcomes = await asyncio.gather(*(e.search("storm harbour") for e in engines))
            else:
                outcomes = [await e.search("storm harbour") for e in engines]
            for closing in engines:
                await closing.aclose()
            assert len(outcomes) == world.count("*") == len(names)

    asyncio.run(test())
    return [round(wait, 3) for wait in time.slept]


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (EXA, [0.1, 0.1]),
        (["exa"], []),
        (["exa", "linkup", "tavily"], []),
        (["exa-lite", "brave", "exa"], [0.1]),
        (["brave-llmcontext", "brave"], [0.02]),
        (["parallel-turbo", "parallel-fast", "parallel"], [0.1, 0.1]),
        (["keenable-realtime", "keenable"], []),
    ],
)
def test_siblings_wait_for_each_other_and_for_no_one_else(
    names: list[str], expected: list[float], at_once: bool
) -> None:
    assert waits(names, KEYS, at_once=at_once) == expected


def test_without_a_key_siblings_share_the_pace_of_the_address() -> None:
    assert waits(["keenable-realtime", "keenable"], {}) == [0.2]


def test_all_entries_of_one_key_name_the_same_pace() -> None:
    paces: dict[str, set[object]] = {}
    for spec in load_catalog().values():
        if spec.key_env:
            pace = (spec.min_interval_s, spec.keyless_min_interval_s)
            paces.setdefault(spec.key_env, set()).add(pace)
    assert {key: pace for key, pace in paces.items() if len(pace) > 1} == {}
