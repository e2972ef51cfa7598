"""The suite `finance`: rows of companies that are proven, and a count of everything else."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from runner.benches.drops import Drops
from runner.benches.fetching import SourceError
from runner.benches.finance.companies import Listing
from runner.benches.finance.registry_facts import registry_rows
from runner.benches.finance.rows import decode_gold
from runner.benches.finance.sources.gleif import LeiRecord
from runner.benches.finance.sources.statements import Item, Names, read_item
from runner.records.queries import QueryRow
from tests.runner.benches.finance.wikidata_json import amount, claim, entity, item, text, year

NOW = datetime(2026, 11, 3, 12, 34, tzinfo=UTC)
LEI = "999300ACMEWIDGETS073"
OTHER_LEI = "999300ACMEWIDGETS170"
ACME = Listing(1234567, ("ACMW", "ACMW-B", "W"), "ACME WIDGETS INC /DE/", 12, "mega")
BOLT = Listing(7, ("BOLT",), "Bolt Corp", 130, "large")
NUTS = Listing(9, ("NUTS",), "Nuts & Co", 600, "mid")


def company(
    qid: str = "Q1", cik: int = ACME.cik, label: str = "Acme Widgets", **other: Any
) -> Item:
    """The item of a company with all facts, but for those given (None leaves one out)."""
    claims = {
        "P5531": text(f"{cik:010}"),
        "P169": claim(item("Q7"), P580=year(2020)),
        "P571": year(1987),
        "P17": item("Q30"),
        "P856": text("https://www.acme.com/"),
        "P1128": claim(amount("+17000"), P585=year(2025)),
        "P1278": text(LEI),
    }
    stated = {prop: snak for prop, snak in (claims | other).items() if snak is not None}
    found = read_item(qid, entity(qid, label, f"{label} Company", **stated))
    assert found is not None
    return found


NAMES = {
    "Q7": Names("Ann B. Lee", ("Ann Lee", "Annie")),
    "Q8": Names("Bob Orr"),
    "Q9": Names("Bob site:evil.com"),
    "Q30": Names("United States", ("US", "America")),
}


@dataclass
class Registries:
    """Wikidata and GLEIF in memory; `broken` is raised for an item, a call or a legal name.

    Later questions are answered first, to show that nothing hangs on the order of answers.
    """

    items: dict[str, Item] = field(default_factory=dict)
    ciks: dict[int, list[str]] = field(default_factory=dict)
    hits: dict[str, list[str]] = field(default_factory=dict)
    leis: dict[str, list[str]] = field(default_factory=dict)
    broken: dict[str, SourceError] = field(default_factory=dict)
    ceos: dict[str, Any] = field(default_factory=lambda: {"Ann B. Lee": True})
    asked: list[str] = field(default_factory=list)

    async def _answer(self, what: str) -> None:
        self.asked.append(what)
        for _ in range(max(0, 40 - 3 * len(self.asked))):
            await asyncio.sleep(0)
        if what in self.broken:
            raise self.broken[what]

    async def by_cik(self, ciks: Sequence[int]) -> dict[int, list[str]]:
        await self._answer("by_cik")
        return {cik: self.ciks[cik] for cik in ciks if cik in self.ciks}

    async def item(self, qid: str) -> Item:
        await self._answer(qid)
        if qid not in self.items:
            raise SourceError("not_found", f"{qid}: HTTP 404")
        return self.items[qid]

    async def names(self, qids: Sequence[str]) -> dict[str, Names]:
        await self._answer("names")
        return {qid: NAMES[qid] for qid in qids if qid in NAMES}

    async def search(self, name: str) -> list[str]:
        await self._answer(f"search {name}")
        return self.hits.get(name, [])

    async def records(self, legal_name: str) -> list[LeiRecord]:
        await self._answer(f"gleif {legal_name}")
        return [LeiRecord(lei, legal_name) for lei in self.leis.get(legal_name, [])]

    async def confirm(self, listing: Listing, name: str) -> bool | None:
        await self._answer(f"confirm {name}")
        answer = self.ceos.get(name, False)
        if isinstance(answer, SourceError):
            raise answer
        return answer  # type: ignore[no-any-return]


def harvest(
    world: Registries, *listings: Listing, concurrency: int = 4, use_gleif: bool = True
) -> tuple[list[QueryRow], dict[str, int], Drops]:
    """The rows, the counts of what was left out, and all about it."""
    drops = Drops()
    ended: list[None] = []
    source: Any = world
    rows = asyncio.run(
        registry_rows(
            listings,
            wikidata=source,
            gleif=source if use_gleif else None,
            confirm_ceo=world.confirm,
            now=NOW,
            min_employee_year=2025,
            concurrency=concurrency,
            drops=drops,
            progress_advance=lambda: ended.append(None),
        )
    )
    assert len(ended) == len(listings)
    return rows, dict(drops.counts), drops


def acme(**changes: Any) -> Registries:
    """A world with Acme alone."""
    return Registries(items={"Q1": company(**changes)}, ciks={ACME.cik: ["Q1"]})


def fields(rows: list[QueryRow]) -> dict[str, Any]:
    return {decode_gold(row.gold).field: decode_gold(row.gold).value for row in rows}


def test_a_company_gives_each_fact_as_keywords_and_as_a_question() -> None:
    rows, counts, _ = harvest(acme(), ACME)
    assert [(row.query_text, row.query_origin.bucket) for row in rows] == [
        ("acme widgets ceo", "finance"),
        ("who is the ceo of acme widgets?", "finance_nl"),
        ("when did ann b. lee become ceo of acme widgets?", "finance"),
        ("which company does ann b. lee lead as ceo?", "finance"),
        ("acme widgets founded year", "finance"),
        ("when was acme widgets founded?", "finance_nl"),
        ("acme widgets headquarters country", "finance"),
        ("in which country is acme widgets headquartered?", "finance_nl"),
        ("acme widgets official website", "finance"),
        ("what is the official website of acme widgets?", "finance_nl"),
        ("acme widgets number of employees", "finance"),
        ("how many people work at acme widgets?", "finance_nl"),
        ("acme widgets lei code", "finance"),
        ("what is the legal entity identifier (lei) of acme widgets?", "finance_nl"),
        ("acme widgets stock ticker symbol", "finance"),
        ("what is the stock ticker symbol of acme widgets?", "finance_nl"),
    ]
    assert counts == {}


def test_gold_and_provenance_are_complete() -> None:
    rows, _, _ = harvest(acme(), ACME)
    gold = {row.query_text: row.gold for row in rows}
    assert gold["acme widgets ceo"] == {
        "field": "ceo",
        "field_type": "person",
        "value": "Ann B. Lee",
        "aliases": ["Ann Lee"],
        "freshness_window": "1y",
        "tier": "mega",
    }
    stated = {name: decode_gold(each) for name, each in gold.items() if not name.endswith("?")}
    assert {name: (each.value, each.aliases) for name, each in stated.items()} == {
        "acme widgets ceo": ("Ann B. Lee", ["Ann Lee"]),
        "acme widgets founded year": ("1987", []),
        "acme widgets headquarters country": ("United States", ["America"]),
        "acme widgets official website": ("acme.com", ["https://www.acme.com/"]),
        "acme widgets number of employees": (17000, []),
        "acme widgets lei code": (LEI, []),
        "acme widgets stock ticker symbol": ("ACMW", ["ACMW-B"]),
    }
    since, led = (decode_gold(row.gold) for row in rows[2:4])
    assert (since.field, since.value) == ("ceo_since", "2020")
    assert (led.value, led.aliases) == (
        "Acme Widgets",
        ["Acme Widgets Company", "ACME WIDGETS INC"],
    )
    assert rows[0].query_origin.provenance == {
        "producer": "finance",
        "registry": "wikidata",
        "source_url": "https://www.wikidata.org/wiki/Q1",
        "entity": "ACME WIDGETS INC /DE/",
        "ticker": "ACMW",
        "cik": 1234567,
        "qid": "Q1",
    }
    provenance = rows[-1].query_origin.provenance
    assert provenance is not None
    assert (provenance["registry"], provenance["source_url"]) == (
        "sec",
        "https://www.sec.gov/files/company_tickers.json",
    )
    assert {row.hour_ts for row in rows} == {"2026-11-03T12:00:00+00:00"}


@pytest.mark.parametrize(
    ("changes", "lost", "reason"),
    [
        ({"P169": claim(item("Q7"), P580=year(2010), P582=year(2020))}, 3, "ceo_not_current"),
        ({"P169": item("Q7")}, 3, "ceo_undated"),
        ({"P169": None}, 3, "ceo_missing"),
        ({"P169": claim(item("Q8"), P580=year(2020))}, 3, "ceo_unconfirmed"),
        ({"P169": claim(item("Q9"), P580=year(2020))}, 3, "ceo_unnamed"),
        ({"P169": claim(item("Q10"), P580=year(2020))}, 3, "ceo_unnamed"),
        (
            {
                "P169": [
                    claim(item("Q7"), P580=year(2020)),
                    claim(item("Q7"), P580=year(2001), P582=year(2009)),
                ]
            },
            1,
            "ceo_since_several",
        ),
        ({"P571": [year(1987), year(1999)]}, 1, "founded_year_disagrees"),
        ({"P17": [item("Q30"), item("Q145")]}, 1, "hq_country_unclear"),
        ({"P17": item("Q31")}, 1, "hq_country_unnamed"),
        ({"P856": text("https://acme.com.mx/")}, 1, "website_country_site"),
        ({"P1128": claim(amount("+17000"), P585=year(2024))}, 1, "employees_stale"),
        ({"P1278": [text(LEI), text(OTHER_LEI)]}, 1, "lei_several"),
        ({"P1278": None}, 1, "lei_missing"),
        ({"P1278": text(LEI[:-1] + "9")}, 1, "lei_check_digits"),
    ],
)
def test_a_doubtful_value_is_left_out_and_counted(changes: Any, lost: int, reason: str) -> None:
    rows, counts, drops = harvest(acme(**changes), ACME)
    assert counts == {reason: 1}
    assert len(fields(rows)) == 9 - lost
    assert drops.reasons[reason].startswith("ACME WIDGETS INC")


def test_a_short_ticker_is_left_out() -> None:
    listing = Listing(ACME.cik, ("W", "ACMW"), ACME.title, 12, "mega")
    rows, counts, _ = harvest(acme(), listing)
    assert counts == {"ticker_short": 1}
    assert "ticker" not in fields(rows)


# The chief executive


@pytest.mark.parametrize(
    ("ceos", "counts"),
    [
        ({"Ann B. Lee": True}, {}),
        ({"Ann B. Lee": False, "Ann Lee": True}, {}),
        ({"Ann Lee": False}, {"ceo_unconfirmed": 1}),
        ({"Ann B. Lee": None}, {"ceo_unchecked": 1}),
        (
            {"Ann B. Lee": SourceError("forbidden", "www.sec.gov: HTTP 403")},
            {"ceo_unchecked": 1, "sec_forbidden": 1},
        ),
    ],
)
def test_a_chief_needs_a_second_source(ceos: Any, counts: Any) -> None:
    world = acme()
    world.ceos = ceos
    rows, found, _ = harvest(world, ACME)
    assert found == counts
    assert ("ceo" in fields(rows)) == (not counts)


@pytest.mark.parametrize(
    ("ceos", "second", "counts"),
    [
        ({"Ann B. Lee": True}, "Q8", {}),
        ({"Ann B. Lee": True, "Bob Orr": True}, "Q8", {"ceo_several": 1}),
        ({"Ann B. Lee": True, "Bob Orr": None}, "Q8", {"ceo_several": 1}),
        ({"Bob Orr": True}, "Q8", {"ceo_unconfirmed": 1}),
        ({"Ann B. Lee": True}, "Q9", {"ceo_unnamed": 1}),
    ],
)
def test_of_two_without_an_end_only_one_may_be_confirmed(
    ceos: Any, second: str, counts: Any
) -> None:
    world = acme(P169=[claim(item("Q7"), P580=year(2020)), claim(item(second), P580=year(2010))])
    world.ceos = ceos
    assert harvest(world, ACME)[1] == counts


def test_who_leads_two_companies_is_not_asked_for_the_company() -> None:
    world = Registries(
        items={"Q1": company(), "Q2": company("Q2", BOLT.cik, "Bolt")},
        ciks={ACME.cik: ["Q1"], BOLT.cik: ["Q2"]},
    )
    rows, counts, _ = harvest(world, ACME, BOLT)
    assert counts == {"ceo_of_several": 2}
    assert "ceo_company" not in fields(rows)


# The join


def test_the_item_of_the_number_is_taken_and_no_name_is_searched() -> None:
    world = acme()
    harvest(world, ACME)
    assert not [asked for asked in world.asked if asked.startswith("search")]


def test_a_subsidiary_with_the_number_is_not_taken_for_the_company() -> None:
    world = acme()
    world.items["Q0"] = company("Q5", label="Acme Widgets Finance", P749=item("Q1"))
    world.ciks = {ACME.cik: ["Q0", "Q1"]}
    rows, counts, _ = harvest(world, ACME)
    assert {(row.query_origin.provenance or {})["qid"] for row in rows} == {"Q1"}
    assert counts == {}


def test_a_deleted_item_does_not_hide_the_other() -> None:
    world = acme()
    world.ciks = {ACME.cik: ["Q404", "Q1"]}
    rows, counts, _ = harvest(world, ACME)
    assert (len(fields(rows)), counts) == (9, {"wikidata_not_found": 1})


LISTED = {"P414": claim(item("Q13677"), P249=text("ACMW"))}
CLASS = {"P31": item("Q891723")}


@pytest.mark.parametrize(
    ("changes", "counts"),
    [
        ({}, {}),
        ({"P5531": None, **LISTED}, {}),
        ({"P5531": None}, {"entity_unproven": 1}),
        ({"P5531": text("0000000042"), **LISTED}, {"entity_unproven": 1}),
        ({"P5531": None, "P1278": None, **CLASS}, {"entity_unproven": 1}),
        ({"P5531": None, "P1278": None, "P31": item("Q5")}, {"entity_unproven": 1}),
        ({"P5531": None, "P749": item("Q2")}, {"entity_unproven": 1}),
    ],
)
def test_a_name_alone_joins_nothing(changes: Any, counts: Any) -> None:
    world = Registries(items={"Q1": company(**changes)}, hits={"acme widgets": ["Q404", "Q1"]})
    world.items["Q404"] = company("Q404", P5531=text("0000000042"))
    rows, found, _ = harvest(world, ACME)
    assert found == counts
    assert bool(rows) == (not counts)


@pytest.mark.parametrize(
    ("leis", "counts"),
    [
        ([LEI], {}),
        ([OTHER_LEI], {"entity_unproven": 1}),
        ([LEI, OTHER_LEI], {"entity_unproven": 1}),
        ([], {"entity_unproven": 1}),
    ],
)
def test_a_name_joins_with_the_lei_that_the_register_has_under_it(leis: Any, counts: Any) -> None:
    world = Registries(
        items={"Q1": company(P5531=None)},
        hits={"acme widgets": ["Q1"]},
        leis={"ACME WIDGETS INC": leis},
    )
    assert harvest(world, ACME)[1] == counts
    assert harvest(world, ACME, use_gleif=False)[1] == {"entity_unproven": 1}


def test_a_company_without_an_item_is_counted() -> None:
    assert harvest(Registries(), ACME)[1] == {"entity_missing": 1}


def test_a_company_of_too_few_facts_gives_no_row() -> None:
    bare: dict[str, Any] = dict.fromkeys(("P169", "P571", "P17", "P856", "P1278"))
    rows, counts, drops = harvest(acme(**bare), ACME)
    assert rows == []
    assert counts.pop("company_too_few_fields") == 1
    assert sum(counts.values()) == 5
    assert "only employees, ticker" in drops.reasons["company_too_few_fields"]
    rows, counts, _ = harvest(acme(**bare | {"P571": year(1987), "P17": item("Q30")}), ACME)
    assert len(fields(rows)) == 4


def test_of_two_companies_of_one_name_only_the_larger_is_asked_for() -> None:
    twin = Listing(8, ("ACMT",), "Acme Widgets Corp", 900, "mid")
    rows, counts, _ = harvest(acme(), twin, ACME)
    assert (len(fields(rows)), counts) == (9, {"company_shares_name": 1})


def test_the_seat_tells_the_country_where_the_company_does_not() -> None:
    world = acme(P17=None, P159=item("Q60"))
    world.items["Q60"] = Item("Q60", Names("Springfield"), company().claims)
    assert fields(harvest(world, ACME)[0])["hq_country"] == "United States"
    world.broken = {"Q60": SourceError("http_error", "HTTP 500")}
    assert harvest(world, ACME)[1] == {
        "wikidata_http_error": 1,
        "hq_country_unclear": 1,
    }


# The LEI


@pytest.mark.parametrize(
    ("stated", "leis", "lei", "counts"),
    [
        (None, {"ACME WIDGETS INC": [OTHER_LEI]}, OTHER_LEI, {}),
        (None, {"Acme Widgets": [OTHER_LEI]}, OTHER_LEI, {}),
        (None, {"ACME WIDGETS INC": [LEI, OTHER_LEI]}, None, {"lei_ambiguous": 1}),
        (None, {"Bolt": [LEI]}, None, {"lei_missing": 1}),
        (text(LEI[:-1] + "9"), {"ACME WIDGETS INC": [LEI]}, LEI, {}),
        ([text(LEI), text(OTHER_LEI)], {"ACME WIDGETS INC": [LEI]}, None, {"lei_several": 1}),
        (text(LEI), {"ACME WIDGETS INC": [OTHER_LEI]}, LEI, {}),
    ],
)
def test_the_register_gives_an_lei_that_wikidata_lacks(
    stated: Any, leis: Any, lei: str | None, counts: Any
) -> None:
    world = acme(P1278=stated)
    world.leis = leis
    rows, found, _ = harvest(world, ACME)
    assert (fields(rows).get("lei"), found) == (lei, counts)


def test_the_register_is_named_as_the_source_of_its_lei() -> None:
    world = acme(P1278=None)
    world.leis = {"ACME WIDGETS INC": [LEI]}
    [row, _] = [row for row in harvest(world, ACME)[0] if (row.gold or {})["field"] == "lei"]
    provenance = row.query_origin.provenance or {}
    assert provenance["registry"] == "gleif"
    assert provenance["source_url"] == f"https://api.gleif.org/api/v1/lei-records/{LEI}"


# Sources that fail


@pytest.mark.parametrize(
    ("what", "counts", "facts"),
    [
        ("by_cik", {"wikidata_malformed": 1}, 9),
        ("Q1", {"wikidata_malformed": 1}, 0),
        (
            "names",
            {"wikidata_malformed": 1, "hq_country_unnamed": 1, "ceo_unnamed": 1},
            5,
        ),
    ],
)
def test_a_source_that_fails_costs_what_hangs_on_it(what: str, counts: Any, facts: int) -> None:
    world = acme()
    world.hits = {"acme widgets": ["Q1"]}
    world.broken = {what: SourceError("malformed", "not JSON")}
    rows, found, drops = harvest(world, ACME)
    assert (found, len(fields(rows))) == (counts, facts)
    assert drops.reasons["wikidata_malformed"] == "not JSON"


def test_a_register_that_fails_costs_the_lei_alone() -> None:
    world = acme(P1278=None)
    world.broken = {"gleif ACME WIDGETS INC": SourceError("rate_limited", "HTTP 429")}
    rows, counts, _ = harvest(world, ACME)
    assert (counts, len(fields(rows))) == ({"gleif_rate_limited": 1}, 8)


def test_one_company_that_fails_does_not_touch_the_others() -> None:
    world = Registries(
        items={"Q1": company(), "Q3": company("Q3", NUTS.cik, "Nuts", P169=None)},
        ciks={ACME.cik: ["Q1"], BOLT.cik: ["Q2"], NUTS.cik: ["Q3"]},
        broken={"Q2": SourceError("transport", "TimeoutError")},
    )
    rows, counts, _ = harvest(world, ACME, BOLT, NUTS)
    assert counts == {"wikidata_transport": 1, "ceo_missing": 1}
    ciks = [(row.query_origin.provenance or {})["cik"] for row in rows]
    assert ciks == sorted(ciks, key=[ACME.cik, NUTS.cik].index)


def test_rows_and_reasons_do_not_hang_on_the_order_of_answers() -> None:
    def made() -> Registries:
        listings = [ACME, BOLT, NUTS]
        qids = ["Q1", "Q2", "Q3"]
        return Registries(
            items={
                qid: company(qid, one.cik, one.title, P1278=None, P571=None)
                for qid, one in zip(qids, listings, strict=True)
            },
            ciks={one.cik: [qid] for qid, one in zip(qids, listings, strict=True)},
        )

    first = harvest(made(), ACME, BOLT, NUTS, concurrency=1)
    for concurrency in (2, 3, 9):
        rows, counts, drops = harvest(made(), ACME, BOLT, NUTS, concurrency=concurrency)
        assert (rows, counts, drops.reasons) == (first[0], first[1], first[2].reasons)
    assert [one.title in first[2].reasons["lei_missing"] for one in (ACME, BOLT)] == [True, False]
