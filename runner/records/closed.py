"""The manifests of closed weeks, one a month: `closed/<YYYY-MM>.json`.

A week belongs to the month of its Sunday. Each manifest names the SHA-256 of the one before it, so
that no closed file can change without every later manifest giving it away.
"""

from __future__ import annotations

from runner.records.base import Document, Part
from runner.records.published import IndependenceWindow


class ClosedFile(Part, frozen=True, kw_only=True):
    """One closed week of one table; `name` is `<table>/<YYYY>-W<WW>.parquet` in `closed/`."""

    name: str
    rows: int
    bytes: int
    sha256: str


class Manifest(Document, frozen=True, kw_only=True):
    """The weeks closed in a month, oldest first, and what all closed weeks to here add up to.

    `previous` is the SHA-256 of the manifest before, null for the first. `rows` counts the rows of
    each table and `totals` holds the sums of overlap and uniqueness, both over all closed weeks up
    to the last one of this month: whoever needs the sums of all time reads one small file.
    """

    month: str
    previous: str | None
    files: list[ClosedFile]
    rows: dict[str, int]
    totals: IndependenceWindow
