"""The opinions and regulations of the fake world, and the hosts that know them."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest
from wordfreq import zipf_frequency

from runner.benches.drops import Drops
from runner.benches.fetching import SourceError
from runner.benches.legal.code_checks import rejection
from runner.benches.legal.sources.courtlistener import CourtListener, months_before
from runner.benches.legal.sources.ecfr import Section as EcfrSection
from runner.benches.proposals import parse_proposal
from runner.judging.asking import ReplyError
from runner.llm.client import Prompt, PromptName
from runner.llm.prompts import render
from runner.llm.schemas import response_format
from runner.settings import read_settings
from tests.fakes import FakeWorld, Fault, SkippingClock, cases, regulation_words, regulations
from tests.fakes.case_pages import case_pages
from tests.fakes.case_pages import meant as case_meant
from tests.fakes.cases import COURTS, Case, docket_book
from tests.fakes.corpus import found
from tests.fakes.delimiters import Delimited
from tests.fakes.hosts.courtlistener import KEY
from tests.fakes.hosts.ecfr import BUSY_TITLE, RESERVED_TITLE, SLOW_TITLE
from tests.fakes.legal_replies import KINDS, code_query
from tests.fakes.operators import Ask
from tests.fakes.proposal_kinds import drawn_kind
from tests.fakes.regulation_pages import meant as section_meant
from tests.fakes.regulation_pages import section_pages
from tests.fakes.regulations import RECURRING, Section, code
from tests.fakes.scene import Scene

SCENE = Scene()
BOOK = docket_book(SCENE)
CODE = code(SCENE)
SEARCH = "/www.courtlistener.com/api/rest/v4/search/"
ECFR = "/www.ecfr.gov/api/versioner/v1"
RESULTS = "/www.ecfr.gov/api/search/v1/results"
TOKEN = {"Authorization": f"Token {KEY}"}


@pytest.fixture(scope="module")
def world() -> Iterator[FakeWorld]:
    with FakeWorld() as running:
        yield running


@pytest.fixture(scope="module")
def client(world: FakeWorld) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=world.url, timeout=30) as running:
        yield running


def one(kind: str) -> Case:
    return BOOK.trapped(kind)[0]


def section(kind: str) -> Section:
    return CODE.trapped(kind)[0]


def search(client: httpx.Client, **params: Any) -> dict[str, Any]:
    answer = client.get(SEARCH, params={"type": "o", **params}, headers=TOKEN)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def shown(client: httpx.Client, case: Case) -> dict[str, Any]:
    """The record of one opinion as the search gives it."""
    day = f"{case.filed:%m/%d/%Y}"
    found = search(
        client,
        court=case.court,
        filed_after=day,
        filed_before=day,
        stat_Published="on",
        stat_Unpublished="on",
    )
    return next(r for r in found["results"] if r["cluster_id"] == case.cluster)


# The opinions


def test_every_court_has_opinions_of_eighteen_whole_months() -> None:
    months = Counter((case.court, case.filed.year, case.filed.month) for case in BOOK.cases)
    today = SCENE.clock.year * 12 + SCENE.clock.month - 1
    for court in COURTS:
        for back in range(1, 19):
            year, month = divmod(today - back, 12)
            is_recess = court == "scotus" and month + 1 in (7, 8, 9)
            assert (months[court, year, month + 1] == 0) == is_recess
    assert max(count for (court, *_), count in months.items() if court == "ca9") > 20


@pytest.mark.parametrize("kind", sorted(cases.TRAPS))
def test_every_trap_of_an_opinion_is_set_in_most_courts(kind: str) -> None:
    assert len({case.court for case in BOOK.trapped(kind)}) >= 12


def test_months_have_opinions_of_their_first_and_of_their_last_day() -> None:
    days = {(case.court, case.filed) for case in BOOK.cases}
    for case in BOOK.cases:
        if case.filed < SCENE.clock.date().replace(day=1):
            following = (case.filed.replace(day=1) + timedelta(days=32)).replace(day=1)
            assert (case.court, case.filed.replace(day=1)) in days
            assert (case.court, following - timedelta(days=1)) in days


def test_a_seed_makes_one_docket_book_and_another_seed_another() -> None:
    cases._book.cache_clear()
    assert docket_book(SCENE) == BOOK
    assert docket_book(Scene(seed=1)) != BOOK
    assert len({case.cluster for case in BOOK.cases}) == len(BOOK.cases)


CAPTIONS = [
    ("in_re", r"In re: \w+"),
    ("matter_of", r"Matter of \w+"),
    ("ex_parte", r"Ex parte \w+"),
    ("trailing_v", r".* v\."),
    ("curly", r"O’.* v\. .*’s Estate"),
    ("revisions", r".* v\. .* Revisions: \d+/\d+/\d\d"),
    ("vs", r".* vs\. .*"),
    ("long_caption", r".*, et al\. v\. .*, et al\."),
    ("initials", r"[A-Z]\.[A-Z]\. v\. .*"),
    ("no_name", r""),
]


@pytest.mark.parametrize(("kind", "form"), CAPTIONS)
def test_captions_come_in_every_form(client: httpx.Client, kind: str, form: str) -> None:
    assert re.match(form, shown(client, one(kind))["caseName"])


DOCKETS = [
    ("consolidated", r"\d\d-\d+\(L\); \d\d-\d+", 2),
    ("comma_dockets", r"\d\d-\d+, \d\d-\d+", 2),
    ("suffixed_docket", r"\d\d-\d+-[a-z]{2}", 1),
    ("long_year", r"20\d\d-\d+", 1),
    ("no_ids", r"", 0),
]


@pytest.mark.parametrize(("kind", "form", "count"), DOCKETS)
def test_dockets_come_in_every_form(client: httpx.Client, kind: str, form: str, count: int) -> None:
    case = one(kind)
    assert re.fullmatch(form, shown(client, case)["docketNumber"])
    assert len(case.dockets) == count
    assert all(re.fullmatch(r"\d\d-\d+|\d\dA\d{3}", docket) for docket in case.dockets)


# CourtListener


def test_a_record_has_the_fields_of_the_real_ones(client: httpx.Client) -> None:
    case = next(c for c in BOOK.cases if c.citations and not c.traps and c.court == "ca5")
    record = shown(client, case)
    assert record["absolute_url"] == case.path
    assert record["citation"] == list(case.citations)
    assert record["dateFiled"] == case.filed.isoformat()
    assert (record["court_id"], record["court_citation_string"]) == ("ca5", "5th Cir.")
    assert record["status"] == "Published"
    assert record["opinions"][0]["snippet"] == case.summary
    assert client.get(f"/www.courtlistener.com{case.path}").status_code == 200


def test_a_month_of_a_court_comes_in_pages_of_twenty(client: httpx.Client) -> None:
    months = Counter(
        case.filed.replace(day=1)
        for case in BOOK.cases
        if case.court == "ca9" and case.is_published
    )
    first, count = next((month, n) for month, n in months.items() if n > 20)
    last = (first + timedelta(days=32)).replace(day=1) - timedelta(days=1)
    page = search(
        client,
        court="ca9",
        filed_after=f"{first:%m/%d/%Y}",
        filed_before=f"{last:%m/%d/%Y}",
        order_by="dateFiled desc",
        stat_Published="on",
    )
    assert (page["count"], len(page["results"]), page["previous"]) == (count, 20, None)
    rest = client.get("/" + page["next"].removeprefix("https://"), headers=TOKEN).json()
    assert (len(rest["results"]), rest["next"]) == (count - 20, None)
    days = [record["dateFiled"] for record in page["results"] + rest["results"]]
    assert days == sorted(days, reverse=True)
    assert (days[0], days[-1]) == (last.isoformat(), first.isoformat())


def test_unpublished_opinions_must_be_asked_for(client: httpx.Client) -> None:
    case = one("unpublished")
    day = f"{case.filed:%m/%d/%Y}"
    asked = {"court": case.court, "filed_after": day, "filed_before": day}
    clusters = [record["cluster_id"] for record in search(client, **asked)["results"]]
    assert case.cluster not in clusters
    more = search(client, **asked, stat_Unpublished="on")["results"]
    assert [record["status"] for record in more] == ["Unpublished"] * len(more)
    assert case.cluster in [record["cluster_id"] for record in more]


@pytest.mark.parametrize(
    ("sent", "status"),
    [(f"Token {KEY}", 200), (None, 200), ("Token wrong", 401), (f"Bearer {KEY}", 401)],
)
def test_a_wrong_token_is_refused_and_none_is_not(
    client: httpx.Client, sent: str | None, status: int
) -> None:
    answer = client.get(SEARCH, headers={"Authorization": sent} if sent else {})
    assert answer.status_code == status
    assert status == 200 or answer.json() == {"detail": "Invalid token."}


@pytest.mark.parametrize(
    "params",
    [
        {"filed_after": "2026-13-01"},
        {"filed_before": "yesterday"},
        {"court": "ca99"},
        {"order_by": "date"},
        {"cursor": "cz0yMCZ0PTE="},
        {"page_size": "100"},
        {"type": "r"},
    ],
)
def test_courtlistener_refuses(client: httpx.Client, params: dict[str, str]) -> None:
    answer = client.get(SEARCH, params=params, headers=TOKEN)
    assert answer.status_code == 400
    assert answer.json()["detail"]


def test_the_limit_of_fifty_searches_an_hour_can_be_proved_at_once() -> None:
    now = [0.0]
    rule = Fault(kind="quota", host="www.courtlistener.com", path="/api/*", calls=50)
    with (
        FakeWorld(faults=[rule], ticks=lambda: now[0]) as world,
        httpx.Client(base_url=world.url) as client,
    ):
        statuses = []
        for _ in range(52):
            answer = client.get(SEARCH, params={"court": "ca1"}, headers=TOKEN)
            statuses.append(answer.status_code)
            now[0] += 60.0
        assert statuses == [200] * 50 + [429, 429]
        assert answer.headers["retry-after"] == "540"
        assert "available in 540 seconds" in answer.json()["detail"]
        now[0] = 3600.0
        assert client.get(SEARCH, headers=TOKEN).status_code == 200


def test_a_service_that_wants_a_token_says_so() -> None:
    fault = Fault(kind="status", status=401, host="www.courtlistener.com")
    with FakeWorld(faults=[fault]) as world, httpx.Client(base_url=world.url) as client:
        answer = client.get(SEARCH)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Token")
        assert "credentials were not provided" in answer.json()["detail"]


# The regulations


@pytest.mark.parametrize("kind", sorted(regulations.TRAPS))
def test_every_trap_of_a_section_is_set_in_several_titles(kind: str) -> None:
    assert len({one.title for one in CODE.trapped(kind)}) >= 5


def test_ten_titles_have_sections_enough() -> None:
    counts = Counter(section.title for section in CODE.sections)
    assert counts == dict.fromkeys((7, 12, 14, 17, 21, 26, 29, 40, 47, 49), 48)
    usable = Counter(one.title for one in CODE.sections if one.spans and "moved" not in one.traps)
    assert min(usable.values()) >= 30


def test_a_span_stands_in_one_section_and_has_a_rare_word() -> None:
    texts = [one.text for one in CODE.sections]
    for span, own in list(CODE.by_span.items())[::25]:
        assert [text for text in texts if span in text] == [own.text]
        assert min(zipf_frequency(word, "en") for word in span.split()) < 4.0
    assert sum(RECURRING in text for text in texts) > 5
    assert sum("of this part" in text for text in texts) > 100


def structure(client: httpx.Client, title: int) -> dict[str, Any]:
    titles = client.get(f"{ECFR}/titles.json").json()["titles"]
    day = titles[title - 1]["up_to_date_as_of"]
    answer = client.get(f"{ECFR}/structure/{day}/title-{title}.json")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("children", []):
        yield from nodes(child)


def test_titles_are_up_to_date_to_days_of_their_own(client: httpx.Client) -> None:
    answer = client.get(f"{ECFR}/titles.json").json()
    titles = {one["number"]: one for one in answer["titles"]}
    assert list(titles) == list(range(1, 51))
    assert titles[RESERVED_TITLE]["reserved"]
    assert titles[RESERVED_TITLE]["up_to_date_as_of"] is None
    assert titles[BUSY_TITLE]["processing_in_progress"]
    assert titles[SLOW_TITLE]["up_to_date_as_of"] < titles[17]["up_to_date_as_of"]
    late = titles[17]["up_to_date_as_of"]
    assert client.get(f"{ECFR}/structure/{late}/title-{SLOW_TITLE}.json").status_code == 404


def test_the_tree_holds_every_section_and_reserved_places(client: httpx.Client) -> None:
    for title in (17, 49):
        found = list(nodes(structure(client, title)))
        numbers = [n["identifier"] for n in found if n["type"] == "section" and not n["reserved"]]
        assert numbers == [one.number for one in CODE.of(title)]
        kinds = {(n["type"], n["reserved"]) for n in found}
        assert {("section", True), ("part", True), ("subpart", True), ("chapter", True)} <= kinds
        assert "appendix" in {n["type"] for n in found}


def test_sections_can_stand_below_a_subject_group(client: httpx.Client) -> None:
    own = section("grouped")
    groups = [n for n in nodes(structure(client, own.title)) if n["type"] == "subject_group"]
    assert own.number in [child["identifier"] for group in groups for child in group["children"]]


def full(client: httpx.Client, own: Section) -> httpx.Response:
    day = SCENE.clock.date() - timedelta(days=30)
    fields = {"part": str(own.part), "section": own.number}
    return client.get(f"{ECFR}/full/{day}/title-{own.title}.xml", params=fields)


def paragraphs(root: ElementTree.Element, number: str) -> list[str]:
    found = next(node for node in root.iter("DIV8") if node.get("N") == number)
    return ["".join(p.itertext()) for p in found.findall("P")]


@pytest.mark.parametrize("kind", ["curly", "tables", "long", "italics", "odd_number", "office"])
def test_the_full_text_holds_the_paragraphs(client: httpx.Client, kind: str) -> None:
    own = section(kind)
    answer = full(client, own)
    assert answer.headers["content-type"].startswith("application/xml")
    root = ElementTree.fromstring(answer.content)
    assert (root.tag, root.get("TYPE")) == ("DIV8", "SECTION")
    assert paragraphs(root, own.number) == list(own.paragraphs)
    assert (root.findtext("HEAD") or "").startswith(f"§ {own.number}")


def test_a_section_can_come_inside_its_part(client: httpx.Client) -> None:
    own = section("wrapped")
    root = ElementTree.fromstring(full(client, own).content)
    assert (root.tag, root.get("N")) == ("DIV5", str(own.part))
    assert len(list(root.iter("DIV8"))) > 5
    assert paragraphs(root, own.number) == list(own.paragraphs)


def test_a_section_that_moved_is_listed_but_not_found(client: httpx.Client) -> None:
    own = section("moved")
    listed = [node["identifier"] for node in nodes(structure(client, own.title))]
    assert own.number in listed
    answer = full(client, own)
    assert (answer.status_code, answer.json()["error"]) == (404, "No matching content found.")


def test_a_title_in_work_asks_for_patience(client: httpx.Client) -> None:
    answer = client.get(f"{ECFR}/structure/2026-11-01/title-{BUSY_TITLE}.json")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")


def hits(client: httpx.Client, query: str, **params: Any) -> dict[str, Any]:
    answer = client.get(RESULTS, params={"query": query, **params})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_quoted_span_finds_its_section_only(client: httpx.Client) -> None:
    own = section("odd_number")
    found = hits(client, f'"{own.spans[0].upper()}"', date="current")
    assert found["meta"]["total_count"] == 1
    (hit,) = found["results"]
    place = hit["hierarchy"]
    assert (place["title"], place["section"]) == (str(own.title), own.number)
    assert hits(client, f'"{" ".join(reversed(own.spans[0].split()))}"')["results"] == []


def test_a_standing_phrase_finds_hundreds_and_pages_them(client: httpx.Client) -> None:
    whole = hits(client, '"of this part"', date="current", per_page=1000)
    assert whole["meta"]["total_count"] == len(whole["results"]) > 100
    second = hits(client, '"of this part"', date="current", per_page=20, page=2)
    assert second["results"] == whole["results"][20:40]
    assert hits(client, f'"{RECURRING}"', date="current")["meta"]["total_count"] > 5


def test_a_search_without_a_date_finds_the_past_too(client: httpx.Client) -> None:
    own = section("amended")
    found = hits(client, f'"{own.spans[0]}"')["results"]
    assert [hit["hierarchy"]["section"] for hit in found] == [own.number] * 2
    assert [hit["ends_on"] for hit in found] == [None, "2017-01-01"]
    assert len(hits(client, f'"{own.spans[0]}"', date="current")["results"]) == 1


@pytest.mark.parametrize(
    "params",
    [
        {"query": ""},
        {"query": "x", "per_page": "1001"},
        {"query": "x", "per_page": "1000", "page": "11"},
        {"query": "x", "order": "date"},
        {"query": "x", "date": "today"},
        {"query": "x", "title": "17"},
    ],
)
def test_the_search_of_the_ecfr_refuses(client: httpx.Client, params: dict[str, str]) -> None:
    answer = client.get(RESULTS, params=params)
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_words_of_spans_stand_in_no_other_sentence() -> None:
    said = " ".join((*regulation_words.DETAILS, *regulation_words.STANDING)).lower()
    for word in (*regulation_words.ADJECTIVES, *regulation_words.DEVICES):
        assert not re.search(rf"\b{word}\b", said)


def test_a_long_section_has_its_spans_beyond_the_first_six_thousand_characters() -> None:
    for own in CODE.trapped("long"):
        assert all(own.text.index(span) > 6_000 for span in own.spans)


# What the fake model writes


def reply(own: Section) -> dict[str, Any]:
    """What the model answers to the runner's own prompt about a section."""
    variables = {"heading": own.heading, "text": own.text[:6_000]}
    prompt = render(Prompt("code_query", variables))
    return code_query(Delimited.read(prompt.user), SCENE.clock)


