"""The commands behind the command line: each stage of a bench, and all of them in one go.

Stages pass files; `run_batch` keeps them in `<data>/work/<run_id>-<bench>/` until the next runs
have pushed them out, so that a stopped run can go on and a finished one can be looked at.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from argparse import Namespace
from pathlib import Path

import msgspec

from runner.benches.bench import Bench, load_bench
from runner.benches.loading import encode_queries, load_queries
from runner.benches.names import BENCH_NAMES
from runner.errors import DataError, UsageError
from runner.leaderboard import leaderboard
from runner.paths import DATA
from runner.pipeline import (
    LOCAL_ENGINES,
    Setup,
    encode_pages,
    estimate,
    load_pages,
    pages_path,
    query_model,
    remarks,
    run_bench,
    sampled,
    set_up,
)
from runner.progress import Progress, progress_for
from runner.publishing.archive import FolderArchive
from runner.publishing.publish import publish, report_intervals
from runner.records.base import encode_document
from runner.records.reports import JudgedReport
from runner.storage import write_file, write_files
from runner.text import minute_ts, run_id

KEPT_RUNS = 5
_FINISHED = "published"


def run_generate(args: Namespace) -> int:
    """`BENCH generate`: query rows to `--out`, and beside it the pages for the local engines."""
    setup = set_up(args, dict(os.environ))
    progress = progress_for()
    try:
        harvest = asyncio.run(_harvest(setup, args, progress))
    finally:
        progress.close()
    if args.out == "-":
        sys.stdout.buffer.write(encode_queries(harvest.rows))
    else:
        out = Path(args.out)
        write_files(
            {out: encode_queries(harvest.rows), pages_path(out): encode_pages(harvest.pages)}
        )
    print(harvest.summary(), file=sys.stderr)
    return 0


def run_run(args: Namespace) -> int:
    """`BENCH run`: a report to `--out`; answers are kept in `<out>.work/` as they arrive."""
    setup = set_up(args, dict(os.environ))
    bench = load_bench(args.bench)
    queries = Path(args.queries)
    if args.out != "-":
        out = Path(args.out)
        report = _report(bench, setup, args, queries, out.with_name(f"{out.name}.work"))
        if report is not None:
            write_file(out, encode_document(report))
    else:
        with tempfile.TemporaryDirectory(prefix="needle-") as folder:
            report = _report(bench, setup, args, queries, Path(folder) / "work")
        if report is not None:
            sys.stdout.buffer.write(encode_document(report))
    if report is not None:
        _print_result(report, file=sys.stderr)
    return 0


def run_publish(args: Namespace) -> int:
    """`BENCH publish`: a report's rows into a data directory."""
    path = Path(args.report)
    try:
        report = msgspec.json.decode(path.read_bytes(), type=JudgedReport)
    except OSError as error:
        raise DataError(path, f"cannot be read ({error.strerror})") from error
    except msgspec.MsgspecError as error:
        raise DataError(path, f"not a report of this version: {error}") from error
    if report.bench != args.bench:
        raise UsageError(f"{path} is a report of {report.bench}; use: needle {report.bench} publish")
    print(_publish(report, Path(args.data), args, queries=None), file=sys.stderr)
    return 0


def run_batch(args: Namespace) -> int:
    """`BENCH`: generate, run, publish, archive, and the site where `--site` names a folder."""
    setup = set_up(args, dict(os.environ))
    bench = load_bench(args.bench)
    data = Path(args.data) if args.data else DATA[setup.profile]
    folder = _work_folder(data, bench.name, setup, wants_resume=args.resume)
    queries = folder / "queries.jsonl"
    print(f"{bench.name}, {setup.profile} profile, run in {folder}", file=sys.stderr)
    progress = progress_for()
    try:
        if not queries.exists():
            harvest = asyncio.run(_harvest(setup, args, progress))
            progress.note(harvest.summary())
            files = {
                pages_path(queries): encode_pages(harvest.pages),
                queries: encode_queries(harvest.rows),
            }
            if args.dry_run:
                progress.note(estimate(setup, args, len(sampled(bench, harvest.rows, args))))
                return 0
            write_files(files)
    finally:
        progress.close()
    report = _report(bench, setup, args, queries, folder / "report.json.work")
    if report is None:
        return 0
    write_file(folder / "report.json", encode_document(report))
    _print_result(report, file=sys.stdout)
    print(_publish(report, data, args, queries=queries))
    write_file(folder / _FINISHED, b"")
    _drop_old_runs(data, bench.name)
    if args.site:
        _build_site(data, Path(args.site))
    return 0


async def _harvest(setup: Setup, args: Namespace, progress: Progress) -> Harvest:
    model = query_model(setup, args.llm_model, args.llm_concurrency)
    generate = import_module(f"runner.benches.{args.bench}.generate")
    try:
        harvest: Harvest = await generate.from_flags(args, setup, model, progress)
    finally:
        await model.aclose()
    return harvest


def _report(
    bench: Bench, setup: Setup, args: Namespace, queries: Path, work_path: Path
) -> JudgedReport | None:
    """The report of a run, or None for a dry run, which only says what it would ask."""
    loaded = load_queries(queries, setup.clock())
    for bad in loaded.bad[:5]:
        print(f"left out: {bad}", file=sys.stderr)
    if len(loaded.bad) > 5:
        print(f"left out: {len(loaded.bad) - 5} more lines", file=sys.stderr)
    rows = sampled(bench, loaded.good, args)
    print(estimate(setup, args, len(rows)), file=sys.stderr)
    if args.dry_run:
        return None
    needs_pages = any(name in LOCAL_ENGINES for name in setup.engines)
    pages = load_pages(queries) if needs_pages else []
    progress = progress_for()
    try:
        return asyncio.run(
            run_bench(
                bench,
                setup,
                args,
                rows,
                pages,
                work_path=work_path,
                progress=progress,
            )
        )
    finally:
        progress.close()


def _print_result(report: JudgedReport, *, file: TextIO) -> None:
    print(f"\n{BENCH_LABELS[report.bench]} {report.ts}, {report.num_queries} queries", file=file)
    print(leaderboard(report, report_intervals(report)), file=file)
    print(file=file)
    for line in remarks(report):
        print(line, file=sys.stderr)


def _publish(report: JudgedReport, data: Path, args: Namespace, *, queries: bytes) -> str:
    """Publishes and archives; says where the rows went."""
