"""The papers of the fake world, and the hosts that know them: shapes, strictness, traps."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest

from runner.benches.drops import Drops
from runner.benches.proposals import parse_proposal
from runner.benches.scholar.body_text import excerpt
from runner.benches.scholar.checks import Source, cleaned, fault
from runner.benches.scholar.queries import PROMPTS, title_query
from runner.benches.scholar.rows import Bucket
from runner.benches.scholar.sampling import Window
from runner.benches.scholar.sources.arxiv import Arxiv
from runner.judging.asking import ReplyError
from runner.llm.client import Prompt
from runner.llm.prompts import render
from runner.settings import read_settings
from tests.fakes import FakeWorld, Fault, SkippingClock, paper_words
from tests.fakes.corpus import found
from tests.fakes.delimiters import Delimited
from tests.fakes.operators import Ask
from tests.fakes.paper_pages import meant, near_miss, paper_pages
from tests.fakes.paper_texts import abstract, body_text, plain_title, sections
from tests.fakes.papers import (
    ARXIV_TRAPS,
    BANDS,
    DOMAINS,
    EUROPEPMC_TRAPS,
    HEALTH,
    TRAPS,
    Paper,
    _library,
    library,
)
from tests.fakes.proposal_kinds import drawn_kind
from tests.fakes.scene import Scene
from tests.fakes.scholar_replies import (
    BODY_KINDS,
    CLUE_KINDS,
    TOT_KINDS,
    scholar_body,
    scholar_clue,
    scholar_tot,
)
from tests.fakes.words import content_words

SCENE = Scene()
LIBRARY = library(SCENE)
ARXIV = "/export.arxiv.org/api/query"
EPMC = "/www.ebi.ac.uk/europepmc/webservices/rest"
IDCONV = "/pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1/articles/"
ATOM = {"a": "http://www.w3.org/2005/Atom", "x": "http://arxiv.org/schemas/atom"}
BUCKETS: tuple[Bucket, ...] = ("body", "clue", "tot")
OPEN = 'OPEN_ACCESS:y AND HAS_FT:y AND HAS_ABSTRACT:y AND LANG:"eng"'


@pytest.fixture(scope="module")
def world() -> Iterator[FakeWorld]:
    with FakeWorld() as running:
        yield running


@pytest.fixture(scope="module")
def client(world: FakeWorld) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=world.url, timeout=30) as running:
        yield running


def one(kind: str, suite: str | None = None) -> Paper:
    """The first paper with a trap."""
    return next(p for p in LIBRARY.trapped(kind) if suite in (None, p.suite))


def entries(client: httpx.Client, **params: Any) -> list[ElementTree.Element]:
    answer = client.get(ARXIV, params=params)
    assert answer.status_code == 200, answer.text
    return ElementTree.fromstring(answer.text).findall("a:entry", ATOM)


def text(entry: ElementTree.Element, path: str) -> str:
    return entry.findtext(path, "", ATOM)


def results(client: httpx.Client, query: str, **params: Any) -> dict[str, Any]:
    fields = {"query": query, "format": "json", "resultType": "core", **params}
    answer = client.get(f"{EPMC}/search", params=fields)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


# The library


def test_every_domain_has_papers_of_every_band_spread_over_its_days() -> None:
    assert len(LIBRARY.papers) >= 600
    for domain in DOMAINS:
        for band, (oldest, newest, count) in BANDS.items():
            found = [p for p in LIBRARY.papers if (p.domain, p.band) == (domain, band)]
            ages = [(SCENE.clock - p.indexed) / timedelta(days=1) for p in found]
            assert len(found) == count
            assert newest <= min(ages) < max(ages) <= oldest
            assert len({int(age) for age in ages}) >= min(count, oldest - newest) * 0.8


@pytest.mark.parametrize("kind", sorted(TRAPS))
def test_every_trap_is_set_at_least_five_times(kind: str) -> None:
    assert len(LIBRARY.trapped(kind)) >= 5


def test_two_papers_in_three_have_no_trap() -> None:
    assert sum(not paper.traps for paper in LIBRARY.papers) * 3 == len(LIBRARY.papers) * 2


def test_a_seed_makes_one_library_and_another_seed_another() -> None:
    first = library(SCENE)
    _library.cache_clear()
    assert library(SCENE) == first
    assert library(Scene(seed=1)).papers[0].plot != first.papers[0].plot


@pytest.mark.parametrize("field", ["arxiv_id", "doi", "pmid", "pmcid", "plot"])
def test_papers_differ_in(field: str) -> None:
    found = [value for paper in LIBRARY.papers if (value := getattr(paper, field))]
    assert len(set(found)) == len(found)


def test_coined_names_belong_to_one_paper_each() -> None:
    names = [detail.name for paper in LIBRARY.papers for detail in paper.details]
    assert len(set(names)) == len(names)


def test_bodies_have_six_to_twelve_thousand_characters() -> None:
    sizes = [len(body_text(SCENE, paper)) for paper in LIBRARY.papers[::7]]
    assert min(sizes) >= 6_000
    assert max(sizes) <= 12_000


def test_titles_are_the_only_texts_with_their_words() -> None:
    said = " ".join(
        [
            *(form for forms in paper_words.DETAILS.values() for form in forms),
            *paper_words.SECOND_LOOKS,
            *paper_words.PLOTS,
            *(" ".join(paper.plot.parts) for paper in LIBRARY.papers[::3]),
            *(*paper_words.TOOLS, *paper_words.SITES, *paper_words.STUFF, *paper_words.COHORTS),
            *paper_words.MISHAPS,
        ]
    )
    titles = {
        word
        for lists in (paper_words.TOPICS, paper_words.OBJECTS)
        for entry in (entry for listed in lists.values() for entry in listed)
        for word in content_words(entry)
    } | set(content_words(" ".join(paper_words.QUALITIES)))
    stems = {word[:7] for word in titles}
    assert not {word for word in content_words(said) if word[:7] in stems}


def test_each_paragraph_tells_a_named_detail_and_the_plot_in_plain_words() -> None:
    for paper in LIBRARY.papers[::50]:
        names = {detail.name for detail in paper.details}
        for section in sections(SCENE, paper):
            for paragraph in section.paragraphs:
                assert any(name in paragraph for name in names)
                assert all(part in paragraph for part in paper.plot.parts)


# arXiv


def test_the_feed_has_the_shape_of_the_real_one(client: httpx.Client) -> None:
    paper = one("published")
    answer = client.get(ARXIV, params={"id_list": paper.arxiv_id})
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    feed = ElementTree.fromstring(answer.text)
    entry = feed.find("a:entry", ATOM)
    assert entry is not None
    assert text(entry, "a:id") == f"http://arxiv.org/abs/{paper.arxiv_id}v1"
    assert text(entry, "a:title") == paper.title
    assert text(entry, "a:summary") == abstract(SCENE, paper)
    assert text(entry, "x:doi") == paper.doi
    primary = entry.find("x:primary_category", ATOM)
    assert primary is not None
    assert primary.get("term") == paper.categories[0]
    assert datetime.fromisoformat(text(entry, "a:published")) == paper.published
    opensearch = "{http://a9.com/-/spec/opensearch/1.1/}"
    assert feed.findtext(f"{opensearch}totalResults") == "1"


def test_categories_dates_and_order_narrow_the_search(client: httpx.Client) -> None:
    now = SCENE.clock
    window = f"[{now - timedelta(days=7):%Y%m%d%H%M} TO {now:%Y%m%d%H%M}]"
    found = entries(
        client,
        search_query=f"(cat:econ.* OR cat:q-fin.*) AND submittedDate:{window}",
        sortBy="submittedDate",
        sortOrder="descending",
        max_results=1000,
    )
    wanted = [
        paper
        for paper in LIBRARY.of("arxiv")
        if paper.band == "7d" and any(c.startswith(("econ.", "q-fin.")) for c in paper.categories)
    ]
    assert len(found) == len(wanted) >= 60
    dates = {p.arxiv_id: p.indexed for p in wanted}
    order = [text(entry, "a:id").rpartition("/")[2].partition("v")[0] for entry in found]
    assert order == sorted(order, key=lambda one: dates[one], reverse=True)


def test_pages_of_the_search_make_up_the_whole(client: httpx.Client) -> None:
    asked = {"search_query": "cat:q-bio.*", "sortBy": "submittedDate"}
    ids = []
    for start in range(0, 400, 100):
        page = entries(client, **asked, start=start, max_results=100)
        ids += [text(entry, "a:id") for entry in page]
    whole = entries(client, **asked, max_results=2000)
    assert ids == [text(entry, "a:id") for entry in whole]


REFUSED = [
    ({"search_query": "cat:cs.*", "start": "x"}, "start must be an integer"),
    ({"search_query": "cat:cs.*", "max_results": "-1"}, "max_results must be non-negative"),
    ({"search_query": "cat:cs.*", "max_results": "2001"}, "must not exceed 2000"),
    ({"search_query": "cat:cs.*", "start": "29999", "max_results": "2"}, "must not exceed 30000"),
    ({"search_query": "cat:cs.*", "sortBy": "date"}, "sortBy must be in"),
    ({"search_query": "cat:cs.*", "sortOrder": "desc"}, "sortOrder must be in"),
    ({"search_query": "submittedDate:[2026-11-01 TO 2026-11-02]"}, "YYYYMMDDHHMM"),
    ({"search_query": "submittedDate:[202613010000 TO 202613020000]"}, "no date"),
    ({"search_query": "(cat:cs.*"}, "unbalanced parentheses"),
    ({"search_query": "day:1"}, "unknown field day"),
    ({"id_list": "25090441"}, "incorrect id format"),
    ({}, "is required"),
]


@pytest.mark.parametrize(("params", "said"), REFUSED)
def test_arxiv_says_what_is_wrong_in_an_entry(
    client: httpx.Client, params: dict[str, str], said: str
) -> None:
    answer = client.get(ARXIV, params=params)
    assert answer.status_code == 400
    entry = ElementTree.fromstring(answer.text).find("a:entry", ATOM)
    assert entry is not None
    assert text(entry, "a:title") == "Error"
    assert said in text(entry, "a:summary")


def test_a_page_of_the_search_can_come_back_empty_for_no_reason() -> None:
    asked = {"search_query": "cat:cs.*", "max_results": 5}
    fault = Fault(kind="empty_page", host="export.arxiv.org", times=1)
    with FakeWorld(faults=[fault]) as world, httpx.Client(base_url=world.url) as client:
        assert entries(client, **asked) == []
        assert len(entries(client, **asked)) == 5


def test_an_error_can_come_as_an_entry_inside_a_200() -> None:
    fault = Fault(kind="status", status=200, host="export.arxiv.org", times=1)
    with FakeWorld(faults=[fault]) as world, httpx.Client(base_url=world.url) as client:
        (entry,) = entries(client, search_query="cat:cs.*")
        assert text(entry, "a:title") == "Error"


class Ticks:
    """A clock that moves only when told to."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_the_three_second_rule_can_be_proved_without_waiting() -> None:
    ticks = Ticks()
    rule = Fault(kind="quota", host="*arxiv.org", calls=1, window_s=3, status=503)
    with FakeWorld(faults=[rule], ticks=ticks) as world, httpx.Client(base_url=world.url) as client:
        statuses = []
        for step in (3.0, 2.9, 0.1, 3.0):
            ticks.now += step
            statuses.append(client.get(ARXIV, params={"search_query": "cat:cs.LG"}).status_code)
        assert statuses == [200, 503, 200, 200]
        assert world.gaps("*arxiv.org") == pytest.approx([2.9, 0.1, 3.0])