def verdict(own: Section) -> str:
    """`good`, `refused`, `malformed`, or the reason for which the runner rejects the query."""
    try:
        proposal = parse_proposal(json.dumps(reply(own)))
    except ReplyError:
        return "malformed"
    if proposal.query is None:
        return "refused"
    place = EcfrSection(own.title, str(own.part), own.number, own.heading, "2026-11-12")
    return rejection(proposal, section=place, text=own.text) or "good"


def test_most_queries_about_sections_are_good_and_each_wrong_one_is_caught() -> None:
    verdicts: dict[str | None, set[str]] = {}
    for own in CODE.sections:
        if own.spans and "long" not in own.traps:
            verdicts.setdefault(kind_of(own), set()).add(verdict(own))
    assert verdicts.pop(None) == {"good"}
    assert set(verdicts) == set(KINDS)
    assert all("good" not in found for found in verdicts.values())
    assert verdicts["malformed"] == {"malformed"}


def kind_of(own: Section) -> str | None:
    return drawn_kind(KINDS, "code", own.text[:6_000])


@pytest.mark.parametrize("kind", ["boilerplate", "cross_reference", "office", "long"])
def test_a_text_without_a_span_of_its_own_is_refused(kind: str) -> None:
    said = reply(section(kind))
    assert (said["query"], said["refusal"]) == (None, "boilerplate")


