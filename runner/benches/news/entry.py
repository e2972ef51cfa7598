"""The news bench as the command line sees it."""

from __future__ import annotations

from argparse import Namespace
from datetime import datetime
from pathlib import Path

from runner.benches.bench import Bench, Harvest
from runner.benches.news.flags import misplaced_flag
from runner.benches.news.generate import NewsOptions, generate
from runner.benches.news.trends import parse_geos
from runner.errors import UsageError
from runner.llm.client import LanguageModel
from runner.paths import SAMPLE
from runner.progress import Progress
from runner.records.queries import QueryRow
from runner.records.reports import Profile
from runner.settings import Settings

EMBEDDED_DEADLINE_S = 20.0  # a machine whose network swallows packets must still finish soon


def stratum(row: QueryRow) -> str:
    """Bucket and domain: trend rows would else fill one stratum, `other`, with everything."""
    return f"{row.query_origin.bucket}:{row.topical_domain}"


async def generate_from_flags(
    args: Namespace,
    settings: Settings,
    profile: Profile,
    now: datetime,
    model: LanguageModel,
    progress: Progress,
) -> Harvest:
    """The harvest that the flags ask for; raises UsageError for a flag of the other source."""
    if misplaced := misplaced_flag(args):
        raise UsageError(f"{misplaced} does not go with --source {args.source}")
    given = {
        name: getattr(args, name)
        for name in ("fetch_concurrency", "max_rows_per_source", "min_candidates", "max_trends")
        if hasattr(args, name)
    }
    is_embedded = profile == "embedded"
    options = NewsOptions(
        now=now,
        source=args.source,
        feeds=Path(args.feeds) if hasattr(args, "feeds") else None,
        feeds_dir=Path(args.feeds_dir) if hasattr(args, "feeds_dir") else None,
        sample=SAMPLE if is_embedded else None,
        limit=args.limit,
        seed=args.seed,
        geos=parse_geos(getattr(args, "geos", "us-all")),
        llm_concurrency=args.llm_concurrency,
        deadline_s=EMBEDDED_DEADLINE_S if is_embedded else None,
        **given,
    )
    return await generate(options, model=model, settings=settings, progress=progress)


BENCH = Bench(
    name="news",
    kind="judged",
    query_file="fresh.jsonl",
    stratum=stratum,
    generate=generate_from_flags,
)
