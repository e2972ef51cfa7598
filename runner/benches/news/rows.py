"""The rows of the news bench: one query about one event, without gold."""

from __future__ import annotations

from datetime import datetime

from runner.benches.news.candidates import Candidate
from runner.records.queries import QueryOrigin, QueryRow
from runner.text import hour_ts, query_hash, query_id

QUERY_SOURCE = "fresh-queries"


def news_row(text: str, candidate: Candidate, *, now: datetime, queries_from: str) -> QueryRow:
    """The row of a query; `queries_from` is noted where it is not the live sources ("feeds")."""
    provenance = dict(candidate.provenance)
    if queries_from != "feeds":
        provenance["queries_from"] = queries_from
    hour = hour_ts(now)
    return QueryRow(
        query_id=query_id(text, now),
        query_hash=query_hash(text),
        query_text=text,
        query_source=QUERY_SOURCE,
        query_origin=QueryOrigin(
            bucket=candidate.bucket,
            topical_domain=candidate.topical_domain,
            subcategory=candidate.subcategory,
            provenance=provenance,
        ),
        topical_domain=candidate.topical_domain,
        hour_ts=hour,
        query_produced_at=hour,
    )
