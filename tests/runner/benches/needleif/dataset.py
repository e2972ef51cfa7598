"""A whole data set for tests: generated, and its train and val filled with answers that pass."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from runner.benches.needleif.config import SMOKE
from runner.benches.needleif.generate import opened, write_dataset
from runner.benches.needleif.pool import pool_of
from runner.benches.needleif.records import record_lines

ANSWER = '"A word of tea"'
"""Passes every instruction below at once."""
SLOTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("punctuation:no_comma", {}),
    ("startend:quotation", {}),
    ("startend:end_checker", {"end_phrase": "of tea"}),
    ("keywords:existence", {"keywords": ["word"]}),
    ("keywords:forbidden_words", {"forbidden_words": ["rum", "gin"]}),
    ("keywords:frequency", {"keyword": "tea", "frequency": 1, "relation": "at least"}),
    ("keywords:letter_frequency", {"letter": "a", "let_frequency": 1, "let_relation": "at least"}),
    ("length_constraints:number_words", {"num_words": 9, "relation": "less than"}),
    ("length_constraints:number_paragraphs", {"num_paragraphs": 1}),
)


def needle_lines() -> str:
    """36 needles in IFEval's form, every third with two instructions."""
    rows = []
    for key in range(36):
        slots = [SLOTS[key % len(SLOTS)], SLOTS[(key + 4) % len(SLOTS)]][: 2 if key % 3 == 0 else 1]
        row = {
            "key": key,
            "prompt": f"Name the cup number {key} by its rules.",
            "instruction_id_list": [name for name, _ in slots],
            "kwargs": [arguments for _, arguments in slots],
        }
        rows.append(json.dumps(row) + "\n")
    return "".join(rows)


def write_filled(folder: Path) -> Path:
    """The smoke grid with its manifest, and `.filled.jsonl` beside train and val."""
    write_dataset(opened(SMOKE, pool_of(Path("needles"), needle_lines())), folder)
    for split in ("train", "val"):
        rows = read_rows(folder / f"{split}.jsonl")
        for row in rows:
            row["messages"].append({"role": "assistant", "content": ANSWER})
        (folder / f"{split}.filled.jsonl").write_bytes(record_lines(rows))
    return folder


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]
