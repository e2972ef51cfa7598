"""The engines behind a language model, from question to outcome, over a real socket."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from runner.engines.model_search import without_utm
from runner.engines.registry import build_engines, load_catalog
from runner.engines.spec import SearchOutcome
from runner.settings import Settings
from tests.fakes import FakeWorld, Fault
from tests.runner.engines.asking import TODAY
from tests.runner.wire import FakeTime

KEYS = {name: f"fake-{name}" for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY")}
IDS = ["claude-search", "chatgpt-search"]


@pytest.fixture
def world() -> Iterator[FakeWorld]:
    with FakeWorld() as running:
        yield running


def searched(world: FakeWorld, name: str, query: str = "storm harbour", **env: str) -> Any:
    async def test() -> SearchOutcome:
        [engine] = build_engines(
            [name],
            settings=Settings(env=KEYS | env, gateway=world.url),
            snippet_chars=2000,
            corpus=None,
            today=TODAY,
            sleep=FakeTime().sleep,
        )
        try:
            return await engine.search(query)
        finally:
            await engine.aclose()

    return asyncio.run(test())


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize(
    "query",
    [
        "storm harbour",
        "council vote site:a.example after:2026-01-01",
        '"storm"',
        "東京",
        "w " * 900,
    ],
)
def test_the_strict_vendor_takes_the_request_and_finds_pages(
    world: FakeWorld, name: str, query: str
) -> None:
    outcome = searched(world, name, query)
    assert outcome.error is None
    keys = [without_utm(result.url) for result in outcome.results]
    assert len(set(keys)) == len(keys) > 0
    assert any(result.snippet for result in outcome.results)
    if "site:a.example" in query:
        assert all("a.example" in url for url in keys)
    assert world.count("*") == 1


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("model", [None, "another-model"])
def test_the_model_is_the_catalogs_or_the_environments(
    world: FakeWorld, name: str, model: str | None
) -> None:
    variable = load_catalog()[name].mode_env
    assert variable is not None
    assert searched(world, name, **({variable: model} if model else {})).error is None
    default = {"claude-search": "claude-sonnet-5", "chatgpt-search": "gpt-5.5"}[name]
    assert world.calls[0].json["model"] == (model or default)


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize(
    ("fault", "error_type", "status", "error_class"),
    [
        ({"kind": "status", "status": 400}, "http_error", 400, "service"),
        ({"kind": "status", "status": 402}, "http_error", 402, "account"),
        ({"kind": "status", "status": 529}, "http_error", 529, "service"),
        ({"kind": "rate_limit"}, "http_error", 429, "account"),
        ({"kind": "not_json"}, "bad_json", None, "service"),
        ({"kind": "refuse"}, "transport", None, "service"),
        ({"kind": "status", "status": 400, "body": {"error": {
            "message": "Your credit balance is too low."}}}, "http_error", 400, "account"),
    ],
)  # fmt: skip
def test_a_failure_has_its_class(
    world: FakeWorld, name: str, fault: Any, error_type: str, status: int, error_class: str
) -> None:
    world.add_faults([Fault(host="*", **fault)])
    error = searched(world, name).error
    assert (error.error_type, error.status, error.error_class) == (error_type, status, error_class)


@pytest.mark.parametrize("name", IDS)
def test_a_wrong_key_is_our_own_fault_and_is_not_shown(world: FakeWorld, name: str) -> None:
    secret = "a-wrong-secret-key"
    error = searched(world, name, **dict.fromkeys(KEYS, secret)).error
    assert (error.status, error.error_class) == (401, "account")
    assert secret not in error.error_message


@pytest.mark.parametrize("name", IDS)
def test_a_model_waits_180_seconds(name: str) -> None:
    assert load_catalog()[name].timeout_s == 180.0
