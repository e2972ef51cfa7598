"""Rows of needleif on the data branch: published once, checked, rebuilt, thinned out with time."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runner.cli import main
from runner.errors import DataError, PublishError
from runner.publishing.archive import FolderArchive
from runner.publishing.needleif import publish_needleif
from runner.publishing.push import Staged, apply_report
from runner.publishing.verify import verify
from runner.publishing.verify_needleif import odd_model
from runner.publishing.weeks import week_of
from runner.records.base import encode_document
from runner.records.needleif import (
    NeedleCell,
    NeedleifReport,
    NeedleifRow,
    decode_needleif_row,
)
from runner.records.reports import Profile
from runner.text import parse_time, run_id
from tests.runner.publishing.compacting import NOW as NEXT_YEAR
from tests.runner.publishing.compacting import compact_all, fill, stamp
from tests.runner.publishing.made import report as search_report

NOW = "2026-11-15T10:17Z"
MODELS = ["embedded/follower", "embedded/tail-copier"]


def needle(*words: str | Path) -> int:
    return main([*map(str, words)], {}, lambda _: asyncio.sleep(0))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory after one keyless run."""
    data = tmp_path_factory.mktemp("needleif") / "data"
    words = ("needleif", "--profile", "embedded", "--config", "smoke", "--data", data)
    assert needle(*words, "--now", NOW) == 0
    return data


@pytest.fixture
def report(made: Path) -> NeedleifReport:
    return FolderArchive(made / "archive").load_needleif("2026-11-15T1017Z")


def at(report: NeedleifReport, ts: str, profile: Profile = "embedded") -> NeedleifReport:
    """The same run at another time."""
    models = {name: replaced(m, ts=ts, profile=profile) for name, m in report.models.items()}
    return msgspec.structs.replace(report, ts=ts, run_id=run_id(ts), profile=profile, models=models)


def published(data: Path) -> list[NeedleifRow]:
    lines = (data / "needleif.jsonl").read_bytes().splitlines()
    return [decode_needleif_row(line) for line in lines]


def publish(report: NeedleifReport, data: Path, now: str = "2026-11-15T11:00Z") -> list[str]:
    return publish_needleif(report, data, now=parse_time(now)).changed


def test_a_keyless_run_leaves_a_row_a_model_with_all_its_figures(made: Path) -> None:
    rows = published(made)
    assert [row.model for row in rows] == MODELS
    for row in rows:
        assert (row.pairs, row.records, row.missing, row.failed) == (6, 12, 0, 0)
        assert row.bare is not None
        assert row.haystack is not None
        assert row.by is not None
        assert row.loose.baseline.value == pytest.approx(sum(v or 0 for v in row.bare) / 6)
        assert row.loose.long_context.value == pytest.approx(sum(v or 0 for v in row.haystack) / 6)
        assert sum(cell.n for cell in row.by["size"].values()) == 6
        assert set(row.by) == {
            "size",
            "depth",
            "complexity",
            "instructions",
            "size_depth",
            "instruction_id",
        }
    assert rows[0].dataset == rows[1].dataset
    assert verify(made, now=parse_time("2026-11-16T00:00Z")) == []


def test_publishing_twice_changes_nothing_and_another_run_is_appended(
    report: NeedleifReport, tmp_path: Path
) -> None:
    assert publish(report, tmp_path) == ["needleif.jsonl", "runs.json"]
    before = {path.name: path.read_bytes() for path in tmp_path.glob("*.json*")}
    assert publish(report, tmp_path, "2026-11-19T11:00Z") == []
    assert before == {path.name: path.read_bytes() for path in tmp_path.glob("*.json*")}
    publish(at(report, "2026-11-22T02:17Z"), tmp_path)
    assert [row.ts for row in published(tmp_path)] == [NOW] * 2 + ["2026-11-22T02:17Z"] * 2
    assert (tmp_path / "needleif.jsonl").read_bytes().startswith(before["needleif.jsonl"])


def test_it_shares_a_minute_with_the_search_benches_and_touches_none_of_their_rows(
    report: NeedleifReport, tmp_path: Path
) -> None:
    now = parse_time("2026-11-15T11:00Z")
    news = msgspec.structs.replace(search_report(), profile="embedded")
    ts = news.ts
    apply_report(Staged(news, b"", b""), tmp_path, now)
    held = (tmp_path / "history.jsonl").read_bytes()
    said = apply_report(Staged(at(report, ts), b"", b""), tmp_path, now)
    assert said == f"needleif {ts}: 2 models"
    assert (tmp_path / "history.jsonl").read_bytes() == held
    [entry] = json.loads((tmp_path / "runs.json").read_bytes())
    assert set(entry["published_at"]) == {news.bench, "needleif"}
    assert verify(tmp_path, now=parse_time("2026-12-30T00:00Z")) == []


