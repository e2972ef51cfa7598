"""The checks of a query for one filing: accepted and rejected side by side."""

from __future__ import annotations

import pytest

from runner.benches.finance.filing_checks import has_name, rejection, span_fault
from runner.benches.proposals import Proposal, span_of

DOCUMENT = (
    "On September 12 Acme Widgets agreed to sell the Blue Harbor\nfacility in Tulsa to Northgate "
    "Foundry Partners for $1.25 billion. The buyer\u2019s lenders committed a twenty\u2011year "
    "loan. This report has forward-looking statements. us-gaap:BlueHarborMember 2026 2025."
)
TITLE = "ACME WIDGETS INC"


def why(query: str, span: str | None = None, evidence: str | None = None) -> str | None:
    return rejection(Proposal(query, None, span, evidence), title=TITLE, document=DOCUMENT)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ('acme sale of "blue harbor facility"', None),
        ('"Northgate Foundry Partners" acme deal', None),
        ('acme\'s "$1.25 billion" tulsa sale', None),
        ('widgets "twenty-year loan" lenders', None),
        ('acme "buyer\'s lenders committed"', None),
        ('acme "harbor"', "length"),
        (f'acme "blue harbor facility" {"x" * 200}', "length"),
        ('acme "blue harbor facility" 0000123456-26-000089', "number"),
        ('acme "blue harbor facility" 000012345626000089', "number"),
        ('acme cik 1234 "blue harbor facility"', "number"),
        ('acme file 001-12345 "blue harbor facility"', "number"),
        ('acme "blue harbor facility" https://sec.gov', "url"),
        ('acme "blue harbor facility" www.sec.gov', "url"),
        ('acme "blue harbor facility" site:sec', "operator"),
        ('acme "blue harbor facility" after:2026-01-01', "operator"),
        ("acme blue harbor facility", "span_count"),
        ('acme "blue harbor" "northgate foundry"', "span_count"),
        ('acme "blue harbor facility" 5" pipe', "span_count"),
        ('sale of "blue harbor facility"', "no_company"),
        ('"acme widgets agreed to sell"', "no_company"),
        ('acme sale "harbor" tulsa', "span_length"),
        ('acme "a b c d e f g h i" sale', "span_length"),
        ('acme "us-gaap:blueharbormember 2026" sale', "span_xbrl"),
        ('acme "blueharbormember 2026" sale', "span_xbrl"),
        ('acme "2026 2025" sale', "span_numbers"),
        ('acme "september 12" sale', "span_numbers"),
        ('acme "this report has forward-looking statements" sale', None),
        ('acme "forward-looking statements" sale', "span_boilerplate"),
        ('acme "red harbor facility" sale', "span_not_found"),
        ('acme "lue harbor facility" sale', "span_not_found"),
        ('acme "harbor blue facility" sale', "span_not_found"),
    ],
)
def test_a_query_rests_on_one_quotation_and_the_companys_name(
    query: str, reason: str | None
) -> None:
    assert why(query) == reason


def test_span_and_evidence_of_the_reply_must_agree_with_query_and_text() -> None:
    query = 'acme "blue harbor facility" sale'
    assert why(query, "Blue  Harbor Facility", "sell the Blue Harbor facility") is None
    assert why(query, "northgate foundry") == "span_differs"
    assert why(query, None, "sell the Red Harbor facility") == "evidence_not_found"


@pytest.mark.parametrize(
    "span",
    [
        "private securities litigation reform act of 1995",
        "material adverse effect",
        "internal control over financial reporting",
        "common stock, par value $0.01 per share",
        "indicate by check mark",
        "large accelerated filer",
        "chief executive officer",
        "acme widgets common stock",
        "incorporated by reference herein",
        "annual report on form 10-k",
        "fiscal year ended december 31",
        "new york stock exchange",
        "the registrant and the company",
        "net income for the three months",
        "item 1a risk factors",
        "duly authorized",
    ],
)
def test_wording_of_every_filing_is_no_detail(span: str) -> None:
    assert span_fault(span, TITLE) in ("span_boilerplate", "span_numbers")


@pytest.mark.parametrize(
    "span",
    [
        "northgate foundry partners",
        "$1.25 billion term loan",
        "jane roe as chief executive officer",
        "roe v. acme widgets",
        "model x-200 recall",
        "class b warrants of northgate",
        "tulsa terminal",
    ],
)
def test_a_named_detail_is_one(span: str) -> None:
    assert span_fault(span, TITLE) is None


@pytest.mark.parametrize(
    ("text", "title", "verdict"),
    [
        ("acme deal", "ACME WIDGETS INC", True),
        ("Widgets' deal", "ACME WIDGETS INC", True),
        ("acmeco deal", "ACME WIDGETS INC", False),
        ("coca-cola plant", "COCA COLA CO", True),
        ("cola plant", "The Coca-Cola Company", True),
        ("3m plant", "3M CO", True),
        ("at&t tower", "AT&T INC.", True),
        ("the group", "Acme Group Holdings", False),
        ("bank of the west", "BANK OF AMERICA CORP /DE/", True),
        ("it works", "It Inc", False),
        ("société plan", "Société Générale SA", True),
    ],
)
def test_a_word_of_the_common_name_tells_the_company(text: str, title: str, verdict: bool) -> None:
    assert has_name(text, title) is verdict


def test_only_a_single_closed_pair_of_marks_is_a_span() -> None:
    assert span_of('a "b c" d') == "b c"
    assert span_of('a "b c') is None
    assert span_of("a b c") is None
    assert span_of('"a" "b"') is None
