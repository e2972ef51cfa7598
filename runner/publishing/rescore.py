"""Every published number of a run, rebuilt from the archive and compared with what stands.

Three things must agree: what the archived results give, what the archived report says of them,
and the rows in the data directory, hot or closed. Runs are taken one after the other, those of an
ISO week together, so that memory does not grow with the archive; `--all` uses every core.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from runner.benches.needleif.reporting import report_table
from runner.errors import DataError, NeedleError, UsageError
from runner.leaderboard import leaderboard
from runner.publishing.archive import ARCHIVED, FolderArchive
from runner.publishing.closed import Closed
from runner.publishing.differences import differing
from runner.publishing.needleif import differences as needleif_differences
from runner.publishing.publish import report_intervals
from runner.publishing.rebuild import plain, rebuild
from runner.publishing.rejudge import judged_again, unjudged
from runner.publishing.rows import (
    history_rows,
    latest_report,
    overlap_rows,
    scores_row,
    uniqueness_rows,
)
from runner.publishing.tables import HISTORY, NEEDLEIF, OVERLAP, SCORES, UNIQUENESS, Table
from runner.publishing.weeks import (
    HISTORY_WEEKS,
    OVERLAP_WEEKS,
    UNIQUENESS_WEEKS,
    WeekTable,
    week_of,
)
from runner.records.needleif import NeedleifReport, Published
from runner.records.published import BENCH_LABELS, JUDGED_BENCHES
from runner.records.reports import Report
from runner.scoring.ndcg import EXPONENTIAL_GAINS, GAINS, LINEAR_GAINS
from runner.settings import read_settings

if TYPE_CHECKING:
    from runner.edge import Edge

METRICS = {"graded": GAINS, "linear": LINEAR_GAINS, "exponential": EXPONENTIAL_GAINS}
SHOWN = 10
CLUSTER_TIMEOUT_S = 10


@dataclass(frozen=True, order=True)
class ArchivedRun:
    run_id: str
    bench: str

    @property
    def ts(self) -> str:
        """Its timestamp, with the colon that a name cannot have."""
        return f"{self.run_id[:13]}:{self.run_id[13:]}"


Task = tuple[Path, Path, str, list[ArchivedRun]]
"""Archive, data directory with its state, and the runs of a week."""


@dataclass(frozen=True)
class Verdict:
    """What does not agree in a run; nothing where all does."""

    run: ArchivedRun
    differences: list[str]


def run_rescore(args: Namespace, edge: Edge) -> int:
    """`rescore`: 0 where every number of the chosen runs comes out again, else 1."""
    root, data = Path(args.archive), Path(args.data)
    runs = _chosen(root, args)
    if args.judge_model is not None:
        return _rejudge(root, runs, args, edge)
    if args.out is not None:
        raise UsageError("--out is for reports with another judge; name one with --judge-model")
    if args.metric is not None or not args.check:
        gains = METRICS[args.metric or "graded"]
        for run in runs:
            if run.bench == "needleif":
                _show_models(FolderArchive(root).load_needleif(run.run_id))
            else:
                _show(rebuild(FolderArchive(root).load(run.run_id, run.bench), gains))
    if args.metric is not None:
        return 0
    failed = 0
    jobs = args.jobs or os.cpu_count() or 1
    for verdict in verdicts(root, data, runs, jobs=jobs, dask=args.dask):
        failed += bool(verdict.differences)
        for line in verdict.differences[:SHOWN]:
            print(f"{verdict.run.bench} {verdict.run.run_id}: {line}", file=sys.stderr)
        if len(verdict.differences) > SHOWN:
            print(f"... and {len(verdict.differences) - SHOWN} more", file=sys.stderr)
    if failed:
        print(f"needle: {failed} of {len(runs)} runs do not come out again", file=sys.stderr)
        return 1
    print(f"{len(runs)} runs rebuilt from {root}: every published number comes out again")
    return 0


def archived_runs(root: Path) -> list[ArchivedRun]:
    """Every archived run of a bench, oldest first."""
    return sorted(
        ArchivedRun(path.parent.name, path.stem)
        for path in root.glob("runs/*/*/*/*.json")
        if path.stem in ARCHIVED
    )


def verdicts(
    root: Path,
    data: Path,
    runs: Sequence[ArchivedRun],
    *,
    jobs: int = 1,
    dask: str | None = None,
) -> Iterator[Verdict]:
    """The verdict on each run, in their order; with several jobs each takes a week at a time.

    `dask` is the address of a cluster, whose workers see `root` and `data` under the same names.
    """
    weeks = [list(group) for _, group in groupby(runs, key=lambda run: week_of(run.ts))]
    state = _state(data)
    tasks = [(root, data, state, week) for week in weeks]
    if dask is not None:
        yield from _on_cluster(dask, tasks)
        return
    if jobs == 1 or len(tasks) == 1:
        published = PublishedRows(data)
        for week in weeks:
            yield from _examine(root, published, week)
        return
    with ProcessPoolExecutor(min(jobs, len(tasks))) as pool:
        for found in pool.map(_examine_in_process, tasks):
            yield from found


def _on_cluster(address: str, tasks: Sequence[Task]) -> Iterator[Verdict]:
    try:
        from distributed import Client
    except ImportError as error:
        raise UsageError("--dask needs the extra: `uv sync --extra dask`") from error
    try:
        client = Client(address, timeout=CLUSTER_TIMEOUT_S)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise UsageError(f"--dask {address}: no cluster answers there ({error})") from error
    with client:
        for future in client.map(_examine_in_process, tasks, pure=False):
            yield from future.result()


def examine(report: Report, published: PublishedRows) -> list[str]:
    """Where the results of an archived report, its numbers and its published rows differ."""
    rebuilt = rebuild(report)
    found = list(differing(plain(report), plain(rebuilt), "archive"))
    return [*found, *published.differences(rebuilt)]


def examine_needleif(report: NeedleifReport, published: PublishedRows) -> list[str]:
    """The same for the answers of models."""
    found = [f"{model}: {problem}" for model, problem in needleif_differences(report)]
    return [*found, *published.needleif_differences(report)]


class PublishedRows:
    """The rows of a data directory, by run; of the closed weeks the one asked for last."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._hot: dict[tuple[str, str, str], list[Any]] = {}
        for table in (HISTORY, OVERLAP, UNIQUENESS, SCORES, NEEDLEIF):
            self._read(table)
        self._closed = Closed(data)
        self._weeks: dict[str, tuple[str, dict[tuple[str, str], list[Any]]]] = {}

    def _read(self, table: Table[Any]) -> None:
        for line in table.read(self._data):
            if line.row is not None and line.bench is not None:
                self._hot.setdefault((table.name, line.ts, line.bench), []).append(line.row)

    def differences(self, rebuilt: Report) -> Iterator[str]:
        """What is published of a run in other words than its rebuilt report gives."""
        ts, bench = rebuilt.ts, rebuilt.bench
        for table, weeks, expected in (
            (HISTORY, HISTORY_WEEKS, history_rows(rebuilt)),
            (OVERLAP, OVERLAP_WEEKS, overlap_rows(rebuilt)),
            (UNIQUENESS, UNIQUENESS_WEEKS, uniqueness_rows(rebuilt)),
        ):
            actual = self._published(table, weeks, ts, bench)
            yield from differing(
                _by_part(table, actual),
                _by_part(table, _without_dropped(actual, expected)),
                table.name,
            )
        scores = self._hot.get((SCORES.name, ts, bench))
        if scores:  # they stand for a week only
            said = msgspec.to_builtins(scores)
            true = msgspec.to_builtins([scores_row(rebuilt)])
            yield from differing(said, true, SCORES.name)
        latest = self._latest(bench)
        if latest is not None and latest.get("ts") == ts:
            true = msgspec.to_builtins(latest_report(rebuilt))
            yield from differing(latest, true, f"latest_{bench}.json")

    def needleif_differences(self, report: NeedleifReport) -> Iterator[str]:
        """The same for needleif, whose rows lose their details with time."""
        actual = self._hot.get((NEEDLEIF.name, report.ts, report.bench), [])
        plain_rows = {row.model: row for row in actual}
        expected = [
            msgspec.structs.replace(model.row, by=None, bare=None, haystack=None)
            if name in plain_rows and plain_rows[name].by is None
            else model.row
            for name, model in report.models.items()
        ]
        yield from differing(
            _by_part(NEEDLEIF, actual), _by_part(NEEDLEIF, expected), NEEDLEIF.name
        )

    def _published(self, table: Table[Any], weeks: WeekTable, ts: str, bench: str) -> list[Any]:
        hot = self._hot.get((table.name, ts, bench))
        if hot is not None:
            return hot
        if not self._closed.holds(ts):
            return []
        week, rows = self._weeks.get(weeks.name, ("", {}))
        if week != week_of(ts):
            week, rows = week_of(ts), {}
            for row in self._closed.rows(weeks, week):
                if not isinstance(row, bytes):  # of a bench that this version does not know
                    rows.setdefault((row.ts, row.bench), []).append(row)
            self._weeks[weeks.name] = (week, rows)
        return rows.get((ts, bench), [])

    def _latest(self, bench: str) -> dict[str, Any] | None:
        path = self._data / f"latest_{bench}.json"
        try:
            return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
        except FileNotFoundError:
            return None
        except msgspec.MsgspecError as error:
            raise DataError(path, f"{error}; restore it from an earlier commit") from error


