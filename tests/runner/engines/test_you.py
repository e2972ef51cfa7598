from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from runner.engines.spec import ApiError
from runner.engines.you import build_request, parse_response
from tests.runner.engines.asking import ask, brief, json_with


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("acme plant", {"query": "acme plant"}),
        ('"acme plant" x', {"query": '"acme plant" x'}),
        ("site:a.com acme", {"query": "acme", "include_domains": ["a.com"]}),
        ("after:2026-06-01 acme", {"query": "acme", "freshness": "2026-06-01to2026-11-15"}),
        ("acme before:2026-07-31", {"query": "acme", "freshness": "1970-01-01to2026-07-31"}),
        (
            "after:2026-06-01 acme site:b.com before:2026-07-31 site:a.com",
            {
                "query": "acme",
                "include_domains": ["b.com", "a.com"],
                "freshness": "2026-06-01to2026-07-31",
            },
        ),
        ("site:a.com", {"query": "a.com", "include_domains": ["a.com"]}),
        (
            "after:2026-06-01",
            {"query": "after:2026-06-01", "freshness": "2026-06-01to2026-11-15"},
        ),
        ("after:2027-01-01 x", {"query": "x", "freshness": "2027-01-01to2027-01-01"}),
        ("-site:a.com after:soon acme", {"query": "-site:a.com after:soon acme"}),
        ("東京 café", {"query": "東京 café"}),
        ("w " * 900, {"query": ("w " * 900).strip()}),
    ],
)
def test_hosts_and_dates_become_fields(query: str, expected: dict[str, Any]) -> None:
    request = build_request(ask(query))
    assert request.json == expected | {"count": 10}
    assert (request.method, request.url) == ("POST", "https://ydc-index.io/v1/search")
    assert request.headers == {"X-API-Key": "k"}
    assert request.params == {}


@pytest.mark.parametrize(("wanted", "sent"), [(0, 1), (1, 1), (100, 100), (101, 100)])
def test_the_count_is_clamped(wanted: int, sent: int) -> None:
    assert build_request(ask(num_results=wanted)).json["count"] == sent


@pytest.mark.parametrize("budget", [0, 500, 2000, 20_000])
def test_the_budget_is_not_sent(budget: int) -> None:
    sent = build_request(ask(snippet_chars=budget)).json
    assert sent == {"query": "acme plant", "count": 10}


def test_no_more_than_500_domains_are_sent() -> None:
    query = " ".join(f"site:h{n}.com" for n in range(600))
    assert len(build_request(ask(query)).json["include_domains"]) == 500


URL = "https://a.example"


@pytest.mark.parametrize(
    ("hit", "expected"),
    [
        ({"url": URL, "title": "A", "description": "d", "snippets": ["s1", "s2"],
          "page_age": "2026-07-01T00:00:00"}, [(URL, "A", "s1\ns2", "2026-07-01T00:00:00")]),
        ({"url": URL, "description": "d", "snippets": []}, [(URL, None, "d", None)]),
        ({"url": URL, "description": "d"}, [(URL, None, "d", None)]),
        ({"url": URL, "snippets": ["a", None, 3, "", "b"]}, [(URL, None, "a\nb", None)]),
        ({"url": URL, "title": 3, "snippets": "s", "description": 7, "page_age": 1},
         [(URL, None, None, None)]),
        ({"url": URL, "title": None, "snippets": None, "page_age": None},
         [(URL, None, None, None)]),
        ({"title": "A"}, []),
        ({"url": None}, []),
    ],
)  # fmt: skip
@pytest.mark.parametrize("section", ["web", "news"])
def test_a_hit_of_any_shape(section: str, hit: dict[str, Any], expected: list[Any]) -> None:
    assert brief(parse_response({"results": {section: [hit, None, 3]}}, ask())) == expected


def test_news_come_behind_the_web_and_a_page_stands_once() -> None:
    web = [{"url": URL, "title": "web"}, {"url": f"{URL}/2"}, {"url": URL, "title": "again"}]
    news = [{"url": f"{URL}/n"}, {"url": URL, "title": "news"}]
    body = {"results": {"news": news, "web": web, "knowledge": [{"url": f"{URL}/k"}]}}
    found = [(hit.url, hit.title) for hit in parse_response(body, ask())]
    assert found == [(URL, "web"), (f"{URL}/2", None), (f"{URL}/n", None)]


@pytest.mark.parametrize(
    "body",
    [{}, {"results": {}}, {"results": None}, {"results": []}, {"results": {"web": None}},
     {"results": {"web": {}, "news": "x"}}, [], None, 3, "x"],
)  # fmt: skip
def test_an_answer_without_results_is_empty(body: Any) -> None:
    assert parse_response(body, ask()) == []


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"detail": "Internal error"}, "Internal error"),
        ({"error": "payment_required", "message": "pay"}, "payment_required"),
        ({"error": "bad freshness"}, "bad freshness"),
    ],
)
def test_an_error_in_the_answer_is_an_error(body: Any, message: str) -> None:
    with pytest.raises(ApiError, match=f"^{message}$"):
        parse_response(body, ask())


@given(json_with("web", "news", "url", "title", "snippets", "description", "page_age"))
def test_no_json_breaks_it(body: Any) -> None:
    hits = parse_response({"results": {"web": [body, body], "news": [body]}}, ask())
    assert all(hit.url for hit in hits)
    assert isinstance(parse_response({"results": body}, ask()), list)
