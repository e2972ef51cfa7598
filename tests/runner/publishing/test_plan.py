"""What is due: tables of ledgers and times, and claims on a branch that two plans race for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from runner.cli import main
from runner.errors import DataError
from runner.publishing.ledger import (
    SCHEDULE,
    Claim,
    Ledger,
    ledger_files,
    newest_slot,
    read_ledger,
    settle,
)
from runner.publishing.plan import Plan, claimed, decide, overspent_at, spent_usd
from runner.records.base import encode_document
from runner.records.published import RunEntry
from runner.records.slots import SlotRow
from runner.text import minute_ts, parse_time, run_id
from tests.runner.publishing.made import report, rows
from tests.runner.publishing.test_push import clone, environ, push, remote, tip, tracked, write

__all__ = ["remote"]  # a fixture of the tests of push

GOLD = ("finance", "scholar", "legal")


def ran(*slots: str, bench: str = "news") -> list[SlotRow]:
    return [SlotRow(ts=slot, bench=bench, state="ran", run_ts=slot) for slot in slots]


def ledger(*more: SlotRow, claims: Sequence[Claim] = ()) -> Ledger:
    """A ledger in which every bench ran in each of its slots until 12:17, and what is given."""
    served = [
        row
        for bench in SCHEDULE
        for row in ran(minute_ts(newest_slot(bench, parse_time("2026-11-15T12:30Z"))), bench=bench)
    ]
    return Ledger(claims=claims).with_rows([*served, *more])


def due(plan: Plan) -> dict[str, str | None]:
    return {each.bench: each.slot for each in plan.due}


def missed(plan: Plan) -> list[tuple[str, str]]:
    return [(row.bench, row.ts) for row in plan.missed]


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("2026-11-15T13:16Z", {}),
        ("2026-11-15T13:17Z", {"news": "2026-11-15T13:17Z"}),
        ("2026-11-15T13:59Z", {"news": "2026-11-15T13:17Z"}),
        ("2026-11-15T14:16Z", {"news": "2026-11-15T13:17Z"}),
    ],
)
def test_the_newest_slot_is_due_until_the_next(now: str, expected: dict[str, str]) -> None:
    assert due(decide(ledger(), now=parse_time(now), has_gold=GOLD)) == expected


def test_on_time_is_said_and_so_is_late() -> None:
    plans = [
        decide(ledger(), now=parse_time(now), has_gold=GOLD)
        for now in ("2026-11-15T13:47Z", "2026-11-15T13:48Z")
    ]
    assert [plan.due[0].reason for plan in plans] == ["on time", "late by 31 minutes"]


def test_four_hours_late_runs_each_bench_once_and_records_what_was_missed() -> None:
    state = ledger(*ran("2026-11-15T13:17Z", "2026-11-15T14:17Z"))
    plan = decide(state, now=parse_time("2026-11-15T19:20Z"), has_gold=GOLD)
    assert due(plan) == {
        "news": "2026-11-15T19:17Z",
        "agentic_rare": "2026-11-15T15:17Z",
        "scholar": "2026-11-15T18:17Z",
    }
    reasons = {each.bench: each.reason for each in plan.due}
    assert reasons["agentic_rare"] == "late by 243 minutes"
    assert missed(plan) == [("news", f"2026-11-15T{hour}:17Z") for hour in (15, 16, 17, 18)]
    assert {row.reason for row in plan.missed} == {"nothing was started before the next slot"}


def test_skipped_hours_between_runs_are_found_afterwards() -> None:
    state = ledger(*ran("2026-11-15T16:17Z", "2026-11-15T17:17Z"))
    plan = decide(state, now=parse_time("2026-11-15T17:30Z"), has_gold=GOLD)
    assert missed(plan) == [("news", f"2026-11-15T{hour}:17Z") for hour in (13, 14, 15)]
    again = decide(claimed(state, plan), now=parse_time("2026-11-15T17:40Z"), has_gold=GOLD)
    assert missed(again) == []


def test_a_whole_day_without_us_misses_daily_slots_too() -> None:
    plan = decide(ledger(), now=parse_time("2026-11-16T12:20Z"), has_gold=GOLD)
    assert due(plan) == {
        "news": "2026-11-16T12:17Z",
        "finance": "2026-11-16T12:17Z",
        "scholar": "2026-11-16T06:17Z",
        "legal": "2026-11-16T09:17Z",
        "agentic_rare": "2026-11-16T03:17Z",
    }
    assert [row for row in missed(plan) if row[0] != "news"] == [
        ("finance", "2026-11-16T00:17Z"),
        ("scholar", "2026-11-15T18:17Z"),
        ("legal", "2026-11-15T21:17Z"),
        ("agentic_rare", "2026-11-15T15:17Z"),
    ]


@pytest.mark.parametrize(
    ("now", "slot", "reason"),
    [
        ("2026-11-21T23:17Z", None, None),  # a Saturday
        ("2026-11-22T02:16Z", None, None),
        ("2026-11-22T02:17Z", "2026-11-22T02:17Z", "on time"),
        ("2026-11-24T02:17Z", "2026-11-22T02:17Z", "late by 2880 minutes"),
        ("2026-11-29T02:16Z", "2026-11-22T02:17Z", "late by 10079 minutes"),
        ("2026-11-29T02:17Z", "2026-11-29T02:17Z", "on time"),
    ],
)
def test_models_are_asked_on_sundays_or_as_soon_as_a_timer_comes_after_it(
    now: str, slot: str | None, reason: str | None
) -> None:
    plan = decide(ledger(), now=parse_time(now), has_gold=GOLD, benches=["needleif"])
    assert due(plan) == ({} if slot is None else {"needleif": slot})
    assert [each.reason for each in plan.due] == ([] if reason is None else [reason])
    older = [slot for bench, slot in missed(plan) if bench == "needleif"]
    assert older == (["2026-11-22T02:17Z"] if now == "2026-11-29T02:17Z" else [])


def test_a_published_run_of_models_serves_its_sunday() -> None:
    ended = settle(ledger(), "needleif", "2026-11-22T02:31Z")
    assert ended.rows["2026-11-22T02:17Z", "needleif"].state == "ran"
    plan = decide(ended, now=parse_time("2026-11-23T09:17Z"), has_gold=GOLD, benches=["needleif"])
    assert due(plan) == {}


def test_a_bench_without_gold_is_due_in_every_hour_and_serves_no_slot() -> None:
    now = parse_time("2026-11-15T13:20Z")
    plan = decide(ledger(), now=now, has_gold=["finance", "scholar"])
    assert due(plan) == {"news": "2026-11-15T13:17Z", "legal": None}
    assert plan.due[1].reason == "legal.jsonl is not there"
    running = claimed(ledger(), plan)
    for minutes, expected in ((30, False), (239, False), (241, True)):
        later = decide(
            running, now=now + timedelta(minutes=minutes), has_gold=["finance", "scholar"]
        )
        assert ("legal" in due(later)) == expected


def test_a_dispatch_runs_what_it_names_and_nothing_else() -> None:
    now = parse_time("2026-11-15T13:30Z")
    plan = decide(ledger(), now=now, event="dispatch", benches=["legal"], has_gold=())
    assert due(plan) == {"legal": None}
    plan = decide(ledger(), now=now, event="dispatch", benches=["news", "legal"], has_gold=GOLD)
    assert due(plan) == {"news": "2026-11-15T13:17Z", "legal": None}
    assert {each.reason for each in plan.due} == {"dispatched"}


def test_a_schedule_may_be_narrowed() -> None:
    plan = decide(ledger(), now=parse_time("2026-11-15T18:20Z"), benches=["scholar"], has_gold=GOLD)
    assert due(plan) == {"scholar": "2026-11-15T18:17Z"}


def test_two_timers_at_once_start_one_run() -> None:
    now = parse_time("2026-11-16T00:17Z")
    state = ledger(*ran("2026-11-15T23:17Z"))
    first = decide(state, now=now, has_gold=GOLD)
    assert {"news", "finance"} <= set(due(first))
    second = decide(claimed(state, first), now=now + timedelta(seconds=2), has_gold=GOLD)
    assert due(second) == {}


def test_a_dispatch_takes_the_slot_that_a_late_timer_would_have_served() -> None:
    now = parse_time("2026-11-15T13:18Z")
    dispatch = decide(ledger(), now=now, event="dispatch", benches=["news"], has_gold=GOLD)
    after = claimed(ledger(), dispatch)
    assert due(decide(after, now=now + timedelta(minutes=9), has_gold=GOLD)) == {}


def test_a_slot_whose_run_published_nothing_is_missed_with_that_reason() -> None:
    now = parse_time("2026-11-15T13:17Z")
    state = claimed(ledger(), decide(ledger(), now=now, has_gold=GOLD))
    in_time = decide(state, now=parse_time("2026-11-15T14:16Z"), has_gold=GOLD)
    assert (due(in_time), missed(in_time)) == ({}, [])
    after = decide(state, now=parse_time("2026-11-15T14:17Z"), has_gold=GOLD)
    assert missed(after) == [("news", "2026-11-15T13:17Z")]
    assert (
        after.missed[0].reason == "a run was started at 2026-11-15T13:17:00Z and published nothing"
    )


def test_a_slow_run_holds_its_slot_open_while_it_may_still_be_published() -> None:
    claim = Claim(bench="legal", slot="2026-11-15T21:17Z", at="2026-11-16T08:00:00Z")
    state = ledger(claims=[claim])
    before = decide(state, now=parse_time("2026-11-16T09:20Z"), has_gold=GOLD)
    assert ("legal", "2026-11-15T21:17Z") not in missed(before)
    assert due(before)["legal"] == "2026-11-16T09:17Z"


def test_a_first_run_on_an_empty_branch_misses_nothing() -> None:
    now = parse_time("2026-11-15T10:20Z")
    first = decide(Ledger(), now=now, has_gold=())
    assert due(first) == {
        "news": "2026-11-15T10:17Z",
        "finance": None,
        "scholar": None,
        "legal": None,
    }
    assert missed(first) == []
    state = claimed(Ledger(), first)
    later = decide(state, now=now + timedelta(hours=2), has_gold=GOLD)
    assert "agentic_rare" not in due(later)
    evening = decide(state, now=parse_time("2026-11-15T16:40Z"), has_gold=GOLD)
    assert due(evening)["agentic_rare"] == "2026-11-15T15:17Z"


# Settling


@pytest.mark.parametrize(
    ("run", "state", "reason"),
    [
        ("2026-11-15T13:17Z", "ran", None),
        ("2026-11-15T13:47Z", "ran", None),
        ("2026-11-15T13:48Z", "late", "began 31 minutes after it was due"),
    ],
)
def test_a_published_run_serves_the_slot_before_it(run: str, state: str, reason: str) -> None:
    row = settle(ledger(), "news", run).rows["2026-11-15T13:17Z", "news"]
    assert (row.state, row.run_ts, row.reason) == (state, run, reason)


def test_a_run_serves_the_slot_that_was_claimed_for_it() -> None:
    claim = Claim(bench="news", slot="2026-11-15T13:17Z", at="2026-11-15T14:16:50Z")
    settled = settle(ledger(claims=[claim]), "news", "2026-11-15T14:18Z")
    assert settled.rows["2026-11-15T13:17Z", "news"].run_ts == "2026-11-15T14:18Z"
    assert ("2026-11-15T14:17Z", "news") not in settled.rows
    assert settled.claims == []


def test_settling_twice_changes_nothing_and_an_extra_run_leaves_no_row() -> None:
    once = settle(ledger(), "news", "2026-11-15T13:18Z")
    assert settle(once, "news", "2026-11-15T13:18Z") == once
    assert settle(once, "news", "2026-11-15T13:50Z") == once


def test_a_run_that_comes_after_all_mends_a_missed_slot() -> None:
    gone = SlotRow(ts="2026-11-15T13:17Z", bench="news", state="missed", reason="x")
    settled = settle(ledger(gone), "news", "2026-11-15T13:20Z")
    assert settled.rows["2026-11-15T13:17Z", "news"].state == "ran"


def test_a_run_before_the_ledger_began_leaves_no_row() -> None:
    assert settle(Ledger(), "finance", "2026-11-15T10:20Z").rows == {}
    assert list(settle(Ledger(), "news", "2026-11-15T10:20Z").rows) == [
        ("2026-11-15T10:17Z", "news")
    ]


def test_the_ledger_comes_back_from_its_files(tmp_path: Path) -> None:
    claim = Claim(bench="news", slot=None, at="2026-11-15T14:16:50Z")
    before = ledger(claims=[claim])
    for name, content in ledger_files(before).items():
        (tmp_path / name).write_bytes(content)
    assert read_ledger(tmp_path) == before
    assert ledger_files(read_ledger(tmp_path)) == ledger_files(before)


def test_a_broken_line_of_the_ledger_is_named(tmp_path: Path) -> None:
    (tmp_path / "slots.jsonl").write_bytes(ledger_files(ledger())["slots.jsonl"] + b"{\n")
    with pytest.raises(DataError, match=r"slots\.jsonl:7"):
        read_ledger(tmp_path)


# The command


def plan(data: Path, *words: str) -> int:
    return main(["plan", "--data", str(data), *words], environ())


def test_the_command_says_what_is_due_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert plan(tmp_path, "--now", "2026-11-15T10:20Z", "--json") == 0
    said: Any = json.loads(capsys.readouterr().out)
    assert [each["bench"] for each in said["due"]] == ["news", "finance", "scholar", "legal"]
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "gold.jsonl").write_bytes(b"{}\n")
    assert plan(tmp_path, "--now", "2026-11-15T10:20Z", "--benches", "finance,news") == 0
    assert capsys.readouterr().out == "due     news  slot 2026-11-15T10:17Z  on time\n"


@pytest.mark.parametrize("words", [["--event", "dispatch"], ["--benches", "nwes"]])
def test_wrong_words_are_refused(tmp_path: Path, words: list[str]) -> None:
    assert plan(tmp_path, *words) == 2


def test_claims_on_the_branch_let_one_of_two_plans_start_a_run(
    remote: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, theirs = clone(remote, tmp_path / "ours"), clone(remote, tmp_path / "theirs")
    words = ["--claim", "--now", "2026-11-15T10:18Z", "--benches", "news"]
    assert plan(ours, *words) == 0
    assert "due     news" in capsys.readouterr().out
    assert plan(theirs, *words) == 0
    assert capsys.readouterr().out == "nothing is due\n"
    assert tracked(remote) == {"claims.json", "slots.jsonl"}
    assert push(ours, write(report(ts="2026-11-15T10:18Z"), tmp_path)) == 0
    fresh = tip(remote, tmp_path / "tip")
    assert [(row["ts"], row["run_ts"]) for row in rows(fresh, "slots.jsonl")] == [
        ("2026-11-15T10:17Z", "2026-11-15T10:18Z")
    ]
    assert json.loads((fresh / "claims.json").read_bytes())["claims"] == []


def spending(data: Path, *costs: tuple[str, float]) -> Path:
    """`runs.json` with a run at each time, news having cost so much."""
    entries = [
        RunEntry(id=run_id(ts), ts=ts, artifacts=[], spend_usd={"news": c}) for ts, c in costs
    ]
    data.mkdir(parents=True, exist_ok=True)
    (data / "runs.json").write_bytes(encode_document(entries))
    return data


@pytest.mark.parametrize(
    ("most", "is_held"), [(None, False), (5.01, False), (5.0, True), (4.99, True), (0.0, True)]
)
def test_nothing_is_due_while_the_last_24_hours_cost_too_much(
    tmp_path: Path, most: float | None, is_held: bool
) -> None:
    now = parse_time("2026-11-15T13:20Z")
    data = spending(
        tmp_path,
        ("2026-11-14T13:20Z", 100.0),  # a day ago, out of the window
        ("2026-11-14T13:21Z", 2.0),
        ("2026-11-15T12:17Z", 3.0),
    )
    reason = overspent_at(now, spent_usd(data, now), most)
    assert (reason is not None) == is_held
    found = decide(ledger(), now=now, has_gold=GOLD, overspent=reason)
    assert ("news" in due(found)) != is_held
    assert (("news", "2026-11-15T13:17Z") in missed(found)) == is_held
    if reason:
        assert (
            reason
            == f"5.00 USD were spent in the 24 hours to 2026-11-15T13:20Z, at most {most:.2f}"
        )
        by_hand = decide(
            ledger(), now=now, event="dispatch", benches=["news"], has_gold=GOLD, overspent=reason
        )
        assert "news" in due(by_hand)


def test_the_command_holds_the_slot_and_writes_why(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    data = spending(tmp_path, ("2026-11-15T12:17Z", 3.0))
    words = ["plan", "--data", str(data), "--now", "2026-11-15T13:20Z", "--max-usd-per-day", "2"]
    assert main(words, {}) == 0
    shown = capfd.readouterr().out
    assert "missed  news  slot 2026-11-15T13:17Z  3.00 USD were spent" in shown
    assert "nothing is due" in shown
    (data / "runs.json").write_text("{")
    assert main(words, {}) == 1
    assert "runs.json" in capfd.readouterr().err
