from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runner.records.base import encode_document, encode_line
from runner.records.jsonl import read_rows
from runner.records.published import (
    Independence,
    IndependenceWindow,
    RunEntry,
    SliceScore,
    decode_history,
    encode_history,
)

PUBLISHED = Path(__file__).parents[4] / "shared" / "data" / "published"
ROW: dict[str, Any] = {
    "ts": "2026-11-15T10:17Z",
    "bench": "news",
    "engine": "alpha",
    "ndcg": 0.5123,
    "num_scored": 19,
    "num_queries": 20,
    "search_errors": 1,
    "p50_ms": 412.3,
    "p95_ms": 988.0,
    "lat_ms": [301.2, 412.3, 988.0],
}


def line(**fields: Any) -> bytes:
    return json.dumps({**ROW, **fields}).encode()


def test_a_row_comes_back_as_it_was_written() -> None:
    row = decode_history(line())
    assert decode_history(encode_history(row)) == row
    assert json.loads(encode_history(row)) == ROW


def test_slices_are_flat_in_the_file_and_gathered_in_memory() -> None:
    row = decode_history(line(bench="finance", filings_recall=0.9, filings_n=40, tot_recall=None))
    assert row.slices == {
        "filings": SliceScore(recall=0.9, n=40),
        "tot": SliceScore(recall=None, n=None),
    }
    flat = json.loads(encode_history(row))
    assert (flat["filings_recall"], flat["filings_n"], flat["tot_recall"]) == (0.9, 40, None)
    assert "slices" not in flat
    assert decode_history(encode_history(row)) == row


@pytest.mark.parametrize(
    ("old", "new"),
    [("freshstream", "news"), ("companyfill", "finance"), ("rarestream", "agentic_rare")],
)
def test_older_bench_names_are_mapped(old: str, new: str) -> None:
    assert decode_history(line(bench=old)).bench == new


def test_a_row_from_before_ndcg_keeps_its_own_metric() -> None:
    raw = {key: value for key, value in ROW.items() if key != "ndcg"}
    row = decode_history(json.dumps({**raw, "rbp": 0.55, "rbp_max": 0.67}).encode())
    assert (row.ndcg, row.rbp, row.rbp_max) == (None, 0.55, 0.67)


@pytest.mark.parametrize(
    "bad",
    [
        line(bench="findallmcp"),
        line(surprise=1),
        line(num_scored="19"),
        line(ndcg=True),
        line(p50_ms=float("nan")),
        line()[:-5],
        b"[]",
        b"null",
        json.dumps({key: value for key, value in ROW.items() if key != "lat_ms"}).encode(),
    ],
)
def test_a_row_that_is_not_right_is_refused(bad: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        decode_history(bad)


def test_a_line_leaves_out_defaults_and_escapes_no_letter() -> None:
    entry = RunEntry(id="i", ts="t", artifacts=["é"])
    assert encode_line(entry) == '{"id":"i","ts":"t","artifacts":["é"]}\n'.encode()


def test_a_document_is_indented_and_says_its_version() -> None:
    window = IndependenceWindow(from_="a", to="b", runs=1, pairs=[], engines=[])
    document = Independence(generated_at="now", families={}, windows={"all": window})
    text = encode_document(document).decode()
    assert text.startswith('{\n  "schema_version": 1,\n')
    assert text.endswith("}\n")
    assert json.loads(text)["windows"]["all"]["from"] == "a"
    assert msgspec.json.decode(text, type=Independence) == document


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published data set is not on this machine")
def test_real_history_is_read_but_for_the_retired_bench() -> None:
    rows = read_rows(PUBLISHED / "history.jsonl", decode_history)
    lines = (PUBLISHED / "history.jsonl").read_bytes().splitlines()
    assert len(rows.good) + len(rows.bad) == len(lines) == 11_979
    assert all(b'"findallmcp"' in lines[bad.line - 1] for bad in rows.bad)
