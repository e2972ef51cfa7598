"""The rows of the finance bench: one question about one company, with its gold value."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from runner.benches.finance.fields import FIELDS, FieldType, Freshness
from runner.records.base import Part
from runner.records.queries import QueryOrigin, QueryRow
from runner.text import hour_ts, query_hash, query_id

QUERY_SOURCE = "finance"


class FinanceGold(Part, frozen=True, kw_only=True):
    """The value that an answer must state, and other forms of it (any may match).

    Money and head-counts are numbers, in dollars or persons; everything else is text, years too.
    `tier` is the company's size (mega, large, mid) where it was drawn by size.
    """

    field: str
    field_type: FieldType
    value: str | int | float
    aliases: list[str | int | float] = []
    freshness_window: Freshness
    tier: str | None = None


def decode_gold(raw: Mapping[str, Any] | None) -> FinanceGold:
    """The gold of a row; raises msgspec.ValidationError saying what is wrong with it."""
    if raw is None:
        raise msgspec.ValidationError("`gold` is missing")
    return msgspec.convert(raw, FinanceGold)


def finance_row(
    text: str,
    *,
    bucket: str,
    field: str,
    value: str | int | float,
    aliases: list[str | int | float],
    provenance: Mapping[str, Any],
    now: datetime,
    syntax: str = "plain",
    subcategory: str | None = None,
    freshness: Freshness | None = None,
    tier: str | None = None,
) -> QueryRow:
    """The row of a query about one fact; type and freshness are the field's own unless given."""
    kind = FIELDS[field]
    gold: dict[str, Any] = {
        "field": field,
        "field_type": kind.type,
        "value": value,
        "aliases": aliases,
        "freshness_window": freshness or kind.freshness,
    }
    if tier is not None:
        gold["tier"] = tier
    return QueryRow(
        query_id=query_id(text, now),
        query_hash=query_hash(text),
        query_text=text,
        query_source=QUERY_SOURCE,
        query_origin=QueryOrigin(
            bucket=bucket,
            syntax=syntax,
            topical_domain="finance",
            subcategory=subcategory or f"{kind.suite}_{field}",
            provenance={"producer": QUERY_SOURCE, **provenance},
        ),
        topical_domain="finance",
        gold=gold,
        hour_ts=hour_ts(now),
        query_produced_at=hour_ts(now),
    )
