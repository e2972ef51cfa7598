"""When the benchmark ran: the ledger of what was due, and the runs that the history holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from runner.errors import UsageError
from runner.publishing.closed import Closed
from runner.publishing.weeks import RUNS_WEEKS
from runner.records.jsonl import read_file, read_rows
from runner.records.published import BENCH_LABELS, BENCHES, HistoryRow, RunEntry
from runner.records.slots import SlotRow
from runner.text import minute_ts, parse_time
from sitebuilder.render import Page, Part, Site
from sitebuilder.results import ULTIMATE

NEWEST_RUNS = 60
NEWEST_TROUBLES = 60
MAX_REASON_CHARS = 200

LABELS = {**BENCH_LABELS, "needleif": "Needleif"}  # of what has slots


@dataclass(frozen=True)
class Run:
    """One bench of one run; `asked` and `failed` are searches, summed over its engines."""

    ts: str
    bench: str
    engines: int
    queries: int
    scored: int
    asked: int
    failed: int
    published_at: str | None

    @property
    def label(self) -> str:
        return BENCH_LABELS[self.bench]

    @property
    def failed_share(self) -> float | None:
        return self.failed / self.asked if self.asked else None


@dataclass(frozen=True)
class Ledger:
    """The slots up to the moment of the build; `unusable` lines could not be read."""

    slots: Sequence[SlotRow]
    unusable: int

    @property
    def troubles(self) -> list[SlotRow]:
        """Late and missed slots, newest first."""
        return [slot for slot in reversed(self.slots) if slot.state != "ran"]

    def counts(self) -> list[tuple[str, dict[str, int]]]:
        """Due, ran, late and missed slots of each bench that had any."""
        found = Counter((slot.bench, slot.state) for slot in self.slots)
        lines = []
        for bench in LABELS:
            states = {state: found[bench, state] for state in ("ran", "late", "missed")}
            if due := sum(states.values()):
                lines.append((LABELS[bench], {"due": due, **states}))
        return lines


def part(site: Site) -> Part:
    """`/runs/`."""
    published = _published(site.data_path / "runs.json")
    runs = _runs(site.tables.history, published)
    months = sorted({run.ts[:7] for run in runs}, reverse=True)
    by_month = Counter((run.ts[:7], run.bench) for run in runs)
    page = Page(
        folder="runs/",
        template="runs.html.j2",
        title="Runs: Needle",
        description="When each bench ran, what was due, late or missed and why, how many queries "
        "were asked and how many searches failed.",
        context={
            "runs": runs[:NEWEST_RUNS],
            "run_count": len(runs),
            "months": months,
            "by_month": by_month,
            "month_benches": [bench for bench in BENCHES if any(r.bench == bench for r in runs)],
            "has_times": any(run.published_at for run in runs[:NEWEST_RUNS]),
            "ledger": read_ledger(site.data_path / "slots.jsonl", site.moment),
            "trouble_limit": NEWEST_TROUBLES,
            "slot_labels": LABELS,
        },
    )
    return Part(pages=[page])


def _runs(history: Iterable[HistoryRow], published: Mapping[tuple[str, str], str]) -> list[Run]:
    """Newest first; benches of one minute in their fixed order."""
    groups: dict[tuple[str, str], list[HistoryRow]] = {}
    for row in history:
        if row.engine != ULTIMATE:
            groups.setdefault((row.ts, row.bench), []).append(row)
    runs = [
        Run(
            ts=ts,
            bench=bench,
            engines=len(rows),
            queries=max(row.num_queries for row in rows),
            scored=max(row.num_scored for row in rows),
            asked=sum(row.num_queries for row in rows),
            failed=sum(row.search_errors for row in rows),
            published_at=published.get((ts, bench)),
        )
        for (ts, bench), rows in groups.items()
    ]
    runs.sort(key=lambda run: BENCHES.index(run.bench))
    return sorted(runs, key=lambda run: run.ts, reverse=True)


def _published(path: Path) -> dict[tuple[str, str], str]:
    """When each (run, bench) was published, where `runs.json` says so in a usable form."""
    content = read_file(path)
    try:
        entries = msgspec.json.decode(content, type=list[RunEntry]) if content else []
    except msgspec.MsgspecError:
        return {}
    times = _times(entries)
    closed = Closed(path.parent)
    hot = {(entry.ts, None) for entry in entries}
    for week in closed.weeks():  # one at a time: their lists of artifacts are long
        times |= _times(closed.unhidden(RUNS_WEEKS, hot, [week]))
    return times


def _times(entries: Iterable[RunEntry]) -> dict[tuple[str, str], str]:
    return {
        (entry.ts, bench): time
        for entry in entries
        for bench, time in entry.published_at.items()
        if _is_time(time)
    }


def read_ledger(path: Path, moment: datetime | None) -> Ledger | None:
    """The slots up to `moment`, in order of time; None where there is no ledger."""
    if not path.is_file():
        return None
    rows = read_rows(path, _slot)
    cut = minute_ts(moment) if moment else None
    slots = [slot for slot in rows.good if cut is None or slot.ts <= cut]
    return Ledger(sorted(slots, key=lambda slot: (slot.ts, slot.bench)), len(rows.bad))


_decode_slot = msgspec.json.Decoder(SlotRow).decode


def _slot(line: bytes) -> SlotRow:
    slot = _decode_slot(line)
    if slot.bench not in LABELS:
        raise msgspec.ValidationError("unknown bench")
    if not _is_time(slot.ts) or (slot.run_ts is not None and not _is_time(slot.run_ts)):
        raise msgspec.ValidationError("a time that is none")
    reason = slot.reason[:MAX_REASON_CHARS] if slot.reason else None
    return msgspec.structs.replace(slot, reason=reason)


def _is_time(text: Any) -> bool:
    try:
        parse_time(text)
    except UsageError:
        return False
    return True
