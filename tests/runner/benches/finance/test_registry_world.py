"""The suite `finance` against registries that speak over the wire, set traps and break."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from runner.benches.drops import Drops
from runner.benches.finance.companies import Listing
from runner.benches.finance.registry_facts import registry_rows
from runner.benches.finance.rows import decode_gold
from runner.benches.finance.sources.gleif import Gleif
from runner.benches.finance.sources.wikidata import Wikidata
from runner.records.queries import QueryRow
from runner.settings import Settings
from tests.fakes import FakeWorld, Fault
from tests.fakes.companies import Company, universe
from tests.fakes.scene import DEFAULT_CLOCK, Scene

UNIVERSE = universe(Scene(0, DEFAULT_CLOCK))
CEO = ("ceo", "ceo_company", "ceo_since")


async def no_sleep(_seconds: float) -> None:
    await asyncio.sleep(0)


def listing_of(company: Company) -> Listing:
    tier: Any = company.tier
    return Listing(company.cik, company.tickers, company.title, company.place, tier)


async def confirm(listing: Listing, name: str) -> bool:
    return UNIVERSE.by_cik[listing.cik].chief.name == name


def harvest(
    companies: Iterable[Company],
    *faults: Fault,
    concurrency: int = 4,
    cache: Path | None = None,
    statuses: Counter[int | None] | None = None,
) -> tuple[list[QueryRow], Drops]:
    """The rows and what was left out; `statuses` counts the answers."""

    async def run(url: str) -> list[QueryRow]:
        settings = Settings(env={"NEEDLE_CONTACT": "ops@example.org"}, gateway=url, sleep=no_sleep)
        wikidata, gleif = Wikidata(settings, cache=cache), Gleif(settings, cache=cache)
        try:
            return await registry_rows(
                [listing_of(company) for company in companies],
                wikidata=wikidata,
                gleif=gleif,
                confirm_ceo=confirm,
                now=DEFAULT_CLOCK,
                min_employee_year=DEFAULT_CLOCK.year - 1,
                concurrency=concurrency,
                drops=drops,
            )
        finally:
            await wikidata.aclose()
            await gleif.aclose()

    drops = Drops()
    with FakeWorld(faults=faults) as world:
        rows = asyncio.run(run(world.url))
        if statuses is not None:
            statuses.update(call.status for call in world.calls)
        return rows, drops


def wrong(rows: Iterable[QueryRow]) -> list[tuple[str, Any]]:
    """The rows whose gold is not what is true of the company."""
    found = []
    for row in rows:
        gold = decode_gold(row.gold)
        company = UNIVERSE.by_cik[(row.query_origin.provenance or {})["cik"]]
        truth = {
            "ceo": company.chief.name,
            "ceo_since": str(company.chief_since.year),
            "ceo_company": company.name,
            "founded_year": str(company.founded),
            "hq_country": company.country,
            "website": company.website,
            "employees": company.employees,
            "lei": company.lei,
            "ticker": company.tickers[0],
        }
        if gold.value != truth[gold.field]:
            found.append((row.query_text, gold.value))
    return found


def plain(count: int) -> list[Company]:
    """Companies without any trap."""
    return [company for company in UNIVERSE.companies if not company.traps][:count]


@pytest.mark.parametrize(
    ("trap", "missing", "reason"),
    [
        ("ceo_ended", (), None),
        ("ceo_gone", CEO, "ceo_not_current"),
        ("ceo_no_start", CEO, "ceo_undated"),
        ("ceo_old_confirmed", (), None),
        ("ceo_deprecated", (), None),
        ("ceo_two_open", (), None),
        ("ceo_unknown", CEO, "ceo_missing"),
        ("namesake", (), None),
        ("subsidiary_first", (), None),
        ("subsidiary_cik", (), None),
        ("no_cik", (), None),
        ("no_cik_lei", (), None),
        ("redirected", (), None),
        ("country_site", ("website",), "website_country_site"),
        ("several_sites", (), None),
        ("inception_disagrees", ("founded_year",), "founded_year_disagrees"),
        ("inception_vague", ("founded_year",), "founded_year_vague"),
        ("employees_old", ("employees",), "employees_stale"),
        ("employees_undated", ("employees",), "employees_undated"),
        ("lei_missing", (), None),
        ("lei_lapsed", ("lei",), "lei_missing"),
        ("lei_near_name", ("lei",), "lei_missing"),
        ("lei_bad_digits", (), None),
        ("country_by_city", (), None),
    ],
)
def test_each_trap_costs_its_field_and_nothing_else(
    trap: str, missing: tuple[str, ...], reason: str | None
) -> None:
    companies = [
        company
        for company in UNIVERSE.trapped(trap)
        if company.website.endswith((".com", ".net", ".io")) and len(company.tickers[0]) > 1
    ][:2]
    assert len(companies) == 2
    rows, drops = harvest(companies)
    assert wrong(rows) == []
    assert drops.counts == ({reason: 2} if reason else {})
    found = Counter(decode_gold(row.gold).field for row in rows if row.query_text[-1:] != "?")
    asked = {decode_gold(row.gold).field for row in rows}
    assert not asked & set(missing)
    assert len(asked) == 9 - len(missing)
    assert set(found.values()) == {2}


def test_a_company_without_an_item_gives_no_row() -> None:
    rows, drops = harvest(UNIVERSE.trapped("no_item")[:2])
    assert (rows, sum(drops.counts.values())) == ([], 2)
    assert set(drops.counts) <= {"entity_missing", "entity_unproven"}


def test_a_hundred_companies_give_nothing_wrong_in_any_order_of_answers() -> None:
    companies = UNIVERSE.companies[:100]
    rows, drops = harvest(companies)
    assert wrong(rows) == []
    assert len(rows) > 1_000
    again, counted = harvest(companies, concurrency=1)
    assert (again, counted.counts, counted.reasons) == (rows, drops.counts, drops.reasons)


def test_items_that_have_not_changed_come_from_the_cache(tmp_path: Path) -> None:
    first: Counter[int | None] = Counter()
    second: Counter[int | None] = Counter()
    whole = harvest(plain(5), cache=tmp_path, statuses=first)[0]
    assert harvest(plain(5), cache=tmp_path, statuses=second)[0] == whole
    assert (first[304], second[304]) == (0, 5)
    assert second.total() == first.total()


def test_the_sources_know_who_asks_and_are_asked_little() -> None:
    with FakeWorld() as world:
        settings = Settings(env={"NEEDLE_CONTACT": "ops@example.org"}, gateway=world.url)

        async def run() -> None:
            source = Wikidata(settings)
            await source.by_cik([company.cik for company in plain(50)])
            await source.names([company.qid for company in plain(50)])
            await source.aclose()

        asyncio.run(run())
        assert len(world.calls) == 2
        for call in world.calls:
            assert call.status == 200
            assert "ops@example.org" in call.headers["user-agent"]
        assert world.calls[1].query["maxlag"] == "5"


BOTH = ("*wikidata.org", "api.gleif.org")


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        ("status", {"status": 403}),
        ("status", {"status": 404}),
        ("status", {"status": 500}),
        ("rate_limit", {"retry_after": "2"}),
        ("rate_limit", {"retry_after": "soon"}),
        ("refuse", {}),
        ("reset_after_headers", {}),
        ("truncate", {}),
        ("not_json", {}),
        ("html", {"status": 200}),
        ("nulls", {}),
        ("wrong_types", {}),
        ("gzip_bomb", {}),
        ("redirect", {"to": "http://169.254.169.254/latest"}),
        ("hostile", {}),
    ],
)
def test_registries_that_break_give_fewer_rows_and_none_that_is_wrong(
    kind: str, arguments: dict[str, Any]
) -> None:
    companies = plain(6)
    whole, _ = harvest(companies)
    faults = [Fault(host=host, kind=kind, times=0, **arguments) for host in BOTH]
    rows, drops = harvest(companies, *faults)
    assert len(rows) < len(whole)
    assert sum(drops.counts.values()) > 0
    assert [each for each in wrong(rows) if kind != "hostile" or "lead as ceo" not in each[0]] == []


def test_a_hostile_label_never_gets_into_a_query() -> None:
    rows, _ = harvest(plain(6), Fault(host="*wikidata.org", kind="hostile", times=0))
    clean, _ = harvest(plain(6))
    assert {row.query_text for row in rows} <= {row.query_text for row in clean}
    assert all(row.query_text.isprintable() for row in rows)


def test_a_fault_that_passes_costs_nothing() -> None:
    companies = plain(4)
    faults = [
        Fault(host=host, kind=kind, times=2, **arguments)
        for host in BOTH
        for kind, arguments in (("status", {"status": 503}), ("rate_limit", {"retry_after": "1"}))
    ]
    assert harvest(companies, *faults)[0] == harvest(companies)[0]
