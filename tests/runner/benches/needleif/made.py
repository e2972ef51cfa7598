"""Records of the schema, made by hand for tests of scoring."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from runner.benches.needleif.records import bare_content, haystack_content

Instruction = tuple[str, dict[str, Any]]
NEEDLE = "Write a line without commas."
NO_COMMA: Instruction = ("punctuation:no_comma", {})


def record(
    pair: str,
    condition: str,
    *instructions: Instruction,
    bucket: str = "8k",
    depth: float = 50.0,
    split: str = "test",
    key: int = 7,
    answer: str | None = None,
) -> dict[str, Any]:
    """A sound record that asks for no comma, or for the instructions given."""
    slots = instructions or (NO_COMMA,)
    is_hidden = condition == "haystack"
    body = f"It rained.\n\n{NEEDLE}\n\nThen it stopped."
    content = haystack_content(body) if is_hidden else bare_content(NEEDLE)
    turns = [{"role": "user", "content": content}]
    if answer is not None:
        turns.append({"role": "assistant", "content": answer})
    return {
        "id": f"{pair}-{'hay' if is_hidden else 'bare'}",
        "pair_id": pair,
        "messages": turns,
        "metadata": {
            "condition": condition,
            "instruction_id_list": [name for name, _ in slots],
            "kwargs": [arguments for _, arguments in slots],
            "needle_text": NEEDLE,
            "needle_source": "ifeval",
            "needle_source_key": key,
            "haystack_source": "text" if is_hidden else None,
            "haystack_target_tokens": 8192 if is_hidden else None,
            "haystack_actual_tokens": 10 if is_hidden else None,
            "size_bucket": bucket,
            "total_prompt_tokens": 50,
            "prompt_token_budget": 5718,
            "output_reserve_tokens": 2048,
            "reference_tokenizer": "words",
            "depth_percent": depth if is_hidden else None,
            "needle_char_offset": 12 if is_hidden else None,
            "complexity": "simple" if len(slots) == 1 else "complex",
            "num_instructions": len(slots),
            "split": split,
            "seed": 666,
            "needle_marker": None,
        },
    }


def write_lines(path: Path, values: Sequence[dict[str, Any]]) -> Path:
    """The file, written as JSON Lines."""
    lines = "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)
    path.write_text(lines, encoding="utf-8")
    return path
