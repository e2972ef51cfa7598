"""One bench, stage by stage: what every command that runs a stage shares.

generate -> queries.jsonl (+ pages for the local engines) -> run -> report.json. Flags become
typed options here; below this module nothing knows of the command line.
"""

from __future__ import annotations

import subprocess
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from runner.benches.bench import Bench
from runner.benches.job import Job
from runner.benches.known_item import run_known_item
from runner.benches.options import RunOptions
from runner.benches.ranked import run_judged
from runner.clock import Clock, clock_from
from runner.edge import Edge
from runner.engines.registry import build_engines, in_mode, load_catalog
from runner.engines.spec import Engine
from runner.errors import UsageError
from runner.llm.client import LanguageModel
from runner.llm.embedded import EmbeddedModel
from runner.llm.openrouter import ChatModel
from runner.paths import ROOT, SAMPLE
from runner.progress import Progress
from runner.records.jsonl import read_all
from runner.records.queries import QueryRow
from runner.records.reports import KnownItemReport, Profile, Report
from runner.sampling import sample, sample_units
from runner.settings import Settings, read_settings
from runner.text import minute_ts, second_ts

if TYPE_CHECKING:
    from runner.engines.local import Corpus, Page

LIVE_ENGINES = ("keenable", "exa")
LOCAL_ENGINES = ("local-bm25", "local-dense", "local-hybrid")
JUDGE_TIMEOUT_S = 180.0  # high effort thinks long, and a time-out is not asked again
QUERY_TIMEOUT_S = 60.0
# What one judgement costs with the default model at high effort: about 2,400 tokens in and 900
# out, at 0.10 and 0.50 USD a million. A guide for the estimate only; the report has the true sum.
JUDGEMENT_USD = 0.0007


@dataclass(frozen=True)
class Setup:
    """What a command works with: the environment, the profile, the time, the engines."""

    settings: Settings
    profile: Profile
    clock: Clock
    engines: tuple[str, ...]


