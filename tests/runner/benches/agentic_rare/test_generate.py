"""The queries of an hour: a stratified sample of the artifact, wherever it is to be had."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from runner.benches.agentic_rare import entry
from runner.benches.agentic_rare.entry import BENCH
from runner.benches.agentic_rare.flags import add_generate_flags
from runner.benches.bench import Harvest
from runner.errors import DataError, TooLittleError
from runner.llm.embedded import EmbeddedModel
from runner.progress import progress_for
from runner.records.reports import Profile
from runner.settings import read_settings
from tests.runner.benches.agentic_rare.hub_server import ARTIFACT, hub

NOW = datetime(2026, 11, 3, 15, 20, tzinfo=UTC)


def artifact(n: int = 60) -> list[dict[str, Any]]:
    buckets = ["short"] * 6 + ["medium"] * 30 + ["long"] * (n - 36)
    return [
        {
            "query_text": f"qgrepwyzk number {i}",
            "source": "stream_a",
            "metadata": {"session_id": f"s{i}"},
            "length_bucket": bucket,
            "n_words": 3,
            "hard_words": [{"word": "qgrepwyzk", "subwords": ["q", "##gr"]}],
            "max_pieces": 6,
        }
        for i, bucket in enumerate(buckets)
    ]


def parquet(rows: list[dict[str, Any]]) -> bytes:
    buffer = BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), buffer)
    return buffer.getvalue()


def harvest(
    *words: str, env: dict[str, str] | None = None, profile: Profile = "live", now: datetime = NOW
) -> Harvest:
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--seed", type=int)
    add_generate_flags(parser)
    settings = read_settings(env or {}, lambda _: asyncio.sleep(0))
    args = parser.parse_args(words)
    model = EmbeddedModel()
    found = BENCH.generate(args, settings, profile, now, model, progress_for())
    return asyncio.run(_awaited(found))


async def _awaited(found: Any) -> Harvest:
    result = await found
    assert isinstance(result, Harvest)
    return result


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rare.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in artifact()), encoding="utf-8")
    return path


def buckets(found: Harvest) -> Counter[str]:
    return Counter(BENCH.stratum(row) for row in found.rows)


def test_the_sample_takes_the_length_buckets_in_turn(file: Path) -> None:
    found = harvest("--queries", str(file), "--limit", "15")
    assert buckets(found) == {"short": 5, "medium": 5, "long": 5}
    found = harvest("--queries", str(file), "--limit", "30")
    assert buckets(found) == {"short": 6, "medium": 12, "long": 12}
    assert found.counts["in_the_artifact"] == 60
    assert found.counts["from_the_file"] == 30
    assert {row.query_origin.provenance["queries_from"] for row in found.rows} == {"file"}


def test_another_hour_asks_others_and_a_seed_the_same(file: Path) -> None:
    words = ("--queries", str(file), "--limit", "12")
    first = [row.query_text for row in harvest(*words).rows]
    assert first == [row.query_text for row in harvest(*words).rows]
    assert first != [row.query_text for row in harvest(*words, now=NOW + timedelta(hours=1)).rows]
    seeded = [row.query_text for row in harvest(*words, "--seed", "7").rows]
    later = harvest(*words, "--seed", "7", now=NOW + timedelta(hours=1))
    assert seeded == [row.query_text for row in later.rows]


@pytest.mark.parametrize(
    ("scheme", "count"), [("head", {"short": 6, "medium": 4}), ("uniform", None)]
)
def test_the_other_schemes_of_sampling(
    file: Path, scheme: str, count: dict[str, int] | None
) -> None:
    found = harvest("--queries", str(file), "--limit", "10", "--sample", scheme)
    assert len(found.rows) == 10
    if count is not None:
        assert buckets(found) == count


def test_without_a_limit_all_rows_come(file: Path) -> None:
    assert len(harvest("--queries", str(file)).rows) == 60


def test_unusable_and_equal_rows_are_counted(tmp_path: Path) -> None:
    rows = [*artifact(40)[:3], {"query_text": ""}, artifact(40)[1], {"query_text": "x" * 3000}]
    path = tmp_path / "rare.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = harvest("--queries", str(path))
    assert len(found.rows) == 3
    assert found.summary() == [
        "3 query rows (in the artifact 6, unreadable 2, duplicate 1, from the file 3)",
        "  unreadable, first: `query_text` is missing or empty",
    ]


def test_the_hubs_artifact_is_the_default_and_its_copy_stands_in(tmp_path: Path) -> None:
    words = ("--source-cache", str(tmp_path), "--limit", "9")
    with hub({ARTIFACT: parquet(artifact())}) as served:
        env = {"NEEDLE_GATEWAY": served.url}
        new = harvest(*words, env=env)
        assert buckets(new) == {"short": 3, "medium": 3, "long": 3}
        assert "queries_from" not in new.rows[0].query_origin.provenance
        assert new.reasons == {}
        served.files.clear()
        old = harvest(*words, env=env)
    assert old.rows == new.rows
    assert old.counts["from_the_copy_of_before"] == 9
    assert "HTTP 404" in old.reasons["from_the_copy_of_before"]


def test_dataset_and_path_can_be_named(tmp_path: Path) -> None:
    path = "/huggingface.co/datasets/me/mine/resolve/main/x/y.parquet"
    words = ("--source-cache", str(tmp_path), "--filtered-path", "x/y.parquet")
    with hub({path: parquet(artifact())}) as served:
        env = {"NEEDLE_GATEWAY": served.url}
        assert len(harvest(*words, "--dataset", "me/mine", env=env).rows) == 60
        assert len(harvest(*words, env=env | {"HF_DATASET": "me/mine"}).rows) == 60


def test_without_artifact_and_copy_no_queries_are_loaded(tmp_path: Path) -> None:
    with (
        hub({}) as served,
        pytest.raises(DataError, match=r"no queries loaded .*HTTP 404.*--queries"),
    ):
        harvest("--source-cache", str(tmp_path), env={"NEEDLE_GATEWAY": served.url})


@pytest.mark.parametrize("body", [None, b"", b"<html>", b"PAR1"])
def test_a_file_that_is_no_artifact_is_named(tmp_path: Path, body: bytes | None) -> None:
    path = tmp_path / "rare.parquet"
    if body is not None:
        path.write_bytes(body)
    with pytest.raises(DataError, match=r"rare\.parquet: no queries loaded: "):
        harvest("--queries", str(path))


def test_queries_that_were_asked_rest_for_30_days(file: Path, tmp_path: Path) -> None:
    used = tmp_path / "used.jsonl"
    words = ("--queries", str(file), "--limit", "20", "--used", str(used))
    asked = [
        {row.query_text for row in harvest(*words, now=NOW + timedelta(days=day)).rows}
        for day in range(3)
    ]
    assert len(set.union(*asked)) == 60
    again = harvest(*words, now=NOW + timedelta(days=3))  # all rest: the longest ago fill up
    assert {row.query_text for row in again.rows} == asked[0]
    assert again.counts["asked_lately"] == 40
    later = harvest(*words, now=NOW + timedelta(days=90))
    assert later.counts["asked_lately"] == 0
    assert len(used.read_text(encoding="utf-8").splitlines()) == 20


def test_without_a_limit_nothing_is_asked_twice_in_30_days(file: Path, tmp_path: Path) -> None:
    words = ("--queries", str(file), "--used", str(tmp_path / "used.jsonl"))
    assert len(harvest(*words).rows) == 60
    before = (tmp_path / "used.jsonl").read_bytes()
    with pytest.raises(TooLittleError, match=r"all 60 queries .* were asked in the last 30 days"):
        harvest(*words, now=NOW + timedelta(days=29))
    assert (tmp_path / "used.jsonl").read_bytes() == before
    assert len(harvest(*words, now=NOW + timedelta(days=30)).rows) == 60


def test_the_embedded_profile_takes_the_sample(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "SAMPLE_FILE", file)
    found = harvest("--limit", "6", profile="embedded")
    assert buckets(found) == {"short": 2, "medium": 2, "long": 2}
    assert {row.query_origin.provenance["queries_from"] for row in found.rows} == {"sample"}
    assert found.counts["from_the_sample"] == 6


def test_a_run_that_has_its_own_scheme_of_sampling_keeps_it() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sample", default="uniform")
    add_generate_flags(parser)
    assert parser.parse_args([]).sample == "uniform"
