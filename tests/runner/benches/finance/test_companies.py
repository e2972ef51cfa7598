"""The company list: one company a CIK, tiers by row, names as people type them."""

from __future__ import annotations

from typing import Any

import pytest

from runner.benches.drops import Drops
from runner.benches.finance.companies import (
    LEADERS,
    MAX_TITLE_CHARS,
    Listing,
    clean_title,
    parse_companies,
    pick_companies,
    query_name,
)
from runner.errors import TooLittleError


def row(cik: Any, ticker: Any = "ACMW", title: Any = "Acme Widgets Inc.") -> dict[str, Any]:
    return {"cik_str": cik, "ticker": ticker, "title": title}


def document(*rows: Any) -> dict[str, Any]:
    """A list that begins with a leader, then the rows."""
    leader = row(320193, "AAPL", "Apple Inc.")
    return {str(i): each for i, each in enumerate([leader, *rows])}


def many(count: int) -> list[Listing]:
    """A list of so many companies behind the leader."""
    rows = [row(1000 + i, f"T{i}", f"Company {i} Inc.") for i in range(count)]
    return parse_companies(document(*rows), Drops())


def test_share_classes_of_one_company_are_one_listing_at_the_place_of_the_first() -> None:
    drops = Drops()
    listings = parse_companies(
        document(row(7, "ACM-A"), row(8, "BOLT", "Bolt Corp"), row(7, "ACM-B"), row(7, "ACM-A")),
        drops,
    )
    assert [(each.cik, each.tickers, each.place) for each in listings] == [
        (320193, ("AAPL",), 0),
        (7, ("ACM-A", "ACM-B"), 1),
        (8, ("BOLT",), 2),
    ]
    assert not drops.counts


@pytest.mark.parametrize(
    ("place", "tier"),
    [
        (99, "mega"),
        (100, "large"),
        (499, "large"),
        (500, "mid"),
        (2499, "mid"),
        (2500, None),
    ],
)
def test_the_tier_follows_the_row(place: int, tier: str | None) -> None:
    (found,) = [each for each in many(2501) if each.place == place]
    assert found.tier == tier


def test_a_row_of_another_shape_is_counted_and_keeps_its_place() -> None:
    bad = [
        None,
        7,
        [],
        {},
        row(True),
        row(-1),
        row(0),
        row(10**10),
        row(7.0),
        row("x"),
        row(None),
        row(7, ticker=None),
        row(7, ticker=""),
        row(7, ticker="no ticker"),
        row(7, title=None),
        row(7, title="  "),
        row(7, title="..."),
        row(7, title="x" * (MAX_TITLE_CHARS + 1)),
    ]
    drops = Drops()
    listings = parse_companies(document(*bad, row("9", "good", "Good Co")), drops)
    assert drops.counts == {"company_malformed": len(bad)}
    assert drops.reasons["company_malformed"].startswith("row 1 of company_tickers.json")
    assert listings[1:] == [Listing(9, ("GOOD",), "Good Co", len(bad) + 1, "mega")]


def test_a_company_with_the_name_of_a_larger_one_is_not_asked_about() -> None:
    drops = Drops()
    rows = document(
        row(7, "ACM", "Acme Corp"), row(8, "ACMI", "ACME, Inc."), row(9, "ACN", "Acme N")
    )
    listings = parse_companies(rows, drops)
    assert [each.tier for each in listings] == ["mega", "mega", None, "mega"]
    assert drops.counts == {"company_namesake": 1}


def test_rows_go_by_their_number_however_they_are_written_down() -> None:
    rows = {str(i): row(i + 1, f"T{i}") for i in range(11)} | {"0": row(320193, "AAPL")}
    shuffled = {key: rows[key] for key in sorted(rows)}
    assert parse_companies(shuffled, Drops()) == parse_companies(rows, Drops())


@pytest.mark.parametrize("leader", LEADERS)
def test_one_of_the_leaders_is_enough(leader: str) -> None:
    assert parse_companies({"0": row(1), "1": row(2, leader)}, Drops())


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"0": row(1)},
        {"fields": ["cik"], "data": []},
        {str(i): row(i + 1, f"T{i}") for i in range(100)} | {"100": row(320193, "AAPL")},
        [],
        None,
        "<html>",
    ],
)
def test_a_list_without_a_leader_in_front_ends_the_generation(wrong: Any) -> None:
    with pytest.raises(TooLittleError, match="the tiers mean nothing; the gold of before stands"):
        parse_companies(wrong, Drops())


