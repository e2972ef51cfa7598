"""Wikidata and GLEIF in the fake world: their shapes, their errors, and the companies' traps."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest

from tests.fakes import FakeWorld, Fault
from tests.fakes.companies import Company, universe
from tests.fakes.company_filings import filings
from tests.fakes.company_items import is_multilingual
from tests.fakes.filing_pages import visible_text
from tests.fakes.hosts.wikidata import MAXLAG_ERROR, MAXLAG_HEADERS
from tests.fakes.leis import is_valid
from tests.fakes.scene import Scene

SCENE = Scene()
SOME = universe(SCENE).companies[0]
AGENT = "needle-benchmark/1.0 (+ops@needle.example)"
API = "/www.wikidata.org/w/api.php"
LEIS = "/api.gleif.org/api/v1/lei-records"


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


def claims(client: httpx.Client, qid: str) -> dict[str, list[dict[str, Any]]]:
    answer = client.get(f"/www.wikidata.org/wiki/Special:EntityData/{qid}.json").json()
    [entity] = answer["entities"].values()
    found: dict[str, list[dict[str, Any]]] = entity["claims"]
    return found


def values(listed: list[dict[str, Any]]) -> list[Any]:
    """The plain values of statements: an id, a text, an amount or a time."""
    found = []
    for statement in listed:
        value = statement["mainsnak"]["datavalue"]["value"]
        names = ("id", "amount", "time")
        is_plain = isinstance(value, str)
        found.append(value if is_plain else next(value[name] for name in names if name in value))
    return found


def gleif(client: httpx.Client, name: str, **more: str) -> list[dict[str, Any]]:
    params = {"filter[entity.legalName]": name, "page[size]": "5", **more}
    return [record["attributes"] for record in client.get(LEIS, params=params).json()["data"]]


def items_of(client: httpx.Client, query: str) -> list[tuple[str, str]]:
    """The items and numbers of a query's bindings."""
    answer = client.get("/query.wikidata.org/sparql", params={"query": query, "format": "json"})
    return [
        (row["item"]["value"].rsplit("/", 1)[1], row["cik"]["value"])
        for row in answer.json()["results"]["bindings"]
    ]


def cik_query(*forms: str) -> str:
    listed = " ".join(f'"{form}"' for form in forms)
    return f"SELECT ?item ?cik WHERE {{ VALUES ?cik {{ {listed} }} ?item wdt:P5531 ?cik . }}"


# Wikidata


def test_the_query_service_knows_numbers_as_they_are_written_only(client: httpx.Client) -> None:
    padded, plain = (universe(SCENE).companies[number] for number in (0, 8))
    forms = (padded.padded, str(padded.cik), plain.padded, str(plain.cik))
    found = items_of(client, cik_query(*forms))
    assert found == [(padded.qid, padded.padded), (plain.qid, str(plain.cik))]


def test_the_query_service_refuses_what_it_cannot_read(client: httpx.Client) -> None:
    for query in ("", "SELECT ?x WHERE { ?x wdt:P31 ?y }", "ASK { ?i wdt:P5531 ?c }"):
        answer = client.get("/query.wikidata.org/sparql", params={"query": query, "format": "json"})
        assert (answer.status_code, "MalformedQuery" in answer.text) == (400, True)


def test_chief_executive_traps_are_in_the_items(client: httpx.Client) -> None:
    def chiefs(kind: str) -> list[dict[str, Any]]:
        return claims(client, one(kind).qid)["P169"]

    ended, now = chiefs("ceo_ended")
    assert "P582" in ended["qualifiers"]
    assert "P582" not in now["qualifiers"]
    assert values([now]) == [one("ceo_ended").chief.qid]
    assert all("P582" in statement["qualifiers"] for statement in chiefs("ceo_gone"))
    [undated] = chiefs("ceo_no_start")
    assert "qualifiers" not in undated
    for kind in ("ceo_old_confirmed", "ceo_old_replaced"):
        assert one(kind).chief_since < SCENE.clock.date() - timedelta(days=5 * 366)
    assert [s["rank"] for s in chiefs("ceo_deprecated")] == ["deprecated", "normal"]
    assert [s["rank"] for s in chiefs("ceo_two_open")] == ["normal", "preferred"]
    [unknown] = chiefs("ceo_unknown")
    assert unknown["mainsnak"]["snaktype"] == "somevalue"
    assert "datavalue" not in unknown["mainsnak"]


