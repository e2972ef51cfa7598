"""Three engines that need no network: BM25, vectors, and both joined, over the harvested pages.

- `local-bm25`: tantivy's BM25 (k1 1.2, b 0.75) over title and text, English stems. The query is
  built from terms, so that no text can break it.
- `local-dense`: cosine between mean word vectors (wordllama's bundled model).
- `local-hybrid`: reciprocal rank fusion of the two, 1 / (60 + rank) summed
  (Cormack, Clarke, Buettcher, SIGIR 2009).

`site:`, `after:`, `before:` and quoted phrases are filters: a page whose date is unknown is not
shown to a query that asks for dates. Equal scores are ordered by URL.
"""

from __future__ import annotations

import asyncio
import re
import time
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import urlsplit

from runner.engines.operators import Operators, parse_day, parse_operators
from runner.engines.passages import best_passage
from runner.engines.shapes import text as clean
from runner.engines.spec import EngineSpec, SearchOutcome
from runner.http import Clock
from runner.records.search import SearchResult
from runner.vectors import load_model

MAX_TEXT_CHARS = 20_000
VECTOR_CHARS = 1_000
MAX_QUERY_TERMS = 64
RRF_K = 60
RRF_DEPTH = 100
_QUOTED = re.compile(r'["“”]([^"“”]+)["“”]')
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page to search; `published_date` is its source's own text, empty or None if unknown."""

    url: str
    title: str | None
    text: str
    published_date: str | None = None


class Corpus:
    """An index and a vector for each page, built once; of several pages with one URL the first."""

    def __init__(self, pages: Iterable[Page]) -> None:
        by_url: dict[str, Page] = {}
        for page in pages:
            by_url.setdefault(page.url, page)
        self.pages = [_tidy(by_url[url]) for url in sorted(by_url)]
        self._hosts = [_host(page.url) for page in self.pages]
        self._days = [_day(page.published_date) for page in self.pages]
        self._folded = [_fold(f"{page.title or ''} {page.text}") for page in self.pages]
        self._lexical = _Lexical(self.pages)
        self._vectors = _Vectors(self.pages)

    def rank(self, query: str, mode: str, limit: int) -> list[int]:
        """The rows of at most `limit` pages, best first; `mode` is bm25, dense or hybrid."""
        operators = parse_operators(query)
        allowed = self._allowed(operators)
        words = _QUOTED.sub(r" \1 ", operators.words(query))
        if mode == "bm25":
            return self._lexical.rank(words, allowed, limit)
        if mode == "dense":
            return self._vectors.rank(words, allowed, limit)
        depth = max(limit, RRF_DEPTH)
        lexical = self._lexical.rank(words, allowed, depth)
        return fuse(lexical, self._vectors.rank(words, allowed, depth))[:limit]

    def _allowed(self, operators: Operators) -> frozenset[int] | None:
        """The rows that pass the filters, None where there is no filter."""
        phrases = [_fold(phrase) for phrase in phrases_of(operators.text)]
        if not (operators.sites or operators.after or operators.before or phrases):
            return None
        return frozenset(
            row
            for row in range(len(self.pages))
            if _is_on(self._hosts[row], operators.sites)
            and _is_within(self._days[row], operators)
            and all(phrase in self._folded[row] for phrase in phrases)
        )


class LocalEngine:
    """One of the three over a corpus; every search is timed, there is nothing to warm up."""

    def __init__(
        self,
        spec: EngineSpec,
        corpus: Corpus,
        *,
        snippet_chars: int,
        clock: Clock = time.monotonic,
    ) -> None:
        self.spec = spec
        self._corpus = corpus
        self._snippet_chars = snippet_chars
        self._clock = clock

    async def search(self, query: str, *, num_results: int = 10) -> SearchOutcome:
        """Results; a local search cannot fail."""
        start = self._clock()
        query = clean(query) or ""
        rows = self._corpus.rank(query, self.spec.mode or "", num_results)
        operators = parse_operators(query)
        phrases = phrases_of(operators.text)
        results = [
            self._result(self._corpus.pages[row], operators.words(query), phrases) for row in rows
        ]
        latency_ms = (self._clock() - start) * 1000
        await asyncio.sleep(0)  # lets an interrupt through between two searches
        return SearchOutcome(
            results=results,
            error=None,
            latency_ms=latency_ms,
            reconnected=False,
            attempts=1,
        )

    async def aclose(self) -> None:
        """Nothing to close."""

    def _result(self, page: Page, words: str, phrases: Sequence[str]) -> SearchResult:
        snippet = best_passage(page.text, words, phrases, self._snippet_chars)
        return SearchResult(
            url=page.url,
            title=page.title,
            snippet=snippet or None,
            published_date=page.published_date,
        )


def phrases_of(text: str) -> list[str]:
    """The quoted phrases of a query, straight or curly quotes."""
    return [phrase.strip() for phrase in _QUOTED.findall(text) if phrase.strip()]


