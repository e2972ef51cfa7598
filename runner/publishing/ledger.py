"""The schedule, and what became of each slot of it: `slots.jsonl` and `claims.json`.

A slot is a bench and a minute in which it is due. Whoever starts a run for a slot claims it
first, so that two starters at once give one run; the run that is published settles it. A run that
nobody planned (a dispatch after the slot was served) leaves no row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from runner.errors import DataError
from runner.records.base import Document, Part, encode_document, encode_line
from runner.records.jsonl import read_all, read_file
from runner.records.slots import SlotRow
from runner.text import minute_ts, parse_time

MINUTE = 17
LATE = timedelta(minutes=30)


@dataclass(frozen=True)
class Timetable:
    """The hours (UTC) in which a bench is due, and how long a run may take until it is published.

    A claim older than `patience` holds nothing up any more. `weekdays` count from Monday, 0.
    """

    hours: Sequence[int]
    patience: timedelta
    weekdays: Sequence[int] = range(7)

    @property
    def longest_gap(self) -> timedelta:
        """No two slots in a row are further apart; hours and days are evenly spread."""
        return timedelta(days=1 if len(self.weekdays) == 7 else 7)

    @property
    def mean_gap(self) -> timedelta:
        return timedelta(days=7) / (len(self.hours) * len(self.weekdays))


SCHEDULE: Mapping[str, Timetable] = {
    "news": Timetable(range(24), timedelta(hours=1)),
    "finance": Timetable((0, 12), timedelta(hours=4)),
    "scholar": Timetable((6, 18), timedelta(hours=4)),
    "legal": Timetable((9, 21), timedelta(hours=4)),
    "agentic_rare": Timetable((3, 15), timedelta(hours=4)),
    # models change by the month, and a long document costs a model more than a search does
    "needleif": Timetable((2,), timedelta(hours=4), weekdays=(6,)),
}


class Claim(Part, frozen=True, kw_only=True):
    """A run that was started at `at`; `slot` is null where it serves none."""

    bench: str
    slot: str | None
    at: str

    def is_alive(self, moment: datetime) -> bool:
        """Whether its run may still be published."""
        start = parse_time(self.at)
        table = SCHEDULE.get(self.bench)
        return table is not None and start <= moment < start + table.patience


class Claims(Document, frozen=True, kw_only=True):
    """`claims.json`: the runs that were started and not published yet, oldest first."""

    claims: list[Claim]


@dataclass(frozen=True)
class Ledger:
    """Rows by (slot, bench), and the open claims."""

    rows: Mapping[tuple[str, str], SlotRow] = field(default_factory=dict)
    claims: Sequence[Claim] = ()

    @property
    def began(self) -> str | None:
        """The first slot that it knows of; slots before it are nobody's business."""
        claimed = (claim.slot for claim in self.claims if claim.slot is not None)
        return min((*(ts for ts, _ in self.rows), *claimed), default=None)

    def is_served(self, slot: str, bench: str) -> bool:
        row = self.rows.get((slot, bench))
        return row is not None and row.state != "missed"

    def with_rows(self, rows: Sequence[SlotRow]) -> Ledger:
        """The ledger with these rows, their claims dropped."""
        done = {(row.ts, row.bench) for row in rows}
        claims = [claim for claim in self.claims if (claim.slot, claim.bench) not in done]
        return Ledger({**self.rows, **{(row.ts, row.bench): row for row in rows}}, claims)


def read_ledger(data: Path) -> Ledger:
    """The ledger of a data directory, empty where there is none; DataError names a bad line."""
    rows = read_all(data / "slots.jsonl", msgspec.json.Decoder(SlotRow).decode)
    path = data / "claims.json"
    content = read_file(path)
    try:
        claims = msgspec.json.decode(content, type=Claims).claims if content else []
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DataError(path, f"{error}; remove the file: what runs now may run twice") from error
    return Ledger({(row.ts, row.bench): row for row in rows}, claims)


def ledger_files(ledger: Ledger) -> dict[str, bytes]:
    """The two files, rows in order of slot and bench."""
    rows = (row for _, row in sorted(ledger.rows.items()))
    files = {"slots.jsonl": b"".join(encode_line(row) for row in rows)}
    claims = sorted(ledger.claims, key=lambda claim: (claim.at, claim.bench))
    files["claims.json"] = encode_document(Claims(claims=claims))
    return files


def slots_between(bench: str, first: datetime, last: datetime) -> Iterator[datetime]:
    """The slots of a bench from `first` to `last`, both included."""
    moment = first.replace(minute=MINUTE, second=0, microsecond=0)
    while moment <= last:
        table = SCHEDULE[bench]
        if moment >= first and moment.hour in table.hours and moment.weekday() in table.weekdays:
            yield moment
        moment += timedelta(hours=1)


def newest_slot(bench: str, moment: datetime) -> datetime:
    """The slot of a bench that was due last."""
    return list(slots_between(bench, moment - SCHEDULE[bench].longest_gap, moment))[-1]


def settle(ledger: Ledger, bench: str, run_ts: str) -> Ledger:
    """The ledger after a run was published: its slot served, its claim dropped.

    The slot is the one that its starter claimed, else the one that was due last. Settling a run
    again changes nothing.
    """
    if bench not in SCHEDULE or any(
        row.bench == bench and row.run_ts == run_ts for row in ledger.rows.values()
    ):
        return ledger
    began = parse_time(run_ts)
    # a run is named after its minute, and a claim after its second
    end_of_minute = began + timedelta(seconds=59)
    claim = max(
        (c for c in ledger.claims if c.bench == bench and c.is_alive(end_of_minute)),
        key=lambda c: c.at,
        default=None,
    )
    if claim is not None:
        ledger = replace(ledger, claims=[each for each in ledger.claims if each != claim])
        slot = claim.slot
    else:
        slot = minute_ts(newest_slot(bench, began))
        if slot < (ledger.began or minute_ts(began - timedelta(hours=1))):
            slot = None  # it was due before anybody kept a ledger
    if slot is None or ledger.is_served(slot, bench):
        return ledger
    return ledger.with_rows([_served(slot, bench, run_ts)])


def _served(slot: str, bench: str, run_ts: str) -> SlotRow:
    delay = parse_time(run_ts) - parse_time(slot)
    if delay <= LATE:
        return SlotRow(ts=slot, bench=bench, state="ran", run_ts=run_ts)
    minutes = int(delay.total_seconds() // 60)
    reason = f"began {minutes} minutes after it was due"
    return SlotRow(ts=slot, bench=bench, state="late", run_ts=run_ts, reason=reason)