def test_a_span_that_many_sections_share_is_preferred(client: httpx.Client) -> None:
    own = next(one for one in CODE.trapped("recurring") if kind_of(one) is None)
    assert reply(own)["quoted_span"] == RECURRING
    assert hits(client, f'"{RECURRING}"', date="current")["meta"]["total_count"] > 5


def test_the_router_knows_the_tasks_of_both_benches(client: httpx.Client) -> None:
    own = next(one for one in CODE.sections if verdict(one) == "good")
    body, abstract = own.text, "Nothing."
    variables: dict[PromptName, dict[str, str]] = {
        "code_query": {"heading": own.heading, "text": own.text},
        "scholar_body": {"title": "A title", "abstract": abstract, "excerpt": body},
        "scholar_clue": {"title": "A title", "abstract": abstract, "excerpt": body},
        "scholar_tot": {"title": "A title", "abstract": abstract, "excerpt": body},
    }
    for name, values in variables.items():
        prompt = render(Prompt(name, values))
        answer = client.post(
            "/openrouter.ai/api/v1/chat/completions",
            headers={"Authorization": "Bearer fake-OPENROUTER_API_KEY"},
            json={
                "model": "google/gemini-flash",
                "messages": [
                    {"role": "system", "content": prompt.system},
                    {"role": "user", "content": prompt.user},
                ],
                "response_format": response_format(name),
            },
        )
        assert answer.status_code == 200, answer.text
        said = json.loads(answer.json()["choices"][0]["message"]["content"])
        assert (said["query"] is None) == (name != "code_query")


