"""Figures: what is read of one number, and which numbers are none."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.finance.matching.cleaning import clean
from runner.benches.finance.matching.figures import (
    NUMBER,
    Figure,
    Sign,
    beginning,
    figure_at,
)


def first(text: str) -> Figure | None:
    """The first figure of a text."""
    cleaned = clean(text)
    figures = (figure_at(cleaned, number.start()) for number in NUMBER.finditer(cleaned))
    return next((figure for figure in figures if figure is not None), None)


@pytest.mark.parametrize(
    ("text", "value", "scale"),
    [
        ("458", 458, None),
        ("1,234", 1234, None),
        ("1234.5", 1234.5, None),
        (".36", 0.36, None),
        ("$.36", 0.36, None),
        ("$1,234,567.89", 1234567.89, None),
        ("$458 million", 458, 1e6),
        ("$458-million", 458, 1e6),
        ("$458million", 458, 1e6),
        ("$458\nmillion", 458, 1e6),
        ("$458mn", 458, 1e6),
        ("$458 MM", 458, 1e6),
        ("$458M", 458, 1e6),
        ("$458M-$500M", 458, 1e6),
        ("$4.5bn", 4.5, 1e9),
        ("$4.5 B", 4.5, 1e9),
        ("$4.5 Billion", 4.5, 1e9),
        ("1.2 trillion", 1.2, 1e12),
        ("1.2tn", 1.2, 1e12),
        ("1.2T", 1.2, 1e12),
        ("17.5k", 17.5, 1e3),
        ("150 thousand", 150, 1e3),
        ("$(458) million", 458, 1e6),
        ("$20-35 billion", 20, 1e9),
        ("$20 to $35 billion", 20, 1e9),
        ("$900,000 to $2 million", 900000, None),
        ("458 M&A deals", 458, None),
        ("185808,150201", 185808, None),
        ("in 2026 2,026", 2026, None),
        ("458 - 460", 458, None),
        ("458.", 458, None),
        ("458, 460", 458, None),
        ("0.36/share", 0.36, None),
        ("2025 458", 458, None),
        ("June 30, 2026: 458", 458, None),
        ("30 June 2026: 458", 458, None),
    ],
)
def test_value_and_scale_are_read(text: str, value: float, scale: float | None) -> None:
    figure = first(text)
    assert figure is not None
    assert (figure.value, figure.scale) == (value, scale)


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("458", Sign.UNSIGNED),
        ("-458", Sign.NEGATIVE),
        ("−458", Sign.NEGATIVE),
        ("–458", Sign.NEGATIVE),
        ("-$458", Sign.NEGATIVE),
        ("$-458", Sign.NEGATIVE),
        ("$ -458", Sign.NEGATIVE),
        ("- 458", Sign.UNSIGNED),
        ("EPS - $2", Sign.UNSIGNED),
        ("Acme—458", Sign.UNSIGNED),
        ("loss--458", Sign.UNSIGNED),
        ("(458)", Sign.NEGATIVE),
        ("( 458 )", Sign.NEGATIVE),
        ("(458 | )", Sign.NEGATIVE),
        ("($458)", Sign.NEGATIVE),
        ("$(458)", Sign.NEGATIVE),
        ("$ (458 )", Sign.NEGATIVE),
        ("(-458)", Sign.NEGATIVE),
        ("$(458) million", Sign.NEGATIVE),
        ("($458 million)", Sign.EITHER),
        ("(458 million)", Sign.EITHER),
        ("($458 per share)", Sign.UNSIGNED),
        ("(about $458)", Sign.UNSIGNED),
        ("($458", Sign.NEGATIVE),  # cut by the end of the snippet
    ],
)
def test_the_written_sign_is_read(text: str, sign: Sign) -> None:
    figure = first(text)
    assert figure is not None
    assert figure.sign is sign


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("458", None),
        *(
            (f"{dollar}458", "usd")
            for dollar in ("$", "$ ", "US$", "US $", "U.S. $", "USD ", "USD")
        ),
        ("Revenue$458", "usd"),
        ("EPS$0.36", "usd"),
        *(
            (f"{other}458 million", "other")
            for other in ("€", "£", "¥", "₹", "C$", "CA$", "HK$", "A$", "NT$", "S$", "R$", "EUR ")
        ),
        *((f"{other}458 million", "other") for other in ("EUR", "RMB", "CHF ", "Rs. ", "kr ")),
        *(
            (f"458 million {other}", "other")
            for other in ("euros", "yuan", "EUR", "€", "yen", "pounds", "Canadian dollars", "won")
        ),
        ("458 crore", "other"),
        ("$458 million CAD", "other"),
        ("$458 million (€401 million)", "usd"),
        ("458 €401", None),
        ("458 US dollars", None),
    ],
)
def test_the_currency_is_read(text: str, currency: str | None) -> None:
    figure = first(text)
    assert figure is not None
    assert figure.currency == currency


@pytest.mark.parametrize(
    ("text", "digits", "unit"),
    [
        ("6,400", 4, 1.0),
        ("0.458", 3, 0.001),
        ("0.0458", 3, 0.0001),
        (".36", 2, 0.01),
        ("185.80", 5, 0.01),
        ("0", 0, 1.0),
    ],
)
def test_digits_are_counted_without_leading_zeros(text: str, digits: int, unit: float) -> None:
    figure = first(text)
    assert figure is not None
    assert (figure.digits, figure.unit) == (digits, pytest.approx(unit))


@pytest.mark.parametrize("text", ["36 cents", "36-cent", "36¢", "36 US cents"])
def test_cents_are_read(text: str) -> None:
    figure = first(text)
    assert figure is not None
    assert figure.is_cents


NO_FIGURES = """\
Q1|FY2026|H100|10-K|Form 10-K|Form 8|2025|(2025)|1987–88|2024-2025|'87|12.5%|12.5 percent
19 per cent|185 bps|185 basis points|(19)%|(19%)|19 %|12-15%|12 to 15 percent
COVID-19|A-185|F-150 truck|10x|5G|458a|1.2.3|10.0.0.1|2026-06-30|06/30/2026|9:30|555-0100
555-123-4567|(555) 123-4567|+1 555 123 4567
0001234567-26-000089|0000320193|94-1234567|12345-6789|NY 10036|page 185|p. 185|Note 5|Item 7
Exhibit 99.1|Section 13|June 30|30 June|30th June|13 weeks|12-month|90 days|5 years|185,80|18,58,08
1,2345|185.808.000|H1|24/7|#458|@458|1980's|٤٥٨|458_1|v1.5|https://example.com/458|CIK 458
123456789012345678901234567890|½|5 p.m.|Tel: 458|Suite 458|x458|458×|1ère|No. 458"""


@pytest.mark.parametrize("text", re.split(r"[|\n]", NO_FIGURES))
def test_other_numbers_are_no_figures(text: str) -> None:
    assert first(text) is None


POSITIVE = st.floats(1e-6, 1e13)


@given(POSITIVE, st.floats(-1, 1), st.sampled_from((0.001, 0.15)), st.integers(0, 12))
def test_no_number_in_the_band_is_passed_over(
    value: float, place: float, tolerance: float, power: int
) -> None:
    near = beginning((value,), tolerance)
    number = value * (1 + 0.999 * place * tolerance) / 10**power
    for written in (f"{number:.15f}", f"{number:,.15f}", f"{number:.15f}".rstrip("0")):
        # Of a tiny number fifteen decimals are so few that rounding leaves the band.
        rounded = float(written.replace(",", ""))
        if abs(rounded - number) <= 1e-3 * tolerance * number:
            assert near.match(written)


@given(st.integers(1, 10**9))
def test_a_whole_number_is_not_passed_over(number: int) -> None:
    near = beginning((number * 1e6,), 0.001)
    assert near.match(f"{number}")
    assert near.match(f"{number:,}")
    assert near.match(f"0.{number}")
    assert near.match(f".{number}")


def test_a_number_is_looked_for_at_its_beginning_only() -> None:
    near = beginning((458,), 0.001)
    assert [found.start() for found in near.finditer("1458 458 145.458 .458")] == [5, 17]
