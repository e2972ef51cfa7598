from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from datetime import timedelta
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.cli import main
from runner.errors import DataError, PublishError
from runner.publishing.compact import compact
from runner.publishing.tables import HISTORY, Line
from runner.publishing.verify import verify
from runner.publishing.weeks import (
    HISTORY_WEEKS,
    RUNS_WEEKS,
    OtherLine,
    month_of,
    read_week,
    settled,
    week_bytes,
    week_end,
    week_of,
    week_rows,
    week_table,
)
from runner.records.published import HistoryRow, RunEntry, SliceScore, encode_history
from runner.text import parse_time
from tests.runner.publishing.compacting import (
    NOW,
    START,
    compact_all,
    fill,
    publish_run,
    run,
    stamp,
    view,
)
from tests.runner.publishing.made import document, rows

PUBLISHED = Path(__file__).parents[4] / "shared" / "data" / "published"
KILLS = int(os.environ.get("NEEDLE_TEST_KILLS", "40"))


def tree(data: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(data)): path.read_bytes()
        for path in sorted(data.rglob("*"))
        if path.is_file() and path.name != ".publish.lock"
    }


@pytest.mark.parametrize(
    ("ts", "week", "month"),
    [
        ("2026-11-15T10:17Z", "2026-W46", "2026-11"),
        ("2027-01-03T23:59Z", "2026-W53", "2027-01"),
        ("2027-01-04T00:00Z", "2027-W01", "2027-01"),
        ("2026-08-31T00:00Z", "2026-W36", "2026-09"),
        ("2024-12-30T00:00Z", "2025-W01", "2025-01"),
    ],
)
def test_a_run_belongs_to_its_iso_week_and_a_week_to_the_month_of_its_sunday(
    ts: str, week: str, month: str
) -> None:
    assert week_of(ts) == week
    assert month_of(week) == month
    assert week_end(week) > parse_time(ts)


def test_a_week_closes_when_it_ended_more_than_eight_days_before_the_newest_run(
    tmp_path: Path,
) -> None:
    fill(tmp_path, [0, 6])
    week_ends = parse_time("2026-09-14T00:00Z")
    publish_run(tmp_path, run(14, minute=13 * 60 + 43))  # exactly 8 days later
    assert run(14, minute=13 * 60 + 43).ts == "2026-09-22T00:00Z"
    assert parse_time("2026-09-22T00:00Z") - week_ends == timedelta(days=8)
    assert compact_all(tmp_path) == []
    publish_run(tmp_path, run(14, minute=13 * 60 + 44))
    assert compact_all(tmp_path) == ["2026-W37"]
    assert sorted(tree(tmp_path / "closed")) == [
        "2026-09.json",
        "history/2026-W37.parquet",
        "overlap/2026-W37.parquet",
        "runs/2026-W37.parquet",
        "uniqueness/2026-W37.parquet",
    ]
    assert {row["ts"] for row in rows(tmp_path, "history.jsonl")} == {
        "2026-09-22T00:00Z",
        "2026-09-22T00:01Z",
    }


def test_readers_see_the_same_before_and_after(tmp_path: Path) -> None:
    fill(tmp_path, range(0, 40, 4))
    before = view(tmp_path)
    assert compact_all(tmp_path) == ["2026-W37", "2026-W38", "2026-W39", "2026-W40"]
    assert view(tmp_path) == before
    publish_run(tmp_path, run(40))
    publish_run(tmp_path, run(36, "agentic_rare"))  # again: the sums are added up anew
    assert view(tmp_path)["sums"][0]["all"]["runs"] == 21
    assert verify(tmp_path, now=NOW) == []


def test_twice_is_once(tmp_path: Path) -> None:
    fill(tmp_path, range(0, 30, 3))
    compact_all(tmp_path)
    before = tree(tmp_path)
    assert compact(tmp_path, now=NOW).changed == []
    assert tree(tmp_path) == before


