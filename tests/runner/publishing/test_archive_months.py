"""Closed months of an archive: tables of every result, an index that vouches for all files."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as pq
import pytest

from runner.cli import main
from runner.errors import DataError
from runner.publishing import archive_months
from runner.publishing.archive import FolderArchive
from runner.publishing.archive_months import close_month, closed_months
from runner.text import parse_time, run_id
from tests.runner.publishing.made import report

STAMPS = ("2026-10-31T23:59Z", "2026-11-01T00:17Z", "2026-11-15T10:17Z")


def needle(*words: str | Path) -> int:
    return main([*map(str, words)], {}, lambda _: asyncio.sleep(0))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An archive of one run in October and two in November."""
    archive = FolderArchive(tmp_path / "archive")
    for ts in STAMPS:
        archive.store(msgspec.structs.replace(report(), ts=ts, run_id=run_id(ts)), b"{}\n")
    return archive.root


def files(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


@pytest.mark.parametrize(
    ("now", "months"),
    [
        ("2026-10-31T23:59Z", []),
        ("2026-11-01T23:59Z", []),
        ("2026-11-02T00:00Z", ["2026-10"]),
        ("2026-12-02T00:00Z", ["2026-10", "2026-11"]),
    ],
)
def test_a_month_is_closed_a_day_after_its_end(root: Path, now: str, months: list[str]) -> None:
    assert closed_months(root, parse_time(now)) == months


def test_the_table_has_every_result_of_every_run(root: Path) -> None:
    index = close_month(root, "2026-11")
    assert index is not None
    assert (index.runs, [table.name for table in index.tables]) == (
        2,
        ["months/2026-11/news.parquet"],
    )
    table = pq.read_table(root / "months" / "2026-11" / "news.parquet")
    rows = table.to_pylist()
    made = report()
    expected = [
        (ts, engine, query.query_id, rank, result.url, result.rating)
        for ts in STAMPS[1:]
        for engine, block in made.engines.items()
        for query in block.per_query
        for rank, result in enumerate(query.results, start=1)
    ]
    found = [
        (row["ts"], row["engine"], row["query_id"], row["rank"], row["url"], row["rating"])
        for row in rows
        if row["rank"] is not None
    ]
    assert found == expected
    empty = sum(not q.results for block in made.engines.values() for q in block.per_query)
    assert len(rows) == len(expected) + 2 * empty


def test_a_second_time_changes_nothing_and_the_runs_stay(root: Path) -> None:
    before = files(root)
    words = ("archive-months", "--archive", root, "--now", "2026-12-05T00:00Z")
    assert needle(*words) == 0
    first = files(root)
    assert {name: first[name] for name in before} == before
    assert needle(*words) == 0
    assert files(root) == first
    assert sorted(set(first) - set(before)) == [
        f"months/{month}/{name}"
        for month in ("2026-10", "2026-11")
        for name in ("index.json", "news.parquet")
    ]


def test_what_was_stopped_before_the_index_is_made_again_alike(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(archive_months, "write_file", stop)
        with pytest.raises(KeyboardInterrupt):
            close_month(root, "2026-11")
    half = files(root)
    assert "months/2026-11/index.json" not in half
    assert close_month(root, "2026-11") is not None
    assert files(root)["months/2026-11/news.parquet"] == half["months/2026-11/news.parquet"]


def test_a_broken_run_leaves_its_month_open(root: Path) -> None:
    broken = root / "runs" / "2026" / "11" / "2026-11-15T1017Z" / "news" / "alpha.json"
    broken.write_text("{")
    with pytest.raises(DataError, match=r"alpha\.json"):
        close_month(root, "2026-11")
    assert not (root / "months" / "2026-11").exists() or not files(root / "months" / "2026-11")


def test_check_names_every_file_that_changed(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = ("archive-months", "--archive", root, "--now", "2026-12-05T00:00Z")
    assert needle(*words) == 0
    assert needle(*words, "--check") == 0
    assert "2 closed months" in capfd.readouterr().out
    (root / "months" / "2026-10" / "news.parquet").write_bytes(b"PAR1")
    (root / "runs" / "2026" / "11" / "2026-11-15T1017Z" / "fresh.jsonl").unlink()
    assert needle(*words, "--check") == 1
    shown = capfd.readouterr().out.splitlines()
    assert [line.split(" is ")[1][:7] for line in shown] == ["not the", "missing"]
    index = root / "months" / "2026-10" / "index.json"
    index.write_text("{")
    assert needle(*words, "--check") == 1


def test_the_index_has_size_and_hash_of_each_file(root: Path) -> None:
    close_month(root, "2026-10")
    index = json.loads((root / "months" / "2026-10" / "index.json").read_bytes())
    assert {file["name"] for file in index["files"]} == {
        name for name in files(root) if name.startswith("runs/2026/10/")
    }
    assert all(file["bytes"] == (root / file["name"]).stat().st_size for file in index["files"])


def test_answers_of_models_are_a_table_too(tmp_path: Path) -> None:
    data = tmp_path / "data"
    words = ("needleif", "--profile", "embedded", "--config", "smoke", "--data", data)
    assert needle(*words, "--now", "2026-10-18T02:17Z") == 0
    close_month(data / "archive", "2026-10")
    table = pq.read_table(data / "archive" / "months" / "2026-10" / "needleif.parquet")
    assert table.num_rows == 24
    assert set(table.column("model").to_pylist()) == {"embedded/follower", "embedded/tail-copier"}


def test_a_folder_without_runs_is_a_usage_error(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert needle("archive-months", "--archive", tmp_path) == 2
    assert "no archive of runs" in capfd.readouterr().err
