"""Which item is the company: number, ticker and name must not contradict each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from runner.benches.finance import registry_proof as proof
from runner.benches.finance.companies import Listing
from runner.benches.finance.registry_proof import DoubtError
from runner.benches.finance.sources.statements import Item, read_item
from tests.runner.benches.finance.wikidata_json import (
    NOBODY,
    claim,
    entity,
    item,
    named,
    text,
    year,
)

ACME = Listing(1234567, ("ACMW", "ACMW-B"), "ACME WIDGETS INC", 12, "mega")
LEI = "999300ACMEWIDGETS073"


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


def listed(*tickers: str, **qualifiers: Any) -> list[Any]:
    return [claim(item("Q13677"), P249=text(ticker), **qualifiers) for ticker in tickers]


@pytest.mark.parametrize(
    ("claims", "holds", "has_other"),
    [
        ({"P5531": text("0001234567")}, True, False),
        ({"P5531": text("1234567")}, True, False),
        ({"P5531": [text("7"), text("0001234567")]}, True, False),
        ({"P5531": text("0001234568")}, False, True),
        ({"P5531": text("CIK1234567")}, False, True),
        ({"P5531": claim(text("0001234567"), "deprecated")}, False, False),
        ({"P5531": claim(text("0001234567"), P582=year(2019))}, False, False),
        ({}, False, False),
    ],
)
def test_an_item_has_the_number_in_either_form(claims: Any, holds: bool, has_other: bool) -> None:
    found = thing(**claims)
    assert proof.holds_cik(found, ACME.cik) == holds
    assert proof.has_other_cik(found, ACME.cik) == has_other


@pytest.mark.parametrize(
    ("symbols", "shares"),
    [
        (("ACMW",), True),
        (("OTHR", "acmw"), True),
        (("ACMW.B",), True),
        (("ACMW/B",), True),
        (("ACM",), False),
        ((), False),
    ],
)
def test_a_ticker_agrees_whatever_its_class_separator(
    symbols: tuple[str, ...], shares: bool
) -> None:
    assert proof.shares_ticker(thing(P414=listed(*symbols)), ACME) == shares
    assert proof.shares_ticker(thing(P249=[text(each) for each in symbols]), ACME) == shares
    assert not proof.shares_ticker(thing(P414=listed(*symbols, P582=year(2020))), ACME)


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (thing(), None),
        (thing(label="ACME"), None),
        (thing("Q1", "AWI", "Acme Widgets Incorporated"), None),
        (thing(label="AWI", P1448=named("Acme Widgets, Inc.")), None),
        (thing(label=None, P414=listed("ACMW")), None),
        (thing(label="Bestco", P414=listed("ACMW")), None),
        (thing(P749=item("Q2"), P414=listed("ACMW")), None),
        (thing(P749=claim(item("Q2"), P582=year(2010))), None),
        (thing(P749=item("Q1")), None),
        (thing(P749=item("Q2")), "entity_subsidiary"),
        (thing(P31=item("Q658255")), "entity_subsidiary"),
        (thing(label="Bestco"), "entity_name_disagrees"),
        (thing(label="The Inc. Company"), "entity_name_disagrees"),
        (thing(label=None), "entity_name_disagrees"),
        (thing(P576=year(2020)), "entity_dissolved"),
        (thing(P576=year(2020), P414=listed("ACMW")), "entity_dissolved"),
        (thing(P576=NOBODY), None),
    ],
)
def test_an_item_with_the_number_may_still_not_be_the_company(
    made: Item, reason: str | None
) -> None:
    assert outcome(lambda: proof.check_company(made, ACME)) == reason


CIK = {"P5531": text("0001234567")}


@pytest.mark.parametrize(
    ("items", "chosen"),
    [
        ([thing(**CIK)], "Q1"),
        ([thing(**CIK), thing("Q2", **CIK, P749=item("Q1"))], "Q1"),
        ([thing("Q2", **CIK, P749=item("Q1")), thing(**CIK)], "Q1"),
        ([thing("Q2", **CIK), thing(**CIK, P414=listed("ACMW"))], "Q1"),
        ([thing("Q2", **CIK), thing(**CIK)], "entity_ambiguous"),
        ([thing(P5531=text("7"))], "entity_cik_disagrees"),
        ([thing(**CIK, P749=item("Q2"))], "entity_subsidiary"),
        ([], "entity_missing"),
    ],
)
def test_one_item_is_the_company_or_none(items: list[Item], chosen: str) -> None:
    found = outcome(lambda: proof.choose_item(items, ACME))
    assert (found.qid if isinstance(found, Item) else found) == chosen


@pytest.mark.parametrize(
    ("made", "is_one"),
    [
        (thing(P31=item("Q891723")), True),
        (thing(P31=item("Q5"), P1278=text(LEI)), True),
        (thing(P414=listed("X")), True),
        (thing(P31=item("Q5")), False),
        (thing(), False),
    ],
)
def test_a_company_has_the_class_or_the_marks_of_one(made: Item, is_one: bool) -> None:
    assert proof.is_company(made) == is_one