def test_closing_week_by_week_gives_the_files_of_closing_all_at_once(tmp_path: Path) -> None:
    for name in ("one", "other"):
        for day in range(0, 44, 4):
            fill(tmp_path / name, [day])
            if name == "one":
                compact_all(tmp_path / name)
    compact_all(tmp_path / "other")
    assert tree(tmp_path / "one") == tree(tmp_path / "other")


def test_each_manifest_names_the_hash_of_the_month_before(tmp_path: Path) -> None:
    fill(tmp_path, range(0, 100, 12))
    compact_all(tmp_path)
    closed = tmp_path / "closed"
    months = sorted(path.name for path in closed.glob("*.json"))
    assert months == ["2026-09.json", "2026-10.json", "2026-11.json"]
    assert json.loads((closed / months[0]).read_text())["previous"] is None
    for earlier, later in pairwise(months):
        expected = sha256((closed / earlier).read_bytes()).hexdigest()
        assert json.loads((closed / later).read_text())["previous"] == expected


def test_nothing_closes_while_no_run_comes(tmp_path: Path) -> None:
    fill(tmp_path, [0, 1, 7])
    assert compact(tmp_path, now=NOW + timedelta(days=900)).changed == []


def test_a_run_from_the_future_does_not_close_what_is_open(tmp_path: Path) -> None:
    fill(tmp_path, [0, 1, 400])
    assert compact(tmp_path, now=START + timedelta(days=9)).weeks == []
    assert verify(tmp_path, now=START + timedelta(days=9)) != []


def test_the_samples_of_latencies_go_and_the_percentiles_stay(tmp_path: Path) -> None:
    fill(tmp_path, [0, 8, 20])
    compact_all(tmp_path)
    [week] = [path for path in (tmp_path / "closed" / "history").iterdir() if "W37" in path.name]
    closed = week_rows(HISTORY_WEEKS, read_week(week))
    assert [(row.lat_ms, row.p50_ms) for row in closed[:2]] == [(None, 80.5), (None, 80.5)]
    assert "lat_ms" not in read_week(week).column_names
    assert [row["lat_ms"] for row in rows(tmp_path, "history.jsonl")][:3] == [None] * 3
    assert rows(tmp_path, "history.jsonl")[-2]["lat_ms"] == [80.5, 120.0]


def test_a_late_run_of_a_closed_week_stays_hot_and_counts_once(tmp_path: Path) -> None:
    fill(tmp_path, [0, 2, 20])
    compact_all(tmp_path)
    closed = tree(tmp_path / "closed")
    publish_run(tmp_path, run(1), now=NOW)
    assert view(tmp_path)["sums"][0]["all"]["runs"] == 7
    assert [row["ts"] for row in rows(tmp_path, "overlap.jsonl")][-3:] == [stamp(1)] * 3
    before = tree(tmp_path)
    assert compact_all(tmp_path) == []
    assert tree(tmp_path) == before
    assert tree(tmp_path / "closed") == closed
    assert verify(tmp_path, now=NOW) == []


def test_a_corrected_run_of_a_closed_week_hides_the_closed_one(tmp_path: Path) -> None:
    fill(tmp_path / "closed", [0, 2, 20])
    fill(tmp_path / "open", [0, 2, 20])
    compact_all(tmp_path / "closed")
    for name in ("closed", "open"):
        publish_run(tmp_path / name, run(2, scores=(0.1, 0.2, 0.3)), now=NOW)
    assert view(tmp_path / "closed") == view(tmp_path / "open")
    compact_all(tmp_path / "closed")
    assert view(tmp_path / "closed") == view(tmp_path / "open")
    publish_run(tmp_path / "closed", run(2), now=NOW)  # and back
    publish_run(tmp_path / "open", run(2), now=NOW)
    assert compact_all(tmp_path / "closed") == []
    assert view(tmp_path / "closed") == view(tmp_path / "open")
    assert verify(tmp_path / "closed", now=NOW) == []


def test_publishing_a_closed_run_again_changes_nothing(tmp_path: Path) -> None:
    fill(tmp_path, [0, 2, 20])
    compact_all(tmp_path)
    before = tree(tmp_path)
    publish_run(tmp_path, run(2), now=NOW)
    assert tree(tmp_path) == before


