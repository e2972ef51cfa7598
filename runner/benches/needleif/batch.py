"""The whole of needleif in one command: data set, answers, scores, report, rows, archive, site.

Everything lies in the run's work folder, so that a stopped run goes on with `--resume` and asks
nothing twice.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from argparse import Namespace
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from runner.benches.needleif.ahead import ahead
from runner.benches.needleif.asking import Asked, AskOptions, ask_records
from runner.benches.needleif.datasets import dataset_job
from runner.benches.needleif.generate import MANIFEST, Job, manifest, write_dataset
from runner.benches.needleif.inputs import given_files
from runner.benches.needleif.models import check_priced, model_named
from runner.benches.needleif.questions import questions, selected
from runner.benches.needleif.reading import json_lines, read_records, read_responses
from runner.benches.needleif.reporting import asked_model, report_table, row_facts
from runner.benches.needleif.score import file_sha256
from runner.clock import clock_from
from runner.edge import Edge
from runner.errors import PublishError, UsageError
from runner.paths import DATA
from runner.pipeline import git_sha
from runner.progress import progress_for
from runner.publishing.needleif import check_needleif, publish_needleif
from runner.publishing.stores import FolderStore
from runner.records.base import encode_document
from runner.records.needleif import AskedModel, NeedleDataset, NeedleifReport
from runner.records.reports import Profile
from runner.settings import Settings, read_settings
from runner.storage import exclusive, write_file
from runner.text import minute_ts, run_id, second_ts
from runner.work_folders import began_at, choose_folder, mark_finished

REFERENCES = "embedded:follower,embedded:tail-copier"
MOST_FAILED = 0.1  # of a model's records, for its row to be published
SPLIT = "test"


@dataclass(frozen=True)
class Setup:
    """What a batch works with, all of it checked before anything is made or paid for."""

    settings: Settings
    profile: Profile
    models: tuple[str, ...]
    job: Job
    data: Path


def run_batch(args: Namespace, edge: Edge) -> int:
    """`needleif`: 0; 1 where a model gave too few answers to be published."""
    setup = _set_up(args, edge)
    clock = clock_from(args.now)
    if args.dry_run:
        print(_planned(setup, args), file=sys.stderr)
        return 0
    folder = choose_folder(setup.data, "needleif", clock(), wants_resume=args.resume)
    print(f"needleif, {setup.profile} profile, run in {folder}", file=sys.stderr)
    print(_planned(setup, args), file=sys.stderr)
    busy = f"another process works in {folder}; wait until it has ended"
    with exclusive(folder / ".lock", busy=busy):
        records = _dataset_in(folder, setup.job)
        asked = {name: _ask(name, records, folder, setup, args) for name in setup.models}
        usable = {n: (out, found) for n, (out, found) in asked.items() if _is_enough(n, found)}
        if not usable:
            raise PublishError(
                "no model gave enough answers; what came is kept, and the command with --resume "
                "goes on"
            )
        pairs = _wanted_pairs(records, [out for out, _ in usable.values()], args.limit)
        report = _report(records, usable, pairs, setup, began_at(folder), second_ts(clock()))
        write_file(folder / "report.json", encode_document(report))
        print(f"\n{report_table(report)}")
        _publish(report, setup.data, args.archive, clock())
        if len(usable) < len(asked):
            return 1
        mark_finished(folder)
    if args.site:
        from sitebuilder import build

        build(setup.data, Path(args.site), now=clock())
        print(f"site built; open {(Path(args.site) / 'index.html').resolve().as_uri()}")
    return 0


def _set_up(args: Namespace, edge: Edge) -> Setup:
    settings = read_settings(edge.environ, edge.sleep)
    profile: Profile = args.profile or (
        "live" if settings.key("OPENROUTER_API_KEY") else "embedded"
    )
    default = REFERENCES if profile == "embedded" else f"openrouter:{settings.llm_model}"
    models = tuple(name.strip() for name in (args.models or default).split(",") if name.strip())
    if not models or len(set(models)) < len(models):
        raise UsageError(f"--models {args.models!r}: name each model once")
    for name in models:
        if profile == "embedded" and not name.startswith("embedded:"):
            raise UsageError(f"--models {name} is asked in the live profile; use --profile live")
        check_priced(name, args.max_usd)
        model_named(name, settings)  # for what it refuses
    data = Path(args.data) if args.data else DATA[profile]
    if data.exists() and not data.is_dir():
        raise UsageError(f"--data {data} is a file; name a folder")
    if args.site is not None:
        from sitebuilder.staging import check_target

        check_target(Path(args.site), data)
    config = args.config or ("weekly" if profile == "live" else "sample")
    with given_files():
        job = dataset_job(args, settings, config)
    if SPLIT not in job.config.splits:
        raise UsageError("--config has no split test, the one that models are asked")
    return Setup(settings, profile, models, job, data)


def _dataset_in(folder: Path, job: Job) -> Path:
    """The records of a run, made unless they are there; other ones than `job` makes are refused.

    The manifest is written last, and it says all that the records depend on.
    """
    place = folder / "dataset"
    held = place / MANIFEST
    if not held.exists():
        write_dataset(job, place)
    elif held.read_bytes() != manifest(job, json.loads(held.read_bytes())["files"]):
        raise UsageError(
            f"the run in {folder} has another data set than these flags make; give --config, "
            "--needles and the others as they were, or start a new run without --resume"
        )
    return place / f"{SPLIT}.jsonl"


def _planned(setup: Setup, args: Namespace) -> str:
    """What will be asked, in one line; tokens are those of the reference tokenizer."""
    config = setup.job.config
    share = config.splits[SPLIT]
    whole = {label: round(n * share) for label, n in config.pairs.items()}
    pairs = min(sum(whole.values()), args.limit or sum(whole.values()))
    tokens = sum(int(label[:-1]) * 1024 * n for label, n in whole.items())
    return (
        f"{pairs} pairs = {2 * pairs} requests x {len(setup.models)} models, at most about "
        f"{tokens * pairs // max(1, sum(whole.values())):,} tokens in ({config.tokenizer}) a model"
    )


def _ask(
    name: str, records: Path, folder: Path, setup: Setup, args: Namespace
) -> tuple[Path, Asked]:
    """A model's answers: the file of them and what it holds."""
    slug = re.sub(r"[^A-Za-z0-9.-]+", "-", name)
    out = folder / "answers" / f"{setup.models.index(name)}-{slug}.jsonl"
    options = AskOptions(concurrency=args.concurrency, limit=args.limit, max_usd=args.max_usd)
    print(ahead(records, out, options).line(name), file=sys.stderr)
    progress = progress_for()
    try:
        model = model_named(name, setup.settings, concurrency=args.concurrency)
        asked = asyncio.run(ask_records(records, out, model, options, progress=progress))
    finally:
        progress.close()
    print(asked.spend_line(name), file=sys.stderr)
    if asked.stopped is not None:
        print(f"{name}: stopped: {asked.stopped}", file=sys.stderr)
    return out, asked


