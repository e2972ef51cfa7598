"""One cheap live call to every engine and to the model: what works, and what to do where not.

Engines are asked without retries, so that a check is quick and costs what it says; the model
repeats calls that failed as it does in a run, since those are not paid.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from runner.diagnosis import Diagnosis, Service, diagnose, no_key
from runner.engines.registry import build_engines, load_catalog
from runner.engines.spec import Engine, EngineSpec
from runner.http import Clock, RetryPolicy
from runner.llm.client import LanguageModel, LlmError, Prompt
from runner.settings import Settings

QUERY = "python programming language documentation"
NUM_RESULTS = 5
SNIPPET_CHARS = 500
ONCE = RetryPolicy(transport=0, server=0, rate_limited=0)
LLM_DOCS = "https://openrouter.ai/docs"
LLM_TIMEOUT_S = 180.0
MAX_DETAIL_CHARS = 120

Say = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Checkup:
    """What is to be asked: engines that can be, engines whose key is missing, and the model."""

    engines: Sequence[Engine]
    without_key: Sequence[EngineSpec]
    model: LanguageModel | None
    settings: Settings
    today: date
    timeout_s: float | None

    @property
    def plan(self) -> str:
        """How many paid calls will be made, and what they cost at list prices."""
        paid = [engine.spec for engine in self.engines if self.is_paid(engine.spec)]
        usd = sum((spec.price_usd_per_1k or 0.0) / 1000 for spec in paid)
        unknown = sum(spec.price_usd_per_1k is None for spec in paid)
        calls = len(paid) + (self.model is not None)
        asked = _counted(len(self.engines), "engine") + (" and the model" if self.model else "")
        text = f"asking {asked} once: {_counted(calls, 'paid call')}"
        text += f", searches about {usd:.4f} USD at list prices, tokens on top"
        return f"{text}, {unknown} without a known price" if unknown else text

    def is_paid(self, spec: EngineSpec) -> bool:
        """Whether a search is charged to an account of ours."""
        has_account = spec.key_env is None or self.settings.key(spec.key_env) is not None
        return has_account and spec.price_usd_per_1k != 0

    def service(self, spec: EngineSpec) -> Service:
        """The engine as the diagnosis sees it."""
        return Service(spec.key_env, self.settings.key(spec.key_env) is not None, spec.docs)


def plan_checkup(
    names: Sequence[str] | None,
    *,
    settings: Settings,
    model: LanguageModel | None,
    today: date,
    timeout_s: float | None = None,
) -> Checkup:
    """The check of the named engines; without names of all on the web whose key is there.

    Raises UsageError for an unknown or repeated name.
    """
    catalog = load_catalog()
    if names is None:
        names = [
            spec.id
            for spec in catalog.values()
            if spec.vendor != "local" and (settings.key(spec.key_env) or not spec.key_required)
        ]
    missing = [
        spec
        for spec in (catalog[name] for name in dict.fromkeys(names) if name in catalog)
        if spec.key_required and not settings.key(spec.key_env)
    ]
    lacking = {spec.id for spec in missing}
    corpus = None
    if any(name in catalog and catalog[name].vendor == "local" for name in names):
        from runner.engines.local import Corpus, Page

        page = Page(url="https://python.example/", title=QUERY, text=QUERY, published_date=None)
        corpus = Corpus([page])
    engines = build_engines(
        [name for name in names if name not in lacking],
        settings=settings,
        snippet_chars=SNIPPET_CHARS,
        corpus=corpus,
        today=today,
        timeout_s=timeout_s,
        retry=ONCE,
        sleep=settings.sleep,
    )
    return Checkup(
        engines=engines,
        without_key=missing,
        model=model,
        settings=settings,
        today=today,
        timeout_s=timeout_s,
    )


async def check(checkup: Checkup, say: Say, clock: Clock) -> bool:
    """Whether all that was asked works; `say` gets one line for each.

    Engines are asked at the same time, so the seconds of one may hold a wait for its siblings'
    turn on the same key. A model without a key is told but is no failure: it was not asked.
    """
    names = [spec.id for spec in checkup.without_key] + [e.spec.id for e in checkup.engines]
    width = max(map(len, [*names, "model"]))

    def line(name: str, text: str) -> None:
        say(f"{name.ljust(width)}  {text}")

    for spec in checkup.without_key:
        line(spec.id, _failed(no_key(checkup.service(spec))))
    tasks = [asyncio.create_task(_check_engine(e, checkup, clock)) for e in checkup.engines]
    model = None
    if checkup.model is not None:
        model = asyncio.create_task(_check_model(checkup.model, checkup, clock))
    works = not checkup.without_key
    for engine, task in zip(checkup.engines, tasks, strict=True):
        is_fine, text = await task
        works &= is_fine
        line(engine.spec.id, text)
    if model is not None:
        is_fine, text = await model
        works &= is_fine
        line("model", text)
    else:
        key = checkup.settings.llm_key_env
        line("model", f"not asked: {key} is not set; without it: --profile embedded")
    return works


async def _check_engine(engine: Engine, checkup: Checkup, clock: Clock) -> tuple[bool, str]:
    start = clock()
    try:
        outcome = await engine.search(QUERY, num_results=NUM_RESULTS)
    finally:
        await engine.aclose()
    took = _seconds(clock() - start)
    if outcome.error is None:
        price = engine.spec.price_usd_per_1k
        cost = "price unknown" if price is None else f"{price / 1000:.5f} USD"
        if not checkup.is_paid(engine.spec):
            cost = "free"
        found = outcome.results or []
        remark = "" if found else "; found nothing, which this query should not give"
        return True, f"works  {took}, {_counted(len(found), 'result')}, {cost}{remark}"
    error = outcome.error
    service = checkup.service(engine.spec)
    found_out = diagnose(error.error_type, error.error_message, service, error.status)
    return False, _failed(found_out, error.error_message, took)


async def _check_model(model: LanguageModel, checkup: Checkup, clock: Clock) -> tuple[bool, str]:
    start = clock()
    prompt = Prompt("query_profile", {"query": QUERY, "today": checkup.today.isoformat()})
    settings = checkup.settings
    docs = LLM_DOCS if settings.is_openrouter else settings.llm_base_url
    service = Service(settings.llm_key_env, True, docs)
    try:
        async with asyncio.timeout(checkup.timeout_s or LLM_TIMEOUT_S):
            completion = await model.complete(prompt)
    except TimeoutError:
        message = "TimeoutError: no complete answer"
        return False, _failed(diagnose("transport", message, service), message)
    except LlmError as error:
        status = re.match(r"(\d{3}):", error.message)
        found_out = diagnose(
            error.error_type, error.message, service, int(status[1]) if status else None
        )
        return False, _failed(found_out, error.message, _seconds(clock() - start))
    finally:
        await model.aclose()
    spend = completion.spend
    cost = "price unknown" if spend.unpriced_calls else f"{spend.cost_usd:.5f} USD"
    return True, f"works  {_seconds(clock() - start)}, {model.model}, {cost}"


def _failed(diagnosis: Diagnosis, detail: str = "", took: str = "") -> str:
    shown = " ".join(detail.split())[:MAX_DETAIL_CHARS]
    shown = "".join(c if c.isprintable() else "\ufffd" for c in shown)
    where = ", ".join(filter(None, (took, shown)))
    return f"FAILS  {diagnosis.meaning}: {diagnosis.step}{f'  [{where}]' if where else ''}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _seconds(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
