"""A run as it was asked for, and what every run does: search, then let a model look, then close."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.benches.bench import Bench
from runner.benches.options import RunOptions
from runner.benches.searching import search_all
from runner.benches.work import RunState, WorkFolder
from runner.engines.spec import Engine, EngineSpec
from runner.judging.reading import is_readable
from runner.llm.client import LanguageModel, PromptName
from runner.llm.memory import Remembering, SharedMemory
from runner.llm.prompts import prompt_sha256
from runner.progress import Progress
from runner.records.queries import QueryRow


@dataclass(frozen=True, kw_only=True)
class Job:
    """What to ask whom, and where the answers are kept.

    `model` is None where code alone decides. `ts` and `started_at` date the run, `clock` its
    records.
    """

    bench: Bench
    rows: Sequence[QueryRow]
    engines: Sequence[Engine]
    model: LanguageModel | None
    options: RunOptions
    work_path: Path
    ts: str
    started_at: str
    git_sha: str | None
    clock: Callable[[], str]
    progress: Progress

    @property
    def roster(self) -> list[EngineSpec]:
        """The engines in the order of the report."""
        return [engine.spec for engine in self.engines]


@dataclass(frozen=True)
class Answers:
    """What a job brought in; `stopped_by_budget`: some calls of the model were not made."""

    work: WorkFolder
    stopped_by_budget: bool


async def carry_out(
    job: Job,
    prompts: Sequence[PromptName],
    look: Callable[[LanguageModel, WorkFolder], Awaitable[None]],
) -> Answers:
    """All searches, then `look` with the model, if there is one; a stopped job goes on.

    `prompts` are those that `look` sends. Raises UsageError when the work folder holds a run with
    other settings, PublishError when the disk refuses a record. Closes the engines and the model.
    """
    model, options = job.model, job.options
    wanted = RunState(
        bench=job.bench.name,
        ts=job.ts,
        started_at=job.started_at,
        profile=options.profile,
        engines=sorted(spec.id for spec in job.roster),
        num_results=options.num_results,
        snippet_chars=options.snippet_chars,
        judge_model=model.model if model else None,
        judge_effort=model.effort if model else None,
        prompt_sha256={name: prompt_sha256(name) for name in prompts} if model else {},
    )
    memory = SharedMemory(options.judge_cache) if model and options.judge_cache else None
    work = WorkFolder(job.work_path, wanted)
    judge, budget = model, None
    if judge is not None and options.max_usd is not None:
        judge = budget = work.budgeted(judge, options.max_usd)
    if judge is not None and memory is not None:
        judge = Remembering(judge, memory, is_shared=True, is_readable=is_readable)
    try:
        await search_all(
            job.engines,
            job.rows,
            num_results=options.num_results,
            concurrency=options.search_concurrency,
            work=work,
            clock=job.clock,
            progress=job.progress,
        )
        if judge is not None:
            await look(judge, work)
    finally:
        if judge is not None:
            await judge.aclose()
        work.close()
    return Answers(work, budget is not None and budget.refused > 0)