def _is_enough(name: str, asked: Asked) -> bool:
    wanted = asked.done + asked.failed
    if asked.failed <= MOST_FAILED * wanted:
        return True
    print(
        f"needle: {name} is not published: {asked.failed} of {wanted} records have no answer; "
        "the command with --resume asks them again",
        file=sys.stderr,
    )
    return False


def _report(
    records_path: Path,
    asked: Mapping[str, tuple[Path, Asked]],
    pairs: Collection[str],
    setup: Setup,
    began: datetime,
    finished_at: str,
) -> NeedleifReport:
    ts = minute_ts(began)
    records = [each for each in read_records(records_path) if each.pair_id in pairs]
    metadata = {
        value["id"]: value["metadata"]
        for _, value in json_lines(records_path)
        if value["pair_id"] in pairs
    }
    dataset = _dataset(records_path, setup.job, pairs=len(pairs))
    models: dict[str, AskedModel] = {}
    for name, (out, found) in asked.items():
        responses = read_responses(out, metadata)
        model = json.loads(out.with_name(f"{out.name}.run.json").read_bytes())
        facts = row_facts(
            ts=ts,
            profile=setup.profile,
            model=model["model"],
            provider=model["provider"],
            dataset=dataset,
            responses_sha256=file_sha256(out),
            samples=1,
            asked=found,
        )
        if facts["model"] in models:
            raise UsageError(f"--models: {name} has the name of another one, {facts['model']}")
        models[facts["model"]] = asked_model(records, metadata, responses, _stops(out), facts)
    return NeedleifReport(
        run_id=run_id(ts),
        ts=ts,
        profile=setup.profile,
        started_at=second_ts(began),
        finished_at=finished_at,
        git_sha=git_sha(),
        dataset=dataset,
        models=models,
    )


def _wanted_pairs(records: Path, outs: Sequence[Path], limit: int) -> set[str]:
    """The pairs that were to be asked, answered or not; and what a larger --limit asked before."""
    known = list(questions(records))
    answered = {value["id"] for out in outs for _, value in json_lines(out)}
    wanted = {question.pair_id for question in selected(known, limit=limit)}
    return wanted | {question.pair_id for question in known if question.id in answered}


def _stops(out: Path) -> dict[str, list[str | None]]:
    return {value["id"]: [value["stop_reason"]] for _, value in json_lines(out)}


def _dataset(records: Path, job: Job, *, pairs: int) -> NeedleDataset:
    made: dict[str, Any] = json.loads((records.parent / MANIFEST).read_bytes())
    return NeedleDataset(
        records_sha256=made["files"][records.name],
        split=SPLIT,
        seed=job.config.seed,
        tokenizer=job.tokenizer.name,
        haystack=job.haystack.source,
        needles=job.pool.origin or job.pool.needles[0].source,
        pairs=pairs,
    )


def _publish(report: NeedleifReport, data: Path, archive: str | None, now: datetime) -> None:
    """Stores the answers, then the rows that stand for them."""
    check_needleif(report)
    store = FolderStore(Path(archive) if archive else data / "archive")
    artifacts = store.store_run(report, b"")
    published = publish_needleif(report, data, now=now, artifacts=artifacts)
    if published.changed:
        print(f"published {published.asked} into {data}")
    else:
        print(f"{data} held this run already; nothing changed")
    print(f"archived {len(artifacts)} files in {store.root}")
