"""Texts made to be slow: the time of a match grows with their length and no faster."""

from __future__ import annotations

import time

import pytest

from tests.runner.benches.legal.made_gold import opinion_gold, section_gold, target

CHARS = 40_000
BOUND_S = 3.0  # the slowest takes a third of a second; anything quadratic takes minutes

PIECES = [
    *(
        "1",
        "12 ",
        "1-",
        "12-3",
        "12-34 ",
        "12 - ",
        "1.",
        "1.1",
        "1.1-1",
        "1.1-",
        "1(a)",
        "(",
        "(a)",
    ),
    *("§", "§ ", "§ 1.1, ", "§ 1.1 and ", "§§", "sec. 1.1 ", "section 1", "sections "),
    *("17 CFR ", "17 CFR 1.1, ", "1.1, ", "17 CFR (", "17 CFR part 1, ", "17 CFR 1.1(a)(b)(c)-"),
    *("C", "C.", "C. F. ", "Code of Federal ", "CFR title ", "CFR title 1 ", "1 of the U.S. CFR"),
    *("§ 1.1 of title 1", "§ 1.1 of title 1, A B C D ", "of title ", "§ 1.1(a)(a)(a)(a)(a)(a) "),
    *(
        "1 U",
        "1 U.S. ",
        "1 F. ",
        "1 F. 4th ",
        "1 N.Y.S. ",
        "1 * _ ",
        "U.S. 1",
        "1 L. Ed. 2",
        "1 Cal.",
    ),
    *("23A", "23A1", "USCOURTS-", "USCOURTS-ca2-25-0090", "No. ", "25-904 riverbend", "riverbend"),
    *(
        "<sup",
        "<sup>",
        "<sup>1",
        "<b ",
        "&",
        "&#",
        "&sect;",
        "–",
        "\u00ad",
        "é",
        "日",
        "\u0301",
        "²",
        "\n",
    ),
]
URLS = [
    *(
        "title-1",
        "title1-",
        "title-1/section-",
        "title1-sec1-",
        "/title-1/section-1-",
        "section-1-1",
    ),
    *(
        "/c/F.",
        "/c/F.4th/1",
        "/opinion/",
        "/cfr/text/1/",
        "/cfr/text/1/1.1",
        "%",
        "%2",
        "%E2%80%93",
    ),
    *(
        "/link/cfr/1/1?",
        "?",
        "?section=",
        "&",
        "25-904",
        "no-25-",
        "/federal/us/1/",
        "[",
        "@",
        ":1",
    ),
]


@pytest.mark.parametrize("piece", PIECES)
def test_a_long_text_of_one_piece_is_read_in_time(piece: str) -> None:
    text = (piece * CHARS)[:CHARS]
    made = [target(opinion_gold(docket="25-904", cites=["97 F.4th 310"])), target(section_gold())]
    start = time.perf_counter()
    for each in made:
        each.match("https://x.test/", text)
        each.match("https://x.test/", text + " 25-904 riverbend §")
    assert time.perf_counter() - start < BOUND_S


@pytest.mark.parametrize("piece", URLS)
def test_a_long_address_of_one_piece_is_read_in_time(piece: str) -> None:
    made = [target(opinion_gold(docket="25-904", cites=["97 F.4th 310"])), target(section_gold())]
    start = time.perf_counter()
    for each in made:
        for begin in ("https://www.uscourts.gov/", "", "https://courtlistener.com/"):
            each.match(begin + (piece * CHARS)[:CHARS], "")
    assert time.perf_counter() - start < BOUND_S


@pytest.mark.parametrize("text", ["&#" + "9" * 6_000 + ";", "9" * 6_000, "17 CFR " + "9" * 6_000])
def test_a_number_of_thousands_of_digits_is_no_error(text: str) -> None:
    for gold in (opinion_gold(docket="25-904", cites=["97 F.4th 310"]), section_gold()):
        for url in ("https://x.test/", f"https://www.uscourts.gov/{text}.pdf?{text}"):
            assert target(gold).match(url, f"{text} Riverbend").via is None
