"""The judge phase: what is recorded, and what a refusal of the budget leaves for a resume."""

from __future__ import annotations

import asyncio
import io
from datetime import UTC, datetime
from pathlib import Path

from runner.benches.judging_phase import judge_all
from runner.benches.loading import text_query
from runner.benches.work import RunState, WorkFolder
from runner.judging.relevance import Document
from runner.llm.client import Completion, Prompt
from runner.progress import PlainProgress
from runner.records.judgements import Spend

ROW = text_query("storm harbour", datetime(2026, 11, 15, 10, 17, tzinfo=UTC))
DOCUMENT = Document("k", "https://a.example/1", "Storm", "A storm.", None)


class _Unreadable:
    """A model whose replies cannot be read and cost half a dollar each."""

    model = "unreadable"
    effort = None

    async def complete(self, _prompt: Prompt) -> Completion:
        return Completion("?", Spend(calls=1, cost_usd=0.5))

    async def aclose(self) -> None:
        return None


def _judged(folder: Path, max_usd: float) -> WorkFolder:
    state = RunState(
        bench="news",
        ts="2026-11-15T10:17Z",
        started_at="2026-11-15T10:17:00Z",
        profile="live",
        engines=["exa"],
        num_results=5,
        snippet_chars=2000,
        judge_model="unreadable",
        judge_effort=None,
        prompt_sha256={},
    )
    work = WorkFolder(folder, state)
    asyncio.run(
        judge_all(
            work.budgeted(_Unreadable(), max_usd),
            [ROW],
            {ROW.query_id: {DOCUMENT.key: DOCUMENT}},
            concurrency=1,
            work=work,
            clock=lambda: "2026-11-15T10:17:30Z",
            progress=PlainProgress(io.StringIO()),
        )
    )
    work.close()
    return work


def test_a_call_that_was_paid_before_the_budget_refused_its_retry_is_recorded(
    tmp_path: Path,
) -> None:
    work = _judged(tmp_path, max_usd=0.6)
    record = work.profiles[ROW.query_id]
    assert record.error is not None
    assert (record.error.error_type, record.spend.calls) == ("budget", 1)
    assert work.judgements == {}
    assert _judged(tmp_path, max_usd=0.6).spend == Spend(calls=1, cost_usd=0.5)


def test_a_call_that_the_budget_refused_leaves_no_record(tmp_path: Path) -> None:
    work = _judged(tmp_path, max_usd=0.01)
    assert (work.profiles, work.judgements, work.spend) == ({}, {}, Spend())
