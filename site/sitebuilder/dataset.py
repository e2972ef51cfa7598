"""A data directory as typed tables: good rows kept, every other line counted with its reason.

Nothing here computes a published figure. Rows behind `as_of` are left out, so that the site can
be built as it stood at an earlier moment; the window always ends at the newest run that is left.
Closed weeks and hot files are read as one table, in order of time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from runner.errors import DataError, UsageError
from runner.publishing.closed import Closed, Sums, run_of
from runner.publishing.independence import NOTHING, combine
from runner.publishing.weeks import (
    HISTORY_WEEKS,
    OVERLAP_WEEKS,
    UNIQUENESS_WEEKS,
    OtherLine,
    week_end,
    week_of,
    week_start,
)
from runner.records.jsonl import BadRow, read_rows
from runner.records.needleif import NeedleCell, NeedleifRow, decode_needleif_row
from runner.records.published import (
    BENCHES,
    LEGACY_BENCHES,
    HistoryRow,
    Independence,
    IndependenceWindow,
    Intervals,
    LatestReport,
    OverlapRow,
    ScoresRow,
    UniquenessRow,
    decode_history,
    encode_history,
)
from runner.scoring.intervals import window_start
from runner.text import minute_ts, parse_time
from sitebuilder.results import FileState, Problem

MAX_NAME_CHARS = 100
MAX_REASON_CHARS = 160
MAX_COUNT = 10**9
LINES_DAYS = 180
MAX_LATENCY_MS = 24 * 3_600_000.0  # a day: sums of many stay finite
_TS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\dZ")
_BYTE_OFFSET = re.compile(r" \(byte \d+\)")


class _Stamped(Protocol):
    @property
    def ts(self) -> str: ...
    @property
    def profile(self) -> Any: ...


R = TypeVar("R", bound=_Stamped)
D = TypeVar("D")


@dataclass(frozen=True)
class Dataset:
    """All tables of one data directory, cut at `as_of`.

    `history_lines` are the usable lines of the history of the last 180 days. `overlap` and
    `uniqueness` hold the rows of the window and of all weeks that are not closed; `closed` adds up
    all runs of which they hold no row.
    `window_end` is the newest run of the history (of the other tables where that is empty),
    `window_start` lies seven days before it and is itself outside; both are None where there is
    no row at all. `is_cut` says that newer rows were left out. `intervals`, `independence` and
    `latest` are None or empty where absent or unusable.
    """

    profile: str | None
    history: list[HistoryRow]
    history_lines: list[bytes]
    overlap: list[OverlapRow]
    uniqueness: list[UniquenessRow]
    scores: list[ScoresRow]
    intervals: Intervals | None
    independence: Independence | None
    families: dict[str, str]
    latest: dict[str, LatestReport]
    files: list[FileState]
    window_start: str | None
    window_end: str | None
    is_cut: bool
    closed: IndependenceWindow = NOTHING
    needleif: Sequence[NeedleifRow] = ()

    def in_window(self, ts: str) -> bool:
        """Whether a run lies in the seven days; their start is outside, their end inside."""
        if self.window_start is None or self.window_end is None:
            return False
        return self.window_start < ts <= self.window_end


def read_dataset(folder: Path, as_of: datetime | None = None) -> Dataset:
    """The tables of `folder`; raises UsageError where there is no such folder.

    Missing files give empty tables. Raises UsageError where `as_of` lies before the first row.
    """
    if not folder.is_dir():
        raise UsageError(
            f"{folder}: no such data directory; make one with `python -m runner news`, "
            "or name another with --data"
        )
    reader = _Reader(folder, minute_ts(as_of) if as_of else None)
    lines = reader.table("history.jsonl", _history_line, lambda pair: _history_key(pair.row))
    closed = Closed(folder)
    if closed.newest is not None:
        lines = reader.with_closed(lines, closed)
    lines.sort(key=lambda line: line.ts)
    overlap = reader.table("overlap.jsonl", _overlap_row, _overlap_key)
    uniqueness = reader.table("uniqueness.jsonl", _uniqueness_row, _uniqueness_key)
    scores = reader.table("ci_scores.jsonl", _scores_row, lambda row: (row.ts, row.bench))
    needleif = reader.table("needleif.jsonl", _needleif_row, lambda row: (row.ts, row.model))
    others: list[Iterable[_Stamped]] = [overlap, uniqueness, scores]
    end = max((row.ts for row in lines), default=None) or max(
        (row.ts for table in others for row in table), default=None
    )
    if end is None and reader.is_cut and not needleif:
        raise UsageError(f"--as-of {reader.cut}: the first run in {folder} is at {reader.first}")
    sums = Sums(overlap, uniqueness, NOTHING)
    if closed.newest is not None:
        sums = reader.sums(overlap, uniqueness, closed, end or "")
    latest = {}
    for bench in BENCHES:
        report = reader.document(f"latest_{bench}.json", LatestReport)
        if report and report.ts <= (end or "") and report.profile == reader.profile:
            latest[bench] = report
    intervals = reader.document("ci.json", Intervals, _check_intervals)
    independence = reader.document("independence.json", Independence, _check_independence)
    return Dataset(
        profile=reader.profile,
        history=[pair.row for pair in lines],
        history_lines=_newest_lines(lines, end),
        overlap=sums.overlap,
        uniqueness=sums.uniqueness,
        scores=scores,
        intervals=intervals,
        independence=None if reader.is_cut else independence,
        families=reader.document("families.json", dict[str, str]) or {},
        latest=latest,
        files=reader.files,
        window_start=window_start(end) if end else None,
        window_end=end,
        is_cut=reader.is_cut,
        closed=sums.closed,
        needleif=needleif,
    )


def _newest_lines(lines: list[_HistoryLine], end: str | None) -> list[bytes]:
    """The lines of the last 180 days; those of closed weeks are written again from their rows."""
    start = window_start(end, LINES_DAYS) if end else ""
    return [
        line.line or encode_history(line.row).rstrip(b"\n") for line in lines if line.ts > start
    ]


class _Reader:
    """Reads the files of one folder and remembers what became of each."""

    def __init__(self, folder: Path, cut: str | None) -> None:
        self.folder = folder
        self.cut = cut
        self.first: str | None = None
        self.is_cut = False
        self.profile: str | None = None
        self.files: list[FileState] = []

    def table(
        self, name: str, decode: Callable[[bytes], R], key: Callable[[R], Hashable | None]
    ) -> list[R]:
        """The usable rows of a JSONL file up to the cut; of two rows with one key the first."""
        path = self.folder / name
        if not path.exists():
            self.files.append(FileState(name=name, state="absent", rows=None, problems=[]))
            return []
        seen: set[Hashable] = set()

        def checked(line: bytes) -> R:
            row = decode(line)
            _check_ts(row.ts)
            if self.profile is None:
                self.profile = row.profile
            elif row.profile != self.profile:
                raise msgspec.ValidationError(
                    f"row of profile {row.profile!r} among rows of profile {self.profile!r}"
                )
            identity = key(row)
            if identity is not None and identity in seen:
                raise msgspec.ValidationError("second row with the same key")
            seen.add(identity)
            return row

        rows = read_rows(path, checked)
        kept = rows.good
        if kept:
            self.first = min(self.first or kept[0].ts, *(row.ts for row in kept))
        if self.cut is not None:
            kept = [row for row in kept if row.ts <= self.cut]
            self.is_cut = self.is_cut or len(kept) < len(rows.good)
        self.files.append(
            FileState(name=name, state="read", rows=len(kept), problems=_grouped(rows.bad))
        )
        return kept

    def with_closed(self, hot: list[_HistoryLine], closed: Closed) -> list[_HistoryLine]:
        """The history of all time: a run that is hot hides the same run of a closed week."""
        rows: list[_HistoryLine] = []
        hidden = {run_of(line.row) for line in hot}
        for week in closed.weeks():
            found: list[_HistoryLine] = []
            bad: list[BadRow] = []
            path = closed.folder / HISTORY_WEEKS.path(week)
            for number, row in enumerate(closed.rows(HISTORY_WEEKS, week), start=1):
                try:
                    if isinstance(row, OtherLine):
                        found.append(_history_line(row.raw))
                    else:
                        _check_history(row)
                        found.append(_HistoryLine(row, b""))
                except msgspec.MsgspecError as error:
                    bad.append(BadRow(path, number, str(error)))
            rows += [line for line in found if run_of(line.row) not in hidden]
            if bad:
                name = f"closed/{HISTORY_WEEKS.path(week)}"
                state = FileState(name=name, state="read", rows=None, problems=_grouped(bad))
                self.files.append(state)
        if rows:
            self.first = min(self.first or rows[0].ts, *(row.ts for row in rows))
            self.profile = self.profile or rows[0].profile
        kept = [row for row in rows if self.cut is None or row.ts <= self.cut]
        self.is_cut = self.is_cut or len(kept) < len(rows)
        self._count("history.jsonl", len(kept))
        return kept + hot

    def sums(
        self, overlap: list[OverlapRow], uniqueness: list[UniquenessRow], closed: Closed, end: str
    ) -> Sums:
        """Overlap and uniqueness of all time up to the cut, as few of them as rows as can be.

        Rows are read of the weeks that the window or the cut touches.
        """
        if not end or closed.newest is None:
            return Sums(overlap, uniqueness, NOTHING)
        start, newest = parse_time(window_start(end)), parse_time(end)
        late = {week_of(row.ts) for row in overlap} | {week_of(row.ts) for row in uniqueness}
        weeks = [week for week in closed.weeks() if week_start(week) <= newest]
        as_rows = [week for week in weeks if week in late or week_end(week) > start]
        whole = [week for week in weeks if week not in as_rows]
        totals = NOTHING if self.is_cut else closed.newest.totals
        for week in whole if self.is_cut else as_rows:
            totals = combine(totals, closed.week_sums(week), sign=1 if self.is_cut else -1)
        hidden = {run_of(row) for row in overlap}, {run_of(row) for row in uniqueness}
        pairs = closed.unhidden(OVERLAP_WEEKS, hidden[0], as_rows)
        urls = closed.unhidden(UNIQUENESS_WEEKS, hidden[1], as_rows)
        pairs = [row for row in pairs if isinstance(row, OverlapRow) and row.ts <= end]
        urls = [row for row in urls if isinstance(row, UniquenessRow) and row.ts <= end]
        for table, rows in ((OVERLAP_WEEKS, pairs), (UNIQUENESS_WEEKS, urls)):
            names = {table.path(week) for week in whole}
            count = sum(file.rows for file in closed.files() if file.name in names)
            self._count(f"{table.name}.jsonl", count + len(rows))
        return Sums(pairs + overlap, urls + uniqueness, totals)

    def _count(self, name: str, rows: int) -> None:
        """Adds the closed rows of a table to what is said of its file."""
        self.files = [
            msgspec.structs.replace(file, rows=(file.rows or 0) + rows, state="read")
            if file.name == name
            else file
            for file in self.files
        ]

    def document(
        self, name: str, kind: type[D], check: Callable[[D], None] = lambda _: None
    ) -> D | None:
        """The content of a JSON file, or None where it is absent or cannot be used."""
        try:
            data = (self.folder / name).read_bytes()
        except FileNotFoundError:
            self.files.append(FileState(name=name, state="absent", rows=None, problems=[]))
            return None
        except OSError as error:
            raise DataError(self.folder / name, f"cannot be read ({error.strerror})") from error
        try:
            value = msgspec.json.decode(data, type=kind)
            check(value)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            problem = Problem(reason=_reason(str(error)), count=1, first_line=None)
            self.files.append(FileState(name=name, state="unusable", rows=None, problems=[problem]))
            return None
        self.files.append(FileState(name=name, state="read", rows=None, problems=[]))
        return value


@dataclass(frozen=True, slots=True)
class _HistoryLine:
    row: HistoryRow
    line: bytes

    @property
    def ts(self) -> str:
        return self.row.ts

    @property
    def profile(self) -> str:
        return self.row.profile


def _history_line(line: bytes) -> _HistoryLine:
    row = decode_history(line)
    _check_history(row)
    return _HistoryLine(row, line)


def _check_history(row: HistoryRow) -> None:
    _check_ts(row.ts)
    _check_name(row.engine)
    scores = [row.ndcg, row.recall, row.mrr, *(part.recall for part in row.slices.values())]
    for score in scores:
        if score is not None and not 0 <= score <= 1:
            raise msgspec.ValidationError("a score outside 0 to 1")
    counts = [row.num_scored, row.num_queries, row.search_errors, row.account_errors]
    counts += [row.service_errors, row.judge_errors, row.reconnects]
    _check_counts(counts + [part.n for part in row.slices.values()])
    for latency in (row.p50_ms, row.p95_ms, *(row.lat_ms or ())):
        if latency is not None and not 0 <= latency <= MAX_LATENCY_MS:
            raise msgspec.ValidationError("a latency below 0 or above a day")


def _check_counts(counts: Iterable[int | None]) -> None:
    for count in counts:
        if count is not None and not 0 <= count <= MAX_COUNT:
            raise msgspec.ValidationError(f"a count below 0 or above {MAX_COUNT:,}")


_decode_overlap = msgspec.json.Decoder(OverlapRow).decode
_decode_uniqueness = msgspec.json.Decoder(UniquenessRow).decode
_decode_scores = msgspec.json.Decoder(ScoresRow).decode


def _overlap_row(line: bytes) -> OverlapRow:
    row = _decode_overlap(line)
    _check_name(row.a)
    _check_name(row.b)
    _check_counts([row.num_queries, row.num_shared3, row.num_suspect, row.low_shared_urls])
    if not 0 <= row.jaccard_sum <= row.num_queries + 1e-6:
        raise msgspec.ValidationError("`jaccard_sum` outside 0 to `num_queries`")
    return row


def _uniqueness_row(line: bytes) -> UniquenessRow:
    row = _decode_uniqueness(line)
    _check_name(row.engine)
    _check_counts([row.unique_urls, row.total_urls])
    _check_counts([row.relevant_unique_urls, row.relevant_total_urls])
    if row.unique_urls > row.total_urls or row.relevant_unique_urls > row.relevant_total_urls:
        raise msgspec.ValidationError("more unique URLs than URLs")
    return row


def _scores_row(line: bytes) -> ScoresRow:
    row = _decode_scores(line)
    if row.bench in LEGACY_BENCHES:
        row = msgspec.structs.replace(row, bench=LEGACY_BENCHES[row.bench])
    if row.bench not in BENCHES:
        raise msgspec.ValidationError("unknown bench")
    lists: list[list[Any]] = [*row.engines.values(), row.qids if row.cids is None else row.cids]
    if any(len(values) != len(row.qids) for values in lists):
        raise msgspec.ValidationError("a list that is not aligned to `qids`")
    for name, scores in row.engines.items():
        _check_name(name)
        if any(score is not None and not 0 <= score <= 1 for score in scores):
            raise msgspec.ValidationError("a score outside 0 to 1")
    return row


def _needleif_row(line: bytes) -> NeedleifRow:
    row = decode_needleif_row(line)
    _check_name(row.model)
    _check_counts([row.records, row.answered, row.missing, row.failed, row.truncated])
    _check_counts([row.pairs, row.pairs_left_out, row.input_tokens, row.output_tokens])
    for name in (row.dataset.tokenizer, row.dataset.haystack, row.dataset.needles):
        _check_name(name)
    cells = [row.strict, row.loose]
    for groups in (row.by or {}).values():
        for name, cell in groups.items():
            _check_name(name)
            cells.append(cell)
    for cell in cells:
        _check_cell(cell)
    for values in (row.bare, row.haystack):
        if values is not None and len(values) != row.dataset.pairs:
            raise msgspec.ValidationError("a list that is not over the pairs of the data set")
    return row


def _check_cell(cell: NeedleCell) -> None:
    _check_counts([cell.n])
    if not all(0 <= count <= MAX_COUNT for count in (cell.n11, cell.n10, cell.n01, cell.n00)):
        raise msgspec.ValidationError("a count of pairs below 0")
    for figure in (cell.baseline, cell.long_context, cell.distraction_regression):
        if any(v is not None and not 0 <= v <= 1 for v in (figure.value, figure.low, figure.high)):
            raise msgspec.ValidationError("a share outside 0 to 1")
    penalty = cell.net_penalty
    if any(v is not None and not -1 <= v <= 1 for v in (penalty.value, penalty.low, penalty.high)):
        raise msgspec.ValidationError("a penalty outside -1 to 1")


def _check_intervals(document: Intervals) -> None:
    for engines in document.benches.values():
        for interval in engines.values():
            if not 0 <= interval.lo <= interval.hi <= 1:
                raise msgspec.ValidationError("an interval that is not within 0 to 1")


def _check_independence(document: Independence) -> None:
    for window in document.windows.values():
        if window.pairs or window.engines:
            _check_ts(window.from_)
            _check_ts(window.to)
        for pair in window.pairs:
            _check_name(pair.a)
            _check_name(pair.b)
            _check_counts([pair.num_shared3, pair.num_suspect, pair.low_shared_urls])
            _check_counts([pair.num_queries, pair.n3, pair.n_low])
            if not 0 <= pair.jaccard_sum <= pair.num_queries + 1e-6:
                raise msgspec.ValidationError("`jaccard_sum` outside 0 to `num_queries`")
        for engine in window.engines:
            _check_name(engine.engine)
            _check_counts([engine.unique_urls, engine.total_urls])
            _check_counts([engine.relevant_unique_urls, engine.relevant_total_urls])


def _history_key(row: HistoryRow) -> Hashable:
    return row.ts, row.bench, row.engine


def _overlap_key(row: OverlapRow) -> Hashable | None:
    """None for a row without a bench: two benches of one minute cannot be told apart."""
    return (row.ts, row.bench, *sorted((row.a, row.b))) if row.bench else None


def _uniqueness_key(row: UniquenessRow) -> Hashable | None:
    return (row.ts, row.bench, row.engine) if row.bench else None


@cache
def _is_ts(ts: str) -> bool:
    if not _TS.fullmatch(ts):
        return False
    try:
        parse_time(ts)
    except UsageError:
        return False
    return True


def _check_ts(ts: str) -> None:
    if not _is_ts(ts):
        raise msgspec.ValidationError("`ts` is not of the form YYYY-MM-DDTHH:MMZ")


@cache
def is_name(name: str) -> bool:
    return 0 < len(name) <= MAX_NAME_CHARS and name.isprintable()


def _check_name(name: str) -> None:
    if not is_name(name):
        raise msgspec.ValidationError("an engine name that is empty, too long or not printable")


def _reason(text: str) -> str:
    """One bounded line; byte offsets are dropped so that equal faults count together."""
    return _BYTE_OFFSET.sub("", " ".join(text.split()))[:MAX_REASON_CHARS]


def _grouped(bad: list[BadRow]) -> list[Problem]:
    """Bad lines by reason, in the order of their first line."""
    groups: dict[str, list[int]] = {}
    for row in bad:
        groups.setdefault(_reason(row.reason), []).append(row.line)
    return [
        Problem(reason=reason, count=len(lines), first_line=lines[0])
        for reason, lines in groups.items()
    ]
