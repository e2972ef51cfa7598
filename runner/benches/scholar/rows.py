"""The rows of the scholar bench: one query for one paper, with the ids that the paper goes by."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Literal, get_args

import msgspec

from runner.benches.scholar.ids.arxiv import canonical_arxiv
from runner.benches.scholar.ids.doi import canonical_doi
from runner.benches.scholar.ids.pubmed import canonical_pmcid, canonical_pmid
from runner.records.base import Part
from runner.records.queries import QueryOrigin, QueryRow
from runner.text import hour_ts, query_hash, query_id

QUERY_SOURCE = "scholar"

Suite = Literal["arxiv", "europepmc"]
Bucket = Literal["title", "body", "clue", "tot"]
AgeBucket = Literal["7d", "30d", "1y", "older"]
Domain = Literal[
    "computer science",
    "physical sciences",
    "life sciences",
    "social sciences",
    "health sciences",
]
SUITES: tuple[Suite, ...] = get_args(Suite)
BUCKETS: tuple[Bucket, ...] = get_args(Bucket)  # from the words of the title to the vaguest
AGE_BUCKETS: tuple[AgeBucket, ...] = get_args(AgeBucket)
DOMAINS: tuple[Domain, ...] = get_args(Domain)

_CANONICAL = {
    "arxiv": canonical_arxiv,
    "doi": canonical_doi,
    "pmid": canonical_pmid,
    "pmcid": canonical_pmcid,
}


class PaperIds(Part, frozen=True, kw_only=True, omit_defaults=True):
    """What a paper goes by, at least one of: an arXiv id without version, a DOI in lower case
    without resolver, a PubMed id in digits, a PubMed Central id with its `PMC`."""

    arxiv: str | None = None
    doi: str | None = None
    pmid: str | None = None
    pmcid: str | None = None

    def named(self) -> dict[str, str]:
        """The ids that there are, by kind, in the order of the fields."""
        return {kind: value for kind in _CANONICAL if (value := getattr(self, kind)) is not None}


class ScholarGold(Part, frozen=True, kw_only=True):
    """The paper that a query is after. All queries of a paper share its `paper_key`."""

    paper_key: str
    ids: PaperIds
    published_date: str
    age_bucket: AgeBucket
    domain: Domain


def decode_gold(raw: Mapping[str, Any] | None) -> ScholarGold:
    """The gold of a row, its ids in the form in which results are compared.

    Raises msgspec.ValidationError saying what is wrong with it.
    """
    if raw is None:
        raise msgspec.ValidationError("`gold` is missing")
    gold = msgspec.convert(raw, ScholarGold)
    if not gold.paper_key.strip():
        raise msgspec.ValidationError("`paper_key` is empty")
    if not _is_date(gold.published_date):
        raise msgspec.ValidationError(
            f"`published_date` is {gold.published_date[:40]!r}, not a date like 2026-10-30"
        )
    written = gold.ids.named()
    if not written:
        raise msgspec.ValidationError(f"paper {gold.paper_key!r} has no id to be known by")
    ids = {kind: _CANONICAL[kind](value) for kind, value in written.items()}
    for kind, found in ids.items():
        if found is None:
            raise msgspec.ValidationError(f"{written[kind][:80]!r} is no id of the kind {kind!r}")
    return msgspec.structs.replace(gold, ids=PaperIds(**ids))


def scholar_row(
    text: str,
    *,
    bucket: Bucket,
    suite: Suite,
    gold: ScholarGold,
    title: str,
    url: str,
    now: datetime,
    provenance: Mapping[str, Any] | None = None,
) -> QueryRow:
    """The row of a query for one paper; `title` and `url` are the paper's own.

    `provenance` is what else the generation knows of the query.
    """
    return QueryRow(
        query_id=query_id(text, now),
        query_hash=query_hash(text),
        query_text=text,
        query_source=QUERY_SOURCE,
        query_origin=QueryOrigin(
            bucket=bucket,
            topical_domain=gold.domain,
            subcategory=f"{suite}_{bucket}",
            provenance={
                "producer": QUERY_SOURCE,
                "suite": suite,
                "title": title,
                "url": url,
                "published_date": gold.published_date,
                **(provenance or {}),
            },
        ),
        topical_domain=gold.domain,
        gold=msgspec.to_builtins(gold),
        hour_ts=hour_ts(now),
        query_produced_at=hour_ts(now),
    )


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
