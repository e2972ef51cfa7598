"""Quarter facts: each trap of the XBRL files, one by one, then whole companies."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from typing import Any

import pytest

from runner.benches.drops import Drops
from runner.benches.fetching import SourceError
from runner.benches.finance.quarter_facts import freshness_of, quarter_rows
from runner.benches.finance.rows import decode_gold
from runner.benches.finance.xbrl_facts import (
    Fact,
    Quarter,
    concept_facts,
    field_quarters,
    is_label_sound,
)
from runner.records.queries import QueryRow
from tests.runner.benches.finance.made_sec import (
    ACCESSIONS,
    NOW,
    PERIODS,
    Q1,
    Q2,
    Q3,
    FakeSec,
    fact,
    facts,
    filing,
    listing,
    tens_q,
)

OLDEST = date(2025, 1, 7)


def quarters(
    made: dict[str, Any], field: str = "net_income", **changes: Any
) -> tuple[list[Quarter], Drops]:
    drops = Drops()
    options = {"year_end": (12, 31), "oldest": OLDEST, **changes}
    periods = options.pop("periods", PERIODS)
    return field_quarters(field, made, periods, drops=drops, **options), drops


def ends(made: dict[str, Any], field: str = "net_income", **changes: Any) -> list[date]:
    return [each.fact.end for each in quarters(made, field, **changes)[0]]


def test_quarters_come_newest_first_with_the_label_of_their_filing() -> None:
    found, drops = quarters(facts(NetIncomeLoss=[fact(Q1, 1.0), fact(Q3, 3.0), fact(Q2, 2.0)]))
    assert [(each.label, each.fact.value) for each in found] == [
        ("q3 fiscal 2026", 3.0),
        ("q2 fiscal 2026", 2.0),
        ("q1 fiscal 2026", 1.0),
    ]
    assert not drops.counts


def test_last_years_quarter_in_this_years_filing_is_not_this_years_quarter() -> None:
    comparative = fact(date(2025, 6, 30), 99.0, accn=ACCESSIONS[Q2], fy=2026, fp="Q2")
    assert quarters(facts(NetIncomeLoss=[comparative]))[0] == []
    found, _ = quarters(facts(NetIncomeLoss=[comparative, fact(Q2, 5.0)]))
    assert [each.fact.value for each in found] == [5.0]


@pytest.mark.parametrize(
    "changes",
    [
        {"start": "2026-01-01"},  # year to date
        {"start": "2026-06-01"},  # a month
        {"start": "2026-04-22"},  # 69 days
        {"form": "10-K"},
        {"form": "10-Q/A"},
        {"fp": "FY"},
        {"fp": "Q4"},
        {"fp": None},
        {"accn": "0000000001-26-999999"},  # a filing that is not listed
        {"accn": ACCESSIONS[Q3]},  # ends before its filing's report date
    ],
)
def test_what_is_no_single_quarter_of_a_10_q_is_left_out(changes: dict[str, Any]) -> None:
    found, drops = quarters(facts(NetIncomeLoss=[{**fact(Q2), **changes}]))
    assert found == []
    assert drops.counts == {"quarter_missing": 1}


@pytest.mark.parametrize("days", [70, 91, 110])
def test_a_quarter_spans_70_to_110_days(days: int) -> None:
    start = (Q2 - timedelta(days=days)).isoformat()
    assert ends(facts(NetIncomeLoss=[fact(Q2, start=start)])) == [Q2]


def test_the_concept_with_the_newest_quarter_counts_not_the_first() -> None:
    made = facts(
        RevenueFromContractWithCustomerExcludingAssessedTax=[fact(Q1, 1.0)],
        Revenues=[fact(Q1, 7.0), fact(Q2, 8.0)],
        SalesRevenueNet=[fact(Q2, 9.0)],
    )
    found, _ = quarters(made, "revenue")
    assert [(each.fact.concept, each.fact.value) for each in found] == [
        ("Revenues", 8.0),
        ("Revenues", 7.0),
    ]


def test_a_concept_that_ended_years_ago_gives_nothing_and_is_counted_as_stale() -> None:
    old = fact(date(2012, 6, 30), 5.0, accn="0000000001-12-000001")
    periods = {**PERIODS, "0000000001-12-000001": date(2012, 6, 30)}
    found, drops = quarters(facts(NetIncomeLoss=[old]), periods=periods)
    assert found == []
    assert drops.counts == {"quarter_stale": 1}


@pytest.mark.parametrize(
    ("other", "is_kept"),
    [
        ({"val": 1001.0}, True),  # within 0.1 %
        ({"val": 1002.0}, False),
        ({"val": -1000.0}, False),
        ({"val": 1002.0, "form": "10-Q/A"}, False),
        ({"val": 1002.0, "form": "10-K", "fp": "FY", "accn": "0000000001-27-000001"}, False),
        ({"val": 2100.0, "start": "2026-01-01"}, True),  # year to date: another period
    ],
)
def test_a_value_that_another_filing_states_otherwise_is_dropped(
    other: dict[str, Any], is_kept: bool
) -> None:
    later = {**fact(Q2, accn=ACCESSIONS[Q3], fp="Q3"), **other}
    found, drops = quarters(facts(NetIncomeLoss=[fact(Q2, 1000.0), later]))
    assert [each.fact.value for each in found] == ([1000.0] if is_kept else [])
    assert drops.counts == ({} if is_kept else {"restated": 1})


def test_two_values_of_one_filing_for_one_quarter_are_dropped() -> None:
    found, drops = quarters(facts(NetIncomeLoss=[fact(Q2, 10.0), fact(Q2, 11.0)]))
    assert (found, drops.counts) == ([], {"restated": 1})


SHARES = [
    fact(date(2026, 7, 31), 1_000, accn=ACCESSIONS[Q2]),
    fact(date(2026, 10, 31), 4_000, accn=ACCESSIONS[Q3]),
]


@pytest.mark.parametrize(
    ("more", "is_kept"),
    [
        ({}, True),
        ({"split": fact(date(2026, 8, 10), 10)}, False),
        ({"split": fact(date(2026, 8, 10), 0.1)}, False),
        ({"split": fact(date(2026, 8, 10), 1)}, True),
        ({"split": fact(date(2026, 5, 10), 10)}, True),  # before the quarter's end
        ({"shares": SHARES}, False),
        ({"shares": [SHARES[0], {**SHARES[1], "val": 250}]}, False),
        ({"shares": [SHARES[0], {**SHARES[1], "val": 1_050}]}, True),
        ({"shares": SHARES[1:]}, True),  # nothing to compare with
    ],
)
def test_per_share_amounts_fall_with_a_later_split(more: dict[str, Any], is_kept: bool) -> None:
    concepts: dict[str, Any] = {"EarningsPerShareDiluted": [fact(Q2, 0.36)]}
    concepts["NetIncomeLoss"] = [fact(Q2, 36.0)]
    if "split" in more:
        concepts["StockholdersEquityNoteStockSplitConversionRatio1"] = [more["split"]]
    if "shares" in more:
        concepts["EntityCommonStockSharesOutstanding"] = more["shares"]
    made = facts(**concepts)
    found, drops = quarters(made, "eps_diluted")
    assert [each.fact.value for each in found] == ([0.36] if is_kept else [])
    assert drops.counts == ({} if is_kept else {"split_after": 1})
    assert ends(made, "net_income") == [Q2]  # money is not split


def test_net_income_with_and_without_minorities_answer_each_other() -> None:
    both = facts(
        NetIncomeLoss=[fact(Q1, 9.0), fact(Q2, 10.0)],
        ProfitLoss=[fact(Q1, 9.0), fact(Q2, 12.0), fact(Q2, 30.0, start="2026-01-01")],
    )
    found, _ = quarters(both)
    assert [(each.fact.value, each.aliases) for each in found] == [(10.0, (12.0,)), (9.0, ())]
    only = facts(NetIncomeLoss=[fact(Q1, 9.0)], ProfitLoss=[fact(Q1, 9.5), fact(Q2, 12.0)])
    found, _ = quarters(only)
    assert [(each.fact.value, each.aliases) for each in found] == [(12.0, ()), (9.5, (9.0,))]


def test_other_fields_have_no_aliases() -> None:
    made = facts(
        RevenueFromContractWithCustomerExcludingAssessedTax=[fact(Q2, 1.0)],
        Revenues=[fact(Q2, 2.0)],
    )
    assert [each.aliases for each in quarters(made, "revenue")[0]] == [()]


@pytest.mark.parametrize(
    ("end", "year_end", "label", "is_sound"),
    [
        (date(2026, 6, 30), (12, 31), (2026, "Q2"), True),
        (date(2026, 6, 30), (12, 31), (2026, "Q1"), False),
        (date(2026, 6, 30), (12, 31), (2025, "Q2"), True),  # some name years by their beginning
        (date(2026, 6, 30), (12, 31), (2027, "Q2"), False),
        (date(2026, 6, 30), (12, 31), (2024, "Q2"), False),
        (date(2025, 7, 27), (1, 31), (2026, "Q2"), True),  # the year ends in January 2026
        (date(2025, 7, 27), (1, 31), (2025, "Q2"), True),
        (date(2025, 7, 27), (1, 31), (2027, "Q2"), False),
        (date(2026, 2, 15), (8, 31), (2026, "Q2"), True),  # quarters of 12, 12, 12, 16 weeks
        (date(2026, 5, 10), (8, 31), (2026, "Q3"), True),
        (date(2026, 3, 22), (12, 27), (2026, "Q1"), True),
        (date(2026, 5, 31), (2, 29), (2027, "Q1"), True),
        (date(2026, 6, 30), None, (2026, "Q1"), True),
        (date(2026, 6, 30), None, (2027, "Q1"), True),
        (date(2026, 6, 30), None, (2028, "Q1"), False),
        (date(2026, 6, 30), None, (0, "Q1"), False),
    ],
)
def test_a_label_must_fit_the_fiscal_year(
    end: date, year_end: tuple[int, int] | None, label: tuple[int, str], is_sound: bool
) -> None:
    made = Fact("NetIncomeLoss", end, end, 1.0, "0000000001-26-000001", *label, "10-Q")
    assert is_label_sound(made, year_end) is is_sound


def test_a_doubtful_label_is_counted() -> None:
    found, drops = quarters(facts(NetIncomeLoss=[fact(Q2, fp="Q3")]))
    assert (found, drops.counts) == ([], {"label_doubtful": 1})


BAD_FACTS: list[Any] = [
    None,
    7,
    [],
    {},
    fact(val=None),
    fact(val="5"),
    fact(val=True),
    fact(val=float("nan")),
    fact(val=float("inf")),
    fact(val=1e19),
    {**fact(), "end": "2026-13-01"},
    {**fact(), "end": "9999-12-31"},
    {**fact(), "end": None},
    {**fact(), "start": "yesterday"},
    {**fact(), "start": 20260401},
    {**fact(), "accn": None},
    {**fact(), "accn": "../../etc"},
    {**fact(), "form": None},
    {**fact(), "fy": "2026"},
    {**fact(), "fp": 2},
]


@pytest.mark.parametrize("bad", BAD_FACTS)
def test_a_fact_of_another_shape_is_counted_and_the_rest_is_kept(bad: Any) -> None:
    found, drops = quarters(facts(NetIncomeLoss=[bad, fact(Q2, 5.0)]))
    assert [each.fact.value for each in found] == [5.0]
    assert drops.counts == {"fact_malformed": 1}


@pytest.mark.parametrize(
    "node",
    [None, [], 7, "x", {"NetIncomeLoss": None}, {"NetIncomeLoss": {"units": []}}],
)
def test_a_taxonomy_of_another_shape_is_no_crash(node: Any) -> None:
    drops = Drops()
    assert concept_facts({"us-gaap": node}, "us-gaap", "NetIncomeLoss", "USD", drops) == []
    assert drops.counts == {"fact_malformed": 1}


def test_a_concept_that_is_not_used_is_no_fault() -> None:
    drops = Drops()
    assert concept_facts({}, "us-gaap", "NetIncomeLoss", "USD", drops) == []
    other_unit = {"us-gaap": {"NetIncomeLoss": {"units": {"EUR": [fact()]}}}}
    assert concept_facts(other_unit, "us-gaap", "NetIncomeLoss", "USD", drops) == []
    assert not drops.counts


@pytest.mark.parametrize(
    ("days", "freshness"),
    [(7, "7d"), (8, "30d"), (31, "1y"), (366, "1y"), (367, "5y"), (1827, "5y"), (1828, "static")],
)
def test_freshness_follows_age(days: int, freshness: str) -> None:
    assert freshness_of(days) == freshness


def rows(sec: FakeSec, *listings: Any, **changes: Any) -> tuple[list[QueryRow], Drops]:
    drops = Drops()
    options = {
        "fields": ["net_income", "operating_income", "eps_diluted"],
        "per_company": 2,
        "quarters_back": 6,
        "seed": 0,
        "now": NOW,
        **changes,
    }
    made = quarter_rows(listings or [listing()], sec=sec, drops=drops, **options)
    return asyncio.run(made), drops


ALL = facts(
    NetIncomeLoss=[fact(Q1, 1e6), fact(Q2, 2e6), fact(Q3, 3e6)],
    OperatingIncomeLoss=[fact(Q1, 4e6), fact(Q2, 5e6), fact(Q3, 6e6)],
    EarningsPerShareDiluted=[fact(Q1, 0.1), fact(Q2, 0.2), fact(Q3, -0.3)],
)


def many(count: int) -> tuple[FakeSec, list[Any]]:
    listings = [listing(cik, f"Company {cik} Inc") for cik in range(1, count + 1)]
    ciks = range(1, count + 1)
    return FakeSec(dict.fromkeys(ciks, ALL), {cik: tens_q() for cik in ciks}), listings


def test_a_row_says_where_its_gold_is_from() -> None:
    sec = FakeSec({1: facts(NetIncomeLoss=[fact(Q2)])}, {1: tens_q()})
    (row,), _ = rows(sec, per_company=1, fields=["net_income"])
    assert row.query_text == "acme widgets q2 fiscal 2026 net income"
    assert row.query_id == "f7ff382fbc609cf6_2026-11-03T12"
    origin = row.query_origin
    assert (origin.bucket, origin.syntax, origin.subcategory) == (
        "filings",
        "plain",
        "filings_net_income",
    )
    assert origin.provenance == {
        "producer": "finance",
        "registry": "sec_xbrl",
        "source_url": "https://data.sec.gov/api/xbrl/companyfacts/CIK0000000001.json",
        "entity": "ACME WIDGETS INC",
        "ticker": "ACMW",
        "cik": 1,
        "concept": "NetIncomeLoss",
        "accession": ACCESSIONS[Q2],
        "fy": 2026,
        "fp": "Q2",
        "period_end": "2026-06-30",
        "age_bucket": "recent",
    }
    gold = decode_gold(row.gold)
    assert (gold.field_type, gold.value, gold.aliases) == ("money", 185_808_000.0, [])
    assert (gold.freshness_window, gold.tier) == ("1y", "mid")


def test_half_of_the_rows_put_the_companys_name_in_quotes() -> None:
    sec, listings = many(3)
    found, _ = rows(sec, *listings)
    assert [row.query_origin.syntax for row in found] == ["plain", "quoted"] * 3
    for row in found:
        is_quoted = row.query_origin.syntax == "quoted"
        assert row.query_text.startswith('"company ' if is_quoted else "company ")
        assert row.query_text.count('"') == (2 if is_quoted else 0)


def test_companies_get_different_facts_and_equal_seeds_equal_ones() -> None:
    sec, listings = many(12)
    first, _ = rows(sec, *listings)
    assert rows(sec, *listings)[0] == first
    assert rows(sec, *listings, seed=1)[0] != first
    assert len({(row.gold or {})["field"] for row in first}) == 3
    assert len(first) == 24


def test_only_the_newest_quarters_of_a_field_are_asked_for() -> None:
    sec, listings = many(8)
    found, _ = rows(sec, *listings, quarters_back=1, per_company=9)
    assert {row.query_origin.provenance["period_end"] for row in found} == {"2026-09-30"}
    assert len(found) == 24


def test_companies_without_facts_are_counted_and_the_others_go_on() -> None:
    sec, listings = many(5)
    sec.facts_of = {
        1: ALL,
        2: SourceError("forbidden", "no"),
        3: SourceError("not_found", "none"),
        4: ALL,
        5: {"us-gaap": []},
    }
    sec.submissions_of = {1: tens_q(), 2: tens_q(), 3: tens_q(), 5: tens_q()}
    sec.submissions_of = {**sec.submissions_of, 4: [filing(form="20-F")]}
    found, drops = rows(sec, *listings)
    assert {row.query_origin.provenance["cik"] for row in found} == {1}
    assert drops.counts == {"facts_forbidden": 1, "facts_missing": 2, "fact_malformed": 4} | {
        "quarter_missing": 3
    }


def test_two_companies_of_one_name_are_not_asked_the_same() -> None:
    sec, _ = many(2)
    sec.facts_of = {cik: facts(NetIncomeLoss=[fact(Q2, 5.0)]) for cik in (1, 2)}
    pair = [listing(1, "Acme Corp"), listing(2, "Acme Inc")]
    found, drops = rows(sec, *pair, per_company=1)
    assert [row.query_text for row in found] == ["acme q2 fiscal 2026 net income"]
    assert drops.counts["quarter_duplicate"] == 1
