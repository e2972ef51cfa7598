"""Rows of needleif for tests: real cells over made-up verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from runner.benches.needleif.metrics import cell
from runner.records.base import encode_line
from runner.records.needleif import NeedleCell, NeedleDataset, NeedleifRow

SIZES, DEPTHS = ("4k", "16k"), ("10", "50", "90")
Pairs = Sequence[tuple[float, float]]


def needle_cell(pairs: Pairs) -> NeedleCell:
    return msgspec.convert(cell(list(pairs), is_sampled=False), NeedleCell)


def needleif_row(
    model: str,
    *,
    ts: str = "2026-11-15T02:17Z",
    bare: float = 0.9,
    kept: float = 0.7,
    pairs: int = 24,
    records: str = "first",
    **fields: Any,
) -> NeedleifRow:
    """A model that follows a share `bare` alone and keeps a share `kept` of that in a document."""
    rng = Random(model)
    values = [(float(rng.random() < bare), 0.0) for _ in range(pairs)]
    values = [(b, float(rng.random() < (kept if b else 0.1))) for b, _ in values]
    groups = [(SIZES[n % 2], DEPTHS[n % 3]) for n in range(pairs)]

    def by(key: Any) -> dict[str, NeedleCell]:
        found: dict[str, list[tuple[float, float]]] = {}
        for value, group in zip(values, groups, strict=True):
            found.setdefault(key(group), []).append(value)
        return {name: needle_cell(own) for name, own in sorted(found.items())}

    row = NeedleifRow(
        ts=ts,
        bench="needleif",
        model=model,
        provider="embedded" if model.startswith("embedded/") else "openai",
        dataset=NeedleDataset(
            records_sha256=sha256(records.encode()).hexdigest(),
            split="test",
            seed=666,
            tokenizer="words",
            haystack="programmatic",
            needles="sample",
            pairs=pairs,
        ),
        responses_sha256=sha256(model.encode()).hexdigest(),
        samples=1,
        temperature=0.0,
        records=2 * pairs,
        answered=2 * pairs,
        missing=0,
        failed=0,
        truncated=1,
        pairs=pairs,
        pairs_left_out=0,
        input_tokens=123_456,
        output_tokens=7_890,
        cost_usd=0.25,
        strict=needle_cell(values),
        loose=needle_cell(values),
        instruction_level_bare=0.9375,
        instruction_level_haystack=0.75,
        by={
            "size": by(lambda group: group[0]),
            "depth": by(lambda group: group[1]),
            "complexity": {"simple": needle_cell(values)},
            "instructions": {"1": needle_cell(values)},
            "size_depth": by("/".join),
            "instruction_id": {"punctuation:no_comma": needle_cell(values)},
        },
        bare=[b for b, _ in values],
        haystack=[h for _, h in values],
    )
    return msgspec.structs.replace(row, **fields)


def write_needleif(folder: Path, rows: Sequence[NeedleifRow]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "needleif.jsonl").write_bytes(b"".join(map(encode_line, rows)))
    return folder


def some_rows() -> list[NeedleifRow]:
    """Two models, one of them twice, a reference, and a model over other records."""
    return [
        needleif_row("acme/other", ts="2026-11-01T02:17Z", records="second", pairs=12),
        needleif_row("acme/large", ts="2026-11-08T02:17Z", kept=0.8),
        needleif_row("acme/large", kept=0.95),
        needleif_row("acme/small", kept=0.3),
        needleif_row("embedded/follower", bare=1.0, kept=1.0),
    ]
