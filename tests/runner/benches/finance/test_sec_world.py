"""The SEC suites against the fake SEC, whose companies carry every trap of the real one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, date, datetime
from typing import Any

import pytest

from runner.benches.drops import Drops
from runner.benches.fetching import SourceError
from runner.benches.finance.companies import Listing, pick_companies
from runner.benches.finance.known_filings import filing_rows
from runner.benches.finance.quarter_facts import quarter_rows
from runner.benches.finance.sources.sec import Sec
from runner.benches.proposals import span_of
from runner.errors import TooLittleError
from runner.llm.openrouter import ChatModel
from runner.records.queries import QueryRow
from runner.settings import Settings, read_settings
from tests.fakes import FakeWorld
from tests.fakes.companies import Company, Universe, universe
from tests.fakes.company_figures import SPLIT_RATIO, concepts, facts, figures
from tests.fakes.company_filings import filings, split_day
from tests.fakes.faults import Fault
from tests.fakes.filing_pages import visible_text
from tests.fakes.scene import Scene

NOW = datetime(2026, 11, 15, 10, 17, tzinfo=UTC)
SCENE = Scene(0, NOW)
FIELDS = ("net_income", "operating_income", "eps_diluted", "revenue")
KEY = "fake-OPENROUTER_API_KEY"


@pytest.fixture(scope="module")
def shared_world() -> Iterator[FakeWorld]:
    with FakeWorld(clock=NOW) as running:
        yield running


@pytest.fixture
def world(shared_world: FakeWorld) -> FakeWorld:
    shared_world.reset()
    return shared_world


@pytest.fixture(scope="module")
def companies() -> Universe:
    return universe(SCENE)


def settings(world: FakeWorld) -> Settings:
    environ = {"NEEDLE_GATEWAY": world.url, "NEEDLE_CONTACT": "ops@example.org"}
    return read_settings({**environ, "OPENROUTER_API_KEY": KEY}, lambda _: asyncio.sleep(0))


def ask(world: FakeWorld, work: Callable[[Sec, Drops], Awaitable[Any]]) -> tuple[Any, Drops]:
    """What `work` gave with a client of this world, and what was dropped."""

    async def run() -> tuple[Any, Drops]:
        drops = Drops()
        sec = Sec(settings(world), cache=None, concurrency=4, drops=drops)
        try:
            return await work(sec, drops), drops
        finally:
            await sec.aclose()

    return asyncio.run(run())


def listings_of(chosen: Sequence[Company]) -> list[Listing]:
    return [Listing(c.cik, c.tickers, c.title, c.place, c.tier) for c in chosen]  # type: ignore[arg-type]


def quarters(
    world: FakeWorld, chosen: Sequence[Company], fields: Sequence[str] = FIELDS, each: int = 99
) -> tuple[list[QueryRow], Drops]:
    def work(sec: Sec, drops: Drops) -> Awaitable[list[QueryRow]]:
        return quarter_rows(
            listings_of(chosen),
            sec=sec,
            fields=fields,
            per_company=each,
            quarters_back=6,
            seed=7,
            now=NOW,
            drops=drops,
        )

    return ask(world, work)


def gold_of(row: QueryRow) -> dict[str, Any]:
    assert row.gold is not None
    return row.gold


def true_value(companies: Universe, row: QueryRow) -> float:
    """What the company earned in the quarter that the query names, by the world's own books."""
    said = row.query_origin.provenance
    company = companies.by_cik[said["cik"]]
    (quarter,) = {
        filing.quarter
        for filing in filings(SCENE, company)
        if filing.quarter
        and (filing.quarter.label, filing.quarter.name) == (said["fy"], said["fp"])
    }
    assert said["period_end"] == quarter.end.isoformat()
    is_split = "split" in company.traps and filing_day(company, said) >= split_day(NOW)
    values = figures(SCENE.seed, company, quarter)
    return concepts(company, values, SPLIT_RATIO if is_split else 1)[said["concept"]]


def filing_day(company: Company, said: dict[str, Any]) -> date:
    return next(f.filed for f in filings(SCENE, company) if f.accession == said["accession"])


