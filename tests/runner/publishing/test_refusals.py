from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runner.errors import DataError, PublishError
from runner.records.published import BENCHES
from runner.records.reports import JudgedReport
from tests.runner.publishing.made import put, report, rows, state

GOOD = b'{"ts":"2026-11-14T10:17Z","bench":"news","engine":"alpha","num_scored":1,"num_queries":1,'
GOOD += b'"search_errors":0,"p50_ms":null,"p95_ms":null,"lat_ms":null}\n'
PAIR = (
    b'{"ts":"2026-11-14T10:17Z","bench":"news","a":"%b","b":"%b","jaccard_sum":0,"num_queries":1}\n'
)
BROKEN = [
    ("history.jsonl", GOOD + GOOD[:60], "history.jsonl:2: ", "truncated"),
    ("history.jsonl", GOOD + b"\n\nnot json\n", "history.jsonl:4: ", "malformed"),
    ("history.jsonl", GOOD.replace(b'"num_scored":1', b'"num_scored":NaN'), ":1: ", "malformed"),
    ("history.jsonl", GOOD.replace(b'"num_scored":1', b'"num_scored":"1"'), ":1: ", "num_scored"),
    ("history.jsonl", GOOD.replace(b'"p50_ms":null', b'"p50_ms":1e999'), ":1: ", "out of range"),
    ("history.jsonl", GOOD.replace(b"T10:17Z", b" 10:17"), ":1: ", "expected the form"),
    ("history.jsonl", GOOD + GOOD, "history.jsonl:2: ", "repeats the row of line 1"),
    ("history.jsonl", b"\xff\xfe\n", ":1: ", ""),
    ("history.jsonl", b"[]\n", ":1: ", "object"),
    ("overlap.jsonl", PAIR % (b"x", b"y") + PAIR % (b"y", b"x"), "overlap.jsonl:2: ", "repeats"),
    ("uniqueness.jsonl", b'{"ts":"2026-11-14T10:17Z","engine":"x"}\n', ":1: ", "unique_urls"),
    (
        "ci_scores.jsonl",
        b'{"ts":"2026-11-14T10:17Z","bench":"news","qids":["a"],"engines":{"x":[1,0]}}\n',
        "ci_scores.jsonl:1: ",
        "2 entries for 1 queries",
    ),
    ("runs.json", b"[", "runs.json: ", "restore"),
    ("independence.json", b"{}", "independence.json: ", "restore"),
    ("families.json", b"[]", "families.json: ", "restore"),
    ("latest_news.json", b'{"ts": 3', "latest_news.json: ", "restore"),
]


@pytest.mark.parametrize(("name", "content", "place", "reason"), BROKEN)
def test_a_broken_file_is_named_and_every_file_stays(
    tmp_path: Path, name: str, content: bytes, place: str, reason: str
) -> None:
    put(tmp_path, report("agentic_rare"))
    (tmp_path / name).write_bytes(content)
    before = state(tmp_path)
    with pytest.raises(DataError) as caught:
        put(tmp_path, report())
    text = str(caught.value)
    assert text.startswith(str(tmp_path / name))
    assert place in text
    assert reason in text
    assert "publish again" in text
    assert state(tmp_path) == before


def changed(**fields: Any) -> JudgedReport:
    return msgspec.structs.replace(report(), **fields)


def with_block(engine: str, **fields: Any) -> JudgedReport:
    made = report()
    block = msgspec.structs.replace(made.engines[engine], **fields)
    return msgspec.structs.replace(made, engines={**made.engines, engine: block})