def shown_at(client: httpx.Client, host: str, paper: Paper, suffix: str = "") -> httpx.Response:
    return client.get(f"/{host}/html/{paper.arxiv_id}{suffix}")


def paragraphs(page: str) -> str:
    article = re.search(r"<article.*</article>", page, re.DOTALL)
    found = re.findall(r"<p\b[^>]*>(.*?)</p>", article[0] if article else "", re.DOTALL)
    bare = (re.sub(r"<math.*?</math>", "", part, flags=re.DOTALL) for part in found)
    return "\n".join(re.sub(r"<[^>]+>", "", part) for part in bare)


def test_the_html_of_a_paper_holds_its_body(client: httpx.Client) -> None:
    paper = LIBRARY.papers[0]
    page = shown_at(client, "arxiv.org", paper)
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    shown = " ".join(paragraphs(page.text).split()).replace(" .", ".")
    assert "annotation" not in shown
    for line in body_text(SCENE, paper).split("\n"):
        assert " ".join(line.split())[:60] in shown
    assert shown_at(client, "arxiv.org", paper, "v1").text == page.text
    assert shown_at(client, "arxiv.org", paper, "v2").status_code == 404


HTML = [
    ("no_html", 404, True),
    ("no_text", 404, False),
    ("withdrawn", 404, False),
    ("failed_html", 200, True),
    ("latex_title", 200, True),
]


