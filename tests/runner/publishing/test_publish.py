from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.publishing.publish import publish, report_intervals
from runner.records.judgements import Spend
from runner.records.published import LatestReport, decode_history
from tests.runner.publishing.made import (
    FAMILIES,
    LATER,
    TS,
    document,
    put,
    report,
    rows,
    state,
)

PUBLISHED = Path(__file__).parents[4] / "shared" / "data" / "published"


def test_one_report_gives_every_file(tmp_path: Path) -> None:
    put(tmp_path, report())
    assert list(state(tmp_path)) == [
        "ci.json",
        "ci_scores.jsonl",
        "families.json",
        "history.jsonl",
        "independence.json",
        "latest_news.json",
        "overlap.jsonl",
        "runs.json",
        "uniqueness.jsonl",
    ]
    assert rows(tmp_path, "history.jsonl")[0] == {
        "ts": TS,
        "bench": "news",
        "engine": "alpha",
        "ndcg": 0.375,
        "num_scored": 2,
        "num_queries": 2,
        "search_errors": 0,
        "account_errors": 0,
        "service_errors": 0,
        "judge_errors": 0,
        "reconnects": 0,
        "p50_ms": 80.5,
        "p95_ms": 120.0,
        "lat_ms": [80.5, 120.0],
    }
    assert [row["engine"] for row in rows(tmp_path, "history.jsonl")] == [
        "alpha",
        "beta",
        "ultimate",
    ]
    assert rows(tmp_path, "history.jsonl")[2]["lat_ms"] is None
    [scores] = rows(tmp_path, "ci_scores.jsonl")
    assert scores["engines"] == {"alpha": [0.5, 0.25], "beta": [1.0, None], "ultimate": [1.0, 1.0]}
    assert document(tmp_path, "families.json") == {"alpha-fast": "alpha"}
    assert document(tmp_path, "ci.json")["benches"]["news"]["alpha"] == {
        "point": 0.375,
        "lo": 0.25,
        "hi": 0.5,
    }


def test_the_latest_report_has_no_queries(tmp_path: Path) -> None:
    put(tmp_path, report())
    latest = msgspec.json.decode((tmp_path / "latest_news.json").read_bytes(), type=LatestReport)
    assert latest.engines["alpha"].mean_ndcg == 0.375
    assert b"question" not in (tmp_path / "latest_news.json").read_bytes()


def test_publishing_twice_is_publishing_once_even_hours_later(tmp_path: Path) -> None:
    put(tmp_path, report(), artifacts=["news.json"])
    before = state(tmp_path)
    published = publish(report(), tmp_path, now=LATER, families=FAMILIES, artifacts=["news.json"])
    assert published.changed == []
    assert state(tmp_path) == before


def test_two_benches_of_one_minute_keep_both(tmp_path: Path) -> None:
    put(tmp_path, report("news"), artifacts=["news.json"])
    news = (tmp_path / "history.jsonl").read_bytes()
    put(tmp_path, report("agentic_rare"), now=LATER, artifacts=["agentic_rare.json"])
    assert (tmp_path / "history.jsonl").read_bytes().startswith(news)
    for name, count in [("history", 6), ("overlap", 2), ("uniqueness", 4), ("ci_scores", 2)]:
        assert len(rows(tmp_path, f"{name}.jsonl")) == count
    assert document(tmp_path, "runs.json") == [
        {
            "id": "2026-11-15T1017Z",
            "ts": TS,
            "artifacts": ["agentic_rare.json", "news.json"],
            "published_at": {
                "agentic_rare": "2026-11-15T15:30:00Z",
                "news": "2026-11-15T10:30:00Z",
            },
        }
    ]


def test_publishing_the_first_of_two_benches_again_changes_nothing(tmp_path: Path) -> None:
    put(tmp_path, report("news"), report("agentic_rare"))
    before = state(tmp_path)
    put(tmp_path, report("news"), now=LATER)
    assert state(tmp_path) == before


def test_a_corrected_report_replaces_its_rows_in_their_place(tmp_path: Path) -> None:
    put(tmp_path, report("news"), report("agentic_rare"))
    rare = [
        line for line in (tmp_path / "history.jsonl").read_bytes().split(b"\n") if b"rare" in line
    ]
    put(tmp_path, report("news", scores={"alpha": [1.0, 1.0]}), now=LATER)
    history = rows(tmp_path, "history.jsonl")
    assert [(row["bench"], row["engine"]) for row in history] == [
        ("news", "alpha"),
        ("news", "ultimate"),
        ("agentic_rare", "alpha"),
        ("agentic_rare", "beta"),
        ("agentic_rare", "ultimate"),
    ]
    assert all(line in (tmp_path / "history.jsonl").read_bytes() for line in rare)
    assert rows(tmp_path, "overlap.jsonl")[0]["bench"] == "agentic_rare"
    [entry] = document(tmp_path, "runs.json")
    assert entry["published_at"]["news"] == "2026-11-15T15:30:00Z"
    assert entry["published_at"]["agentic_rare"] == "2026-11-15T10:30:00Z"


