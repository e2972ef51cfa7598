"""Archiving apart from publishing: the job with the hub's token may not write the branch."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.cli import main
from runner.publishing.archive import FolderArchive, with_allowed_text
from tests.runner.publishing.made import report, rows
from tests.runner.publishing.test_push import (
    BRANCH,
    clone,
    document,
    environ,
    push,
    remote,
    subjects,
    tip,
    write,
)

__all__ = ["remote"]  # a fixture


def test_reports_are_stored_once_and_give_themselves_back(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    made = report()
    words = ["archive", "--report", str(write(made, tmp_path)), "--archive", str(tmp_path / "a")]
    assert main(words, {}) == 0
    before = {path: path.read_bytes() for path in (tmp_path / "a").rglob("*") if path.is_file()}
    assert main(words, {}) == 0
    after = {path: path.read_bytes() for path in (tmp_path / "a").rglob("*") if path.is_file()}
    assert before == after
    loaded = FolderArchive(tmp_path / "a").load(made.run_id, made.bench)
    assert loaded == with_allowed_text(made)
    assert "news 2026-11-15T1017Z" in capfd.readouterr().out


def test_a_push_of_what_is_archived_already_names_the_same_files(
    remote: Path, tmp_path: Path
) -> None:
    path = write(report(), tmp_path)
    data = clone(remote, tmp_path / "data")
    assert push(data, path, more=("--archived",)) == 0
    stored = push(data, path, more=("--archive", str(tmp_path / "a")))
    assert stored == 0
    branch = tip(remote, tmp_path / "tip")
    (run,) = document(branch, "runs.json")
    assert "news.json" in run["artifacts"]
    assert "news/alpha.json" in run["artifacts"]
    assert len(rows(branch, "history.jsonl")) == 3


def test_a_hub_without_its_token_is_told_at_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["archive", "--report", str(write(report(), tmp_path)), "--archive", "hub:a/b"]
    assert main(words, {}) == 2
    assert "HF_TOKEN" in capfd.readouterr().err


def test_closed_weeks_reach_the_branch(
    remote: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    data = clone(remote, tmp_path / "data")
    both = [report(), report(ts="2026-12-10T10:17Z")]
    assert push(data, *(write(each, tmp_path) for each in both)) == 0
    words = ["compact", "--data", str(data), "--push", "--branch", BRANCH]
    assert main([*words, "--now", "2026-12-20T00:00Z"], environ()) == 0
    branch = tip(remote, tmp_path / "tip")
    assert sorted(path.suffix for path in (branch / "closed").rglob("*.parquet"))
    assert {row["ts"] for row in rows(branch, "history.jsonl")} == {"2026-12-10T10:17Z"}
    assert subjects(remote)[-1] == "compact: 2026-12-20T00:00Z"
    assert main([*words, "--now", "2026-12-20T01:00Z"], environ()) == 0
    assert len(subjects(remote)) == 4  # nothing more to close, so no commit
    assert "no week to close" in capfd.readouterr().out
