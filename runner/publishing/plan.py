"""What is due now: the schedule, the ledger, the gold files and a dispatch give a list of benches.

A timer only wakes us, late or twice or not at all. `plan` looks at the slots since the ledger's
last row: the newest one of a bench is due unless it was served or claimed, and older ones that
nobody serves any more are recorded as missed, with the reason.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from runner.clock import clock_from
from runner.errors import DataError, UsageError
from runner.publishing.branch_files import GOLD
from runner.publishing.ledger import (
    LATE,
    SCHEDULE,
    Claim,
    Ledger,
    ledger_files,
    newest_slot,
    read_ledger,
    slots_between,
)
from runner.records.base import Part, encode_document
from runner.records.jsonl import read_file
from runner.records.published import RunEntry
from runner.records.slots import SlotRow
from runner.storage import write_files
from runner.text import minute_ts, parse_time, second_ts

if TYPE_CHECKING:
    from runner.edge import Edge

Event = Literal["schedule", "dispatch"]


class Due(Part, frozen=True, kw_only=True):
    """A bench to run, the slot that it serves (null: none), and why."""

    bench: str
    slot: str | None
    reason: str


class Plan(Part, frozen=True, kw_only=True):
    """`missed` are slots that no run will serve any more, not in the ledger yet."""

    now: str
    event: Event
    due: list[Due]
    missed: list[SlotRow]


@dataclass(frozen=True)
class _Open:
    """One bench's slots that have no row: the newest, if it may still be served, and the rest."""

    newest: str | None
    missed: list[SlotRow]


def decide(
    ledger: Ledger,
    *,
    now: datetime,
    event: Event = "schedule",
    benches: Collection[str] = (),
    has_gold: Collection[str],
    overspent: str | None = None,
) -> Plan:
    """The plan at `now`; pure. `benches` narrows a schedule and is what a dispatch runs.

    `has_gold` names the benches whose gold file is there; one without is due in every hour.
    `overspent` says why nothing more may be spent now: the slots of a schedule are missed then.
    """
    due: list[Due] = []
    missed: list[SlotRow] = []
    for bench in SCHEDULE:
        open_slots = _open_slots(ledger, bench, now)
        missed += open_slots.missed
        is_asked = bench in benches if benches or event == "dispatch" else True
        if not is_asked:
            continue
        if event == "dispatch":
            due.append(Due(bench=bench, slot=open_slots.newest, reason="dispatched"))
        elif overspent is not None:
            if open_slots.newest is not None:
                slot = open_slots.newest
                missed.append(SlotRow(ts=slot, bench=bench, state="missed", reason=overspent))
        elif open_slots.newest is not None:
            reason = _why(open_slots.newest, now)
            due.append(Due(bench=bench, slot=open_slots.newest, reason=reason))
        elif bench in GOLD and bench not in has_gold and not _is_running(ledger, bench, now):
            due.append(Due(bench=bench, slot=None, reason=f"{GOLD[bench]} is not there"))
    return Plan(now=second_ts(now), event=event, due=due, missed=missed)


def claimed(ledger: Ledger, plan: Plan) -> Ledger:
    """The ledger with what the plan found missed, and with a claim for everything due."""
    ledger = ledger.with_rows(plan.missed)
    now = parse_time(plan.now)
    open_claims = [claim for claim in ledger.claims if claim.slot or claim.is_alive(now)]
    new = [Claim(bench=due.bench, slot=due.slot, at=plan.now) for due in plan.due]
    return replace(ledger, claims=[*open_claims, *new])


def gold_present(data: Path) -> set[str]:
    """The benches whose gold file holds something."""
    return {
        bench
        for bench, name in GOLD.items()
        if (data / name).is_file() and (data / name).stat().st_size
    }


def spent_usd(data: Path, now: datetime) -> float:
    """What the models of the runs of the last 24 hours cost, as `runs.json` says."""
    path = data / "runs.json"
    try:
        entries = msgspec.json.decode(read_file(path) or b"[]", type=list[RunEntry])
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DataError(path, f"{error}; restore it from an earlier commit") from error
    start = minute_ts(now - timedelta(days=1))
    return fsum(cost for entry in entries if entry.ts > start for cost in entry.spend_usd.values())


