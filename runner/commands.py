"""The commands behind the command line: each stage of a bench, and all of them in one go.

Stages pass files; `run_batch` keeps them in a work folder of the data directory, so that a
stopped run can go on and a finished one can be looked at until later runs push it out.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from argparse import Namespace
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TextIO

import msgspec

from runner.benches.bench import Bench, Harvest, load_bench
from runner.benches.gold import with_kept_gold
from runner.benches.loading import encode_queries, load_queries
from runner.benches.reporting import families_of
from runner.benches.work import run_began_at
from runner.clock import Clock, clock_from
from runner.edge import Edge
from runner.errors import DataError, TooLittleError, UsageError
from runner.leaderboard import leaderboard
from runner.llm.memory import JobMemory, Remembering
from runner.paths import DATA
from runner.pipeline import (
    LOCAL_ENGINES,
    Setup,
    encode_pages,
    engine_names,
    estimate,
    judge_model,
    load_pages,
    pages_path,
    query_model,
    remarks,
    run_bench,
    sampled,
    set_up,
)
from runner.progress import progress_for
from runner.publishing.checks import check_report
from runner.publishing.publish import publish, report_intervals
from runner.publishing.stores import FolderStore
from runner.records.base import encode_document
from runner.records.jsonl import Rows
from runner.records.published import BENCH_LABELS
from runner.records.queries import QueryRow
from runner.records.reports import Report, decode_report
from runner.settings import read_settings
from runner.storage import exclusive, write_file, write_files
from runner.work_folders import began_at, choose_folder, mark_finished


def run_generate(args: Namespace, edge: Edge) -> int:
    """`BENCH generate`: query rows to `--out`, and beside it the pages for the local engines."""
    setup = set_up(args, edge)
    out, bench = _out_file(args.out), load_bench(args.bench)
    harvest = _harvest(bench, setup, args, memory=None, gold=None if args.out == "-" else out)
    if bench.suite is not None:  # the others make no more rows than they are asked for
        args.sample = "stratified"
        harvest = replace(harvest, rows=sampled(bench, harvest.rows, args))
    if args.out == "-":
        sys.stdout.buffer.write(encode_queries(harvest.rows))
    else:
        _write_harvest(harvest, out)
    return 0


def run_run(args: Namespace, edge: Edge) -> int:
    """`BENCH run`: a report to `--out`; answers are kept in `<out>.work/` as they arrive."""
    setup = set_up(args, edge)
    bench = load_bench(args.bench)
    queries, out = Path(args.queries), _out_file(args.out)
    if args.out == "-":
        with tempfile.TemporaryDirectory(prefix="needle-") as folder:
            report = _run(bench, setup, args, queries, Path(folder) / "work", setup.clock())
        if report is not None:
            sys.stdout.buffer.write(encode_document(report))
    else:
        work_path = out.with_name(f"{out.name}.work")
        with _alone_in(work_path, args):
            # lines of plain text are queries of the hour in which the run began
            began = run_began_at(work_path) or setup.clock()
            report = _run(bench, setup, args, queries, work_path, began)
            if report is not None:
                write_file(out, encode_document(report))
    if report is not None:
        _show(report, sys.stderr)
    return 0


def run_publish(args: Namespace, edge: Edge) -> int:
    """`BENCH publish`: a report's rows into a data directory."""
    path = Path(args.report)
    try:
        report = decode_report(path.read_bytes())
    except OSError as error:
        raise DataError(path, f"cannot be read ({error.strerror})") from error
    except msgspec.MsgspecError as error:
        raise DataError(path, f"not a report that this version can read: {error}") from error
    if report.bench != args.bench:
        raise UsageError(f"{path} is of another bench; use: needle {report.bench} publish")
    _publish(report, clock_from(None), Path(args.data), archive=None, queries=b"")
    return 0


def run_batch(args: Namespace, edge: Edge) -> int:
    """`BENCH`: generate, run, publish, archive, and the site where `--site` names a folder."""
    setup = set_up(args, edge)
    bench = load_bench(args.bench)
    data = Path(args.data) if args.data else DATA[setup.profile]
    _check_places(data, args.site)
    folder = choose_folder(data, bench.name, setup.clock(), wants_resume=args.resume)
    print(f"{bench.name}, {setup.profile} profile, run in {folder}", file=sys.stderr)
    with _alone_in(folder, args):
        return _run_in(folder, bench, setup, args, data)