def test_a_report_made_again_replaces_the_latest_of_its_own_minute(tmp_path: Path) -> None:
    put(tmp_path, report())
    put(tmp_path, report(scores={"alpha": [0.0, 0.5]}))
    assert document(tmp_path, "latest_news.json")["engines"]["alpha"]["mean_ndcg"] == 0.25


def test_an_older_report_does_not_replace_the_latest(tmp_path: Path) -> None:
    put(tmp_path, report(ts=TS))
    latest = (tmp_path / "latest_news.json").read_bytes()
    put(tmp_path, report(ts="2026-11-15T09:17Z", scores={"alpha": [0.0, 0.0]}))
    assert (tmp_path / "latest_news.json").read_bytes() == latest
    assert [entry["ts"] for entry in document(tmp_path, "runs.json")] == ["2026-11-15T09:17Z", TS]


def test_rows_keep_every_byte_also_in_older_forms(tmp_path: Path) -> None:
    old = (
        b'{"ts": "2026-07-02T15:05Z", "bench": "freshstream", "engine": "caf\\u00e9", "rbp": 0.55, '
        b'"num_scored": 20, "num_queries": 20, "search_errors": 0, "p50_ms": null, '
        b'"p95_ms": null, "lat_ms": null}'
    )
    retired = b'{"ts": "2026-07-11T21:57Z", "bench": "findallmcp", "engine": "a", "score": 0.33}'
    without_bench = (
        b'{"ts": "2026-07-02T15:05Z", "a": "x", "b": "y", "jaccard_sum": 2.1, "num_queries": 20}'
    )
    tmp_path.joinpath("history.jsonl").write_bytes(old + b"\n" + retired + b"\n")
    tmp_path.joinpath("overlap.jsonl").write_bytes(without_bench + b"\n" + without_bench + b"\n")
    put(tmp_path, report())
    history = (tmp_path / "history.jsonl").read_bytes()
    assert history.startswith(old + b"\n" + retired + b"\n")
    assert (tmp_path / "overlap.jsonl").read_bytes().startswith(2 * (without_bench + b"\n"))


def test_a_last_line_that_only_lacks_its_newline_is_kept(tmp_path: Path) -> None:
    put(tmp_path, report("news"))
    path = tmp_path / "history.jsonl"
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    put(tmp_path, report("agentic_rare"))
    assert len(rows(tmp_path, "history.jsonl")) == 6


def test_latency_samples_go_after_seven_days_and_nothing_else_does(tmp_path: Path) -> None:
    week_ago, just_inside = "2026-11-08T10:17Z", "2026-11-08T10:18Z"
    put(tmp_path, report(ts=week_ago), report(ts=just_inside))
    before = rows(tmp_path, "history.jsonl")
    put(tmp_path, report())
    after = rows(tmp_path, "history.jsonl")
    assert after[0] == {**before[0], "lat_ms": None}
    assert after[3:6] == before[3:6]
    assert [row["ts"] for row in rows(tmp_path, "ci_scores.jsonl")] == [just_inside, TS]
    assert document(tmp_path, "ci.json")["runs"] == {"news": [just_inside, TS]}
    state_before = state(tmp_path)
    put(tmp_path, report(), now=LATER)
    put(tmp_path, report(ts=week_ago), now=LATER)
    assert state(tmp_path) == state_before


def test_dropping_samples_leaves_the_spelling_of_an_older_row_alone(tmp_path: Path) -> None:
    head = b'{"ts": "2026-07-02T15:05Z",  "lat_ms" : '
    tail = (
        b', "bench": "news", "engine": "\\"lat_ms\\": [1]", "num_scored": 1, "num_queries": 1,'
        b' "search_errors": 0, "p50_ms": 1.50, "p95_ms": 2e1}\n'
    )
    (tmp_path / "history.jsonl").write_bytes(head + b"[1.50, 20.0]" + tail)
    put(tmp_path, report())
    assert (tmp_path / "history.jsonl").read_bytes().startswith(head + b"null" + tail)


def test_a_report_without_latency_publishes_null_everywhere(tmp_path: Path) -> None:
    put(tmp_path, report(with_latency=False))
    for row in rows(tmp_path, "history.jsonl"):
        assert (row["p50_ms"], row["p95_ms"], row["lat_ms"]) == (None, None, None)
    assert b"latency" not in (tmp_path / "latest_news.json").read_bytes()


def test_a_mean_over_no_query_is_missing_rather_than_0(tmp_path: Path) -> None:
    put(tmp_path, report(scores={"alpha": [None, None], "beta": [1.0, 1.0]}))
    first = rows(tmp_path, "history.jsonl")[0]
    assert ("ndcg" in first, first["num_scored"]) == (False, 0)


def test_families_of_engines_outside_the_roster_are_kept(tmp_path: Path) -> None:
    (tmp_path / "families.json").write_text('{"old-fast": "old", "beta": "wrong"}')
    put(tmp_path, report())
    assert document(tmp_path, "families.json") == {"alpha-fast": "alpha", "old-fast": "old"}


