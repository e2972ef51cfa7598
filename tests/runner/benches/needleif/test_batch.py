"""`needleif` as one command: keyless, through vendors, stopped, resumed, with few answers."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runner.benches.needleif import asking
from runner.cli import main
from runner.records.needleif import NeedleifReport, decode_needleif_row
from tests.fakes import FakeWorld
from tests.fakes.faults import Fault

NOW = "2026-11-15T10:17Z"
KEYS = {
    name: f"fake-{name}" for name in ("OPENROUTER_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY")
}
MODELS = "openrouter:acme/plain-1,anthropic:claude-4,openai:gpt-4"


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
        words = ("--models", "openai:gpt-4", "--concurrency", "1", "--max-usd", "5")
        assert needle(tmp_path, *words, **live(world)) == 1
        assert world.billed() == 1
    assert "--max-usd needs a model that says what it costs" in capfd.readouterr().err


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