def run_filter(args: Namespace, edge: Edge) -> int:
    """`agentic_rare filter`: the rare queries of a stream."""
    from runner.benches.agentic_rare.filter_command import run_filter as run

    return run(args, edge)


def list_engines(args: Namespace, edge: Edge) -> int:
    """`engines`: the roster to standard output."""
    from runner.engines.listing import as_json, listed, show

    rows = listed(read_settings(edge.environ, edge.sleep))
    if args.json:
        sys.stdout.buffer.write(as_json(rows))
    else:
        show(rows, sys.stdout)
    return 0


def run_doctor(args: Namespace, edge: Edge) -> int:
    """`doctor`: one line an engine and one for the model; 1 where any that was asked fails."""
    from runner.doctor import check, plan_checkup

    settings = read_settings(edge.environ, edge.sleep)
    clock = clock_from(None)
    names = engine_names(args.engines) if args.engines else None

    async def examine() -> bool:
        model = None
        if settings.llm_key:
            model = judge_model(Setup(settings, "live", clock, ()), None, 1)
        checkup = plan_checkup(
            names,
            settings=settings,
            model=model,
            today=clock().date(),
            timeout_s=args.timeout,
        )
        print(checkup.plan, file=sys.stderr, flush=True)
        return await check(checkup, lambda line: print(line, flush=True), time.monotonic)

    return 0 if asyncio.run(examine()) else 1


def _run_in(folder: Path, bench: Bench, setup: Setup, args: Namespace, data: Path) -> int:
    """The stages of a batch, each taken up where an earlier process left it."""
    queries = folder / "queries.jsonl"
    if not queries.exists():
        if args.dry_run:
            print(f"up to {estimate(setup, args, _planned(args))}", file=sys.stderr)
            return 0
        gold = data / bench.query_file if bench.suite else None
        harvest = _harvest(bench, setup, args, memory=folder / "completions.jsonl", gold=gold)
        _write_harvest(harvest, queries)
        if gold is not None:
            write_file(gold, encode_queries(harvest.rows))
    work_path = folder / "report.json.work"
    report = _run(bench, setup, args, queries, work_path, began_at(folder))
    if report is None:
        return 0
    write_file(folder / "report.json", encode_document(report))
    _show(report, sys.stdout)
    archive = FolderStore(Path(args.archive) if args.archive else data / "archive")
    _publish(report, setup.clock, data, archive=archive, queries=queries.read_bytes())
    mark_finished(folder)
    if args.site:
        _build_site(data, Path(args.site), setup.clock)
    return 0


def _alone_in(folder: Path, args: Namespace) -> AbstractContextManager[object]:
    """Keeps other processes out of a folder of answers; a dry run touches nothing."""
    if args.dry_run:
        return nullcontext()
    return exclusive(
        folder / ".lock",
        busy=f"another process works in {folder}; wait until it has ended, or start another run "
        "(another --out, --data or minute)",
    )


def _check_places(data: Path, site: str | None) -> None:
    """Raises UsageError for places that cannot be written to, before anything is paid for."""
    if data.exists() and not data.is_dir():
        raise UsageError(f"--data {data} is a file; name a folder")
    if site is not None:
        from sitebuilder.staging import check_target

        check_target(Path(site), data)


def _out_file(out: str) -> Path:
    """The file of `--out`, checked before the work that fills it."""
    if Path(out).is_dir():
        raise UsageError(f"--out {out} is a folder; name a file")
    folder = next(place for place in Path(out).absolute().parents if place.exists())
    if out != "-" and not (folder.is_dir() and os.access(folder, os.W_OK)):
        raise UsageError(f"--out {out}: {folder} cannot be written to; name another place")
    return Path(out)


def _planned(args: Namespace) -> int:
    if not args.limit:
        raise UsageError("--dry-run needs --limit N: how many queries there are is not known yet")
    return int(args.limit)


