"""`needleif` as one command: keyless, through vendors, stopped, resumed, with few answers."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runner.benches.needleif import asking
from runner.cli import main
from runner.publishing.verify import verify
from runner.records.needleif import NeedleifReport, decode_needleif_row
from runner.text import parse_time
from tests.fakes import FakeWorld
from tests.fakes.faults import Fault

NOW = "2026-11-15T10:17Z"
KEYS = {
    name: f"fake-{name}" for name in ("OPENROUTER_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY")
}
MODELS = "openrouter:acme/plain-1,anthropic:claude-4,openai:gpt-4"
HOSTS = ("openrouter.ai", "api.anthropic.com", "api.openai.com")


def needle(data: Path, *words: str, **environ: str) -> int:
    whole = ["needleif", "--config", "smoke", "--data", str(data), "--now", NOW, *words]
    return main(whole, environ, lambda _: asyncio.sleep(0))


def live(world: FakeWorld) -> dict[str, str]:
    return {"NEEDLE_GATEWAY": world.url, **KEYS}


def rows(data: Path) -> list[Any]:
    return [
        decode_needleif_row(line) for line in (data / "needleif.jsonl").read_bytes().splitlines()
    ]


def test_without_a_key_it_ends_with_rows_a_table_and_a_page(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert needle(tmp_path / "data", "--site", str(tmp_path / "site")) == 0
    shown = capfd.readouterr().out
    assert "| embedded/follower | 6 |" in shown
    assert "published 2 models" in shown
    assert (tmp_path / "site" / "index.html").exists()
    assert {row.profile for row in rows(tmp_path / "data")} == {"embedded"}


def test_two_runs_at_one_time_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert needle(tmp_path / name) == 0
    assert (tmp_path / "a" / "needleif.jsonl").read_bytes() == (
        tmp_path / "b" / "needleif.jsonl"
    ).read_bytes()


def test_three_vendors_are_asked_once_a_record_and_no_key_is_kept_or_shown(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with FakeWorld() as world:
        assert needle(tmp_path, "--models", MODELS, **live(world)) == 0
        assert world.billed() == 3 * 12
    assert [row.model for row in rows(tmp_path)] == [
        "acme/plain-1",
        "anthropic/claude-4",
        "openai/gpt-4",
    ]
    assert [row.cost_usd is None for row in rows(tmp_path)] == [False, True, True]
    shown = capfd.readouterr()
    assert "fake-" not in shown.out + shown.err
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or b"fake-" not in path.read_bytes()


def test_the_default_of_the_live_profile_is_the_model_of_openrouter(tmp_path: Path) -> None:
    with FakeWorld() as world:
        assert needle(tmp_path, NEEDLE_LLM_MODEL="acme/plain-2", **live(world)) == 0
    assert [row.model for row in rows(tmp_path)] == ["acme/plain-2"]


def test_a_model_with_too_few_answers_is_left_out_until_the_run_is_resumed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with FakeWorld(faults=[Fault(kind="status", status=400, host="api.openai.com")]) as world:
        assert needle(tmp_path, "--models", MODELS, **live(world)) == 1
        assert "openai:gpt-4 is not published: 12 of 12 records" in capfd.readouterr().err
        assert len(rows(tmp_path)) == 2
        world.reset()
        assert needle(tmp_path, "--models", MODELS, "--resume", **live(world)) == 0
        assert world.billed() == world.billed("api.openai.com") == 12
    assert len(rows(tmp_path)) == 3


def test_where_no_model_answers_nothing_is_published_and_what_came_is_kept(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ("--models", "openai:gpt-4")
    with FakeWorld(faults=[Fault(kind="status", status=400, after=3)]) as world:
        assert needle(tmp_path, *words, **live(world)) == 1
        assert "no model gave enough answers" in capfd.readouterr().err
        assert not (tmp_path / "needleif.jsonl").exists()
        world.reset()
        assert needle(tmp_path, *words, "--resume", **live(world)) == 0
        assert world.billed() == 9


def test_a_budget_stops_before_it_is_passed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "FIRST_USD", 0.0001)
    words = ("--models", "openrouter:acme/plain-1", "--concurrency", "1", "--max-usd")
    with FakeWorld() as world:
        assert needle(tmp_path, *words, "0.0008", **live(world)) == 1
        asked = world.billed()
        assert "are spent and the next record could pass" in capfd.readouterr().err
        assert 0 < asked < 12
        assert needle(tmp_path, *words, "5", "--resume", **live(world)) == 0
        assert world.billed() == 12


def test_a_budget_needs_a_model_that_says_what_it_costs(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with FakeWorld() as world:
        words = ("--models", "openrouter:acme/plain-1,openai:gpt-4", "--max-usd", "5")
        assert needle(tmp_path, *words, **live(world)) == 2
        assert world.calls == []
    assert "--max-usd needs a model that says what it costs" in capfd.readouterr().err


def test_a_pair_without_any_answer_stays_in_the_report_as_missing(tmp_path: Path) -> None:
    words = ("--models", "openai:gpt-4", "--config", "sample", "--concurrency", "1")
    with FakeWorld(faults=[Fault(kind="status", status=400, times=2)]) as world:
        assert needle(tmp_path, *words, **live(world)) == 0
    [row] = rows(tmp_path)
    assert (row.dataset.pairs, row.records, row.answered) == (18, 36, 34)
    assert (row.missing, row.failed, row.pairs, row.pairs_left_out) == (2, 2, 17, 1)
    assert (row.bare[0], row.haystack[0]) == (None, None)
    assert (len(row.bare), len(row.haystack)) == (18, 18)
    assert verify(tmp_path, now=parse_time("2026-11-16T00:00Z")) == []


def test_a_run_is_resumed_with_the_data_set_that_it_began_with(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ("--models", "openai:gpt-4")
    with FakeWorld(faults=[Fault(kind="status", status=400, after=3)]) as world:
        assert needle(tmp_path, *words, **live(world)) == 1
        world.reset()
        for other in (("--seed", "7"), ("--config", "sample"), ("--exclude-flagged",)):
            code = needle(tmp_path, *words, "--resume", *other, **live(world))
            assert code == (0 if other == ("--exclude-flagged",) else 2)  # no needle has a note
            if code:
                assert "another data set than these flags make" in capfd.readouterr().err
        assert world.billed() == 9


def test_a_data_set_that_was_not_finished_is_made_again(tmp_path: Path) -> None:
    assert needle(tmp_path / "whole") == 0
    folder = tmp_path / "cut" / "batches" / "2026-11-15T1017Z-needleif"
    (folder / "dataset").mkdir(parents=True)
    (folder / "dataset" / "test.jsonl").write_text("{")
    assert needle(tmp_path / "cut", "--resume") == 0
    assert rows(tmp_path / "cut") == rows(tmp_path / "whole")


def test_a_killed_run_goes_on_and_nothing_is_paid_twice(tmp_path: Path) -> None:
    words = ["needleif", "--config", "smoke", "--models", MODELS, "--now", NOW, "--data"]
    with FakeWorld() as world:
        assert main([*words, str(tmp_path / "whole")], live(world)) == 0
    slow = [Fault(host=host, kind="delay", seconds=0.05) for host in HOSTS]
    with FakeWorld(faults=slow) as world:
        process = subprocess.Popen(
            [sys.executable, "-m", "runner", *words, str(tmp_path / "cut")],
            env={**os.environ, **live(world)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 60
        while len(world.calls_to(HOSTS[1])) < 5 and time.monotonic() < deadline:
            assert process.poll() is None
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()
        world.settle()
        killed = world.calls
        kept = sum(
            path.read_bytes().count(b"\n") for path in tmp_path.glob("cut/batches/*/answers/*l")
        )
        world.reset()
        assert main([*words, str(tmp_path / "cut"), "--resume"], live(world)) == 0
        assert world.billed() == 3 * 12 - kept
    # what was in the air when it was killed may have been answered to nobody: at most 4 at once
    assert sum(call.billed for call in killed) - kept <= 4
    assert rows(tmp_path / "cut") == rows(tmp_path / "whole")


def test_a_limit_asks_whole_pairs_and_the_report_is_over_them(tmp_path: Path) -> None:
    assert needle(tmp_path, "--limit", "2") == 0
    assert {row.pairs for row in rows(tmp_path)} == {2}
    path = next(tmp_path.glob("batches/*/report.json"))
    report = msgspec.json.decode(path.read_bytes(), type=NeedleifReport)
    assert report.dataset.pairs == 2
    assert {len(model.answers) for model in report.models.values()} == {4}


def test_a_dry_run_says_how_much_would_be_asked_and_touches_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert needle(tmp_path / "data", "--dry-run") == 0
    assert "6 pairs = 12 requests x 2 models, at most about 9,216 tokens" in capfd.readouterr().err
    assert not (tmp_path / "data").exists()


def test_only_the_instructions_and_answers_are_archived(tmp_path: Path) -> None:
    assert needle(tmp_path) == 0
    folder = tmp_path / "archive" / "runs" / "2026" / "11" / "2026-11-15T1017Z"
    assert [path.name for path in folder.iterdir()] == ["needleif.json"]
    report = json.loads((folder / "needleif.json").read_bytes())
    answer = report["models"]["embedded/follower"]["answers"][0]
    assert set(answer) >= {"needle", "kwargs", "responses", "loose", "strict"}
    assert "BEGIN DOCUMENT" not in (folder / "needleif.json").read_text()