@pytest.mark.parametrize(("kind", "status", "is_at_ar5iv"), HTML)
def test_which_papers_have_html_where(
    client: httpx.Client, kind: str, status: int, is_at_ar5iv: bool
) -> None:
    paper = next(p for p in LIBRARY.trapped(kind) if p.band == "1y")
    assert shown_at(client, "arxiv.org", paper).status_code == status
    other = shown_at(client, "ar5iv.labs.arxiv.org", paper)
    assert other.status_code == (200 if is_at_ar5iv else 307)
    if not is_at_ar5iv:
        assert other.headers["location"] == f"https://arxiv.org/abs/{paper.arxiv_id}"
    if kind == "failed_html":
        assert "ltx_ERROR" in shown_at(client, "arxiv.org", paper).text
        assert not set(body_text(SCENE, paper).split("\n")) & set(paragraphs(other.text))


def test_ar5iv_has_no_paper_of_the_last_thirty_days(client: httpx.Client) -> None:
    paper = next(p for p in LIBRARY.papers if p.band == "7d" and not p.traps)
    answer = shown_at(client, "ar5iv.labs.arxiv.org", paper)
    assert answer.status_code == 307
    page = client.get("/arxiv.org/abs/" + answer.headers["location"].rpartition("/")[2])
    assert page.status_code == 200
    assert "<article" not in page.text


