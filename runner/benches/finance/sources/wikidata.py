"""Wikidata: the items of companies by their SEC number, the items themselves, names of items.

Sources: the query service (SPARQL), `Special:EntityData` for one item, `api.php` for names and
for the search by name. Few requests run at once; `maxlag=5` lets the servers send us away while
they lag behind (an error in a 200 answer, https://www.mediawiki.org/wiki/Manual:Maxlag_parameter),
and we wait. All errors are `SourceError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from runner.benches.fetching import Fetcher, SourceError
from runner.benches.finance.sources.statements import (
    LANGUAGES,
    Item,
    Names,
    read_item,
    read_names,
    read_qid,
)
from runner.http import RetryPolicy
from runner.settings import Settings, Sleep

SPARQL = "https://query.wikidata.org/sparql"
API = "https://www.wikidata.org/w/api.php"
ENTITY = "https://www.wikidata.org/wiki/Special:EntityData/{qid}.json"
PAGE = "https://www.wikidata.org/wiki/{qid}"
CONCURRENCY = 3
INTERVAL_S = 0.1
TIMEOUT_S = 70.0  # the query service itself gives up after 60
RETRY = RetryPolicy(transport=2, server=2, rate_limited=4)
GIVES_UP_AFTER = 5
MAX_BODY_BYTES = 20_000_000
CIKS_PER_QUERY = 50  # each in two forms: the query must fit into an address
IDS_PER_CALL = 50
SEARCH_HITS = 5
MAX_LAG_S = 5
LAG_RETRIES = 4


class Wikidata:
    """The source; close it when done."""

    def __init__(self, settings: Settings, *, cache: Path | None = None) -> None:
        self._sleep: Sleep = settings.sleep
        self._fetcher = Fetcher(
            settings,
            limiter_interval_s=INTERVAL_S,
            concurrency=CONCURRENCY,
            max_body_bytes=MAX_BODY_BYTES,
            timeout_s=TIMEOUT_S,
            cache=cache,
            retry=RETRY,
            gives_up_after=GIVES_UP_AFTER,
        )

    async def aclose(self) -> None:
        await self._fetcher.aclose()

    async def by_cik(self, ciks: Sequence[int]) -> dict[int, list[str]]:
        """The items that state each of at most `CIKS_PER_QUERY` SEC numbers, sorted by id."""
        document = await self._fetcher.get_json(
            SPARQL, {"query": cik_query(ciks), "format": "json"}
        )
        return read_bindings(document, ciks)

    async def item(self, qid: str) -> Item:
        """One item; an id that was merged into another gives that one."""
        document = await self._fetcher.get_json(ENTITY.format(qid=qid))
        return read_entity(document, qid)

    async def names(self, qids: Sequence[str]) -> dict[str, Names]:
        """The names of at most `IDS_PER_CALL` items; those without any are left out."""
        document = await self._api(
            {
                "action": "wbgetentities",
                "ids": "|".join(qids),
                "props": "labels|aliases",
                "languages": "|".join(LANGUAGES),
            }
        )
        return read_all_names(document, qids)

    async def search(self, name: str) -> list[str]:
        """At most `SEARCH_HITS` items whose label or alias is like a name, best first."""
        document = await self._api(
            {
                "action": "wbsearchentities",
                "search": name,
                "language": "en",
                "type": "item",
                "limit": str(SEARCH_HITS),
            }
        )
        return read_hits(document)

    async def _api(self, params: Mapping[str, str]) -> Any:
        """The answer of api.php; raises SourceError also for an error inside it."""
        for tries_left in reversed(range(LAG_RETRIES)):
            document = await self._fetcher.get_json(
                API, {**params, "format": "json", "maxlag": str(MAX_LAG_S)}
            )
            code = _error_code(document)
            if code is None:
                return document
            if code != "maxlag":
                raise SourceError("http_error", f"www.wikidata.org/w/api.php: error {code!r}")
            if tries_left:
                await self._sleep(MAX_LAG_S)
        raise SourceError("rate_limited", "www.wikidata.org/w/api.php: its servers lag behind")


def cik_query(ciks: Iterable[int]) -> str:
    """The SPARQL query for the items of SEC numbers; both written forms occur in Wikidata."""
    forms = " ".join(f'"{form}"' for cik in ciks for form in (f"{cik:010}", f"{cik}"))
    return f"SELECT ?item ?cik WHERE {{ VALUES ?cik {{ {forms} }} ?item wdt:P5531 ?cik . }}"


def read_bindings(document: Any, ciks: Iterable[int]) -> dict[int, list[str]]:
    """The items of each number that was asked for; raises SourceError for another document."""
    results = document.get("results") if isinstance(document, dict) else None
    bindings = results.get("bindings") if isinstance(results, dict) else None
    if not isinstance(bindings, list):
        raise _malformed("query.wikidata.org/sparql", "results.bindings")
    found: dict[int, set[str]] = {cik: set() for cik in ciks}
    for binding in bindings:
        cik, qid = (_bound(binding, name) for name in ("cik", "item"))
        qid = read_qid(qid)
        if qid and isinstance(cik, str) and cik.isdecimal() and len(cik) <= 10:
            found.get(int(cik), set()).add(qid)
    return {cik: sorted(qids, key=lambda qid: int(qid[1:])) for cik, qids in found.items() if qids}


def read_entity(document: Any, qid: str) -> Item:
    """The item of an entity document; raises SourceError where there is none."""
    entities = document.get("entities") if isinstance(document, dict) else None
    if not isinstance(entities, dict) or not entities:
        raise _malformed(f"Special:EntityData/{qid}", "entities")
    key = qid if qid in entities or len(entities) > 1 else next(iter(entities))
    item = read_item(key, entities.get(key)) if read_qid(key) == key else None
    if item is None:
        raise SourceError("not_found", f"Special:EntityData/{qid}: holds no such item")
    return item


def read_all_names(document: Any, qids: Iterable[str]) -> dict[str, Names]:
    """The names of the items that were asked for; raises SourceError for another document."""
    entities = document.get("entities") if isinstance(document, dict) else None
    if not isinstance(entities, dict):
        raise _malformed("wbgetentities", "entities")
    read = {qid: read_names(entities.get(qid)) for qid in qids}
    return {qid: names for qid, names in read.items() if names.label}


def read_hits(document: Any) -> list[str]:
    """The ids of search hits; raises SourceError for another document."""
    hits = document.get("search") if isinstance(document, dict) else None
    if not isinstance(hits, list):
        raise _malformed("wbsearchentities", "search")
    ids = (read_qid(hit.get("id")) for hit in hits[:SEARCH_HITS] if isinstance(hit, dict))
    return list(dict.fromkeys(qid for qid in ids if qid))


def _bound(binding: Any, name: str) -> Any:
    cell = binding.get(name) if isinstance(binding, dict) else None
    return cell.get("value") if isinstance(cell, dict) else None


def _error_code(document: Any) -> str | None:
    """The code of an error inside an answer, None where the answer has no error."""
    error = document.get("error") if isinstance(document, dict) else None
    if error is None:
        return None
    code = error.get("code") if isinstance(error, dict) else None
    return code[:100] if isinstance(code, str) else "unknown"


def _malformed(where: str, what: str) -> SourceError:
    return SourceError("malformed", f"{where}: has no {what}")
