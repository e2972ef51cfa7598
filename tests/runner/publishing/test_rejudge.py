"""Another judge over archived results: no search, no changed row, ratings of that judge alone."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from runner.cli import main
from runner.publishing.archive import FolderArchive
from runner.publishing.rebuild import plain, rebuild
from runner.publishing.rejudge import unjudged
from runner.records.reports import JudgedReport
from tests.fakes import FakeWorld, Fault
from tests.live import environ, run_live

RUN = "2026-11-15T1017Z"
ENGINES = ("exa", "google")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rejudge") / "data"
    with FakeWorld() as world:
        assert run_live(world, folder, "--limit", "5", engines=ENGINES) == 0
    return folder


def rejudge(world: FakeWorld, data: Path, *words: str) -> int:
    line = ["rescore", RUN, "--archive", str(data / "archive"), "--data", str(data)]
    return main([*line, *words], environ(world), lambda _: asyncio.sleep(0))


def files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def made(out: Path) -> JudgedReport:
    return msgspec.json.decode((out / f"{RUN}-news.json").read_bytes(), type=JudgedReport)


def test_every_document_is_rated_once_by_the_other_model_and_nothing_is_searched_or_changed(
    data: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    then = FolderArchive(data / "archive").load(RUN, "news")
    assert isinstance(then, JudgedReport)
    before = files(data)
    with FakeWorld() as world:
        assert rejudge(world, data, "--judge-model", "acme/judge-2", "--out", str(tmp_path)) == 0
        assert world.count("*") == world.count("openrouter.ai")
        assert {call.json["model"] for call in world.calls} == {"acme/judge-2"}
        now = made(tmp_path)
        documents = {
            (q.query_id, r.url, r.title, r.snippet, r.published)
            for name in now.roster
            for q in now.engines[name].per_query
            for r in q.results
            if r.title is not None or r.snippet is not None
        }
        assert now.judged_pairs == len(documents)
        profiled = {query_id for query_id, *_ in documents}
        assert world.billed() == len(documents) + len(profiled)
    assert files(data) == before
    assert (now.judge_model, now.judge_errors) == ("acme/judge-2", 0)
    # the fake judge rates by the text alone, so that the same text gets the same rating again
    for name in now.roster:
        pairs = zip(then.engines[name].per_query, now.engines[name].per_query, strict=True)
        for old, new in pairs:
            for was, result in zip(old.results, new.results, strict=True):
                assert result.rating in (was.rating, None)
    assert plain(rebuild(now)) == plain(now)
    shown = capfd.readouterr()
    assert f"judged then by {then.judge_model}, now by acme/judge-2:" in shown.out
    assert "fake-" not in shown.out + shown.err


def test_results_of_which_only_the_address_may_be_kept_are_left_unrated_and_counted(
    data: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with FakeWorld() as world:
        assert rejudge(world, data, "--judge-model", "acme/judge-2", "--out", str(tmp_path)) == 0
    now = made(tmp_path)
    bare = sum(
        result.title is None and result.snippet is None
        for name in now.roster
        for query in now.engines[name].per_query
        for result in query.results
    )
    assert unjudged(now) == bare
    assert f"{bare} results have no rating now" in capfd.readouterr().err


def test_a_judge_that_fails_leaves_results_unrated_and_says_how_many(
    data: Path, tmp_path: Path
) -> None:
    faults = [Fault(kind="status", status=400, host="openrouter.ai", contains="relevance")]
    with FakeWorld(faults=faults) as world:
        assert rejudge(world, data, "--judge-model", "acme/judge-2", "--out", str(tmp_path)) == 0
    now = made(tmp_path)
    assert now.judged_pairs == 0
    assert now.judge_errors > 0
    assert all(now.engines[name].num_scored == 0 for name in now.roster)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--judge-model", "a/b", "--check"], "leave --check and --metric out"),
        (["--judge-model", "a/b", "--metric", "linear"], "leave --check and --metric out"),
        (["--out", "x"], "name one with --judge-model"),
    ],
)
def test_what_does_not_go_together_is_refused(
    words: list[str], problem: str, data: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with FakeWorld() as world:
        assert rejudge(world, data, *words) == 2
        assert world.count("*") == 0
    assert problem in capfd.readouterr().err


def test_without_a_key_it_says_which_one(data: Path, capfd: pytest.CaptureFixture[str]) -> None:
    line = ["rescore", RUN, "--archive", str(data / "archive"), "--data", str(data)]
    assert main([*line, "--judge-model", "a/b"], {}) == 2
    assert "OPENROUTER_API_KEY is not set" in capfd.readouterr().err
