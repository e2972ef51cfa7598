"""Rows of the artifact in every form, and the rows that are asked."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from runner.benches.agentic_rare import rows as rows_module
from runner.benches.agentic_rare.rows import (
    as_query_lines,
    bucket_of,
    decode_rare,
    distinct,
    rare_row,
    read_artifact,
)
from runner.records.queries import decode_query
from runner.text import query_hash

NOW = datetime(2026, 11, 3, 15, 42, tzinfo=UTC)
TEXT = "frobnicetylene ligand synthesis yield"
HARD = [{"word": "frobnicetylene", "subwords": ["fr", "##ob", "##nic", "##ety", "##lene"]}]
NESTED: dict[str, Any] = {
    "query_text": TEXT,
    "source": "stream_a",
    "metadata": {"session_id": "s1"},
    "length_bucket": "medium",
    "n_words": 4,
    "hard_words": HARD,
    "max_pieces": 5,
}
TEXTS = NESTED | {"metadata": json.dumps({"session_id": "s1"}), "hard_words": json.dumps(HARD)}


def parquet(*rows: dict[str, Any]) -> bytes:
    buffer = BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows)), buffer)
    return buffer.getvalue()


def jsonl(*rows: Any) -> bytes:
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)


@pytest.mark.parametrize(
    "data",
    [parquet(NESTED), parquet(TEXTS), jsonl(NESTED), jsonl(TEXTS), jsonl(NESTED)[:-1]],
    ids=["parquet-nested", "parquet-texts", "jsonl-nested", "jsonl-texts", "jsonl-no-end"],
)
def test_nested_values_and_their_texts_read_alike(data: bytes) -> None:
    assert read_artifact(data) == ([decode_rare(NESTED)], [])


def test_the_row_that_is_asked_is_the_specified_one() -> None:
    row = msgspec.to_builtins(rare_row(decode_rare(TEXTS), now=NOW))
    assert row == {
        "query_id": "4fbdb04f42976004_2026-11-03T15",
        "query_hash": "4fbdb04f42976004",
        "query_text": TEXT,
        "query_source": "agentic_rare",
        "query_origin": {
            "bucket": "agentic_rare",
            "subcategory": "rare_medium",
            "length_bucket": "medium",
            "provenance": {
                "producer": "agentic_rare",
                "source": "stream_a",
                "metadata": {"session_id": "s1"},
                "hard_words": HARD,
            },
        },
        "hour_ts": "2026-11-03T15:00:00+00:00",
        "query_produced_at": "2026-11-03T15:00:00+00:00",
    }
    assert decode_query(msgspec.json.encode(row)) == rare_row(decode_rare(NESTED), now=NOW)


def test_a_row_says_where_it_is_from_unless_it_is_the_artifact() -> None:
    row = rare_row(decode_rare(NESTED), now=NOW, queries_from="sample")
    assert row.query_origin.provenance["queries_from"] == "sample"


def test_what_a_row_lacks_is_left_out_or_measured() -> None:
    row = decode_rare({"query_text": "the  Vx730qtz, now", "source": None, "metadata": None})
    assert (row.length_bucket, row.n_words, row.source) == ("medium", 3, None)
    assert rare_row(row, now=NOW).query_origin.provenance == {
        "producer": "agentic_rare",
        "hard_words": [],
    }


@pytest.mark.parametrize(
    ("metadata", "read"),
    [
        ("not json", "not json"),
        ("[1, 2]", [1, 2]),
        ('{"a": {"b": null}}', {"a": {"b": None}}),
        ([1], [1]),
        (7, 7),
        ("[" * 20_000, "[" * 20_000),
    ],
)
def test_metadata_is_of_any_form(metadata: Any, read: Any) -> None:
    assert decode_rare(NESTED | {"metadata": metadata}).metadata == read


@pytest.mark.parametrize(
    "change",
    [
        {"query_text": None},
        {"query_text": ""},
        {"query_text": "   "},
        {"query_text": 5},
        {"query_text": "x" * 2001},
        {"length_bucket": "huge"},
        {"n_words": "four"},
        {"hard_words": "no list"},
        {"hard_words": [{"subwords": []}]},
        {"hard_words": {"word": "x"}},
        {"max_pieces": "many"},
        {"source": 5},
    ],
)
def test_an_unusable_row_is_left_out_with_its_reason(change: dict[str, Any]) -> None:
    rows, bad = read_artifact(jsonl(NESTED, NESTED | change, NESTED))
    assert len(rows) == 2
    assert len(bad) == 1
    assert bad[0]


def test_lines_that_are_no_rows_are_counted() -> None:
    rows, bad = read_artifact(jsonl(NESTED) + b"{\n[1]\nplain\n" + jsonl(TEXTS))
    assert (len(rows), len(bad)) == (2, 3)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"<!doctype html><p>Sign in",
        b"version https://git-lfs.github.com/spec/v1\n",
        b"PAR1 and then nothing",
        parquet(NESTED)[:-20],
        parquet({"text": "a"}),
        jsonl({"query_text": ""}),
    ],
)
def test_what_is_no_artifact_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_artifact(data)


def test_more_rows_than_a_run_can_hold_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows_module, "MAX_ROWS", 2)
    assert len(read_artifact(jsonl(NESTED, NESTED))[0]) == 2
    with pytest.raises(ValueError, match="more than 2 rows"):
        read_artifact(jsonl(NESTED, NESTED, NESTED))


def test_of_equal_queries_the_first_stays() -> None:
    rows = [decode_rare({"query_text": text}) for text in ("a b", "A  b", "b a", "a b ")]
    assert [row.query_text for row in distinct(rows)] == ["a b", "b a"]


@pytest.mark.parametrize("data", [parquet(NESTED), parquet(TEXTS), jsonl(NESTED), jsonl(TEXTS)])
def test_rows_of_an_artifact_become_lines_that_can_be_asked(data: bytes) -> None:
    [line] = as_query_lines(data, NOW).splitlines()
    assert decode_query(line) == rare_row(decode_rare(NESTED), now=NOW, queries_from="file")


def test_other_lines_stay_as_and_where_they_are() -> None:
    asked = msgspec.json.encode(rare_row(decode_rare(NESTED), now=NOW))
    lines = [b"plain words", b"", b"{broken", asked, b'{"query_text": ""}', b"1984", b"\xff", b"[]"]
    data = b"\n".join(lines)
    assert as_query_lines(data, NOW) == data
    with_artifact = as_query_lines(data + b"\n" + jsonl(TEXTS), NOW).split(b"\n")
    assert with_artifact[: len(lines)] == lines
    assert decode_query(with_artifact[len(lines)]).query_hash == query_hash(TEXT)


def test_lines_of_lines_are_the_same_lines() -> None:
    once = as_query_lines(jsonl(NESTED, NESTED), NOW)
    assert as_query_lines(once, NOW) == once


def test_parquet_that_is_no_artifact_has_no_lines() -> None:
    with pytest.raises(ValueError, match="no column 'query_text'"):
        as_query_lines(parquet({"text": "a"}), NOW)


@pytest.mark.parametrize("bucket", ["short", "medium", "long"])
def test_the_bucket_is_found_in_rows_of_every_age(bucket: str) -> None:
    row = rare_row(decode_rare(NESTED | {"length_bucket": bucket}), now=NOW)
    older = msgspec.to_builtins(row)
    del older["query_origin"]["length_bucket"]
    older["query_origin"] = json.dumps(older["query_origin"])
    assert bucket_of(row) == bucket
    assert bucket_of(decode_query(msgspec.json.encode(older))) == bucket


@pytest.mark.parametrize(("text", "bucket"), [("a b", "short"), ("a b c", "medium")])
def test_a_row_without_a_bucket_is_measured(text: str, bucket: str) -> None:
    row = rare_row(decode_rare(NESTED), now=NOW)
    origin = msgspec.structs.replace(row.query_origin, length_bucket="", subcategory="typed")
    row = msgspec.structs.replace(
        row, query_text=text, query_hash=query_hash(text), query_origin=origin
    )
    assert bucket_of(row) == bucket
