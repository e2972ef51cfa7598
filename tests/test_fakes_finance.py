"""The companies of the fake world, and the hosts that know them: shapes, strictness, traps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import httpx
import pytest

from tests.fakes import FakeWorld, Fault
from tests.fakes.companies import TIERS, TRAPS, Company, _universe, universe
from tests.fakes.company_filings import filings
from tests.fakes.filing_pages import hidden_deal, standing_detail, visible_text
from tests.fakes.leis import is_valid
from tests.fakes.scene import Scene

SCENE = Scene()
AGENT = "needle-benchmark/1.0 (+ops@needle.example)"
TICKERS = "/www.sec.gov/files/company_tickers.json"
SEARCH = "/efts.sec.gov/LATEST/search-index"
TITLE_END = re.compile(r" ?/(?:DE|NV|MD|NEW|OH)/?$")


@pytest.fixture(scope="module")
def world() -> Iterator[FakeWorld]:
    with FakeWorld() as running:
        yield running


@pytest.fixture(scope="module")
def client(world: FakeWorld) -> Iterator[httpx.Client]:
    headers = {"User-Agent": AGENT}
    with httpx.Client(base_url=world.url, timeout=30, headers=headers) as running:
        yield running


def one(kind: str) -> Company:
    """The largest company with a trap."""
    return universe(SCENE).trapped(kind)[0]


def submissions(client: httpx.Client, company: Company) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/data.sec.gov/submissions/CIK{company.padded}.json").json()
    return found


def facts(client: httpx.Client, company: Company, concept: str) -> list[dict[str, Any]]:
    """The facts of one concept, whatever its unit; empty where it is not used."""
    answer = client.get(f"/data.sec.gov/api/xbrl/companyfacts/CIK{company.padded}.json").json()
    units = answer["facts"].get("us-gaap", {}).get(concept, {}).get("units", {})
    return [fact for listed in units.values() for fact in listed]


def days(fact: dict[str, Any]) -> int:
    return (date.fromisoformat(fact["end"]) - date.fromisoformat(fact["start"])).days


def single(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The facts of 10-Qs that span one quarter."""
    return [one for one in listed if one["form"] == "10-Q" and 70 <= days(one) <= 110]


# The universe


def test_the_list_of_securities_has_the_size_and_the_variety_of_the_real_one(
    client: httpx.Client,
) -> None:
    document = client.get(TICKERS).json()
    rows = list(document.values())
    assert list(document) == [str(place) for place in range(len(rows))]
    assert len(rows) >= 2600
    assert all(list(row) == ["cik_str", "ticker", "title"] for row in rows)
    assert {"AAPL", "MSFT"} <= {row["ticker"] for row in rows[:100]}
    symbols = [row["ticker"] for row in rows]
    assert len(set(symbols)) == len(symbols)
    assert sum(len(symbol) == 1 for symbol in symbols) == 3
    assert sum(bool(re.fullmatch(r"[A-Z]+-[AB]", symbol)) for symbol in symbols) > 100
    assert sum("-P" in symbol for symbol in symbols) > 50
    assert sum(bool(TITLE_END.search(row["title"])) for row in rows) > 100
    assert sum(count > 1 for count in Counter(row["cik_str"] for row in rows).values()) > 200


@pytest.mark.parametrize("kind", sorted(TRAPS))
def test_every_trap_is_set_in_every_tier(kind: str) -> None:
    tiers = Counter(company.tier for company in universe(SCENE).trapped(kind))
    assert all(tiers[tier] for tier in TIERS), tiers


def test_a_seed_makes_one_universe_and_another_seed_another() -> None:
    first = universe(SCENE)
    _universe.cache_clear()
    assert universe(SCENE) == first
    assert universe(Scene(seed=1)).companies[0].cik != first.companies[0].cik


def test_companies_differ_in_number_name_person_and_identifier() -> None:
    companies = universe(SCENE).companies
    assert len({company.cik for company in companies}) == len(companies)
    assert len({company.lei for company in companies}) == len(companies)
    assert len({company.chief.name for company in companies}) == len(companies)
    assert len({company.name for company in companies}) == len(companies) - 3
    assert all(is_valid(company.lei) for company in companies)


# Strictness

