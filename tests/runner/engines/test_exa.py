from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from runner.engines.exa import build_request, parse_response
from runner.engines.spec import ApiError
from tests.runner.engines.asking import ask, brief, json_with

AFTER = {"startPublishedDate": "2026-06-01T00:00:00.000Z"}
BEFORE = {"endPublishedDate": "2026-07-31T23:59:59.999Z"}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("acme plant", {"query": "acme plant"}),
        ('"acme plant" x', {"query": '"acme plant" x'}),
        ("site:a.com acme", {"query": "acme", "includeDomains": ["a.com"]}),
        ("after:2026-06-01 acme", {"query": "acme", **AFTER}),
        ("acme before:2026-07-31", {"query": "acme", **BEFORE}),
        (
            "after:2026-06-01 acme site:b.com before:2026-07-31 site:a.com",
            {"query": "acme", "includeDomains": ["b.com", "a.com"], **AFTER, **BEFORE},
        ),
        ("site:a.com", {"query": "a.com", "includeDomains": ["a.com"]}),
        ("after:2026-06-01", {"query": "after:2026-06-01", **AFTER}),
        ("東京 café", {"query": "東京 café"}),
        ("w " * 2000, {"query": ("w " * 2000).strip()}),
    ],
)
def test_operators_become_fields(query: str, expected: dict[str, Any]) -> None:
    request = build_request(ask(query, mode="lite"))
    assert request.json == expected | {
        "numResults": 10,
        "type": "lite",
        "contents": {"highlights": {"maxCharacters": 2000}},
    }
    assert (request.method, request.url) == ("POST", "https://api.exa.ai/search")
    assert request.headers == {"x-api-key": "k"}


def test_no_more_than_1200_domains_are_sent() -> None:
    query = " ".join(f"site:h{n}.com" for n in range(1300))
    assert len(build_request(ask(query)).json["includeDomains"]) == 1200


@pytest.mark.parametrize(
    ("budget", "contents"),
    [
        (0, {"text": True}),
        (500, {"highlights": {"maxCharacters": 500}}),
        (2000, {"highlights": {"maxCharacters": 2000}}),
        (20_000, {"highlights": {"maxCharacters": 20_000}}),
    ],
)
def test_the_budget_asks_for_highlights_or_for_the_text(budget: int, contents: object) -> None:
    assert build_request(ask(snippet_chars=budget)).json["contents"] == contents


@pytest.mark.parametrize(("wanted", "sent"), [(0, 1), (1, 1), (100, 100), (101, 100)])
def test_the_number_of_results_is_clamped(wanted: int, sent: int) -> None:
    assert build_request(ask(num_results=wanted)).json["numResults"] == sent


URL = "https://a.example"


@pytest.mark.parametrize(
    ("hit", "expected"),
    [
        ({"url": URL, "title": "T", "publishedDate": "2026-10-01T00:00:00.000Z",
          "highlights": ["one", "two"]}, [(URL, "T", "one\ntwo", "2026-10-01T00:00:00.000Z")]),
        ({"url": URL, "highlights": [], "text": "t", "summary": "s"}, [(URL, None, "t", None)]),
        ({"url": URL, "highlights": None, "summary": "s"}, [(URL, None, "s", None)]),
        ({"url": URL, "highlights": ["a", None, 3, "", "b"]}, [(URL, None, "a\nb", None)]),
        ({"url": URL, "highlights": "x", "text": 7}, [(URL, None, None, None)]),
        ({"id": URL, "title": "T"}, []),
        ({"url": None}, []),
    ],
)  # fmt: skip
def test_a_hit_of_any_shape(hit: dict[str, Any], expected: list[Any]) -> None:
    assert brief(parse_response({"results": [hit, None, 3]}, ask())) == expected


@pytest.mark.parametrize("body", [{}, {"results": []}, {"results": None}, [], None, 3, "x"])
def test_an_answer_without_results_is_empty(body: Any) -> None:
    assert parse_response(body, ask()) == []


def test_an_error_in_the_answer_is_an_error() -> None:
    with pytest.raises(ApiError, match="overloaded"):
        parse_response({"requestId": "r", "error": "overloaded", "tag": "X"}, ask())


@given(json_with("results", "url", "title", "highlights", "text", "summary", "publishedDate"))
def test_no_json_breaks_it(body: Any) -> None:
    assert all(result.url for result in parse_response({"results": [body, body]}, ask()))
    assert isinstance(parse_response({"results": body}, ask()), list)
