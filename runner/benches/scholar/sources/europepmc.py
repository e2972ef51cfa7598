"""Europe PMC: lists of open papers by day of publication, and their full text as JATS.

Source: the RESTful web service (`www.ebi.ac.uk/europepmc/webservices/rest`). Results come by
relevance, page by page with a cursor; about ten requests a second are welcome.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from runner.benches.draws import derived_seed, drawn, picked
from runner.benches.drops import Drops
from runner.benches.fetching import Fetcher, SourceError
from runner.benches.markup import plain_text
from runner.benches.scholar.body_text import jats_body
from runner.benches.scholar.ids.doi import canonical_doi
from runner.benches.scholar.ids.pubmed import canonical_pmcid, canonical_pmid
from runner.benches.scholar.papers import (
    MAX_ABSTRACT_CHARS,
    MAX_AUTHORS_CHARS,
    MAX_TITLE_CHARS,
    Paper,
)
from runner.benches.scholar.rows import PaperIds
from runner.benches.scholar.sampling import Window
from runner.http import RetryPolicy
from runner.settings import Settings

REST = "https://www.ebi.ac.uk/europepmc/webservices/rest"
INTERVAL_S = 0.15
CONCURRENCY = 4
TIMEOUT_S = 60.0
MAX_BODY_BYTES = 16_000_000
RETRY = RetryPolicy(transport=2, server=3, rate_limited=3)
GIVES_UP_AFTER = 4
PAGE_FACTOR, MIN_PAGE, MAX_PAGE = 5, 50, 1_000
MAX_PAGES = 4  # the page of a list that is sampled is one of the first so many
_SOURCE = re.compile(r"[A-Z]{3}", re.ASCII)
_ID = re.compile(r"[A-Za-z0-9]{1,20}", re.ASCII)


class EuropePmc:
    """The source; close it when done."""

    def __init__(self, settings: Settings) -> None:
        self._fetcher = Fetcher(
            settings,
            limiter_interval_s=INTERVAL_S,
            concurrency=CONCURRENCY,
            max_body_bytes=MAX_BODY_BYTES,
            timeout_s=TIMEOUT_S,
            accept="application/json, application/xml;q=0.9",
            retry=RETRY,
            gives_up_after=GIVES_UP_AFTER,
        )

    async def aclose(self) -> None:
        await self._fetcher.aclose()

    async def sample(self, window: Window, wanted: int, seed: int, drops: Drops) -> list[Paper]:
        """At most `wanted` papers of a window at random; raises SourceError.

        The first page has what is most relevant and is no random one, so the seed draws one of
        the first few. The index knows other dates than the day of publication: a paper that was
        published outside the window is counted as `outside_window`.
        """
        size = min(max(PAGE_FACTOR * wanted, MIN_PAGE), MAX_PAGE)
        first, last = window.start.date(), window.end.date()
        params = {
            "query": 'OPEN_ACCESS:y AND HAS_FT:y AND HAS_ABSTRACT:y AND LANG:"eng" AND '
            f"FIRST_PDATE:[{first} TO {last}]",
            "format": "json",
            "resultType": "core",
            "pageSize": str(size),
            "cursorMark": "*",
        }
        page: list[Paper] = []
        before: list[Paper] = []
        for _ in range(drawn(MAX_PAGES, seed, "page") + 1):
            document = await self._fetcher.get_json(f"{REST}/search", params)
            found = parse_page(document, drops)
            if not found:
                break
            page, before = [paper for paper in found if _in(window, paper, drops)], page
            mark = document.get("nextCursorMark")
            if not isinstance(mark, str) or mark == params["cursorMark"] or len(found) < size:
                break
            params["cursorMark"] = mark
        pool = page if len(page) >= wanted else before + page
        return picked(pool, wanted, derived_seed(seed, "sample"))

    async def body(self, paper: Paper) -> str | None:
        """The paper's text, None where there is none; raises SourceError."""
        if paper.ids.pmcid is None:
            return None
        try:
            document = await self._fetcher.get_text(f"{REST}/{paper.ids.pmcid}/fullTextXML")
        except SourceError as error:
            if error.kind in ("not_found", "too_large"):
                return None
            raise
        return jats_body(document)


def _in(window: Window, paper: Paper, drops: Drops) -> bool:
    is_in = window.holds(paper.published, by_day=True)
    if not is_in:
        drops.add("outside_window", f"{paper.url} of {paper.published:%Y-%m-%d}")
    return is_in


def parse_page(document: Any, drops: Drops) -> list[Paper]:
    """The papers of a page of results; raises SourceError for a document of another shape.

    Results without title, abstract, day of publication or id are counted as `europepmc_malformed`.
    """
    listed = document.get("resultList") if isinstance(document, dict) else None
    results = listed.get("result") if isinstance(listed, dict) else None
    if not isinstance(results, list):
        problem = document.get("errMsg") if isinstance(document, dict) else None
        said = problem if isinstance(problem, str) else "expected `resultList` with `result`"
        raise SourceError("malformed", f"www.ebi.ac.uk/europepmc, search: {said:.200}")
    papers = []
    for raw in results[:MAX_PAGE]:
        paper = _paper(raw) if isinstance(raw, dict) else None
        if paper is None:
            drops.add("europepmc_malformed", f"result {raw!r:.200}")
        else:
            papers.append(paper)
    return papers


def _paper(raw: dict[str, Any]) -> Paper | None:
    source, key = _text(raw, "source"), _text(raw, "id")
    published = read_day(_text(raw, "firstPublicationDate"))
    title = clean_title(plain_text(_text(raw, "title"), MAX_TITLE_CHARS))
    abstract = plain_text(_text(raw, "abstractText"), MAX_ABSTRACT_CHARS)
    if published is None or not title or not abstract:
        return None
    if not _SOURCE.fullmatch(source) or not _ID.fullmatch(key):
        return None
    return Paper(
        suite="europepmc",
        domain="health sciences",
        title=title,
        abstract=abstract,
        url=f"https://europepmc.org/article/{source}/{key}",
        published=published,
        ids=PaperIds(
            doi=canonical_doi(_text(raw, "doi")),
            pmid=canonical_pmid(_text(raw, "pmid")),
            pmcid=canonical_pmcid(_text(raw, "pmcid")),
        ),
        authors=plain_text(_text(raw, "authorString"), MAX_AUTHORS_CHARS),
    )


def clean_title(title: str) -> str:
    """The title without the full stop at its end and the brackets of a translated one."""
    title = title.strip().rstrip(".").strip()
    if title.startswith("[") and title.endswith("]"):
        title = title[1:-1].rstrip(".").strip()
    return title


def read_day(text: str) -> datetime | None:
    """Midnight (UTC) of a `YYYY-MM-DD`, None for anything else."""
    try:
        moment = datetime.strptime(text, "%Y-%m-%d")
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC)


def _text(raw: dict[str, Any], name: str) -> str:
    value = raw.get(name)
    return value if isinstance(value, str) else ""
