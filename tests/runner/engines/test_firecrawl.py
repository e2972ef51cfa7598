from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from runner.engines.firecrawl import build_request, parse_response
from runner.engines.spec import ApiError
from tests.runner.engines.asking import ask, brief, json_with


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("acme plant", {"query": "acme plant"}),
        ('"acme plant" x', {"query": '"acme plant" x'}),
        ("site:A.com/x acme", {"query": "acme site:a.com"}),
        ("after:2026-06-01 acme", {"query": "acme", "tbs": "cdr:1,cd_min:6/1/2026"}),
        ("acme before:2026-12-31", {"query": "acme", "tbs": "cdr:1,cd_max:12/31/2026"}),
        (
            "after:2026-06-01 acme site:b.com before:2026-07-31 site:a.com",
            {
                "query": "acme site:b.com site:a.com",
                "tbs": "cdr:1,cd_min:6/1/2026,cd_max:7/31/2026",
            },
        ),
        ("site:a.com", {"query": "site:a.com"}),
        ("after:2026-06-01", {"query": "after:2026-06-01", "tbs": "cdr:1,cd_min:6/1/2026"}),
        ("-site:a.com after:soon acme", {"query": "-site:a.com after:soon acme"}),
        ("東京 café", {"query": "東京 café"}),
        ("word " * 200, {"query": ("word " * 100).strip()}),
        ("word " * 200 + "site:a.com", {"query": "word " * 98 + "site:a.com"}),
        ("x" * 900, {"query": "x" * 500}),
        ("y" * 900 + " site:a.com", {"query": "y" * 489 + " site:a.com"}),
    ],
)
def test_hosts_stay_in_the_query_and_dates_become_a_range(
    query: str, expected: dict[str, Any]
) -> None:
    request = build_request(ask(query))
    assert request.json == expected | {"limit": 10, "sources": ["web"]}
    assert (request.method, request.url) == ("POST", "https://api.firecrawl.dev/v2/search")
    assert request.headers == {"Authorization": "Bearer k"}
    assert request.params == {}


def test_as_many_whole_hosts_are_sent_as_the_query_holds() -> None:
    query = "acme " + " ".join(f"site:host{n:03}.example" for n in range(100))
    sent = build_request(ask(query)).json["query"]
    kept = " ".join(f"site:host{n:03}.example" for n in range(23))
    assert sent == f"acme {kept}"
    assert len(sent) == 487


@pytest.mark.parametrize(("wanted", "sent"), [(0, 1), (1, 1), (100, 100), (101, 100)])
def test_the_number_of_results_is_clamped(wanted: int, sent: int) -> None:
    assert build_request(ask(num_results=wanted)).json["limit"] == sent


@pytest.mark.parametrize("budget", [0, 500, 2000, 20_000])
def test_the_budget_is_not_sent(budget: int) -> None:
    sent = build_request(ask(snippet_chars=budget)).json
    assert sent == {"query": "acme plant", "limit": 10, "sources": ["web"]}


URL = "https://a.example"


@pytest.mark.parametrize(
    ("hit", "expected"),
    [
        ({"url": URL, "title": "A", "description": "d", "position": 1}, [(URL, "A", "d", None)]),
        ({"url": URL}, [(URL, None, None, None)]),
        ({"url": URL, "title": None, "description": None}, [(URL, None, None, None)]),
        ({"url": URL, "title": 3, "description": ["d"]}, [(URL, None, None, None)]),
        ({"url": URL, "title": "", "description": " "}, [(URL, None, None, None)]),
        ({"title": "A"}, []),
        ({"url": ""}, []),
        ({"url": {"href": URL}}, []),
    ],
)
def test_a_hit_of_any_shape(hit: dict[str, Any], expected: list[Any]) -> None:
    body = {"success": True, "data": {"web": [hit, None, 3]}}
    assert brief(parse_response(body, ask())) == expected


def test_a_page_that_comes_twice_stays_twice_and_other_sources_are_left_out() -> None:
    body = {"data": {"web": [{"url": URL}, {"url": URL}], "news": [{"url": f"{URL}/n"}]}}
    assert [hit.url for hit in parse_response(body, ask())] == [URL, URL]


@pytest.mark.parametrize(
    "body",
    [{}, {"success": True}, {"success": True, "data": {}}, {"data": {"web": []}}, {"data": None},
     {"data": []}, {"data": {"web": None}}, {"data": {"web": {}}}, [], None, 3, "x"],
)  # fmt: skip
def test_an_answer_without_results_is_empty(body: Any) -> None:
    assert parse_response(body, ask()) == []


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"success": False, "error": "no engine", "code": "X"}, "no engine"),
        ({"success": False, "error": "late", "data": {"web": [{"url": URL}]}}, "late"),
        ({"success": False}, "success: false"),
        ({"success": False, "error": 3}, "success: false"),
        ({"error": "no engine"}, "no engine"),
    ],
)
def test_an_answer_without_success_is_an_error(body: Any, message: str) -> None:
    with pytest.raises(ApiError, match=f"^{message}$"):
        parse_response(body, ask())


@given(json_with("web", "url", "title", "description"))
def test_no_json_breaks_it(body: Any) -> None:
    assert all(hit.url for hit in parse_response({"data": {"web": [body, body]}}, ask()))
    assert isinstance(parse_response({"data": body}, ask()), list)
