"""The checks of a query about a section: accepted and rejected side by side."""

from __future__ import annotations

import pytest

from runner.benches.legal.code_checks import (
    has_rare_word,
    is_boilerplate,
    leaks_citation,
    rejection,
)
from runner.benches.legal.sources.ecfr import Section
from runner.benches.proposals import Proposal

SECTION = Section(17, "240", "240.15c3-1", "Net capital requirements for brokers", "2026-11-12")
TEXT = (
    "(a) Every broker or dealer must keep tentative net capital of not less than $1,000,000.\n"
    "(b) Haircuts on municipal debentures are 7 percent. As defined in this section, the "
    "Administrator may be notified in writing. An unencumbered dealer\u2019s haircut\u2011free "
    "reserve counts."
)


def why(query: str, span: str | None = None) -> str | None:
    return rejection(Proposal(query, None, span), section=SECTION, text=TEXT)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ('broker dealer minimum "tentative net capital"', None),
        ('deduction percent "haircuts on municipal debentures" broker', None),
        ('reserve counts "dealer\'s haircut-free reserve" broker rule', None),
        ('"municipal debentures" haircut percentage dealers', None),
        ('"tentative net capital"', "no_context"),
        ('broker "tentative net capital"', "no_context"),
        ('net "capital"', "length"),
        ("broker dealer tentative net capital minimum", "span_count"),
        ('broker "tentative net" minimum "net capital"', "span_count"),
        ('broker minimum amount "tentative', "span_count"),
        ('broker minimum amount "tentative"', "span_length"),
        (
            'broker rule amount "keep tentative net capital of not less than $1,000,000 always"',
            "span_length",
        ),
        ('broker minimum amount "tentative gross capital"', "span_not_found"),
        ('broker notice rule "as defined in this section"', "span_boilerplate"),
        ('broker notice rule "the Administrator may be"', "span_boilerplate"),
        ('broker notice rule "broker or dealer must keep"', None),
        ('17 CFR broker "tentative net capital" minimum', "citation"),
        ('C.F.R. broker "tentative net capital" minimum', "citation"),
        ('broker "tentative net capital" § 240', "citation"),
        ('broker "tentative net capital" section 15', "citation"),
        ('broker "tentative net capital" title 17', "citation"),
        ('broker "tentative net capital" 15 U.S.C. 78o', "citation"),
        ('broker 240.15c3-1 "tentative net capital" minimum', "citation"),
        ('broker 240 "tentative net capital" minimum', "citation"),
        ('rule 15c3-1 broker "tentative net capital" minimum', "citation"),
        ('broker "tentative net capital" minimum site:ecfr.gov', "operator"),
        ('broker "tentative net capital" https://ecfr.gov/x', "operator"),
        ('broker dealer minimum "tentative net capital" ' + "x" * 200, "length"),
    ],
)
def test_a_query_is_asked_only_where_nothing_speaks_against_it(
    query: str, reason: str | None
) -> None:
    assert why(query) == reason


def test_the_span_that_the_model_names_must_be_the_one_in_the_query() -> None:
    query = 'broker dealer minimum "tentative net capital"'
    assert why(query, "tentative net capital") is None
    assert why(query, "net capital") == "span_differs"


def test_a_copy_of_the_heading_is_refused() -> None:
    text = TEXT + " Net capital requirements for brokers."
    query = 'brokers requirements net "net capital requirements"'
    found = rejection(Proposal(query), section=SECTION, text=text)
    assert found in ("heading", "span_common")


@pytest.mark.parametrize(
    ("query", "is_leak"),
    [
        ("broker net capital 240.15c3-1", True),
        ("broker net capital 240.15C3-1", True),
        ("broker net capital 15c3-1", True),
        ("part 240 broker", True),
        ("240 brokers", True),
        ("2400 brokers", False),
        ("parts of a broker's capital", False),
        ("titles of brokers", False),
        ("usc film school", True),
    ],
)
def test_a_citation_leaks_in_any_form(query: str, is_leak: bool) -> None:
    assert leaks_citation(query, SECTION) is is_leak


@pytest.mark.parametrize(
    ("span", "is_common"),
    [
        ("for the purposes of this section", True),
        ("in accordance with", True),
        ("including but not limited to", True),
        ("pursuant to the requirements of this part", True),
        ("pursuant to municipal debentures", False),
        ("tentative net capital", False),
    ],
)
def test_wording_that_all_regulations_share_is_no_detail(span: str, is_common: bool) -> None:
    assert is_boilerplate(span) is is_common


@pytest.mark.parametrize(
    ("span", "is_rare"),
    [
        ("municipal debentures", True),
        ("tentative net capital", True),
        ("the other people", False),
        ("1,000,000 of 2026", False),
        ("of the water", False),
    ],
)
def test_a_span_needs_a_rare_word_of_letters(span: str, is_rare: bool) -> None:
    assert has_rare_word(span) is is_rare