def test_a_paper_can_be_found_by_another_date_than_it_shows(client: httpx.Client) -> None:
    paper = one("dated_elsewhere", "arxiv")
    (entry,) = entries(client, id_list=paper.arxiv_id)
    shown = datetime.fromisoformat(text(entry, "a:published"))
    assert paper.indexed - shown > timedelta(days=4000)
    day = f"{paper.indexed:%Y%m%d}"
    found = entries(
        client, search_query=f"submittedDate:[{day}0000 TO {day}2359]", max_results=2000
    )
    assert text(entry, "a:id") in [text(entry, "a:id") for entry in found]


def test_titles_hold_latex_line_breaks_and_coined_names(client: httpx.Client) -> None:
    latex, wrapped, coined = one("latex_title"), one("wrapped_title"), one("coined_title", "arxiv")
    assert re.search(r"\$|\\", latex.title)
    assert "\n  " in text(entries(client, id_list=wrapped.arxiv_id)[0], "a:title")
    assert coined.title.startswith(f"{coined.coined}: ")
    assert coined.coined in body_text(SCENE, coined)


# Europe PMC


def test_a_result_has_the_fields_of_the_real_ones(client: httpx.Client) -> None:
    paper = next(p for p in LIBRARY.of("europepmc") if not p.traps)
    found = results(client, f"EXT_ID:{paper.pmid}")
    assert found["hitCount"] == 1
    (shown,) = found["resultList"]["result"]
    ids = {name: shown[name] for name in ("id", "source", "pmid", "pmcid", "doi")}
    assert ids == {
        "id": paper.pmid,
        "source": "MED",
        "pmid": paper.pmid,
        "pmcid": paper.pmcid,
        "doi": paper.doi,
    }
    assert shown["title"] == paper.title
    assert shown["abstractText"].removeprefix("<h4>Background</h4>") == abstract(SCENE, paper)
    assert shown["firstPublicationDate"] == paper.published.date().isoformat()
    assert (shown["isOpenAccess"], shown["hasTextMinedTerms"]) == ("Y", "Y")


