"""The two embedded references: what they see, what they find, what they copy."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from runner.benches.needleif.checks import read_slot
from runner.benches.needleif.models import model_named
from runner.benches.needleif.models.composing import compose
from runner.benches.needleif.models.reference import copy_tail, found_instruction
from runner.benches.needleif.pool import load_pool
from runner.benches.needleif.records import bare_content, haystack_content
from runner.settings import read_settings

SAMPLE = Path(__file__).resolve().parents[5] / "data" / "sample" / "needleif" / "needles.jsonl"
PROSE = "The miller went to the river.\n\nHe came back in the evening and was glad."


def passes(text: str, ids: list[str], kwargs: list[dict[str, object]]) -> bool:
    slots = [read_slot(each, given) for each, given in zip(ids, kwargs, strict=True)]
    return all(slot.passes(text) for slot in slots)


def test_the_follower_does_most_of_what_the_sample_asks() -> None:
    needles = load_pool(SAMPLE).needles
    passed = [
        passes(compose(n.text), list(n.instruction_id_list), [dict(k) for k in n.kwargs])
        for n in needles
    ]
    assert sum(passed) / len(needles) >= 0.9


@pytest.mark.parametrize(
    "needle",
    [
        "Write a limerick without commas.",
        "Name three fish as exactly 3 Markdown bullets such as\n\n* This is a bullet.",
    ],
)
def test_the_instruction_is_found_in_a_document_and_alone(needle: str) -> None:
    assert found_instruction(bare_content(needle)) == needle
    document = f"{PROSE}\n\n{needle}\n\n{PROSE}"
    assert found_instruction(haystack_content(document)) == needle


def test_the_tail_copier_gives_the_end_of_what_it_is_shown() -> None:
    words = " ".join(f"word{n}" for n in range(100))
    assert copy_tail(haystack_content(words)) == " ".join(f"word{n}" for n in range(40, 100))
    assert copy_tail(bare_content("Write a line.")) == "Write a line."


@pytest.mark.parametrize("name", ["follower", "tail-copier"])
def test_a_reference_says_the_same_again_and_keeps_to_the_limit(name: str) -> None:
    model = model_named(f"embedded:{name}", read_settings({}))
    messages = [{"role": "user", "content": haystack_content(f"{PROSE}\n\nUse at least 90 words.")}]

    def answer(limit: int) -> tuple[str, str | None]:
        given = asyncio.run(model.answer(messages, max_tokens=limit, temperature=0.0))
        return given.text, given.stop_reason

    assert answer(2048) == answer(2048)
    assert len(answer(3)[0].split()) == 3
    assert answer(3)[1] == "max_tokens"
    assert (model.name, model.provider) == (f"embedded/{name}", "embedded")


def test_json_is_json() -> None:
    assert json.loads(compose("Describe a town in JSON format only."))