def set_up(args: Namespace, edge: Edge) -> Setup:
    """The setup of a command; raises UsageError where the profile lacks its key."""
    settings = read_settings(edge.environ, edge.sleep)
    profile: Profile = args.profile or ("live" if settings.llm_key else "embedded")
    flags = import_module(f"runner.benches.{args.bench}.flags")
    purpose = flags.model_purpose(args)
    if profile == "live" and purpose and not settings.llm_key:
        raise UsageError(
            f"{settings.llm_key_env} is not set; the live profile needs it to {purpose}. "
            "Without a key: --profile embedded"
        )
    if profile == "embedded" and getattr(args, "judge", False):
        raise UsageError(
            f"--judge needs a language model; set {settings.llm_key_env}, or leave it out: "
            "the matcher works without"
        )
    is_unpriced = profile == "live" and not settings.is_openrouter
    if is_unpriced and getattr(args, "max_usd", None) is not None:
        raise UsageError(
            "--max-usd needs to know what a call costs, and only OpenRouter says it; "
            "leave it out with NEEDLE_LLM_BASE_URL"
        )
    default = LIVE_ENGINES if profile == "live" else LOCAL_ENGINES
    named = getattr(args, "engines", None)
    engines = engine_names(named) if named else default
    setup = Setup(settings, profile, clock_from(args.now), engines)
    # A wrong name or a missing key must be told before anything is fetched or paid.
    twice = next((name for name in engines if engines.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"--engines names {twice!r} twice; name each one once")
    _engines(setup, [name for name in engines if name not in LOCAL_ENGINES], None, 0, 1)
    return setup


def engine_names(named: str) -> tuple[str, ...]:
    """The names behind `--engines` in roster order; raises UsageError where there is none."""
    engines = [name.strip() for name in named.split(",") if name.strip()]
    if not engines:
        raise UsageError("--engines names no engine; write it like --engines keenable,exa")
    return tuple(sorted(engines, key=_place_in_roster))


def _place_in_roster(name: str) -> int:
    """The catalog's order, other engines behind it: rows and pairs of all runs are named alike,
    and of two engines on one key the fast one is asked before its slower sibling.
    """
    order = list(load_catalog())
    return order.index(name) if name in order else len(order)


def _engines(
    setup: Setup, names: Sequence[str], corpus: Corpus | None, snippet_chars: int, concurrency: int
) -> list[Engine]:
    return build_engines(
        names,
        settings=setup.settings,
        snippet_chars=snippet_chars,
        corpus=corpus,
        concurrency=concurrency,
        today=setup.clock().date(),
        sleep=setup.settings.sleep,
    )


def query_model(setup: Setup, model: str | None, concurrency: int) -> LanguageModel:
    """The model that writes queries."""
    return _model(setup, model or setup.settings.llm_model, concurrency, QUERY_TIMEOUT_S)


def judge_model(setup: Setup, model: str | None, concurrency: int) -> LanguageModel:
    """The model that judges."""
    return _model(setup, model or setup.settings.judge_model, concurrency, JUDGE_TIMEOUT_S)


def _model(setup: Setup, model: str, concurrency: int, timeout_s: float) -> LanguageModel:
    key = setup.settings.llm_key
    if setup.profile == "embedded" or key is None:
        return EmbeddedModel()  # without a key: `set_up` has seen that none will be asked
    return ChatModel(
        setup.settings, model=model, key=key, concurrency=concurrency, timeout_s=timeout_s
    )


def run_options(setup: Setup, args: Namespace) -> RunOptions:
    """The run's options from its flags."""
    return RunOptions(
        profile=setup.profile,
        judge=getattr(args, "judge", True),
        num_results=args.num_results,
        snippet_chars=args.snippet_chars,
        seed=args.seed or 0,
        judge_concurrency=args.judge_concurrency,
        search_concurrency=args.search_concurrency,
        max_usd=args.max_usd,
        judge_cache=Path(args.judge_cache) if args.judge_cache else None,
        with_latency=not args.no_latency,
    )


def sampled(bench: Bench, rows: Sequence[QueryRow], args: Namespace) -> list[QueryRow]:
    """The rows that a run asks: `--limit`, `--sample`, `--seed`."""
    seed = args.seed or 0
    if bench.unit is not None:
        return sample_units(rows, args.limit, args.sample, seed, bench.stratum, bench.unit)
    return sample(rows, args.limit, args.sample, seed, bench.stratum)


async def run_bench(
    bench: Bench,
    setup: Setup,
    args: Namespace,
    rows: Sequence[QueryRow],
    pages: Sequence[Page],
    *,
    began: datetime,
    work_path: Path,
    progress: Progress,
) -> Report:
    """The report of one run over `rows`; `pages` are what the local engines search.

    `began` dates the run and its rows.
    """
    options = run_options(setup, args)
    corpus = None
    if any(name in LOCAL_ENGINES for name in setup.engines):
        from runner.engines.local import Corpus

        progress.note(f"indexing {len(pages)} pages for the local engines")
        corpus = Corpus(pages)
    engines = _engines(
        setup, setup.engines, corpus, options.snippet_chars, options.search_concurrency
    )
    model = None
    if options.judge:
        model = judge_model(setup, args.judge_model, options.judge_concurrency)
    job = Job(
        bench=bench,
        rows=rows,
        engines=engines,
        model=model,
        options=options,
        work_path=work_path,
        ts=minute_ts(began),
        started_at=second_ts(began),
        git_sha=git_sha(),
        clock=lambda: second_ts(setup.clock()),
        progress=progress,
    )
    return await (run_judged(job) if bench.kind == "judged" else run_known_item(job))


def estimate(setup: Setup, args: Namespace, num_queries: int) -> str:
    """What a run will ask and about what it costs, in one line, before anything is spent."""
    catalog = load_catalog()
    searches = num_queries * len(setup.engines)
    text = f"{num_queries} queries x {len(setup.engines)} engines = {searches} searches"
    has_judge = getattr(args, "judge", True)
    if setup.profile == "embedded":
        by = "embedded judge" if has_judge else "matched by code"
        return f"{text}, {by}; free of cost"
    asked = [in_mode(catalog[name], setup.settings) for name in setup.engines if name in catalog]
    priced = [spec.price_usd_per_1k for spec in asked]
    search_usd = sum(price or 0.0 for price in priced) * num_queries / 1000
    unknown = len(setup.engines) - sum(price is not None for price in priced)
    text += f" (about {search_usd:.2f} USD at list prices"
    text += f", {unknown} engines without a known price)" if unknown else ")"
    if not has_judge:
        return f"{text}; matched by code, no model calls"
    calls = searches * args.num_results + num_queries
    text += f"; up to {calls} model calls"
    text += f" (about {calls * JUDGEMENT_USD:.2f} USD with the default model)"
    if args.max_usd is not None:
        text += f", judging stops before {args.max_usd:.2f} USD"
    return text


def remarks(report: Report) -> list[str]:
    """What a reader of the leaderboard must know besides: counts of what went wrong."""
    lines = []
    if report.stopped_by_budget:
        lines.append(
            "judging stopped before the budget was passed (--max-usd); "
            "the same command with a larger one goes on from here"
        )
    lines += [f"{count} {what}" for count, what in _judge_remarks(report) if count]
    for name, block in report.engines.items():
        first = next((q.search_error for q in block.per_query if q.search_error), None)
        if first is not None:
            lines.append(
                f"{name}: {block.search_errors} searches failed, first: "
                f"{first.error_class}, {first.error_type}, {first.error_message[:160]}"
            )
    if report.judge_cache_hits:
        lines.append(f"{report.judge_cache_hits} answers came from the cache and cost nothing")
    if report.profile == "live" and report.judge_model is not None:
        cost = f"judging cost {report.spend.cost_usd:.4f} USD in {report.spend.calls} calls"
        unpriced = report.spend.unpriced_calls
        lines.append(f"{cost}, {unpriced} of them at a price unknown" if unpriced else cost)
    return lines


def _judge_remarks(report: Report) -> list[tuple[int, str]]:
    if isinstance(report, KnownItemReport):
        upgrades = sum(
            block.judge_upgrades for name, block in report.engines.items() if name != "ultimate"
        )
        return [
            (report.judge_errors, "rejected results could not be checked by the model"),
            (upgrades, "hits stand higher, or at all, because the model recognised the value"),
        ]
    return [
        (report.judge_errors, "documents could not be judged; their queries count only if sure"),
        (report.profile_errors, "queries were judged without a profile"),
        (report.gate_violations, "ratings exceed the cap of a gate that the judge failed"),
        (report.code_gated, "ratings were set to 0 by an operator rule that code decides"),
    ]


def git_sha() -> str | None:
    """The commit of this checkout, None where it is not one."""
    try:
        found = subprocess.run(
            ["git", "rev-parse", "HEAD"],  # noqa: S607
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout.strip() or None


def pages_path(queries: Path) -> Path:
    """Where `generate` puts the harvested pages of a query file, and `run` looks for them."""
    return queries.with_name(f"{queries.stem}.pages.jsonl")


def encode_pages(pages: Sequence[Page]) -> bytes:
    """The pages as JSONL."""
    return b"".join(msgspec.json.encode(page) + b"\n" for page in pages)


def load_pages(queries: Path, bench: Bench) -> list[Page]:
    """What the local engines search: the pages harvested with the queries and the samples'.

    Of several with one URL the longest text stands: a feed's summary must not hide the article.
    Raises DataError at a line that cannot be read.
    """
    from runner.engines.local import Page

    decode = msgspec.json.Decoder(Page).decode
    pages = read_all(pages_path(queries), decode) + read_all(SAMPLE / "pages.jsonl", decode)
    pages += read_all(SAMPLE / bench.name / "pages.jsonl", decode)
    longest: dict[str, Page] = {}
    for page in pages:
        if page.url not in longest or len(page.text) > len(longest[page.url].text):
            longest[page.url] = page
    return list(longest.values())