def test_the_cursor_leads_through_all_results_and_then_stands_still(client: httpx.Client) -> None:
    first, last = SCENE.clock - timedelta(days=364), SCENE.clock - timedelta(days=31)
    query = f"{OPEN} AND FIRST_PDATE:[{first.date()} TO {last.date()}]"
    cursor, keys = "*", []
    while True:
        page = results(client, query, pageSize=40, cursorMark=cursor)
        assert page["request"]["cursorMark"] == cursor
        if not page["resultList"]["result"]:
            break
        keys += [one["id"] for one in page["resultList"]["result"]]
        cursor = page["nextCursorMark"]
    assert page["nextCursorMark"] == cursor
    assert len(keys) == len(set(keys)) == page["hitCount"] > 60


def test_the_order_is_by_relevance_unless_another_is_asked_for(client: httpx.Client) -> None:
    plain = results(client, OPEN, pageSize=200)["resultList"]["result"]
    newest = results(client, OPEN, pageSize=200, sort="P_PDATE_D desc")["resultList"]["result"]
    dated = {paper.epmc_key[1]: paper.indexed for paper in LIBRARY.of("europepmc")}
    dates = [dated[one["id"]] for one in newest]
    assert dates == sorted(dates, reverse=True)
    assert plain != newest


@pytest.mark.parametrize(
    ("kind", "term"), [("closed", "OPEN_ACCESS:y"), ("no_abstract", "HAS_ABSTRACT:y")]
)
def test_filters_hide_what_they_should(client: httpx.Client, kind: str, term: str) -> None:
    key = one(kind).pmid
    assert results(client, f"EXT_ID:{key}")["hitCount"] == 1
    assert results(client, f"EXT_ID:{key} AND {term}")["hitCount"] == 0


@pytest.mark.parametrize(
    "params",
    [
        {"query": ""},
        {"query": "OPEN_ACCESS:y", "pageSize": 1001},
        {"query": "OPEN_ACCESS:y", "resultType": "full"},
        {"query": "OPEN_ACCESS:y", "cursorMark": "AoE"},
        {"query": "OPEN_ACCESS:y", "sort": "date"},
        {"query": "DATE:2026"},
        {"query": "FIRST_PDATE:[2026 TO 2027]"},
    ],
)
def test_europe_pmc_refuses(client: httpx.Client, params: dict[str, Any]) -> None:
    answer = client.get(f"{EPMC}/search", params={"format": "json", **params})
    assert answer.status_code == 400
    assert answer.json()["errMsg"]


def test_an_empty_page_of_europe_pmc_keeps_its_count() -> None:
    fault = Fault(kind="empty_page", host="www.ebi.ac.uk")
    with FakeWorld(faults=[fault]) as world, httpx.Client(base_url=world.url) as client:
        page = results(client, OPEN)
        assert page["resultList"]["result"] == []
        assert page["hitCount"] > 200


FULL_TEXTS = [("markup_title", 200), ("no_jats", 404), ("closed", 404), ("empty_jats", 200)]


@pytest.mark.parametrize(("kind", "status"), FULL_TEXTS)
def test_which_papers_have_full_text(client: httpx.Client, kind: str, status: int) -> None:
    paper = one(kind)
    answer = client.get(f"{EPMC}/{paper.pmcid}/fullTextXML")
    assert answer.status_code == status
    if status == 200:
        body = ElementTree.fromstring(answer.text).find("body")
        assert body is not None
        parts = ["".join(p.itertext()) for p in body.iter("p")]
        assert bool(parts) == (kind != "empty_jats")
        if parts:
            told = [detail.name for detail in paper.details]
            assert all(any(name in part for part in parts) for name in told[:5])