SOME = universe(SCENE).companies[0]
SEC_PATHS = [
    TICKERS,
    f"/data.sec.gov/submissions/CIK{SOME.padded}.json",
    f"{SEARCH}?q=plant&ciks={SOME.padded}",
]
AGENTS = [
    ("needle-benchmark/1.0 (+ops@needle.example)", 200),
    ("needle-benchmark/1.0 (+https://needle.example/contact)", 200),
    ("Jane Roe jane@roe.example", 200),
    ("needle-benchmark/1.0", 403),
    ("python-httpx/0.28", 403),
    ("Mozilla/5.0 (X11; Linux)", 403),
    ("needle-benchmark/1.0 (+nobody)", 403),
]


@pytest.mark.parametrize("path", SEC_PATHS)
@pytest.mark.parametrize(("agent", "status"), AGENTS)
def test_the_sec_answers_only_those_who_leave_a_contact(
    client: httpx.Client, path: str, agent: str, status: int
) -> None:
    answer = client.get(path, headers={"User-Agent": agent})
    assert answer.status_code == status
    assert status == 200 or "Undeclared Automated Tool" in answer.text


@pytest.mark.parametrize("path", [f"/www.wikidata.org/wiki/Special:EntityData/{SOME.qid}.json"])
@pytest.mark.parametrize(("agent", "status"), [("python-httpx/0.28", 403), ("needle/1", 200)])
def test_wikidata_refuses_the_default_name_of_a_library(
    client: httpx.Client, path: str, agent: str, status: int
) -> None:
    assert client.get(path, headers={"User-Agent": agent}).status_code == status


MISSING = [
    ("data.sec.gov/submissions/CIK0000000001.json", "NoSuchKey"),
    ("data.sec.gov/submissions/CIK1.json", "NoSuchKey"),
    ("data.sec.gov/api/xbrl/companyfacts/CIK0000000001.json", "NoSuchKey"),
    (f"data.sec.gov/api/xbrl/companyconcept/CIK{SOME.padded}/us-gaap/Nothing.json", "NoSuchKey"),
    ("data.sec.gov/api/xbrl/frames/us-gaap/NetIncomeLoss/USD/CY1950Q1.json", "NoSuchKey"),
    ("data.sec.gov/api/xbrl/frames/us-gaap/EarningsPerShareDiluted/USD/CY2026Q1.json", "NoSuchKey"),
    (f"www.sec.gov/Archives/edgar/data/{SOME.cik}/000000000126000001/a.htm", "Page not found"),
    ("www.wikidata.org/wiki/Special:EntityData/Q999999999.json", "Q999999999"),
    ("api.gleif.org/api/v1/lei-records/99930000000000000000", "No such record"),
]


@pytest.mark.parametrize(("path", "why"), MISSING)
def test_what_does_not_exist_gets_the_hosts_own_404(
    client: httpx.Client, path: str, why: str
) -> None:
    answer = client.get(f"/{path}")
    assert (answer.status_code, why in answer.text) == (404, True)


def test_a_block_of_the_sec_is_a_page_about_the_rate_of_requests() -> None:
    faults = [Fault(kind="pace", host="*.sec.gov", per_s=0, status=403)]
    with FakeWorld(faults=faults) as world:
        answer = httpx.get(f"{world.url}{TICKERS}", headers={"User-Agent": AGENT})
    assert (answer.status_code, "Request Rate Threshold Exceeded" in answer.text) == (403, True)


VALIDATED = [TICKERS, *SEC_PATHS[1:2], f"/www.wikidata.org/wiki/Special:EntityData/{SOME.qid}.json"]


@pytest.mark.parametrize("path", VALIDATED)
def test_a_client_that_has_the_body_gets_304(client: httpx.Client, path: str) -> None:
    full = client.get(path)
    tag, modified = full.headers["etag"], full.headers["last-modified"]
    sent = [
        ({"If-None-Match": tag}, 304),
        ({"If-None-Match": f"W/{tag}"}, 304),
        ({"If-None-Match": '"other"', "If-Modified-Since": modified}, 200),
        ({"If-Modified-Since": modified}, 304),
        ({"If-Modified-Since": "Thu, 01 Jan 2015 00:00:00 GMT"}, 200),
        ({"If-Modified-Since": "yesterday"}, 200),
    ]
    answers = [client.get(path, headers=headers) for headers, _ in sent]
    assert [answer.status_code for answer in answers] == [status for _, status in sent]
    assert all(answer.headers["etag"] == tag for answer in answers)
    assert answers[0].content == b""


