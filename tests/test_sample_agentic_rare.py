"""The rare names of the sample world: each query passes the filter, and some page answers it."""

import json
import math
import re
from collections import Counter, defaultdict
from datetime import UTC, datetime
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import pytest

from runner.benches.agentic_rare.filtering.examine import Examiner, Limits, RareQuery
from runner.benches.agentic_rare.filtering.wordpiece import WordPieces
from runner.benches.agentic_rare.filtering.words import length_bucket, words_of
from runner.benches.agentic_rare.rows import RareRow, decode_rare, read_artifact
from runner.engines.local import Corpus, Page
from runner.llm.embedded_grader import relevance
from runner.paths import SAMPLE
from tests.vocabulary import bert_tokens

CLOCK = datetime(2026, 11, 30, 12, tzinfo=UTC)
SNIPPET_CHARS = 2_000
NUM_RESULTS = 5
MODES = ("bm25", "dense", "hybrid")
GAINS = (0.0, 0.0, 0.117, 0.667, 1.0)  # of the ratings 0 to 4
COLUMNS = [
    "query_text", "source", "metadata", "length_bucket", "n_words", "hard_words", "max_pieces",
]  # fmt: skip


def lines(path: str) -> list[bytes]:
    return (SAMPLE / path).read_bytes().splitlines()


@cache
def raw_rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines("agentic_rare/rare_entity.jsonl")]


@cache
def rows() -> list[RareRow]:
    return [decode_rare(row) for row in raw_rows()]


@cache
def raw_pages() -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines("agentic_rare/pages.jsonl")]


@cache
def rating(query: str, page: tuple[str, str, str | None]) -> int:
    """What the embedded judge says of a page on the day of the sample."""
    title, text, day = page
    reply = relevance(
        {
            "query": query,
            "title": title,
            "snippet": text[:SNIPPET_CHARS],
            "published": day and day[:10],
            "today": CLOCK.date().isoformat(),
        }
    )
    return int(reply["rating"])


def judged(query: str, page: dict[str, Any]) -> int:
    return rating(query, (page["title"], page["text"], page["published_date"]))


@cache
def examiner() -> Examiner:
    return Examiner(WordPieces(bert_tokens()), Limits())


def test_rows_are_as_many_as_the_readme_says() -> None:
    readme = (SAMPLE / "README.md").read_text(encoding="utf-8")
    assert f"| {len(rows())} queries with rare words" in readme
    assert f"| {len(raw_pages())} pages that have these words" in readme


def test_the_file_is_an_artifact_with_all_its_columns_and_no_query_comes_twice() -> None:
    read, bad = read_artifact((SAMPLE / "agentic_rare" / "rare_entity.jsonl").read_bytes())
    assert bad == []
    assert read == rows()
    assert all(list(row) == COLUMNS for row in raw_rows())
    assert len({row.query_text.lower() for row in rows()}) == len(rows()) == 60


def test_every_length_has_ten_queries_or_more() -> None:
    lengths = Counter(row.length_bucket for row in rows())
    assert set(lengths) == {"short", "medium", "long"}
    assert min(lengths.values()) >= 10
    for row in rows():
        assert row.n_words == len(words_of(row.query_text))
        assert row.length_bucket == length_bucket(row.n_words)


def test_rows_stand_in_the_order_of_the_filter() -> None:
    order = [(row.length_bucket, -(row.max_pieces or 0)) for row in rows()]
    assert order == sorted(order)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.query_text)
def test_the_filter_lets_every_query_through_with_the_same_rare_words(row: RareRow) -> None:
    found = examiner().examine(row.query_text)
    assert isinstance(found, RareQuery), found
    assert found.text == row.query_text
    written = [(hard.word, tuple(hard.subwords)) for hard in row.hard_words]
    assert list(found.hard_words) == written
    assert found.max_pieces == row.max_pieces


def test_no_run_of_three_words_comes_more_than_twice() -> None:
    runs = Counter[tuple[str, ...]]()
    for row in rows():
        words = words_of(row.query_text)
        runs.update({tuple(words[i : i + 3]) for i in range(len(words) - 2)})
    assert max(runs.values()) <= 2


def test_every_page_is_like_those_of_the_rest_of_the_sample() -> None:
    topics = {json.loads(line)["topic"] for line in lines("pages.jsonl")}
    for page in raw_pages():
        assert list(page) == ["url", "title", "text", "published_date", "topic"]
        assert page["topic"] in topics
        assert 1 <= len(page["title"]) <= 120
        assert 60 <= len(page["text"].split()) <= 200, page["url"]
        day = page["published_date"]
        assert day is None or datetime.fromisoformat(day).replace(tzinfo=UTC) <= CLOCK


def test_addresses_are_example_hosts_and_each_is_used_once_in_the_whole_sample() -> None:
    urls = [page["url"] for page in raw_pages()]
    others = [json.loads(line)["url"] for line in lines("pages.jsonl")]
    assert [url for url, count in Counter([*urls, *others]).items() if count > 1] == []
    for url in urls:
        parts = urlsplit(url)
        assert parts.scheme == "https"
        assert re.fullmatch(r"[a-z0-9-]+\.example", parts.hostname or ""), url


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.query_text)
def test_some_page_that_has_the_rare_word_answers_the_query(row: RareRow) -> None:
    word = row.hard_words[0].word
    named = [p for p in raw_pages() if word in f"{p['title']} {p['text']}".lower()]
    assert len(named) >= 2
    assert max(judged(row.query_text, page) for page in named) >= 3


def test_pages_that_have_the_rare_word_are_of_every_worth() -> None:
    grades = Counter(
        judged(row.query_text, page)
        for row in rows()
        for page in raw_pages()
        if row.hard_words[0].word in f"{page['title']} {page['text']}".lower()
    )
    assert set(grades) == {0, 1, 2, 3, 4}
    assert min(grades.values()) >= 10


def test_engines_rank_well_but_not_perfectly_and_not_alike() -> None:
    everything = [*raw_pages(), *(json.loads(line) for line in lines("pages.jsonl"))]
    pages = {page["url"]: page for page in everything}
    corpus = Corpus(
        Page(url=url, title=page["title"], text=page["text"], published_date=page["published_date"])
        for url, page in pages.items()
    )
    scores: dict[str, list[float]] = defaultdict(list)
    for row in rows():
        ranked = {
            mode: [
                pages[corpus.pages[place].url]
                for place in corpus.rank(row.query_text, mode, NUM_RESULTS)
            ]
            for mode in MODES
        }
        gains = {
            mode: [GAINS[judged(row.query_text, page)] for page in found]
            for mode, found in ranked.items()
        }
        pool = {p["url"]: judged(row.query_text, p) for found in ranked.values() for p in found}
        best = sorted((GAINS[grade] for grade in pool.values()), reverse=True)
        ideal = discounted(best[:NUM_RESULTS])
        assert ideal > 0, row.query_text
        for mode in MODES:
            scores[mode].append(discounted(gains[mode]) / ideal)
    means = {mode: sum(found) / len(found) for mode, found in scores.items()}
    assert all(0.6 <= mean <= 0.95 for mean in means.values()), means
    assert len({round(mean, 3) for mean in means.values()}) == len(MODES), means
    apart = [(a, b) for a, b in zip(scores["bm25"], scores["dense"], strict=True) if a != b]
    assert {a > b for a, b in apart} == {True, False}
    assert len(apart) >= 15


def discounted(gains: list[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))