def test_the_ids_of_a_paper_are_missing_on_one_side_or_the_other(client: httpx.Client) -> None:
    def sides(kind: str) -> tuple[dict[str, Any], dict[str, Any]]:
        paper = one(kind)
        key = paper.epmc_key[1]
        (shown,) = results(client, f"EXT_ID:{key}")["resultList"]["result"]
        if not paper.pmcid:
            return shown, {}
        answer = client.get(IDCONV, params={"ids": paper.pmcid, "format": "json"}).json()
        return shown, answer["records"][0]

    shown, record = sides("search_no_pmid")
    assert "pmid" not in shown
    assert isinstance(record["pmid"], int)
    shown, record = sides("converter_no_pmid")
    assert "pmid" in shown
    assert "pmid" not in record
    shown, record = sides("converter_unknown")
    assert record["status"] == "error"
    shown, record = sides("no_doi")
    assert "doi" not in {**shown, **record}
    shown, _ = sides("no_pmcid")
    assert "pmcid" not in shown
    shown, _ = sides("preprint")
    assert shown["source"] == "PPR"
    assert not {"pmid", "pmcid"} & set(shown)


def test_the_converter_takes_two_hundred_ids_of_one_kind(client: httpx.Client) -> None:
    known = [paper.pmcid for paper in LIBRARY.papers if paper.pmcid][:201]
    answer = client.get(IDCONV, params={"ids": ",".join(known[:200]), "format": "json"})
    assert [record["requested-id"] for record in answer.json()["records"]] == known[:200]
    for ids in (",".join(known), f"{known[0]},10.1000/x", f"{known[0]},x", ""):
        assert client.get(IDCONV, params={"ids": ids, "format": "json"}).status_code == 400


def test_the_old_address_of_the_converter_leads_to_the_new(client: httpx.Client) -> None:
    old = "/www.ncbi.nlm.nih.gov/pmc/utils/idconv/v1.0/"
    answer = client.get(old, params={"ids": "PMC1", "format": "json"})
    assert answer.status_code == 301
    assert answer.headers["location"].startswith("https:/" + IDCONV)


def test_traps_are_told_apart_by_source() -> None:
    for paper in LIBRARY.papers:
        known = EUROPEPMC_TRAPS if paper.domain == HEALTH else ARXIV_TRAPS
        assert paper.traps <= set(known)
    assert SCENE.clock.tzinfo is UTC


# What the fake model writes

NAMED = [p for p in LIBRARY.papers if not {"generic_title", "short_title"} & p.traps]
ASKED = NAMED[::10]
KINDS: dict[Bucket, tuple[str, ...]] = {"body": BODY_KINDS, "clue": CLUE_KINDS, "tot": TOT_KINDS}
REPLIES = {"body": scholar_body, "clue": scholar_clue, "tot": scholar_tot}


def reply(bucket: Bucket, paper: Paper, *, is_reminded: bool = False) -> dict[str, Any]:
    """What the model answers to the runner's own prompt about a paper."""
    variables = {
        "title": paper.title,
        "abstract": abstract(SCENE, paper),
        "excerpt": shown(paper),
    }
    prompt = render(Prompt(PROMPTS[bucket], variables, is_reminded))
    return REPLIES[bucket](Delimited.read(prompt.user), SCENE.clock)


def verdict(bucket: Bucket, paper: Paper, said: dict[str, Any]) -> str:
    """`good`, `refused`, `malformed`, or the reason for which the runner drops the query."""
    try:
        proposal = parse_proposal(json.dumps(said))
    except ReplyError:
        return "malformed"
    if proposal.query is None:
        return "refused"
    body = body_text(SCENE, paper)
    source = Source(paper.title, abstract(SCENE, paper), body, ", ".join(paper.authors))
    found = fault(bucket, replace(proposal, query=cleaned(proposal.query)), source)
    return found.reason if found else "good"