# SEC: filings and documents


def test_filings_are_parallel_lists_newest_first_and_older_ones_on_a_page(
    client: httpx.Client,
) -> None:
    document = submissions(client, SOME)
    recent = document["filings"]["recent"]
    assert len({len(column) for column in recent.values()}) == 1
    assert recent["filingDate"] == sorted(recent["filingDate"], reverse=True)
    [page] = document["filings"]["files"]
    older = client.get(f"/data.sec.gov/submissions/{page['name']}").json()
    assert list(older) == list(recent)
    assert len(older["form"]) == page["filingCount"] > 0
    assert (older["filingDate"][-1], older["filingDate"][0]) == (
        page["filingFrom"],
        page["filingTo"],
    )
    assert max(older["filingDate"]) < min(recent["filingDate"])
    numbers = recent["accessionNumber"] + older["accessionNumber"]
    assert len(set(numbers)) == len(numbers) == len(filings(SCENE, SOME))
    assert all(re.fullmatch(r"\d{10}-\d\d-\d{6}", number) for number in numbers)


def test_all_domestic_companies_filed_the_usual_forms_lately() -> None:
    for company in universe(SCENE).companies[::40]:
        forms = Counter(filing.form for filing in filings(SCENE, company))
        if company.is_foreign:
            assert forms["20-F"]
            assert forms["6-K"]
            assert not forms["10-Q"]
        else:
            assert forms["10-Q"] >= 10
            assert forms["10-K"] >= 3
            assert forms["8-K"] >= 9
            assert forms["DEF 14A"] == 3
        newest = filings(SCENE, company)[0].filed
        assert SCENE.clock.date() - timedelta(days=120) < newest <= SCENE.clock.date()


@pytest.mark.parametrize("form", ["10-Q", "10-K", "8-K", "DEF 14A"])
def test_a_document_has_its_form_its_company_and_details_of_its_own(
    client: httpx.Client, form: str
) -> None:
    filing = next(filing for filing in filings(SCENE, SOME) if filing.form == form)
    answer = client.get(f"/www.sec.gov{filing.path(SOME)}")
    assert answer.headers["content-type"].startswith("text/html")
    assert 6_000 <= len(answer.content) <= 16_000
    assert SOME.title in answer.text
    assert "display:none" in answer.text
    text = visible_text(SCENE, SOME, filing)
    assert len(text) >= 4_500
    assert "dei:" not in text
    assert "Member" not in text
    others = [visible_text(SCENE, SOME, other) for other in filings(SCENE, SOME) if other != filing]
    lines = [line for line in text.split("\n") if " million" in line]
    assert any(all(line not in other for other in others) for line in lines)


def search(client: httpx.Client, company: Company, span: str, **more: str) -> dict[str, Any]:
    params = {"q": f'"{span}"', "ciks": company.padded, **more}
    found: dict[str, Any] = client.get(SEARCH, params=params).json()["hits"]
    return found


def test_the_full_text_search_finds_a_detail_in_its_filing_only(client: httpx.Client) -> None:
    filing = next(filing for filing in filings(SCENE, SOME) if filing.form == "8-K")
    line = next(x for x in visible_text(SCENE, SOME, filing).split("\n") if " million" in x)
    span = " ".join(line.split()[:8])
    hits = search(client, SOME, span)
    assert hits["total"] == {"value": 1, "relation": "eq"}
    [hit] = hits["hits"]
    assert hit["_id"] == f"{filing.accession}:{filing.document}"
    assert hit["_source"]["adsh"] == filing.accession
    assert search(client, SOME, span.upper(), forms="8-K")["total"]["value"] == 1
    assert search(client, SOME, span, forms="10-K")["total"]["value"] == 0
    day = filing.filed.isoformat()
    assert search(client, SOME, span, startdt=day, enddt=day)["total"]["value"] == 1
    assert search(client, SOME, span, enddt="2010-01-01")["total"]["value"] == 0


def test_the_full_text_search_gives_ten_hits_a_page(client: httpx.Client) -> None:
    first, second = (search(client, SOME, SOME.title, **{"from": at}) for at in ("0", "10"))
    assert first["total"]["value"] > 12
    assert (len(first["hits"]), first["hits"][0] in second["hits"]) == (10, False)