def test_a_correction_without_pairs_of_a_closed_run_is_refused(tmp_path: Path) -> None:
    fill(tmp_path, [0, 2, 20])
    compact_all(tmp_path)
    before = tree(tmp_path)
    with pytest.raises(PublishError, match=r"no row for overlap\.jsonl"):
        publish_run(tmp_path, run(2, scores=(0.1,)), now=NOW)
    assert tree(tmp_path) == before


def test_a_file_that_reads_back_otherwise_stops_before_anything_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path, [0, 20])
    before = tree(tmp_path)

    def spoilt(place: object) -> object:
        arrow = read_week(place)  # type: ignore[arg-type]
        return arrow.slice(1)

    monkeypatch.setattr("runner.publishing.closed.read_week", spoilt)
    with pytest.raises(PublishError, match=r"overlap/2026-W37\.parquet:1: reads back as another"):
        compact_all(tmp_path)
    monkeypatch.undo()
    after = tree(tmp_path)
    assert {name: after[name] for name in before} == before
    assert compact_all(tmp_path) == ["2026-W37"]
    assert verify(tmp_path, now=NOW) == []


def test_a_broken_hot_line_stops_with_its_place(tmp_path: Path) -> None:
    fill(tmp_path, [0, 20])
    path = tmp_path / "overlap.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"a":"alpha","b":"gamma"', b'"a":7', 1))
    with pytest.raises(DataError, match=r"overlap\.jsonl:2: "):
        compact_all(tmp_path)
    assert not (tmp_path / "closed").exists()


def test_a_lost_manifest_is_not_built_over(tmp_path: Path) -> None:
    fill(tmp_path, range(0, 30, 3))
    compact_all(tmp_path)
    (tmp_path / "closed" / "2026-09.json").unlink()
    with pytest.raises(DataError, match=r"no manifest names it .* restore it"):
        compact_all(tmp_path)


def test_a_lost_closed_file_is_an_error_not_an_empty_week(tmp_path: Path) -> None:
    fill(tmp_path, [0, 20])
    compact_all(tmp_path)
    (tmp_path / "closed" / "overlap" / "2026-W37.parquet").unlink()
    with pytest.raises(DataError, match=r"overlap/2026-W37\.parquet: is not a readable"):
        publish_run(tmp_path, run(0), now=NOW)


def test_lines_that_the_columns_cannot_hold_come_back_as_they_were() -> None:
    base = HistoryRow(
        ts=stamp(0), bench="legal", engine="alpha", recall=0.5, num_scored=1, num_queries=2,
        search_errors=0, p50_ms=None, p95_ms=None, lat_ms=[1.0],
    )  # fmt: skip
    raw = [
        encode_history(msgspec.structs.replace(base, slices={"code": SliceScore(recall=1.0, n=3)})),
        encode_history(msgspec.structs.replace(base, slices={"code": SliceScore(recall=None)})),
        b'{"ts": "2026-09-07T10:17Z", "bench": "retired", "engine": "x", "lat_ms": [2.5]}',
    ]
    lines = [HISTORY.line(line.rstrip(b"\n")) for line in raw]
    back = week_rows(HISTORY_WEEKS, read_week(week_bytes(week_table(HISTORY_WEEKS, lines))))
    assert back == [settled(line) for line in lines]
    assert isinstance(back[0], HistoryRow)
    assert back[0].slices == {"code": SliceScore(recall=1.0, n=3)}
    assert isinstance(back[1], OtherLine)
    assert b'"lat_ms":null' in back[1].raw
    assert isinstance(back[2], OtherLine)
    assert back[2].bench == "retired"


def test_equal_rows_give_equal_bytes() -> None:
    lines = [HISTORY.line(encode_history(row).rstrip(b"\n")) for row in _history(7)]
    first = week_bytes(week_table(HISTORY_WEEKS, lines))
    assert first == week_bytes(week_table(HISTORY_WEEKS, lines))


