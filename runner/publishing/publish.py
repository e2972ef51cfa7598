"""One report into a data directory: every file of it computed first, then written at once.

(old files, report) -> new files. Rows are keyed by (ts, bench), so publishing one bench never
touches another's rows, and publishing twice gives the same bytes, whenever the second time is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import fsum
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from runner.errors import DataError, PublishError
from runner.publishing.checks import check_report
from runner.publishing.closed import Closed
from runner.publishing.hot import LOCK, drop_old_samples
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
    Table,
    table_bytes,
)
from runner.publishing.weeks import (
    HISTORY_WEEKS,
    OVERLAP_WEEKS,
    RUNS_WEEKS,
    UNIQUENESS_WEEKS,
    WeekTable,
    settled,
)
from runner.records.base import encode_document
from runner.records.needleif import NeedleifReport, Published
from runner.records.published import Independence, Interval, RunEntry, ScoresRow
from runner.records.reports import Profile, Report
from runner.scoring.intervals import compute_intervals, window_start
from runner.storage import exclusive, write_files
from runner.text import second_ts

T = TypeVar("T")


@dataclass(frozen=True)
class Publication:
    """`changed`: names of the files that are not what they were; `rows`: rows of this run."""

    changed: list[str]
    rows: dict[str, int]

    @property
    def asked(self) -> str:
        """How many were asked, in words."""
        models = self.rows.get("needleif.jsonl")
        return f"{self.rows['history.jsonl']} engines" if models is None else f"{models} models"


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
) -> Publication:
    """Brings a data directory up to date with a report; the same report again changes nothing.

    `families` maps variants to their base, `artifacts` names what the archive holds of this run.
    Raises PublishError for a report or a folder that cannot be used, DataError (path and line)
    for a file in the folder that is broken. Either way the old files stand as they were.
    """
    check_report(report)
    with exclusive(data / LOCK):
        files, rows = _new_files(report, data, now, families, artifacts)
        changed = {name: content for name, content in files.items() if _read(data, name) != content}
        write_files({data / name: content for name, content in changed.items()})
    return Publication(sorted(changed), rows)


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
    closed = Closed(data)
    history = _with_run(HISTORY, HISTORY_WEEKS, closed, data, report, new_history)
    overlap = _with_run(OVERLAP, OVERLAP_WEEKS, closed, data, report, new_overlap)
    uniqueness = _with_run(UNIQUENESS, UNIQUENESS_WEEKS, closed, data, report, new_uniqueness)
    scores = SCORES.replace(SCORES.read(data), ts, bench, new_scores)
    for lines in (history, overlap, uniqueness, scores):
        refuse_other_profile(data, report.profile, lines)
    history = drop_old_samples(history)
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
    sums = closed.sums(
        [line.row for line in overlap if line.row], [line.row for line in uniqueness if line.row]
    )
    independence = compute_independence(
        sums.overlap,
        sums.uniqueness,
        known,
        generated_at=second_ts(now),
        closed=sums.closed,
    )
    files["families.json"] = encode_document(known)
    files["independence.json"] = encode_document(_keep_time(independence, data))
    files["runs.json"] = encode_document(
        run_list(report, data, closed, now, artifacts, has_news=has_news)
    )
    counts = {
        HISTORY.name: len(new_history),
        OVERLAP.name: len(new_overlap),
        UNIQUENESS.name: len(new_uniqueness),
        SCORES.name: len(new_scores),
    }
    return files, counts


def _with_run(
    table: Table[Any],
    weeks: WeekTable,
    closed: Closed,
    data: Path,
    report: Report,
    rows: Sequence[Any],
) -> list[Line[Any]]:
    """The hot lines with the report's rows; a run that is closed with the same rows is left so.

    A run of a closed week that is late or another than before goes to the hot file and stays.
    """
    ts, bench = report.ts, report.bench
    lines = table.read(data)
    there = closed.run(weeks, ts, bench)
    if there and not any(line.ts == ts and line.bench == bench for line in lines):
        if there == [settled(Line(b"", ts, bench, row)) for row in rows]:
            return lines
        if not rows:
            raise PublishError(
                f"report: it has no row for {table.name}, and its run, which is in a closed week, "
                "has some; nothing was published; publish the report of the whole roster"
            )
    return table.replace(lines, ts, bench, rows)


def refuse_other_profile(data: Path, profile: Profile, lines: Sequence[Line[Any]]) -> None:
    for line in lines:
        if line.row is not None and line.row.profile != profile:
            raise PublishError(
                f"{data} holds {line.row.profile} rows and the report is {profile}: the two never "
                "mix; publish it into another folder with --data"
            )


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


def run_list(
    report: Published,
    data: Path,
    closed: Closed,
    now: datetime,
    artifacts: Sequence[str],
    *,
    has_news: bool,
) -> list[RunEntry]:
    """`runs.json`, oldest first: jobs of one minute share an entry and merge their artifacts."""
    entries = _document(data, "runs.json", list[RunEntry]) or []
    there = closed.run(RUNS_WEEKS, report.ts, None)
    old = next((entry for entry in [*entries, *there] if entry.id == report.run_id), None)
    held = old.artifacts if old else []
    published_at = dict(old.published_at) if old else {}
    merged = [*held, *(name for name in dict.fromkeys(artifacts) if name not in held)]
    if has_news or len(merged) > len(held) or report.bench not in published_at:
        published_at[report.bench] = second_ts(now)
    spend = dict(old.spend_usd) if old else {}
    if cost := _cost_usd(report):
        spend[report.bench] = cost
    entry = RunEntry(
        id=report.run_id,
        ts=report.ts,
        artifacts=sorted(merged),
        published_at=dict(sorted(published_at.items())),
        spend_usd=dict(sorted(spend.items())),
    )
    if entry in there:
        return entries
    others = [other for other in entries if other.id != report.run_id]
    return sorted([*others, entry], key=lambda each: each.ts)


def _cost_usd(report: Published) -> float:
    """What the model of a run cost, as far as it is known; 4 decimals."""
    if isinstance(report, NeedleifReport):
        return round(fsum(model.row.cost_usd or 0.0 for model in report.models.values()), 4)
    return round(report.spend.cost_usd, 4)


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
