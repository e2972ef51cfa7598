"""Needleif on the site: boards, paired tests, pages that stay whole with odd data."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import msgspec
import pytest

from runner.records.needleif import NeedleifRow
from runner.text import parse_time
from sitebuilder import build
from sitebuilder.audit import audit
from sitebuilder.needleif import build_needleif, leaders, mcnemar
from sitebuilder.needleif_charts import regression_step
from sitebuilder.needleif_page import model_folder
from tests.site.made_data import write_data
from tests.site.made_needleif import needleif_row, some_rows, write_needleif

HOSTILE = [
    "<script>alert(1)</script>/\"quoted\" & 'single'",
    "=HYPERLINK(1)/x",
    "../../etc/passwd",
    "a" * 100,
    "модель/大きい",
]


def built(tmp_path: Path, rows: list[NeedleifRow]) -> Path:
    out = tmp_path / "public"
    build(write_needleif(write_data(tmp_path / "data", runs=1), rows), out)
    return out


@pytest.mark.parametrize(
    ("a", "b", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (5, 0, 0.0625),
        (6, 0, 0.03125),
        (10, 2, 0.03857421875),
        (3, 3, 1.0),
    ],
)
def test_mcnemar_is_the_exact_binomial_test(a: int, b: int, p: float) -> None:
    assert mcnemar(a, b) == mcnemar(b, a) == p


def test_mcnemar_equals_scipys() -> None:
    stats = pytest.importorskip("scipy.stats")
    for a in range(12):
        for b in range(12):
            if a + b:
                assert mcnemar(a, b) == pytest.approx(stats.binomtest(a, a + b).pvalue)


def test_models_over_the_same_records_share_a_board_and_others_do_not() -> None:
    first, second = build_needleif(some_rows())
    assert [model.model for model in first.models] == [
        "acme/large",
        "acme/small",
        "embedded/follower",
    ]
    assert [model.model for model in second.models] == ["acme/other"]
    assert [run.ts for run in first.models[0].runs] == ["2026-11-08T02:17Z", "2026-11-15T02:17Z"]
    assert [model.is_reference for model in first.models] == [False, False, True]


def test_a_limited_run_over_the_same_records_is_another_board() -> None:
    rows = [needleif_row("a/x"), needleif_row("a/y", pairs=12)]
    assert [len(board.models) for board in build_needleif(rows)] == [1, 1]


def test_pairs_are_over_needles_that_both_answered_and_leave_references_out() -> None:
    a, b = needleif_row("a/x", pairs=4), needleif_row("a/y", pairs=4)
    a = msgspec.structs.replace(a, haystack=[1.0, 1.0, None, 1.0])
    b = msgspec.structs.replace(b, haystack=[0.0, 1.0, 1.0, 0.0])
    [board] = build_needleif([a, b, needleif_row("embedded/follower", pairs=4)])
    [pair] = board.pairwise
    assert (pair.n, pair.only_a, pair.only_b, pair.delta, pair.p) == (3, 2, 0, 2 / 3, 0.5)
    assert pair.lo == pytest.approx(2 / 3 - 1.959963984540054 * (2 - 4 / 3) ** 0.5 / 3)


def test_holm_is_over_all_pairs_of_a_board() -> None:
    rows = [needleif_row(f"a/{n}", kept=n / 4) for n in range(4)]
    [board] = build_needleif(rows)
    assert len(board.pairwise) == 6
    smallest = min(board.pairwise, key=lambda pair: pair.p)
    assert smallest.p_holm == pytest.approx(min(1.0, 6 * smallest.p))


def test_several_samples_and_old_rows_are_shown_and_not_tested() -> None:
    old = msgspec.structs.replace(needleif_row("a/y"), by=None, bare=None, haystack=None)
    [board] = build_needleif([needleif_row("a/x", samples=3), old])
    assert board.pairwise == []
    assert len(board.models) == 2


def test_the_first_is_named_with_those_that_the_tests_do_not_separate() -> None:
    rows = [needleif_row("a/best", kept=1.0, bare=1.0, pairs=60)]
    rows += [needleif_row("a/near", kept=0.97, bare=1.0, pairs=60)]
    rows += [needleif_row("a/far", kept=0.1, pairs=60)]
    first, level = leaders(build_needleif(rows)[0])
    assert first is not None
    assert (first.model, level) == ("a/best", ["a/near"])


@pytest.mark.parametrize(
    ("value", "step"), [(0, 1), (0.049, 1), (0.05, 2), (0.15, 3), (0.35, 4), (0.65, 5), (1, 5)]
)
def test_a_darker_colour_is_a_larger_regression(value: float, step: int) -> None:
    assert regression_step(value) == step


def test_the_pages_are_whole_and_the_audit_finds_nothing(tmp_path: Path) -> None:
    out = built(tmp_path, some_rows())
    page = (out / "needleif" / "index.html").read_text()
    for row in some_rows():
        assert row.model in page
        assert (out / model_folder(row.model) / "index.html").exists()
    assert "needleif/" in (out / "index.html").read_text()
    assert audit(out) == []


def test_every_form_has_the_same_figures(tmp_path: Path) -> None:
    out = built(tmp_path, some_rows())
    results = json.loads((out / "results" / "results.json").read_bytes())
    lines = list(csv.DictReader(io.StringIO((out / "results" / "needleif.csv").read_text())))
    seen = {
        (line["records_sha256"], line["model"], line["mode"], line["metric"]): line["value"]
        for line in lines
        if line["breakdown"] == "overall"
    }
    expected = {}
    for board in results["needleif"]:
        for model in board["models"]:
            for mode in ("strict", "loose"):
                for metric in ("baseline", "long_context", "distraction_regression", "net_penalty"):
                    key = (board["dataset"]["records_sha256"], model["model"], mode, metric)
                    expected[key] = f"{model[mode][metric]['value']:.6f}"
    assert seen == expected
    served = (out / "data" / "needleif.jsonl").read_bytes().splitlines()
    assert len(served) == len(some_rows())


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_stays_text_and_in_its_folder(name: str, tmp_path: Path) -> None:
    out = built(tmp_path, [needleif_row(name)])
    assert (out / model_folder(name) / "index.html").resolve().is_relative_to(out.resolve())
    assert audit(out) == []
    page = (out / "needleif" / "index.html").read_text()
    assert "<script>alert" not in page
    rows = list(csv.reader(io.StringIO((out / "results" / "needleif.csv").read_text())))
    assert not any(cell.startswith("=") for row in rows for cell in row)


def test_without_a_row_the_page_says_so_and_the_dashboard_says_nothing(tmp_path: Path) -> None:
    out = tmp_path / "public"
    build(write_data(tmp_path / "data", runs=1), out)
    assert "No model has been asked yet" in (out / "needleif" / "index.html").read_text()
    assert 'id="needleif"' not in (out / "index.html").read_text()
    assert not (out / "results" / "needleif.csv").exists()
    assert audit(out) == []


def test_rows_of_needleif_alone_are_enough_for_a_site(tmp_path: Path) -> None:
    data = write_needleif(tmp_path / "data", some_rows())
    out = tmp_path / "public"
    build(data, out)
    assert "acme/large" in (out / "needleif" / "index.html").read_text()
    assert audit(out) == []


BROKEN = [
    (b'"n11":', b'"n11":-'),
    (b'"provider":"openai"', b'"provider":"nobody"'),
    (b'"model":"acme/small"', b'"model":"acme\\u0000small"'),
    (b'"ts":"2026-11-15T02:17Z"', b'"ts":"yesterday"'),
    (b'"haystack":[', b'"haystack":[1.0,'),
    (b'"value":', b'"value":7'),
]


@pytest.mark.parametrize(("old", "new"), BROKEN)
def test_a_broken_row_is_counted_and_the_others_stay(
    old: bytes, new: bytes, tmp_path: Path
) -> None:
    data = write_needleif(tmp_path / "data", [needleif_row("acme/small"), needleif_row("acme/big")])
    path = data / "needleif.jsonl"
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new, 1) + b'{"ts":')
    report = build(data, tmp_path / "public")
    [state] = [each for each in report.results.files if each.name == "needleif.jsonl"]
    assert (state.rows, sum(problem.count for problem in state.problems)) == (1, 2)
    assert [m.model for m in report.results.needleif[0].models] == ["acme/big"]


def test_as_of_shows_what_was_there_then(tmp_path: Path) -> None:
    data = write_needleif(tmp_path / "data", some_rows())
    report = build(data, tmp_path / "public", as_of=parse_time("2026-11-10T00:00Z"))
    models = [[model.model for model in board.models] for board in report.results.needleif]
    assert models == [["acme/large"], ["acme/other"]]
    assert report.results.needleif[0].models[0].ts == "2026-11-08T02:17Z"
