"""The companies of the sample world: every fact asked for is stated, but for those left out."""

import json
import re
from collections import Counter
from datetime import UTC, datetime
from difflib import SequenceMatcher
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import pytest

from runner.benches.finance.companies import query_name
from runner.benches.finance.fields import FIELDS
from runner.benches.finance.rows import decode_gold
from runner.benches.finance.score import finance_target, suite_of
from runner.engines.local import Corpus, Page
from runner.paths import SAMPLE
from runner.records.queries import QueryRow, decode_query
from runner.text import query_hash, query_id

FOLDER = SAMPLE / "finance"
CLOCK = datetime(2026, 11, 30, 12, tzinfo=UTC)
SNIPPET_CHARS = 2_000
MODES = ("bm25", "dense", "hybrid")
LEFT_OUT = {
    "quillfeather media official website",
    "what is the official website of quillfeather media?",
    "kestonbury foods q1 fiscal 2027 diluted eps",
    "inglethorpe tools closing of forge two dunley falls site:filingroom.example",
    "inglethorpe tools number of employees",
    "how many people work at inglethorpe tools?",
}


def lines(path: str) -> list[bytes]:
    return (SAMPLE / path).read_bytes().splitlines()


@cache
def rows() -> list[QueryRow]:
    return [decode_query(line) for line in lines("finance/gold.jsonl")]


@cache
def raw_pages() -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines("finance/pages.jsonl")]


def stated(row: QueryRow, page: dict[str, Any]) -> bool:
    text = f"{page['title']} {page['text']}"[:SNIPPET_CHARS]
    return finance_target(row).match(page["url"], text).via is not None


def about(row: QueryRow, page: dict[str, Any]) -> bool:
    """Whether a page names the company or its chief; the first word of a name is its own."""
    gold = decode_gold(row.gold)
    words = {str(row.query_origin.provenance["entity"]).split()[0].lower()}
    if gold.field == "ceo":
        words.add(str(gold.value).split()[-1].lower())
    text = f"{page['url']} {page['title']} {page['text']}".lower()
    return any(word in text for word in words)


def test_rows_are_as_many_as_the_readme_says() -> None:
    readme = (SAMPLE / "README.md").read_text(encoding="utf-8")
    assert f"| {len(rows())} questions" in readme
    assert f"| {len(raw_pages())} pages about" in readme


def test_every_id_is_that_of_the_text_and_the_hour_and_none_comes_twice() -> None:
    for row in rows():
        assert row.query_hash == query_hash(row.query_text)
        assert row.query_id == query_id(row.query_text, CLOCK)
        assert row.hour_ts == row.query_produced_at == CLOCK.isoformat()
    assert len({row.query_id for row in rows()}) == len(rows())


def test_every_suite_field_syntax_and_tier_is_there() -> None:
    assert {decode_gold(row.gold).field for row in rows()} == set(FIELDS)
    kinds = Counter((row.query_origin.bucket, row.query_origin.syntax) for row in rows())
    assert set(kinds) == {
        ("finance", "plain"),
        ("finance_nl", "plain"),
        *(("filings", syntax) for syntax in ("plain", "quoted")),
        *(("filingdoc", syntax) for syntax in ("plain", "site", "quoted", "date")),
    }
    assert min(kinds.values()) >= 3
    assert {decode_gold(row.gold).tier for row in rows()} == {"mega", "large", "mid"}


def test_every_text_is_the_one_that_generation_would_write() -> None:
    for row in rows():
        origin, kind = row.query_origin, FIELDS[decode_gold(row.gold).field]
        if origin.bucket == "filingdoc":
            continue
        name = query_name(origin.provenance["entity"])
        words = row.query_text.replace('"', "")
        form = kind.question if origin.bucket == "finance_nl" else kind.keyword or kind.question
        pattern = re.escape(form or "").replace(r"\{name\}", re.escape(name))
        pattern = re.sub(r"\\\{(ceo|period)\\\}", ".+", pattern)
        assert re.fullmatch(pattern, words), row.query_text
        assert ('"' in row.query_text) == (origin.syntax == "quoted")


