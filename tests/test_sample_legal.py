"""The cases and sections of the sample world: each is cited by a page, but for two left out."""

import json
import re
from collections import Counter
from datetime import UTC, date, datetime
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import pytest

from runner.benches.legal.captions import caption_query, party_tokens
from runner.benches.legal.caselaw import COURTS
from runner.benches.legal.caselaw import SYNTAXES as CASE_SYNTAXES
from runner.benches.legal.code import SYNTAXES as CODE_SYNTAXES
from runner.benches.legal.rows import decode_gold
from runner.benches.legal.score import legal_target
from runner.engines.local import Corpus, Page
from runner.engines.operators import parse_operators
from runner.paths import SAMPLE
from runner.records.queries import QueryRow, decode_query
from runner.text import query_hash, query_id

CLOCK = datetime(2026, 11, 30, 12, tzinfo=UTC)
SNIPPET_CHARS = 2_000
NUM_RESULTS = 5
MODES = ("bm25", "dense", "hybrid")
TITLES = {7, 12, 14, 17, 21, 26, 29, 40, 47, 49}
# The two hosts that queries name with `site:`; nothing has such numbers there.
REAL_HOSTS = {
    "www.courtlistener.com": r"/opinion/9990\d{4}/[a-z0-9-]+/",
    "www.law.cornell.edu": r"/cfr/text/\d\d/9\d{3}\.\d+",
}
LEFT_OUT = {
    "fenwright v great plains balloon tenth circuit",
    "jars of honey sold in church porches exempt strained through the comb label weight",
}


def lines(path: str) -> list[bytes]:
    return (SAMPLE / path).read_bytes().splitlines()


@cache
def rows() -> list[QueryRow]:
    return [decode_query(line) for line in lines("legal/gold.jsonl")]


@cache
def raw_pages() -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines("legal/pages.jsonl")]


def stated(row: QueryRow, page: dict[str, Any]) -> bool:
    text = f"{page['title']} {page['text']}"[:SNIPPET_CHARS]
    return legal_target(row).match(page["url"], text).via is not None


def of_bucket(bucket: str) -> list[QueryRow]:
    return [row for row in rows() if row.query_origin.bucket == bucket]


def folded(text: str) -> str:
    return " ".join(text.lower().split())


def test_rows_are_as_many_as_the_readme_says() -> None:
    readme = (SAMPLE / "README.md").read_text(encoding="utf-8")
    assert f"| {len(rows())} queries for 30 opinions and 24 sections" in readme
    assert f"| {len(raw_pages())} pages about these opinions" in readme


def test_every_id_is_that_of_the_text_and_the_hour_and_none_comes_twice() -> None:
    for row in rows():
        assert row.query_hash == query_hash(row.query_text)
        assert row.query_id == query_id(row.query_text, CLOCK)
        assert row.hour_ts == row.query_produced_at == CLOCK.isoformat()
    assert len({row.query_id for row in rows()}) == len(rows())


@pytest.mark.parametrize(
    ("bucket", "count", "cycle"), [("caselaw", 30, CASE_SYNTAXES), ("code", 24, CODE_SYNTAXES)]
)
def test_the_syntaxes_come_in_the_turn_of_the_generation(
    bucket: str, count: int, cycle: tuple[str, ...]
) -> None:
    found = [row.query_origin.syntax for row in of_bucket(bucket)]
    assert found == [cycle[i % len(cycle)] for i in range(count)]


def test_every_court_and_every_title_of_the_schedule_is_there() -> None:
    assert {decode_gold(row.gold).court for row in of_bucket("caselaw")} == set(COURTS)
    titles = Counter(int(decode_gold(row.gold).citation.split()[0]) for row in of_bucket("code"))
    assert set(titles) == TITLES
    assert min(titles.values()) >= 2


@pytest.mark.parametrize("row", of_bucket("caselaw"), ids=lambda row: row.query_text)
def test_a_case_is_asked_for_by_its_caption_and_its_court(row: QueryRow) -> None:
    gold = decode_gold(row.gold)
    caption = caption_query(gold.case_name)
    assert caption is not None
    assert gold.party_tokens == party_tokens(caption)
    operators = parse_operators(row.query_text)
    name = f'"{caption}"' if row.query_origin.syntax == "quoted" else caption
    assert operators.words(row.query_text).strip() == f"{name} {COURTS[gold.court]}"
    assert bool(operators.sites) == (row.query_origin.syntax == "site")
    filed = date.fromisoformat(gold.date_filed)
    assert date(2025, 6, 1) <= filed <= CLOCK.date()
    if row.query_origin.syntax == "date":
        assert operators.after is not None
        assert operators.before is not None
        assert (filed - operators.after).days == (operators.before - filed).days == 45


