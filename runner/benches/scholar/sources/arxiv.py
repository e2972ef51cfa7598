"""arXiv: lists of new papers by field and time, and their full text as HTML.

Source: the API's manual (`export.arxiv.org/api/query`, Atom). arXiv asks for one connection and
one request in three seconds for all that a client does, so lists and texts share one `Fetcher`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from runner.benches.document_text import pieces
from runner.benches.draws import derived_seed, drawn, picked
from runner.benches.drops import Drops
from runner.benches.fetching import Fetcher, SourceError
from runner.benches.markup import plain_text
from runner.benches.scholar.body_text import html_body
from runner.benches.scholar.ids.arxiv import canonical_arxiv
from runner.benches.scholar.ids.doi import canonical_doi
from runner.benches.scholar.papers import (
    MAX_ABSTRACT_CHARS,
    MAX_AUTHORS_CHARS,
    MAX_TITLE_CHARS,
    Paper,
)
from runner.benches.scholar.rows import Domain, PaperIds
from runner.benches.scholar.sampling import Window
from runner.http import RetryPolicy
from runner.settings import Settings
from runner.text import unescape_html

QUERY = "https://export.arxiv.org/api/query"
# Where a text is and how many redirects lead to it: ar5iv sends on to arXiv's abstract page for
# what it lacks, which would be a second request within the three seconds.
TEXTS = (("https://arxiv.org/html/{id}", 1), ("https://ar5iv.labs.arxiv.org/html/{id}", 0))
INTERVAL_S = 3.0
TIMEOUT_S = 60.0
MAX_BODY_BYTES = 16_000_000
RETRY = RetryPolicy(transport=2, server=3, rate_limited=3)
GIVES_UP_AFTER = 4
FETCHED_A_PAPER, MAX_FETCHED = 20, 1_000
MAX_ENTRIES = 2_000
CATEGORIES: dict[Domain, tuple[str, ...]] = {
    "computer science": ("cs.*",),
    "physical sciences": ("physics.*", "math.*", "stat.*", "cond-mat.*", "astro-ph.*"),
    "life sciences": ("q-bio.*",),
    "social sciences": ("econ.*", "q-fin.*"),
}
_ARCHIVES = {
    name.removesuffix(".*"): domain for domain, names in CATEGORIES.items() for name in names
}
_FIELDS = frozenset({"id", "title", "summary", "published", "arxiv:doi", "arxiv:comment", "name"})
_TERM = re.compile(r"\bterm\s*=\s*[\"']([\w.-]{2,30})[\"']")
_ABS = re.compile(r"https?://(?:export\.)?arxiv\.org/abs/(.{5,40})\Z", re.DOTALL)


class Arxiv:
    """The source; close it when done."""

    def __init__(self, settings: Settings) -> None:
        self._fetcher = Fetcher(
            settings,
            limiter_interval_s=INTERVAL_S,
            concurrency=1,
            max_body_bytes=MAX_BODY_BYTES,
            timeout_s=TIMEOUT_S,
            accept="application/atom+xml, text/html;q=0.9",
            retry=RETRY,
            gives_up_after=GIVES_UP_AFTER,
        )

    async def aclose(self) -> None:
        await self._fetcher.aclose()

    async def sample(
        self, domain: Domain, window: Window, wanted: int, seed: int, drops: Drops
    ) -> list[Paper]:
        """At most `wanted` papers of a window at random; raises SourceError.

        A list is sorted by time and cut, so that it leans to the end where it begins. It begins
        at a moment that the seed draws, and goes to the farther end of the window; only where
        that gives too little it is the whole window's.
        """
        span = window.end - window.start
        place = drawn(1_001, seed, "start") / 1_000
        middle = window.start + span * place
        part = Window(middle, window.end) if place < 0.5 else Window(window.start, middle)
        papers = await self._papers(domain, part, wanted, drops, is_ascending=place < 0.5)
        if len(papers) < wanted:
            papers = await self._papers(domain, window, wanted, drops, is_ascending=False)
        return picked(papers, wanted, derived_seed(seed, "sample"))

    async def body(self, paper: Paper) -> str | None:
        """The paper's text, None where there is none in HTML; raises SourceError."""
        assert paper.ids.arxiv is not None
        for form, max_redirects in TEXTS:
            address = form.format(id=paper.ids.arxiv)
            try:
                page = await self._fetcher.get_text(address, max_redirects=max_redirects)
            except SourceError as error:
                if error.kind not in ("not_found", "too_large"):
                    raise
                continue
            if (body := html_body(page)) is not None:
                return body
        return None

    async def _papers(
        self, domain: Domain, window: Window, wanted: int, drops: Drops, *, is_ascending: bool
    ) -> list[Paper]:
        """The papers of the start or the end of a window; an empty page is asked for once more."""
        fields = " OR ".join(f"cat:{name}" for name in CATEGORIES[domain])
        span = f"[{window.start:%Y%m%d%H%M} TO {window.end:%Y%m%d%H%M}]"
        params = {
            "search_query": f"({fields}) AND submittedDate:{span}",
            "start": "0",
            "max_results": str(min(FETCHED_A_PAPER * wanted, MAX_FETCHED)),
            "sortBy": "submittedDate",
            "sortOrder": "ascending" if is_ascending else "descending",
        }
        document = await self._fetcher.get_text(QUERY, params)
        if "<entry" not in document:  # arXiv gives empty pages now and then
            document = await self._fetcher.get_text(QUERY, params)
        kept = []
        for paper in parse_feed(document, drops):
            if paper.domain != domain:
                continue  # listed here as well, but at home in another field
            if window.holds(paper.published):
                kept.append(paper)
            else:
                drops.add("outside_window", f"{paper.url} of {paper.published:%Y-%m-%d}")
        return kept


