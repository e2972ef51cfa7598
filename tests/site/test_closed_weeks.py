from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from runner.publishing.compact import compact
from runner.text import parse_time
from sitebuilder.assemble import build_results
from sitebuilder.dataset import Dataset, read_dataset
from sitebuilder.independence import IndependenceTables, build_independence
from sitebuilder.runs_page import _published
from tests.runner.publishing.compacting import NOW, compact_all, fill, publish_run, run


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The same runs twice, all hot and with closed weeks; one run of a closed week came late."""
    whole, closed = tmp_path_factory.mktemp("hot"), tmp_path_factory.mktemp("closed")
    fill(whole, [0, 2, 5, 9, 16, 23, 30, 37, 44])
    shutil.copytree(whole, closed, dirs_exist_ok=True)
    assert compact_all(closed) == ["2026-W37", "2026-W38", "2026-W39", "2026-W40", "2026-W41"]
    for data in (whole, closed):
        publish_run(data, run(3), now=NOW)
        publish_run(data, run(9, "agentic_rare", (0.9, 0.1, 0.2)), now=NOW)
    compact_all(closed)
    return whole, closed


def tables(data: Path, as_of: datetime | None) -> tuple[Dataset, IndependenceTables]:
    read = read_dataset(data, as_of)
    return read, build_independence(read)


@pytest.mark.parametrize(
    "as_of",
    [None, "2026-10-30T00:00Z", "2026-09-24T12:00Z", "2026-09-10T00:00Z"],
    ids=["now", "in the open weeks", "in a closed week", "in the first week"],
)
def test_every_figure_is_the_same_before_and_after(
    folders: tuple[Path, Path], as_of: str | None
) -> None:
    moment = parse_time(as_of) if as_of else None
    (hot, hot_sums), (closed, closed_sums) = (tables(data, moment) for data in folders)
    assert [(row.ts, row.bench, row.engine) for row in sorted(hot.history, key=key)] == [
        (row.ts, row.bench, row.engine) for row in sorted(closed.history, key=key)
    ]
    assert sorted(hot.history_lines) == sorted(closed.history_lines)
    assert hot_sums == closed_sums
    assert build_results(hot, hot_sums) == build_results(closed, closed_sums)


def key(row: object) -> tuple[str, str, str]:
    return row.ts, row.bench, row.engine  # type: ignore[attr-defined]


@pytest.mark.parametrize("lose", [lambda path: path.unlink(), lambda path: path.write_text("{")])
def test_without_independence_json_closed_weeks_are_added_up(
    folders: tuple[Path, Path], tmp_path: Path, lose: Callable[[Path], object]
) -> None:
    sums = []
    for place, folder in enumerate(folders):
        data = shutil.copytree(folder, tmp_path / str(place))
        lose(data / "independence.json")
        sums.append(tables(data, None)[1])
    assert sums[0] == sums[1]
    assert sums[0].sums is not None
    assert sums[0].sums.windows["all"].runs == 19


def test_the_times_of_publishing_are_those_of_all_weeks(folders: tuple[Path, Path]) -> None:
    hot, closed = (_published(data / "runs.json") for data in folders)
    assert hot == closed
    assert len(hot) == 19


def test_a_closed_row_with_an_impossible_score_is_left_out_and_named(tmp_path: Path) -> None:
    fill(tmp_path, [0, 20])
    path = tmp_path / "history.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"ndcg":0.5', b'"ndcg":1.5', 1))
    before = len(read_dataset(tmp_path).history)
    compact_all(tmp_path)
    after = read_dataset(tmp_path)
    assert len(after.history) == before == 15
    [state] = [file for file in after.files if file.problems]
    assert state.name == "closed/history/2026-W37.parquet"
    assert state.problems[0].reason == "a score outside 0 to 1"


def test_the_served_history_holds_the_last_180_days_closed_or_not(tmp_path: Path) -> None:
    fill(tmp_path, [0, 20, 21, 180, 200])  # day 20 is exactly 180 days before the newest
    before = read_dataset(tmp_path)
    assert compact(tmp_path, now=NOW + timedelta(days=200)).weeks[0] == "2026-W37"
    after = read_dataset(tmp_path)
    assert len(after.history) == len(before.history) == 40
    assert after.history_lines == before.history_lines
    assert len(after.history_lines) == 3 * 8
