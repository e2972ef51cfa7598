"""The papers of the sample world: each can be found by an id, but for those that are left out."""

import json
import re
from collections import Counter
from datetime import UTC, date, datetime
from functools import cache
from typing import Any, cast
from urllib.parse import urlsplit

import pytest

from runner.benches.proposals import Proposal
from runner.benches.scholar.checks import Fault, Source, fault
from runner.benches.scholar.queries import title_query
from runner.benches.scholar.rows import BUCKETS, DOMAINS, SUITES, Bucket, decode_gold
from runner.benches.scholar.score import scholar_target, suite_of
from runner.engines.local import Corpus, Page
from runner.paths import SAMPLE
from runner.records.queries import QueryRow, decode_query
from runner.text import query_hash, query_id

CLOCK = datetime(2026, 11, 30, 12, tzinfo=UTC)
SNIPPET_CHARS = 2_000
NUM_RESULTS = 10
MODES = ("bm25", "dense", "hybrid")
AGES = {"7d": (0, 7), "30d": (8, 29), "1y": (31, 364), "older": (366, 1800)}
# Pages tell of these two, none with an id: eight queries that nobody can answer.
LEFT_OUT = {"2603.90871", "10.5555/tidehealth.2026.8604"}


def lines(path: str) -> list[bytes]:
    return (SAMPLE / path).read_bytes().splitlines()


@cache
def rows() -> list[QueryRow]:
    return [decode_query(line) for line in lines("scholar/gold.jsonl")]


@cache
def raw_pages() -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines("scholar/pages.jsonl")]


def stated(row: QueryRow, page: dict[str, Any]) -> bool:
    text = f"{page['title']} {page['text']}"[:SNIPPET_CHARS]
    return scholar_target(row).match(page["url"], text).via is not None


def of_bucket(bucket: str) -> list[QueryRow]:
    return [row for row in rows() if row.query_origin.bucket == bucket]


def title_of(row: QueryRow) -> str:
    return str(row.query_origin.provenance["title"])


def abstract_of(row: QueryRow) -> str:
    """The abstract of the page that bears the paper's title, "" where there is no such page."""
    wanted = title_of(row).lower().split(":")[0]
    for page in raw_pages():
        if page["title"].lower().startswith(wanted) and "Abstract" in page["text"]:
            return str(page["text"]).split("Abstract", 1)[1]
    return ""


@cache
def full_texts() -> list[dict[str, Any]]:
    return [page for page in raw_pages() if "Abstract" not in page["text"]]


def fault_of(row: QueryRow, body: str) -> Fault | None:
    """What the generation would hold against the query, were `body` the paper's full text."""
    source = Source(title=title_of(row), abstract=abstract_of(row), body=body)
    return fault(cast(Bucket, row.query_origin.bucket), Proposal(query=row.query_text), source)


def test_rows_are_as_many_as_the_readme_says() -> None:
    readme = (SAMPLE / "README.md").read_text(encoding="utf-8")
    assert f"| {len(rows())} queries for 24 papers" in readme
    assert f"| {len(raw_pages())} pages about these papers" in readme


def test_every_id_is_that_of_the_text_and_the_hour_and_none_comes_twice() -> None:
    for row in rows():
        assert row.query_hash == query_hash(row.query_text)
        assert row.query_id == query_id(row.query_text, CLOCK)
        assert row.hour_ts == row.query_produced_at == CLOCK.isoformat()
    assert len({row.query_id for row in rows()}) == len(rows())


def test_every_paper_is_asked_for_in_all_four_buckets_and_both_suites_are_there() -> None:
    papers: dict[str, set[str]] = {}
    for row in rows():
        papers.setdefault(decode_gold(row.gold).paper_key, set()).add(row.query_origin.bucket)
    assert len(papers) == 24
    assert len(rows()) == 96
    assert all(buckets == set(BUCKETS) for buckets in papers.values())
    suites = Counter(suite_of(row) for row in of_bucket("title"))
    assert set(suites) == set(SUITES)
    assert min(suites.values()) == 8


def test_domains_and_ages_are_spread_and_every_paper_is_as_old_as_it_says() -> None:
    golds = [decode_gold(row.gold) for row in of_bucket("title")]
    assert {gold.domain for gold in golds} == set(DOMAINS)
    ages = Counter(gold.age_bucket for gold in golds)
    assert set(ages) == set(AGES)
    assert min(ages.values()) >= 4
    for gold in golds:
        newest, oldest = AGES[gold.age_bucket]
        days = (CLOCK.date() - date.fromisoformat(gold.published_date)).days
        assert newest <= days <= oldest, gold.paper_key


