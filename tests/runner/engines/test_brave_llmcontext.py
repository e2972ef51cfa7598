from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from runner.engines.brave_llmcontext import build_request, parse_response
from runner.engines.spec import ApiError
from tests.runner.engines.asking import ask, brief, json_with


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("acme plant", {"q": "acme plant"}),
        ('"acme plant" x', {"q": '"acme plant" x'}),
        ("site:a.com acme", {"q": "acme", "goggles": "$discard\n$site=a.com"}),
        ("after:2026-06-01 acme", {"q": "acme", "freshness": "2026-06-01to2026-11-15"}),
        ("acme before:2026-07-31", {"q": "acme", "freshness": "1970-01-01to2026-07-31"}),
        (
            "after:2026-06-01 acme site:b.com before:2026-07-31 site:a.com",
            {
                "q": "acme",
                "goggles": "$discard\n$site=b.com\n$site=a.com",
                "freshness": "2026-06-01to2026-07-31",
            },
        ),
        ("site:a.com", {"q": "a.com", "goggles": "$discard\n$site=a.com"}),
        (
            "after:2026-06-01",
            {"q": "after:2026-06-01", "freshness": "2026-06-01to2026-11-15"},
        ),
        ("東京 café", {"q": "東京 café"}),
        ("word " * 100, {"q": ("word " * 50).strip()}),
        ("x" * 900, {"q": "x" * 400}),
    ],
)
def test_hosts_become_a_goggle_and_dates_become_freshness(
    query: str, expected: dict[str, Any]
) -> None:
    request = build_request(ask(query))
    assert request.json == expected | {
        "country": "us",
        "search_lang": "en",
        "maximum_number_of_urls": 10,
        "maximum_number_of_tokens_per_url": 769,
    }
    assert request.method == "POST"
    assert request.url == "https://api.search.brave.com/res/v1/llm/context"
    assert request.headers == {"X-Subscription-Token": "k", "Accept": "application/json"}


@pytest.mark.parametrize(
    ("wanted", "budget", "urls", "per_url", "total"),
    [
        (10, 0, 10, None, None),
        (10, 500, 10, 512, None),
        (10, 2000, 10, 769, None),
        (11, 2000, 11, 769, 8459),
        (5, 20_000, 5, 7692, 32_768),
        (1, 20_000, 1, 7692, None),
        (10, 50_000, 10, 8192, 32_768),
        (99, 2000, 50, 769, 32_768),
        (0, 2000, 1, 769, None),
    ],
)
def test_characters_become_tokens_and_the_total_is_raised_for_many(
    wanted: int, budget: int, urls: int, per_url: int | None, total: int | None
) -> None:
    body = build_request(ask(num_results=wanted, snippet_chars=budget)).json
    assert body["maximum_number_of_urls"] == urls
    assert body.get("maximum_number_of_tokens_per_url") == per_url
    assert body.get("maximum_number_of_tokens") == total


URL = "https://a.example"


def page(hit: Any, sources: Any = None) -> dict[str, Any]:
    return {"grounding": {"generic": [hit, None, "x"], "map": []}, "sources": sources}


@pytest.mark.parametrize(
    ("ages", "date"),
    [
        (["Monday, March 02, 2026", "2026-03-02", "8 months ago"], "2026-03-02"),
        (["2026-03-02", "2026-03-02T10:00:00+00:00"], "2026-03-02T10:00:00+00:00"),
        (["8 months ago"], None),
        ([], None),
        (None, None),
        ("2026-03-02", None),
        ([None, 7, ["2026-03-02"]], None),
    ],
)
def test_the_date_is_the_longest_iso_form(ages: Any, date: str | None) -> None:
    hit = {"url": URL, "title": "A", "snippets": ["p1", "p2"]}
    found = brief(parse_response(page(hit, {URL: {"age": ages}}), ask()))
    assert found == [(URL, "A", "p1\np2", date)]


@pytest.mark.parametrize(
    ("hit", "sources", "expected"),
    [
        ({"url": URL}, None, [(URL, None, None, None)]),
        ({"url": URL, "snippets": "p"}, [URL], [(URL, None, None, None)]),
        ({"url": URL, "snippets": [1, None, "p"]}, {URL: None}, [(URL, None, "p", None)]),
        ({"url": ["x"], "title": "A"}, {}, []),
        ({"title": "A"}, {}, []),
    ],
)
def test_a_hit_of_any_shape(hit: Any, sources: Any, expected: list[Any]) -> None:
    assert brief(parse_response(page(hit, sources), ask())) == expected


@pytest.mark.parametrize(
    "body", [{}, {"grounding": None}, {"grounding": {"generic": None}}, {"grounding": []}, [], 1]
)
def test_an_answer_without_results_is_empty(body: Any) -> None:
    assert parse_response(body, ask()) == []


def test_the_error_envelope_is_an_error() -> None:
    with pytest.raises(ApiError, match="USAGE_LIMIT_EXCEEDED"):
        parse_response({"error": {"code": "USAGE_LIMIT_EXCEEDED", "status": 402}}, ask())


@given(json_with("grounding", "generic", "sources", "url", "title", "snippets", "age"))
def test_no_json_breaks_it(body: Any) -> None:
    hits = parse_response({"grounding": {"generic": [body, body]}, "sources": body}, ask())
    assert all(hit.url for hit in hits)
    assert isinstance(parse_response({"grounding": body}, ask()), list)
