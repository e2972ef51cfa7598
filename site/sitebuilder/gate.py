"""What is fit to publish: runs that our own account spoilt, engines with too little to show.

A run of an engine of which our own account failed too many searches tells nothing about the
engine and is left out. An engine that then has too many failed searches, or too few scored
queries, is not measured on that bench: it stands on the page with the reason, without a rank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runner.records.published import BENCHES, JUDGED_BENCHES, HistoryRow
from sitebuilder.dataset import Dataset
from sitebuilder.results import ULTIMATE, Gate

MAX_ACCOUNT_ERROR_SHARE = 0.10  # of the searches of one engine in one run
MAX_ERROR_SHARE = 0.50  # of an engine's searches over the window
MIN_SCORED = 5  # queries over the window
MIN_SCORED_SHARE = 0.50  # of the scored queries that the best covered engine has
GATE = Gate(
    max_account_error_share=MAX_ACCOUNT_ERROR_SHARE,
    max_error_share=MAX_ERROR_SHARE,
    min_scored=MIN_SCORED,
    min_scored_share=MIN_SCORED_SHARE,
)


@dataclass(frozen=True)
class Admitted:
    """One bench of the window behind the gate.

    `rows` are all rows by engine, `kept` those that count; `reasons` name the engines that are
    not measured although they have rows.
    """

    bench: str
    rows: Mapping[str, Sequence[HistoryRow]]
    kept: Mapping[str, Sequence[HistoryRow]]
    reasons: Mapping[str, str]

    @property
    def runs(self) -> list[str]:
        return sorted({row.ts for rows in self.rows.values() for row in rows})

    @property
    def measured(self) -> list[str]:
        """Engines that are measured, by id, without `ultimate`."""
        return sorted(e for e in self.rows if e not in self.reasons and e != ULTIMATE)

    def counts(self, engine: str, ts: str) -> bool:
        """Whether the scores of an engine in a run are part of any figure."""
        known = (row.ts for row in self.kept.get(engine, ()))
        return engine not in self.reasons and ts in known


def headline(row: HistoryRow) -> float | None:
    """The bench's headline score, or None where the row has none that counts."""
    if row.num_scored == 0:
        return None
    return row.ndcg if row.bench in JUDGED_BENCHES else row.recall


def admit(data: Dataset) -> dict[str, Admitted]:
    """The benches that have rows in the window, in their fixed order."""
    found: dict[str, dict[str, list[HistoryRow]]] = {}
    for row in data.history:
        if data.in_window(row.ts):
            found.setdefault(row.bench, {}).setdefault(row.engine, []).append(row)
    return {bench: _admitted(bench, found[bench]) for bench in BENCHES if bench in found}


def _admitted(bench: str, rows: Mapping[str, list[HistoryRow]]) -> Admitted:
    kept = {engine: [row for row in own if not is_spoilt(row)] for engine, own in rows.items()}
    most = max((_scored(own) for engine, own in kept.items() if engine != ULTIMATE), default=0)
    reasons = {}
    for engine, own in rows.items():
        reason = _why_not(own, kept[engine], most)
        if reason and engine != ULTIMATE:
            reasons[engine] = reason
    return Admitted(bench, rows, kept, reasons)


def is_spoilt(row: HistoryRow) -> bool:
    """Rows of before the split of errors cannot tell and are kept."""
    return (row.account_errors or 0) > MAX_ACCOUNT_ERROR_SHARE * row.num_queries


def _scored(rows: Sequence[HistoryRow]) -> int:
    return sum(row.num_scored for row in rows if headline(row) is not None)


def _why_not(rows: Sequence[HistoryRow], kept: Sequence[HistoryRow], most: int) -> str | None:
    """Why the engine is not measured; None where it is."""
    if not kept:
        runs = "its run" if len(rows) == 1 else f"each of its {len(rows):,} runs"
        share = f"{MAX_ACCOUNT_ERROR_SHARE:.0%} of the searches"
        return f"our own account failed more than {share} in {runs}"
    asked = sum(row.num_queries for row in kept)
    failed = sum(row.search_errors for row in kept)
    scored = _scored(kept)
    if not scored:
        account = sum(row.account_errors or 0 for row in kept)
        ours = f", {account:,} of them by our own account" if account else ""
        return f"no query scored: {failed:,} of {asked:,} searches failed{ours}"
    if failed > MAX_ERROR_SHARE * asked:
        return f"{failed:,} of {asked:,} searches failed, more than {MAX_ERROR_SHARE:.0%}"
    if scored < MIN_SCORED:
        return f"{scored:,} scored queries, fewer than {MIN_SCORED}"
    if scored < MIN_SCORED_SHARE * most:
        return f"{scored:,} scored queries, less than {MIN_SCORED_SHARE:.0%} of the most, {most:,}"
    return None
