from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.errors import DataError
from runner.records.jsonl import read_all, read_rows
from runner.records.published import decode_history

decode = msgspec.json.Decoder(dict[str, int]).decode


def test_good_rows_are_kept_and_bad_ones_named_by_line(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"a":1}\n\n{"a":"x"}\n  \n{"a":NaN}\n{"a":2}\n{"a"')
    rows = read_rows(path, decode)
    assert rows.good == [{"a": 1}, {"a": 2}]
    assert [bad.line for bad in rows.bad] == [3, 5, 7]
    assert str(rows.bad[0]).startswith(f"{path}:3: Expected `int`")


def test_a_last_line_without_newline_counts_if_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"a":1}\n{"a":2}')
    assert read_rows(path, decode).good == [{"a": 1}, {"a": 2}]


def test_bytes_that_are_no_text_are_a_bad_row(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"\xff":1}\n{"a":1}\n')
    rows = read_rows(path, decode)
    assert (rows.good, [bad.line for bad in rows.bad]) == ([{"a": 1}], [1])


def test_a_row_nested_without_end_is_a_bad_row(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    path.write_bytes(b'{"ts":' * 100_000 + b"\n")
    rows = read_rows(path, decode_history)
    assert (rows.good, rows.bad[0].line) == ([], 1)


def test_a_missing_file_has_no_rows(tmp_path: Path) -> None:
    assert read_rows(tmp_path / "none.jsonl", decode).good == []


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        read_rows(tmp_path, decode)


def test_read_all_stops_at_the_first_bad_row(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"a":1}\n[]\n')
    with pytest.raises(DataError) as caught:
        read_all(path, decode)
    assert (caught.value.path, caught.value.line) == (path, 2)
    assert str(caught.value).startswith(f"{path}:2: ")


@given(st.lists(st.one_of(st.dictionaries(st.text(), st.integers(0, 9)), st.text()), max_size=6))
def test_every_line_is_either_good_or_bad(
    tmp_path_factory: pytest.TempPathFactory, values: list[object]
) -> None:
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(value) + b"\n" for value in values))
    rows = read_rows(path, decode)
    assert rows.good == [value for value in values if isinstance(value, dict)]
    assert len(rows.bad) == len(values) - len(rows.good)
