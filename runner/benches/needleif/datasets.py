"""The data set that flags ask for: configuration, needles, haystack and tokenizer, opened."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from runner.benches.needleif.config import FULL, SAMPLE, SMOKE, WEEKLY, Config, load_config
from runner.benches.needleif.generate import Job, opened
from runner.benches.needleif.pool import Pool, load_pool
from runner.errors import UsageError
from runner.paths import SAMPLE as SAMPLE_FOLDER
from runner.progress import progress_for
from runner.settings import Settings

SAMPLE_NEEDLES = SAMPLE_FOLDER / "needleif" / "needles.jsonl"
CONFIGS: Mapping[str, Config] = {
    "full": FULL, "smoke": SMOKE, "sample": SAMPLE, "weekly": WEEKLY,
}  # fmt: skip


def dataset_job(args: Namespace, settings: Settings, config_name: str) -> Job:
    """The job of the flags; UsageError and DataError say what cannot be used."""
    config = CONFIGS.get(config_name) or load_config(Path(config_name))
    for name in ("haystack", "tokenizer", "seed"):
        given = getattr(args, name)
        if given is not None:
            config = replace(config, **{name: given})
    pool = needle_pool(args.needles or "sample", settings)
    if args.exclude_flagged:
        pool = pool.unflagged()
    books = None
    if config.haystack == "pg19":
        from runner.benches.needleif.sources import pg19_cache

        folder = Path(args.pg19_cache) if args.pg19_cache else None
        progress = progress_for()
        try:
            books = pg19_cache(
                folder, revision=args.pg19_revision, settings=settings, progress=progress
            )
        finally:
            progress.close()
    elif args.pg19_cache is not None or args.pg19_revision is not None:
        raise UsageError("--pg19-cache and --pg19-revision are for the haystack pg19")
    return opened(config, pool, pg19_folder=books, settings=settings)


def needle_pool(name: str, settings: Settings) -> Pool:
    """The needles behind `--needles`."""
    if name == "sample":
        return load_pool(SAMPLE_NEEDLES)
    if name.startswith("hf:"):
        from runner.benches.needleif.sources import ifeval_from_hub

        return ifeval_from_hub(name.removeprefix("hf:"), settings=settings)
    return load_pool(Path(name))
