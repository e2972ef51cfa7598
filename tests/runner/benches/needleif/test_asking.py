"""Asking models: the fake vendors over real HTTP, resumed runs, failures that never pass."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from runner.benches.needleif.asking import (
    Asked,
    AskOptions,
    ask_records,
    errors_path,
    manifest_path,
)
from runner.benches.needleif.models import Answer, AskError, Model, model_named
from runner.benches.needleif.models.model import Messages
from runner.benches.needleif.reading import read_responses
from runner.benches.needleif.score import score_files
from runner.errors import DataError, UsageError
from runner.records.needleif import Provider
from runner.settings import Settings, read_settings
from tests.fakes import FakeWorld
from tests.fakes.faults import Fault
from tests.runner.benches.needleif.made import record

KEYS = {
    name: f"fake-{name}" for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY")
}
VENDORS = {
    "anthropic:claude-4": "api.anthropic.com",
    "openai:gpt-4x": "api.openai.com",
    "openrouter:openai/gpt-6-luna": "openrouter.ai",
}


class Notes:
    """A progress that keeps what it is told."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def phase(self, name: str, total: int) -> None:
        self.notes.append(f"{name}: {total}")

    def advance(self) -> None:
        return None

    def note(self, text: str) -> None:
        self.notes.append(text)

    def close(self) -> None:
        return None