@pytest.mark.parametrize("form", ["10-K", "DEF 14A"])
def test_the_newest_documents_confirm_one_chief_executive_and_replace_the_other(form: str) -> None:
    for kind in ("ceo_old_confirmed", "ceo_old_replaced"):
        company = next(one for one in universe(SCENE).trapped(kind) if not one.is_foreign)
        filing = next(filing for filing in filings(SCENE, company) if filing.form == form)
        text = visible_text(SCENE, company, filing)
        assert (company.chief.name in text) == (kind == "ceo_old_confirmed")
        assert company.leader.name in text


def test_items_that_are_not_the_company_are_told_apart_by_number_or_parent(
    client: httpx.Client,
) -> None:
    def hits(company: Company) -> list[str]:
        params = {"action": "wbsearchentities", "search": company.name, "language": "en"}
        answer = client.get(API, params=params | {"format": "json", "limit": "5"}).json()
        return [hit["id"] for hit in answer["search"]]

    company = one("namesake")
    assert len(hits(company)) == 2
    numbers = [claims(client, qid)["P5531"] for qid in hits(company)]
    assert sum(int(values(found)[0]) == company.cik for found in numbers) == 1
    company = one("subsidiary_first")
    first, second = hits(company)
    assert (values(claims(client, first)["P749"]), second) == ([company.qid], company.qid)
    assert "P1278" in claims(client, first)
    company = one("subsidiary_cik")
    found = items_of(client, cik_query(company.padded, str(company.cik)))
    assert len(found) == 2
    for kind in ("no_cik", "no_cik_lei"):
        item = claims(client, one(kind).qid)
        assert "P5531" not in item
        assert ("P414" in item) == (kind == "no_cik")
    assert values(claims(client, one("no_cik_lei").qid)["P1278"]) == [one("no_cik_lei").lei]
    assert hits(one("no_item")) == []
    company = one("redirected")
    [(old, _)] = items_of(client, cik_query(company.padded, str(company.cik)))
    answer = client.get(f"/www.wikidata.org/wiki/Special:EntityData/{old}.json").json()
    assert (old != company.qid, list(answer["entities"])) == (True, [company.qid])


def test_value_traps_are_in_the_items(client: httpx.Client) -> None:
    def of(kind: str, prop: str) -> list[dict[str, Any]]:
        return claims(client, one(kind).qid).get(prop, [])

    company = one("country_site")
    assert [company.website in url for url in values(of("country_site", "P856"))] == [False]
    company = one("several_sites")
    assert [company.website in url for url in values(of("several_sites", "P856"))] == [False, True]
    assert len({time[:5] for time in values(of("inception_disagrees", "P571"))}) == 2
    [vague] = of("inception_vague", "P571")
    assert vague["mainsnak"]["datavalue"]["value"]["precision"] == 8
    [old] = of("employees_old", "P1128")
    assert values(old["qualifiers"]["P585"] and [{"mainsnak": old["qualifiers"]["P585"][0]}]) == [
        "+2011-12-31T00:00:00Z"
    ]
    [undated] = of("employees_undated", "P1128")
    assert "qualifiers" not in undated
    assert of("country_by_city", "P17") == []
    [city] = values(of("country_by_city", "P159"))
    assert values(claims(client, city)["P17"]) == ["Q30"]
    [lei] = values(of("lei_bad_digits", "P1278"))
    assert not is_valid(lei)


def test_labels_come_in_the_asked_languages_only(client: httpx.Client) -> None:
    person = next(x.chief for x in universe(SCENE).companies if is_multilingual(x.chief))
    ids = f"Q30|{person.qid}|Q999999999"

    def labels(languages: str) -> dict[str, Any]:
        params = {"action": "wbgetentities", "ids": ids, "props": "labels|aliases"}
        more = {"languages": languages, "format": "json"}
        found: dict[str, Any] = client.get(API, params=params | more).json()["entities"]
        return found

    english = labels("en")
    assert english["Q30"]["labels"]["en"]["value"] == "United States"
    assert "claims" not in english["Q30"]
    assert english[person.qid]["labels"] == {}  # this name stands under `mul` only
    assert labels("en|mul")[person.qid]["labels"]["mul"]["value"] == person.name
    assert "missing" in english["Q999999999"]