@cache
def judged(bucket: Bucket, paper: Paper) -> str:
    """The verdict on the reply about a paper."""
    return verdict(bucket, paper, reply(bucket, paper))


@cache
def shown(paper: Paper) -> str:
    """The excerpt that the runner shows of a paper."""
    return excerpt(body_text(SCENE, paper), paper.number)


@pytest.mark.parametrize("bucket", BUCKETS)
def test_most_replies_keep_every_rule_and_each_wrong_one_is_caught(bucket: Bucket) -> None:
    kinds: dict[str | None, list[Paper]] = {}
    for paper in NAMED:
        kinds.setdefault(drawn_kind(KINDS[bucket], bucket, shown(paper)), []).append(paper)
    assert set(kinds) == {None, *KINDS[bucket]}
    assert len(kinds[None]) > 0.85 * len(NAMED)
    verdicts = {
        kind: {judged(bucket, paper) for paper in papers[::10] + papers[:3]}
        for kind, papers in kinds.items()
    }
    assert verdicts.pop(None) == {"good"}
    assert all("good" not in found for found in verdicts.values())
    assert verdicts["no_distinct_detail"] == {"refused"}
    assert verdicts["malformed"] == {"malformed"}


def test_at_least_three_papers_in_five_get_three_good_queries() -> None:
    good = [all(judged(b, p) == "good" for b in BUCKETS) for p in ASKED]
    assert 0.6 <= sum(good) / len(good) <= 0.9


def test_a_reply_with_query_and_refusal_is_mended_by_the_reminder() -> None:
    paper = next(p for p in NAMED if drawn_kind(BODY_KINDS, "body", shown(p)) == "both")
    assert verdict("body", paper, reply("body", paper)) == "malformed"
    assert verdict("body", paper, reply("body", paper, is_reminded=True)) == "good"


def test_a_text_without_anything_of_its_own_is_refused() -> None:
    values = {"title": "On foams", "abstract": "Foams.", "excerpt": "Foams are well known."}
    for bucket in BUCKETS:
        said = REPLIES[bucket](Delimited(values, ()), SCENE.clock)
        assert (said["query"], said["refusal"] is None) == (None, False)


# What the fake engines find


@pytest.mark.parametrize("bucket", BUCKETS)
def test_a_good_query_means_its_paper(bucket: Bucket) -> None:
    clue = {"body": "detail", "clue": "detail", "tot": "plot"}[bucket]
    for paper in ASKED:
        if judged(bucket, paper) == "good":
            assert meant(SCENE, reply(bucket, paper)["query"]) == (paper, clue)


def test_most_titles_mean_their_paper() -> None:
    papers = [paper for paper in NAMED[::4] if not paper.traps]
    queries = [title_query(paper.title, 3) or "" for paper in papers]
    right = [
        meant(SCENE, query) == (paper, "title")
        for query, paper in zip(queries, papers, strict=True)
    ]
    assert sum(right) >= 0.85 * len(right)


@pytest.mark.parametrize(
    "query",
    [
        "brackmere mayor approves ferry link",
        "who is the ceo of alderby foods",
        "university publishes asteroid survey",
        "sparse query",
        "",
    ],
)
def test_other_queries_mean_no_paper(query: str) -> None:
    assert meant(SCENE, query) is None


def states(paper: Paper, text: str) -> bool:
    """Whether a text holds an id of the paper, whole."""
    ids = [one for one in (paper.arxiv_id, paper.doi, paper.pmid, paper.pmcid) if one]
    return any(re.search(rf"(?<!\d){re.escape(one)}(?!\d)", text, re.I) for one in ids)