def test_every_gold_is_what_the_company_earned_in_the_quarter_that_the_query_names(
    world: FakeWorld, companies: Universe
) -> None:
    rows, drops = quarters(world, companies.companies[:60])
    assert len(rows) > 600
    for row in rows:
        assert gold_of(row)["value"] == pytest.approx(true_value(companies, row)), row.query_text
    assert {row.query_origin.provenance["fp"] for row in rows} == {"Q1", "Q2", "Q3"}
    assert set(drops.counts) <= {
        "facts_missing",
        "quarter_missing",
        "quarter_duplicate",
        "restated",
        "split_after",
    }


@pytest.mark.parametrize(
    ("trap", "field", "reason"),
    [
        ("restated", "net_income", "restated"),
        ("amended", "net_income", "restated"),
        ("split", "eps_diluted", "split_after"),
        ("foreign", "net_income", "facts_missing"),
        ("no_facts", "net_income", "facts_missing"),
    ],
)
def test_what_cannot_be_trusted_is_dropped_and_counted(
    world: FakeWorld, companies: Universe, trap: str, field: str, reason: str
) -> None:
    chosen = companies.trapped(trap)[:6]
    rows, drops = quarters(world, chosen, [field])
    assert drops.counts[reason] >= len(chosen)
    for row in rows:
        assert gold_of(row)["value"] == pytest.approx(true_value(companies, row))


def test_a_concept_that_stopped_gives_way_to_the_one_in_use(
    world: FakeWorld, companies: Universe
) -> None:
    rows, _ = quarters(world, companies.trapped("stopped_concept")[:6], ["net_income"])
    assert len(rows) >= 20
    assert {row.query_origin.provenance["concept"] for row in rows} == {"ProfitLoss"}
    assert min(row.query_origin.provenance["period_end"] for row in rows) > "2025"


def test_comparatives_and_years_to_date_are_never_taken_for_a_quarter(
    world: FakeWorld, companies: Universe
) -> None:
    for trap in ("comparative_only", "year_to_date_only"):
        rows, _ = quarters(world, companies.trapped(trap)[:6], ["operating_income"])
        for row in rows:
            assert gold_of(row)["value"] == pytest.approx(true_value(companies, row))
    parts = {row.query_origin.provenance["fp"] for row in rows}
    assert parts == {"Q1"}  # of a year to date only the first is a quarter


def test_minorities_losses_zero_and_weeks_keep_their_values(
    world: FakeWorld, companies: Universe
) -> None:
    rows, _ = quarters(world, companies.trapped("minority")[:4], ["net_income"])
    assert rows
    assert all(len(gold_of(row)["aliases"]) == 1 for row in rows)
    rows, _ = quarters(world, companies.trapped("losses")[:4], ["net_income"])
    assert sum(gold_of(row)["value"] < 0 for row in rows) > len(rows) / 2
    rows, _ = quarters(world, companies.trapped("zero_eps")[:4], ["eps_diluted"])
    assert {gold_of(row)["value"] for row in rows} == {0.0}
    rows, _ = quarters(world, companies.trapped("weeks")[:4], ["net_income"])
    assert rows
    assert {
        date.fromisoformat(row.query_origin.provenance["period_end"]).weekday() for row in rows
    } == {5}


def test_the_world_has_what_the_suite_must_not_ask_for(companies: Universe) -> None:
    """The tests above would pass in a world without traps: here they are."""
    (company, *_) = companies.trapped("restated")
    values: dict[tuple[str, str], set[float]] = {}
    for fact in facts(SCENE, company)["NetIncomeLoss"]:
        values.setdefault((fact["start"], fact["end"]), set()).add(fact["val"])
    assert any(len(each) > 1 for each in values.values())


def test_filings_of_old_years_are_found_on_their_own_page(
    world: FakeWorld, companies: Universe
) -> None:
    quarters(world, companies.companies[:3])
    assert world.count("data.sec.gov", "/submissions/*") >= 3


@pytest.mark.parametrize(
    ("trap", "is_confirmed"),
    [
        ("ceo_old_confirmed", True),
        ("ceo_old_replaced", False),
        ("ceo_gone", False),
    ],
)
def test_a_chief_of_long_ago_is_confirmed_only_by_the_companys_papers(
    world: FakeWorld, companies: Universe, trap: str, is_confirmed: bool
) -> None:
    chosen = companies.trapped(trap)[:8]

    async def work(sec: Sec, _: Drops) -> list[bool]:
        pairs = zip(listings_of(chosen), chosen, strict=True)
        return [await sec.mentions(listing, company.chief.name) for listing, company in pairs]

    verdicts, _ = ask(world, work)
    assert verdicts == [is_confirmed] * len(chosen)


