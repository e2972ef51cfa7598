"""The budget, sums of spending, and bounded work."""

from __future__ import annotations

import asyncio

import pytest

from runner.llm.client import Budgeted, Completion, LlmError, Prompt, run_bounded, total
from runner.records.judgements import Spend

PROMPT = Prompt("relevance", {})


class _Priced:
    """A model whose calls cost a fixed sum and end when they are let go."""

    model = "priced"
    effort = None

    def __init__(self, cost_usd: float, *, fails: bool = False) -> None:
        self.cost_usd = cost_usd
        self.fails = fails
        self.calls = 0

    async def complete(self, prompt: Prompt) -> Completion:
        self.calls += 1
        await asyncio.sleep(0)
        spend = Spend(calls=1, cost_usd=self.cost_usd)
        if self.fails:
            raise LlmError("truncated", "cut", spend)
        return Completion("{}", spend)

    async def aclose(self) -> None:
        return None


def _spend_all(model: Budgeted, calls: int, concurrency: int) -> list[str]:
    outcomes = []

    async def one(_: int) -> None:
        try:
            await model.complete(PROMPT)
            outcomes.append("done")
        except LlmError as error:
            outcomes.append(error.error_type)

    asyncio.run(run_bounded(range(calls), one, concurrency))
    return outcomes


@pytest.mark.parametrize("concurrency", [1, 4, 16])
@pytest.mark.parametrize("fails", [False, True])
def test_the_budget_is_never_passed_even_by_calls_in_flight(concurrency: int, fails: bool) -> None:
    model = Budgeted(_Priced(0.01, fails=fails), max_usd=0.1)
    outcomes = _spend_all(model, 50, concurrency)
    assert model.spent_usd <= 0.1 + 1e-9
    assert outcomes.count("budget") == model.refused > 0
    assert model.spent_usd == pytest.approx(0.01 * (50 - model.refused))


def test_a_budget_of_zero_makes_no_call() -> None:
    inner = _Priced(0.01)
    assert _spend_all(Budgeted(inner, max_usd=0.0), 3, 1) == ["budget"] * 3
    assert inner.calls == 0


def test_a_call_that_fits_after_others_waits_for_them() -> None:
    model = Budgeted(_Priced(0.01), max_usd=0.1, first_call_usd=0.09)
    assert _spend_all(model, 8, 8) == ["done"] * 8


def test_what_an_earlier_run_spent_counts() -> None:
    inner = _Priced(0.01)
    _spend_all(Budgeted(inner, max_usd=0.1, spent_usd=0.09), 3, 1)
    assert inner.calls == 0


def test_a_large_budget_refuses_nothing() -> None:
    assert _spend_all(Budgeted(_Priced(0.01), max_usd=10), 20, 8) == ["done"] * 20


def test_a_sum_of_spending_does_not_depend_on_the_order() -> None:
    spends = [Spend(cost_usd=cost) for cost in (0.1, 0.2, 0.3)]
    assert total(spends) == total(reversed(spends)) == Spend(cost_usd=0.6)


def test_spends_add_up_field_by_field() -> None:
    assert total([Spend(calls=1, prompt_tokens=2, cost_usd=0.5), Spend(calls=3)]) == Spend(
        calls=4, prompt_tokens=2, cost_usd=0.5
    )


def test_bounded_work_never_exceeds_its_concurrency_and_does_every_item() -> None:
    running, most, seen = 0, 0, []

    async def one(item: int) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        seen.append(item)
        running -= 1

    asyncio.run(run_bounded(range(20), one, 3))
    assert most == 3
    assert sorted(seen) == list(range(20))
