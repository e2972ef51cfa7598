from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from runner.records.base import encode_line
from runner.records.queries import decode_query

ROW: dict[str, Any] = {
    "query_id": "9bed48b162597240_2026-11-15T00",
    "query_hash": "9bed48b162597240",
    "query_text": "nvidia ceo",
    "query_source": "finance",
    "query_origin": {"bucket": "finance", "syntax": "plain", "topical_domain": "finance"},
    "gold": {"field": "ceo", "aliases": []},
    "hour_ts": "2026-11-15T00:00:00+00:00",
    "query_produced_at": "2026-11-15T00:00:00+00:00",
}


def line(**fields: Any) -> bytes:
    return json.dumps({**ROW, **fields}).encode()


def test_stringified_fields_of_older_rows_read_like_objects() -> None:
    old = line(query_origin=json.dumps(ROW["query_origin"]), gold=json.dumps(ROW["gold"]))
    assert decode_query(old) == decode_query(line())


def test_a_row_comes_back_as_it_was_written() -> None:
    row = decode_query(line())
    assert decode_query(encode_line(row)) == row


def test_what_an_older_row_lacks_is_taken_from_where_it_was() -> None:
    raw = {key: value for key, value in ROW.items() if key not in ("gold", "query_produced_at")}
    row = decode_query(json.dumps(raw).encode())
    assert (row.topical_domain, row.query_produced_at, row.gold) == (
        "finance",
        ROW["hour_ts"],
        None,
    )


@pytest.mark.parametrize(
    "bad",
    [
        b"[]",
        b"nvidia ceo",
        line(query_text=" \t"),
        line(query_text=3),
        line(query_text=None),
        line(query_origin="{"),
        line(query_origin={}),
        line(gold="[]"),
        line(surprise=1),
        line(hour_ts=None),
        line(hour_ts="yesterday"),
        line(hour_ts="20261115T10"),
        line(hour_ts="2026-02-30T10:00:00+00:00"),
    ],
)
def test_a_row_that_is_not_right_is_refused(bad: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        decode_query(bad)