def refused_reports() -> Iterator[tuple[JudgedReport, str]]:
    made = report()
    yield changed(bench="weather"), f"unknown bench 'weather' (known: {', '.join(BENCHES)})"
    yield changed(ts="yesterday"), "not one time"
    yield changed(run_id="2026-11-15T1018Z"), "not one time"
    yield changed(roster=["alpha", "alpha"]), "engine alpha is in it twice"
    yield changed(roster=["alpha"]), "not its roster and ultimate"
    yield changed(overlap=made.overlap * 2), "pair alpha and beta is in it twice"
    yield changed(uniqueness=made.uniqueness * 2), "uniqueness row alpha is in it twice"
    repeated = made.engines["ultimate"].per_query[:1] * 2
    yield with_block("ultimate", per_query=repeated), "is in it twice"
    yield with_block("beta", per_query=[]), "beta has other queries"
    yield with_block("beta", mean_ndcg=float("nan")), "beta has the score nan"
    yield with_block("beta", mean_ndcg=1.63), "beta has the score 1.63"
    by_hand = "alpha has the score 0.9 over 2 queries, its queries give 0.375000 over 2"
    yield with_block("alpha", mean_ndcg=0.9), by_hand
    yield with_block("alpha", num_scored=200), "alpha has the score 0.375 over 200 queries"
    yield with_block("ultimate", mean_ndcg=0.5), "ultimate has the score 0.5"
    pair = msgspec.structs.replace(made.overlap[0], jaccard_sum=float("inf"))
    yield changed(overlap=[pair]), "report.overlap.0.jaccard_sum is not a finite number"


@pytest.mark.parametrize(("refused", "reason"), list(refused_reports()))
def test_a_report_that_cannot_be_right_is_refused(
    tmp_path: Path, refused: JudgedReport, reason: str
) -> None:
    put(tmp_path, report("agentic_rare"))
    before = state(tmp_path)
    with pytest.raises(PublishError) as caught:
        put(tmp_path, refused)
    assert reason in str(caught.value)
    assert "make the report again" in str(caught.value)
    assert state(tmp_path) == before


@pytest.mark.parametrize("profiles", [("live", "embedded"), ("embedded", "live")])
def test_embedded_and_live_rows_never_mix(tmp_path: Path, profiles: tuple[Any, Any]) -> None:
    put(tmp_path, report(profile=profiles[0]))
    before = state(tmp_path)
    with pytest.raises(
        PublishError, match=f"holds {profiles[0]} rows and the report is {profiles[1]}"
    ):
        put(tmp_path, report("agentic_rare", profile=profiles[1]))
    assert state(tmp_path) == before


def test_embedded_rows_say_so(tmp_path: Path) -> None:
    put(tmp_path, report(profile="embedded"))
    for name in ("history", "overlap", "uniqueness", "ci_scores"):
        assert all(row["profile"] == "embedded" for row in rows(tmp_path, f"{name}.jsonl"))


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB."""
    folder = tmp_path / "small"
    folder.mkdir()
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root on Linux")
    command = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine does not let tests mount a file system")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_leaves_the_old_files(mounted: Path) -> None:
    put(mounted, report())
    before = state(mounted)
    filler = mounted / ".filler"
    with pytest.raises(OSError, match="No space"):
        filler.write_bytes(bytes(1 << 20))
    with pytest.raises(PublishError, match=r"No space left on device.*the old files stand"):
        put(mounted, report("agentic_rare"))
    assert state(mounted) == before
    filler.unlink()
    put(mounted, report("agentic_rare"))
    assert len(rows(mounted, "history.jsonl")) == 6


def test_a_read_only_file_system_leaves_the_old_files(mounted: Path) -> None:
    put(mounted, report())
    before = state(mounted)
    subprocess.run(["mount", "-o", "remount,ro", str(mounted)], check=True)
    with pytest.raises(PublishError, match="Read-only file system"):
        put(mounted, report("agentic_rare"))
    assert state(mounted) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write into any folder")
def test_a_read_only_folder_leaves_the_old_files(tmp_path: Path) -> None:
    put(tmp_path, report())
    before = state(tmp_path)
    tmp_path.chmod(0o555)
    with pytest.raises(PublishError, match="Permission denied"):
        put(tmp_path, report("agentic_rare"))
    tmp_path.chmod(0o755)
    assert state(tmp_path) == before