# What the fake engines find


def test_a_good_query_means_its_section() -> None:
    for own in CODE.sections[::3]:
        if verdict(own) == "good" and RECURRING not in own.text:
            said = reply(own)["query"]
            assert section_meant(SCENE, said) == own
            assert section_meant(SCENE, said.replace('"', "")) == own


def asked(case: Case) -> str:
    """A query about an opinion, as the bench makes it from the caption."""
    caption = re.sub(r"Revisions:.*|[^\w' ]", " ", case.caption.replace("’", "'"))
    return f"{' '.join(caption.lower().split())} {COURTS[case.court][2]}"


def test_a_caption_and_its_court_mean_the_opinion() -> None:
    plain = [one for one in BOOK.cases if not one.traps & {"public_bodies", "common_tokens"}]
    named = [one for one in plain if one.caption][::7]
    right = [case_meant(SCENE, asked(one)) == one for one in named]
    assert sum(right) >= 0.9 * len(right)


@pytest.mark.parametrize(
    "query",
    [
        "farrowworth diagnostics caldkeld hotels",
        "brackmere mayor sues over ferry link",
        "the ninth circuit",
        "supreme court ruling on the budget deal",
        "",
    ],
)
def test_other_queries_mean_no_opinion(query: str) -> None:
    assert case_meant(SCENE, query) is None


