"""How often a table of a stranger's figures states the gold by accident.

10,000 tables of 150 figures each, with the mix of lengths that financial statements have, and as
many gold amounts, through the matcher itself. The plain rule (0.1 %, three scales, no more) is
measured on the same tables, so that the figure stands beside what it improves on.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable

import numpy as np
import pytest

from runner.benches.finance.matching.money import TOLERANCE, matcher
from runner.benches.finance.matching.question import Evidence, Question

TABLES, FIGURES = 10_000, 150
MOST = 0.01
# Shares of figures by number of digits, and of amounts in brackets.
DIGITS = {1: 0.05, 2: 0.08, 3: 0.19, 4: 0.23, 5: 0.22, 6: 0.16, 7: 0.07}
BRACKETED = 0.15
ROWS = (
    "Net revenues|Cost of revenues|Gross profit|Research and development|Selling, general and"
    " administrative|Restructuring charges|Operating income|Interest expense|Other income, net"
    "|Income before income taxes|Provision for income taxes|Net income|Cash and cash equivalents"
    "|Short-term investments|Accounts receivable, net|Inventories|Prepaid expenses|Total current"
    " assets|Property and equipment, net|Goodwill|Intangible assets, net|Total assets|Accounts"
    " payable|Accrued liabilities|Deferred revenue|Long-term debt|Total liabilities|Common stock"
    "|Additional paid-in capital|Accumulated deficit|Total stockholders' equity|Depreciation and"
    " amortization|Stock-based compensation|Purchases of property|Repurchases of common stock"
    "|Dividends paid|Weighted-average shares, diluted"
).split("|")
HEADINGS = ("", "(in thousands) ", "(in millions) ", "(in thousands, except per share data)\n")


@functools.cache
def numbers() -> tuple[tuple[int, ...], ...]:
    """Figures of the mix, their leading digits distributed as in accounts (Benford's law)."""
    rng = np.random.default_rng(20261201)
    lengths = rng.choice(list(DIGITS), size=(TABLES, FIGURES), p=list(DIGITS.values()))
    sizes = np.floor(10 ** (lengths - 1 + rng.random((TABLES, FIGURES)))).astype(np.int64)
    return tuple(map(tuple, sizes.tolist()))


@functools.cache
def golds() -> tuple[int, ...]:
    """Amounts from 1 million to 20 billion, whole thousands, half of them losses."""
    rng = np.random.default_rng(1)
    sizes = np.round(10 ** rng.uniform(6, 10.3, TABLES) / 1000) * 1000
    return tuple(int(size) for size in sizes * rng.choice((-1, 1), TABLES))


def share_by_plain_rule() -> float:
    """The share of tables with a figure in the band at one of three scales, whatever its sign."""
    figures, sizes = np.array(numbers(), dtype=float), np.abs(np.array(golds()))[:, None]
    is_hit = np.zeros(TABLES, dtype=bool)
    for factor in (1, 1e3, 1e6):
        is_hit |= (np.abs(figures * factor - sizes) <= TOLERANCE * sizes).any(axis=1)
    return float(is_hit.mean())


def cells(rng: random.Random, figures: tuple[int, ...]) -> list[str]:
    return [f"({each:,})" if rng.random() < BRACKETED else f"{each:,}" for each in figures]


def bare_table(rng: random.Random, figures: tuple[int, ...]) -> str:
    return " ".join(cells(rng, figures))


def labelled_table(rng: random.Random, figures: tuple[int, ...]) -> str:
    """Rows of four periods, as a filing has them, under a heading that may state the scale."""
    columns = cells(rng, figures)
    rows = [
        f"{ROWS[place // 4 % len(ROWS)]} $ {' '.join(columns[place : place + 4])}"
        for place in range(0, FIGURES, 4)
    ]
    return rng.choice(HEADINGS) + rng.choice(("\n", " ")).join(rows)


@pytest.mark.parametrize(
    ("table", "field"),
    [(bare_table, "net_income"), (labelled_table, "net_income"), (labelled_table, "revenue")],
)
def test_strange_tables_state_the_gold_in_one_of_a_hundred_at_most(
    table: Callable[[random.Random, tuple[int, ...]], str],
    field: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    chance = random.Random(2)
    found = sum(
        matcher(Question(field, (gold,)))(Evidence("", table(chance, figures))) is not None
        for figures, gold in zip(numbers(), golds(), strict=True)
    )
    plain = share_by_plain_rule()
    with capsys.disabled():
        print(
            f"\n{table.__name__}, {field}: false hits in {found / TABLES:.2%} of tables"
            f" ({plain:.2%} by the plain rule)"
        )
    assert plain > 0.03  # else the tables would be too easy
    assert found / TABLES <= MOST


@pytest.mark.parametrize("every", [1, 5])
def test_strange_tables_state_an_amount_a_share_in_one_of_a_hundred_at_most(
    every: int, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(7)
    found = 0
    for figures in numbers():
        gold = chance.randrange(1, 900) / 100
        # All figures or a fifth of them are ratios and prices; the text does speak of shares.
        columns = [
            f"{figure % 10_000 / 100:.2f}" if place % every == 0 else f"{figure:,}"
            for place, figure in enumerate(figures)
        ]
        text = "Earnings per share and other data. " + " ".join(columns)
        found += matcher(Question("eps_diluted", (gold,)))(Evidence("", text)) is not None
    with capsys.disabled():
        print(f"\na share, 1 of {every}: false hits in {found / TABLES:.2%} of tables")
    assert found / TABLES <= MOST
