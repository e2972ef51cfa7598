from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from runner.engines.google import build_request, parse_response
from runner.engines.spec import ApiError
from tests.runner.engines.asking import ask, brief, json_with


@pytest.mark.parametrize(
    "query",
    [
        "acme plant",
        "  acme   plant ",
        'site:a.com after:2026-06-01 "acme plant" before:2026-07-31',
        "site:a.com",
        "-site:a.com acme",
        "東京 café \U0001f600",
        "w " * 2000,
    ],
)
def test_the_query_goes_out_as_it_was_written(query: str) -> None:
    for budget in (0, 500, 2000, 20_000):
        request = build_request(ask(query, snippet_chars=budget))
        assert request.json == {"q": query, "num": 10, "gl": "us", "hl": "en"}
    assert (request.method, request.url) == ("POST", "https://google.serper.dev/search")
    assert request.headers == {"X-API-KEY": "k"}


@pytest.mark.parametrize(("wanted", "sent"), [(0, 1), (10, 10), (11, 11), (100, 100), (101, 100)])
def test_the_number_of_results_is_clamped(wanted: int, sent: int) -> None:
    assert build_request(ask(num_results=wanted)).json["num"] == sent


PANEL = {"title": "Acme", "website": "https://acme.example", "description": "Maker"}
BOX = {"title": "B", "link": "https://b.example", "snippet": "bs", "answer": "ba"}
HIT = {"title": "A", "link": "https://a.example", "snippet": "s", "date": "Mar 3, 2026"}
PANEL_OUT = ("https://acme.example", "Acme", "Maker", None)
BOX_OUT = ("https://b.example", "B", "bs", None)
HIT_OUT = ("https://a.example", "A", "s", "Mar 3, 2026")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"organic": [HIT], "answerBox": BOX, "knowledgeGraph": PANEL},
         [PANEL_OUT, BOX_OUT, HIT_OUT]),
        ({"organic": [HIT, HIT]}, [HIT_OUT, HIT_OUT]),
        ({"answerBox": {"link": "https://b.example", "answer": "ba"}},
         [("https://b.example", None, "ba", None)]),
        ({"answerBox": {"answer": "ba"}, "knowledgeGraph": {"title": "Acme"}}, []),
        ({"answerBox": [BOX], "knowledgeGraph": "Acme", "organic": {"0": HIT}}, []),
        ({"organic": [None, 7, "x", {"title": "no link"}, HIT]}, [HIT_OUT]),
        ({"organic": [HIT | {"title": 7, "snippet": None, "date": {}}]},
         [("https://a.example", None, None, None)]),
        ({"organic": []}, []),
        ({"organic": None}, []),
        ({"searchParameters": {"q": "acme"}, "credits": 1}, []),
        ({}, []),
        ([], []),
        (None, []),
    ],
)  # fmt: skip
def test_panel_box_and_hits_of_any_shape(body: Any, expected: list[Any]) -> None:
    assert brief(parse_response(body, ask())) == expected


def test_an_error_in_the_answer_is_an_error() -> None:
    with pytest.raises(ApiError, match="Not enough credits"):
        parse_response({"message": "Not enough credits", "statusCode": 400}, ask())
    with pytest.raises(ApiError, match="statusCode 500"):
        parse_response({"statusCode": 500}, ask())


@given(
    json_with(
        "organic",
        "knowledgeGraph",
        "answerBox",
        "link",
        "website",
        "title",
        "snippet",
        "statusCode",
    )
)
def test_no_json_breaks_it(body: Any) -> None:
    page = {"organic": [body, body], "knowledgeGraph": body, "answerBox": body, "statusCode": body}
    assert all(result.url for result in parse_response(page, ask()))
    assert isinstance(parse_response({"organic": body}, ask()), list)
