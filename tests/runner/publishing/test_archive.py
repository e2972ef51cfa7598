from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runner.errors import DataError, PublishError
from runner.publishing.archive import FolderArchive, with_allowed_text
from runner.records.reports import JudgedReport, JudgedResult
from runner.scoring.ndcg import score_query
from tests.runner.publishing.made import Archive, report, result

RUN = "2026-11-15T1017Z"
QUERIES = b'{"query_text":"a"}\n'


def results_of(made: JudgedReport, engine: str) -> Sequence[JudgedResult]:
    return made.engines[engine].per_query[0].results


def test_a_run_is_stored_slim_with_a_file_for_each_engine(tmp_path: Path) -> None:
    names = FolderArchive(tmp_path).store(report(), QUERIES)
    assert names == [
        "news.json",
        "news/alpha.json",
        "news/beta.json",
        "news/ultimate.json",
        "fresh.jsonl",
    ]
    folder = tmp_path / "runs" / "2026" / "11" / RUN
    assert sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()) == sorted(
        names
    )
    assert b"per_query" not in (folder / "news.json").read_bytes()
    alpha = json.loads((folder / "news" / "alpha.json").read_bytes())
    assert (alpha["bench"], alpha["run_id"], alpha["engine"]) == ("news", RUN, "alpha")
    assert len(alpha["per_query"]) == 2
    assert (folder / "fresh.jsonl").read_bytes() == QUERIES


def test_a_stored_report_comes_back_whole(tmp_path: Path) -> None:
    archive = FolderArchive(tmp_path)
    archive.store(report(), QUERIES)
    assert archive.load(RUN, "news") == report()


def test_storing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    archive = FolderArchive(tmp_path)
    archive.store(report(), QUERIES)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    archive.store(report(), QUERIES)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_two_benches_of_one_minute_share_a_folder(tmp_path: Path) -> None:
    archive = FolderArchive(tmp_path)
    archive.store(report("news"), QUERIES)
    archive.store(report("agentic_rare"), QUERIES)
    assert archive.load(RUN, "news") == report("news")
    assert archive.load(RUN, "agentic_rare") == report("agentic_rare")


@pytest.mark.parametrize(
    ("policy", "has_text"), [("full", True), ("snippet", True), ("urls", False)]
)
def test_the_policy_of_an_engine_decides_which_text_is_stored(
    tmp_path: Path, policy: Archive, has_text: bool
) -> None:
    made = report(archive={"alpha": policy})
    FolderArchive(tmp_path).store(made, QUERIES)
    stored = (tmp_path / "runs/2026/11" / RUN / "news" / "alpha.json").read_text()
    for text in ("Title of words", "Snippet of words", "It says: words", "2 days ago"):
        assert (text in stored) == has_text
    assert "https://alpha.example/1" in stored


def test_under_urls_the_rating_and_gates_stay() -> None:
    [kept] = results_of(with_allowed_text(report(archive={"alpha": "urls"})), "alpha")
    assert (kept.url, kept.rating, kept.label, kept.gates) == (
        "https://alpha.example/1",
        3,
        "HM",
        {"staleness_gate": "pass"},
    )
    assert (kept.title, kept.snippet, kept.reasoning, kept.published) == (None,) * 4


def test_ultimate_follows_the_strictest_engine_that_returned_the_page() -> None:
    made = report(
        results={
            "alpha": [
                result("https://www.shared.example/a/", text="shared"),
                result("https://a.example"),
            ],
            "beta": [result("http://shared.example/a"), result("https://b.example")],
        },
        archive={"alpha": "full", "beta": "urls"},
    )
    stored = with_allowed_text(made)
    assert [each.title is not None for each in results_of(stored, "alpha")] == [True, True]
    assert [each.title is not None for each in results_of(stored, "beta")] == [False, False]
    assert {each.url: each.title is not None for each in results_of(stored, "ultimate")} == {
        "https://www.shared.example/a/": False,
        "https://a.example": True,
        "http://shared.example/a": False,
        "https://b.example": False,
    }


def test_a_page_of_ultimate_that_nobody_returned_loses_its_text() -> None:
    made = report(archive={"alpha": "full", "beta": "full"})
    stray = msgspec.structs.replace(
        made.engines["ultimate"].per_query[0], results=[result("https://stray.example")]
    )
    block = msgspec.structs.replace(
        made.engines["ultimate"], per_query=[stray, made.engines["ultimate"].per_query[1]]
    )
    made = msgspec.structs.replace(made, engines={**made.engines, "ultimate": block})
    assert results_of(with_allowed_text(made), "ultimate")[0].snippet is None


def test_scores_can_be_computed_again_from_an_archive_without_text(tmp_path: Path) -> None:
    made = report(archive={"alpha": "urls", "beta": "urls"})
    archive = FolderArchive(tmp_path)
    archive.store(made, QUERIES)
    back = archive.load(RUN, "news")

    def scores(source: JudgedReport) -> Any:
        answers = {
            name: [(each.url, each.rating) for each in results_of(source, name)]
            for name in source.roster
        }
        return score_query(answers, source.k)

    assert scores(back) == scores(made)


@pytest.mark.parametrize("name", ["../beta", "a/b", "", ".hidden", "Alpha", "a" * 65, "a\x00"])
def test_an_engine_name_that_is_no_safe_file_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(PublishError, match="cannot be a file name"):
        FolderArchive(tmp_path).store(report(scores={name: [0.5, 0.5]}), QUERIES)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("run_id", "bench"), [("../..", "news"), (RUN, "../news"), (RUN, "x")])
def test_a_run_or_bench_that_is_no_name_is_refused(tmp_path: Path, run_id: str, bench: str) -> None:
    with pytest.raises(PublishError, match="a run is named like"):
        FolderArchive(tmp_path).load(run_id, bench)


def test_a_missing_or_broken_file_is_named(tmp_path: Path) -> None:
    archive = FolderArchive(tmp_path)
    with pytest.raises(DataError, match=r"news\.json: cannot be read"):
        archive.load(RUN, "news")
    archive.store(report(), QUERIES)
    path = tmp_path / "runs" / "2026" / "11" / RUN / "news" / "beta.json"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(DataError, match=r"beta\.json: is not the file that was archived"):
        archive.load(RUN, "news")
    slim = path.parents[1] / "news.json"
    slim.write_bytes(slim.read_bytes()[:100])
    with pytest.raises(DataError, match=r"news\.json: .*truncated"):
        archive.load(RUN, "news")
    slim.write_bytes(b'{"metric":"ndcg"}')
    with pytest.raises(DataError, match="not an archived report"):
        archive.load(RUN, "news")


def test_a_run_from_before_digests_were_kept_is_read_as_it_is(tmp_path: Path) -> None:
    archive = FolderArchive(tmp_path)
    archive.store(report(), QUERIES)
    path = tmp_path / "runs" / "2026" / "11" / RUN / "news.json"
    slim = json.loads(path.read_bytes())
    assert set(slim.pop("engine_files")) == {"alpha", "beta", "ultimate"}
    path.write_bytes(json.dumps(slim).encode())
    assert archive.load(RUN, "news") == report()
