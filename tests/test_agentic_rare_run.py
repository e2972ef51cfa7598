"""The agentic_rare bench as a user starts it: filter, artifact, run, without keys and live."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from runner.cli import main
from runner.paths import SAMPLE
from runner.records.reports import JudgedReport
from tests.fakes import FakeWorld, Fault
from tests.live import KEYS, holds_a_key

NOW = "2026-11-15T10:17Z"
ROWS = SAMPLE / "agentic_rare" / "rare_entity.jsonl"


@pytest.fixture(scope="module")
def world() -> Iterator[FakeWorld]:
    with FakeWorld() as world:
        yield world


def _needle(world: FakeWorld, *words: str, **environ: str) -> int:
    env = {"NEEDLE_GATEWAY": world.url, **KEYS, "HF_TOKEN": "fake-HF_TOKEN", **environ}
    return main(["agentic_rare", *words], env, lambda _: asyncio.sleep(0))


def _batch(world: FakeWorld, data: Path, cache: Path, *more: str) -> int:
    words = ("--engines", "exa,google", "--now", NOW, "--seed", "3", "--limit", "9")
    return _needle(world, *words, "--data", str(data), "--source-cache", str(cache), *more)


def _report(path: Path) -> JudgedReport:
    return msgspec.json.decode(path.read_bytes(), type=JudgedReport)


def test_the_hub_s_stream_becomes_an_artifact_that_a_run_can_ask(
    world: FakeWorld, tmp_path: Path
) -> None:
    artifact, cache = tmp_path / "rare.parquet", ("--source-cache", str(tmp_path / "cache"))
    assert _needle(world, "filter", "--out", str(artifact), *cache) == 0
    assert artifact.read_bytes()[:4] == b"PAR1"
    out = tmp_path / "r.json"
    words = ("run", "--queries", str(artifact), "--out", str(out), "--engines", "exa,google")
    assert _needle(world, *words, "--limit", "9", "--now", NOW) == 0
    report = _report(out)
    assert report.num_queries == 9
    lengths = report.engines["exa"].by_length
    assert set(lengths) == {"short", "medium", "long"}
    assert sum(part.n for part in lengths.values()) == report.engines["exa"].num_scored


def test_a_live_batch_samples_the_artifact_and_remembers_what_it_asked(
    world: FakeWorld, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "d"
    assert _batch(world, data, tmp_path / "cache") == 0
    used = (data / "agentic_rare.used.jsonl").read_bytes().splitlines()
    assert len(used) == 9
    assert _batch(world, data, tmp_path / "cache", "--now", "2026-11-15T15:17Z") == 0
    asked = [
        json.loads(line)["query_hash"]
        for path in data.glob("batches/*/queries.jsonl")
        for line in path.read_bytes().splitlines()
    ]
    assert len(asked) == len(set(asked)) == 18
    assert holds_a_key(tmp_path) == []
    out, err = capfd.readouterr()
    assert "fake-" not in out + err


def test_with_the_hub_down_the_copy_of_before_is_sampled(world: FakeWorld, tmp_path: Path) -> None:
    assert _batch(world, tmp_path / "a", tmp_path / "cache") == 0
    with FakeWorld(faults=[Fault(host="huggingface.co", kind="status", status=503)]) as broken:
        assert _batch(broken, tmp_path / "b", tmp_path / "cache") == 0
        assert _batch(broken, tmp_path / "c", tmp_path / "empty") != 0
    assert not (tmp_path / "c" / "history.jsonl").exists()


def test_without_keys_the_sample_is_asked(tmp_path: Path) -> None:
    words = ["agentic_rare", "--now", NOW, "--no-latency", "--data", str(tmp_path)]
    assert main(words, {}, lambda _: asyncio.sleep(0)) == 0
    report = _report(next(tmp_path.glob("batches/*/report.json")))
    assert report.queries_from == "sample"
    assert report.num_queries == len(ROWS.read_bytes().splitlines())


def test_a_parquet_file_that_is_no_artifact_is_named(
    world: FakeWorld, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    wrong = tmp_path / "x.parquet"
    wrong.write_bytes(b"PAR1 and nothing else")
    words = ("run", "--queries", str(wrong), "--out", str(tmp_path / "r.json"))
    assert _needle(world, *words, "--engines", "exa") == 1
    assert str(wrong) in capfd.readouterr().err


def test_a_stream_that_is_not_there_is_told_before_anything_is_fetched(
    world: FakeWorld, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    world.reset()
    words = ("filter", "--queries", str(tmp_path / "none"), "--out", str(tmp_path / "o.parquet"))
    assert (_needle(world, *words), world.count("*")) == (2, 0)
    assert "no such file" in capfd.readouterr().err
