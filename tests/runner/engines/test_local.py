"""The three engines over harvested pages."""

from __future__ import annotations

import asyncio
import logging
import random
import subprocess
import sys
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.engines.local import Corpus, LocalEngine, Page, fuse, phrases_of
from runner.engines.registry import load_catalog
from runner.engines.spec import SearchOutcome
from tests.runner.wire import FakeTime

MODES = ("local-bm25", "local-dense", "local-hybrid")
PAGES = [
    Page(
        url="https://news.example/ferry",
        title="Council votes down ferry fare rise",
        text="The council rejected higher ferry fares on Monday. Riders cheered.",
        published_date="2026-08-20",
    ),
    Page(
        url="https://www.news.example/boat",
        title="Boat tickets stay put",
        text="Ship passengers will pay the same price for their crossing.",
        published_date="Fri, 21 Aug 2026 10:00:00 GMT",
    ),
    Page(
        url="https://other.example/storm",
        title="Storm closes the harbour",
        text="A storm hit the coast; ferry services stopped, 120 km/h winds.",
        published_date="2026-08-22T23:30:00-05:00",
    ),
    Page(
        url="https://other.example/cake",
        title="A recipe for cake",
        text="Butter, sugar, eggs and flour.",
        published_date=None,
    ),
    Page(
        url="https://notnews.example/café",
        title="Café São Paulo wins prize",
        text="日本 Ελλάδα naïve resumé. The coffee house won.",
        published_date="2026-08-01",
    ),
]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus(PAGES)


def search(
    corpus: Corpus, mode: str, query: str, *, num_results: int = 10, chars: int = 2000
) -> SearchOutcome:
    engine = LocalEngine(load_catalog()[mode], corpus, snippet_chars=chars)
    return asyncio.run(engine.search(query, num_results=num_results))


def urls(outcome: SearchOutcome) -> list[str]:
    assert outcome.error is None
    return [result.url.removeprefix("https://") for result in outcome.results or []]


def test_bm25_finds_words_in_title_and_text_stems_and_accents_folded(corpus: Corpus) -> None:
    assert urls(search(corpus, "local-bm25", "fares")) == ["news.example/ferry"]
    ferries = urls(search(corpus, "local-bm25", "FERRIES"))
    assert sorted(ferries) == ["news.example/ferry", "other.example/storm"]
    assert urls(search(corpus, "local-bm25", "cafe sao")) == ["notnews.example/café"]
    assert urls(search(corpus, "local-bm25", "unheard")) == []


def test_vectors_find_what_words_do_not(corpus: Corpus) -> None:
    query = "ship ticket cost"
    assert "news.example/ferry" not in urls(search(corpus, "local-bm25", query))
    dense = urls(search(corpus, "local-dense", query))
    assert dense[0] == "www.news.example/boat"
    assert len(dense) == len(PAGES)


def test_hybrid_joins_both(corpus: Corpus) -> None:
    query = "ferry fares rise"
    lexical = [corpus.rank(query, mode, 10) for mode in ("bm25", "dense")]
    assert corpus.rank(query, "hybrid", 10) == fuse(*lexical)


def test_fusion_sums_the_reciprocal_ranks() -> None:
    assert fuse([1, 2], [2, 3]) == [2, 1, 3]  # 1/62 + 1/61, 1/61, 1/62
    assert fuse([5], [4]) == [4, 5]  # equal: the earlier row
    assert fuse([], []) == []


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("ferry site:news.example", {"news.example/ferry", "www.news.example/boat"}),
        ("ferry site:other.example", {"other.example/storm", "other.example/cake"}),
        ("ferry site:nowhere.example", set()),
        ("ferry after:2026-08-21", {"www.news.example/boat", "other.example/storm"}),
        ("ferry after:2026-08-23", {"other.example/storm"}),
        ("ferry after:2026-08-24", set()),
        ("ferry before:2026-08-20", {"news.example/ferry", "notnews.example/café"}),
        ("ferry after:2026-08-20 before:2026-08-20", {"news.example/ferry"}),
        ('"ferry fares"', {"news.example/ferry"}),
        ('"Ferry  FARES" council', {"news.example/ferry"}),
        ("“ferry fares” council", {"news.example/ferry"}),
        ('"fares ferry"', set()),
        ('"ferry" "storm"', {"other.example/storm"}),
    ],
)
def test_operators_are_filters(corpus: Corpus, mode: str, query: str, expected: set[str]) -> None:
    found = set(urls(search(corpus, mode, query)))
    # BM25 shows only pages that hold a word of the query
    assert found <= expected if mode == "local-bm25" else found == expected
    if mode == "local-bm25" and '"' in query:
        assert found == expected