@pytest.mark.parametrize(
    ("title", "clean", "name"),
    [
        ("Acme Widgets Inc.", "Acme Widgets Inc.", "acme widgets"),
        ("BANK OF AMERICA CORP /DE/", "BANK OF AMERICA CORP", "bank of america"),
        ("WELLS FARGO & COMPANY/MN", "WELLS FARGO & COMPANY", "wells fargo"),
        (r"US BANCORP \DE\ ", "US BANCORP", "us bancorp"),
        ("ACME CORP /NEW/ /DE/", "ACME CORP", "acme"),
        ("Arm Holdings plc /UK", "Arm Holdings plc", "arm"),
        ("Brookfield Corp /ON/", "Brookfield Corp", "brookfield"),
        ("JPMORGAN CHASE & CO", "JPMORGAN CHASE & CO", "jpmorgan chase"),
        ("Merck & Co., Inc.", "Merck & Co., Inc.", "merck"),
        ("AT&T INC.", "AT&T INC.", "at&t"),
        ("UNITEDHEALTH GROUP INC", "UNITEDHEALTH GROUP INC", "unitedhealth"),
        ("HSBC HOLDINGS PLC", "HSBC HOLDINGS PLC", "hsbc"),
        ("Banco Santander, S.A.", "Banco Santander, S.A.", "banco santander"),
        ("NOVO NORDISK A S", "NOVO NORDISK A S", "novo nordisk"),
        ("Ferrari N.V.", "Ferrari N.V.", "ferrari"),
        ("ENTERPRISE PARTNERS L.P.", "ENTERPRISE PARTNERS L.P.", "enterprise partners"),
        ("FOMENTO MEXICANO SAB DE CV", "FOMENTO MEXICANO SAB DE CV", "fomento mexicano"),
        ("Coca-Cola Company", "Coca-Cola Company", "coca-cola"),
        ("The Co Group Ltd", "The Co Group Ltd", "the co group ltd"),
        ("Group Holdings Inc", "Group Holdings Inc", "group holdings inc"),
        ("T-Mobile US, Inc.", "T-Mobile US, Inc.", "t-mobile us"),
        ("Société  Générale\u200b SA", "Société Générale SA", "société générale"),
        ("/DE/", "/DE/", "/de/"),
        ("COSTCO WHOLESALE CORP /NEW", "COSTCO WHOLESALE CORP", "costco wholesale"),
        ("AMERICA MOVIL SAB DE CV/", "AMERICA MOVIL SAB DE CV", "america movil"),
        ("Anheuser-Busch InBev SA/NV", "Anheuser-Busch InBev SA", "anheuser-busch inbev"),
        ("Novo Nordisk A/S", "Novo Nordisk A/S", "novo nordisk"),
        ("Acme AC/DC Tools Inc", "Acme AC/DC Tools Inc", "acme ac/dc tools"),
        ("AMAZON COM INC", "AMAZON COM INC", "amazon"),
        ("JD.com, Inc.", "JD.com, Inc.", "jd.com"),
        ("/", "/", "/"),
        ("", "", ""),
    ],
)
def test_names_lose_state_markers_and_closing_legal_words(
    title: str, clean: str, name: str
) -> None:
    assert clean_title(title) == clean
    assert query_name(title) == name


def test_a_pick_takes_the_same_number_of_each_tier() -> None:
    picked = pick_companies(many(2600), 100, seed=42)
    tiers = [each.tier for each in picked]
    assert (tiers.count("mega"), tiers.count("large"), tiers.count("mid")) == (34, 33, 33)
    assert len({each.cik for each in picked}) == 100


def test_a_pick_is_the_same_for_a_seed_and_another_for_the_next() -> None:
    listings = many(2600)
    assert pick_companies(listings, 30, 7) == pick_companies(listings, 30, 7)
    assert pick_companies(listings, 60, 7)[:30] == pick_companies(listings, 30, 7)
    first, second = (set(pick_companies(listings, 30, seed)) for seed in (7, 8))
    assert len(first & second) < 10


def test_other_tiers_make_up_for_one_that_is_too_small() -> None:
    picked = pick_companies(many(109), 100, seed=1)  # 100 mega, 10 large
    assert [each.tier for each in picked].count("large") == 10
    assert len(picked) == 100
    assert pick_companies([], 5, 1) == []
    assert pick_companies(many(3), 0, 1) == []


def test_drops_keep_the_first_text_of_each_reason_short_and_clean() -> None:
    drops = Drops()
    drops.add("thin", "first\u202e\n text " + "x" * 5000)
    drops.add("thin", "second")
    drops.add("fetch")
    assert drops.counts == {"thin": 2, "fetch": 1}
    assert drops.reasons["thin"].startswith("first text xxx")
    assert len(drops.reasons["thin"]) == 300
    assert "fetch" not in drops.reasons
