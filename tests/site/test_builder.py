"""The built folder: as stored, the same twice, and never half or someone else's."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.errors import PublishError, UsageError
from runner.text import parse_time
from sitebuilder import build
from tests.site.golden import SITES, built, stored
from tests.site.made_data import write_data


def _tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("name", SITES)
def test_the_site_is_the_stored_one(tmp_path: Path, name: str) -> None:
    made, kept = built(name, tmp_path), stored(name)
    assert list(made) == list(kept)
    for file, content in kept.items():
        assert made[file].decode(errors="replace") == content.decode(errors="replace"), file
        assert made[file] == content, file


def test_equal_data_gives_equal_bytes_over_an_earlier_site(tmp_path: Path) -> None:
    data, out = write_data(tmp_path / "data"), tmp_path / "public"
    build(data, out)
    first = _tree(out)
    build(data, out)
    assert _tree(out) == first
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_file_that_is_no_longer_built_goes(tmp_path: Path) -> None:
    data, out = write_data(tmp_path / "data"), tmp_path / "public"
    build(data, out)
    (out / "old.html").write_text("old")
    build(data, out)
    assert not (out / "old.html").exists()


def test_the_report_names_every_file_with_its_size(tmp_path: Path) -> None:
    report = build(write_data(tmp_path / "data"), tmp_path / "public")
    assert report.files == {name: len(content) for name, content in _tree(report.out).items()}
    assets = {name for name in report.files if name.startswith("assets/")}
    assert assets == {"assets/needle.svg", "assets/site.css", "assets/site.js"}


def test_history_is_served_as_it_stands_without_its_broken_lines(tmp_path: Path) -> None:
    data, out = write_data(tmp_path / "data"), tmp_path / "public"
    whole = (data / "history.jsonl").read_bytes()
    (data / "history.jsonl").write_bytes(whole + b"{broken")
    report = build(data, out)
    assert (out / "data/history.jsonl").read_bytes() == whole
    (warning,) = report.warnings
    assert warning.startswith(f"{data / 'history.jsonl'}:9: ")


def test_as_of_builds_the_site_as_it_stood(tmp_path: Path) -> None:
    early = write_data(tmp_path / "early", runs=2, end="2026-08-19T10:17Z")
    late = write_data(tmp_path / "late", runs=3, end="2026-08-20T10:17Z")
    for folder in (early, late):
        (folder / "latest_news.json").unlink()
    build(early, tmp_path / "a", as_of=parse_time("2026-08-19T23:00Z"))
    build(late, tmp_path / "b", as_of=parse_time("2026-08-19T23:00Z"))
    assert _tree(tmp_path / "a") == _tree(tmp_path / "b")


def test_a_folder_with_other_files_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home/letter.txt").write_text("dear")
    with pytest.raises(UsageError, match="not empty and holds no earlier site"):
        build(write_data(tmp_path / "data"), tmp_path / "home")
    assert (tmp_path / "home/letter.txt").read_text() == "dear"


@pytest.mark.parametrize("inside", ["data", "."])
def test_the_data_directory_is_never_replaced(tmp_path: Path, inside: str) -> None:
    data = write_data(tmp_path / "data")
    before = _tree(data)
    with pytest.raises(UsageError, match="holds the data directory"):
        build(data, tmp_path / inside)
    assert _tree(data) == before


def test_a_folder_that_cannot_be_written_keeps_the_old_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, out = write_data(tmp_path / "data"), tmp_path / "public"
    build(data, out)
    before = _tree(out)

    def full(path: Path, content: bytes) -> int:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(PublishError, match="No space left on device"):
        build(data, out)
    monkeypatch.undo()
    assert _tree(out) == before
    assert {path.name for path in tmp_path.iterdir()} == {"data", "public"}