def test_no_id_can_be_that_of_a_real_paper() -> None:
    for row in rows():
        ids = decode_gold(row.gold).ids
        if ids.arxiv is not None:
            month, number = ids.arxiv.split(".")
            assert int(number) > 90_000  # far more than a month has
            assert decode_gold(row.gold).published_date.replace("-", "")[2:6] == month
            assert ids.doi == f"10.48550/arxiv.{ids.arxiv}"
        else:
            assert (ids.doi or "").startswith("10.5555/")  # the prefix for tests
            assert (ids.pmid or "").startswith("9900")
            assert len(ids.pmid or "") == 9
            assert (ids.pmcid or "").startswith("PMC990")
    text = b"\n".join(lines("scholar/pages.jsonl")).decode()
    for number in re.findall(r"(?<![\w.])2[0-9]\d\d\.(\d{5})\b", text):
        assert int(number) > 90_000
    for prefix in re.findall(r"\b(10\.\d{4,9})/", text):
        assert prefix in ("10.5555", "10.48550")


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
    for url in [*urls, *(row.query_origin.provenance["url"] for row in rows())]:
        parts = urlsplit(url)
        assert parts.scheme == "https"
        assert (parts.hostname or "").endswith(".example"), url


def test_some_pages_come_twice_under_another_address() -> None:
    pages = {page["url"]: page for page in raw_pages()}
    tracked = [url for url in pages if "?" in url]
    assert len(tracked) == 5
    for url in tracked:
        assert pages[url.split("?")[0]]["text"] == pages[url]["text"]


@pytest.mark.parametrize("row", of_bucket("title"), ids=lambda row: row.query_text)
def test_a_title_query_is_the_one_that_generation_would_write(row: QueryRow) -> None:
    assert row.query_text == title_query(title_of(row), seed=0)


@pytest.mark.parametrize(
    "row", [*of_bucket("body"), *of_bucket("clue")], ids=lambda row: row.query_text
)
def test_one_page_tells_what_a_body_or_clue_query_asks_and_the_abstract_does_not(
    row: QueryRow,
) -> None:
    faults = [fault_of(row, page["text"]) for page in full_texts()]
    assert None in faults, {found.detail for found in faults if found is not None}


@pytest.mark.parametrize("row", of_bucket("tot"), ids=lambda row: row.query_text)
def test_a_half_remembered_query_has_no_name_and_no_number_of_any_page(row: QueryRow) -> None:
    everything = "\n".join(page["text"] for page in full_texts())
    assert fault_of(row, everything) is None
    assert 15 <= len(row.query_text.split()) <= 40


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.query_text)
def test_a_page_states_an_id_of_the_paper_unless_it_is_left_out(row: QueryRow) -> None:
    is_stated = any(stated(row, page) for page in raw_pages())
    assert is_stated == (decode_gold(row.gold).paper_key not in LEFT_OUT)


def test_engines_find_between_half_and_nearly_all_and_not_the_same() -> None:
    everything = [*raw_pages(), *(json.loads(line) for line in lines("pages.jsonl"))]
    pages = {page["url"]: page for page in everything}
    corpus = Corpus(
        Page(url=url, title=page["title"], text=page["text"], published_date=page["published_date"])
        for url, page in pages.items()
    )
    hits: dict[str, set[str]] = {mode: set() for mode in MODES}
    for row in rows():
        for mode in MODES:
            top = corpus.rank(row.query_text, mode, NUM_RESULTS)
            if any(stated(row, pages[corpus.pages[place].url]) for place in top):
                hits[mode].add(row.query_text)
    shares = {mode: len(found) / len(rows()) for mode, found in hits.items()}
    assert all(0.5 <= share <= 0.95 for share in shares.values()), shares
    assert len(set(shares.values())) == len(MODES), shares
    assert hits["bm25"] - hits["dense"]
    assert len(hits["dense"] - hits["bm25"]) >= 5
    universal = {row.query_text for row in rows()} - set().union(*hits.values())
    left_out = {r.query_text for r in rows() if decode_gold(r.gold).paper_key in LEFT_OUT}
    assert universal > left_out
    found = {row.query_text for row in of_bucket("title")} & hits["bm25"]
    vague = {row.query_text for row in of_bucket("tot")} & hits["bm25"]
    assert len(found) > len(vague)
