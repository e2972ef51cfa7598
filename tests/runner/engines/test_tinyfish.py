from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from runner.engines.spec import ApiError
from runner.engines.tinyfish import build_request, parse_response
from tests.runner.engines.asking import ask, brief, json_with


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("acme plant", {"query": "acme plant"}),
        ('"acme plant" x', {"query": '"acme plant" x'}),
        ("site:a.com acme", {"query": "acme", "include_domains": "a.com"}),
        ("after:2026-06-01 acme", {"query": "acme", "after_date": "2026-06-01"}),
        ("acme before:2026-07-31", {"query": "acme", "before_date": "2026-07-31"}),
        (
            "after:2026-06-01 acme site:b.com before:2026-07-31 site:a.com",
            {
                "query": "acme",
                "include_domains": "b.com,a.com",
                "after_date": "2026-06-01",
                "before_date": "2026-07-31",
            },
        ),
        (
            "after:2026-06-01 acme before:2026-06-01",
            {"query": "acme", "after_date": "2026-06-01", "before_date": "2026-06-01"},
        ),
        ("after:2026-06-02 acme before:2026-06-01", {"query": "acme"}),
        ("site:a.com", {"query": "a.com", "include_domains": "a.com"}),
        ("after:2026-06-01", {"query": "after:2026-06-01", "after_date": "2026-06-01"}),
        ("-site:a.com after:soon acme", {"query": "-site:a.com after:soon acme"}),
        ("東京 café", {"query": "東京 café"}),
        ("word " * 500, {"query": ("word " * 400).strip()}),
        ("x" * 3000, {"query": "x" * 2000}),
    ],
)
def test_hosts_and_dates_become_parameters(query: str, expected: dict[str, str]) -> None:
    request = build_request(ask(query))
    assert request.params == expected
    assert (request.method, request.url) == ("GET", "https://api.search.tinyfish.ai")
    assert request.headers == {"X-API-Key": "k"}
    assert request.json is None


@pytest.mark.parametrize("wanted", [0, 1, 10, 500])
@pytest.mark.parametrize("budget", [0, 500, 2000, 20_000])
def test_neither_number_nor_budget_is_sent(wanted: int, budget: int) -> None:
    request = build_request(ask(num_results=wanted, snippet_chars=budget))
    assert request.params == {"query": "acme plant"}


URL = "https://a.example"


@pytest.mark.parametrize(
    ("hit", "expected"),
    [
        ({"position": 1, "site_name": "a.example", "title": "A", "snippet": "s", "url": URL,
          "date": "2026-07-01"}, [(URL, "A", "s", "2026-07-01")]),
        ({"url": URL}, [(URL, None, None, None)]),
        ({"url": URL, "title": None, "snippet": None, "date": None}, [(URL, None, None, None)]),
        ({"url": URL, "title": 3, "snippet": ["s"], "date": 20260701}, [(URL, None, None, None)]),
        ({"url": URL, "title": "", "snippet": " ", "date": ""}, [(URL, None, None, None)]),
        ({"title": "A"}, []),
        ({"url": ""}, []),
        ({"url": True}, []),
    ],
)  # fmt: skip
def test_a_hit_of_any_shape(hit: dict[str, Any], expected: list[Any]) -> None:
    assert brief(parse_response({"results": [hit, None, 3]}, ask())) == expected


def test_a_page_that_comes_twice_stays_twice() -> None:
    found = parse_response({"results": [{"url": URL}, {"url": URL}]}, ask())
    assert [hit.url for hit in found] == [URL, URL]


@pytest.mark.parametrize(
    "body", [{}, {"results": []}, {"results": None}, {"results": {}}, [], None, 3, "x"]
)
def test_an_answer_without_results_is_empty(body: Any) -> None:
    assert parse_response(body, ask()) == []


@pytest.mark.parametrize(
    "body",
    [{"error": {"code": "INTERNAL", "message": "index down", "details": None}},
     {"error": "index down"}],
)  # fmt: skip
def test_an_error_in_the_answer_is_an_error(body: Any) -> None:
    with pytest.raises(ApiError, match=r"^index down$"):
        parse_response(body, ask())


@given(json_with("results", "url", "title", "snippet", "date"))
def test_no_json_breaks_it(body: Any) -> None:
    assert all(hit.url for hit in parse_response({"results": [body, body]}, ask()))
    assert isinstance(parse_response({"results": body}, ask()), list)