def _history(count: int) -> list[HistoryRow]:
    return [
        HistoryRow(
            ts=stamp(0, place), bench="news", engine="alpha", ndcg=place / 7, num_scored=1,
            num_queries=2, search_errors=0, p50_ms=1.5, p95_ms=None, lat_ms=None,
        )
        for place in range(count)
    ]  # fmt: skip


@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.tuples(
                st.integers(0, 60),
                st.sampled_from(["news", "agentic_rare"]),
                st.sampled_from([(0.5, 0.25, 0.75), (0.1, 0.2, 0.3), (1.0, 0.0)]),
            ),
            st.just("compact"),
        ),
        min_size=4,
        max_size=10,
    )
)
def test_any_order_of_publishing_and_compacting_reads_like_publishing_alone(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Any]
) -> None:
    folder = tmp_path_factory.mktemp("any")
    (folder / "both").mkdir()
    (folder / "alone").mkdir()
    for step in steps:
        if step == "compact":
            compact_all(folder / "both")
            continue
        day, bench, scores = step
        for name in ("both", "alone"):
            publish_run(folder / name, run(day, bench, scores), now=NOW)
    compact_all(folder / "both")
    assert view(folder / "both") == view(folder / "alone")
    assert verify(folder / "both", now=NOW) == []
    shutil.rmtree(folder)


def test_the_command_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(tmp_path, [0, 20])
    words = ["compact", "--data", str(tmp_path), "--now", "2027-01-01T00:00Z"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert out == (
        f"{tmp_path}: closed 2026-W37; dropped 6 of overlap.jsonl, 6 of uniqueness.jsonl, "
        "8 of history.jsonl, 1 of runs.json\n"
    )
    assert main(words) == 0
    assert "no week to close; nothing changed" in capsys.readouterr().out
    assert main(["verify", *words[1:]]) == 0
    assert capsys.readouterr().out == f"{tmp_path}: sound; 4 closed files in 1 months\n"
    assert main(["compact", "--data", str(tmp_path / "none")]) == 1
    assert "no such data directory" in capsys.readouterr().err


# Kills at random instants


WORKER = """
import sys
from pathlib import Path
from tests.runner.publishing.compacting import NOW, publish_run, run
from runner.publishing.compact import compact
data, days = Path(sys.argv[1]), [int(day) for day in sys.argv[2].split(",")]
print("ready", flush=True)
sys.stdin.readline()
for day in days:
    publish_run(data, run(day, "agentic_rare"))
    compact(data, now=NOW)
    publish_run(data, run(day))
    compact(data, now=NOW)
"""


def _worker(data: Path, days: list[int]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WORKER, str(data), ",".join(map(str, days))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    )


def test_killed_at_any_instant_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    """Each kill hits a state that earlier ones left; after the last restart all is as undisturbed.

    `NEEDLE_TEST_KILLS` sets how many kills there are.
    """
    rng = random.Random(7)
    days = list(range(0, 30, 4))
    whole = tmp_path / "whole"
    for day in days:
        publish_run(whole, run(day, "agentic_rare"))
        compact_all(whole)
        publish_run(whole, run(day))
        compact_all(whole)
    published = {(row["ts"], row["bench"]) for row in rows(whole, "ci_scores.jsonl")}
    assert published
    data = tmp_path / "data"
    data.mkdir()
    killed = Counter[str]()
    next_worker = _worker(data, days)
    for number in range(KILLS):
        worker, next_worker = next_worker, _worker(data, days)
        assert worker.stdout is not None
        assert worker.stdin is not None
        assert worker.stdout.readline() == "ready\n"
        worker.stdin.write("go\n")
        worker.stdin.flush()
        time.sleep(rng.uniform(0.0, 0.9))
        was_running = worker.poll() is None
        worker.send_signal(signal.SIGKILL)
        worker.communicate()
        killed["running" if was_running else "done"] += 1
        _nothing_doubled(data)
        if not was_running or number % 8 == 7:
            shutil.rmtree(data)  # from the beginning, so that early states are hit as well
            data.mkdir()
    next_worker.communicate("go\n")
    assert next_worker.returncode == 0
    assert killed["running"] >= KILLS // 2
    assert view(data) == view(whole)
    assert tree(data) == tree(whole)
    assert verify(data, now=NOW) == []


def _nothing_doubled(data: Path) -> None:
    """No reader sees a row twice or half a run, whatever the instant was."""
    seen = view(data)
    for name in ("history.jsonl", "overlap.jsonl", "uniqueness.jsonl"):
        of_run = Counter((row.ts, row.bench) for row in seen[name])
        expected = {"history.jsonl": 4, "overlap.jsonl": 3, "uniqueness.jsonl": 3}[name]
        assert set(of_run.values()) <= {expected}
    assert len({entry.id for entry in seen["runs.json"]}) == len(seen["runs.json"])


@pytest.mark.parametrize("stop_at", range(1, 14))
def test_stopped_before_each_write_the_view_stays_and_the_next_run_completes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop_at: int
) -> None:
    """The same as a table of all instants between two renames, without luck."""
    fill(tmp_path / "data", range(0, 30, 5))
    shutil.copytree(tmp_path / "data", tmp_path / "whole")
    compact_all(tmp_path / "whole")
    before = view(tmp_path / "data")
    count = 0
    replace = Path.replace

    class Stopped(BaseException):
        pass

    def counted(self: Path, target: Path) -> Path:
        nonlocal count
        count += 1
        if count == stop_at:
            raise Stopped
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", counted)
    with pytest.raises(Stopped):
        compact_all(tmp_path / "data")
    monkeypatch.undo()
    assert view(tmp_path / "data") == before
    publish_run(tmp_path / "data", run(29))
    publish_run(tmp_path / "whole", run(29))
    assert view(tmp_path / "data") == view(tmp_path / "whole")
    for name in ("data", "whole"):
        compact_all(tmp_path / name)
    assert tree(tmp_path / "data") == tree(tmp_path / "whole")


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published data set is not on this machine")
def test_real_rows_close_without_a_change(tmp_path: Path) -> None:
    for name in ("history.jsonl", "overlap.jsonl", "uniqueness.jsonl", "runs.json"):
        shutil.copy(PUBLISHED / name, tmp_path / name)
        (tmp_path / name).chmod(0o644)
    before = view(tmp_path)
    weeks = compact(tmp_path, now=NOW).weeks
    assert weeks == ["2026-W27", "2026-W28"]  # its overlap ends on 24 July
    assert view(tmp_path) == before
    assert verify(tmp_path, now=NOW) == []


