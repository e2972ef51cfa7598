"""export.arxiv.org, arxiv.org and ar5iv.labs.arxiv.org: the search, and papers as HTML.

The rule of one request in three seconds is a fault of kind `quota` for a test to set; the pages
that come back empty for no reason are one of kind `empty_page`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from html import escape

from tests.fakes.arxiv_query import QueryError, matches
from tests.fakes.hostile import hostile_text
from tests.fakes.paper_texts import abstract, html_page, plain_title
from tests.fakes.papers import Paper, library
from tests.fakes.scene import Host, Scene
from tests.fakes.wire import Request, Response, text_answer

MAX_SLICE, MAX_TOTAL, DEFAULT_RESULTS = 2_000, 30_000, 10
AR5IV_LAG = timedelta(days=30)
SORTS = ("relevance", "lastUpdatedDate", "submittedDate")
ORDERS = ("ascending", "descending")
ID = re.compile(r"(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v(\d+))?")
ENTRY = re.compile(rb"\s*<entry>.*?</entry>", re.DOTALL)
NAMESPACES = (
    'xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" '
    'xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom"'
)
ATOM = "application/atom+xml"


@dataclass(frozen=True)
class Page:
    """What a request to the search asks for."""

    search: str
    ids: tuple[str, ...]
    start: int
    size: int
    sort: str
    is_descending: bool


def error(status: int, message: str) -> Response:
    """An error: a feed with one entry that says what is wrong."""
    name = re.sub(r"\W+", "_", message.lower()).strip("_")
    entry = (
        f"  <entry>\n    <id>https://arxiv.org/api/errors#{name}</id>\n"
        f"    <title>Error</title>\n    <summary>{escape(message)}</summary>\n"
        "    <updated>2026-11-15T00:00:00Z</updated>\n"
        '    <link rel="alternate" href="https://arxiv.org/api/errors" type="text/html"/>\n'
        "    <author>\n      <name>arXiv api core</name>\n    </author>\n  </entry>\n"
    )
    return text_answer(_feed("", entry, 1, 0, 1, datetime(2026, 11, 15, tzinfo=UTC)), status, ATOM)


def emptied(response: Response) -> Response:
    """The same page without its entries, as the service sometimes sends it."""
    return Response(response.status, ENTRY.sub(b"", response.body), response.headers)


def search(request: Request, scene: Scene) -> Response:
    """export.arxiv.org."""
    if request.path != "/api/query":
        return web(request, scene)
    if request.method not in ("GET", "POST"):
        return error(405, "method not allowed")
    try:
        asked = _read(request.query)
        found = _found(scene, asked)
    except QueryError as wrong:
        return error(400, str(wrong))
    shown = found[asked.start : asked.start + asked.size]
    entries = "".join(_entry(scene, paper) for paper in shown)
    said = f"search_query={asked.search}&id_list={','.join(asked.ids)}"
    named = f"{said}&start={asked.start}&max_results={asked.size}"
    feed = _feed(named, entries, len(found), asked.start, asked.size, scene.clock)
    return text_answer(feed, 200, ATOM)


def _read(query: dict[str, str]) -> Page:
    """The request; QueryError says what is wrong with it."""
    start = _whole(query.get("start", "0"), "start")
    size = _whole(query.get("max_results", str(DEFAULT_RESULTS)), "max_results")
    if size > MAX_SLICE:
        raise QueryError(f"max_results must not exceed {MAX_SLICE} in one slice")
    if start + size > MAX_TOTAL:
        raise QueryError(f"start and max_results must not exceed {MAX_TOTAL} together")
    sort, order = query.get("sortBy", SORTS[0]), query.get("sortOrder", ORDERS[1])
    if sort not in SORTS:
        raise QueryError(f"sortBy must be in: {', '.join(SORTS)}")
    if order not in ORDERS:
        raise QueryError(f"sortOrder must be in: {', '.join(ORDERS)}")
    ids = tuple(part for part in query.get("id_list", "").split(",") if part)
    for one in ids:
        if not ID.fullmatch(one):
            raise QueryError(f"incorrect id format for {one}")
    asked = query.get("search_query", "").strip()
    if not asked and not ids:
        raise QueryError("search_query or id_list is required")
    return Page(asked, ids, start, size, sort, order == ORDERS[1])


def _whole(text: str, name: str) -> int:
    if not re.fullmatch(r"-?\d+", text):
        raise QueryError(f"{name} must be an integer")
    if int(text) < 0:
        raise QueryError(f"{name} must be non-negative")
    return int(text)


def _found(scene: Scene, asked: Page) -> list[Paper]:
    """All papers that the request finds, in its order."""
    known = library(scene)
    if asked.ids:
        named = (known.by_arxiv.get(one.partition("v")[0]) for one in asked.ids)
        papers = [paper for paper in named if paper]
    else:
        papers = known.of("arxiv")
    if asked.search:
        papers = matches(asked.search, papers, lambda paper: abstract(scene, paper))
    if asked.sort == "relevance":
        return (
            papers if asked.ids else sorted(papers, key=lambda p: sha256(p.title.encode()).digest())
        )
    by_update = asked.sort == "lastUpdatedDate"
    return sorted(
        papers,
        key=lambda paper: (paper.updated if by_update else paper.indexed, paper.number),
        reverse=asked.is_descending,
    )


def _feed(asked: str, entries: str, total: int, start: int, size: int, now: datetime) -> str:
    key = sha256(asked.encode()).hexdigest()[:27]
    shown = escape(asked)
    return (
        f"<?xml version='1.0' encoding='UTF-8'?>\n<feed {NAMESPACES}>\n"
        f"  <id>https://arxiv.org/api/{key}</id>\n"
        f"  <title>arXiv Query: {shown}</title>\n"
        f"  <updated>{now:%Y-%m-%dT%H:%M:%SZ}</updated>\n"
        f'  <link href="https://arxiv.org/api/query?{shown}" type="{ATOM}"/>\n'
        f"  <opensearch:itemsPerPage>{size}</opensearch:itemsPerPage>\n"
        f"  <opensearch:totalResults>{total}</opensearch:totalResults>\n"
        f"  <opensearch:startIndex>{start}</opensearch:startIndex>\n{entries}</feed>\n"
    )


def _entry(scene: Scene, paper: Paper) -> str:
    named = f"{paper.arxiv_id}v{paper.version}"
    title, summary = paper.title, abstract(scene, paper)
    if scene.hostile:
        title = f"{title} {_printable(hostile_text(scene.draw('title', paper.number))[:4_000])}"
    if "wrapped_title" in paper.traps:
        title, summary = _wrapped(title), _wrapped(summary)
    tags = [
        f"<id>http://arxiv.org/abs/{named}</id>",
        f"<title>{escape(title, quote=False)}</title>",
        f"<updated>{paper.updated:%Y-%m-%dT%H:%M:%SZ}</updated>",
        f'<link href="https://arxiv.org/abs/{named}" rel="alternate" type="text/html"/>',
        f'<link href="https://arxiv.org/pdf/{named}" rel="related" type="application/pdf" '
        'title="pdf"/>',
        f"<summary>{escape(summary, quote=False)}</summary>",
        *(
            f'<category term="{name}" scheme="http://arxiv.org/schemas/atom"/>'
            for name in paper.categories
        ),
        f"<published>{paper.published:%Y-%m-%dT%H:%M:%SZ}</published>",
    ]
    if "withdrawn" in paper.traps:
        tags.append("<arxiv:comment>This paper has been withdrawn by its authors</arxiv:comment>")
    elif paper.number % 2:
        tags.append(f"<arxiv:comment>{7 + paper.number % 20} pages, 4 figures</arxiv:comment>")
    tags.append(f'<arxiv:primary_category term="{paper.categories[0]}"/>')
    if paper.doi:
        tags.append(
            f"<arxiv:journal_ref>J. Fake Works 7 ({paper.published:%Y})</arxiv:journal_ref>"
        )
    tags += [f"<author>\n      <name>{name}</name>\n    </author>" for name in paper.authors]
    if paper.doi:
        tags += [
            f"<arxiv:doi>{escape(paper.doi)}</arxiv:doi>",
            f'<link rel="related" href="https://doi.org/{escape(paper.doi)}" title="doi"/>',
        ]
    return "  <entry>\n" + "".join(f"    {tag}\n" for tag in tags) + "  </entry>\n"


def _printable(text: str) -> str:
    """Text without the characters that XML cannot hold."""
    return "".join(letter for letter in text if letter.isprintable() or letter in "\n\t")


def _wrapped(text: str) -> str:
    """Text broken into lines, each after the first begun by two spaces."""
    words = text.split()
    return "\n  ".join(" ".join(words[at : at + 3]) for at in range(0, len(words), 3))


# Papers as HTML


def page_error(status: int, message: str) -> Response:
    """A page of the web server."""
    page = f"<!DOCTYPE html><html><head><title>{status}</title></head><body><h1>{escape(message)}"
    return text_answer(f"{page}</h1></body></html>\n", status, "text/html")


def web(request: Request, scene: Scene) -> Response:
    """arxiv.org: abstract pages, and the HTML of recent papers that were written in TeX."""
    kind, _, name = request.path[1:].partition("/")
    paper = _paper(scene, name)
    if paper and kind == "html" and not paper.traps & {"no_html", "no_text", "withdrawn"}:
        return _page(scene, paper)
    if paper and kind == "abs":
        text = escape(abstract(scene, paper))
        page = (
            f"<!DOCTYPE html><html><head><title>[{paper.arxiv_id}] {escape(plain_title(paper))}"
            f'</title></head><body><h1 class="title">{escape(paper.title)}</h1>'
            f'<blockquote class="abstract">{text}</blockquote></body></html>'
        )
        return text_answer(page, 200, "text/html")
    if kind == "html":
        return page_error(404, f"No HTML for '{name}'")
    return page_error(404, "Page not found")


def ar5iv(request: Request, scene: Scene) -> Response:
    """ar5iv: papers of over 30 days; all others it sends to their abstract page at arXiv."""
    kind, _, name = request.path[1:].partition("/")
    paper = _paper(scene, name)
    if kind not in ("html", "abs") or not ID.fullmatch(name):
        return page_error(404, "Not Found")
    is_there = paper is not None and not paper.traps & {"no_text", "withdrawn"}
    if paper is None or not is_there or scene.clock - paper.indexed < AR5IV_LAG:
        return Response(307, b"", {"Location": f"https://arxiv.org/abs/{name}"})
    return _page(scene, paper)


def _paper(scene: Scene, name: str) -> Paper | None:
    match = ID.fullmatch(name)
    paper = library(scene).by_arxiv.get(match[1]) if match else None
    return paper if match and paper and int(match[2] or 1) <= paper.version else None


@lru_cache(maxsize=64)
def _page(scene: Scene, paper: Paper) -> Response:
    return text_answer(html_page(scene, paper), 200, "text/html")


HOSTS = {
    "export.arxiv.org": Host(search, error, empty=emptied),
    "arxiv.org": Host(web, page_error),
    "ar5iv.labs.arxiv.org": Host(ar5iv, page_error),
}
