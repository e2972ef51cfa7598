"""OpenRouter through the fake world: requests it accepts, every way a call can fail."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from runner.errors import UsageError
from runner.llm.client import Completion, LlmError, Prompt
from runner.llm.openrouter import ChatModel, _spend
from runner.records.judgements import Spend
from runner.settings import read_settings
from tests.fakes import FakeWorld, Fault
from tests.runner.wire import answer, wire

HOST = "openrouter.ai"
KEY = "fake-OPENROUTER_API_KEY"
PROMPT = Prompt(
    "relevance",
    {
        "today": "2026-11-15",
        "query": "ferry vote",
        "profile": None,
        "url": "https://a.example/x",
        "title": "Ferry vote",
        "published": None,
        "snippet": "The ferry vote passed.",
    },
)


@pytest.fixture
def world() -> Iterator[FakeWorld]:
    with FakeWorld() as world:
        yield world


def _complete(world: FakeWorld, prompt: Prompt = PROMPT, key: str = KEY) -> Completion:
    environ = {"NEEDLE_GATEWAY": world.url, "OPENROUTER_API_KEY": key}
    settings = read_settings(environ, lambda seconds: asyncio.sleep(0))

    async def call() -> Completion:
        model = ChatModel(
            settings,
            model="openai/gpt-6-luna",
            key=key,
            concurrency=1,
            timeout_s=5.0,
        )
        try:
            return await model.complete(prompt)
        finally:
            await model.aclose()

    return asyncio.run(call())


def test_a_judgement_comes_back_with_its_cost_and_model(world: FakeWorld) -> None:
    completion = _complete(world)
    assert json.loads(completion.text)["rating"] in range(5)
    assert completion.spend.calls == 1
    assert completion.spend.cost_usd > 0
    assert completion.spend.prompt_tokens > 0
    assert completion.provider_model == "openai/gpt-6-luna"


@pytest.mark.parametrize(
    ("prompt", "effort"),
    [
        (PROMPT, "high"),
        (Prompt("query_profile", {"today": "2026-11-15", "query": "ferry vote"}), "high"),
    ],
)
def test_the_request_names_effort_temperature_and_schema(
    world: FakeWorld, prompt: Prompt, effort: str
) -> None:
    _complete(world, prompt)
    body = json.loads(world.calls[0].body)
    assert body["reasoning"] == {"effort": effort}
    assert body["temperature"] == 0
    assert body["max_tokens"] == 32768
    assert body["response_format"]["json_schema"]["name"] == prompt.name
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert "stream" not in body


def _body_with(world: FakeWorld, **more: str) -> dict[str, object]:
    environ = {"NEEDLE_GATEWAY": world.url, "OPENROUTER_API_KEY": KEY, **more}
    settings = read_settings(environ)

    async def call() -> None:
        model = ChatModel(
            settings, model="openai/gpt-6-luna", key=KEY, concurrency=1, timeout_s=5.0
        )
        try:
            await model.complete(PROMPT)
        finally:
            await model.aclose()

    asyncio.run(call())
    body = world.calls[-1].json
    assert isinstance(body, dict)
    return body


def test_chosen_providers_are_the_only_ones_asked(world: FakeWorld) -> None:
    assert "provider" not in _body_with(world)
    body = _body_with(world, NEEDLE_LLM_PROVIDERS="openai, azure,")
    assert body["provider"] == {"order": ["openai", "azure"], "allow_fallbacks": False}


def test_another_service_gets_the_fields_that_every_service_knows(world: FakeWorld) -> None:
    settings = read_settings(
        {
            "NEEDLE_GATEWAY": world.url,
            "NEEDLE_LLM_BASE_URL": "https://models.example/v1/",
            "NEEDLE_LLM_PROVIDERS": "openai",
            "OPENROUTER_API_KEY": KEY,
            "NEEDLE_LLM_API_KEY": "another-key",
        }
    )
    assert settings.llm_key == "another-key"

    async def call() -> None:
        model = ChatModel(settings, model="local-1", key="another-key", concurrency=1, timeout_s=5)
        try:
            await model.complete(PROMPT)
        except LlmError:
            return  # no such service in the fake world: what was sent is what counts
        finally:
            await model.aclose()

    asyncio.run(call())
    (sent,) = world.calls
    assert (sent.host, sent.path) == ("models.example", "/v1/chat/completions")
    assert sent.headers["authorization"] == "Bearer another-key"
    assert sent.json["reasoning_effort"] == "high"
    assert not {"reasoning", "provider"} & set(sent.json)
    assert KEY not in str(sent.headers)


def test_openrouters_key_is_never_another_services() -> None:
    elsewhere = {"NEEDLE_LLM_BASE_URL": "https://models.example/v1", "OPENROUTER_API_KEY": KEY}
    assert read_settings(elsewhere).llm_key is None


@pytest.mark.parametrize("url", ["models.example", "http://models.example/v1", "ftp://a.example"])
def test_a_base_url_that_is_none_or_not_safe_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="NEEDLE_LLM_BASE_URL"):
        read_settings({"NEEDLE_LLM_BASE_URL": url})


def test_a_cost_that_the_service_does_not_say_is_unknown_not_zero() -> None:
    assert _spend({"prompt_tokens": 3, "cost": 0.1}).unpriced_calls == 0
    assert _spend({"prompt_tokens": 3}).unpriced_calls == 1
    assert _spend(None).unpriced_calls == 1
    assert _spend({"cost": None}).unpriced_calls == 1
    assert _spend({"cost": 0}).unpriced_calls == 0


def test_the_reminder_is_one_more_line_of_the_user_message(world: FakeWorld) -> None:
    _complete(world, Prompt(PROMPT.name, PROMPT.variables, reminder=True))
    user = json.loads(world.calls[0].body)["messages"][1]["content"]
    assert user.endswith("Reply with one JSON object that fits the schema, and nothing else.")


@pytest.mark.parametrize(
    ("fault", "error_type", "calls"),
    [
        (Fault(host=HOST, kind="status", status=400), "http_error", 1),
        (Fault(host=HOST, kind="status", status=402), "http_error", 1),
        (Fault(host=HOST, kind="status", status=408), "http_error", 1),
        (Fault(host=HOST, kind="status", status=429), "http_error", 3),
        (Fault(host=HOST, kind="status", status=503), "http_error", 3),
        (Fault(host=HOST, kind="status", status=529), "http_error", 3),
        (Fault(host=HOST, kind="refuse"), "transport", 3),
        (Fault(host=HOST, kind="reset_before_headers"), "transport", 3),
        (Fault(host=HOST, kind="truncate"), "transport", 3),
        (Fault(host=HOST, kind="not_json"), "bad_json", 1),
        (Fault(host=HOST, kind="html"), "bad_json", 1),
        (Fault(host=HOST, kind="huge"), "transport", 1),
        (Fault(host=HOST, kind="finish_length"), "truncated", 1),
        (Fault(host=HOST, kind="empty_choice"), "no_content", 1),
        (Fault(host=HOST, kind="refusal"), "refusal", 1),
        (Fault(host=HOST, kind="error_in_200", code=502), "api_error", 3),
        (Fault(host=HOST, kind="error_in_200", code=429), "api_error", 3),
        (Fault(host=HOST, kind="error_in_200", code=403), "api_error", 1),
    ],
)
def test_each_failure_has_its_type_and_number_of_calls(
    world: FakeWorld, fault: Fault, error_type: str, calls: int
) -> None:
    world.add_faults([fault])
    with pytest.raises(LlmError) as caught:
        _complete(world)
    assert (caught.value.error_type, world.count(HOST)) == (error_type, calls)


def _scripted(body: str) -> Completion:
    async def call() -> Completion:
        async with wire(answer(body.encode())) as script:
            environ = {"NEEDLE_GATEWAY": script.url, "OPENROUTER_API_KEY": KEY}
            settings = read_settings(environ)
            model = ChatModel(settings, model="m", key=KEY, concurrency=1, timeout_s=5.0)
            try:
                return await model.complete(PROMPT)
            finally:
                await model.aclose()

    return asyncio.run(call())


def _reply(content: str, usage: str = "{}", model: str = "m") -> str:
    return (
        f'{{"model":"{model}","usage":{usage},"choices":[{{"message":{{"content":"{content}"}}}}]}}'
    )


@pytest.mark.parametrize(
    "number", ["1" + "0" * 400, "1e999", "Infinity", "NaN", "-1", "true", "[]"]
)
def test_a_usage_that_is_no_amount_counts_as_nothing(number: str) -> None:
    usage = f'{{"prompt_tokens":{number},"completion_tokens":7,"cost":{number}}}'
    spend = _scripted(_reply("x", usage)).spend
    assert spend == Spend(calls=1, prompt_tokens=0, completion_tokens=7, unpriced_calls=1)


def test_a_reply_can_be_written_to_a_file_and_shows_no_key() -> None:
    completion = _scripted(_reply(f"half \\ud83d of {KEY}", model="m\\ud83d"))
    assert (completion.text, completion.provider_model) == ("half ? of ***", "m?")
    with pytest.raises(LlmError, match=r"no \? money"):
        _scripted('{"error":{"message":"no \\ud83d money"}}')


def test_a_reply_nested_too_deeply_is_no_json() -> None:
    with pytest.raises(LlmError) as caught:
        _scripted("[" * 100_000)
    assert caught.value.error_type == "bad_json"


@pytest.mark.parametrize("kind", ["status", "error_in_200", "refuse"])
def test_a_passing_failure_is_tried_again(world: FakeWorld, kind: str) -> None:
    details = {"status": {"status": 503}, "error_in_200": {"code": 503}, "refuse": {}}[kind]
    world.add_faults([Fault(host=HOST, kind=kind, times=2, **details)])
    assert _complete(world).text
    assert world.count(HOST) == 3


def test_failures_of_every_kind_count_together(world: FakeWorld) -> None:
    world.add_faults(
        [
            Fault(host=HOST, kind="rate_limit", retry_after="1", times=1),
            Fault(host=HOST, kind="error_in_200", code=502, times=1),
            Fault(host=HOST, kind="status", status=503),
        ]
    )
    with pytest.raises(LlmError):
        _complete(world)
    assert world.count(HOST) == 3


@pytest.mark.parametrize(
    ("kind", "details", "expected"),
    [
        ("rate_limit", {"retry_after": "0"}, [2, 2, 3, 3]),
        ("error_in_200", {"code": 429}, [2, 3, 3, 3]),
        ("error_in_200", {"code": 502}, [4, 4, 4, 4]),
    ],
)
def test_a_service_that_refuses_gets_fewer_calls_at_once(
    world: FakeWorld, kind: str, details: dict[str, Any], expected: list[int]
) -> None:
    world.add_faults([Fault(host=HOST, kind=kind, times=1, **details)])
    environ = {"NEEDLE_GATEWAY": world.url, "OPENROUTER_API_KEY": KEY}
    settings = read_settings(environ, lambda seconds: asyncio.sleep(0))

    async def call() -> list[int]:
        model = ChatModel(settings, model="openai/gpt-6-luna", key=KEY, concurrency=4, timeout_s=5)
        seen = []
        for _ in range(4):
            await model.complete(PROMPT)
            seen.append(model._limit.allowed)
        await model.aclose()
        return seen

    assert asyncio.run(call()) == expected


def test_the_wait_before_another_try_grows(world: FakeWorld) -> None:
    world.add_faults([Fault(host=HOST, kind="error_in_200", code=502)])
    waits: list[float] = []

    async def note(seconds: float) -> None:
        waits.append(seconds)

    settings = read_settings({"NEEDLE_GATEWAY": world.url, "OPENROUTER_API_KEY": KEY}, note)

    async def call() -> None:
        model = ChatModel(settings, model="openai/gpt-6-luna", key=KEY, concurrency=1, timeout_s=5)
        try:
            await model.complete(PROMPT)
        finally:
            await model.aclose()

    with pytest.raises(LlmError):
        asyncio.run(call())
    assert waits == [1.0, 2.0]


def test_a_time_out_is_not_asked_again(world: FakeWorld) -> None:
    world.add_faults([Fault(host=HOST, kind="delay", seconds=30)])
    settings = read_settings({"NEEDLE_GATEWAY": world.url, "OPENROUTER_API_KEY": KEY})

    async def call() -> None:
        model = ChatModel(settings, model="m", key=KEY, concurrency=1, timeout_s=0.2)
        try:
            await model.complete(PROMPT)
        finally:
            await model.aclose()

    with pytest.raises(LlmError, match="TimeoutError"):
        asyncio.run(call())
    assert world.count(HOST) == 1


def test_a_refused_key_is_an_error_that_does_not_show_it(world: FakeWorld) -> None:
    with pytest.raises(LlmError) as caught:
        _complete(world, key="sk-wrong-key-123456")
    assert caught.value.error_type == "http_error"
    assert "sk-wrong-key-123456" not in str(caught.value)


def test_a_key_echoed_in_an_error_is_masked(world: FakeWorld) -> None:
    world.add_faults([Fault(host=HOST, kind="echo_key")])
    with pytest.raises(LlmError) as caught:
        _complete(world)
    assert KEY not in str(caught.value)
    assert "***" in str(caught.value)