def test_the_document_of_a_month_is_that_of_its_files(tmp_path: Path) -> None:
    fill(tmp_path, [0, 20])
    compact_all(tmp_path)
    manifest = json.loads((tmp_path / "closed" / "2026-09.json").read_text())
    assert manifest["rows"] == {"history": 8, "overlap": 6, "runs": 1, "uniqueness": 6}
    assert manifest["totals"]["runs"] == 2
    assert [pair["jaccard_sum"] for pair in manifest["totals"]["pairs"]] == [0.5] * 3
    assert [file["name"] for file in manifest["files"]] == [
        f"{name}/2026-W37.parquet" for name in ("overlap", "uniqueness", "history", "runs")
    ]
    assert document(tmp_path, "independence.json")["windows"]["all"]["runs"] == 4


def test_what_runs_cost_is_kept_in_closed_weeks_and_weeks_without_are_as_before() -> None:
    entry = RunEntry(id="2026-11-02T1017Z", ts="2026-11-02T10:17Z", artifacts=["news.json"])
    paid = msgspec.structs.replace(entry, spend_usd={"news": 0.25, "finance": 1.5})
    lines = [Line(b"", each.ts, None, each) for each in (entry, paid)]
    arrow = read_week(week_bytes(week_table(RUNS_WEEKS, lines)))
    assert week_rows(RUNS_WEEKS, arrow) == [entry, paid]
    free = week_table(RUNS_WEEKS, lines[:1])
    assert "spend_usd" not in free.column_names
    assert week_rows(RUNS_WEEKS, read_week(week_bytes(free))) == [entry]