def _harvest(
    bench: Bench, setup: Setup, args: Namespace, *, memory: Path | None, gold: Path | None
) -> Harvest:
    """The queries of a bench; the model's answers are kept in `memory` in case it is stopped.

    `gold` is the query file of an earlier time: suites that give too little now keep its rows.
    """
    progress = progress_for()

    async def generate() -> Harvest:
        model = query_model(setup, args.llm_model, args.llm_concurrency)
        if memory is not None:
            model = Remembering(model, JobMemory(memory), is_shared=False)
        try:
            return await bench.generate(
                args, setup.settings, setup.profile, setup.clock(), model, progress
            )
        finally:
            await model.aclose()

    try:
        harvest = asyncio.run(generate())
    finally:
        progress.close()
    if harvest.short and bench.suite:
        previous = _gold_of_before(gold, setup, bench) if gold and gold.exists() else []
        try:
            harvest = with_kept_gold(harvest, previous, bench.suite)
        except TooLittleError:
            _tell(harvest)  # what was dropped and why is the way to the cause
            raise
    _tell(harvest)
    return harvest


def _gold_of_before(gold: Path, setup: Setup, bench: Bench) -> list[QueryRow]:
    """The usable rows of a gold file; one without any is no help, and no reason to stop."""
    try:
        loaded = load_queries(gold, setup.clock(), bench)
    except DataError as error:
        print(f"nothing to keep: {error}", file=sys.stderr)
        return []
    _tell_bad(loaded, gold)
    return loaded.good


def _tell_bad(loaded: Rows[QueryRow], queries: Path) -> None:
    for bad in loaded.bad[:5]:
        print(f"left out: {bad}", file=sys.stderr)
    if len(loaded.bad) > 5:
        print(f"left out: {len(loaded.bad) - 5} more lines of {queries}", file=sys.stderr)


def _tell(harvest: Harvest) -> None:
    for line in harvest.summary():
        print(line, file=sys.stderr)


def _write_harvest(harvest: Harvest, queries: Path) -> None:
    write_files(
        {
            pages_path(queries): encode_pages(harvest.pages),
            queries: encode_queries(harvest.rows),
        }
    )


def _run(
    bench: Bench,
    setup: Setup,
    args: Namespace,
    queries: Path,
    work_path: Path,
    began: datetime,
) -> Report | None:
    """The report of a run, or None for a dry run, which only says what it would ask."""
    loaded = load_queries(queries, began, bench)
    _tell_bad(loaded, queries)
    rows = sampled(bench, loaded.good, args)
    print(estimate(setup, args, len(rows)), file=sys.stderr)
    if args.dry_run:
        return None
    needs_pages = any(name in LOCAL_ENGINES for name in setup.engines)
    pages = load_pages(queries, bench) if needs_pages else []
    progress = progress_for()
    try:
        return asyncio.run(
            run_bench(
                bench,
                setup,
                args,
                rows,
                pages,
                began=began,
                work_path=work_path,
                progress=progress,
            )
        )
    finally:
        progress.close()


def _show(report: Report, file: TextIO) -> None:
    title = f"{BENCH_LABELS[report.bench]} {report.ts}, {report.num_queries} queries"
    print(f"\n{title}\n{leaderboard(report, report_intervals(report))}\n", file=file)
    for line in remarks(report):
        print(line, file=sys.stderr)


def _publish(
    report: Report,
    clock: Clock,
    data: Path,
    *,
    archive: FolderStore | None,
    queries: bytes,
) -> None:
    """Stores the full results, then the rows that stand for them; says where both went."""
    check_report(report)
    artifacts = [] if archive is None else archive.store_run(report, queries)
    published = publish(
        report, data, now=clock(), families=families_of(report), artifacts=artifacts
    )
    counts = ", ".join(f"{count} {name}" for name, count in published.rows.items())
    if published.changed:
        print(f"published {counts} into {data}")
    else:
        print(f"{data} held this run already; nothing changed")
    if archive is not None:
        print(f"archived {len(artifacts)} files in {archive.root}")


def _build_site(data: Path, out: Path, clock: Clock) -> None:
    """The site of a data directory; the runner only starts this later stage."""
    from sitebuilder import build

    build(data, out, now=clock())
    print(f"site built; open {(out / 'index.html').resolve().as_uri()}")