def _by_part(table: Table[Any], rows: Sequence[Any]) -> dict[str, Any]:
    """The rows by what tells them apart within a run."""
    named: dict[str, Any] = {}
    for row in rows:
        part: Any = table.part(row)
        name = part if isinstance(part, str) else " and ".join(sorted(part))
        named[name] = msgspec.to_builtins(row)
    return named


def _without_dropped(actual: Sequence[Any], expected: Sequence[Any]) -> list[Any]:
    """The expected rows without samples, where those are no longer kept."""
    dropped = {row.engine for row in actual if getattr(row, "lat_ms", ...) is None}
    return [
        msgspec.structs.replace(row, lat_ms=None)
        if hasattr(row, "lat_ms") and row.engine in dropped
        else row
        for row in expected
    ]


def _examine_in_process(task: Task) -> list[Verdict]:
    root, data, state, runs = task
    return _examine(root, _published(data, state), runs)


def _examine(root: Path, published: PublishedRows, runs: Sequence[ArchivedRun]) -> list[Verdict]:
    archive = FolderArchive(root)
    found = []
    for run in runs:
        try:
            report: Published = (
                archive.load_needleif(run.run_id)
                if run.bench == "needleif"
                else archive.load(run.run_id, run.bench)
            )
            if (report.run_id, report.bench) != (run.run_id, run.bench):
                differences = [f"its folder holds {report.bench} {report.run_id}"]
            elif isinstance(report, NeedleifReport):
                differences = examine_needleif(report, published)
            else:
                differences = examine(report, published)
        except NeedleError as error:
            differences = [str(error)]
        found.append(Verdict(run, differences))
    return found