class Scripted:
    """A model that answers from a list, a text or an error at a time."""

    provider: Provider = "embedded"
    takes_temperature = True

    def __init__(self, *script: str | Exception, name: str = "scripted") -> None:
        self.name = name
        self.script = list(script)
        self.asked: list[tuple[str, int, float | None]] = []

    async def answer(
        self, messages: Messages, *, max_tokens: int, temperature: float | None
    ) -> Answer:
        self.asked.append((messages[-1]["content"], max_tokens, temperature))
        step = self.script.pop(0) if self.script else "No comma here."
        if isinstance(step, Exception):
            raise step
        return Answer(text=step, stop_reason="end_turn", input_tokens=3, output_tokens=2)

    async def aclose(self) -> None:
        return None


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Three pairs."""
    path = tmp_path / "test.jsonl"
    rows = [record(f"pair{n}", side, key=n) for n in range(3) for side in ("bare", "haystack")]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def world() -> Any:
    with FakeWorld() as fake:
        yield fake


def settings(world: FakeWorld, pauses: list[float] | None = None, **more: str) -> Settings:
    async def sleep(seconds: float) -> None:
        if pauses is not None:
            pauses.append(seconds)
        await asyncio.sleep(0)

    return read_settings({"NEEDLE_GATEWAY": world.url, **KEYS, **more}, sleep)


def ask(
    records: Path, out: Path, model: Model, progress: Notes | None = None, **options: Any
) -> Asked:
    return asyncio.run(
        ask_records(records, out, model, AskOptions(**options), progress=progress or Notes())
    )


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("name", VENDORS)
def test_each_vendor_answers_every_record_once(
    name: str, records: Path, tmp_path: Path, world: FakeWorld
) -> None:
    out = tmp_path / "out.jsonl"
    asked = ask(records, out, model_named(name, settings(world)))
    assert (asked.done, asked.failed, asked.stopped) == (6, 0, None)
    assert asked.input_tokens is not None
    assert asked.input_tokens > 0
    assert (asked.cost_usd is not None) == name.startswith("openrouter")
    assert world.count(VENDORS[name]) == 6
    assert [line["id"] for line in lines(out)] == [row["id"] for row in lines(records)]
    assert all(line["response"].startswith("Here is a plain answer") for line in lines(out))
    assert all(call.json["messages"][0]["role"] == "user" for call in world.calls)
    assert not errors_path(out).exists()
    assert score_files(records, out).summary["coverage"] == 1.0


@pytest.mark.parametrize("name", VENDORS)
def test_no_key_is_in_any_file_and_a_record_is_asked_with_its_own_reserve(
    name: str, records: Path, tmp_path: Path, world: FakeWorld
) -> None:
    world.add_faults([Fault(kind="echo_key", times=2)])
    out = tmp_path / "out.jsonl"
    asked = ask(records, out, model_named(name, settings(world)), concurrency=1)
    assert asked.failed == 2
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or b"fake-" not in path.read_bytes()
    sent = [call.json for call in world.calls]
    assert {body.get("max_tokens") or body.get("max_completion_tokens") for body in sent} == {2048}


def test_a_run_that_was_stopped_goes_on_and_pays_for_nothing_twice(
    records: Path, tmp_path: Path, world: FakeWorld
) -> None:
    out = tmp_path / "out.jsonl"
    name = "anthropic:claude-4"
    ask(records, out, model_named(name, settings(world)), limit=1)
    with out.open("ab") as file:
        file.write(b'{"id": "pair1-bare", "resp')  # what a kill leaves
    asked = ask(records, out, model_named(name, settings(world)))
    assert (asked.done, asked.failed) == (6, 0)
    assert world.billed("api.anthropic.com") == 6
    assert [line["id"] for line in lines(out)] == [row["id"] for row in lines(records)]
    before = out.read_bytes()
    assert ask(records, out, model_named(name, settings(world))).done == 6
    assert (out.read_bytes(), world.billed("api.anthropic.com")) == (before, 6)


def test_the_file_is_in_the_order_of_the_records_whatever_came_first(
    records: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    ask(records, out, Scripted(), conditions=("haystack",))
    ask(records, out, Scripted())
    assert [line["id"] for line in lines(out)] == [row["id"] for row in lines(records)]


FAILURES = [
    ({"kind": "status", "status": 529}, 6, 529),
    ({"kind": "status", "status": 408}, 6, 408),
    ({"kind": "status", "status": 409}, 6, 409),
    ({"kind": "rate_limit"}, 6, 429),
    ({"kind": "status", "status": 500}, 6, 500),
    ({"kind": "status", "status": 400}, 1, 400),
    ({"kind": "status", "status": 404}, 1, 404),
    ({"kind": "status", "status": 413}, 1, 413),
    ({"kind": "status", "status": 422}, 1, 422),
    ({"kind": "reset_before_headers"}, 6, None),
    ({"kind": "truncate"}, 6, None),
    ({"kind": "not_json"}, 6, None),
    ({"kind": "html"}, 6, None),
    ({"kind": "error_in_200"}, 6, None),
]


@pytest.mark.parametrize("host", ["anthropic", "openai"])
@pytest.mark.parametrize(("fault", "attempts", "status"), FAILURES)
def test_what_fails_is_counted_retried_as_it_should_be_and_asked_again_at_the_next_run(
    host: str,
    fault: dict[str, Any],
    attempts: int,
    status: int | None,
    records: Path,
    tmp_path: Path,
    world: FakeWorld,
) -> None:
    out = tmp_path / "out.jsonl"
    name = f"{host}:claude-4"
    world.add_faults([Fault(**fault)])
    asked = ask(records, out, model_named(name, settings(world)), limit=1, concurrency=1)
    assert (asked.done, asked.failed) == (0, 2)
    assert world.count(f"api.{host}.com") == 2 * attempts
    failures = lines(errors_path(out))
    assert [failure["id"] for failure in failures] == ["pair0-bare", "pair0-hay"]
    if status is not None:
        assert {failure["status"] for failure in failures} == {status}
    assert score_files(records, out).summary["answered"] == 0
    world.reset()
    again = ask(records, out, model_named(name, settings(world)), limit=1)
    assert (again.done, again.failed) == (2, 0)
    assert not errors_path(out).exists()


@pytest.mark.parametrize(
    ("kind", "text", "stop"),
    [
        ("refusal", "", ("refusal", "stop")),
        ("empty_choice", "", ("end_turn", "stop")),
        ("finish_length", "Here is", ("max_tokens", "length")),
    ],
)
@pytest.mark.parametrize("host", ["anthropic", "openai"])
def test_refused_empty_and_cut_answers_are_answers_and_an_empty_one_never_passes(
    host: str,
    kind: str,
    text: str,
    stop: tuple[str, str],
    records: Path,
    tmp_path: Path,
    world: FakeWorld,
) -> None:
    world.add_faults([Fault(kind=kind)])
    out = tmp_path / "out.jsonl"
    asked = ask(records, out, model_named(f"{host}:claude-4", settings(world)))
    assert (asked.done, asked.failed) == (6, 0)
    assert {line["stop_reason"] for line in lines(out)} == {stop[host == "openai"]}
    assert all(line["response"].startswith(text) for line in lines(out))
    summary = score_files(records, out).summary
    assert summary["answered"] == 6
    if not text:
        assert {line["response"] for line in lines(out)} == {""}
        assert summary["overall"]["loose"]["pass@1"]["n00"] == 3
    assert summary["truncated"] == (6 if kind == "finish_length" else 0)


def test_what_the_vendor_asks_for_is_waited_and_else_the_pauses_double(
    records: Path, tmp_path: Path, world: FakeWorld
) -> None:
    pauses: list[float] = []
    world.add_faults([Fault(kind="rate_limit", retry_after=45, times=1)])
    model = model_named("anthropic:claude-4", settings(world, pauses))
    ask(records, tmp_path / "a.jsonl", model, limit=1, concurrency=1)
    assert [pause for pause in pauses if pause] == [45]
    pauses.clear()
    world.reset()
    world.add_faults([Fault(kind="status", status=503, times=5)])
    model = model_named("anthropic:claude-4", settings(world, pauses))
    ask(records, tmp_path / "b.jsonl", model, limit=1, concurrency=1)
    waited = [pause for pause in pauses if pause]
    assert len(waited) == 5
    assert all(2**n / 2 <= pause <= 2**n for n, pause in enumerate(waited))


@pytest.mark.parametrize("status", [401, 403])
def test_two_refusals_of_the_key_in_a_row_stop_the_run(
    status: int, records: Path, tmp_path: Path, world: FakeWorld
) -> None:
    world.add_faults([Fault(kind="status", status=status)])
    out = tmp_path / "out.jsonl"
    asked = ask(records, out, model_named("openai:gpt-4x", settings(world)), concurrency=1)
    assert (asked.done, asked.failed) == (0, 6)
    assert asked.stopped is not None
    assert world.count("api.openai.com") == 2


def test_a_refusal_of_the_key_between_answers_stops_nothing(records: Path, tmp_path: Path) -> None:
    denied = AskError("no", status=403)
    model = Scripted(denied, "a", denied, "b", denied, "c")
    asked = ask(records, tmp_path / "out.jsonl", model, concurrency=1)
    assert (asked.done, asked.failed, asked.stopped) == (3, 3, None)


@pytest.mark.parametrize("model", ["anthropic:claude-4-7", "openai:gpt-6", "openai:o5-mini"])
def test_a_refused_parameter_is_left_out_from_then_on(
    model: str, records: Path, tmp_path: Path, world: FakeWorld
) -> None:
    out = tmp_path / "out.jsonl"
    asked = ask(records, out, model_named(model, settings(world)), concurrency=1)
    assert (asked.done, asked.temperature) == (6, None)
    first, *_, last = [call.json for call in world.calls]
    assert ("temperature" in first, "temperature" in last) == (True, False)
    assert json.loads(manifest_path(out).read_bytes())["temperature"] is None
    refused = [call for call in world.calls if call.status == 400]
    assert len(refused) == (1 if model.startswith("anthropic") else 2)


def test_temperature_none_is_never_sent(records: Path, tmp_path: Path, world: FakeWorld) -> None:
    model = model_named("openai:gpt-4x", settings(world))
    ask(records, tmp_path / "out.jsonl", model, temperature=None)
    assert all("temperature" not in call.json for call in world.calls)


def test_several_samples_are_one_line_and_one_sample_less_is_begun_again(
    records: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    model = Scripted()
    ask(records, out, model, samples=3, temperature=0.7, limit=1)
    assert [len(line["responses"]) for line in lines(out)] == [3, 3]
    held = lines(out)
    held[0]["responses"].pop()
    out.write_text("".join(json.dumps(line) + "\n" for line in held))
    again = Scripted()
    ask(records, out, again, samples=3, temperature=0.7, limit=1)
    assert len(again.asked) == 3
    assert [line["id"] for line in lines(out)] == ["pair0-bare", "pair0-hay"]


def test_a_sample_that_fails_leaves_no_half_record(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    model = Scripted("a", AskError("gone", status=400), "b", "c")
    asked = ask(records, out, model, samples=2, temperature=1.0, limit=1, concurrency=1)
    assert (asked.done, asked.failed) == (1, 1)
    assert [line["responses"] for line in lines(out)] == [["b", "c"]]


def test_several_samples_at_temperature_0_are_refused() -> None:
    with pytest.raises(UsageError, match="--temperature"):
        AskOptions(samples=2)


@pytest.mark.parametrize(
    ("change", "named"),
    [({"samples": 2, "temperature": 1.0}, "samples"), ({"max_tokens": 5}, "max_tokens")],
)
def test_answers_of_another_run_are_not_mixed_and_restart_begins_anew(
    change: dict[str, Any], named: str, records: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    ask(records, out, Scripted())
    before = out.read_bytes()
    with pytest.raises(UsageError, match=named):
        ask(records, out, Scripted(), **change)
    assert out.read_bytes() == before
    asked = ask(records, out, Scripted(), restart=True, **change)
    assert asked.done == 6


def test_answers_of_another_model_or_of_nobody_known_are_refused(
    records: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    ask(records, out, Scripted())
    with pytest.raises(UsageError, match="'scripted', not 'other'"):
        ask(records, out, Scripted(name="other"))
    manifest_path(out).unlink()
    with pytest.raises(UsageError, match="--restart"):
        ask(records, out, Scripted())


def test_a_limit_takes_whole_pairs_and_conditions_choose_within_them(
    records: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    ask(records, out, Scripted(), limit=2, conditions=("bare",))
    assert [line["id"] for line in lines(out)] == ["pair0-bare", "pair1-bare"]


def test_a_larger_limit_than_the_reserve_is_used_and_warned_of(
    records: Path, tmp_path: Path
) -> None:
    notes, model = Notes(), Scripted()
    ask(records, tmp_path / "a.jsonl", model, notes, max_tokens=4096)
    assert {limit for _, limit, _ in model.asked} == {4096}
    assert any("--max-tokens 4096" in note for note in notes.notes)
    quiet = Notes()
    ask(records, tmp_path / "b.jsonl", Scripted(), quiet, max_tokens=100)
    assert not any("--max-tokens" in note for note in quiet.notes)


def test_no_more_than_the_wanted_number_of_requests_are_in_flight(
    records: Path, tmp_path: Path
) -> None:
    flying = most = 0

    class Counting(Scripted):
        async def answer(
            self, messages: Messages, *, max_tokens: int, temperature: float | None
        ) -> Answer:
            nonlocal flying, most
            flying += 1
            most = max(most, flying)
            await asyncio.sleep(0.001)
            flying -= 1
            return Answer(text="x")

    ask(records, tmp_path / "out.jsonl", Counting(), concurrency=3)
    assert most == 3


def test_reasoning_is_cut_off_and_kept_beside_the_answer(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    ask(records, out, Scripted("<think>a, b</think>\n no comma"), limit=1, concurrency=1)
    first, second = lines(out)
    assert (first["response"], first["raw"]) == ("\n no comma", "<think>a, b</think>\n no comma")
    assert "raw" not in second
    known = [row["id"] for row in lines(records)]
    assert read_responses(out, known).answers["pair0-bare"].samples == ("\n no comma",)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "not a record"),
        ('{"id": "x"}', "not a record"),
        (json.dumps(record("p", "bare")).replace("2048", "0"), "output_reserve_tokens"),
    ],
)
def test_a_record_that_cannot_be_asked_is_named_by_its_line(
    line: str, problem: str, records: Path, tmp_path: Path
) -> None:
    with records.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(DataError, match=rf"test.jsonl:7: .*{problem}"):
        ask(records, tmp_path / "out.jsonl", Scripted())


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("claude", "expected anthropic:MODEL"),
        ("openai:", "expected anthropic:MODEL"),
        ("mistral:x", "expected anthropic:MODEL"),
        ("embedded:genius", "follower, tail-copier"),
        ("anthropic:claude-4", "ANTHROPIC_API_KEY is not set"),
        ("openai:gpt", "OPENAI_API_KEY is not set"),
        ("openrouter:a/b", "OPENROUTER_API_KEY is not set"),
    ],
)
def test_a_model_that_cannot_be_asked_is_a_usage_error(name: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        model_named(name, read_settings({}))


def test_a_key_goes_to_its_own_vendor_only(records: Path, tmp_path: Path, world: FakeWorld) -> None:
    own = {"base_url": "https://models.example/v1"}
    for name in ("anthropic:claude-4", "openai:gpt-4x"):
        ask(records, tmp_path / name[:4], model_named(name, settings(world), **own), limit=1)
    sent = world.calls_to("models.example")
    assert len(sent) >= 4
    assert not any({"authorization", "x-api-key"} & set(call.headers) for call in sent)
    mine = settings(world, MY_API_KEY="fake-mine")
    with_key = model_named("openai:gpt-4x", mine, api_key_env="MY_API_KEY", **own)
    ask(records, tmp_path / "mine", with_key, limit=1, concurrency=1)
    assert world.calls[-1].headers["authorization"] == "Bearer fake-mine"
    with pytest.raises(UsageError, match="OTHER_KEY is not set"):
        model_named("openai:x", mine, api_key_env="OTHER_KEY", **own)
    with pytest.raises(UsageError, match="--base-url"):
        model_named("openai:x", mine, base_url="http://models.example")


def test_extra_fields_are_merged_and_thinking_is_passed_over(
    records: Path, tmp_path: Path, world: FakeWorld
) -> None:
    extra = {"thinking": {"type": "enabled", "budget_tokens": 1024}}
    model = model_named("anthropic:claude-4", settings(world), extra_body=extra)
    out = tmp_path / "out.jsonl"
    ask(records, out, model, limit=1)
    assert all(call.json["thinking"] == extra["thinking"] for call in world.calls)
    assert all(line["response"].startswith("Here is") for line in lines(out))


def test_a_key_in_an_answer_is_masked(records: Path, tmp_path: Path, world: FakeWorld) -> None:
    reply = {
        "type": "message",
        "content": [{"type": "text", "text": "the key is fake-ANTHROPIC_API_KEY"}],
        "stop_reason": "end_turn",
    }
    world.add_faults([Fault(kind="status", status=200, body=reply)])
    out = tmp_path / "out.jsonl"
    ask(records, out, model_named("anthropic:claude-4", settings(world)), limit=1)
    assert {line["response"] for line in lines(out)} == {"the key is ***"}


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("kind", ["nulls", "wrong_types"])
def test_a_reply_of_wrong_types_is_an_answer_or_a_failure_and_never_a_crash(
    kind: str, seed: int, records: Path, tmp_path: Path, world: FakeWorld
) -> None:
    world.add_faults([Fault(kind=kind)])
    host = ("anthropic", "openai")[seed % 2]
    model = model_named(f"{host}:claude-{seed}", settings(world))
    asked = ask(records, tmp_path / "out.jsonl", model)
    assert asked.done + asked.failed == 6