@pytest.mark.parametrize("row", of_bucket("code"), ids=lambda row: row.query_text)
def test_a_section_is_asked_for_without_its_number(row: QueryRow) -> None:
    gold = decode_gold(row.gold)
    title, _, section = gold.citation.split()
    assert not set(re.findall(r"[\w.-]*\w", row.query_text)) & {title, section, section[:4]}
    assert "CFR" not in row.query_text
    spans = re.findall(r'"([^"]+)"', row.query_text)
    assert len(spans) == (row.query_origin.syntax == "quoted")
    for span in spans:
        assert 2 <= len(span.split()) <= 6
        assert any(
            folded(span) in folded(page["text"]) for page in raw_pages() if stated(row, page)
        )


def test_no_number_can_be_that_of_a_real_case_or_section() -> None:
    for row in rows():
        gold = decode_gold(row.gold)
        if gold.suite == "caselaw":
            assert int(gold.ids.cluster or 0) > 99_900_000  # ten times what there is
            (cite,) = gold.ids.cites
            assert int(cite.split()[0]) >= 998
            assert int((gold.ids.docket or "").split("-")[1]) >= 9_000
        else:
            number = (gold.ids.cfr or "").split(":")[1]
            assert int(number.split(".")[0]) > 9_000
    text = b"\n".join(lines("legal/pages.jsonl")).decode()
    assert all(int(volume) >= 998 for volume in re.findall(r"(\d+) (?:F\.4th|U\.S\.) \d", text))
    assert all(int(part) > 9_000 for part in re.findall(r"§ ?(\d+)\.\d", text))


def test_every_page_is_like_those_of_the_rest_of_the_sample() -> None:
    topics = {json.loads(line)["topic"] for line in lines("pages.jsonl")}
    for page in raw_pages():
        assert list(page) == ["url", "title", "text", "published_date", "topic"]
        assert page["topic"] in topics
        assert 1 <= len(page["title"]) <= 120
        assert 60 <= len(page["text"].split()) <= 200, page["url"]
        day = page["published_date"]
        assert day is None or datetime.fromisoformat(day).replace(tzinfo=UTC) <= CLOCK


def test_addresses_are_example_hosts_or_impossible_numbers_of_the_two_hosts_asked_for() -> None:
    urls = [page["url"] for page in raw_pages()]
    others = [json.loads(line)["url"] for line in lines("pages.jsonl")]
    assert [url for url, count in Counter([*urls, *others]).items() if count > 1] == []
    for url in [*urls, *(row.query_origin.provenance["url"] for row in rows())]:
        parts = urlsplit(url)
        assert parts.scheme == "https"
        host = parts.hostname or ""
        if host in REAL_HOSTS:
            assert re.fullmatch(REAL_HOSTS[host], parts.path), url
        else:
            assert host.endswith(".example"), url


def test_some_pages_come_twice_under_another_address() -> None:
    texts = Counter(page["text"] for page in raw_pages())
    assert sorted(texts.values(), reverse=True)[:4] == [2, 2, 2, 1]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.query_text)
def test_a_page_cites_the_document_unless_it_is_left_out(row: QueryRow) -> None:
    is_stated = any(stated(row, page) for page in raw_pages())
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
            top = corpus.rank(row.query_text, mode, NUM_RESULTS)
            if any(stated(row, pages[corpus.pages[place].url]) for place in top):
                hits[mode].add(row.query_text)
    shares = {mode: len(found) / len(rows()) for mode, found in hits.items()}
    assert all(0.5 <= share <= 0.95 for share in shares.values()), shares
    assert len(set(shares.values())) == len(MODES), shares
    assert hits["bm25"] - hits["dense"]
    assert hits["dense"] - hits["bm25"]
    universal = {row.query_text for row in rows()} - set().union(*hits.values())
    assert universal > LEFT_OUT
