"""Frozen months under `verify`: each file that is gone, changed or of another month is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from runner.cli import main
from runner.publishing.verify_history import check_history

CSV, MD = b"bench,engine\n", b"# Needle: results\n"
NAMES = (
    "results-2026-10.csv",
    "results-2026-10.json",
    "results-2026-10.md",
    "overall-2026-10.png",
    "overall-2026-10.webp",
    "social-2026-10.png",
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with a frozen month."""
    folder = tmp_path / "history"
    folder.mkdir()
    hashes = {"csv": sha256(CSV).hexdigest(), "md": sha256(MD).hexdigest()}
    frozen = {"snapshot": {"month": "2026-10", "sha256": hashes}, "benches": {}}
    contents = {"csv": CSV, "md": MD, "json": json.dumps(frozen, indent=2).encode()}
    contents |= {"png": b"\x89PNG\r\n\x1a\nx", "webp": b"RIFFx"}
    for name in NAMES:
        (folder / f"needle-{name}").write_bytes(contents[name.rpartition(".")[2]])
    return tmp_path


def found(data: Path) -> list[tuple[str, int | None, str]]:
    return [(path.name, line, problem) for path, line, problem in check_history(data)]


def test_a_whole_month_is_sound_and_so_is_no_month_at_all(data: Path, tmp_path: Path) -> None:
    assert found(data) == []
    assert found(tmp_path / "elsewhere") == []


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_is_gone_is_named(name: str, data: Path) -> None:
    (data / "history" / f"needle-{name}").unlink()
    assert [(file, problem[:10]) for file, _, problem in found(data)] == [
        (f"needle-{name}", "is missing")
    ]


def changed(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    return lambda content: content.replace(old, new)


@pytest.mark.parametrize(
    ("name", "change", "where", "line", "problem"),
    [
        ("results-2026-10.csv", changed(b"bench", b"Bench"), "json", 5, "whose SHA-256"),
        ("results-2026-10.md", changed(b"results", b"result"), "json", 6, "whose SHA-256"),
        ("results-2026-10.json", changed(b'"2026-10"', b'"2026-09"'), "json", 3, "month 2026-09"),
        ("results-2026-10.json", lambda content: content[:-20], "json", 8, "cannot be read"),
        ("overall-2026-10.png", lambda _: b"GIF89a", "png", None, "no PNG picture"),
        ("overall-2026-10.webp", lambda _: b"", "webp", None, "no WEBP picture"),
    ],
)
def test_a_file_that_was_changed_is_named_by_file_and_line(
    name: str,
    change: Callable[[bytes], bytes],
    where: str,
    line: int | None,
    problem: str,
    data: Path,
) -> None:
    path = data / "history" / f"needle-{name}"
    path.write_bytes(change(path.read_bytes()))
    [(file, at, said)] = found(data)
    assert file.endswith(f"2026-10.{where}")
    assert at == line
    assert problem in said


def test_a_month_of_before_the_hashes_and_a_stranger_are_told_apart(data: Path) -> None:
    path = data / "history" / "needle-results-2026-10.json"
    path.write_text("{}")
    (data / "history" / "needle-results-2026-13.txt").write_text("")
    (data / "history" / "notes.txt").write_text("")
    assert found(data) == [
        ("needle-results-2026-13.txt", None, "is no file of a frozen month"),
    ]


def test_verify_looks_at_them(data: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--data", str(data)], {}) == 0
    (data / "history" / "needle-results-2026-10.csv").write_bytes(b"")
    assert main(["verify", "--data", str(data)], {}) == 1
    assert "needle-results-2026-10.json:5" in capfd.readouterr().out
