"""A needleif report into a data directory: a row a model in `needleif.jsonl`, and the list of runs.

The table stays in one hot file for good. A run in a week adds some 16 KB a model, of which 1.5 KB
stay after 35 days, so five years of ten models are under 5 MB.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from runner.benches.needleif.reporting import rebuilt
from runner.errors import PublishError
from runner.publishing.closed import Closed
from runner.publishing.differences import differing
from runner.publishing.hot import LOCK
from runner.publishing.publish import Publication, refuse_other_profile, run_list
from runner.publishing.tables import HISTORY, NEEDLEIF, Line, is_ts, table_bytes
from runner.records.base import encode_document
from runner.records.needleif import NeedleifReport, NeedleifRow
from runner.storage import exclusive, write_files
from runner.text import minute_ts, parse_time, run_id

DETAILS_KEPT = timedelta(days=35)
_NEXT = "nothing was published; make the report again with `needle needleif`"


def check_needleif(report: NeedleifReport) -> None:
    """Raises PublishError where a row is not what the report's own answers give."""
    if not is_ts(report.ts) or report.run_id != run_id(report.ts):
        raise PublishError(
            f"report: ts {report.ts!r} and run_id {report.run_id!r} are not one time in the form "
            f"2026-11-15T10:17Z and 2026-11-15T1017Z; {_NEXT}"
        )
    if not report.models:
        raise PublishError(f"report: it has no model; {_NEXT}")
    for name, problem in differences(report):
        raise PublishError(f"report: {name}: {problem}; {_NEXT}")


def differences(report: NeedleifReport) -> Sequence[tuple[str, str]]:
    """(model, what differs) between what a report says and what its answers give."""
    found: list[tuple[str, str]] = []
    for name, model in report.models.items():
        row = model.row
        if (row.model, row.ts, row.profile) != (name, report.ts, report.profile):
            found.append((name, "its row is of another model, time or profile"))
            continue
        try:
            true = rebuilt(model)
        except ValueError as error:  # a fault of its records, or lists of different lengths
            found.append((name, str(error)))
            continue
        found += [(name, path) for path in differing(plain(model), plain(true), "report")]
    return found


def plain(value: Any) -> Any:
    """A record as plain values."""
    return msgspec.to_builtins(value)


def publish_needleif(
    report: NeedleifReport, data: Path, *, now: datetime, artifacts: Sequence[str] = ()
) -> Publication:
    """Brings a data directory up to date; the same report again changes nothing.

    Raises PublishError for a report that cannot be used, DataError for a broken file.
    """
    check_needleif(report)
    rows = [model.row for model in report.models.values()]
    with exclusive(data / LOCK):
        lines = NEEDLEIF.replace(NEEDLEIF.read(data), report.ts, "needleif", rows)
        for there in (lines, HISTORY.read(data)):
            refuse_other_profile(data, report.profile, there)
        files = {NEEDLEIF.name: table_bytes(without_old_details(lines))}
        has_news = any(_read(data / name) != content for name, content in files.items())
        entries = run_list(report, data, Closed(data), now, artifacts, has_news=has_news)
        files["runs.json"] = encode_document(entries)
        changed = {
            name: content for name, content in files.items() if _read(data / name) != content
        }
        write_files({data / name: content for name, content in changed.items()})
    return Publication(sorted(changed), {NEEDLEIF.name: len(rows)})


def without_old_details(lines: Sequence[Line[NeedleifRow]]) -> list[Line[NeedleifRow]]:
    """The lines, those more than 35 days older than the newest with their headline cells alone."""
    newest = max((line.ts for line in lines if line.row), default=None)
    if newest is None:
        return list(lines)
    start = minute_ts(parse_time(newest) - DETAILS_KEPT)
    return [_without_details(line) if line.ts < start else line for line in lines]


def _without_details(line: Line[NeedleifRow]) -> Line[NeedleifRow]:
    row = line.row
    if row is None or (row.by is None and row.bare is None and row.haystack is None):
        return line
    row = msgspec.structs.replace(row, by=None, bare=None, haystack=None)
    return Line(NEEDLEIF.encode(row).rstrip(b"\n"), line.ts, line.bench, row)


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None
