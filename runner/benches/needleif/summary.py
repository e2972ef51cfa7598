"""The summary: paired metrics overall and by size, depth, complexity and instruction.

Breakdowns go through the pair, so a baseline in a size or depth cell is that of the same pairs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .faults import RecordFault
from .intervals import Pair, pass_at_k
from .metrics import cell
from .scoring import MODES, Verdicts

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class VerdictPair:
    """The two conditions of one needle, both answered."""

    bare: Verdicts
    haystack: Verdicts

    @property
    def size(self) -> str:
        return self.haystack.record.size_bucket

    @property
    def depth(self) -> str:
        depth = self.haystack.record.depth_percent
        return "none" if depth is None else f"{depth:g}"

    @property
    def complexity(self) -> str:
        return self.haystack.record.complexity

    @property
    def instructions(self) -> str:
        return str(len(self.haystack.slots))


_BREAKDOWNS: dict[str, Callable[[VerdictPair], str]] = {
    "size": lambda pair: pair.size,
    "depth": lambda pair: pair.depth,
    "complexity": lambda pair: pair.complexity,
    "instructions": lambda pair: pair.instructions,
    "size_depth": lambda pair: f"{pair.size}/{pair.depth}",
}


def bucket_tokens(label: str) -> int:
    """The tokens of a bucket label: "8k" is 8192. Raises RecordFault for another form."""
    number = label[:-1] if label.endswith("k") else label
    if not (number.isascii() and number.isdigit()):
        raise RecordFault(f"size_bucket must look like 8k, found {label!r}")
    return int(number) * (1024 if label.endswith("k") else 1)


def pair_up(scored: Iterable[Verdicts]) -> tuple[list[VerdictPair], int]:
    """The pairs with verdicts on both sides, in first-seen order, and the number without.

    Raises RecordFault for a pair with two records of one condition or with unequal needles.
    """
    sides: dict[str, dict[str, Verdicts]] = {}
    for verdicts in scored:
        record = verdicts.record
        known = sides.setdefault(record.pair_id, {})
        if record.condition in known:
            raise RecordFault(f"pair {record.pair_id}: two {record.condition} records")
        known[record.condition] = verdicts
    whole: list[VerdictPair] = []
    for pair_id, known in sides.items():
        bare, haystack = known.get("bare"), known.get("haystack")
        if bare is None or haystack is None:
            continue
        if bare.record.slots != haystack.record.slots:
            raise RecordFault(f"pair {pair_id}: its two records hold different instructions")
        if bare.samples and haystack.samples:
            whole.append(VerdictPair(bare, haystack))
    return whole, len(sides) - len(whole)


def summarise(
    scored: Sequence[Verdicts],
    *,
    records_sha256: str,
    responses_sha256: str,
    model: str | None,
    ks: Sequence[int] = (1,),
) -> dict[str, Any]:
    """The summary object: equal inputs give equal objects, in equal order."""
    pairs, left_out = pair_up(scored)
    answered = sum(1 for verdicts in scored if not verdicts.is_missing)
    return {
        "schema_version": SCHEMA_VERSION,
        "records_sha256": records_sha256,
        "responses_sha256": responses_sha256,
        "model": model,
        "records": len(scored),
        "answered": answered,
        "missing": len(scored) - answered,
        "coverage": answered / len(scored) if scored else None,
        "truncated": sum(verdicts.truncated for verdicts in scored),
        "pairs": len(pairs),
        "pairs_left_out": left_out,
        "overall": _modes(pairs, ks),
        "by": {
            **{name: _groups(pairs, key, ks) for name, key in _BREAKDOWNS.items()},
            "instruction_id": _by_instruction(pairs, ks),
        },
    }


def summary_json(summary: dict[str, Any]) -> str:
    """The summary file."""
    return json.dumps(summary, ensure_ascii=False, indent=1) + "\n"


def _modes(pairs: Sequence[VerdictPair], ks: Sequence[int]) -> dict[str, Any]:
    is_sampled = any(pair.bare.samples > 1 or pair.haystack.samples > 1 for pair in pairs)
    return {
        mode: {
            **{
                f"pass@{k}": cell(
                    pass_values([(p.bare.of(mode), p.haystack.of(mode)) for p in pairs], k),
                    is_sampled=is_sampled,
                )
                for k in ks
            },
            "instruction_level": {
                "bare": slot_accuracy([pair.bare for pair in pairs], mode),
                "haystack": slot_accuracy([pair.haystack for pair in pairs], mode),
            },
        }
        for mode in MODES
    }


def pass_values(verdicts: Iterable[tuple[Sequence[bool], Sequence[bool]]], k: int) -> list[Pair]:
    """pass@k of both sides; a pair with fewer than k samples on a side is left out."""
    values: list[Pair] = []
    for bare, haystack in verdicts:
        b = pass_at_k(len(bare), sum(bare), k)
        h = pass_at_k(len(haystack), sum(haystack), k)
        if b is not None and h is not None:
            values.append((b, h))
    return values


def slot_accuracy(scored: Sequence[Verdicts], mode: str) -> float | None:
    """Passed slots over slots, a slot counting with the share of its samples that pass."""
    shares = [
        Fraction(sum(slot.of(mode)), verdicts.samples)
        for verdicts in scored
        for slot in verdicts.slots
    ]
    return float(sum(shares) / len(shares)) if shares else None


def _groups(
    pairs: Sequence[VerdictPair], key: Callable[[VerdictPair], str], ks: Sequence[int]
) -> dict[str, Any]:
    groups: dict[str, list[VerdictPair]] = {}
    for pair in pairs:
        groups.setdefault(key(pair), []).append(pair)
    return {name: _modes(groups[name], ks) for name in sorted(groups, key=_by_size)}


def _by_size(name: str) -> tuple[tuple[float, str], ...]:
    """Orders "4k/10" before "16k/5" and "90" after "50"; other names by their letters."""
    return tuple(_part(part) for part in name.split("/"))


def _part(part: str) -> tuple[float, str]:
    try:
        return float(bucket_tokens(part)), ""
    except RecordFault:
        pass
    try:
        return float(part), ""
    except ValueError:
        return float("inf"), part


def _by_instruction(pairs: Sequence[VerdictPair], ks: Sequence[int]) -> dict[str, Any]:
    """The same cell over slots: a slot pairs with the slot at its position on the other side."""
    ids = sorted({slot.instruction_id for pair in pairs for slot in pair.bare.slots})
    slots = [
        (bare, haystack)
        for pair in pairs
        for bare, haystack in zip(pair.bare.slots, pair.haystack.slots, strict=True)
    ]
    is_sampled = any(pair.bare.samples > 1 or pair.haystack.samples > 1 for pair in pairs)
    return {
        each: {
            mode: {
                f"pass@{k}": cell(
                    pass_values(
                        [
                            (bare.of(mode), haystack.of(mode))
                            for bare, haystack in slots
                            if bare.instruction_id == each
                        ],
                        k,
                    ),
                    is_sampled=is_sampled,
                )
                for k in ks
            }
            for mode in MODES
        }
        for each in ids
    }
