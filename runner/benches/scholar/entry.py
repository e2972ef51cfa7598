"""The scholar bench as the command line sees it."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import cast

from runner.benches.bench import Bench, Harvest
from runner.benches.scholar.generate import ScholarOptions, generate
from runner.benches.scholar.rows import (
    AGE_BUCKETS,
    BUCKETS,
    SUITES,
    AgeBucket,
    Bucket,
    Suite,
)
from runner.benches.scholar.score import scholar_target, stratum, suite_of, unit_of
from runner.benches.suites import listed, sample_harvest
from runner.llm.client import LanguageModel
from runner.paths import SAMPLE
from runner.progress import Progress
from runner.records.reports import Profile
from runner.sampling import hour_seed
from runner.settings import Settings


async def generate_from_flags(
    args: Namespace,
    settings: Settings,
    profile: Profile,
    now: datetime,
    model: LanguageModel,
    progress: Progress,
) -> Harvest:
    """The harvest that the flags ask for; the embedded profile takes the sample's gold."""
    suites = cast(tuple[Suite, ...], listed(args.suites, SUITES, "--suites"))
    ages = cast(tuple[AgeBucket, ...], listed(args.age_buckets, AGE_BUCKETS, "--age-buckets"))
    buckets = cast(tuple[Bucket, ...], listed(args.buckets, BUCKETS, "--buckets"))
    if profile == "embedded":
        return _of_sample(suites, buckets)
    options = ScholarOptions(
        now=now,
        suites=suites,
        ages=ages,
        buckets=buckets,
        per_cell=args.per_cell,
        seed=hour_seed(now) if args.seed is None else args.seed,
        concurrency=args.llm_concurrency,
    )
    return await generate(options, model=model, settings=settings, progress=progress)


def _of_sample(suites: Sequence[Suite], buckets: Sequence[Bucket]) -> Harvest:
    """The sample's rows of the suites and buckets that were asked for, of every age."""
    harvest = sample_harvest(SAMPLE / "scholar" / "gold.jsonl", suite_of, suites)
    rows = [row for row in harvest.rows if row.query_origin.bucket in buckets]
    return replace(harvest, rows=rows, counts={"from_the_sample": len(rows)})


BENCH = Bench(
    name="scholar",
    kind="known_item",
    query_file="scholar.jsonl",
    stratum=stratum,
    generate=generate_from_flags,
    target=scholar_target,
    suite=suite_of,
    unit=unit_of,
    gaps=(("bucket", "title", "body"), ("bucket", "body", "clue"), ("bucket", "body", "tot")),
    group_order={"age": AGE_BUCKETS, "bucket": BUCKETS},
)
