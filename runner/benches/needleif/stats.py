"""What a data set holds, and which of its invariants are broken.

That the haystack is continuous text of its source can not be seen from the records; all the
other invariants are checked here.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from .faults import RecordFault
from .reading import ScoredRecord, json_lines, read_record
from .records import bare_content, document_body, has_marker_line
from .summary import bucket_tokens

SHARED_FIELDS = (
    "instruction_id_list",
    "kwargs",
    "needle_text",
    "needle_source",
    "needle_source_key",
    "size_bucket",
    "prompt_token_budget",
    "output_reserve_tokens",
    "reference_tokenizer",
    "complexity",
    "num_instructions",
    "split",
    "seed",
)


@dataclass(slots=True)
class SplitCounts:
    """The running counts of one split."""

    records: int = 0
    pairs: int = 0
    unfilled: int = 0  # records of train and val without an assistant turn
    buckets: Counter[str] = field(default_factory=Counter)
    depths: Counter[float] = field(default_factory=Counter)
    complexity: Counter[str] = field(default_factory=Counter)
    slots: Counter[str] = field(default_factory=Counter)
    tokens: list[int] = field(default_factory=list)
    fills: list[float] = field(default_factory=list)
    keys: set[tuple[str, int]] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Side:
    """What is kept of a record until its other half comes."""

    condition: str
    shared: str
    answer: str | None


def dataset_stats(paths: Sequence[Path]) -> dict[str, Any]:
    """Counts by split, needle keys that splits share, and `broken`: a line for each broken rule.

    Fill is total prompt tokens over the budget, of haystack records. Raises RecordFault for a
    file that can not be read as records at all.
    """
    splits: dict[str, SplitCounts] = {}
    sides: dict[str, list[Side]] = {}
    broken: list[str] = []
    seen: set[str] = set()
    for path in paths:
        for number, value in json_lines(path):
            try:
                record = read_record(value)
            except RecordFault as fault:
                raise RecordFault(f"{path}:{number}: {fault}") from None
            if record.id in seen:
                broken.append(f"{record.id}: a second record of this id")
            seen.add(record.id)
            metadata = value["metadata"]
            broken += [f"{record.id}: {problem}" for problem in record_problems(value)]
            counts = splits.setdefault(str(metadata.get("split")), SplitCounts())
            _count(counts, record, metadata)
            sides.setdefault(record.pair_id, []).append(
                Side(record.condition, _shared(metadata), record.answer)
            )
    broken += pair_problems(sides)
    shared = shared_keys(splits)
    broken += [f"needle {source}:{key}: in more than one split" for source, key in shared]
    return {
        "splits": {name: _split_json(splits[name]) for name in sorted(splits)},
        "shared_needles": len(shared),
        "broken": broken,
    }


def record_problems(value: dict[str, Any]) -> list[str]:
    """The invariants that one record breaks, each as a sentence; none for a sound record."""
    metadata, messages = value["metadata"], value["messages"]
    problems: list[str] = []
    roles = [message.get("role") for message in messages if isinstance(message, dict)]
    is_test = metadata.get("split") == "test"
    if roles != ["user"] and (is_test or roles != ["user", "assistant"]):
        return [f"its messages are by {roles}"]
    is_hidden = metadata["condition"] == "haystack"
    if value["id"] != f"{value['pair_id']}-{'hay' if is_hidden else 'bare'}":
        problems.append("its id does not say its pair and condition")
    total, budget = metadata.get("total_prompt_tokens"), metadata.get("prompt_token_budget")
    if not isinstance(total, int) or not isinstance(budget, int) or total > budget:
        problems.append(f"{total} prompt tokens do not fit the budget of {budget}")
    if not isinstance(metadata.get("needle_source_key"), int):
        problems.append("needle_source_key is no whole number")
    if metadata.get("num_instructions") != len(metadata["instruction_id_list"]):
        problems.append("num_instructions is not the number of its instructions")
    content, needle = messages[0].get("content"), metadata.get("needle_text")
    if not isinstance(content, str) or not isinstance(needle, str) or not needle:
        return [*problems, "its user turn or its needle is no text"]
    if value["pair_id"] in content:
        problems.append("metadata appears in its user turn")
    if is_hidden:
        return problems + _document_problems(content, needle, metadata.get("needle_char_offset"))
    if content != bare_content(needle):
        problems.append("its user turn is not the needle behind the bare preamble")
    return problems


def _document_problems(content: str, needle: str, offset: object) -> list[str]:
    try:
        body = document_body(content)
    except ValueError as error:
        return [str(error)]
    problems: list[str] = []
    first = body.find(needle)
    if first < 0 or first != offset:
        problems.append(f"its needle is at {first}, not at {offset}")
    if first >= 0 and body.find(needle, first + 1) >= 0:
        problems.append("its needle occurs more than once")
    if has_marker_line(body):
        problems.append("a marker line occurs in its document")
    return problems


def pair_problems(sides: dict[str, list[Side]]) -> list[str]:
    """The pairs that lack a condition, have one twice, or whose halves do not agree."""
    problems: list[str] = []
    for pair_id, halves in sides.items():
        if sorted(half.condition for half in halves) != ["bare", "haystack"]:
            problems.append(f"pair {pair_id}: expected one bare and one haystack record")
        elif halves[0].shared != halves[1].shared:
            problems.append(f"pair {pair_id}: its two records do not agree")
        elif halves[0].answer != halves[1].answer:
            problems.append(f"pair {pair_id}: its two assistant turns differ")
    return problems


def shared_keys(splits: dict[str, SplitCounts]) -> list[tuple[str, int]]:
    """The needles (source, key) that occur in more than one split, in order."""
    uses = Counter(key for counts in splits.values() for key in counts.keys)
    return sorted(key for key, splits_with_it in uses.items() if splits_with_it > 1)


def _shared(metadata: dict[str, Any]) -> str:
    return json.dumps([metadata.get(name) for name in SHARED_FIELDS], sort_keys=True)


def _count(counts: SplitCounts, record: ScoredRecord, metadata: dict[str, Any]) -> None:
    counts.records += 1
    key = metadata.get("needle_source_key")
    if isinstance(key, int):
        counts.keys.add((str(metadata.get("needle_source")), key))
    if metadata.get("split") != "test" and record.answer is None:
        counts.unfilled += 1
    if record.condition != "haystack":
        return
    counts.pairs += 1
    counts.buckets[record.size_bucket] += 1
    if record.depth_percent is not None:
        counts.depths[record.depth_percent] += 1
    counts.complexity[record.complexity] += 1
    counts.slots.update(slot.instruction_id for slot in record.slots)
    total, budget = metadata.get("total_prompt_tokens"), metadata.get("prompt_token_budget")
    if isinstance(total, int) and isinstance(budget, int) and budget > 0:
        counts.tokens.append(total)
        counts.fills.append(total / budget)


def _split_json(counts: SplitCounts) -> dict[str, Any]:
    return {
        "records": counts.records,
        "pairs": counts.pairs,
        "unfilled": counts.unfilled,
        "needles": len(counts.keys),
        "size": {name: counts.buckets[name] for name in sorted(counts.buckets, key=bucket_tokens)},
        "depth": {f"{depth:g}": counts.depths[depth] for depth in sorted(counts.depths)},
        "complexity": {name: counts.complexity[name] for name in sorted(counts.complexity)},
        "instruction_id": {name: counts.slots[name] for name in sorted(counts.slots)},
        "total_prompt_tokens": _spread(counts.tokens),
        "fill": _spread(counts.fills),
    }


def _spread(values: Iterable[float]) -> dict[str, float | None]:
    ordered = sorted(values)
    if not ordered:
        return {"min": None, "median": None, "max": None}
    return {"min": ordered[0], "median": median(ordered), "max": ordered[-1]}
