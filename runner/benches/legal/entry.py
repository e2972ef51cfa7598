"""The legal bench as the command line sees it."""

from __future__ import annotations

from argparse import Namespace
from datetime import datetime

from runner.benches.bench import Bench, Harvest
from runner.benches.legal.caselaw import COURTS
from runner.benches.legal.generate import LegalOptions, generate
from runner.benches.legal.rows import SUITES
from runner.benches.legal.score import legal_target, stratum, suite_of
from runner.benches.suites import cache_folder, listed, sample_harvest
from runner.errors import UsageError
from runner.llm.client import LanguageModel
from runner.paths import SAMPLE
from runner.progress import Progress
from runner.records.reports import Profile
from runner.sampling import hour_seed
from runner.settings import Settings

LAST_TITLE = 50


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
    courts = listed(args.courts, tuple(COURTS), "--courts")
    titles = parse_titles(args.titles)
    if profile == "embedded":
        return sample_harvest(SAMPLE / "legal" / "gold.jsonl", suite_of, suites)
    options = LegalOptions(
        now=now,
        suites=suites,
        courts=courts,
        per_court=args.per_court,
        months_back=args.months_back,
        months_per_court=args.months_per_court,
        titles=titles,
        per_title=args.per_title,
        seed=hour_seed(now) if args.seed is None else args.seed,
        llm_concurrency=args.llm_concurrency,
        cache=cache_folder(args.source_cache),
    )
    return await generate(options, model=model, settings=settings, progress=progress)


def parse_titles(text: str) -> tuple[int, ...]:
    """The titles in `--titles`, each once; raises UsageError for one that the CFR does not have."""
    names = dict.fromkeys(name.strip() for name in text.split(",") if name.strip())
    wrong = next((n for n in names if not n.isdecimal() or not 1 <= int(n) <= LAST_TITLE), None)
    if wrong is not None or not names:
        raise UsageError(f"--titles {wrong or text!r}: titles of the CFR are 1 to {LAST_TITLE}")
    return tuple(int(name) for name in names)


BENCH = Bench(
    name="legal",
    kind="known_item",
    query_file="legal.jsonl",
    stratum=stratum,
    generate=generate_from_flags,
    target=legal_target,
    suite=suite_of,
)
