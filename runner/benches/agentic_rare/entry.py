"""The agentic_rare bench as the command line sees it."""

from __future__ import annotations

from argparse import Namespace
from datetime import datetime
from pathlib import Path

from runner.benches.agentic_rare.generate import RareOptions, generate
from runner.benches.agentic_rare.hub import dataset_name
from runner.benches.agentic_rare.rows import as_query_lines, bucket_of
from runner.benches.agentic_rare.used import decode_used, remembered
from runner.benches.bench import Bench, Harvest
from runner.benches.hub_files import CACHE
from runner.llm.client import LanguageModel
from runner.paths import DATA, SAMPLE
from runner.progress import Progress
from runner.records.base import encode_line
from runner.records.jsonl import read_rows
from runner.records.reports import Profile
from runner.sampling import hour_seed
from runner.settings import Settings
from runner.storage import write_file

SAMPLE_FILE = SAMPLE / "agentic_rare" / "rare_entity.jsonl"


async def generate_from_flags(
    args: Namespace,
    settings: Settings,
    profile: Profile,
    now: datetime,
    model: LanguageModel,
    progress: Progress,
) -> Harvest:
    """The harvest that the flags ask for; the embedded profile samples the repository's rows."""
    is_sample = profile == "embedded" and not args.queries
    used_file = _used_file(args, profile)
    used = read_rows(used_file, decode_used).good if used_file else []
    options = RareOptions(
        now=now,
        seed=hour_seed(now) if args.seed is None else args.seed,
        dataset=dataset_name(args.dataset, settings),
        filtered_path=args.filtered_path,
        cache=Path(args.source_cache) if args.source_cache else CACHE,
        file=SAMPLE_FILE if is_sample else Path(args.queries) if args.queries else None,
        queries_from="sample" if is_sample else "file" if args.queries else "artifact",
        limit=args.limit,
        scheme=args.sample,
        used=used,
    )
    harvest = await generate(options, settings=settings)
    if used_file:
        kept = remembered(used, harvest.rows, now)
        write_file(used_file, b"".join(encode_line(query) for query in kept))
    return harvest


def _used_file(args: Namespace, profile: Profile) -> Path | None:
    """Where asked queries are remembered: `--used`, else beside the rows of a live batch."""
    if args.used:
        return Path(args.used)
    if getattr(args, "command", "") != "run_batch" or profile == "embedded":
        return None
    return (Path(args.data) if args.data else DATA[profile]) / "agentic_rare.used.jsonl"


BENCH = Bench(
    name="agentic_rare",
    kind="judged",
    query_file="agentic_rare.jsonl",
    stratum=bucket_of,
    generate=generate_from_flags,
    query_lines=as_query_lines,
)
