"""The finance bench as the command line sees it."""

from __future__ import annotations

from argparse import Namespace
from datetime import datetime

from runner.benches.bench import Bench, Harvest
from runner.benches.finance.fields import FIELDS, FRESHNESS, SUITES
from runner.benches.finance.generate import FinanceOptions, generate
from runner.benches.finance.score import finance_target, suite_of
from runner.benches.suites import cache_folder, listed, sample_harvest
from runner.llm.client import LanguageModel
from runner.paths import SAMPLE
from runner.progress import Progress
from runner.records.queries import QueryRow
from runner.records.reports import Profile
from runner.sampling import hour_seed
from runner.settings import Settings


def stratum(row: QueryRow) -> str:
    """Bucket, syntax and field, so that no kind of question is left out of a small sample."""
    field = row.gold.get("field", "") if row.gold else ""
    return f"{row.query_origin.bucket}:{row.query_origin.syntax}:{field}"


async def generate_from_flags(
    args: Namespace,
    settings: Settings,
    profile: Profile,
    now: datetime,
    model: LanguageModel,
    progress: Progress,
) -> Harvest:
    """The harvest that the flags ask for; the embedded profile takes the sample's gold."""
    suites = listed(args.suites, SUITES, "--suites")
    money = tuple(name for name, field in FIELDS.items() if field.type == "money")
    fields = listed(args.fields, money, "--fields")
    if profile == "embedded":
        return sample_harvest(SAMPLE / "finance" / "gold.jsonl", suite_of, suites)
    options = FinanceOptions(
        now=now,
        suites=suites,
        fields=fields,
        max_companies=args.max_companies,
        min_employee_year=args.min_employee_year or now.year - 1,
        per_company=args.per_company,
        quarters_back=args.quarters_back,
        filingdoc_target=args.filingdoc_target,
        seed=hour_seed(now) if args.seed is None else args.seed,
        llm_concurrency=args.llm_concurrency,
        registry_concurrency=args.registry_concurrency,
        cache=cache_folder(args.source_cache),
    )
    return await generate(options, model=model, settings=settings, progress=progress)


BENCH = Bench(
    name="finance",
    kind="known_item",
    query_file="gold.jsonl",
    stratum=stratum,
    generate=generate_from_flags,
    target=finance_target,
    suite=suite_of,
    group_order={"freshness_window": FRESHNESS},
)