def test_every_fiscal_quarter_is_the_one_of_its_provenance() -> None:
    for row in rows():
        origin = row.query_origin.provenance
        if suite_of(row) == "filings":
            label = f"{origin['fp'].lower()} fiscal {origin['fy']}"
            assert label in row.query_text
            assert datetime.fromisoformat(origin["period_end"]).replace(tzinfo=UTC) < CLOCK


def test_companies_are_beyond_the_real_numbers_and_their_addresses_cannot_be_registered() -> None:
    companies: dict[int, set[str]] = {}
    for row in rows():
        origin = row.query_origin.provenance
        companies.setdefault(origin["cik"], set()).add(origin["entity"])
        assert (urlsplit(origin["source_url"]).hostname or "").endswith(".example")
    assert len(companies) == 24
    assert min(companies) > 9_000_000
    assert all(len(names) == 1 for names in companies.values())


def test_legal_entity_identifiers_have_right_check_digits() -> None:
    found = [str(row.gold["value"]) for row in rows() if row.gold and row.gold["field"] == "lei"]
    text = b"\n".join(lines("finance/pages.jsonl")).decode()
    shown = set(re.findall(r"\b9999[0-9A-Z]{16}\b", text))
    assert len(shown) == 14
    for lei in {*found, *shown}:
        assert re.fullmatch(r"[0-9A-Z]{18}\d\d", lei)
        assert int("".join(str(int(char, 36)) for char in lei)) % 97 == 1  # ISO 17442


def test_accession_numbers_begin_with_the_company_and_have_a_dashed_alias() -> None:
    filings = [row for row in rows() if row.query_origin.bucket == "filingdoc"]
    for row in filings:
        gold = decode_gold(row.gold)
        number, origin = str(gold.value), row.query_origin.provenance
        assert number.startswith(f"{origin['cik']:010d}{origin['filed'][2:4]}")
        assert gold.aliases == [f"{number[:10]}-{number[10:12]}-{number[12:]}"]
    assert len({decode_gold(row.gold).value for row in filings}) == len(filings) == 20


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
        assert (parts.hostname or "").endswith(".example"), url


def test_some_pages_come_twice_under_another_address() -> None:
    pages = {page["url"]: page for page in raw_pages()}
    tracked = [url for url in pages if "?" in url]
    assert len(tracked) == 10
    for url in tracked:
        assert pages[url.split("?")[0]]["text"] == pages[url]["text"]
    titles = Counter(page["title"] for url, page in pages.items() if "?" not in url)
    copies = [title for title, count in titles.items() if count == 2]
    assert len(copies) == 11
    for title in copies:
        first, second = (
            page["text"].split()
            for url, page in pages.items()
            if "?" not in url and page["title"] == title
        )
        ratio = SequenceMatcher(None, first, second, autojunk=False).ratio()
        assert 0.8 <= ratio < 1, title


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.query_text)
def test_a_page_about_the_company_states_the_answer_unless_it_is_left_out(row: QueryRow) -> None:
    is_stated = any(about(row, page) and stated(row, page) for page in raw_pages())
    assert is_stated == (row.query_text not in LEFT_OUT)


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
            top = corpus.rank(row.query_text, mode, 5)
            if any(stated(row, pages[corpus.pages[place].url]) for place in top):
                hits[mode].add(row.query_text)
    shares = {mode: len(found) / len(rows()) for mode, found in hits.items()}
    assert all(0.5 <= share <= 0.95 for share in shares.values()), shares
    assert shares["hybrid"] > max(shares["bm25"], shares["dense"])
    assert len(hits["bm25"] - hits["dense"]) >= 10
    assert len(hits["dense"] - hits["bm25"]) >= 10
    universal = {row.query_text for row in rows()} - set().union(*hits.values())
    assert universal > LEFT_OUT
