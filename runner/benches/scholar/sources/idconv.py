"""The id converter of PubMed Central: which PMID, PMCID and DOI are those of one paper.

Source: `pmc.ncbi.nlm.nih.gov/tools/idconv`. It knows papers in PubMed Central only; ids of one
kind go in one request, at most 200, and three requests a second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from runner.benches.drops import Drops
from runner.benches.fetching import Fetcher, SourceError
from runner.benches.scholar.ids.doi import canonical_doi
from runner.benches.scholar.ids.pubmed import canonical_pmcid, canonical_pmid
from runner.benches.scholar.rows import PaperIds
from runner.http import RetryPolicy
from runner.settings import Settings

ARTICLES = "https://pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1/articles/"
INTERVAL_S = 0.4
MAX_BODY_BYTES = 4_000_000
BATCH = 100
RETRY = RetryPolicy(transport=2, server=2, rate_limited=3)
Kind = Literal["pmcid", "pmid", "doi"]
KINDS: tuple[Kind, ...] = ("pmcid", "pmid", "doi")


class IdConverter:
    """The source; close it when done. The operator's contact goes along where it is known."""

    def __init__(self, settings: Settings) -> None:
        self._email = settings.env.get("NEEDLE_CONTACT", "")
        self._fetcher = Fetcher(
            settings, limiter_interval_s=INTERVAL_S, max_body_bytes=MAX_BODY_BYTES, retry=RETRY
        )

    async def aclose(self) -> None:
        await self._fetcher.aclose()

    async def completed(self, papers: Sequence[PaperIds], drops: Drops) -> list[PaperIds]:
        """The ids of each paper with those that were missing, as far as the converter has them.

        A request that fails is counted as `idconv`; its papers keep the ids they have.
        """
        found: dict[str, PaperIds] = {}
        for kind in KINDS:
            asked = sorted({name for ids in papers if (name := _asked(ids, kind)) is not None})
            for start in range(0, len(asked), BATCH):
                try:
                    found |= await self._records(kind, asked[start : start + BATCH])
                except SourceError as error:
                    drops.add("idconv", error.message)
        return [_completed(ids, found) for ids in papers]

    async def _records(self, kind: Kind, ids: Sequence[str]) -> dict[str, PaperIds]:
        params = {
            "ids": ",".join(ids),
            "idtype": kind,
            "format": "json",
            "versions": "no",
            "tool": "needle-benchmark",
        }
        if self._email:
            params["email"] = self._email
        return read_records(await self._fetcher.get_json(ARTICLES, params), kind)


def _asked(ids: PaperIds, kind: Kind) -> str | None:
    """The id by which a paper is looked up, where that is one of this kind.

    arXiv's own DOIs are not in PubMed Central, and a comma would end an id of a list.
    """
    if all(getattr(ids, other) is not None for other in KINDS):
        return None
    best = next((other for other in KINDS if getattr(ids, other) is not None), None)
    name: str | None = getattr(ids, kind) if best == kind else None
    is_foreign = name is not None and (name.startswith("10.48550/") or "," in name)
    return None if is_foreign else name


def read_records(document: Any, kind: Kind) -> dict[str, PaperIds]:
    """The ids of each paper that was found, by the id that was asked for.

    Raises SourceError for a document of another shape. Records that have an error or another id
    of the asked kind are left out.
    """
    records = document.get("records") if isinstance(document, dict) else None
    if not isinstance(records, list):
        raise SourceError("malformed", "pmc.ncbi.nlm.nih.gov/tools/idconv: has no records")
    found = {}
    for raw in records[: 2 * BATCH]:
        if not isinstance(raw, dict) or raw.get("status") == "error" or raw.get("errmsg"):
            continue
        ids = PaperIds(
            doi=canonical_doi(_text(raw.get("doi"))),
            pmid=canonical_pmid(_text(raw.get("pmid"))),
            pmcid=canonical_pmcid(_text(raw.get("pmcid"))),
        )
        own = getattr(ids, kind)
        if own is not None:
            found[f"{kind}:{own}"] = ids
    return found


def _completed(ids: PaperIds, found: Mapping[str, PaperIds]) -> PaperIds:
    """The ids with what is missing; those that the paper has already stay."""
    for kind in KINDS:
        more = found.get(f"{kind}:{getattr(ids, kind)}")
        if more is not None:
            return PaperIds(
                arxiv=ids.arxiv,
                doi=ids.doi or more.doi,
                pmid=ids.pmid or more.pmid,
                pmcid=ids.pmcid or more.pmcid,
            )
    return ids


def _text(value: Any) -> str:
    """Ids come as texts, and PMIDs as numbers."""
    return str(value) if isinstance(value, str | int) else ""
