"""Scholar and legal as a user starts them, without keys and live against the fake world."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from runner.cli import main
from runner.records.reports import KnownItemReport
from tests.fakes import FakeWorld, Fault
from tests.live import KEYS, holds_a_key

NOW = "2026-11-15T10:17Z"
TOKENS = {"COURTLISTENER_API_TOKEN": "fake-COURTLISTENER_API_TOKEN"}
LEAST = {"scholar": ("--per-cell", "2"), "legal": ("--per-court", "2", "--per-title", "2")}


@pytest.fixture(scope="module")
def world() -> Iterator[FakeWorld]:
    with FakeWorld() as world:
        yield world


def _live(world: FakeWorld, bench: str, data: Path, *more: str, **environ: str) -> int:
    env = {"NEEDLE_GATEWAY": world.url, **KEYS, **TOKENS, "NEEDLE_CONTACT": "a@b.example"} | environ
    words = [bench, "--engines", "exa,google", "--now", NOW, "--seed", "7", "--data", str(data)]
    cache = ["--source-cache", str(data / "cache")] if bench == "legal" else []
    return main([*words, *LEAST[bench], *cache, *more], env, lambda _: asyncio.sleep(0))


def _report(data: Path) -> KnownItemReport:
    path = next(data.glob("batches/*/report.json"))
    return msgspec.json.decode(path.read_bytes(), type=KnownItemReport)


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes()
        for path in sorted(folder.iterdir())
        if path.is_file() and not path.name.startswith(".")
    }


@pytest.mark.parametrize("bench", ["scholar", "legal"])
def test_a_live_run_gives_the_same_files_for_the_same_seed(
    world: FakeWorld, tmp_path: Path, capfd: pytest.CaptureFixture[str], bench: str
) -> None:
    for name in ("a", "b"):
        assert _live(world, bench, tmp_path / name, "--no-latency") == 0
    assert _files(tmp_path / "a") == _files(tmp_path / "b")
    report = _report(tmp_path / "a")
    ceiling = report.engines["ultimate"]
    for name in report.roster:
        assert 0 < report.engines[name].recall_at_k <= ceiling.recall_at_k
    assert not report.judged
    assert report.judge_model is None
    assert holds_a_key(tmp_path) == []
    out, err = capfd.readouterr()
    assert "fake-" not in out + err


def test_a_sample_of_scholar_keeps_whole_papers(world: FakeWorld, tmp_path: Path) -> None:
    assert _live(world, "scholar", tmp_path, "--limit", "22") == 0
    report = _report(tmp_path)
    assert report.k == 10
    buckets = Counter(query.item for query in report.engines["exa"].per_query)
    assert report.num_queries == 20
    assert set(buckets.values()) == {4}
    gaps = {(gap.first, gap.second): gap.n for gap in report.engines["exa"].gaps}
    assert gaps == {("title", "body"): 5, ("body", "clue"): 5, ("body", "tot"): 5}
    assert set(report.engines["exa"].by) == {"age", "bucket", "domain", "suite"}
    assert list(report.engines["exa"].by["bucket"]) == ["title", "body", "clue", "tot"]


def test_legal_plans_its_searches_below_the_hour_s_allowance(
    world: FakeWorld, tmp_path: Path
) -> None:
    world.reset()
    assert _live(world, "legal", tmp_path, "--suites", "caselaw") == 0
    assert world.count("www.courtlistener.com") == 42
    asked = Counter(call.query["court"] for call in world.calls_to("www.courtlistener.com"))
    assert set(asked.values()) == {3}
    assert world.count("openrouter.ai") == 0
    groups = _report(tmp_path).engines["exa"].by
    assert set(groups) == {"bucket", "court", "suite", "syntax"}


def test_more_searches_than_an_hour_allows_are_refused_before_the_first(
    world: FakeWorld, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    world.reset()
    code = _live(world, "legal", tmp_path, "--months-per-court", "4")
    err = capfd.readouterr().err
    assert (code, world.count("*")) == (2, 0)
    assert "56 searches" in err
    assert "--months-per-court 3" in err


@pytest.mark.parametrize(
    ("bench", "host", "suite"),
    [("legal", "www.courtlistener.com", "caselaw"), ("legal", "www.ecfr.gov", "code")],
)
def test_a_source_that_is_down_leaves_the_gold_of_before_in_its_place(
    world: FakeWorld, tmp_path: Path, bench: str, host: str, suite: str
) -> None:
    data = tmp_path / "d"
    assert _live(world, bench, data) == 0
    before = _files(data)["legal.jsonl"].splitlines()
    with FakeWorld(faults=[Fault(host=host, kind="status", status=503)]) as broken:
        later = ("--now", "2026-11-15T12:17Z", "--source-cache", str(tmp_path / "none"))
        assert _live(broken, bench, data, *later) == 0
    rows = [json.loads(line) for line in _files(data)["legal.jsonl"].splitlines()]
    stale = [row for row in rows if row["query_origin"]["provenance"].get("stale")]
    assert {row["query_origin"]["bucket"] for row in stale} == {suite}
    assert len(stale) == sum(f'"bucket":"{suite}"'.encode() in line for line in before)


@pytest.mark.parametrize("bench", ["scholar", "legal"])
def test_with_every_source_down_nothing_is_run_and_nothing_replaced(
    world: FakeWorld, tmp_path: Path, capfd: pytest.CaptureFixture[str], bench: str
) -> None:
    with FakeWorld(faults=[Fault(host="*", kind="status", status=503)]) as broken:
        assert _live(broken, bench, tmp_path) == 3
    err = capfd.readouterr().err
    assert "503" in err
    assert "Traceback" not in err
    assert not (tmp_path / f"{bench}.jsonl").exists()
    assert not (tmp_path / "history.jsonl").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("scholar", "--suites", "arxiv,pubmed"), "known are arxiv, europepmc"),
        (("scholar", "--buckets", "abstract"), "known are title, body, clue, tot"),
        (("scholar", "--age-buckets", "2d"), "known are 7d, 30d, 1y, older"),
        (("scholar", "--judge"), "--judge"),
        (("legal", "--courts", "ca12"), "known are scotus"),
        (("legal", "--titles", "17,99"), "1 to 50"),
        (("legal", "--titles", "seventeen"), "1 to 50"),
        (("legal", "--profile", "live"), "--suites caselaw"),
        (("scholar", "--profile", "live"), "--buckets title"),
    ],
)
def test_wrong_use_ends_at_once_with_the_way_on(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    try:
        code = main([*words, "--data", str(tmp_path)], {}, lambda _: asyncio.sleep(0))
    except SystemExit as left:
        code = int(left.code or 0)
    assert code == 2
    assert said in capfd.readouterr().err