API_ERRORS = [
    ({"action": "wbsearchentities", "language": "en"}, "missingparam-search"),
    ({"action": "wbsearchentities", "search": "x", "language": "en", "limit": "51"}, "badinteger"),
    ({"action": "wbgetentities", "ids": "|".join(f"Q{n + 1}" for n in range(51))}, "toomanyvalues"),
    ({"action": "wbgetentities", "ids": "Berlin"}, "no-such-entity"),
    ({"action": "wbgetentities"}, "param-missing"),
    ({"action": "delete"}, "badvalue"),
    ({"action": "wbgetentities", "ids": "Q30", "maxlag": "-1"}, "maxlag"),
    ({"action": "wbgetentities", "ids": "Q30", "maxlag": "soon"}, "badinteger"),
]


@pytest.mark.parametrize(("params", "code"), API_ERRORS)
def test_errors_of_the_action_api_stand_inside_a_200(
    client: httpx.Client, params: dict[str, str], code: str
) -> None:
    answer = client.get(API, params=params | {"format": "json"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (200, code)
    assert answer.headers["mediawiki-api-error"] == code


def test_the_action_api_writes_html_without_a_format(client: httpx.Client) -> None:
    answer = client.get(API, params={"action": "wbgetentities", "ids": "Q30"})
    assert answer.headers["content-type"].startswith("text/html")


def test_lag_and_limits_can_be_ordered_for_wikidata() -> None:
    lag = Fault(kind="status", status=200, body=MAXLAG_ERROR, headers=MAXLAG_HEADERS, times=1)
    with FakeWorld(faults=[lag, Fault(kind="rate_limit", retry_after="5")]) as world:
        params = {"action": "wbgetentities", "ids": "Q30", "format": "json"}
        first, second = (httpx.get(f"{world.url}{API}", params=params) for _ in range(2))
    assert (first.status_code, first.json()["error"]["code"]) == (200, "maxlag")
    assert (second.status_code, second.headers["retry-after"]) == (429, "5")


# GLEIF


def test_a_record_is_found_by_its_name_in_any_case_or_by_its_identifier(
    client: httpx.Client,
) -> None:
    for name in (SOME.legal_name, SOME.legal_name.lower(), SOME.legal_name.replace(",", "")):
        assert [record["lei"] for record in gleif(client, name)] == [SOME.lei]
    answer = client.get(LEIS, params={"filter[lei]": SOME.lei})
    assert answer.headers["content-type"] == "application/vnd.api+json"
    [record] = answer.json()["data"]
    assert (record["type"], record["id"]) == ("lei-records", SOME.lei)
    assert record["attributes"]["registration"]["status"] == "ISSUED"


def test_gleif_traps_are_in_the_records(client: httpx.Client) -> None:
    company = one("lei_missing")
    assert "P1278" not in claims(client, company.qid)
    names = [record["entity"]["legalName"]["name"] for record in gleif(client, company.legal_name)]
    assert company.legal_name in names
    [lapsed] = gleif(client, one("lei_lapsed").legal_name)
    assert (lapsed["entity"]["status"], lapsed["registration"]["status"]) == ("INACTIVE", "LAPSED")
    company = one("lei_near_name")
    near = [record["entity"]["legalName"]["name"] for record in gleif(client, company.name)]
    assert near
    assert company.legal_name not in near


def test_gleif_refuses_what_it_does_not_know(client: httpx.Client) -> None:
    for params in ({"page[size]": "201"}, {"filter[name]": "x"}, {"page[number]": "0"}):
        answer = client.get(LEIS, params=params)
        assert (answer.status_code, answer.json()["errors"][0]["status"]) == (400, "400")


def test_every_identifier_of_a_page_has_right_check_digits(client: httpx.Client) -> None:
    data = client.get(LEIS, params={"page[size]": "200"}).json()
    assert data["meta"]["pagination"]["total"] > 2_600
    assert all(is_valid(record["id"]) for record in data["data"])