def test_pages_of_an_opinion_state_its_ids_in_every_form() -> None:
    said: Counter[str] = Counter()
    forms = {
        "cluster": r"courtlistener\.com/opinion/\d+/",
        "citation": r"\d+ F\.4th \d+ \(",
        "spaced citation": r"\d+ F\. 4th \d+|\d+ U\. S\. \d+",
        "docket": r"No\. \d\d–\d+",
        "dockets": r"Nos\. \d\d-\d+, \d\d-\d+",
        "justia": r"law\.justia\.com/.*/\d\d-\d+/",
        "govinfo": r"USCOURTS-ca\w+-\d\d-\d{5}",
        "slip opinion": r"supremecourt\.gov/opinions/\d\dpdf/",
        "docket alone": r"Order of the day: \S+ is continued",
        "other reporter": r"\d+ F\.3d \d+",
    }
    for one in BOOK.cases[::3]:
        for page in case_pages(SCENE, Ask(asked(one))):
            shown = f"{page.url} {page.title} {page.sentence}"
            said.update(name for name, form in forms.items() if re.search(form, shown))
    assert all(said[name] for name in forms), said


def test_pages_of_a_section_state_its_citation_in_every_form() -> None:
    said: Counter[str] = Counter()
    forms = {
        "cornell": r"law\.cornell\.edu/cfr/text/\d+/\d+\.",
        "ecfr": r"ecfr\.gov/current/title-\d+/chapter-\w+/part-\d+/section-",
        "govinfo": r"CFR-2025-title\d+-vol2-sec\d+-",
        "plain": r"\d+ CFR \d+\.",
        "spaced": r"\d+ C\. F\. R\. §",
        "paragraph": r"\(b\)\(1\)\.",
        "hyphen": "\u2011",
        "no-break space": "\u00a0",
        "list": r"§§ \d+\.99, ",
        "of title": r"§ \S+ of title \d+",
        "part alone": r"CFR Part \d+",
        "rule alone": r"Rule \S+\.",
    }
    for own in CODE.sections:
        for span in own.spans[:2]:
            for page in section_pages(SCENE, Ask(span)):
                shown = f"{page.url} {page.sentence}"
                said.update(name for name, form in forms.items() if re.search(form, shown))
    assert all(said[name] for name in forms), said


