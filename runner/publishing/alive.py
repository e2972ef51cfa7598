"""Whether the newest runs are as young as their schedule promises: the dead-man check."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from runner.clock import clock_from
from runner.errors import PublishError
from runner.publishing.ledger import SCHEDULE, read_ledger
from runner.publishing.tables import NEEDLEIF
from runner.records.jsonl import read_rows
from runner.records.published import decode_history
from runner.text import parse_time

if TYPE_CHECKING:
    from runner.edge import Edge

SLOTS_FORGIVEN = 3  # a bench is dead when it missed so many slots in a row


def overdue(newest: Mapping[str, str], now: datetime, began: str | None = None) -> list[str]:
    """A line for each bench whose newest run is older than three of its slots; pure.

    A bench without a run is given the same time from `began` on, the first slot of the ledger.
    """
    lines = []
    for bench, table in SCHEDULE.items():
        bound = SLOTS_FORGIVEN * table.mean_gap
        ts = newest.get(bench)
        age = now - parse_time(ts) if ts else None
        if age is None:
            if began is None or now - parse_time(began) > bound:
                lines.append(f"{bench}: no run at all")
        elif age > bound:
            hours = int(age.total_seconds() // 3600)
            lines.append(
                f"{bench}: newest run {ts}, {hours} h old (at most {bound // timedelta(hours=1)})"
            )
    return lines


def run_alive(args: Namespace, edge: Edge) -> int:
    """`alive`: 0 where every bench has a run that is young enough; else PublishError names them."""
    data = Path(args.data)
    runs = [(row.bench, row.ts) for row in read_rows(data / "history.jsonl", decode_history).good]
    runs += [(r.bench, r.ts) for r in read_rows(data / NEEDLEIF.name, NEEDLEIF.decode).good]
    newest: dict[str, str] = {}
    for bench, ts in runs:
        newest[bench] = max(ts, newest.get(bench, ts))
    dead = overdue(newest, clock_from(args.now)(), read_ledger(data).began)
    if dead:
        raise PublishError(f"no fresh results: {'; '.join(dead)}")
    print(f"alive: {', '.join(f'{bench} {ts}' for bench, ts in sorted(newest.items()))}")
    return 0