@lru_cache(maxsize=1)
def _published(data: Path, state: str) -> PublishedRows:
    """The rows, of which a process that was made to rescore reads the hot ones once."""
    return PublishedRows(data)


def _state(data: Path) -> str:
    """Another text once a file was written: a worker of a cluster outlives what it has read."""
    stats = [(path.name, path.stat()) for path in sorted(data.glob("*.json*"))]
    return " ".join(f"{name}:{stat.st_size}:{stat.st_mtime_ns}" for name, stat in stats)


def _chosen(root: Path, args: Namespace) -> list[ArchivedRun]:
    if sum((args.run is not None, args.latest is not None, args.all)) != 1:
        raise UsageError("name one of RUN, --latest N and --all")
    runs = archived_runs(root)
    if args.run is not None:
        runs = [run for run in runs if run.run_id == args.run.replace(":", "")]
    elif args.latest is not None:
        runs = runs[-args.latest :]
    if not runs:
        raise UsageError(f"no such run in {root}; a run is named like 2026-11-15T1017Z")
    return runs


def _rejudge(root: Path, runs: Sequence[ArchivedRun], args: Namespace, edge: Edge) -> int:
    """Both leaderboards of each judged run: as it was judged then, and by the other model."""
    if args.check or args.metric is not None:
        raise UsageError("--judge-model compares two judges; leave --check and --metric out")
    judged = [(run.run_id, run.bench) for run in runs if run.bench in JUDGED_BENCHES]
    if not judged:
        known = ", ".join(sorted(JUDGED_BENCHES))
        raise UsageError(f"no judged run among these; judged are {known}")
    for then, now in judged_again(root, judged, args, read_settings(edge.environ, edge.sleep)):
        _show(then)
        print(f"judged then by {then.judge_model}, now by {now.judge_model}:")
        _show(now)
        print(
            f"{unjudged(now)} results have no rating now ({unjudged(then)} then); "
            f"judging cost {now.spend.cost_usd:.4f} USD",
            file=sys.stderr,
        )
    return 0


def _show_models(report: NeedleifReport) -> None:
    print(f"\n{report_table(report)}")


def _show(report: Report) -> None:
    title = f"{BENCH_LABELS[report.bench]} {report.ts}, {report.num_queries} queries"
    print(f"\n{title}\n{leaderboard(report, report_intervals(report))}")