def test_pages_state_the_id_in_address_or_text_or_another_or_none() -> None:
    kinds: Counter[str] = Counter()
    for paper in NAMED[::4]:
        for page in paper_pages(SCENE, Ask(f"{paper.title} {paper.details[3].name}")):
            by_url, by_text = (
                states(paper, page.url),
                states(paper, f"{page.title} {page.sentence}"),
            )
            is_citing = "survey" in page.title
            kinds["url" if by_url else "text" if by_text else "none"] += 1
            kinds["citing"] += by_text and is_citing
            kinds["near miss"] += is_citing and not by_text
    assert all(kinds[kind] >= 50 for kind in ("url", "text", "none", "citing", "near miss")), kinds


def test_a_title_is_found_more_often_than_a_detail_and_a_detail_more_than_a_plot() -> None:
    def share(query: Callable[[Paper], str]) -> float:
        found = [
            any(states(paper, page.url) for page in paper_pages(SCENE, Ask(query(paper))))
            for paper in NAMED[::4]
            if not paper.traps
        ]
        return sum(found) / len(found)

    by_title = share(lambda paper: plain_title(paper))
    by_detail = share(lambda paper: f"{paper.details[2].name} {paper.details[2].thing}")
    by_plot = share(lambda paper: " ".join(paper.plot.parts))
    assert by_title > by_detail + 0.1 > by_plot + 0.2


def test_the_engines_show_the_paper_and_pages_can_be_limited_to_a_site() -> None:
    paper = LIBRARY.papers[3]
    documents = found(SCENE, "exa", Ask(paper.title), 20)
    assert any(states(paper, f"{one.url} {one.title} {one.text}") for one in documents)
    limited = paper_pages(SCENE, Ask(paper.title, sites=("arxiv.org",)))
    assert all("arxiv.org/" in page.url for page in limited)


def test_a_near_miss_differs_in_one_digit_before_the_version() -> None:
    rng = SCENE.draw("near")
    for said in ("arXiv:2611.10004v2 [cs.LG]", "PMID: 40500037", "doi:10.5555/fmed.2026.1700123."):
        wrong = near_miss(rng, said)
        differing = [at for at, (a, b) in enumerate(zip(said, wrong, strict=True)) if a != b]
        assert len(differing) == 1
        assert said[differing[0]].isdigit()


# The limits of the sources, kept by the runner


def test_the_runner_keeps_the_three_second_rule_of_arxiv_on_one_connection() -> None:
    clock = SkippingClock()
    # Requests leave three seconds apart, but do not all take the same time to arrive.
    rule = Fault(kind="quota", host="*arxiv.org", calls=1, window_s=2.9, status=503)
    with FakeWorld(faults=[rule], ticks=clock) as world:
        settings = read_settings({"NEEDLE_GATEWAY": world.url}, clock.sleep)

        async def work() -> list[object]:
            source = Arxiv(settings)
            window = Window(SCENE.clock - timedelta(days=7), SCENE.clock)
            try:
                papers = await source.sample("computer science", window, 4, 5, Drops())
                return [await source.body(paper) for paper in papers]
            finally:
                await source.aclose()

        bodies = asyncio.run(work())
        assert any(bodies)
        assert {call.status for call in world.calls} <= {200, 307, 404}
        assert len(world.calls) >= 5
        assert min(world.gaps("*arxiv.org")) >= 2.9
        hosts = {call.host for call in world.calls}
        assert len({call.connection for call in world.calls}) <= len(hosts)


def test_a_hostile_paper_still_has_its_body(client: httpx.Client) -> None:
    fault = Fault(kind="hostile", host="*")
    paper, other = LIBRARY.papers[0], next(p for p in LIBRARY.of("europepmc") if not p.traps)
    with FakeWorld(faults=[fault]) as world, httpx.Client(base_url=world.url) as hostile:
        page = shown_at(hostile, "arxiv.org", paper).text
        assert paper.details[1].name in page
        assert page != shown_at(client, "arxiv.org", paper).text
        jats = hostile.get(f"{EPMC}/{other.pmcid}/fullTextXML").text
        assert ElementTree.fromstring(jats).find("body") is not None
        assert len(jats) > len(client.get(f"{EPMC}/{other.pmcid}/fullTextXML").text)
