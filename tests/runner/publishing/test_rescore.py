"""Rebuilding published numbers: real runs of all benches, healthy and with failures."""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runner.cli import main
from runner.paths import SAMPLE
from runner.publishing import rescore as rescoring
from runner.publishing.archive import FolderArchive
from runner.publishing.daily_queries import NAME
from runner.publishing.rebuild import plain, rebuild
from runner.publishing.rescore import PublishedRows, archived_runs, examine, verdicts
from runner.records.published import BENCHES
from runner.records.reports import JudgedReport, KnownItemReport, Report
from tests.fakes import FakeWorld, Fault
from tests.live import KEYS
from tests.runner.publishing.made import put, rows
from tests.runner.publishing.made import report as made_report

NOW = "2026-11-15T10:17Z"
RUN = "2026-11-15T1017Z"
replace = msgspec.structs.replace


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a small keyless run of every bench, and its archive."""
    data = tmp_path_factory.mktemp("rescore")
    for bench in BENCHES:
        words = [bench, "--profile", "embedded", "--limit", "6", "--now", NOW]
        assert main([*words, "--data", str(data)], {}) == 0
    return data


@pytest.fixture
def data(made: Path, tmp_path: Path) -> Path:
    """A copy that may be spoilt."""
    return Path(shutil.copytree(made, tmp_path / "data"))


def rescore(data: Path, *words: str) -> int:
    places = ["--archive", str(data / "archive"), "--data", str(data)]
    return main(["rescore", *words, *places], {})


def load(data: Path, bench: str) -> Report:
    return FolderArchive(data / "archive").load(RUN, bench)


def test_every_number_of_every_bench_comes_out_again(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rescore(made, "--all", "--check") == 0
    assert "5 runs rebuilt" in capsys.readouterr().out
    assert [run.bench for run in archived_runs(made / "archive")] == sorted(BENCHES)


def test_a_run_leaves_its_queries_among_those_of_the_day(made: Path) -> None:
    content = (made / "archive" / NAME).read_bytes()
    asked = Counter(json.loads(line)["bench"] for line in content.splitlines())
    assert asked == {bench: load(made, bench).num_queries for bench in BENCHES}
    (made / "archive" / NAME).unlink()
    assert main(["daily-queries", "--archive", str(made / "archive")], {}) == 0
    assert (made / "archive" / NAME).read_bytes() == content


def faulty() -> Iterator[Fault]:
    yield Fault(host="api.exa.ai", kind="status", status=500, after=2, times=8)
    yield Fault(host="google.serper.dev", kind="status", status=402, after=4, times=1)
    yield Fault(host="openrouter.ai", kind="status", status=400, contains="relevance", after=60)
    yield Fault(host="openrouter.ai", kind="status", status=400, contains="fact_match", after=3)


@pytest.mark.parametrize("bench", ["news", "finance", "scholar"])
def test_runs_with_failed_searches_and_judgements_come_out_again(
    tmp_path: Path, bench: str
) -> None:
    report = live(bench, tmp_path)
    blocks = [report.engines[name] for name in report.roster]
    assert sum(block.search_errors for block in blocks) > 0
    if bench == "news":
        assert sum(block.judge_errors for block in blocks) > 0
    assert plain(rebuild(report)) == plain(report)


def live(bench: str, folder: Path) -> Report:
    """The report of a run against the fake world while it misbehaves."""
    words = [bench, "run", "--engines", "exa,google,keenable", "--now", NOW, "--limit", "8"]
    queries, out = folder / "queries.txt", folder / "report.json"
    if bench == "news":
        queries.write_text("".join(f"harbour ferry strike {n}\n" for n in range(8)))
    else:
        queries = SAMPLE / bench / "gold.jsonl"
    if bench == "finance":
        words.append("--judge")
    with FakeWorld(faults=faulty()) as world:
        env = {"NEEDLE_GATEWAY": world.url, "NEEDLE_CONTACT": "a@b.example", **KEYS}
        words += ["--queries", str(queries), "--out", str(out)]
        assert main(words, env, lambda _: asyncio.sleep(0)) == 0
    kind = JudgedReport if bench == "news" else KnownItemReport
    return msgspec.json.decode(out.read_bytes(), type=kind)


@pytest.mark.parametrize("bench", ["news", "agentic_rare"])
def test_no_rating_can_be_changed_unseen(made: Path, bench: str) -> None:
    report = load(made, bench)
    assert isinstance(report, JudgedReport)
    published = PublishedRows(made)
    changed = 0
    for engine, block in report.engines.items():
        for place, query in enumerate(block.per_query[:3]):
            for rank, result in enumerate(query.results):
                assert result.rating is not None
                other = replace(result, rating=(result.rating + 2) % 5)
                results = [*query.results[:rank], other, *query.results[rank + 1 :]]
                queries = list(block.per_query)
                queries[place] = replace(query, results=results)
                spoilt = {**report.engines, engine: replace(block, per_query=queries)}
                assert examine(replace(report, engines=spoilt), published) != []
                changed += 1
    assert changed >= 30


@pytest.mark.parametrize("bench", ["finance", "scholar", "legal"])
def test_no_match_can_be_changed_unseen(made: Path, bench: str) -> None:
    report = load(made, bench)
    assert isinstance(report, KnownItemReport)
    published = PublishedRows(made)
    for engine in report.roster:
        block = report.engines[engine]
        place = next(at for at, query in enumerate(block.per_query) if query.hit_rank)
        query = block.per_query[place]
        rank = (query.hit_rank or 0) - 1
        missed = replace(query.results[rank], match_via=None)
        results = [*query.results[:rank], missed, *query.results[rank + 1 :]]
        queries = list(block.per_query)
        queries[place] = replace(query, results=results)
        spoilt = {**report.engines, engine: replace(block, per_query=queries)}
        found = examine(replace(report, engines=spoilt), published)
        assert any(
            f"archive.engines.{engine}.per_query[{place}].hit_rank" in line for line in found
        )


def edit(path: Path, change: Callable[[Any], None]) -> bytes:
    document = json.loads(path.read_bytes())
    change(document)
    content = json.dumps(document).encode()
    path.write_bytes(content)
    return content


def folder(data: Path) -> Path:
    return data / "archive" / "runs" / "2026" / "11" / RUN


@pytest.mark.parametrize("bench", BENCHES)
def test_one_changed_url_fails_and_its_file_is_named(
    data: Path, bench: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def last_url(document: Any) -> None:
        query = next(query for query in reversed(document["per_query"]) if query["results"])
        query["results"][-1]["url"] += "x"

    edit(folder(data) / bench / "local-dense.json", last_url)
    assert rescore(data, RUN, "--check") == 1
    assert f"{bench}/local-dense.json: is not the file that was archived" in capsys.readouterr().err


def test_a_rating_that_was_changed_with_its_digest_still_does_not_fit(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def better(document: Any) -> None:
        result = document["per_query"][0]["results"][0]
        result["rating"] = 0 if result["rating"] else 4

    content = edit(folder(data) / "news" / "local-bm25.json", better)
    digest = hashlib.sha256(content).hexdigest()
    edit(
        folder(data) / "news.json",
        lambda document: document["engine_files"].update({"local-bm25": digest}),
    )
    assert rescore(data, "--all", "--check") == 1
    said = capsys.readouterr().err
    assert "news 2026-11-15T1017Z: archive.engines.local-bm25.per_query[0]" in said
    assert "1 of 5 runs do not come out again" in said


@pytest.mark.parametrize(
    ("table", "field"),
    [
        ("history.jsonl", "num_scored"),
        ("history.jsonl", "p95_ms"),
        ("overlap.jsonl", "jaccard_sum"),
        ("uniqueness.jsonl", "unique_urls"),
    ],
)
def test_one_changed_row_fails_and_is_named(
    data: Path, table: str, field: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = data / table
    lines = path.read_text().splitlines()
    row = json.loads(lines[0])
    row[field] += 1
    path.write_text("\n".join([json.dumps(row), *lines[1:]]) + "\n")
    assert rescore(data, "--latest", "9", "--check") == 1
    said = capsys.readouterr().err
    assert f"{row['bench']} {RUN}: {table}." in said
    assert f".{field} is {row[field]}" in said


@pytest.mark.parametrize("table", ["history.jsonl", "overlap.jsonl", "uniqueness.jsonl"])
def test_a_row_too_few_fails(data: Path, table: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = data / table
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[1:]))
    assert rescore(data, RUN, "--check") == 1
    assert "is missing" in capsys.readouterr().err


def test_a_changed_score_of_one_query_fails(data: Path) -> None:
    path = data / "ci_scores.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[2]["engines"]["ultimate"][1] = 0.5
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert rescore(data, RUN, "--check") == 1


def test_closed_weeks_are_compared_like_hot_rows(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(data, made_report(ts="2026-11-30T10:17Z", profile="embedded"))
    assert main(["compact", "--data", str(data), "--now", "2026-12-20T10:00Z"], {}) == 0
    assert {row["ts"] for row in rows(data, "overlap.jsonl")} == {"2026-11-30T10:17Z"}
    assert rescore(data, "--all", "--check") == 0
    shutil.rmtree(data / "closed")
    assert rescore(data, "--all", "--check") == 1
    assert "is missing" in capsys.readouterr().err


def test_several_processes_find_the_same_as_one(data: Path) -> None:
    archive = data / "archive"
    runs = archived_runs(archive)
    other = archive / "runs" / "2026" / "11" / "2026-11-22T1017Z"
    shutil.copytree(folder(data), other)  # in another week, and published nowhere
    both = archived_runs(archive)
    assert len(both) == 2 * len(runs)
    alone = list(verdicts(archive, data, both))
    assert list(verdicts(archive, data, both, jobs=2)) == alone
    assert [bool(verdict.differences) for verdict in alone] == [False] * 5 + [True] * 5


@pytest.mark.parametrize(
    "words", [["2026-11-16T1017Z"], ["--latest", "2", "--all"], [], [RUN, "--all"]]
)
def test_a_choice_that_is_none_is_wrong_use(made: Path, words: list[str]) -> None:
    assert rescore(made, *words) == 2


def test_another_metric_is_shown_without_a_search(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = []
    for metric in ("graded", "linear"):
        assert rescore(made, RUN, "--metric", metric) == 0
        tables.append(capsys.readouterr().out)
    assert tables[0] != tables[1]
    assert tables[0].count("95% interval") == 5


@pytest.mark.filterwarnings("ignore")  # what its own threads warn of is not ours
def test_a_dask_cluster_gives_the_same_verdicts(
    data: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp"
    ) as cluster:
        words = ("--all", "--check", "--dask", cluster.scheduler_address)
        assert rescore(data, *words) == 0
        path = data / "history.jsonl"
        path.write_bytes(path.read_bytes().replace(b'"num_queries":6', b'"num_queries":7', 1))
        assert rescore(data, *words) == 1
    assert "num_queries is 7, the results give 6" in capfd.readouterr().err


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_is_not_there_is_a_usage_error(
    data: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    monkeypatch.setattr(rescoring, "CLUSTER_TIMEOUT_S", 0.2)
    assert rescore(data, "--all", "--check", "--dask", "tcp://127.0.0.1:9") == 2
    assert "no cluster answers there" in capfd.readouterr().err
