"""Remembered answers: of one job, of many runs; what is kept and what it costs."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from runner.errors import UsageError
from runner.judging.reading import is_readable
from runner.llm.client import Completion, LlmError, Prompt
from runner.llm.memory import JobMemory, Memory, Remembering, SharedMemory
from runner.records.judgements import Spend

COST = Spend(calls=1, prompt_tokens=10, cost_usd=0.5)
GOOD = '{"rating": 3, "label": "HM"}'


class _Model:
    """A model that gives one text and counts its calls."""

    effort = "high"

    def __init__(self, text: str = GOOD, model: str = "m", *, fails: bool = False) -> None:
        self.text, self.model, self.fails, self.calls = text, model, fails, 0

    async def complete(self, prompt: Prompt) -> Completion:
        self.calls += 1
        if self.fails:
            raise LlmError("truncated", "cut", COST)
        return Completion(self.text, COST, "m-1")

    async def aclose(self) -> None:
        return None


def _prompt(**changes: object) -> Prompt:
    page = {"url": "https://a.example", "title": "T", "published": None, "snippet": "s"}
    base = {"today": "2026-11-15", "query": "ferry", "profile": None, **page}
    return Prompt("relevance", {**base, **changes})


def _ask(model: _Model, memory: Memory, *prompts: Prompt, is_shared: bool) -> list[Completion]:
    async def ask() -> list[Completion]:
        remembering = Remembering(model, memory, is_shared=is_shared, is_readable=is_readable)
        try:
            return [await remembering.complete(prompt) for prompt in prompts]
        finally:
            await remembering.aclose()

    return asyncio.run(ask())


def test_a_job_asks_once_and_its_answers_keep_their_cost(tmp_path: Path) -> None:
    path, model = tmp_path / "completions.jsonl", _Model()
    first = _ask(model, JobMemory(path), _prompt(), _prompt(), is_shared=False)
    again = _ask(model, JobMemory(path), _prompt(), is_shared=False)
    assert model.calls == 1
    assert [*first, *again] == [Completion(GOOD, COST, "m-1")] * 3


def test_another_run_pays_nothing_for_a_shared_answer(tmp_path: Path) -> None:
    model = _Model()
    _ask(model, SharedMemory(tmp_path), _prompt(), is_shared=True)
    (reused,) = _ask(model, SharedMemory(tmp_path), _prompt(), is_shared=True)
    assert model.calls == 1
    assert (reused.text, reused.spend, reused.provider_model) == (GOOD, Spend(), "m-1")


@pytest.mark.parametrize(
    "changes",
    [
        {"query": "tram"},
        {"snippet": "t"},
        {"title": "U"},
        {"url": "https://b.example"},
        {"published": "2026-11-01"},
        {"today": "2026-11-16"},
        {"profile": "{}"},
    ],
)
def test_anything_else_in_the_prompt_is_another_question(
    tmp_path: Path, changes: dict[str, str]
) -> None:
    model = _Model()
    _ask(model, SharedMemory(tmp_path), _prompt(), _prompt(**changes), is_shared=True)
    assert model.calls == 2


def test_another_model_is_another_question(tmp_path: Path) -> None:
    _ask(_Model(), SharedMemory(tmp_path), _prompt(), is_shared=True)
    other = _Model(model="n")
    _ask(other, SharedMemory(tmp_path), _prompt(), is_shared=True)
    assert other.calls == 1


@pytest.mark.parametrize("text", ["no idea", '{"rating": "3/4"}', "{}"])
def test_a_reply_that_cannot_be_read_is_asked_for_again(tmp_path: Path, text: str) -> None:
    model = _Model(text)
    _ask(model, SharedMemory(tmp_path), _prompt(), _prompt(), is_shared=True)
    assert model.calls == 2


def test_a_failure_is_not_remembered(tmp_path: Path) -> None:
    with pytest.raises(LlmError):
        _ask(_Model(fails=True), SharedMemory(tmp_path), _prompt(), is_shared=True)
    model = _Model()
    _ask(model, SharedMemory(tmp_path), _prompt(), is_shared=True)
    assert model.calls == 1


@pytest.mark.parametrize("damage", [b"", b"{", b"null", b"\xff", b'{"key":"other"}'])
def test_a_damaged_file_counts_as_unknown(tmp_path: Path, damage: bytes) -> None:
    _ask(_Model(), SharedMemory(tmp_path), _prompt(), is_shared=True)
    (file,) = tmp_path.glob("*/*.json")
    file.write_bytes(damage)
    model = _Model()
    _ask(model, SharedMemory(tmp_path), _prompt(), is_shared=True)
    assert model.calls == 1


def test_a_folder_that_cannot_be_used_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="--judge-cache"):
        SharedMemory(tmp_path / "file")
