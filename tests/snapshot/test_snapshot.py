"""Months frozen on the 1st and on the 9th, again, in part, and without data."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from runner import __version__
from runner.cli import main
from runner.text import second_ts
from sitebuilder import builder
from sitebuilder.history import read_months
from snapshot import freeze
from snapshot.as_of import parse_month
from snapshot.images import check_picture, webp
from tests.snapshot.made_branch import (
    BRANCH,
    MONTHS,
    Pushed,
    as_it_was,
    environ,
    git,
    make_branch,
)

TEXTS = ("csv", "json", "md")
# For each month the last run that was published before its end.
LAST_RUN = {
    "2026-06": "2026-06-30T22:17Z",
    "2026-07": "2026-07-31T23:17Z",
    "2026-08": "2026-08-31T20:17Z",
    "2026-09": "2026-09-30T22:17Z",
    "2026-10": "2026-10-31T22:17Z",
}


def stripes() -> bytes:
    """A picture of the right size in the place of a page's."""
    from PIL import Image

    target = io.BytesIO()
    Image.linear_gradient("L").resize((2400, 1800)).convert("RGB").save(target, "PNG")
    return target.getvalue()


@pytest.fixture(scope="module")
def branch(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Pushed]]:
    folder = tmp_path_factory.mktemp("branch")
    return folder / "remote.git", make_branch(folder / "remote.git", folder / "work")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No browser, and of the site only the files of the results."""
    picture = stripes()
    small = webp(picture)
    monkeypatch.setattr(builder, "PARTS", ("downloads",))
    monkeypatch.setattr("sitebuilder.downloads.results_pdf", lambda site: b"%PDF\n")
    monkeypatch.setattr(freeze, "take_picture", lambda folder, as_of: picture)
    monkeypatch.setattr(freeze, "webp", lambda png: small)


def snapshot(data: Path, month: str, now: str, *more: str) -> int:
    words = ["snapshot", month, "--data", str(data), "--branch", BRANCH, "--now", now, *more]
    return main(words, environ())


def next_month(month: str) -> str:
    return f"{parse_month(month).end:%Y-%m}"


def texts(data: Path, month: str) -> dict[str, bytes]:
    names = freeze.file_names(parse_month(month))
    return {kind: (data / names[kind]).read_bytes() for kind in TEXTS}


def held(data: Path) -> dict[str, tuple[bytes, int]]:
    paths = sorted((data / "history").iterdir())
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in paths}


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("month", MONTHS)
def test_on_the_1st_and_on_the_9th_a_month_has_the_same_bytes(
    branch: tuple[Path, list[Pushed]], tmp_path: Path, month: str
) -> None:
    remote, pushed = branch
    times = [f"{next_month(month)}-01T00:20Z", f"{next_month(month)}-09T12:00Z"]
    found = []
    for place, now in enumerate(times):
        data = as_it_was(remote, pushed, now, tmp_path / f"data{place}")
        assert snapshot(data, month, now) == 0
        found.append(texts(data, month))
    tips = [git(tmp_path / f"data{place}", "rev-parse", "HEAD") for place in range(2)]
    assert tips[0] != tips[1]
    assert found[0] == found[1]
    frozen = json.loads(found[0]["json"])
    assert frozen["generated_at"] == LAST_RUN[month]
    source = next(each for each in pushed if each.subject == f"bench: {LAST_RUN[month]}")
    assert frozen["snapshot"] == {
        "month": month,
        "as_of": second_ts(parse_month(month).as_of),
        "source_commit": source.commit,
        "generator": "needle-benchmark",
        "generator_version": __version__,
        "sha256": {kind: sha256(found[0][kind]).hexdigest() for kind in ("csv", "md")},
    }
    assert LAST_RUN[month] in found[0]["csv"].decode()
    assert LAST_RUN[month] in found[0]["md"].decode()


@pytest.mark.usefixtures("quick")
def test_a_second_run_changes_nothing(
    branch: tuple[Path, list[Pushed]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = as_it_was(*branch, "2026-11-09T00:00Z", tmp_path / "data")
    assert snapshot(data, "2026-10", "2026-11-09T00:00Z") == 0
    assert "2026-10: froze" in capsys.readouterr().out
    before = held(data)
    assert len(before) == 6
    assert snapshot(data, "2026-10", "2027-01-09T00:00Z") == 0
    assert capsys.readouterr().out == "2026-10 is frozen already; nothing was changed\n"
    assert held(data) == before


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("kind", ["png", "json", "social"])
def test_a_month_in_part_fails_by_name_and_is_left_so(
    branch: tuple[Path, list[Pushed]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    kind: str,
) -> None:
    data = as_it_was(*branch, "2026-11-09T00:00Z", tmp_path / "data")
    (data / "history").mkdir()
    names = freeze.file_names(parse_month("2026-10"))
    for other, name in names.items():
        if other != kind:
            (data / name).write_text(other)
    before = held(data)
    assert snapshot(data, "2026-10", "2026-11-09T00:00Z") == 1
    said = capsys.readouterr().err
    assert "2026-10 is frozen in part" in said
    assert f"lacks {names[kind]};" in said
    assert held(data) == before


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("month", ["2026-05", "2026-12"])
def test_a_month_without_data_has_no_snapshot(
    branch: tuple[Path, list[Pushed]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    month: str,
) -> None:
    data = as_it_was(*branch, "2026-11-09T00:00Z", tmp_path / "data")
    assert snapshot(data, month, "2027-01-09T00:00Z") == 0
    said = capsys.readouterr().out
    assert said == f"{month}: no run was published before its end, so there is no snapshot\n"
    assert not (data / "history").exists()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["2026-11"], 2, "2026-11 is not over yet"),
        (["2026-13"], 2, "'2026-13' is not a month"),
        (["october"], 2, "'october' is not a month"),
    ],
)
def test_a_month_that_is_none_or_not_over_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int, said: str
) -> None:
    now = ["--now", "2026-11-30T23:59Z", "--data", str(tmp_path)]
    assert main(["snapshot", *words, *now], environ()) == code
    assert said in capsys.readouterr().err


def test_a_folder_that_is_no_worktree_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert snapshot(tmp_path, "2026-10", "2026-11-09T00:00Z") == 2
    assert "is no worktree of the data branch" in capsys.readouterr().err


@pytest.mark.usefixtures("quick")
def test_without_a_remote_the_worktree_itself_has_the_history(
    branch: tuple[Path, list[Pushed]], tmp_path: Path
) -> None:
    data = tmp_path / "data"
    git(tmp_path, "clone", "--quiet", "--branch", BRANCH, str(branch[0]), str(data))
    git(data, "remote", "remove", "origin")
    assert snapshot(data, "2026-08", "2026-11-09T00:00Z") == 0
    other = as_it_was(*branch, "2026-09-01T00:20Z", tmp_path / "other")
    assert snapshot(other, "2026-08", "2026-09-01T00:20Z") == 0
    assert texts(data, "2026-08") == texts(other, "2026-08")


@pytest.mark.usefixtures("quick")
def test_a_pushed_month_is_one_commit_of_its_files_and_pushing_again_is_none(
    branch: tuple[Path, list[Pushed]], tmp_path: Path
) -> None:
    data = as_it_was(*branch, "2026-11-09T00:00Z", tmp_path / "data")
    remote = tmp_path / "data.git"
    before = git(remote, "rev-parse", BRANCH)
    (data / "cache.txt").write_text("stays at home")
    assert snapshot(data, "2026-10", "2026-11-09T00:00Z", "--push") == 0
    assert git(remote, "log", "--format=%s", f"{before}..{BRANCH}") == "snapshot: 2026-10"
    changed = git(remote, "diff", "--name-status", before, BRANCH).splitlines()
    names = freeze.file_names(parse_month("2026-10")).values()
    assert changed == [f"A\t{name}" for name in sorted(names)]
    after = git(remote, "rev-parse", BRANCH)
    assert snapshot(data, "2026-10", "2026-11-10T00:00Z", "--push") == 0
    assert git(remote, "rev-parse", BRANCH) == after


@pytest.mark.usefixtures("quick")
def test_files_that_were_written_first_are_pushed_as_they_are(
    branch: tuple[Path, list[Pushed]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = as_it_was(*branch, "2026-11-09T00:00Z", tmp_path / "data")
    for month in ("2026-09", "2026-10"):
        assert snapshot(data, month, "2026-11-09T00:00Z") == 0
    own = texts(data, "2026-10")
    assert snapshot(data, "2026-10", "2026-11-09T00:00Z", "--push") == 2
    assert "holds a month that was never pushed (history/needle-" in capsys.readouterr().err
    assert texts(data, "2026-10") == own
    for path in (data / "history").glob("*2026-09*"):
        path.unlink()
    assert snapshot(data, "2026-10", "2026-11-09T00:00Z", "--push") == 0
    names = freeze.file_names(parse_month("2026-10"))
    assert git(tmp_path / "data.git", "show", f"{BRANCH}:{names['csv']}") in own["csv"].decode()


@pytest.mark.usefixtures("quick")
def test_a_run_that_was_never_pushed_is_not_dropped_for_a_snapshot(
    branch: tuple[Path, list[Pushed]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = as_it_was(*branch, "2026-11-09T00:00Z", tmp_path / "data")
    entries: list[dict[str, Any]] = json.loads((data / "runs.json").read_text())
    own = {"id": "2026-11-08T0917Z", "ts": "2026-11-08T09:17Z", "artifacts": []}
    entries.append({**own, "published_at": {"news": "2026-11-08T09:30:00Z"}})
    (data / "runs.json").write_text(json.dumps(entries))
    assert snapshot(data, "2026-10", "2026-11-09T00:00Z", "--push") == 2
    assert "news 2026-11-08T0917Z" in capsys.readouterr().err
    assert len(json.loads((data / "runs.json").read_text())) == len(entries)


@pytest.mark.usefixtures("quick")
def test_a_bad_picture_leaves_no_file(
    branch: tuple[Path, list[Pushed]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from PIL import Image

    blank = io.BytesIO()
    Image.new("RGB", (2400, 1800), "white").save(blank, "PNG")
    monkeypatch.setattr(freeze, "take_picture", lambda folder, as_of: blank.getvalue())
    data = as_it_was(*branch, "2026-11-09T00:00Z", tmp_path / "data")
    assert snapshot(data, "2026-10", "2026-11-09T00:00Z") == 1
    assert not (data / "history").exists()


@pytest.mark.usefixtures("quick")
def test_the_pages_of_months_find_the_files(
    branch: tuple[Path, list[Pushed]], tmp_path: Path
) -> None:
    data = as_it_was(*branch, "2026-11-09T00:00Z", tmp_path / "data")
    assert snapshot(data, "2026-10", "2026-11-09T00:00Z") == 0
    (month,) = read_months(data, tmp_path / "none", None)
    assert month.key == "2026-10"
    assert month.results
    assert month.results.window
    assert month.results.window.end == LAST_RUN["2026-10"]
    assert month.image
    assert (month.image.width, month.image.height) == (2400, 1800)
    assert sorted(month.files) == sorted(path.name for path in (data / "history").iterdir())


@pytest.mark.usefixtures("quick")
def test_the_last_month_is_the_default(
    branch: tuple[Path, list[Pushed]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = as_it_was(*branch, "2026-11-01T00:20Z", tmp_path / "data")
    words = ["snapshot", "--data", str(data), "--now", "2026-11-01T00:20Z"]
    assert main(words, environ()) == 0
    assert capsys.readouterr().out.startswith("2026-10: froze history/needle-results-2026-10.csv")


def test_the_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "snapshot", "2026-1", "--data", "x"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "'2026-1' is not a month; write it like 2026-10" in done.stderr


def test_the_stand_in_of_the_page_is_a_picture() -> None:
    check_picture("stripes", stripes(), (2400, 1800))
