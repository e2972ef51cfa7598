"""The commands of needleif that need more than the standard library: data sets, models, pushes."""

from __future__ import annotations

import asyncio
import json
import sys
from argparse import Namespace
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from runner.benches.needleif.ahead import ahead
from runner.benches.needleif.asking import SAMPLED_TEMPERATURE, AskOptions, ask_records
from runner.benches.needleif.attaching import attach_answers
from runner.benches.needleif.batch import run_batch
from runner.benches.needleif.datasets import dataset_job
from runner.benches.needleif.generate import differing_files, write_dataset
from runner.benches.needleif.inputs import given_files
from runner.benches.needleif.models import Model, check_priced, model_named
from runner.benches.needleif.reading import CONDITIONS
from runner.clock import clock_from
from runner.edge import Edge
from runner.errors import DataError, UsageError
from runner.progress import progress_for
from runner.records.needleif import NeedleifReport
from runner.settings import Settings, read_settings
from runner.storage import exclusive

__all__ = ["run_batch", "run_generate", "run_publish", "run_push", "run_run"]


def run_generate(args: Namespace, edge: Edge) -> int:
    """`generate`: the splits; with --check 1 where the files there would come out otherwise."""
    out = Path(args.out)
    settings = read_settings(edge.environ, edge.sleep)
    with given_files():
        job = dataset_job(args, settings, args.config or "full")
    for name, dropped in job.pool.dropped.items():
        print(f"left out: {dropped} needles with {name}, which is no check", file=sys.stderr)
    if args.check:
        differing = differing_files(job, out)
        for name in differing:
            print(f"needle: {out / name} would come out otherwise", file=sys.stderr)
        print(f"{out}: {'not ' if differing else ''}what this command makes", file=sys.stderr)
        return 1 if differing else 0
    progress = progress_for()

    def advance(done: int, total: int) -> None:
        if done == 1:
            progress.phase("pairs", total)
        progress.advance()

    try:
        with given_files():
            hashes = write_dataset(replace(job, progress=advance), out)
    finally:
        progress.close()
    for name, digest in hashes.items():
        print(f"{digest}  {out / name}")
    return 0


def run_run(args: Namespace, edge: Edge) -> int:
    """`run`: 0; 1 where a record got no answer or a pair no turn."""
    settings = read_settings(edge.environ, edge.sleep)
    return _attach(args, settings) if args.attach else _ask(args, settings)


def _ask(args: Namespace, settings: Settings) -> int:
    records, out = _records(args), Path(args.out)
    default = 0.0 if args.samples == 1 else SAMPLED_TEMPERATURE
    options = AskOptions(
        samples=args.samples,
        temperature=getattr(args, "temperature", default),
        max_tokens=args.max_tokens,
        concurrency=args.concurrency,
        conditions=_conditions(args.conditions),
        limit=args.limit,
        max_usd=args.max_usd,
        strip_reasoning=args.strip_reasoning,
        restart=args.restart,
    )
    check_priced(args.model, args.max_usd, args.base_url)
    model = _model(args, args.model, settings)
    with given_files():
        print(ahead(records, out, options).line(model.name), file=sys.stderr)
    if args.dry_run:
        return 0
    progress = progress_for()
    try:
        with _alone(out), given_files():
            asked = asyncio.run(ask_records(records, out, model, options, progress=progress))
    finally:
        progress.close()
    print(asked.spend_line(model.name), file=sys.stderr)
    if asked.stopped is not None:
        print(f"needle: stopped: {asked.stopped}", file=sys.stderr)
    if asked.failed:
        print(
            f"needle: {asked.failed} records have no answer; see {out}.errors.jsonl; "
            "the same command asks them again",
            file=sys.stderr,
        )
    return 1 if asked.failed or asked.stopped else 0


def _attach(args: Namespace, settings: Settings) -> int:
    records, out = _records(args), Path(args.out)
    models = [_model(args, name, settings) for name in (args.model, *args.fallback_model)]
    most = AskOptions(samples=args.attempts, temperature=None, conditions=("bare",), restart=True)
    with given_files():
        up_to = ahead(records, out, most)
    for model in models:
        print(f"up to {up_to.line(model.name)}", file=sys.stderr)
    if args.dry_run:
        return 0
    progress = progress_for()
    try:
        with _alone(out), given_files():
            attached = asyncio.run(
                attach_answers(
                    records,
                    out,
                    models,
                    settings=settings,
                    progress=progress,
                    attempts=args.attempts,
                    concurrency=args.concurrency,
                    drop_unfilled=args.drop_unfilled,
                    tokenizer=args.tokenizer,
                    restart=args.restart,
                )
            )
    finally:
        progress.close()
    print(f"{attached.filled} pairs have a verified turn in {out}", file=sys.stderr)
    for pair_id in attached.unfilled:
        print(f"needle: pair {pair_id} has none", file=sys.stderr)
    if attached.unfilled:
        print("needle: the same command asks for these alone", file=sys.stderr)
    return 1 if attached.unfilled else 0


def run_publish(args: Namespace, edge: Edge) -> int:
    """`publish`: a report's rows into a data directory; twice is the same as once."""
    from runner.publishing.needleif import publish_needleif

    path, data = Path(args.report), Path(args.data)
    with given_files():
        try:
            report = msgspec.json.decode(path.read_bytes(), type=NeedleifReport)
        except msgspec.MsgspecError as error:
            raise DataError(path, f"not a report of needleif: {error}") from error
    published = publish_needleif(report, data, now=clock_from(args.now)())
    if published.changed:
        print(f"published {published.asked} into {data}")
    else:
        print(f"{data} held this run already; nothing changed")
    return 0


def run_push(args: Namespace, edge: Edge) -> int:
    """`push`: a data set to the hub; a dry run lists its files and the card."""
    from runner.benches.needleif.hub import card, push_dataset

    settings = read_settings(edge.environ, edge.sleep)
    with given_files():
        files = push_dataset(
            args.folder, args.repo, private=args.private, dry_run=args.dry_run, settings=settings
        )
    for file in files:
        print(f"{file.size:>12,}  {file.path}")
    if args.dry_run:
        print(f"\n{card(args.folder)}")
    else:
        print(f"pushed {len(files)} files to {args.repo}", file=sys.stderr)
    return 0


def _records(args: Namespace) -> Path:
    records = Path(args.records)
    if not records.is_file():
        raise UsageError(f"--records {records}: no such file; `needle needleif generate` makes one")
    if Path(args.out).is_dir():
        raise UsageError(f"--out {args.out} is a folder; name a file")
    return records


def _alone(out: Path) -> AbstractContextManager[object]:
    """Keeps other processes out of a file of answers."""
    busy = f"another process writes {out}; wait until it has ended"
    return exclusive(out.with_name(f".{out.name}.lock"), busy=busy)


def _conditions(words: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in words.split(",") if name.strip())
    if not names or any(name not in CONDITIONS for name in names):
        raise UsageError(f"--conditions {words!r}: known are {', '.join(CONDITIONS)}")
    return names


def _model(args: Namespace, name: str, settings: Settings) -> Model:
    return model_named(
        name,
        settings,
        base_url=args.base_url,
        api_key_env=args.api_key_env,
        extra_body=_extra(args.extra_body),
        concurrency=args.concurrency,
        retries=args.retries,
    )


def _extra(words: str | None) -> dict[str, Any]:
    if words is None:
        return {}
    try:
        value = json.loads(words)
    except ValueError as error:
        raise UsageError(f"--extra-body is no JSON ({error})") from error
    if not isinstance(value, dict):
        raise UsageError('--extra-body must be a JSON object, as in {"top_p": 1}')
    return value