@pytest.mark.parametrize("site", ["courtlistener.com", "law.cornell.edu"])
def test_pages_can_be_limited_to_a_site(site: str) -> None:
    queries = [asked(one) for one in BOOK.cases[::9]] + [
        own.spans[0] for own in CODE.sections[::24]
    ]
    pages = [
        page
        for query in queries
        for known in (case_pages, section_pages)
        for page in known(SCENE, Ask(query, sites=(site,)))
    ]
    assert pages
    assert all(f"{site}/" in page.url for page in pages)


def test_a_case_between_companies_is_no_question_about_them() -> None:
    one = next(c for c in BOOK.cases if "Diagnostics" in c.parties[0] and not c.traps)
    documents = found(SCENE, "exa", Ask(asked(one)), 20)
    assert any(one.parties[0] in f"{page.title} {page.text}" for page in documents)


# The limit of CourtListener, kept by the runner


@pytest.mark.parametrize("token", [KEY, None])
def test_the_runner_asks_courtlistener_fifty_times_an_hour_at_most(token: str | None) -> None:
    clock = SkippingClock()
    rule = Fault(kind="quota", host="www.courtlistener.com", calls=50)
    with FakeWorld(faults=[rule], ticks=clock) as world:
        known = {"COURTLISTENER_API_TOKEN": token} if token else {}
        settings = read_settings({"NEEDLE_GATEWAY": world.url, **known}, clock.sleep)

        async def work() -> list[str]:
            source, lost = CourtListener(settings), []
            try:
                for month in months_before(SCENE.clock.date(), 18):
                    for court in list(COURTS)[:4]:
                        try:
                            await source.opinions(court, month, Drops())
                        except SourceError as error:
                            lost.append(error.kind)
            finally:
                await source.aclose()
            return lost

        lost = asyncio.run(work())
        assert {call.status for call in world.calls} == {200}
        assert len(world.calls) <= 50
        assert set(lost) == {"rate_limited"}