def overspent_at(now: datetime, spent: float, most: float | None) -> str | None:
    """Why nothing more may be spent, None where it may."""
    if most is None or spent < most:
        return None
    return f"{spent:.2f} USD were spent in the 24 hours to {minute_ts(now)}, at most {most:.2f}"


def run_plan(args: Namespace, edge: Edge) -> int:
    """`plan`: what is due, to standard output."""
    clock = clock_from(args.now)
    benches = _named(args.benches)
    if args.event == "dispatch" and not benches:
        raise UsageError("--event dispatch needs --benches A,B: what to run")
    data = Path(args.data)

    def look() -> Plan:
        return decide(
            read_ledger(data),
            now=clock(),
            event=args.event,
            benches=benches,
            has_gold=gold_present(data),
            overspent=overspent_at(clock(), spent_usd(data, clock()), args.max_usd_per_day),
        )

    plan = _claim(args, edge, data, look) if args.claim else look()
    if args.json:
        sys.stdout.buffer.write(encode_document(plan))
    else:
        _show(plan)
    return 0


def _claim(args: Namespace, edge: Edge, data: Path, look: Callable[[], Plan]) -> Plan:
    """The plan whose claims the branch has taken: decided anew on each state of it."""
    from runner.publishing.push import Change, push_changes, pushing

    plans: list[Plan] = []

    def change() -> str:
        plan = look()
        plans.append(plan)
        if plan.due or plan.missed:
            ledger = claimed(read_ledger(data), plan)
            write_files({data / name: content for name, content in ledger_files(ledger).items()})
        return f"{len(plan.due)} due, {len(plan.missed)} missed"

    with pushing(args, edge) as (branch, tries):
        push_changes(branch, [Change(f"plan: {minute_ts(clock_from(args.now)())}", change)], tries)
    return plans[-1]


def _open_slots(ledger: Ledger, bench: str, now: datetime) -> _Open:
    newest = newest_slot(bench, now)
    claims = {claim.slot: claim for claim in ledger.claims if claim.bench == bench}
    missed: list[SlotRow] = []
    is_open = False
    for moment in slots_between(bench, _first_slot(ledger, bench, now), now):
        slot = minute_ts(moment)
        claim = claims.get(slot)
        if (slot, bench) in ledger.rows:
            continue
        if moment == newest:
            is_open = claim is None
        elif claim is None or not claim.is_alive(now):
            missed.append(SlotRow(ts=slot, bench=bench, state="missed", reason=_missed_why(claim)))
    return _Open(minute_ts(newest) if is_open else None, missed)


def _first_slot(ledger: Ledger, bench: str, now: datetime) -> datetime:
    """From where a bench is looked at: its first row or claim, so that no gap is overlooked.

    A bench that the ledger has never seen is looked at since the ledger began, for a day at most;
    an empty ledger begins with this hour.
    """
    known = [slot for slot, of in ledger.rows if of == bench]
    known += [claim.slot for claim in ledger.claims if claim.bench == bench and claim.slot]
    if known:
        return parse_time(min(known))
    hour_ago = now - timedelta(hours=1) + timedelta(minutes=1)
    if ledger.began is None:
        return hour_ago
    return min(hour_ago, max(parse_time(ledger.began), now - timedelta(days=1)))


def _is_running(ledger: Ledger, bench: str, now: datetime) -> bool:
    return any(claim.bench == bench and claim.is_alive(now) for claim in ledger.claims)


def _why(slot: str, now: datetime) -> str:
    delay = now - parse_time(slot)
    minutes = int(delay.total_seconds() // 60)
    return "on time" if delay <= LATE else f"late by {minutes} minutes"


def _missed_why(claim: Claim | None) -> str:
    if claim is None:
        return "nothing was started before the next slot"
    return f"a run was started at {claim.at} and published nothing"


def _named(benches: str | None) -> list[str]:
    names = [name.strip() for name in (benches or "").split(",") if name.strip()]
    for name in names:
        if name not in SCHEDULE:
            raise UsageError(f"--benches: no bench {name!r}; known: {', '.join(SCHEDULE)}")
    return names


def _show(plan: Plan) -> None:
    for due in plan.due:
        slot = f"slot {due.slot}" if due.slot else "no slot"
        print(f"due     {due.bench}  {slot}  {due.reason}")
    for row in plan.missed:
        print(f"missed  {row.bench}  slot {row.ts}  {row.reason}")
    if not plan.due:
        print("nothing is due")
