"""Each value of a company and each doubt about it, on hand-written items."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from runner.benches.finance import registry_values as values
from runner.benches.finance.companies import Listing
from runner.benches.finance.registry_proof import DoubtError
from runner.benches.finance.registry_values import Chief
from runner.benches.finance.sources.statements import Item, Names, read_item
from tests.runner.benches.finance.wikidata_json import (
    NOBODY,
    SOMEBODY,
    amount,
    claim,
    entity,
    item,
    named,
    text,
    time,
    year,
)

NOW = datetime(2026, 11, 3, 12, tzinfo=UTC)
LEI = "999300ACMEWIDGETS073"
OTHER_LEI = "999300ACMEWIDGETS170"


def thing(
    qid: str = "Q1", label: str | None = "Acme Widgets", *aliases: str, **claims: Any
) -> Item:
    found = read_item(qid, entity(qid, label, *aliases, **claims))
    assert found is not None
    return found


def outcome(call: Callable[[], Any]) -> Any:
    """The value, or the reason of the doubt."""
    try:
        return call()
    except DoubtError as doubt:
        return doubt.reason


def counted(number: int, of: int, rank: str = "normal") -> Any:
    return claim(amount(f"+{number}"), rank, P585=year(of))


@pytest.mark.parametrize(
    ("stated", "value"),
    [
        ([year(1987)], 1987),
        ([time("1987-04-01")], 1987),
        ([year(1987), time("1987-04-01"), time("1987-04-00", 10)], 1987),
        ([year(1987), claim(year(1990), "deprecated")], 1987),
        ([claim(year(1987), "preferred"), year(1990)], "founded_year_disagrees"),
        ([year(1987), time("1980-00-00", 8)], "founded_year_vague"),
        ([time("1900-00-00", 7)], "founded_year_vague"),
        ([], "founded_year_missing"),
        ([SOMEBODY], "founded_year_missing"),
        ([text("1987")], "founded_year_missing"),
        ([year(2027)], "founded_year_impossible"),
        ([year(987)], "founded_year_impossible"),
        ([year(1000)], 1000),
        ([year(2026)], 2026),
    ],
)
def test_the_year_of_foundation_is_what_all_statements_say(stated: Any, value: Any) -> None:
    assert outcome(lambda: values.founded_year(thing(P571=stated), NOW)) == value


@pytest.mark.parametrize(
    ("stated", "value"),
    [
        ([claim(amount("+17000"), P585=year(2025))], 17000),
        ([counted(9, 2024), counted(17000, 2025)], 17000),
        ([claim(amount("+17000"), P585=time("2026-06-30"))], 17000),
        ([counted(9, 2024, "preferred"), counted(7, 2025)], 7),
        ([counted(9, 2025), counted(8, 2025, "preferred")], 8),
        ([counted(9, 2025), counted(8, 2025)], "employees_disagree"),
        ([counted(9, 2025), counted(9, 2025)], 9),
        ([claim(amount("+17000"), P585=year(2024))], "employees_stale"),
        ([claim(amount("+17000"))], "employees_undated"),
        ([claim(amount("+17000"), P585=SOMEBODY)], "employees_undated"),
        ([claim(amount("+17000"), P585=time("2020-00-00", 8))], "employees_undated"),
        ([claim(amount("+5"), P585=year(2025), P518=item("Q7"))], "employees_missing"),
        ([claim(amount("+5"), "deprecated", P585=year(2025))], "employees_missing"),
        ([], "employees_missing"),
        ([SOMEBODY], "employees_missing"),
        ([claim(amount("+17000.5"), P585=year(2025))], "employees_impossible"),
        ([claim(amount("+0"), P585=year(2025))], "employees_impossible"),
        ([claim(amount("-5"), P585=year(2025))], "employees_impossible"),
        ([claim(amount("+99000000"), P585=year(2025))], "employees_impossible"),
        ([claim(amount("+5"), P585=year(2027))], "employees_impossible"),
        ([claim(amount("+5"), P585=year(2027)), claim(amount("+6"), P585=year(2026))], 6),
    ],
)  # fmt: skip
def test_the_head_count_is_the_newest_of_the_whole_company(stated: Any, value: Any) -> None:
    assert outcome(lambda: values.employees(thing(P1128=stated), 2025, NOW)) == value


PLACES = {
    "Q60": thing("Q60", P17=item("Q30")),
    "Q61": thing("Q61", P17=[item("Q30"), item("Q145")]),
    "Q62": thing("Q62"),
    "Q63": thing("Q63", P17=[claim(item("Q15180"), P582=year(1991)), item("Q159")]),
}


@pytest.mark.parametrize(
    ("claims", "value"),
    [
        ({"P17": item("Q30")}, "Q30"),
        ({"P17": [item("Q30"), claim(item("Q145"), P582=year(1999))]}, "Q30"),
        ({"P17": [claim(item("Q30"), "preferred"), item("Q145")]}, "Q30"),
        ({"P17": [item("Q30"), item("Q145")]}, "hq_country_unclear"),
        ({"P17": [item("Q30"), item("Q145")], "P159": item("Q60")}, "Q30"),
        ({"P159": item("Q60")}, "Q30"),
        ({"P159": item("Q63")}, "Q159"),
        ({"P159": item("Q61")}, "hq_country_unclear"),
        ({"P159": item("Q62")}, "hq_country_unclear"),
        ({"P159": item("Q99")}, "hq_country_unclear"),
        ({"P159": [item("Q60"), item("Q99")]}, "hq_country_unclear"),
        ({"P159": [claim(item("Q60"), P582=year(2020)), item("Q63")]}, "Q159"),
        ({"P159": claim(item("Q99"), P17=item("Q145"))}, "Q145"),
        ({"P17": item("Q30"), "P159": claim(item("Q99"), P17=item("Q30"))}, "Q30"),
        ({"P17": item("Q30"), "P159": claim(item("Q99"), P17=item("Q27"))}, "hq_country_disagrees"),
        ({}, "hq_country_missing"),
    ],
)
def test_the_country_is_the_companys_else_that_of_its_seat(claims: Any, value: str) -> None:
    assert outcome(lambda: values.hq_country(thing(**claims), PLACES)) == value


@pytest.mark.parametrize(
    ("stated", "value"),
    [
        ([text("https://www.acme.com/")], "acme.com"),
        ([claim(text("https://old.com/"), P582=year(2010)), text("https://acme.com")], "acme.com"),
        ([claim(text("https://bad.com/"), "deprecated"), text("https://acme.com")], "acme.com"),
        ([claim(text("https://a.jp"), P407=item("Q5287")), text("https://acme.com")], "acme.com"),
        ([claim(text("https://acme.com"), P407=item("Q1860"))], "acme.com"),
        ([text("https://acme.com.mx/")], "website_country_site"),
        ([text("https://linkedin.com/company/acme")], "website_shared_domain"),
        ([], "website_missing"),
        ([text("javascript:alert(1)")], "website_missing"),
    ],
)  # fmt: skip
def test_the_website_is_the_own_domain(stated: Any, value: str) -> None:
    found = outcome(lambda: values.website(thing(P856=stated), "United States"))
    assert (found if isinstance(found, str) else found.domain) == value


@pytest.mark.parametrize(
    ("stated", "value"),
    [
        ([text(LEI)], LEI),
        ([text(LEI), claim(text(OTHER_LEI), "deprecated")], LEI),
        ([text(LEI), claim(text(OTHER_LEI), P582=year(2020))], LEI),
        ([text(LEI), claim(text(OTHER_LEI), "preferred")], OTHER_LEI),
        ([text(LEI), text(LEI[:-1] + "4")], LEI),
        ([text(LEI), text(OTHER_LEI)], "lei_several"),
        ([text(LEI[:-1] + "4")], "lei_check_digits"),
        ([text("ACME")], "lei_check_digits"),
        ([], None),
    ],
)
def test_an_lei_has_right_check_digits_and_is_the_only_one(stated: Any, value: Any) -> None:
    assert outcome(lambda: values.stated_lei(thing(P1278=stated))) == value


@pytest.mark.parametrize(
    ("stated", "value"),
    [
        ([claim(item("Q7"), P580=year(2020))], [Chief("Q7", 2020)]),
        ([claim(item("Q7"), P580=time("2020-05-01"), P582=NOBODY)], [Chief("Q7", 2020)]),
        (
            [claim(item("Q6"), P582=year(2020)), claim(item("Q7"), P580=year(2020))],
            [Chief("Q7", 2020)],
        ),
        (
            [claim(item("Q7"), P580=year(2020)), claim(item("Q8"), "deprecated", P580=year(2024))],
            [Chief("Q7", 2020)],
        ),
        (
            [claim(item("Q7"), "preferred", P580=year(2020)), claim(item("Q8"), P580=year(2024))],
            [Chief("Q7", 2020)],
        ),
        (
            [claim(item("Q7"), P580=year(2020)), claim(item("Q8"), P580=year(2024)), item("Q9")],
            [Chief("Q8", 2024), Chief("Q7", 2020), Chief("Q9", 0)],
        ),
        (
            [claim(item("Q7"), P580=year(2010)), claim(item("Q7"), P580=year(2022))],
            [Chief("Q7", 2022)],
        ),
        ([claim(item("Q7"), P580=year(2010), P582=year(2020))], "ceo_not_current"),
        ([claim(item("Q7"), P580=year(2010), P582=SOMEBODY)], "ceo_not_current"),
        ([claim(item("Q7"), P580=year(2010), P1534=item("Q9"))], "ceo_not_current"),
        ([claim(item("Q7"), P580=time("2026-11-04"))], "ceo_not_current"),
        ([claim(item("Q7"), P580=time("2026-11-03"))], [Chief("Q7", 2026)]),
        ([item("Q7")], "ceo_undated"),
        ([claim(item("Q7"), P580=SOMEBODY)], "ceo_undated"),
        ([claim(item("Q7"), P585=year(2026))], "ceo_undated"),
        ([claim(item("Q7"), "preferred"), claim(item("Q8"), P580=year(2020))], "ceo_undated"),
        ([claim(text("Ann Lee"), P580=year(2020))], "ceo_undated"),
        ([], "ceo_missing"),
        ([SOMEBODY], "ceo_missing"),
        ([NOBODY], "ceo_missing"),
    ],
)  # fmt: skip
def test_a_chief_has_a_start_and_no_end(stated: Any, value: Any) -> None:
    assert outcome(lambda: values.chiefs(thing(P169=stated), NOW)) == value


def test_a_second_term_leaves_no_single_start() -> None:
    now = claim(item("Q7"), P580=year(2022))
    before = claim(item("Q7"), P580=year(2005), P582=year(2020))
    other = claim(item("Q8"), P580=year(2020), P582=year(2022))
    chief = Chief("Q7", 2022)
    assert values.only_start(thing(P169=[other, now]), chief) == 2022
    again = outcome(lambda: values.only_start(thing(P169=[before, other, now]), chief))
    assert again == "ceo_since_several"


@pytest.mark.parametrize(
    ("text", "is_name"),
    [
        ("Ann Lee", True),
        ("Josh D'Amaro", True),
        ("Josh D’Amaro", True),
        ("José Álvarez-Pérez", True),
        ("Jose\u0301 Perez", True),
        ("James D. Farley Jr.", True),
        ("James Farley, Jr.", True),
        ("J. B. Straubel", True),
        ("李 彦宏", True),
        ("Lee", False),
        ("", False),
        ("Ann  site:evil.com", False),
        ('"Ann Lee"', False),
        ("Ann Lee after:2020-01-01", False),
        ("Ann -Lee", False),
        ("Ann Lee <b>", False),
        ("Ann Lee\nignore", False),
        ("R2 D2", False),
        ("a. " * 60, False),
    ],
)
def test_a_name_that_goes_into_a_query_is_a_name(text: str, is_name: bool) -> None:
    assert values.is_person_name(text.replace("\n", "|")) == is_name


def test_a_person_without_a_full_name_is_in_doubt() -> None:
    for names in (None, Names(None), Names("Ann"), Names("Ann site:evil.com", ("Ann Lee",))):
        assert outcome(lambda names=names: values.person_names(names)) == "ceo_unnamed"
    others = ("Ann", "Annie Lee", "Ann OR Lee 2", "A. Lee", "Dr. Lee", "Lee Jr.", "Lee, Ann B.")
    names = Names("Ann Lee", others)
    assert values.person_names(names) == ["Ann Lee", "Annie Lee", "Lee, Ann B."]
    assert values.person_names(Names("J. B. Straubel")) == ["J. B. Straubel"]


def test_a_country_is_named_without_codes_and_flags() -> None:
    names = Names("Canada", ("CA", "CAN", "🇨🇦", "Dominion of Canada"))
    assert values.country_names(names) == ("Canada", ["Dominion of Canada"])
    assert outcome(lambda: values.country_names(None)) == "hq_country_unnamed"
    for label in (None, "United States | [click](javascript:x)", "Canada <b>", "C" * 81):
        assert outcome(lambda label=label: values.country_names(Names(label))) == (
            "hq_country_unnamed"
        )
    kept = values.country_names(Names("Côte d'Ivoire", ("Ivory Coast 2", "Ivory Coast")))
    assert kept == ("Côte d'Ivoire", ["Ivory Coast"])


def test_a_company_has_its_label_and_its_registered_name() -> None:
    listing = Listing(7, ("A",), "ACME WIDGETS INC /DE/", 0, None)
    found = thing("Q1", "Acme", "AW", P1448=named("Acme Widgets, Inc."))
    assert values.company_names(found, listing) == (
        "Acme",
        ["AW", "Acme Widgets, Inc.", "ACME WIDGETS INC"],
    )
    assert values.company_names(thing(label=None), listing) == ("ACME WIDGETS INC", [])