def test_the_full_text_search_wants_a_query_and_says_what_it_cannot_do(
    client: httpx.Client,
) -> None:
    assert client.get(SEARCH, params={"ciks": SOME.padded}).status_code == 500
    assert client.get(SEARCH, params={"q": "x"}).status_code == 501


def test_document_traps_are_in_the_documents(client: httpx.Client) -> None:
    def of_form(company: Company, form: str) -> list[str]:
        return [
            visible_text(SCENE, company, filing)
            for filing in filings(SCENE, company)
            if filing.form == form
        ]

    assert all(len(text) < 1_000 for text in of_form(one("thin"), "8-K"))
    assert all(" million" not in text for text in of_form(one("boilerplate"), "8-K"))
    company = one("recurring_span")
    span = standing_detail(SCENE, company).split(".")[0]
    assert search(client, company, span)["total"]["value"] > 10
    company = one("hidden_text")
    filing = next(filing for filing in filings(SCENE, company) if filing.form == "10-Q")
    deal = hidden_deal(SCENE, filing)
    assert deal in client.get(f"/www.sec.gov{filing.path(company)}").text
    assert deal not in visible_text(SCENE, company, filing)
    assert search(client, company, deal)["total"]["value"] == 0


# SEC: figures


def test_a_quarter_is_the_same_in_facts_concept_frame_and_document(client: httpx.Client) -> None:
    listed = facts(client, SOME, "NetIncomeLoss")
    newest = [fact for fact in single(listed) if fact["fp"] == "Q3"][-1]
    path = f"/data.sec.gov/api/xbrl/companyconcept/CIK{SOME.padded}/us-gaap/NetIncomeLoss.json"
    assert client.get(path).json()["units"]["USD"] == listed
    path = f"/data.sec.gov/api/xbrl/frames/us-gaap/NetIncomeLoss/USD/{newest['frame']}.json"
    frame = client.get(path).json()
    assert frame["pts"] == len(frame["data"]) > 1_500
    [row] = [row for row in frame["data"] if row["cik"] == SOME.cik]
    assert all(row[name] == newest[name] for name in ("accn", "start", "end", "val"))
    filing = next(one for one in filings(SCENE, SOME) if one.accession == newest["accn"])
    assert (filing.form, filing.report) == ("10-Q", date.fromisoformat(newest["end"]))
    stated = f"shareholders {newest['val'] // 1_000_000:,}"
    assert stated in visible_text(SCENE, SOME, filing)


