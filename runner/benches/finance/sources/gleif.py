"""GLEIF: the legal entity identifier of a company, by its exact legal name.

Source: `https://api.gleif.org/api/v1/lei-records` (JSON:API, no key, 60 requests a minute).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.benches.fetching import Fetcher, SourceError
from runner.benches.finance.sources.statements import clean_label
from runner.http import RetryPolicy
from runner.settings import Settings

RECORDS = "https://api.gleif.org/api/v1/lei-records"
ACCEPT = "application/vnd.api+json"
CONCURRENCY = 2
INTERVAL_S = 1.0
HITS = 5
RETRY = RetryPolicy(transport=2, server=2, rate_limited=4)
GIVES_UP_AFTER = 5
MAX_BODY_BYTES = 2_000_000
_PUNCTUATION = re.compile(r"[.,]")


@dataclass(frozen=True)
class LeiRecord:
    """A registered entity that exists, with an identifier that is kept up."""

    lei: str
    legal_name: str


class Gleif:
    """The source; close it when done."""

    def __init__(self, settings: Settings, *, cache: Path | None = None) -> None:
        self._fetcher = Fetcher(
            settings,
            limiter_interval_s=INTERVAL_S,
            concurrency=CONCURRENCY,
            max_body_bytes=MAX_BODY_BYTES,
            cache=cache,
            retry=RETRY,
            gives_up_after=GIVES_UP_AFTER,
            accept=ACCEPT,
        )

    async def aclose(self) -> None:
        await self._fetcher.aclose()

    async def records(self, legal_name: str) -> list[LeiRecord]:
        """The entities of exactly this legal name, in any case; raises SourceError."""
        document = await self._fetcher.get_json(
            RECORDS, {"filter[entity.legalName]": legal_name, "page[size]": str(HITS)}
        )
        return read_records(document, legal_name)


def read_records(document: Any, legal_name: str) -> list[LeiRecord]:
    """The active records of a name, each identifier once; raises SourceError for other documents.

    Lapsed, retired or annulled registrations, branches and funds are left out, and so are
    identifiers whose check digits are wrong.
    """
    data = document.get("data") if isinstance(document, dict) else None
    if not isinstance(data, list):
        raise SourceError("malformed", "api.gleif.org/api/v1/lei-records: has no data")
    records = (_record(raw) for raw in data[: 10 * HITS])
    wanted = same_name(legal_name)
    return list(
        dict.fromkeys(
            record for record in records if record and same_name(record.legal_name) == wanted
        )
    )


def same_name(legal_name: str) -> str:
    """The name as it is compared: case, spaces, points and commas do not tell names apart."""
    return " ".join(_PUNCTUATION.sub("", legal_name).casefold().split())


def _record(raw: Any) -> LeiRecord | None:
    """A record that counts, or None."""
    from runner.benches.finance.matching.exact_id import is_lei

    attributes = _part(raw, "attributes")
    entity = _part(attributes, "entity")
    name = clean_label(_part(entity, "legalName").get("name"))
    lei = attributes.get("lei")
    if name is None or not isinstance(lei, str) or not is_lei(lei):
        return None
    is_kept_up = _part(attributes, "registration").get("status") == "ISSUED"
    is_company = entity.get("category", "GENERAL") in ("GENERAL", None)
    if entity.get("status") != "ACTIVE" or not is_kept_up or not is_company:
        return None
    return LeiRecord(lei, name)


def _part(raw: Any, name: str) -> dict[str, Any]:
    part = raw.get(name) if isinstance(raw, dict) else None
    return part if isinstance(part, dict) else {}
