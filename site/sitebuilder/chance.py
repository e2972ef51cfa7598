"""Sharing beside what chance would give: the newest archived runs of the window, shuffled."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from runner.errors import DataError
from runner.records.published import BENCHES
from runner.scoring.significance import benjamini_hochberg
from runner.text import run_id
from sitebuilder.archived import ARCHIVE, archived_runs, run_answers, run_size
from sitebuilder.dataset import Dataset
from sitebuilder.results import ChanceShare, PairChance, SharingByChance
from sitebuilder.shuffles import DEALS, SEED, PairShuffled, Run, shuffle

MAX_RUNS = 5  # of each bench
MAX_BYTES = 64_000_000  # of each bench; its newest run is read whatever its size
LEVEL = 0.05
MEASURES = ("share_suspect", "share_shared3", "mean_jaccard")


def build_chance(data: Dataset, folder: Path | None) -> SharingByChance:
    """Observed and expected sharing of every pair, adjusted over all pairs of a measure.

    Without archived answers in the window there are no pairs, and a reason.
    """
    runs: dict[str, list[str]] = {}
    answers: list[Run] = []
    root = folder / ARCHIVE if folder else None
    if root and root.is_dir() and data.window_end and data.window_start:
        for bench in BENCHES:
            found = _answers(root, bench, data)
            if found:
                runs[bench] = [name for name, _ in found]
                answers += [each for _, each in found]
    pairs = shuffle(answers)
    reason = None
    if not pairs:
        reason = "no archived answers of two engines in this window"
        if not (root and root.is_dir()):
            reason = "it takes every engine's answers, and there is no archive beside this data"
    return SharingByChance(
        runs=runs, deals=DEALS, seed=SEED, level=LEVEL, pairs=_adjusted(pairs), reason=reason
    )


def _answers(root: Path, bench: str, data: Dataset) -> list[tuple[str, Run]]:
    """Newest first; a run that cannot be read is passed over, the judgements page names it."""
    start = run_id(data.window_start or "")
    kept: list[tuple[str, Run]] = []
    size = 0
    for name in archived_runs(root, bench, data.window_end):
        if name <= start or len(kept) == MAX_RUNS:
            break
        size += run_size(root, name, bench)
        if kept and size > MAX_BYTES:
            break
        try:
            profile, answers = run_answers(root, name, bench)
        except DataError:
            continue
        if profile == data.profile and len(answers) > 1:
            kept.append((name, answers))
    return kept


def _adjusted(pairs: Sequence[PairShuffled]) -> list[PairChance]:
    """The pairs in order of id."""
    figures: dict[str, list[ChanceShare]] = {}
    for measure in MEASURES:
        own = [getattr(pair, measure) for pair in pairs]
        adjusted = benjamini_hochberg([each.p for each in own])
        figures[measure] = [
            ChanceShare(
                observed=round(each.observed, 6),
                expected=round(each.expected, 6),
                p=round(each.p, 6),
                p_bh=round(p_bh, 6),
            )
            for each, p_bh in zip(own, adjusted, strict=True)
        ]
    return [
        PairChance(
            a=pair.a,
            b=pair.b,
            num_queries=pair.num_queries,
            **{measure: figures[measure][place] for measure in MEASURES},
        )
        for place, pair in enumerate(pairs)
    ]
