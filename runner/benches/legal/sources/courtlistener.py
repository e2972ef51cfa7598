"""CourtListener: the published opinions of a court in a month, one search each.

Source: its REST API, version 4, `search/?type=o`. A token allows 50 searches an hour, so a
generation is planned below that and stops before the 51st, retries included. Without a token
about five a minute are allowed.
"""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import date
from typing import Any

from runner.benches.drops import Drops
from runner.benches.fetching import Fetcher, SourceError
from runner.benches.markup import plain_text
from runner.http import RetryPolicy
from runner.settings import Settings

SEARCH = "https://www.courtlistener.com/api/rest/v4/search/"
PAGE = "https://www.courtlistener.com"
TOKEN_ENV = "COURTLISTENER_API_TOKEN"  # noqa: S105 - the name of a variable
MAX_SEARCHES = 50  # an hour
KEYLESS_GAP_S = 12.5
MAX_NAME_CHARS = 300
MAX_CITES = 20
_TRIES = 2


@dataclass(frozen=True)
class Opinion:
    """One published opinion; `docket` may name several numbers, `cites` may be empty."""

    cluster: str
    court: str
    name: str
    filed: date
    docket: str
    cites: tuple[str, ...]
    url: str


@dataclass(frozen=True, order=True)
class Month:
    """A whole calendar month."""

    year: int
    month: int

    @property
    def first(self) -> date:
        return date(self.year, self.month, 1)

    @property
    def last(self) -> date:
        return date(self.year, self.month, calendar.monthrange(self.year, self.month)[1])


def months_before(today: date, count: int) -> list[Month]:
    """The `count` whole months before today's, newest first."""
    newest = today.year * 12 + today.month - 1
    return [Month(i // 12, i % 12 + 1) for i in range(newest - 1, newest - 1 - count, -1)]


class CourtListener:
    """One client; it asks one search at a time and keeps within the hour's allowance."""

    def __init__(self, settings: Settings) -> None:
        token = settings.key(TOKEN_ENV)
        self._fetcher = Fetcher(
            settings,
            limiter_interval_s=1.0 if token else KEYLESS_GAP_S,
            concurrency=1,
            headers={"Authorization": f"Token {token}"} if token else {},
            retry=RetryPolicy(transport=1, server=1, rate_limited=1, total=_TRIES - 1, cap_s=600),
        )

    async def opinions(self, court: str, month: Month, drops: Drops) -> list[Opinion]:
        """The newest opinions of a court in a month, at most 20; raises SourceError."""
        if self._fetcher.attempts + _TRIES > MAX_SEARCHES:
            raise SourceError("rate_limited", f"the {MAX_SEARCHES} searches of an hour are used")
        document = await self._fetcher.get_json(
            SEARCH,
            {
                "type": "o",
                "court": court,
                "filed_after": f"{month.first:%m/%d/%Y}",
                "filed_before": f"{month.last:%m/%d/%Y}",
                "order_by": "dateFiled desc",
                "stat_Published": "on",
            },
        )
        return read_opinions(document, court, month, drops)

    async def aclose(self) -> None:
        """Closes the connection."""
        await self._fetcher.aclose()


def read_opinions(document: Any, court: str, month: Month, drops: Drops) -> list[Opinion]:
    """The usable opinions of a search; others are counted as `opinion_*`.

    Raises SourceError for a document without a list of results.
    """
    results = document.get("results") if isinstance(document, dict) else None
    if not isinstance(results, list):
        raise SourceError("malformed", f"{SEARCH} of {court}: expected an object with `results`")
    found = []
    for raw in results:
        opinion = _opinion(raw)
        if opinion is None:
            drops.add("opinion_malformed", f"{court}: {raw!r:.200}")
        elif opinion.court != court or not month.first <= opinion.filed <= month.last:
            drops.add("opinion_out_of_range", f"{opinion.name}: {opinion.court} {opinion.filed}")
        elif not (opinion.docket or opinion.cites):
            drops.add("opinion_without_ids", f"{court}: {opinion.name}")
        else:
            found.append(opinion)
    return found


def _opinion(raw: Any) -> Opinion | None:
    if not isinstance(raw, dict):
        return None
    cluster, name = raw.get("cluster_id"), raw.get("caseName")
    filed, court = raw.get("dateFiled"), raw.get("court_id")
    if not isinstance(cluster, int) or isinstance(cluster, bool) or cluster < 1:
        return None
    if not isinstance(name, str) or not isinstance(filed, str) or not isinstance(court, str):
        return None
    name = plain_text(name, MAX_NAME_CHARS)
    try:
        day = date.fromisoformat(filed[:10])
    except ValueError:
        return None
    docket, cites, path = raw.get("docketNumber"), raw.get("citation"), raw.get("absolute_url")
    listed = [cite for cite in cites if isinstance(cite, str)] if isinstance(cites, list) else []
    is_path = isinstance(path, str) and path.startswith("/opinion/")
    if not name:
        return None
    return Opinion(
        cluster=str(cluster),
        court=court,
        name=name,
        filed=day,
        docket=plain_text(docket, MAX_NAME_CHARS) if isinstance(docket, str) else "",
        cites=tuple(plain_text(cite, MAX_NAME_CHARS) for cite in listed[:MAX_CITES]),
        url=f"{PAGE}{plain_text(str(path), 500)}" if is_path else f"{PAGE}/opinion/{cluster}/",
    )
