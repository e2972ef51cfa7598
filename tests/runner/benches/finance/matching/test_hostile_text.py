"""Texts made to be slow: each matcher's time grows with their length and no faster."""

from __future__ import annotations

import time
from types import ModuleType

import pytest

from runner.benches.finance.matching import country, domain, entity, exact_id, person, year
from runner.benches.finance.matching.question import Evidence, Question

CHARS = 40_000
BOUND_S = 3.0  # the slowest takes half a second; anything quadratic takes minutes

QUESTIONS = [
    (person, Question("ceo", ("Satya Q. Nadella", "Sundararajan Al-Nadella"))),
    (entity, Question("ceo_company", ("Bank of America Corp", "AT&T Inc", "Visa"))),
    (year, Question("founded_year", ("1975", "1911"))),
    (country, Question("hq_country", ("United States", "USA"), "BANK OF AMERICA CORP /DE/")),
    (country, Question("hq_country", ("Georgia", "China", "Republic of China"))),
    (domain, Question("website", ("acmewidgets.com", "müller.de"))),
    (exact_id, Question("ticker", ("TGT", "BRK-B"), "TARGET CORP")),
    (exact_id, Question("lei", ("A" * 20, "5299000ACMEWIDGET011"))),
]
PIECES = [
    *(
        " ",
        "A",
        "\n",
        "&",
        "<b ",
        "<b",
        "&#",
        "**",
        ". ",
        ", ",
        "-",
        "'",
        '"',
        "(",
        "(Q",
        "U.",
        "$",
    ),
    *(
        "é",
        "’",
        "e\u0301",
        "\u00ad",
        "日",
        "²",
        "\ufdfa",
        "Nadella ",
        "Nadella, ",
        "Satya ",
        "Satya Q. ",
    ),
    *('Satya "', "Satya (x", "Satya A B ", "Satya Nadellax ", "Nadella Satyax ", "Al-", "1975 "),
    *(
        "founded 1957 1975",
        "3.1975 ",
        "Bank of the ",
        "Bank of Americas ",
        "Visas ",
        "$Visa ",
        "AT & ",
    ),
    *(
        "US ",
        "JOIN US ",
        "U.S.S.",
        "United the ",
        "America Islands ",
        "Bank of America ",
        "People's ",
    ),
    *(
        "China, PA ",
        "Atlanta, Georgia ",
        "xacmewidgets.com",
        "acmewidgets.com.mx ",
        "TGT ",
        "TGT. ",
    ),
    *(
        "TGT, Target stock. ",
        "stock x. TGTX ",
        "TGT GE listed ",
        "BRK ",
        "BRK-",
        "A-",
        "A ",
        "5299000ACMEWIDGET01 ",
    ),
]


@pytest.mark.parametrize(("module", "question"), QUESTIONS)
def test_no_text_of_one_piece_over_and_over_takes_long(
    module: ModuleType, question: Question
) -> None:
    match = module.matcher(question)
    started = time.process_time()
    for piece in PIECES:
        text = (piece * CHARS)[:CHARS] if piece != "\ufdfa" else piece * 2_000
        match(Evidence(f"https://x.test/{text[:2_000]}", text))
    assert time.process_time() - started < BOUND_S
