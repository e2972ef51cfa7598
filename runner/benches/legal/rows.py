"""The rows of the legal bench: one opinion, or one section of the CFR, with its identifiers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

import msgspec

from runner.benches.legal.citing.cfr import section_key
from runner.records.base import Part
from runner.records.queries import QueryOrigin, QueryRow
from runner.text import hour_ts, query_hash, query_id

QUERY_SOURCE = "legal"
Suite = Literal["caselaw", "code"]
SUITES: tuple[Suite, ...] = ("caselaw", "code")
MAX_PARTY_TOKENS = 50  # far more than a caption has


class LegalIds(Part, frozen=True, kw_only=True, omit_defaults=True):
    """What identifies the document: an opinion's `cluster`, or a section's `cfr`.

    `docket` may hold several numbers (`24-916(L); 24-2594`). A reporter in `cites` that the
    scorer does not know is of no use to it and does no harm. `cfr` is `title:section`.
    """

    cluster: str | None = None
    docket: str | None = None
    cites: list[str] = []
    cfr: str | None = None


class LegalGold(Part, frozen=True, kw_only=True, omit_defaults=True):
    """The document that a query looks for.

    Opinions have `case_key` (their cluster), the words of their parties, court, date filed and
    name; sections of the code have their `citation` and `heading`.
    """

    case_key: str = ""
    ids: LegalIds
    party_tokens: list[str] = []
    court: str = ""
    date_filed: str = ""
    case_name: str = ""
    citation: str = ""
    heading: str = ""

    @property
    def suite(self) -> Suite:
        """What kind of document it is."""
        return "caselaw" if self.ids.cfr is None else "code"


def decode_gold(raw: Mapping[str, Any] | None) -> LegalGold:
    """The gold of a row; raises msgspec.ValidationError saying what is wrong with it."""
    if raw is None:
        raise msgspec.ValidationError("`gold` is missing")
    gold = msgspec.convert(raw, LegalGold)
    ids = gold.ids
    if (ids.cluster is None) == (ids.cfr is None):
        raise msgspec.ValidationError("gold needs one of `ids.cluster` and `ids.cfr`")
    if ids.cluster is not None and not _is_number(ids.cluster):
        raise msgspec.ValidationError(f"gold `ids.cluster` is {ids.cluster[:40]!r}, not a number")
    if ids.cfr is not None and section_key(ids.cfr) is None:
        raise msgspec.ValidationError(f"gold `ids.cfr` is {ids.cfr[:40]!r}, not `title:section`")
    if len(gold.party_tokens) > MAX_PARTY_TOKENS:
        raise msgspec.ValidationError(f"gold has more than {MAX_PARTY_TOKENS} `party_tokens`")
    wordless = next((t for t in gold.party_tokens if not any(map(str.isalnum, t))), None)
    if wordless is not None:
        raise msgspec.ValidationError(
            f"gold `party_tokens` holds {wordless[:40]!r}, which is no word"
        )
    return gold


def legal_row(
    text: str,
    *,
    gold: LegalGold,
    syntax: str,
    provenance: Mapping[str, Any],
    now: datetime,
) -> QueryRow:
    """The row of a query; its bucket is the suite of the gold."""
    return QueryRow(
        query_id=query_id(text, now),
        query_hash=query_hash(text),
        query_text=text,
        query_source=QUERY_SOURCE,
        query_origin=QueryOrigin(bucket=gold.suite, syntax=syntax, provenance=dict(provenance)),
        gold=msgspec.to_builtins(gold),
        hour_ts=hour_ts(now),
        query_produced_at=hour_ts(now),
    )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()
