"""What one query is made from: a feed item or a trending topic, in the form the projector takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from runner.benches.news.picks import Pick
from runner.text import second_ts

Bucket = Literal["rss", "trending"]


@dataclass(frozen=True)
class Candidate:
    """`titles` may not be copied by the query, `source_text` is where its evidence must stand."""

    bucket: Bucket
    topical_domain: str
    subcategory: str
    titles: tuple[str, ...]
    source_text: str
    variables: Mapping[str, Any]
    provenance: Mapping[str, Any]


def feed_candidate(pick: Pick, now: datetime) -> Candidate:
    """The candidate of a feed item; `subcategory` is `rss_<domain>`."""
    item = pick.item
    domain = item.source.topical_domain
    provenance: dict[str, Any] = {
        "producer": "rss_queries",
        "source_kind": item.source.source_kind,
        "parent_site": item.feed_url,
        "url": item.url,
        "title": item.title,
        "lastmod_or_pub_at": item.published_text,
    }
    if pick.age_h is not None:
        provenance["age_hours"] = round(pick.age_h, 2)
    return Candidate(
        bucket="rss",
        topical_domain=domain,
        subcategory=f"rss_{domain}",
        titles=(item.title,),
        source_text=f"{item.title}\n{item.summary}",
        variables={
            "today": f"{now:%Y-%m-%d}",
            "bucket": "rss",
            "source_kind": item.source.source_kind,
            "title": item.title,
            "summary": item.summary,
            "url": item.url,
            "published": second_ts(item.published) if item.published else "",
        },
        provenance=provenance,
    )
