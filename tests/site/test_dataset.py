"""Reading a data directory: what is kept, what is left out, and how it is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runner.errors import UsageError
from runner.records.published import SliceScore, encode_history
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
    (encode_history(history_row(num_scored=-1)), "a count below 0"),
    (encode_history(history_row(num_queries=10**9 + 1)), "a count below 0 or above 1,000,000,000"),
    (encode_history(history_row()).replace(b":20,", b":1" + b"0" * 400 + b","), "a count below 0"),
    (encode_history(history_row(reconnects=-1)), "a count below 0"),
    (encode_history(history_row(slices={"title": SliceScore(recall=1.0, n=-1)})), "a count below"),
    (encode_history(history_row(lat_ms=[-0.1])), "a latency below 0"),
    (encode_history(history_row(lat_ms=[1.7e308, 1.7e308])), "a latency below 0 or above a day"),
    (encode_history(history_row(p95_ms=86_400_000.1)), "a latency below 0 or above a day"),
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


def _overlap(**fields: object) -> bytes:
    row = {"ts": END, "bench": "news", "a": "x", "b": "y", "jaccard_sum": 1.0, "num_queries": 2}
    return json.dumps(row | fields).encode()


def _uniqueness(**fields: object) -> bytes:
    counts = dict.fromkeys(("total_urls", "relevant_total_urls"), 2)
    counts |= dict.fromkeys(("unique_urls", "relevant_unique_urls"), 1)
    return json.dumps({"ts": END, "bench": "news", "engine": "x"} | counts | fields).encode()


def _scores(*scores: float | None) -> bytes:
    row = {"ts": END, "bench": "news", "qids": ["q"] * len(scores), "engines": {"x": scores}}
    return json.dumps(row).encode()


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("overlap.jsonl", _overlap(num_suspect=0), _overlap(num_suspect=-1)),
        ("overlap.jsonl", _overlap(), _overlap(num_queries=10**400)),
        ("overlap.jsonl", _overlap(jaccard_sum=2), _overlap(jaccard_sum=2.1)),
        ("uniqueness.jsonl", _uniqueness(), _uniqueness(unique_urls=3)),
        ("uniqueness.jsonl", _uniqueness(), _uniqueness(relevant_total_urls=10**400)),
        ("ci_scores.jsonl", _scores(0, 1, None), _scores(0.5, 1e308)),
        ("ci_scores.jsonl", _scores(0, 1, None), _scores(-0.1)),
    ],
)
def test_numbers_out_of_range_leave_a_row_out(
    tmp_path: Path, name: str, good: bytes, bad: bytes
) -> None:
    (tmp_path / name).write_bytes(good + b"\n")
    assert _file(read_dataset(tmp_path), name).rows == 1
    (tmp_path / name).write_bytes(bad + b"\n")
    state = _file(read_dataset(tmp_path), name)
    assert (state.rows, [problem.count for problem in state.problems]) == (0, [1])


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


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("ci.json", '"hi":0.6', '"hi":9e300'),
        ("ci.json", '"lo":0.4', '"lo":0.7'),
        ("independence.json", f'"from":"{END}"', '"from":"junk"'),
        ("independence.json", '"n3":3', '"n3":-3'),
        ("independence.json", '"jaccard_sum":1.0', '"jaccard_sum":3.1'),
        ("independence.json", '"a":"x"', '"a":""'),
    ],
)
def test_a_document_with_impossible_values_is_unusable(
    tmp_path: Path, name: str, old: str, new: str
) -> None:
    write_history(tmp_path, [history_row()])
    interval = {"point": 0.5, "lo": 0.4, "hi": 0.6}
    counters = ("num_shared3", "num_suspect", "low_shared_urls", "num_queries", "n3", "n_low")
    pair = {"a": "x", "b": "y", "jaccard_sum": 1.0} | dict.fromkeys(counters, 3)
    window = {"from": END, "to": END, "runs": 1, "pairs": [pair], "engines": []}
    documents: dict[str, dict[str, object]] = {
        "ci.json": {
            "confidence": 0.95,
            "resamples": 10_000,
            "window_days": 7,
            "window_end": END,
            "method": "bootstrap",
            "runs": {"news": [END]},
            "benches": {"news": {"alpha": interval}},
        },
        "independence.json": {"generated_at": END, "families": {}, "windows": {"7d": window}},
    }
    text = json.dumps(documents[name], separators=(",", ":"))
    assert text.count(old) == 1
    (tmp_path / name).write_text(text)
    assert _file(read_dataset(tmp_path), name).state == "read"
    (tmp_path / name).write_text(text.replace(old, new))
    assert _file(read_dataset(tmp_path), name).state == "unusable"


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