def known(world: FakeWorld, concurrency: int, target: int = 15) -> tuple[list[QueryRow], Drops]:
    async def work(sec: Sec, drops: Drops) -> list[QueryRow]:
        listings = pick_companies(await sec.companies(), 3 * target, 7)
        of_world = settings(world)
        model = ChatModel(of_world, model=of_world.llm_model, key=KEY, concurrency=8, timeout_s=30)
        try:
            return await filing_rows(
                listings,
                sec=sec,
                model=model,
                target=target,
                seed=7,
                now=NOW,
                concurrency=concurrency,
                drops=drops,
            )
        finally:
            await model.aclose()

    return ask(world, work)


def test_known_filings_are_the_same_however_many_are_asked_for_at_once(world: FakeWorld) -> None:
    one, eight = known(world, 1), known(world, 8)
    assert [row.query_text for row in one[0]] == [row.query_text for row in eight[0]]
    assert one[1].counts == eight[1].counts
    assert len(one[0]) >= 10
    assert sum(one[1].counts.values()) > 10  # half of the world's replies break a rule


def test_quoted_words_stand_in_the_known_filing_and_not_in_many(
    world: FakeWorld, companies: Universe
) -> None:
    rows, _ = known(world, 8)
    quoted = [row for row in rows if row.query_origin.syntax == "quoted"]
    assert quoted
    for row in quoted:
        company = companies.by_cik[row.query_origin.provenance["cik"]]
        span = span_of(row.query_text)
        assert span
        held = [
            filing.accession
            for filing in filings(SCENE, company)
            if span.lower() in visible_text(SCENE, company, filing).lower()
        ]
        assert gold_of(row)["aliases"][0] in held
        assert len(held) <= 3


@pytest.mark.parametrize("kind", ["not_json", "html", "truncate", "refuse"])
def test_a_source_that_misbehaves_costs_rows_and_is_counted(
    world: FakeWorld, companies: Universe, kind: str
) -> None:
    world.add_faults([Fault(kind=kind, host="data.sec.gov", path="/api/*")])
    rows, drops = quarters(world, companies.companies[:5], each=2)
    assert rows == []
    assert sum(drops.counts.values()) >= 5


@pytest.mark.parametrize("kind", ["nulls", "wrong_types"])
def test_facts_of_wrong_types_are_counted_and_the_others_stay_true(
    world: FakeWorld, companies: Universe, kind: str
) -> None:
    world.add_faults([Fault(kind=kind, host="data.sec.gov")])
    rows, drops = quarters(world, companies.companies[:40])
    assert drops.counts["fact_malformed"] + drops.counts["facts_malformed"] > 5
    for row in rows:
        assert gold_of(row)["value"] == pytest.approx(true_value(companies, row))


@pytest.mark.parametrize(("status", "kind"), [(403, "forbidden"), (429, "rate_limited")])
def test_refusals_are_named(world: FakeWorld, companies: Universe, status: int, kind: str) -> None:
    world.add_faults([Fault(kind="status", status=status, host="data.sec.gov", path="/api/*")])
    rows, drops = quarters(world, companies.companies[:12], each=2)
    assert rows == []
    assert drops.counts[f"facts_{kind}"] + drops.counts["facts_missing"] == 12
    if status == 403:
        assert world.count("data.sec.gov", "/api/*") < 12  # a block is not fed


def test_hostile_documents_break_nothing(world: FakeWorld) -> None:
    world.add_faults([Fault(kind="hostile", path="/Archives/*")])
    rows, drops = known(world, 8)
    assert len(rows) + sum(drops.counts.values()) >= 40
    for row in rows:
        assert row.query_text.isprintable()


def test_a_list_past_all_bounds_ends_the_generation(world: FakeWorld) -> None:
    world.add_faults([Fault(kind="hostile", path="/files/*")])
    with pytest.raises(TooLittleError, match="BodyTooLarge"):
        ask(world, lambda sec, _: sec.companies())


def test_without_a_contact_the_sec_gives_no_list(world: FakeWorld) -> None:
    async def run() -> None:
        bare = read_settings({"NEEDLE_GATEWAY": world.url}, lambda _: asyncio.sleep(0))
        sec = Sec(bare, cache=None, concurrency=1, drops=Drops())
        try:
            with pytest.raises(SourceError):
                await sec.facts(1)
        finally:
            await sec.aclose()

    asyncio.run(run())
