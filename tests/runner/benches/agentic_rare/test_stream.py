"""Reading a stream: both forms, any row groups, and rows that are broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from runner.benches.agentic_rare.filtering.stream import MAX_LINE_BYTES, read_stream
from runner.errors import DataError

ROWS: list[dict[str, Any]] = [
    {"query_text": f"query {i}", "source": "s", "metadata": {"n": i, "tags": ["a", "b"]}}
    for i in range(11)
]


def read(path: Path, field: str = "query_text", batch_rows: int = 4) -> tuple[list[Any], list[Any]]:
    queries: list[Any] = []
    others: list[Any] = []
    for batch in read_stream(path, field, batch_rows):
        assert len(batch.queries) + batch.unreadable <= batch_rows
        queries += batch.queries
        others += batch.others(range(len(batch.queries)))
    return queries, others


def parquet(path: Path, rows: list[dict[str, Any]], row_group_size: int = 100) -> Path:
    pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=row_group_size)
    return path


def jsonl(path: Path, *lines: str | bytes) -> Path:
    path.write_bytes(
        b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines) + b"\n"
    )
    return path


@pytest.mark.parametrize("row_group_size", [1, 3, 4, 11, 100])
@pytest.mark.parametrize("batch_rows", [1, 4, 50])
def test_parquet_gives_the_same_rows_whatever_its_row_groups(
    tmp_path: Path, row_group_size: int, batch_rows: int
) -> None:
    path = parquet(tmp_path / "a.parquet", ROWS, row_group_size)
    queries, others = read(path, batch_rows=max(batch_rows, 1))
    assert queries == [row["query_text"] for row in ROWS]
    assert others == [{"source": "s", "metadata": row["metadata"]} for row in ROWS]


def test_jsonl_gives_what_parquet_gives(tmp_path: Path) -> None:
    lines = jsonl(tmp_path / "a.jsonl", *(json.dumps(row) for row in ROWS))
    assert read(lines) == read(parquet(tmp_path / "a.parquet", ROWS))


def test_the_form_is_told_by_the_content_not_by_the_name(tmp_path: Path) -> None:
    assert read(parquet(tmp_path / "a.jsonl", ROWS)) == read(parquet(tmp_path / "b", ROWS))


def test_only_chosen_rows_are_unpacked(tmp_path: Path) -> None:
    [batch] = read_stream(parquet(tmp_path / "a.parquet", ROWS), "query_text")
    assert batch.others([7, 2]) == [
        {"source": "s", "metadata": ROWS[7]["metadata"]},
        {"source": "s", "metadata": ROWS[2]["metadata"]},
    ]


def test_rows_without_other_columns_have_none(tmp_path: Path) -> None:
    path = parquet(tmp_path / "a.parquet", [{"query_text": "a"}, {"query_text": "b"}])
    assert read(path) == (["a", "b"], [{}, {}])


@pytest.mark.parametrize(
    ("row", "field", "query", "rest"),
    [
        ({"query_text": "a", "query": "b"}, "query_text", "a", {"query": "b"}),
        ({"query": "b", "x": 1}, "query_text", "b", {"x": 1}),
        ({"q": "c", "query": "b"}, "q", "c", {"query": "b"}),
        ({"query_text": "a", "x": 1}, "prompt", "a", {"x": 1}),
    ],
)
@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_the_query_is_the_named_column_or_else_the_streams_own(
    tmp_path: Path, form: str, row: dict[str, Any], field: str, query: str, rest: dict[str, Any]
) -> None:
    path = tmp_path / "a"
    if form == "parquet":
        parquet(path, [row])
    else:
        jsonl(path, json.dumps(row))
    assert read(path, field) == ([query], [rest])


def test_a_line_without_a_query_has_none(tmp_path: Path) -> None:
    assert read(jsonl(tmp_path / "a", '{"x": 1}')) == ([None], [{"x": 1}])


def test_broken_lines_are_counted(tmp_path: Path) -> None:
    path = jsonl(
        tmp_path / "a",
        '{"query_text": "good one"}',
        "",
        "   ",
        "{",
        "[1]",
        "null",
        "17",
        "plain words",
        b'{"query_text": "\xff"}',
        '{"query_text": "' + "x" * MAX_LINE_BYTES + '"}',
        "[" * 20_000,
        '{"query_text": "good two"}',
    )
    batches = list(read_stream(path, "query_text", 3))
    assert [query for batch in batches for query in batch.queries] == ["good one", "good two"]
    assert sum(batch.unreadable for batch in batches) == 8
    assert all(len(batch.queries) + batch.unreadable <= 3 for batch in batches)


def test_long_lines_come_in_smaller_batches(tmp_path: Path) -> None:
    line = json.dumps({"query": "a", "text": "x" * 900_000})
    path = jsonl(tmp_path / "a", *[line] * 40)
    sizes = [len(batch.queries) for batch in read_stream(path, "query_text", 1000)]
    assert sizes == [18, 18, 4]


def test_a_last_line_without_an_end_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b'{"query": "a"}\r\n{"query": "b"}')
    assert read(path)[0] == ["a", "b"]


def test_an_empty_file_has_no_rows(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    assert read(tmp_path / "a") == ([], [])


def test_a_column_that_is_missing_is_named(tmp_path: Path) -> None:
    path = parquet(tmp_path / "a.parquet", [{"text": "a", "n": 1}])
    with pytest.raises(DataError, match=r"a\.parquet: no column 'query_text'; it has text, n"):
        read(path)


def test_texts_that_are_not_utf8_are_none_and_the_others_stay(tmp_path: Path) -> None:
    buffers = pa.array([b"a", b"\xff", b"c"], type=pa.binary()).buffers()
    texts = pa.Array.from_buffers(pa.string(), 3, buffers)
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"query_text": texts, "source": texts, "n": [1, 2, 3]}), path)
    assert read(path) == (
        ["a", None, "c"],
        [{"source": "a", "n": 1}, {"source": None, "n": 2}, {"source": "c", "n": 3}],
    )


def test_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    table = pa.table([pa.array(["a"]), pa.array([1]), pa.array([2])], ["query_text", "x", "x"])
    pq.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(DataError, match="two columns of one name; it has query_text, x, x"):
        read(tmp_path / "a.parquet")


def test_half_a_surrogate_pair_is_no_text(tmp_path: Path) -> None:
    [batch] = read_stream(jsonl(tmp_path / "a", r'{"query": "a \ud800 b"}'), "query_text")
    assert (batch.queries, batch.unreadable) == ([], 1)


@pytest.mark.parametrize("cut", [5, 60, -1])
def test_a_parquet_file_that_was_cut_off_is_named(tmp_path: Path, cut: int) -> None:
    path = parquet(tmp_path / "a.parquet", ROWS)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(DataError, match=r"a\.parquet: "):
        read(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none: cannot be read"):
        read(tmp_path / "none")
    with pytest.raises(DataError, match="cannot be read"):
        read(tmp_path)
