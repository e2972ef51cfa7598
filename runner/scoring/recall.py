"""Known-item benches: was the one right page among the first k, and how high."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from runner.records.search import SearchError
from runner.scoring.aggregates import mean_scored


@dataclass(frozen=True)
class Outcome:
    """One query of one engine: the rank of the hit (from 1), or None for a miss.

    `is_uncertain`: a call of the matching judge failed and there is no hit. A ceiling to which
    no engine contributed (`all_engines_failed`) is no miss: it is not in the mean.
    """

    hit_rank: int | None = None
    error: SearchError | None = None
    is_uncertain: bool = False

    @property
    def score(self) -> float | None:
        """1 for a hit, 0 for a miss or a failed service, None where it is not in the mean."""
        if self.error is not None:
            is_miss = self.error.error_class == "service"
            return 0.0 if is_miss and self.error.error_type != "all_engines_failed" else None
        if self.hit_rank is not None:
            return 1.0
        return None if self.is_uncertain else 0.0


@dataclass(frozen=True)
class Recall:
    """Recall@k and MRR@k over the `n` scored queries; both 0.0 where n is 0."""

    n: int
    recall: float
    mrr: float


@dataclass(frozen=True)
class Misses:
    """Misses of successful searches: another engine had a hit, or none had."""

    system_specific: int
    universal: int


def first_hit(matches: Sequence[bool]) -> int | None:
    """The 1-based rank of the first match, or None."""
    return next((rank for rank, is_match in enumerate(matches, start=1) if is_match), None)


def recall_at_k(outcomes: Sequence[Outcome]) -> Recall:
    """Hits and reciprocal ranks over the scored queries; a miss adds 0 to both."""
    recall, n = mean_scored(outcome.score for outcome in outcomes)
    reciprocal = fsum(1 / outcome.hit_rank for outcome in outcomes if outcome.hit_rank)
    return Recall(n, recall, reciprocal / n if n else 0.0)


def recall_by_group(outcomes: Sequence[Outcome], groups: Sequence[str]) -> dict[str, Recall]:
    """The same for each group, in order of name; `groups` is aligned to `outcomes`."""
    members: dict[str, list[Outcome]] = {}
    for outcome, group in zip(outcomes, groups, strict=True):
        members.setdefault(group, []).append(outcome)
    return {group: recall_at_k(members[group]) for group in sorted(members)}


def count_misses(outcomes: Mapping[str, Sequence[Outcome]]) -> dict[str, Misses]:
    """For each engine its scored misses by kind; failed searches are no misses."""
    specific, universal = dict.fromkeys(outcomes, 0), dict.fromkeys(outcomes, 0)
    for row in zip(*outcomes.values(), strict=True):
        is_found = any(outcome.hit_rank is not None for outcome in row)
        for name, outcome in zip(outcomes, row, strict=True):
            if outcome.error is None and outcome.score == 0.0:
                (specific if is_found else universal)[name] += 1
    return {name: Misses(specific[name], universal[name]) for name in outcomes}
