"""The records of the data set: one needle asked twice, bare and hidden in a document.

Standard library alone, like all that scoring needs, so that it can be copied out with the data.
A pair is written as two lines, the bare record first. The keys of a record are always in the
order in which they are listed here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

WRAPPER_VERSION = "1"  # goes up with every change of the wording below

HAYSTACK_PREAMBLE = (
    "Hidden somewhere in this document is exactly one instruction. Find it and follow it. "
    "Reply with ONLY the output the instruction asks for, without any preamble or explanation."
)
BARE_PREAMBLE = (
    "Here is exactly one instruction. Follow it. "
    "Reply with ONLY the output the instruction asks for, without any preamble or explanation."
)
BEGIN = "----- BEGIN DOCUMENT -----"
END = "----- END DOCUMENT -----"

Message = dict[str, str]
Record = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Needle:
    """An instruction as its source words it, and the slots that the answer is checked for."""

    source: str
    source_key: int
    text: str
    instruction_id_list: tuple[str, ...]
    kwargs: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...] = ()

    @property
    def complexity(self) -> str:
        return "simple" if len(self.instruction_id_list) == 1 else "complex"


@dataclass(frozen=True, kw_only=True)
class Pair:
    """What the two records of a needle hold; sizes in tokens of the reference tokenizer."""

    needle: Needle
    split: str
    seed: int
    size_bucket: str
    window_tokens: int
    budget_tokens: int
    reserve_tokens: int
    reference_tokenizer: str
    haystack_source: str
    depth_percent: float
    body: str
    needle_char_offset: int
    body_tokens: int
    haystack_prompt_tokens: int
    bare_prompt_tokens: int


def user_turn(content: str) -> list[Message]:
    """The messages of a request: a single user turn."""
    return [{"role": "user", "content": content}]


def haystack_content(body: str) -> str:
    """The user turn that shows a document with the needle in it."""
    return f"{HAYSTACK_PREAMBLE}\n\n{BEGIN}\n{body}\n{END}"


def bare_content(needle_text: str) -> str:
    """The user turn that shows the needle alone."""
    return f"{BARE_PREAMBLE}\n\n{needle_text}"


def document_body(content: str) -> str:
    """The text between the marker lines of a haystack turn; ValueError where they are missing."""
    before, begin, rest = content.partition(f"\n{BEGIN}\n")
    body, end, after = rest.rpartition(f"\n{END}")
    if not begin or not end or after or before != f"{HAYSTACK_PREAMBLE}\n":
        raise ValueError("the user turn is no document between its two marker lines")
    return body


def has_marker_line(text: str) -> bool:
    """Whether a line of the text is one of the two that enclose a document."""
    return any(line.strip() in (BEGIN, END) for line in text.splitlines())


def pair_id(
    seed: int, split: str, source: str, key: int, bucket: str, depth: float, haystack_source: str
) -> str:
    """16 hex digits that two records share and no other pair of the data set has."""
    facts = [seed, split, source, key, bucket, float(depth), haystack_source]
    canonical = json.dumps(facts, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def pair_records(pair: Pair) -> list[Record]:
    """The bare record of a pair and then its haystack record."""
    needle = pair.needle
    shared_id = pair_id(
        pair.seed,
        pair.split,
        needle.source,
        needle.source_key,
        pair.size_bucket,
        pair.depth_percent,
        pair.haystack_source,
    )

    def record(condition: str, suffix: str, content: str, total: int) -> Record:
        hidden = condition == "haystack"
        return {
            "id": f"{shared_id}-{suffix}",
            "pair_id": shared_id,
            "messages": user_turn(content),
            "metadata": {
                "condition": condition,
                "instruction_id_list": list(needle.instruction_id_list),
                "kwargs": [dict(arguments) for arguments in needle.kwargs],
                "needle_text": needle.text,
                "needle_source": needle.source,
                "needle_source_key": needle.source_key,
                "haystack_source": pair.haystack_source if hidden else None,
                "haystack_target_tokens": pair.window_tokens if hidden else None,
                "haystack_actual_tokens": pair.body_tokens if hidden else None,
                "size_bucket": pair.size_bucket,
                "total_prompt_tokens": total,
                "prompt_token_budget": pair.budget_tokens,
                "output_reserve_tokens": pair.reserve_tokens,
                "reference_tokenizer": pair.reference_tokenizer,
                "depth_percent": float(pair.depth_percent) if hidden else None,
                "needle_char_offset": pair.needle_char_offset if hidden else None,
                "complexity": needle.complexity,
                "num_instructions": len(needle.instruction_id_list),
                "split": pair.split,
                "seed": pair.seed,
                "needle_marker": None,
            },
        }

    return [
        record("bare", "bare", bare_content(needle.text), pair.bare_prompt_tokens),
        record("haystack", "hay", haystack_content(pair.body), pair.haystack_prompt_tokens),
    ]


def record_lines(records: Sequence[Record]) -> bytes:
    """The records as JSON Lines: UTF-8, a newline after each."""
    return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records).encode()