def test_independence_keeps_its_time_while_its_sums_stand(tmp_path: Path) -> None:
    put(tmp_path, report("news"), report("agentic_rare"))
    put(tmp_path, report("news"), now=LATER)
    assert document(tmp_path, "independence.json")["generated_at"] == "2026-11-15T10:30:00Z"
    put(tmp_path, report(ts="2026-11-15T11:17Z"), now=LATER)
    assert document(tmp_path, "independence.json")["generated_at"] == "2026-11-15T15:30:00Z"


def test_the_interval_of_one_report_needs_no_folder() -> None:
    found = report_intervals(report())
    assert (found["alpha"].point, found["alpha"].lo, found["alpha"].hi) == (0.375, 0.25, 0.5)
    assert "beta" not in found  # one scored query is one cluster


PUBLISHER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from runner.publishing.publish import publish
from tests.runner.publishing.made import report

now = datetime(2026, 11, 15, 10, 30, tzinfo=UTC)
sys.stdin.readline()
for hour in range(5):
    made = report(sys.argv[1], f"2026-11-15T{hour:02d}:17Z")
    publish(made, Path(sys.argv[2]), now=now, families={})
"""


def test_two_processes_that_publish_at_once_lose_nothing(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PUBLISHER, bench, str(tmp_path)], cwd=root, stdin=subprocess.PIPE
        )
        for bench in ("news", "agentic_rare")
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"go\n")
        process.stdin.close()
    assert [process.wait(timeout=60) for process in processes] == [0, 0]
    history = rows(tmp_path, "history.jsonl")
    assert len({(row["ts"], row["bench"], row["engine"]) for row in history}) == len(history) == 30
    assert len(document(tmp_path, "runs.json")) == 5
    assert document(tmp_path, "independence.json")["windows"]["all"]["runs"] == 10


runs = st.lists(
    st.tuples(st.sampled_from(["news", "agentic_rare"]), st.integers(0, 3), st.integers(0, 2)),
    min_size=1,
    max_size=6,
)


@settings(max_examples=25, deadline=None)
@given(runs)
def test_any_sequence_of_publishes_ends_with_the_last_report_of_each_run(
    tmp_path_factory: pytest.TempPathFactory, sequence: list[tuple[str, int, int]]
) -> None:
    data = tmp_path_factory.mktemp("data")
    last: dict[tuple[str, str], float] = {}
    for bench, hour, value in sequence:
        ts = f"2026-11-15T{hour:02d}:17Z"
        put(data, report(bench, ts, scores={"alpha": [value / 2]}))
        last[ts, bench] = value / 2
        before = state(data)
        put(data, report(bench, ts, scores={"alpha": [value / 2]}), now=LATER)
        assert state(data) == before
    found = [decode_history(line) for line in (data / "history.jsonl").read_bytes().splitlines()]
    assert {(row.ts, row.bench): row.ndcg for row in found if row.engine == "alpha"} == last
    assert len(found) == 2 * len(last)


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published data set is not on this machine")
def test_a_real_data_branch_takes_a_report_and_keeps_its_rows(tmp_path: Path) -> None:
    for name in ("history.jsonl", "overlap.jsonl", "uniqueness.jsonl", "ci_scores.jsonl"):
        (tmp_path / name).write_bytes((PUBLISHED / name).read_bytes())
    for name in ("runs.json", "families.json"):
        (tmp_path / name).write_bytes((PUBLISHED / name).read_bytes())
    put(tmp_path, report(ts="2026-08-20T00:37Z"))
    old = (PUBLISHED / "history.jsonl").read_bytes().splitlines()
    new = (tmp_path / "history.jsonl").read_bytes().splitlines()
    assert len(new) == len(old) + 3
    kept = [json.loads(line) for line in new[: len(old)]]
    for before, after in zip(map(json.loads, old), kept, strict=True):
        if before["ts"] <= "2026-08-13T00:37Z" and before["bench"] != "findallmcp":
            before["lat_ms"] = None
        assert after == before
    assert (
        (tmp_path / "overlap.jsonl")
        .read_bytes()
        .startswith((PUBLISHED / "overlap.jsonl").read_bytes())
    )
    assert len(document(tmp_path, "runs.json")) == 1 + len(document(PUBLISHED, "runs.json"))
    before_again = state(tmp_path)
    put(tmp_path, report(ts="2026-08-20T00:37Z"), now=LATER)
    assert state(tmp_path) == before_again


def test_what_the_model_of_a_run_cost_stands_in_the_list_of_runs(tmp_path: Path) -> None:
    spend = Spend(calls=3, cost_usd=0.123456)
    made = msgspec.structs.replace(report(), spend=spend)
    publish(made, tmp_path, now=LATER, families=FAMILIES)
    [entry] = json.loads((tmp_path / "runs.json").read_bytes())
    assert entry["spend_usd"] == {"news": 0.1235}
