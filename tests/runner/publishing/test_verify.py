from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runner.cli import main
from runner.publishing.verify import verify
from runner.publishing.weeks import OVERLAP_WEEKS, read_week, week_bytes
from tests.runner.publishing.compacting import NOW, compact_all, fill

LINE = b'"jaccard_sum":0.25'


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two months of closed weeks and some hot runs."""
    data = tmp_path_factory.mktemp("sound")
    fill(data, [0, 1, 8, 30, 40, 60, 61])
    assert compact_all(data) == ["2026-W37", "2026-W38", "2026-W41", "2026-W42"]
    return data


@pytest.fixture
def data(sound: Path, tmp_path: Path) -> Path:
    shutil.copytree(sound, tmp_path / "data")
    return tmp_path / "data"


def edit(name: str, change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def corrupt(data: Path) -> None:
        path = data / name
        before = path.read_bytes()
        path.write_bytes(change(before))
        assert path.read_bytes() != before

    return corrupt


def lines(change: Callable[[list[bytes]], None]) -> Callable[[bytes], bytes]:
    def changed(content: bytes) -> bytes:
        found = content.split(b"\n")
        change(found)
        return b"\n".join(found)

    return changed


def documented(change: Callable[[Any], None]) -> Callable[[bytes], bytes]:
    def changed(content: bytes) -> bytes:
        document = json.loads(content)
        change(document)
        return json.dumps(document, indent=2).encode() + b"\n"

    return changed


def on_line(number: int, old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    def change(found: list[bytes]) -> None:
        assert old in found[number - 1]
        found[number - 1] = found[number - 1].replace(old, new)

    return lines(change)


def move(number: int, to: int) -> Callable[[bytes], bytes]:
    return lines(lambda found: found.insert(to - 1, found.pop(number - 1)))


def drop(number: int) -> Callable[[bytes], bytes]:
    def change(found: list[bytes]) -> None:
        del found[number - 1]

    return lines(change)


def repeat(number: int) -> Callable[[bytes], bytes]:
    return lines(lambda found: found.insert(number, found[number - 1]))


def flip(content: bytes) -> bytes:
    """One bit of the first page of a Parquet file."""
    return content[:40] + bytes([content[40] ^ 1]) + content[41:]


def remove(name: str) -> Callable[[Path], None]:
    return lambda data: (data / name).unlink()


def copy_week(data: Path) -> None:
    folder = data / "closed" / "overlap"
    shutil.copy(folder / "2026-W37.parquet", folder / "2026-W40.parquet")


def forge(change: Callable[[Any], Any]) -> Callable[[Path], None]:
    """Rewrites a closed file and its entry in the manifest, as somebody would who knows how."""

    def corrupt(data: Path) -> None:
        from runner.publishing.closed import digest

        path = data / "closed/overlap/2026-W42.parquet"
        content = week_bytes(change(read_week(path)))
        path.write_bytes(content)
        manifest = data / "closed/2026-10.json"
        document = json.loads(manifest.read_text())
        for file in document["files"]:
            if file["name"] == OVERLAP_WEEKS.path("2026-W42"):
                file["sha256"], file["bytes"] = digest(content), len(content)
                document["rows"]["overlap"] += read_week(content).num_rows - file["rows"]
                file["rows"] = read_week(content).num_rows
        manifest.write_text(json.dumps(document, indent=2) + "\n")

    return corrupt


def _replaced(arrow: Any, name: str, place: int, value: Any) -> Any:
    import pyarrow as pa

    column = arrow.column(name)
    values = column.to_pylist()
    values[place] = value
    kind = pa.string() if pa.types.is_dictionary(column.type) else column.type
    new = pa.array(values, kind).cast(column.type)
    return arrow.set_column(arrow.column_names.index(name), name, new)


def _doubled(arrow: Any) -> Any:
    return arrow.take([0, 1, 2, 2, 3, 4, 5])


CORRUPTIONS: dict[str, tuple[Callable[[Path], None], str, str]] = {
    "a hot line that is no JSON": (
        edit("history.jsonl", on_line(3, b'"ndcg"', b"ndcg")),
        "history.jsonl:3",
        "cannot be read",
    ),
    "a last line cut off": (
        edit("overlap.jsonl", lambda content: content[:-20]),
        "overlap.jsonl:12",
        "cut off",
    ),
    "a hot row twice": (
        edit("uniqueness.jsonl", repeat(4)),
        "uniqueness.jsonl:5",
        "repeats the row of line 4",
    ),
    "a hot row lost from history": (
        edit("history.jsonl", drop(2)),
        "overlap.jsonl:1",
        "has 3 rows in overlap, its 2 engines need 1",
    ),
    "a hot pair lost": (
        edit("overlap.jsonl", drop(5)),
        "overlap.jsonl:4",
        "has 2 rows in overlap, its 3 engines need 3",
    ),
    "a hot row moved into another run": (
        edit("history.jsonl", move(1, 7)),
        "history.jsonl:7",
        "away from the others",
    ),
    "a score above 1": (
        edit("history.jsonl", on_line(2, b'"ndcg":0.375', b'"ndcg":1.375')),
        "history.jsonl:2",
        "a score outside 0 to 1",
    ),
    "a run from the future": (
        edit("overlap.jsonl", on_line(10, b'"ts":"2026', b'"ts":"2126')),
        "overlap.jsonl:10",
        "still to come",
    ),
    "a hot figure changed": (
        edit("overlap.jsonl", on_line(1, LINE, b'"jaccard_sum":0.35')),
        "independence.json:14",
        "the sums of alpha and beta in the window all",
    ),
    "a published sum changed": (
        edit("independence.json", on_line(16, b'"jaccard_sum": 3.5', b'"jaccard_sum": 3.6')),
        "independence.json:14",
        "the sums of alpha and beta in the window all",
    ),
    "a run lost from runs.json": (
        edit("runs.json", documented(lambda entries: entries.pop())),
        "history.jsonl:9",
        "which runs.json has not",
    ),
    "runs.json out of order": (
        edit("runs.json", documented(lambda entries: entries.reverse())),
        "runs.json:15",
        "stands behind",
    ),
    "published before it began": (
        edit("runs.json", lambda c: c.replace(b'"news": "2026-11-06T', b'"news": "2025-11-06T')),
        "runs.json:3",
        "before it began",
    ),
    "the latest report of another run": (
        edit(
            "latest_news.json", lambda c: c.replace(b'"2026-11-07T10:17Z"', b'"2026-11-01T10:17Z"')
        ),
        "latest_news.json:5",
        "the last run of news is of 2026-11-07T10:17Z",
    ),
    "one bit of a closed file": (
        edit("closed/history/2026-W37.parquet", flip),
        "closed/2026-09.json:19",
        "is not the file whose SHA-256 stands here",
    ),
    "a closed file lost": (
        remove("closed/uniqueness/2026-W41.parquet"),
        "closed/2026-10.json:13",
        "cannot be read",
    ),
    "a closed file that nobody names": (
        copy_week,
        "closed/overlap/2026-W40.parquet",
        "no manifest names it",
    ),
    "a manifest of an earlier month changed": (
        edit(
            "closed/2026-09.json",
            lambda c: c.replace(b'"schema_version": 1', b'"schema_version":1'),
        ),
        "closed/2026-10.json:4",
        "the month before is",
    ),
    "a manifest lost": (
        remove("closed/2026-09.json"),
        "closed/2026-10.json:4",
        "there is no month",
    ),
    "a manifest cut off": (
        edit("closed/2026-10.json", lambda content: content[: len(content) // 2]),
        "closed/2026-10.json:1",
        "truncated",
    ),
    "the sums of a manifest changed": (
        edit("closed/2026-10.json", documented(lambda d: d["totals"]["pairs"][1].update(n3=7))),
        "closed/2026-10.json:",
        "`totals` are not the sums of the closed rows (first: alpha and gamma)",
    ),
    "a row twice in a forged closed file": (
        forge(_doubled),
        "closed/overlap/2026-W42.parquet:4",
        "repeats a row of the run",
    ),
    "a row of another week in a forged closed file": (
        forge(lambda arrow: _replaced(arrow, "ts", 5, "2026-11-02T10:17Z")),
        "closed/overlap/2026-W42.parquet:6",
        "which is not in 2026-W42",
    ),
    "time backwards in a forged closed file": (
        forge(lambda arrow: _replaced(arrow, "ts", 2, "2026-10-12T00:00Z")),
        "closed/overlap/2026-W42.parquet:3",
        "behind one of 2026-10-17T10:17Z",
    ),
    "an impossible figure in a forged closed file": (
        forge(lambda arrow: _replaced(arrow, "jaccard_sum", 1, 9.5)),
        "closed/overlap/2026-W42.parquet:2",
        "`jaccard_sum` is outside",
    ),
    "an engine renamed in a forged closed file": (
        forge(lambda arrow: _replaced(arrow, "b", 2, "delta")),
        "closed/overlap/2026-W42.parquet:1",
        "other engines in overlap: delta",
    ),
}


def test_a_sound_folder_has_nothing_to_find(sound: Path) -> None:
    assert verify(sound, now=NOW) == []


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_a_planted_corruption_is_found_with_file_and_line(data: Path, name: str) -> None:
    corrupt, place, problem = CORRUPTIONS[name]
    corrupt(data)
    found = [str(finding) for finding in verify(data, now=NOW)]
    hits = [line for line in found if line.startswith(f"{data}/{place}") and problem in line]
    assert hits, "\n".join(found)


def test_checking_changes_nothing(data: Path) -> None:
    before = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
    verify(data, now=NOW)
    assert {path: path.read_bytes() for path in data.rglob("*") if path.is_file()} == before


def test_a_stopped_compact_is_named_and_goes_away_with_the_next(
    sound: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "closed" / ".2026-10.json.1.tmp").write_bytes(b"{")
    (data / "closed" / "overlap" / ".2026-W43.parquet.1.tmp").write_bytes(b"PAR1")
    words = ["verify", "--data", str(data), "--now", "2027-01-01T00:00Z"]
    assert main(words) == 1
    assert capsys.readouterr().out.count("a half-written file; where `compact` was stopped") == 2
    compact_all(data)
    assert main(words) == 0


def test_a_folder_that_is_not_there_is_wrong_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", "--data", str(tmp_path / "none")]) == 2
    assert "no such data directory" in capsys.readouterr().err
