"""The scales that a text states, and the figures that they cover."""

from __future__ import annotations

import pytest

from runner.benches.finance.matching.stated_scales import scale_of, stated_scales


def factor_at(text: str, figure: str) -> float | None:
    stated = scale_of(text.index(figure), stated_scales(text))
    return stated.factor if stated else None


@pytest.mark.parametrize(
    ("text", "factor"),
    [
        ("(in thousands) 458", 1e3),
        ("(in millions) 458", 1e6),
        ("(in billions) 458", 1e9),
        ("$ in millions 458", 1e6),
        ("In Millions 458", 1e6),
        ("(In thousands, except per share data) 458", 1e3),
        ("(Dollars in millions) 458", 1e6),
        ("(amounts in thousands) 458", 1e3),
        ("(in thousands of U.S. dollars) 458", 1e3),
        ("(Thousands of dollars) 458", 1e3),
        ("(Millions) 458", 1e6),
        ("US$ million 458", 1e6),
        ("US$m 458", 1e6),
        ("($m) 458", 1e6),
        ("$m 458", 1e6),
        ("($000s) 458", 1e3),
        ("(000's) 458", 1e3),
        ("in US$'000 458", 1e3),
        ("USD millions 458", 1e6),
        ("($ in mm) 458", 1e6),
        ("(in million) 458", 1e6),
        ("USDm 458", 1e6),
        ("Revenue ($B) 458", 1e9),
        ("one in million 458", None),
        ("he was in bn 458", None),
        ("458", None),
        ("$1 million and 458", None),
        ("one in a million: 458", None),
        ("in millions of homes: 458", None),
        ("thousands of people: 458", None),
        ("5,000 and 458", None),
        # A heading covers what follows, up to the next one.
        ("(in thousands) a 5,100 (in millions) b 458", 1e6),
        ("(in thousands) 458 (in millions) b 5,100", 1e3),
        # At the end it covers what is before.
        ("Net income 458 744 (in millions)", 1e6),
        ("Net income 458, in millions.", 1e6),
        ("Net income 458 (in millions). More 77", 1e6),
        ("Net income 77 (in millions). More 458", None),
        ("Staff was 458. Net income 77 (in millions)", None),
        ("a 458\nb 77\n(in millions)", 1e6),
        ("a 458\n\nb 77 (in millions)", None),
        ("(in thousands) a 77 b 458 (in millions)", 1e6),
        ("458 in 2025 (in millions) b 77", None),
        ("458 Balance sheet (in millions)", None),
        ("(in millions, except shares in thousands) 458", 1e6),
    ],
)
def test_a_figure_has_the_scale_that_covers_it(text: str, factor: float | None) -> None:
    assert factor_at(text, "458") == factor


@pytest.mark.parametrize(
    ("text", "is_dollar"),
    [
        ("(in millions)", True),
        ("($ in millions)", True),
        ("(US$ in millions)", True),
        ("(in millions of dollars)", True),
        ("(€ in millions)", False),
        ("(€ million)", False),
        ("(EUR in thousands)", False),
        ("(in millions of euros)", False),
        ("(RMB in thousands)", False),
        ("(C$ in millions)", False),
        ("(in thousands of Canadian dollars)", False),
        ("(Canadian dollars in thousands)", False),
        ("(yen in millions)", False),
    ],
)
def test_a_statement_may_be_of_another_currency(text: str, is_dollar: bool) -> None:
    (stated,) = stated_scales(text)
    assert stated.is_dollar is is_dollar
