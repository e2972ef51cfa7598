from __future__ import annotations

from datetime import date

import pytest

from runner.benches.news.checks import dates_in, is_copied, rejection, split_words

TODAY = date(2026, 11, 3)
TITLE = "Council backs plan for new ferry after long storm season"
QUERIES = {
    "harbor city ferry vote": None,
    "harbor city ferry vote november 3": None,
    "harbor city ferry vote november 5 2026": None,
    "harbor city ferry 2026": None,
    "ferry": "length",
    "a b c d e f g h i": "length",
    "x" * 201: "length",
    "ferry " + "x" * 200: "length",
    "ferry vote https://a.example": "url",
    "ferry vote www.a.example": "url",
    "ferry vote site:a.example": "operator",
    "ferry after:2026-11-01": "operator",
    'harbor "ferry vote"': "operator",
    "フェリー 投票": "not_latin",
    "élection à göteborg": None,
    "what council decided ferry": "question",
    "Why ferry vote failed": "question",
    "how ferry vote ended": "question",
    "the ferry": "bare_entity",
    "ferry ferry": "bare_entity",
    "lebron james": None,
    TITLE.lower(): "length",
    "council backs plan for new ferry": "copied",
    "Council backs plan for new ferry!": "copied",
    "plan for new ferry after long": "copied",
    "council backs plan for new": None,
    "harbor ferry vote november 6": "other_date",
    "harbor ferry vote october 31": "other_date",
    "harbor ferry vote november 1": None,
    "harbor ferry vote 3 november 2025": "other_date",
    "harbor ferry vote 2026-11-04": None,
    "harbor ferry vote 2026-12-04": "other_date",
}
DATES = {
    "vote november 3": [date(2026, 11, 3)],
    "vote Nov. 3rd, 2025": [date(2025, 11, 3)],
    "vote 3 Nov 2024": [date(2024, 11, 3)],
    "vote jan 2": [date(2027, 1, 2)],
    "vote sept 9": [date(2026, 9, 9)],
    "february 30": [],
    "2026-11-3": [date(2026, 11, 3)],
    "may 2026": [],
    "november 2026 vote": [],
    "windows 11 november": [date(2026, 11, 11)],
    "june 3.5% inflation": [],
    "marching 5 miles": [],
    "maybe 7 people": [],
    "dune 2 premiere": [],
}


@pytest.mark.parametrize("query", QUERIES)
def test_queries_pass_or_are_rejected_with_a_reason(query: str) -> None:
    assert rejection(query, [TITLE], TODAY) == QUERIES[query]


def test_the_whole_title_is_a_copy_even_when_short() -> None:
    assert rejection("firetiger joins cursor", ["Firetiger joins Cursor."], TODAY) == "copied"
    assert rejection("cursor joins firetiger", ["Firetiger joins Cursor."], TODAY) is None


def test_every_title_counts() -> None:
    titles = ["topic", "Mayor Resigns", "Mayor resigns over ferry deal"]
    assert rejection("mayor resigns", titles, TODAY) == "copied"


@pytest.mark.parametrize("text", DATES)
def test_dates_are_found_and_placed_in_the_closest_year(text: str) -> None:
    assert dates_in(text, TODAY) == DATES[text]


def test_words_lose_the_punctuation_at_their_edges() -> None:
    assert split_words("“Mayor’s” plan: GPT-5.6, (no) — 3.5%!") == [
        "mayor's",
        "plan",
        "gpt-5.6",
        "no",
        "3.5%",
    ]


def test_five_words_in_a_row_are_no_copy() -> None:
    title = split_words("one two three four five six seven")
    assert is_copied("two three four five six seven".split(), title)
    assert not is_copied("two three four five six".split(), title)
    assert not is_copied("one two three x four five six".split(), title)
