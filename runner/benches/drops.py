"""The count of everything that a generation left out, by reason."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from runner.llm.prompts import visible

MAX_TEXT_CHARS = 300


@dataclass
class Drops:
    """How many items fell for each reason, and the first text that explains it."""

    counts: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, str] = field(default_factory=dict)

    def add(self, reason: str, text: str = "") -> None:
        """Counts one lost item; the texts may come from strangers and are cut and cleaned."""
        self.counts[reason] += 1
        if text:
            self.reasons.setdefault(
                reason, " ".join(visible(text[:2_000]).split())[:MAX_TEXT_CHARS]
            )

    def add_all(self, other: Drops) -> None:
        """Counts what another count holds; texts that are here already stay."""
        self.counts.update(other.counts)
        for reason, text in other.reasons.items():
            self.reasons.setdefault(reason, text)