def test_rows_of_another_profile_are_refused(report: NeedleifReport, tmp_path: Path) -> None:
    apply_report(Staged(search_report(), b"", b""), tmp_path, parse_time("2026-11-15T11:00Z"))
    with pytest.raises(PublishError, match="never mix"):
        publish(report, tmp_path)


def test_details_are_dropped_after_35_days_and_the_headline_stays(
    report: NeedleifReport, tmp_path: Path
) -> None:
    publish(report, tmp_path)
    publish(at(report, "2026-12-20T10:17Z"), tmp_path)
    assert all(row.by is not None for row in published(tmp_path))
    before = (tmp_path / "needleif.jsonl").read_bytes().splitlines()
    publish(at(report, "2026-12-20T10:18Z"), tmp_path)
    after = (tmp_path / "needleif.jsonl").read_bytes().splitlines()
    thin = [_without_details(line) for line in before[:2]]
    assert after[:4] == [*thin, *before[2:]]
    assert max(map(len, thin)) < 1600
    held = (tmp_path / "needleif.jsonl").read_bytes()
    assert publish(report, tmp_path) == []  # an old run again brings no details back
    assert (tmp_path / "needleif.jsonl").read_bytes() == held


def _without_details(line: bytes) -> bytes:
    """The line with null for its details, by its bytes: all of them but the last three fields."""
    start = line.index(b'"by":{')
    details = json.loads(b"{" + line[start:])
    assert list(details) == ["by", "bare", "haystack"]
    return line[:start] + b'"by":null,"bare":null,"haystack":null}'


CHANGES = [
    ("row", lambda m: replaced(m, pairs=5)),
    ("figure", lambda m: replaced(m, truncated=1)),
    ("answer", lambda m: answered(m, responses=["One, two, and three."])),
    ("verdict", lambda m: answered(m, loose=[False])),
    ("argument", lambda m: answered(m, instruction_ids=["startend:quotation"], kwargs=[{}])),
    ("name", lambda m: replaced(m, model="somebody/else")),
    ("time", lambda m: replaced(m, ts="2026-11-15T10:18Z")),
]


def replaced(part: Any, **fields: Any) -> Any:
    return msgspec.structs.replace(part, row=msgspec.structs.replace(part.row, **fields))


def answered(model: Any, **fields: Any) -> Any:
    first = msgspec.structs.replace(model.answers[0], **fields)
    return msgspec.structs.replace(model, answers=[first, *model.answers[1:]])


@pytest.mark.parametrize(("what", "change"), CHANGES)
def test_a_report_that_its_answers_do_not_give_is_refused(
    what: str, change: Any, report: NeedleifReport, tmp_path: Path
) -> None:
    models = {**report.models, MODELS[0]: change(report.models[MODELS[0]])}
    with pytest.raises(PublishError, match=MODELS[0]):
        publish(msgspec.structs.replace(report, models=models), tmp_path)
    assert not (tmp_path / "needleif.jsonl").exists()


def rescore(root: Path, data: Path) -> int:
    return needle("rescore", "--archive", root, "--data", data, "--all", "--check")


@pytest.mark.parametrize(("what", "change"), CHANGES[1:5])
def test_rescore_fails_when_the_archive_says_something_else(
    what: str,
    change: Any,
    report: NeedleifReport,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    data = tmp_path / "data"
    publish(report, data)
    archive = FolderArchive(tmp_path / "archive")
    archive.store(report, b"")
    assert rescore(archive.root, data) == 0
    models = {**report.models, MODELS[0]: change(report.models[MODELS[0]])}
    archive.store(msgspec.structs.replace(report, models=models), b"")
    capfd.readouterr()
    assert rescore(archive.root, data) == 1
    assert MODELS[0] in capfd.readouterr().err


def test_rescore_fails_when_a_published_figure_is_changed(
    report: NeedleifReport, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    publish(report, data)
    FolderArchive(tmp_path / "archive").store(report, b"")
    path = data / "needleif.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"truncated":0', b'"truncated":1', 1))
    assert rescore(tmp_path / "archive", data) == 1
    assert "truncated is 1, the results give 0" in capfd.readouterr().err


def test_rescore_of_an_old_run_compares_what_is_still_published(
    report: NeedleifReport, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    publish(report, data)
    publish(at(report, "2027-01-17T02:17Z"), data)
    FolderArchive(tmp_path / "archive").store(report, b"")
    assert rescore(tmp_path / "archive", data) == 0


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        (b'"pairs":6,"pairs_left', b'"pairs":5,"pairs_left', 1, "cells are not over its pairs"),
        (b'"answered":12', b'"answered":11', 1, "do not add up"),
        (b'"n11":6.0', b'"n11":5.0', 1, "the counts of a cell"),
        (b'"model":"embedded/tail-copier"', b'"model":"embedded/follower"', 2, "repeats the row"),
        (b'"provider":"embedded"', b'"provider":"nobody"', 1, "cannot be read"),
        (b"2026-11-15T10:17Z", b"2036-11-15T10:17Z", 1, "still to come"),
        (b'{"ts"', b'{"odd":1,"ts"', 1, "cannot be read"),
    ],
)
def test_verify_names_the_line_of_a_corruption(
    old: bytes, new: bytes, line: int, problem: str, report: NeedleifReport, tmp_path: Path
) -> None:
    publish(report, tmp_path)
    path = tmp_path / "needleif.jsonl"
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new, 1))
    found = verify(tmp_path, now=parse_time("2026-11-16T00:00Z"))
    assert any(
        each.path == path and each.line == line and problem in each.problem for each in found
    ), found