def parse_feed(document: str, drops: Drops) -> list[Paper]:
    """The papers of an Atom feed, each with the domain of its primary category.

    Entries of another shape are counted as `arxiv_malformed`; those of a category that no domain
    has are passed over. Raises SourceError for an error, which comes as an entry, and for what is
    no whole feed.
    """
    if "<feed" not in document[:2_000] or "</feed>" not in document[-200:]:
        raise SourceError("malformed", "export.arxiv.org/api/query: not a whole Atom feed")
    papers = []
    for entry in _entries(document):
        identity = entry.get("id", "")
        if "/api/errors" in identity or entry.get("title") == "Error":
            raise SourceError(
                "http_error", f"export.arxiv.org/api/query: {entry.get('summary', 'an error')}"
            )
        paper = _paper(entry, drops)
        if paper is not None:
            papers.append(paper)
    return papers


def _entries(document: str) -> Iterator[dict[str, str]]:
    """The fields of each entry: raw text by element, authors joined, the primary category."""
    entry: dict[str, str] | None = None
    field = ""
    count = 0
    for tag, attributes, text in pieces(document):
        if tag == "entry":
            entry, field = {}, ""
        elif tag == "/entry":
            if entry is not None:
                yield entry
            entry, count = None, count + 1
            if count == MAX_ENTRIES:
                return
        elif tag.startswith("/"):
            field = ""
        elif tag in _FIELDS:
            field = tag
            if entry is not None and field == "name" and "name" in entry:
                entry["name"] += ", "
        elif tag == "arxiv:primary_category" and entry is not None:
            term = _TERM.search(attributes[:500])
            entry["category"] = term[1] if term else ""
        if entry is not None and field and len(entry.get(field, "")) < 20_000:
            entry[field] = entry.get(field, "") + unescape_html(text)


def _paper(entry: dict[str, str], drops: Drops) -> Paper | None:
    """The paper of an entry that has all that is needed, else None."""
    address = _ABS.match(entry.get("id", "").strip())
    arxiv = canonical_arxiv(address[1]) if address else None
    published = read_moment(entry.get("published", ""))
    title = plain_text(entry.get("title", ""), MAX_TITLE_CHARS)
    abstract = plain_text(entry.get("summary", ""), MAX_ABSTRACT_CHARS)
    if arxiv is None or published is None or not title or not abstract:
        drops.add("arxiv_malformed", f"entry {entry.get('id', '')!r:.100}")
        return None
    domain = _ARCHIVES.get(entry.get("category", "").partition(".")[0])
    if domain is None:
        return None
    doi = canonical_doi(entry.get("arxiv:doi", "").strip()) or f"10.48550/arxiv.{arxiv}"
    return Paper(
        suite="arxiv",
        domain=domain,
        title=title,
        abstract=abstract,
        note=plain_text(entry.get("arxiv:comment", ""), MAX_TITLE_CHARS),
        url=f"https://arxiv.org/abs/{arxiv}",
        published=published,
        ids=PaperIds(arxiv=arxiv, doi=doi),
        authors=plain_text(entry.get("name", ""), MAX_AUTHORS_CHARS),
    )


def read_moment(text: str) -> datetime | None:
    """The UTC moment of an ISO 8601 text with its offset, None for anything else."""
    try:
        moment = datetime.fromisoformat(text.strip())
        return moment.astimezone(UTC) if moment.tzinfo else None
    except (ValueError, OverflowError):
        return None