def test_a_report_states_the_year_before_and_the_year_to_date_under_its_own_label(
    client: httpx.Client,
) -> None:
    listed = facts(client, SOME, "NetIncomeLoss")
    number = next(fact["accn"] for fact in reversed(listed) if fact["fp"] == "Q3")
    stated = [fact for fact in listed if fact["accn"] == number]
    assert {(fact["fy"], fact["fp"]) for fact in stated} == {(2026, "Q3")}
    assert {fact["end"][:4] for fact in stated} == {"2026", "2025"}
    assert sorted({days(fact) // 30 for fact in stated}) == [3, 9]
    halves = [fact["val"] for fact in single(listed) if fact["end"][:4] == "2026"]
    total = next(fact for fact in stated if days(fact) > 200 and fact["end"][:4] == "2026")
    assert total["val"] == sum(halves)


def test_each_frame_marks_one_fact_the_one_filed_last(client: httpx.Client) -> None:
    listed = facts(client, SOME, "NetIncomeLoss")
    frames = Counter(fact["frame"] for fact in listed if "frame" in fact)
    assert set(frames.values()) == {1}
    for fact in listed:
        twins = [x for x in listed if (x["start"], x["end"]) == (fact["start"], fact["end"])]
        if "frame" in fact:
            assert fact["filed"] == max(twin["filed"] for twin in twins)


def both_values(listed: list[dict[str, Any]]) -> list[tuple[float, float]]:
    """First and last value of each quarter that two 10-Qs state."""
    found: dict[tuple[str, str], list[float]] = {}
    for fact in sorted(single(listed), key=lambda fact: str(fact["filed"])):
        found.setdefault((fact["start"], fact["end"]), []).append(fact["val"])
    return [(told[0], told[-1]) for told in found.values() if len(told) > 1]


def test_values_are_restated_where_the_trap_is_and_nowhere_else(client: httpx.Client) -> None:
    pairs = both_values(facts(client, one("restated"), "NetIncomeLoss"))
    assert pairs
    assert all(abs(new / old - 1) > 0.01 for old, new in pairs)
    plain = both_values(facts(client, SOME, "NetIncomeLoss"))
    assert plain
    assert all(old == new for old, new in plain)


def test_figure_traps_are_in_the_facts(client: httpx.Client) -> None:
    company = one("stopped_concept")
    assert max(fact["end"] for fact in facts(client, company, "NetIncomeLoss")) < "2013"
    assert max(fact["end"] for fact in facts(client, company, "ProfitLoss")) > "2026"
    listed = facts(client, one("comparative_only"), "OperatingIncomeLoss")
    newest = max(one["filed"] for one in single(listed))
    stated = [fact for fact in single(listed) if fact["filed"] == newest]
    assert stated
    assert all(fact["end"][:4] < str(fact["fy"]) for fact in stated)
    company = one("amended")
    amended = [f for f in facts(client, company, "NetIncomeLoss") if f["form"] == "10-Q/A"]
    assert amended
    assert all(fact["filed"] > "2026" for fact in amended)
    company = one("minority")
    parent, whole = (
        {fact["end"]: fact["val"] for fact in single(facts(client, company, concept))}
        for concept in ("NetIncomeLoss", "ProfitLoss")
    )
    assert all(whole[end] > value for end, value in parent.items())
    listed = facts(client, one("year_to_date_only"), "OperatingIncomeLoss")
    assert {fact["fp"] for fact in single(listed)} == {"Q1"}
    assert all(fact["val"] < 0 for fact in single(facts(client, one("losses"), "NetIncomeLoss")))
    zero = single(facts(client, one("zero_eps"), "EarningsPerShareDiluted"))
    assert {fact["val"] for fact in zero} == {0.0}
    ends = [fact["end"] for fact in single(facts(client, one("weeks"), "NetIncomeLoss"))]
    assert {date.fromisoformat(end).weekday() for end in ends} == {5}


def test_a_split_changes_the_shares_and_says_so(client: httpx.Client) -> None:
    company = one("split")
    listed = facts(client, company, "EarningsPerShareDiluted")
    [split] = facts(client, company, "StockholdersEquityNoteStockSplitConversionRatio1")
    assert (split["val"], "start" in split) == (4, False)
    spans = both_values(listed)
    assert any(old / new > 3.5 for old, new in spans)
    events = [f for f in filings(SCENE, company) if f.form == "8-K" and f.items.startswith("5.03")]
    assert "4-for-1 split" in visible_text(SCENE, company, events[0])


def test_companies_without_facts_and_foreign_filers(client: httpx.Client) -> None:
    path = f"/data.sec.gov/api/xbrl/companyfacts/CIK{one('no_facts').padded}.json"
    assert client.get(path).status_code == 404
    path = f"/data.sec.gov/api/xbrl/companyfacts/CIK{one('foreign').padded}.json"
    assert list(client.get(path).json()["facts"]) == ["ifrs-full"]


# Misbehaviour


@pytest.mark.parametrize("kind", ["hostile", "nulls", "wrong_types"])
def test_every_source_can_be_spoilt_without_breaking_the_fake(kind: str) -> None:
    filing = next(one for one in filings(SCENE, SOME) if one.form == "10-K")
    paths = [
        *SEC_PATHS,
        f"/data.sec.gov/api/xbrl/companyfacts/CIK{SOME.padded}.json",
        f"/www.sec.gov{filing.path(SOME)}",
        f"/www.wikidata.org/wiki/Special:EntityData/{SOME.qid}.json",
        f"/api.gleif.org/api/v1/lei-records?filter[lei]={SOME.lei}",
    ]
    headers = {"User-Agent": AGENT}
    with FakeWorld() as world:
        plain = [httpx.get(f"{world.url}{path}", headers=headers) for path in paths]
        world.add_faults([Fault(kind=kind)])
        spoilt = [httpx.get(f"{world.url}{path}", headers=headers) for path in paths]
    assert [answer.status_code for answer in spoilt] == [200] * len(paths)
    changed = [new.content != old.content for new, old in zip(spoilt, plain, strict=True)]
    assert sum(changed) >= 4
