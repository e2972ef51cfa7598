from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from runner.engines.context import build_request, parse_response
from runner.engines.spec import ApiError
from tests.runner.engines.asking import ask, brief, json_with


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("acme plant", {"query": "acme plant"}),
        ('"acme plant" x', {"query": '"acme plant" x'}),
        ("site:a.com acme", {"query": "acme", "includeDomains": ["a.com"]}),
        ("after:2026-11-10 acme", {"query": "acme", "freshness": "last_week"}),
        ("acme before:2026-07-31", {"query": "acme"}),
        (
            "after:2026-06-01 acme site:b.com before:2026-07-31 site:a.com",
            {"query": "acme", "includeDomains": ["b.com", "a.com"]},
        ),
        (
            "after:2026-06-01 acme site:b.com",
            {"query": "acme", "includeDomains": ["b.com"], "freshness": "last_year"},
        ),
        ("site:a.com", {"query": "a.com", "includeDomains": ["a.com"]}),
        ("after:2026-11-15", {"query": "after:2026-11-15", "freshness": "last_24_hours"}),
        ("-site:a.com after:soon acme", {"query": "-site:a.com after:soon acme"}),
        ("東京 café", {"query": "東京 café"}),
        ("word " * 200, {"query": ("word " * 100).strip()}),
        ("x" * 900, {"query": "x" * 500}),
    ],
)
def test_hosts_become_a_field_and_after_becomes_a_window(
    query: str, expected: dict[str, Any]
) -> None:
    request = build_request(ask(query))
    assert request.json == expected | {"numResults": 10, "country": "us"}
    assert (request.method, request.url) == ("POST", "https://api.context.dev/v1/web/search")
    assert request.headers == {"Authorization": "Bearer k"}
    assert request.params == {}


@pytest.mark.parametrize(
    ("after", "window"),
    [
        ("2026-11-16", None),
        ("2026-11-15", "last_24_hours"),
        ("2026-11-14", "last_week"),
        ("2026-11-09", "last_week"),
        ("2026-11-08", "last_month"),
        ("2026-10-16", "last_month"),
        ("2026-10-15", "last_year"),
        ("2025-11-15", "last_year"),
        ("2025-11-14", None),
        ("1999-01-01", None),
    ],
)
def test_the_window_is_the_narrowest_that_holds_the_whole_day(
    after: str, window: str | None
) -> None:
    assert build_request(ask(f"acme after:{after}")).json.get("freshness") == window


@pytest.mark.parametrize(("wanted", "sent"), [(0, 1), (1, 1), (100, 100), (101, 100)])
def test_the_number_of_results_is_clamped(wanted: int, sent: int) -> None:
    assert build_request(ask(num_results=wanted)).json["numResults"] == sent


@pytest.mark.parametrize("budget", [0, 500, 2000, 20_000])
def test_the_budget_is_not_sent(budget: int) -> None:
    sent = build_request(ask(snippet_chars=budget)).json
    assert sent == {"query": "acme plant", "numResults": 10, "country": "us"}


def test_no_more_than_100_domains_are_sent() -> None:
    query = " ".join(f"site:h{n}.com" for n in range(120))
    assert len(build_request(ask(query)).json["includeDomains"]) == 100


URL = "https://a.example"


@pytest.mark.parametrize(
    ("hit", "expected"),
    [
        ({"url": URL, "title": "A", "description": "d", "relevance": "high",
          "markdown": {"code": "NOT_REQUESTED", "markdown": None},
          "highlights": {"code": "NOT_REQUESTED", "highlights": None}}, [(URL, "A", "d", None)]),
        ({"url": URL, "description": ""}, [(URL, None, None, None)]),
        ({"url": URL}, [(URL, None, None, None)]),
        ({"url": URL, "title": None, "description": None}, [(URL, None, None, None)]),
        ({"url": URL, "title": 3, "description": ["d"]}, [(URL, None, None, None)]),
        ({"title": "A"}, []),
        ({"url": ""}, []),
        ({"url": 7}, []),
    ],
)  # fmt: skip
def test_a_hit_of_any_shape(hit: dict[str, Any], expected: list[Any]) -> None:
    assert brief(parse_response({"results": [hit, None, 3]}, ask())) == expected


def test_a_page_that_comes_twice_stays_twice() -> None:
    assert len(parse_response({"results": [{"url": URL}, {"url": URL}]}, ask())) == 2


@pytest.mark.parametrize(
    "body", [{}, {"results": []}, {"results": None}, {"results": {}}, [], None, 3, "x"]
)
def test_an_answer_without_results_is_empty(body: Any) -> None:
    assert parse_response(body, ask()) == []


@pytest.mark.parametrize(
    "body",
    [{"error": "index down"}, {"error": {"message": "index down"}}, {"message": "index down"}],
)
def test_an_error_in_the_answer_is_an_error(body: Any) -> None:
    with pytest.raises(ApiError, match=r"^index down$"):
        parse_response(body, ask())


@given(json_with("results", "url", "title", "description"))
def test_no_json_breaks_it(body: Any) -> None:
    assert all(hit.url for hit in parse_response({"results": [body, body]}, ask()))
    assert isinstance(parse_response({"results": body}, ask()), list)