@pytest.mark.parametrize(
    ("problem", "change"),
    [
        ("not those of its data set", lambda row: {"pairs_left_out": 1}),
        ("do not give its counts", lambda row: {"bare": [1 - row.bare[0], *row.bare[1:]]}),
        ("do not give its counts", lambda row: {"haystack": [None, *row.haystack[1:]]}),
        ("are not those of its data set's pairs", lambda row: {"bare": row.bare[1:]}),
        ("outside 0 to 1", lambda row: {"bare": [2.0, *row.bare[1:]]}),
        ("of one side alone", lambda row: {"bare": None}),
        (
            "by depth are not over",
            lambda row: {"by": row.by | {"depth": {"50": row.by["depth"]["50"]}}},
        ),
        ("not its figures", lambda row: {"loose": _other(row.loose, "distraction_regression")}),
        ("not its figures", lambda row: {"strict": _other(row.strict, "net_penalty")}),
        ("not its figures", lambda row: {"strict": _other(row.strict, "baseline")}),
    ],
)
def test_verify_finds_figures_that_cannot_be_true(
    problem: str, change: Any, report: NeedleifReport, tmp_path: Path
) -> None:
    row = report.models[MODELS[0]].row
    assert odd_model(row) is None
    found = odd_model(msgspec.structs.replace(row, **change(row)))
    assert found is not None
    assert problem in found


def _other(cell: NeedleCell, name: str) -> NeedleCell:
    """The cell with another figure than its counts give."""
    figure = getattr(cell, name)
    value = 0.125 if figure.value is None else figure.value - 0.01
    return msgspec.structs.replace(cell, **{name: msgspec.structs.replace(figure, value=value)})


def test_verify_misses_a_run_whose_rows_are_gone(report: NeedleifReport, tmp_path: Path) -> None:
    publish(report, tmp_path)
    (tmp_path / "needleif.jsonl").write_bytes(b"")
    found = verify(tmp_path, now=parse_time("2026-11-16T00:00Z"))
    assert any("no row in needleif.jsonl" in each.problem for each in found)


def test_a_broken_line_is_named_and_nothing_is_published(
    report: NeedleifReport, tmp_path: Path
) -> None:
    publish(report, tmp_path)
    path = tmp_path / "needleif.jsonl"
    path.write_bytes(path.read_bytes() + b"{\n")
    with pytest.raises(DataError, match=r"needleif\.jsonl:3"):
        publish(at(report, "2026-11-22T02:17Z"), tmp_path)


def test_the_archive_command_and_the_publish_stage_take_the_report(
    report: NeedleifReport, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path, data = tmp_path / "report.json", tmp_path / "data"
    path.write_bytes(encode_document(report))
    assert needle("archive", "--report", path, "--archive", tmp_path / "a") == 0
    assert FolderArchive(tmp_path / "a").load_needleif(report.run_id) == report
    assert needle("needleif", "publish", "--report", path, "--data", data) == 0
    assert needle("needleif", "publish", "--report", path, "--data", data) == 0
    assert "nothing changed" in capfd.readouterr().out
    path.write_text("{}")
    assert needle("needleif", "publish", "--report", path, "--data", data) == 2


def test_closed_weeks_take_the_list_of_runs_along_and_leave_the_rows_where_they_are(
    report: NeedleifReport, tmp_path: Path
) -> None:
    data, archive = tmp_path / "data", FolderArchive(tmp_path / "archive")
    alone, shared = (at(report, stamp(*when), "live") for when in ((2, 40), (4,)))
    fill(data, (0, 4, 9, 14, 20))
    for each in (alone, shared):
        names = archive.store(each, b"")
        publish_needleif(each, data, now=parse_time(stamp(20)), artifacts=names)
    held = (data / "needleif.jsonl").read_bytes()
    closed = compact_all(data)
    assert week_of(alone.ts) in closed
    hot = {entry["id"] for entry in json.loads((data / "runs.json").read_bytes())}
    assert not hot & {alone.run_id, shared.run_id}
    assert (data / "needleif.jsonl").read_bytes() == held
    assert verify(data, now=NEXT_YEAR) == []
    for each in (alone, shared):
        names = archive.store(each, b"")
        assert publish_needleif(each, data, now=NEXT_YEAR, artifacts=names).changed == []
    assert rescore(archive.root, data) == 0
    (data / "needleif.jsonl").write_bytes(b"")
    assert len([each for each in verify(data, now=NEXT_YEAR) if "no row" in each.problem]) == 2
