"""Reading a data directory: what is kept, what is left out, and how it is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.errors import UsageError
from runner.records.published import encode_history
from runner.text import parse_time
from sitebuilder.dataset import Dataset, read_dataset
from sitebuilder.results import FileState
from tests.site.made_data import END, history_row, write_data, write_history


def _file(data: Dataset, name: str) -> FileState:
    return next(state for state in data.files if state.name == name)


def test_a_missing_folder_is_named_with_the_way_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere: no such data directory.*runner news"):
        read_dataset(tmp_path / "nowhere")


def test_an_empty_folder_gives_empty_tables_and_no_window(tmp_path: Path) -> None:
    data = read_dataset(tmp_path)
    assert (data.history, data.overlap, data.window_end, data.profile) == ([], [], None, None)
    assert {state.state for state in data.files} == {"absent"}


@pytest.mark.parametrize(
    "name",
    [
        "history.jsonl",
        "overlap.jsonl",
        "uniqueness.jsonl",
        "ci_scores.jsonl",
        "families.json",
        "latest_news.json",
    ],
)
def test_any_one_file_may_be_missing(tmp_path: Path, name: str) -> None:
    whole = read_dataset(write_data(tmp_path))
    (tmp_path / name).unlink()
    data = read_dataset(tmp_path)
    assert _file(data, name).state == "absent"
    assert data.window_end == whole.window_end == END


def test_a_line_that_was_cut_off_is_left_out_and_counted_with_its_number(tmp_path: Path) -> None:
    path = write_data(tmp_path) / "history.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    data = read_dataset(tmp_path)
    state = _file(data, "history.jsonl")
    assert state.rows == len(data.history) == 7
    assert [(p.reason, p.count, p.first_line) for p in state.problems] == [
        ("Input data was truncated", 1, 8)
    ]


BAD_LINES = [
    (b'{"ts":"2026-08-20T10:17Z"}', "missing required field"),
    (b"not json", "malformed"),
    (b"[]", "Expected `object`"),
    (encode_history(history_row(ndcg=1.63)), "a score outside 0 to 1"),
    (encode_history(history_row(engine="al\u202epha")), "not printable"),
    (encode_history(history_row(engine="")), "empty"),
    (encode_history(history_row(engine="a" * 101)), "too long"),
    (encode_history(history_row(ts="2026-08-20 10:17")), "YYYY-MM-DDTHH:MMZ"),
    (encode_history(history_row(ts="2026-13-20T10:17Z")), "YYYY-MM-DDTHH:MMZ"),
    (encode_history(history_row(num_scored=-1)), "negative"),
    (encode_history(history_row(profile="embedded", engine="other")), "profile 'embedded'"),
    (encode_history(history_row(ndcg=0.9)), "second row with the same key"),
    (encode_history(history_row()).replace(b'"news"', b'"findallmcp"'), "unknown bench"),
    (encode_history(history_row()).replace(b"0.5", b"NaN"), "malformed"),
]


@pytest.mark.parametrize(("line", "reason"), BAD_LINES)
def test_a_bad_row_is_left_out_with_its_reason(tmp_path: Path, line: bytes, reason: str) -> None:
    good = encode_history(history_row())
    (tmp_path / "history.jsonl").write_bytes(good + line.rstrip(b"\n") + b"\n")
    data = read_dataset(tmp_path)
    (problem,) = _file(data, "history.jsonl").problems
    assert reason in problem.reason
    assert (problem.count, problem.first_line) == (1, 2)
    assert data.history_lines == [good.rstrip(b"\n")]


def test_equal_faults_are_counted_together(tmp_path: Path) -> None:
    (tmp_path / "history.jsonl").write_bytes(b'{"ts": x}\n\n{"ts":   x}\n{}\n')
    problems = _file(read_dataset(tmp_path), "history.jsonl").problems
    assert [(problem.count, problem.first_line) for problem in problems] == [(2, 1), (1, 4)]


def test_older_forms_of_rows_are_read(tmp_path: Path) -> None:
    old = (
        b'{"ts":"2026-07-02T15:05Z","bench":"freshstream","engine":"alpha","rbp":0.5,'
        b'"rbp_max":0.6,"num_scored":20,"num_queries":20,"search_errors":0,'
        b'"p50_ms":null,"p95_ms":null,"lat_ms":null}\n'
    )
    (tmp_path / "history.jsonl").write_bytes(old)
    (row,) = read_dataset(tmp_path).history
    assert (row.bench, row.ndcg, row.rbp) == ("news", None, 0.5)


def test_an_unusable_document_is_told_and_done_without(tmp_path: Path) -> None:
    write_data(tmp_path)
    (tmp_path / "ci.json").write_text('{"confidence": "high"}')
    (tmp_path / "independence.json").write_text("{")
    data = read_dataset(tmp_path)
    assert (data.intervals, data.independence) == (None, None)
    assert _file(data, "ci.json").state == _file(data, "independence.json").state == "unusable"


def test_the_window_begins_after_the_same_minute_seven_days_before(tmp_path: Path) -> None:
    data = read_dataset(write_history(tmp_path, [history_row(ts="2026-11-15T10:17Z")]))
    assert not data.in_window("2026-11-08T10:17Z")
    assert data.in_window("2026-11-08T10:18Z")
    assert data.in_window("2026-11-15T10:17Z")


def test_as_of_leaves_out_later_rows_everywhere(tmp_path: Path) -> None:
    write_data(tmp_path, runs=3)
    data = read_dataset(tmp_path, parse_time("2026-08-19T23:59Z"))
    kept = {"2026-08-18T10:17Z", "2026-08-19T10:17Z"}
    assert {row.ts for row in data.history} == {row.ts for row in data.overlap} == kept
    assert {row.ts for row in data.uniqueness} == {row.ts for row in data.scores} == kept
    assert data.window_end == "2026-08-19T10:17Z"
    assert data.is_cut
    assert data.latest == {}


def test_as_of_before_the_first_run_names_that_run(tmp_path: Path) -> None:
    write_data(tmp_path)
    with pytest.raises(UsageError, match=r"first run in .* is at 2026-08-19T10:17Z"):
        read_dataset(tmp_path, parse_time("2026-01-01"))


def test_rows_of_two_benches_in_one_minute_without_a_bench_are_both_kept(tmp_path: Path) -> None:
    line = b'{"ts":"2026-07-02T15:05Z","a":"x","b":"y","jaccard_sum":1.5,"num_queries":20}\n'
    (tmp_path / "overlap.jsonl").write_bytes(line * 2)
    assert len(read_dataset(tmp_path).overlap) == 2