NASTY = [
    "",
    " ",
    '"',
    '"""',
    '"unclosed',
    '""',
    "AND OR NOT",
    "field:value title:x",
    "a:b:c:",
    "( [ { } ] ) ^~* \\ / ? ! + - && ||",
    "site:",
    "site:a.com",
    "after:2026-01-01",
    "é\ud83d\x00\u202e",
    "日本",
    "\U0001f600" * 50,
    "word " * 5000,
    "x" * 100_000,
    "%s {query} $1 <script>",
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("query", NASTY)
def test_no_query_raises(corpus: Corpus, mode: str, query: str) -> None:
    assert isinstance(urls(search(corpus, mode, query)), list)


@settings(max_examples=60, deadline=None)
@given(query=st.text(max_size=60))
def test_no_text_raises(query: str) -> None:
    shared = _shared()
    for mode in MODES:
        assert len(urls(search(shared, mode, query))) <= len(PAGES)


_corpora: list[Corpus] = []


def _shared() -> Corpus:
    if not _corpora:
        _corpora.append(Corpus(PAGES))
    return _corpora[0]


@pytest.mark.parametrize("mode", MODES)
def test_equal_pages_are_ordered_by_url_whatever_their_order_was(mode: str) -> None:
    pages = [
        Page(url=f"https://e.example/{n:03}", title="Same", text="same text") for n in range(90)
    ]
    shuffled = pages[:]
    random.Random(3).shuffle(shuffled)
    query = "same text"
    found = urls(search(Corpus(shuffled), mode, query, num_results=20))
    assert found == [f"e.example/{n:03}" for n in range(20)]
    assert urls(search(Corpus(pages), mode, query, num_results=20)) == found


def test_a_page_is_kept_once_the_first_one() -> None:
    twice = [Page(url="u", title="first", text="x"), Page(url="u", title="second", text="x")]
    outcome = search(Corpus(twice), "local-bm25", "x")
    assert [result.title for result in outcome.results or []] == ["first"]


@pytest.mark.parametrize("mode", MODES)
def test_an_empty_corpus_and_empty_pages_are_searched(mode: str) -> None:
    assert urls(search(Corpus([]), mode, "x")) == []
    empty = Corpus([Page(url="https://a.example", title=None, text=""), *PAGES])
    assert isinstance(urls(search(empty, mode, "ferry")), list)


@pytest.mark.parametrize("mode", MODES)
def test_hostile_pages_are_searched(mode: str) -> None:
    pages = [
        Page(
            url="http://[bad", title="\ud800", text="ferry \udfff\x00", published_date="0001-01-01"
        ),
        Page(url="", title="x" * 50_000, text="ferry " * 300_000, published_date="9" * 5000),
        Page(
            url="javascript:0", title="", text="ferry", published_date="9999-12-31T23:59:59-14:00"
        ),
        Page(url="c", title="", text="ferry", published_date="0001-01-01T00:00:00+14:00"),
        Page(url="d", title="", text="ferry", published_date="Mon, 99 Zzz 2026 99:99:99 +9999"),
    ]
    outcome = search(Corpus(pages), mode, "ferry after:0001-01-02 site:a.b", chars=100)
    assert urls(outcome) == []
    outcome = search(Corpus(pages), mode, "ferry", chars=100)
    assert all(len(result.snippet or "") <= 100 for result in outcome.results or [])


@pytest.mark.parametrize(("chars", "length"), [(0, 66), (30, 30), (2000, 66)])
def test_snippets_keep_the_budget(corpus: Corpus, chars: int, length: int) -> None:
    [result] = search(corpus, "local-bm25", '"ferry fares"', chars=chars).results or []
    assert result.snippet is not None
    assert len(result.snippet) <= length
    assert (result.snippet == PAGES[0].text) is (chars != 30)
    assert (result.title, result.published_date) == (PAGES[0].title, "2026-08-20")


def test_a_quoted_phrase_stands_in_the_snippet() -> None:
    text = "Nothing here. " * 200 + "At last the exact phrase appears. " + "More. " * 200
    corpus = Corpus([Page(url="u", title="t", text=text)])
    [result] = search(corpus, "local-dense", '"exact phrase" nothing', chars=120).results or []
    assert "exact phrase" in (result.snippet or "")


@pytest.mark.parametrize("num_results", [0, 1, 3])
@pytest.mark.parametrize("mode", MODES)
def test_no_more_results_than_asked_for(corpus: Corpus, mode: str, num_results: int) -> None:
    found = search(corpus, mode, "ferry cake storm", num_results=num_results)
    assert len(found.results or []) == min(num_results, 3)


def test_every_search_is_timed(corpus: Corpus) -> None:
    time = FakeTime()
    readings = iter([1.0, 1.25])
    engine = LocalEngine(
        load_catalog()["local-bm25"], corpus, snippet_chars=0, clock=lambda: next(readings)
    )
    outcome = asyncio.run(engine.search("ferry"))
    asyncio.run(engine.aclose())
    assert (outcome.latency_ms, outcome.reconnected, outcome.attempts) == (250.0, False, 1)
    assert time.slept == []


def test_phrases_are_read_from_straight_and_curly_quotes() -> None:
    assert phrases_of('"a b" x “c d” "" "unclosed') == ["a b", "c d"]


def test_the_corpus_keeps_its_pages_in_the_order_of_their_urls(corpus: Corpus) -> None:
    assert [page.url for page in corpus.pages] == sorted(page.url for page in PAGES)
    assert date(2026, 8, 23) in corpus._days


def test_the_vectors_leave_the_logging_of_the_process_alone() -> None:
    code = (
        "import logging; from runner.vectors import embed; embed(['a']); "
        "print(len(logging.root.handlers), logging.root.level)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", str(logging.WARNING)]