def fuse(*rankings: Sequence[int]) -> list[int]:
    """Reciprocal rank fusion; rows of equal score in ascending order."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, row in enumerate(ranking, 1):
            scores[row] = scores.get(row, 0.0) + 1 / (RRF_K + rank)
    return sorted(scores, key=lambda row: (-scores[row], row))


class _Lexical:
    """BM25 over one field that holds title and text; rows are added in the order of their URLs."""

    def __init__(self, pages: Sequence[Page]) -> None:
        import tantivy

        self._tantivy = tantivy
        self._analyzer = (
            tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
            .filter(tantivy.Filter.remove_long(60))
            .filter(tantivy.Filter.lowercase())
            .filter(tantivy.Filter.ascii_fold())
            .filter(tantivy.Filter.stemmer("english"))
            .build()
        )
        schema = (
            tantivy.SchemaBuilder()
            .add_text_field("content", tokenizer_name="needle", index_option="freq")
            .add_unsigned_field("row", stored=True)
            .build()
        )
        self._schema = schema
        index = tantivy.Index(schema)
        index.register_tokenizer("needle", self._analyzer)
        writer = index.writer(heap_size=64_000_000, num_threads=1)
        for row, page in enumerate(pages):
            content = f"{page.title or ''}\n{page.text}"
            writer.add_document(tantivy.Document(content=content, row=row))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self._searcher = index.searcher()
        self._size = len(pages)

    def rank(self, words: str, allowed: frozenset[int] | None, limit: int) -> list[int]:
        terms = list(dict.fromkeys(self._analyzer.analyze(words)))[:MAX_QUERY_TERMS]
        if not terms or not self._size or limit <= 0 or allowed == frozenset():
            return []
        query_of = self._tantivy.Query
        should = self._tantivy.Occur.Should
        query = query_of.boolean_query(
            [
                (should, query_of.term_query(self._schema, "content", term, index_option="freq"))
                for term in terms
            ]
        )
        # a margin behind the cut, so that ties across it are decided by URL as well
        depth = self._size if allowed is not None else min(self._size, limit + 50)
        hits = self._searcher.search(query, depth, count=False).hits
        scored: list[tuple[float, int]] = []
        for score, address in hits:
            row: int = self._searcher.doc(address)["row"][0]
            if allowed is None or row in allowed:
                scored.append((-score, row))
        return [row for _, row in sorted(scored)[:limit]]


class _Vectors:
    """One unit vector a page, of its title and the first `VECTOR_CHARS` of its text."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._model = load_model()
        self._model.tokenizer.no_padding()
        contents = [f"{page.title or ''}\n{page.text[:VECTOR_CHARS]}" for page in pages]
        self._matrix = self._embed(contents)

    def rank(self, words: str, allowed: frozenset[int] | None, limit: int) -> list[int]:
        import numpy as np

        vector = self._embed([words])[0]
        if limit <= 0 or not vector.any():
            return []
        # rounded, so that the order does not hang on the last bit of a machine's arithmetic
        scores = np.round(self._matrix @ vector, 5)
        rows = (int(row) for row in np.argsort(-scores, kind="stable"))
        return [row for row in rows if allowed is None or row in allowed][:limit]

    def _embed(self, texts: list[str]) -> Any:
        """Shape (texts, dimensions): means of the token vectors at length 1, zero for no token.

        The model's own `embed` pads each batch to its longest text and costs several times as much.
        """
        import numpy as np

        table = self._model.embedding
        vectors = np.zeros((len(texts), table.shape[1]), dtype=np.float32)
        for row, tokens in enumerate(self._model.tokenize(texts)):
            if tokens.ids:
                mean = table[np.minimum(tokens.ids, len(table) - 1)].mean(axis=0)
                vectors[row] = mean / (np.linalg.norm(mean) or 1.0)
        return vectors


def _tidy(page: Page) -> Page:
    return Page(
        url=page.url,
        title=clean(page.title),
        text=(clean(page.text) or "")[:MAX_TEXT_CHARS],
        published_date=clean(page.published_date),
    )


def _fold(text: str) -> str:
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def _day(text: str | None) -> date | None:
    """The UTC day of an ISO 8601 or e-mail style date."""
    if not text:
        return None
    if day := parse_day(text):
        return day
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        from email.utils import parsedate_to_datetime

        try:
            moment = parsedate_to_datetime(text)
        except ValueError:
            return None
    try:
        return (moment.astimezone(UTC) if moment.tzinfo else moment).date()
    except OverflowError:  # the first or the last day of the calendar
        return moment.date()


def _is_on(host: str, sites: Sequence[str]) -> bool:
    return not sites or any(host == site or host.endswith(f".{site}") for site in sites)


def _is_within(day: date | None, operators: Operators) -> bool:
    if operators.after is None and operators.before is None:
        return True
    if day is None:
        return False
    return (operators.after or day) <= day <= (operators.before or day)
