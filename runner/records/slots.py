"""The ledger of scheduled runs: one line of `slots.jsonl` for each that was due."""

from __future__ import annotations

from typing import Literal

from runner.records.base import Row

SlotState = Literal["ran", "late", "missed"]


class SlotRow(Row, frozen=True, kw_only=True):
    """What became of one scheduled run of a bench.

    `ts` is the minute in which it was due, `run_ts` the run that served it (null where it was
    missed), `reason` why it was late or missed.
    """

    ts: str
    bench: str
    state: SlotState
    run_ts: str | None = None
    reason: str | None = None
