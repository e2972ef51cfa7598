"""One report into a data directory: every file of it computed first, then written at once.

(old files, report) -> new files. Rows are keyed by (ts, bench), so publishing one bench never
touches another's rows, and publishing twice gives the same bytes, whenever the second time is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from runner.errors import DataError, PublishError
from runner.publishing.checks import check_report
from runner.publishing.independence import compute_independence
from runner.publishing.rows import (
    history_rows,
    latest_report,
    overlap_rows,
    scores_row,
    uniqueness_rows,
)
from runner.publishing.tables import (
    HISTORY,
    OVERLAP,
    SCORES,
    UNIQUENESS,
    Line,
    table_bytes,
    without_samples,
)
from runner.records.base import encode_document
from runner.records.published import HistoryRow, Independence, Interval, RunEntry, ScoresRow
from runner.records.reports import Profile, Report
from runner.scoring.intervals import compute_intervals, window_start
from runner.storage import exclusive, write_files
from runner.text import second_ts

T = TypeVar("T")

_LOCK = ".publish.lock"


@dataclass(frozen=True)
class Published:
    """`changed`: names of the files that are not what they were; `rows`: rows of this run."""

    changed: list[str]
    rows: dict[str, int]


class _Stamp(msgspec.Struct):
    """What is read of an older latest report: only whether it is newer."""

    ts: str = ""


def publish(
    report: Report,
    data: Path,
    *,
    now: datetime,
    families: Mapping[str, str],
    artifacts: Sequence[str] = (),
) -> Published:
    """Brings a data directory up to date with a report; the same report again changes nothing.

    `families` maps variants to their base, `artifacts` names what the archive holds of this run.
    Raises PublishError for a report or a folder that cannot be used, DataError (path and line)
    for a file in the folder that is broken. Either way the old files stand as they were.
    """
    check_report(report)
    with exclusive(data / _LOCK):
        files, rows = _new_files(report, data, now, families, artifacts)
        changed = {name: content for name, content in files.items() if _read(data, name) != content}
        write_files({data / name: content for name, content in changed.items()})
    return Published(sorted(changed), rows)


def report_intervals(report: Report) -> dict[str, Interval]:
    """The interval of each engine from this report alone, for the table that a run prints."""
    return compute_intervals([scores_row(report)]).benches.get(report.bench, {})


def _new_files(
    report: Report,
    data: Path,
    now: datetime,
    families: Mapping[str, str],
    artifacts: Sequence[str],
) -> tuple[dict[str, bytes], dict[str, int]]:
    ts, bench = report.ts, report.bench
    new_history, new_overlap = history_rows(report), overlap_rows(report)
    new_uniqueness, new_scores = uniqueness_rows(report), [scores_row(report)]
    history = HISTORY.replace(HISTORY.read(data), ts, bench, new_history)
    overlap = OVERLAP.replace(OVERLAP.read(data), ts, bench, new_overlap)
    uniqueness = UNIQUENESS.replace(UNIQUENESS.read(data), ts, bench, new_uniqueness)
    scores = SCORES.replace(SCORES.read(data), ts, bench, new_scores)
    for lines in (history, overlap, uniqueness, scores):
        _refuse_other_profile(data, report.profile, lines)
    history = _drop_old_samples(history)
    scores = _drop_old_scores(scores)
    files = {
        HISTORY.name: table_bytes(history),
        OVERLAP.name: table_bytes(overlap),
        UNIQUENESS.name: table_bytes(uniqueness),
        SCORES.name: table_bytes(scores),
        "ci.json": encode_document(compute_intervals([line.row for line in scores if line.row])),
        **_latest(report, data),
    }
    has_news = any(_read(data, name) != content for name, content in files.items())
    known = _families(report, data, families)
    independence = compute_independence(
        [line.row for line in overlap if line.row],
        [line.row for line in uniqueness if line.row],
        known,
        generated_at=second_ts(now),
    )
    files["families.json"] = encode_document(known)
    files["independence.json"] = encode_document(_keep_time(independence, data))
    files["runs.json"] = encode_document(_runs(report, data, now, artifacts, has_news=has_news))
    counts = {
        HISTORY.name: len(new_history),
        OVERLAP.name: len(new_overlap),
        UNIQUENESS.name: len(new_uniqueness),
        SCORES.name: len(new_scores),
    }
    return files, counts


def _refuse_other_profile(data: Path, profile: Profile, lines: Sequence[Line[Any]]) -> None:
    for line in lines:
        if line.row is not None and line.row.profile != profile:
            raise PublishError(
                f"{data} holds {line.row.profile} rows and the report is {profile}: the two never "
                "mix; publish it into another folder with --data"
            )


def _drop_old_samples(lines: Sequence[Line[HistoryRow]]) -> list[Line[HistoryRow]]:
    """Latency samples are half of the file and read for 7 days only; the percentiles stay."""
    start = window_start(max(line.ts for line in lines if line.row))
    return [without_samples(line) if line.ts <= start else line for line in lines]


def _drop_old_scores(lines: Sequence[Line[ScoresRow]]) -> list[Line[ScoresRow]]:
    start = window_start(max(line.ts for line in lines if line.row))
    return [line for line in lines if line.ts > start]


def _latest(report: Report, data: Path) -> dict[str, bytes]:
    """The file of the newest report, unless one of a later run is there."""
    name = f"latest_{report.bench}.json"
    old = _document(data, name, _Stamp)
    if old is not None and old.ts > report.ts:
        return {}
    return {name: encode_document(latest_report(report))}


def _families(report: Report, data: Path, families: Mapping[str, str]) -> dict[str, str]:
    """Variant -> base: what is given now, and what was known of engines not in this roster."""
    old = _document(data, "families.json", dict[str, str]) or {}
    kept = {name: base for name, base in old.items() if name not in report.roster}
    given = {name: base for name, base in families.items() if name != base}
    return dict(sorted({**kept, **given}.items()))


def _keep_time(new: Independence, data: Path) -> Independence:
    """The document with the time of the old one where nothing else differs."""
    old = _document(data, "independence.json", Independence)
    if old is None:
        return new
    same = msgspec.structs.replace(new, generated_at=old.generated_at)
    return same if same == old else new


def _runs(
    report: Report, data: Path, now: datetime, artifacts: Sequence[str], *, has_news: bool
) -> list[RunEntry]:
    """`runs.json`, oldest first: jobs of one minute share an entry and merge their artifacts."""
    entries = _document(data, "runs.json", list[RunEntry]) or []
    old = next((entry for entry in entries if entry.id == report.run_id), None)
    held = old.artifacts if old else []
    published_at = dict(old.published_at) if old else {}
    merged = [*held, *(name for name in dict.fromkeys(artifacts) if name not in held)]
    if has_news or len(merged) > len(held) or report.bench not in published_at:
        published_at[report.bench] = second_ts(now)
    entry = RunEntry(
        id=report.run_id,
        ts=report.ts,
        artifacts=sorted(merged),
        published_at=dict(sorted(published_at.items())),
    )
    others = [other for other in entries if other.id != report.run_id]
    return sorted([*others, entry], key=lambda each: each.ts)


def _document(data: Path, name: str, kind: type[T]) -> T | None:
    """A whole file, or None where there is none; raises DataError where it cannot be read."""
    content = _read(data, name)
    if content is None:
        return None
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DataError(
            data / name,
            f"{error}; restore the file from an earlier copy and publish again "
            "(a whole batch: --resume)",
        ) from error


def _read(data: Path, name: str) -> bytes | None:
    try:
        return (data / name).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DataError(data / name, f"cannot be read ({error.strerror})") from error
