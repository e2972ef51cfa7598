"""The check of keys and services, as a user starts it, against the fake world."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from runner.cli import main
from runner.engines.registry import load_catalog
from tests.fakes import FakeWorld, Fault

WRONG = "a-wrong-and-secret-key"
KEYS = {
    name: f"fake-{name}"
    for name in {spec.key_env for spec in load_catalog().values() if spec.key_env}
    | {"OPENROUTER_API_KEY"}
}


async def no_wait(_: float) -> None:
    """Between attempts of the model."""


@pytest.fixture
def world() -> Iterator[FakeWorld]:
    with FakeWorld() as running:
        yield running


@dataclass
class Told:
    code: int
    lines: dict[str, str]
    plan: str
    all: str


@pytest.fixture
def doctor(world: FakeWorld, capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*words: str, **env: str | None) -> Told:
        environ = {"NEEDLE_GATEWAY": world.url, **KEYS, **env}
        code = main(["doctor", *words], {k: v for k, v in environ.items() if v}, no_wait)
        out, err = capsys.readouterr()
        for secret in {*KEYS.values(), WRONG, world.url.removeprefix("http://")}:
            assert secret not in out + err
        lines = dict(line.split(None, 1) for line in out.splitlines())
        return Told(code, lines, err.strip(), out + err)

    return run


def test_all_that_works_is_said_with_time_results_and_cost(doctor: Any, world: FakeWorld) -> None:
    told = doctor("--engines", "google,exa,keenable")
    assert told.code == 0
    assert list(told.lines) == ["keenable", "exa", "google", "model"]
    for name, cost in (("keenable", "0.00200"), ("exa", "0.00700"), ("google", "0.00030")):
        assert told.lines[name].startswith("works  ")
        assert "5 results" in told.lines[name]
        assert f"{cost} USD" in told.lines[name]
    assert "openai/gpt-6-luna" in told.lines["model"]
    assert "4 paid calls" in told.plan
    assert "0.0093 USD at list prices" in told.plan
    assert world.count("*") == 4


def test_without_names_every_engine_whose_key_is_there_is_asked(
    doctor: Any, world: FakeWorld
) -> None:
    told = doctor()
    on_the_web = [spec.id for spec in load_catalog().values() if spec.vendor != "local"]
    assert list(told.lines) == [*on_the_web, "model"]
    assert {name: line for name, line in told.lines.items() if "works" not in line} == {}
    assert told.code == 0
    assert world.count("*") == len(on_the_web) + 1


def test_without_any_key_the_keyless_engines_are_asked_for_free(
    doctor: Any, world: FakeWorld
) -> None:
    told = doctor(**dict.fromkeys(KEYS))
    assert list(told.lines) == ["keenable-realtime", "keenable", "model"]
    assert "0 paid calls" in told.plan
    assert "free" in told.lines["keenable"]
    assert told.lines["model"].startswith("not asked: OPENROUTER_API_KEY is not set")


def test_a_missing_key_is_named_and_the_others_are_asked(doctor: Any, world: FakeWorld) -> None:
    told = doctor("--engines", "exa,google", EXA_API_KEY=None)
    assert told.code == 1
    assert told.lines["exa"].startswith("FAILS  no key: set EXA_API_KEY")
    assert told.lines["google"].startswith("works")
    assert world.count("api.exa.ai") == 0


@pytest.mark.parametrize("name", [n for n, s in load_catalog().items() if s.key_env])
def test_a_wrong_key_is_told_for_every_engine(doctor: Any, world: FakeWorld, name: str) -> None:
    variable = load_catalog()[name].key_env
    assert variable is not None
    told = doctor("--engines", name, **{variable: WRONG})
    assert told.code == 1
    assert told.lines[name].startswith("FAILS  wrong key")
    assert f"check the value of {variable}" in told.lines[name]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"kind": "status", "status": 402}, "FAILS  no credit: add credit"),
        ({"kind": "rate_limit", "retry_after": "20"}, "FAILS  rate limited: wait a minute"),
        ({"kind": "refuse"}, "FAILS  dead host: check the network"),
        ({"kind": "delay", "seconds": 30}, "FAILS  slow host: try again later, or allow more"),
        ({"kind": "status", "status": 503}, "FAILS  the service fails: try again later"),
        ({"kind": "html"}, "FAILS  not an answer of the vendor"),
        ({"kind": "echo_key"}, "FAILS  "),
    ],
)
def test_a_failure_is_told_in_one_line_after_one_call(
    doctor: Any, world: FakeWorld, fault: dict[str, Any], said: str
) -> None:
    world.add_faults([Fault(host="api.exa.ai", **fault)])
    told = doctor("--engines", "exa,google", "--timeout", "0.5")
    assert told.code == 1
    assert told.lines["exa"].startswith(said)
    assert told.lines["google"].startswith("works")
    assert world.count("api.exa.ai") == 1


def test_a_host_that_takes_no_connection_is_dead(doctor: Any) -> None:
    told = doctor("--engines", "exa", NEEDLE_GATEWAY="http://127.0.0.1:9")
    assert told.code == 1
    assert told.lines["exa"].startswith("FAILS  dead host: check the network")


@pytest.mark.parametrize(
    ("fault", "env", "said"),
    [
        ({"kind": "status", "status": 402}, {}, "no credit: add credit"),
        ({"kind": "delay", "seconds": 30}, {}, "slow host"),
        ({"kind": "delay", "seconds": 0}, {"OPENROUTER_API_KEY": WRONG},
         "wrong key: check the value of OPENROUTER_API_KEY"),
    ],
)  # fmt: skip
def test_the_models_failure_is_told_as_well(
    doctor: Any, world: FakeWorld, fault: dict[str, Any], env: dict[str, str], said: str
) -> None:
    world.add_faults([Fault(host="openrouter.ai", **fault)])
    told = doctor("--engines", "exa", "--timeout", "0.5", **env)
    assert told.code == 1
    assert told.lines["model"].startswith(f"FAILS  {said}")


def test_a_local_engine_is_tried_on_a_page_of_its_own(doctor: Any, world: FakeWorld) -> None:
    told = doctor("--engines", "local-bm25", OPENROUTER_API_KEY=None)
    assert told.code == 0
    assert told.lines["local-bm25"].startswith("works")
    assert "1 result, free" in told.lines["local-bm25"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--engines", "yahoo"], "'yahoo' is not an engine"),
        (["--engines", ","], "names no engine"),
        (["--engines", "exa,exa"], "named twice"),
        (["--engines", "exa", "--timeout", "0"], "--timeout"),
    ],
)
def test_wrong_use_is_exit_2(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code: Any = main(["doctor", *words], KEYS)
    except SystemExit as stop:
        code = stop.code
    assert code == 2
    assert said in capsys.readouterr().err
