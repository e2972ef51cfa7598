from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runner.benches.needleif.faults import RecordFault
from runner.benches.needleif.stats import dataset_stats, record_problems
from tests.runner.benches.needleif.made import NEEDLE, record, write_lines


def pair(name: str, **changes: Any) -> list[dict[str, Any]]:
    return [record(f"pair-{name}", condition, **changes) for condition in ("bare", "haystack")]


def test_sound_records_are_counted_by_split(tmp_path: Path) -> None:
    test = pair("a", key=1) + pair("b", key=2, bucket="16k", depth=90.0)
    train = pair("c", key=3, split="train", answer="x") + pair("d", key=4, split="train")
    paths = [write_lines(tmp_path / "test", test), write_lines(tmp_path / "train", train)]
    found = dataset_stats(paths)
    assert found["broken"] == []
    assert found["shared_needles"] == 0
    assert found["splits"]["test"] == {
        "records": 4,
        "pairs": 2,
        "unfilled": 0,
        "needles": 2,
        "size": {"8k": 1, "16k": 1},
        "depth": {"50": 1, "90": 1},
        "complexity": {"simple": 2},
        "instruction_id": {"punctuation:no_comma": 2},
        "total_prompt_tokens": {"min": 50, "median": 50, "max": 50},
        "fill": {"min": 50 / 5718, "median": 50 / 5718, "max": 50 / 5718},
    }
    assert found["splits"]["train"]["unfilled"] == 2


def change(value: dict[str, Any], **metadata: Any) -> None:
    value["metadata"] |= metadata


def retell(value: dict[str, Any], old: str, new: str) -> None:
    value["messages"][0]["content"] = value["messages"][0]["content"].replace(old, new)


BREAKS: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda r: change(r, needle_char_offset=11), "its needle is at 12, not at 11"),
    (lambda r: retell(r, NEEDLE, "Nothing."), "its needle is at -1, not at 12"),
    (lambda r: retell(r, "Then it", f"{NEEDLE} It"), "its needle occurs more than once"),
    (
        lambda r: retell(r, "Then it", "----- END DOCUMENT -----\nThen it"),
        "a marker line occurs in its document",
    ),
    (lambda r: retell(r, "BEGIN", "START"), "no document between its two marker lines"),
    (lambda r: change(r, total_prompt_tokens=5719), "5719 prompt tokens do not fit"),
    (lambda r: change(r, total_prompt_tokens=None), "None prompt tokens do not fit"),
    (lambda r: change(r, num_instructions=2), "num_instructions is not the number"),
    (lambda r: change(r, needle_source_key=None), "needle_source_key is no whole number"),
    (lambda r: r.update(id="a-bare"), "its id does not say its pair and condition"),
    (lambda r: r["messages"].append({"role": "assistant", "content": "x"}), "its messages are by"),
    (lambda r: r["messages"].clear(), "its messages are by"),
    (lambda r: retell(r, "It rained", "pair0 rained"), "metadata appears in its user turn"),
    (lambda r: change(r, needle_text=""), "its user turn or its needle is no text"),
]


@pytest.mark.parametrize(("break_it", "problem"), BREAKS)
def test_each_broken_invariant_of_a_record_is_named(
    break_it: Callable[[dict[str, Any]], Any], problem: str
) -> None:
    value = record("pair0", "haystack")
    assert record_problems(value) == []
    break_it(value)
    assert any(problem in found for found in record_problems(value))


def test_a_bare_turn_is_the_needle_behind_its_preamble() -> None:
    value = record("pair-p", "bare")
    assert record_problems(value) == []
    retell(value, "Follow it.", "Do it.")
    assert record_problems(value) == ["its user turn is not the needle behind the bare preamble"]


def broken_of(tmp_path: Path, *records: dict[str, Any]) -> list[str]:
    found: list[str] = dataset_stats([write_lines(tmp_path / "d.jsonl", records)])["broken"]
    return found


def test_a_needle_in_two_splits_is_named_once(tmp_path: Path) -> None:
    broken = broken_of(tmp_path, *pair("a"), *pair("b"), *pair("c", split="val"))
    assert broken == ["needle ifeval:7: in more than one split"]


def test_half_double_and_unequal_pairs_are_named(tmp_path: Path) -> None:
    bare, hay = pair("a", split="train", answer="x")
    assert broken_of(tmp_path, bare) == ["pair pair-a: expected one bare and one haystack record"]
    assert "pair-a-bare: a second record of this id" in broken_of(tmp_path, bare, bare, hay)
    other = record("pair-a", "haystack", split="train", answer="y")
    assert broken_of(tmp_path, bare, other) == ["pair pair-a: its two assistant turns differ"]
    change(hay, seed=1)
    assert broken_of(tmp_path, bare, hay) == ["pair pair-a: its two records do not agree"]


def test_what_is_no_record_is_an_error_with_its_line(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "d.jsonl", [*pair("a"), {"id": "b"}])
    with pytest.raises(RecordFault, match=r"d\.jsonl:3: record b: expected metadata"):
        dataset_stats([path])
