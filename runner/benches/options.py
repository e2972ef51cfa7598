"""What a run was asked to do, independent of how it was asked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from runner.records.reports import Profile


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """`snippet_chars` 0 sets no limit, `max_usd` None sets no budget.

    `judge` False asks no model, where a bench can do without. `judge_cache` is a folder of
    answers that runs share.
    """

    profile: Profile
    judge: bool = True
    num_results: int = 5
    snippet_chars: int = 2000
    seed: int = 0
    judge_concurrency: int = 8
    search_concurrency: int = 1
    max_usd: float | None = None
    judge_cache: Path | None = None
    with_latency: bool = True
