"""Query rows: what a bench asks, and the gold where it has one.

Source of the fields: the row envelope that all benches share. `query_origin` and `gold` were
written as JSON strings by older versions; `decode_query` takes both forms.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from runner.records.base import Part, Row

MAX_QUERY_CHARS = 2_000  # no engine takes more, and a longer one is a file by mistake


class QueryOrigin(Part, frozen=True, kw_only=True, omit_defaults=True):
    """Where a query came from: bucket, strata and the provenance of its source item."""

    bucket: str
    topical_domain: str = "other"
    subcategory: str = ""
    syntax: str = ""
    length_bucket: str = ""
    provenance: dict[str, Any] = {}


class QueryRow(Row, frozen=True, kw_only=True):
    """One query. `query_id` is `<query_hash>_<UTC hour>`; `gold` is absent on judged benches."""

    query_id: str
    query_hash: str
    query_text: str
    query_source: str
    query_origin: QueryOrigin
    topical_domain: str = "other"
    gold: dict[str, Any] | None = None
    hour_ts: str
    query_produced_at: str


def check_query_text(text: Any) -> None:
    """Raises msgspec.ValidationError unless `text` can be asked: a text, not empty, not a file."""
    if not isinstance(text, str) or not text.strip():
        raise msgspec.ValidationError("`query_text` is missing or empty")
    if len(text) > MAX_QUERY_CHARS:
        raise msgspec.ValidationError(f"the query is longer than {MAX_QUERY_CHARS} characters")


def decode_query(line: bytes) -> QueryRow:
    """The row, with stringified `query_origin` and `gold` unpacked.

    Raises msgspec.MsgspecError where the row cannot be read or has no query text.
    """
    raw = msgspec.json.decode(line)
    if not isinstance(raw, dict):
        raise msgspec.ValidationError(f"Expected an object, got {type(raw).__name__}")
    for field in ("query_origin", "gold"):
        if isinstance(raw.get(field), str):
            raw[field] = msgspec.json.decode(raw[field])
    check_query_text(raw.get("query_text"))
    origin = raw.get("query_origin")
    if isinstance(origin, dict):
        raw.setdefault("topical_domain", origin.get("topical_domain", "other"))
    raw.setdefault("query_produced_at", raw.get("hour_ts"))
    row = msgspec.convert(raw, QueryRow)
    if not _is_hour(row.hour_ts):
        raise msgspec.ValidationError(f"`hour_ts` is {row.hour_ts[:40]!r}, not an ISO 8601 time")
    return row


def _is_hour(text: str) -> bool:
    """Whether a judge can be told the date: it is the first ten characters."""
    try:
        return datetime.fromisoformat(text).date().isoformat() == text[:10]
    except ValueError:
        return False
