from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.engines.brave import build_request, parse_response
from runner.engines.spec import ApiError
from tests.runner.engines.asking import ask, brief, json_with

FIXED = {
    "count": "10",
    "country": "us",
    "search_lang": "en",
    "result_filter": "web",
    "text_decorations": "false",
    "extra_snippets": "true",
}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("acme plant", {"q": "acme plant"}),
        ('"acme plant" x', {"q": '"acme plant" x'}),
        ("site:a.com acme", {"q": "acme site:a.com"}),
        ("after:2026-06-01 acme", {"q": "acme", "freshness": "2026-06-01to2026-11-15"}),
        ("acme before:2026-07-31", {"q": "acme", "freshness": "1970-01-01to2026-07-31"}),
        (
            "after:2026-06-01 acme site:b.com before:2026-07-31 site:a.com",
            {"q": "acme site:b.com site:a.com", "freshness": "2026-06-01to2026-07-31"},
        ),
        ("site:a.com", {"q": "a.com site:a.com"}),
        (
            "after:2026-06-01",
            {"q": "after:2026-06-01", "freshness": "2026-06-01to2026-11-15"},
        ),
        ("東京 café", {"q": "東京 café"}),
    ],
)
def test_hosts_stay_behind_the_text_and_dates_become_freshness(
    query: str, expected: dict[str, str]
) -> None:
    for budget in (0, 500, 2000, 20_000):
        request = build_request(ask(query, snippet_chars=budget))
        assert request.params == FIXED | expected
    assert (request.method, request.json) == ("GET", None)
    assert request.url == "https://api.search.brave.com/res/v1/web/search"
    assert request.headers == {"X-Subscription-Token": "k", "Accept": "application/json"}


@pytest.mark.parametrize(("wanted", "sent"), [(0, "1"), (5, "5"), (20, "20"), (21, "20")])
def test_the_number_of_results_is_clamped(wanted: int, sent: str) -> None:
    assert build_request(ask(num_results=wanted)).params["count"] == sent


def test_a_long_text_is_clipped_in_front_of_its_hosts() -> None:
    query = build_request(ask("word " * 100 + "site:a.com")).params["q"]
    assert query == "word " * 49 + "site:a.com"
    query = build_request(ask("longerword " * 45 + "site:a.com")).params["q"]
    assert query == "longerword " * 35 + "site:a.com"


@given(
    st.lists(st.text("abcdefgh", min_size=1, max_size=80), max_size=80),
    st.lists(st.text("abcdefgh.", min_size=1, max_size=90), max_size=70),
)
def test_no_query_passes_the_vendors_limits(words: list[str], hosts: list[str]) -> None:
    query = " ".join([*words, *(f"site:{host}" for host in hosts)])
    sent = build_request(ask(query)).params["q"]
    assert len(sent) <= 400
    assert len(sent.split()) <= 50
    assert all(word.removeprefix("site:") in query for word in sent.split())


URL = "https://a.example"


@pytest.mark.parametrize(
    ("hit", "expected"),
    [
        ({"url": URL, "title": "A", "description": "d", "extra_snippets": ["x", "y"],
          "page_age": "2026-06-30T00:00:00"}, [(URL, "A", "x\ny", "2026-06-30T00:00:00")]),
        ({"url": URL, "description": "d"}, [(URL, None, "d", None)]),
        ({"url": URL, "description": "d", "extra_snippets": []}, [(URL, None, "d", None)]),
        ({"url": URL, "description": "d", "extra_snippets": "x"}, [(URL, None, "d", None)]),
        ({"url": URL, "title": 3, "extra_snippets": [3], "page_age": 3}, [(URL, None, None, None)]),
        ({"url": ""}, []),
        ({"title": "A"}, []),
    ],
)  # fmt: skip
def test_a_hit_of_any_shape(hit: dict[str, Any], expected: list[Any]) -> None:
    assert brief(parse_response({"web": {"results": [hit, None]}}, ask())) == expected


@pytest.mark.parametrize(
    "body", [{}, {"web": None}, {"web": []}, {"web": {"results": None}}, {"web": {}}, [], None, 1]
)
def test_an_answer_without_results_is_empty(body: Any) -> None:
    assert parse_response(body, ask()) == []


def test_the_error_envelope_is_an_error() -> None:
    error = {"code": "RATE_LIMITED", "status": 429, "detail": "Request rate limit exceeded"}
    with pytest.raises(ApiError, match="RATE_LIMITED: Request rate"):
        parse_response({"type": "ErrorResponse", "error": error}, ask())
    with pytest.raises(ApiError, match="ErrorResponse"):
        parse_response({"type": "ErrorResponse", "error": None}, ask())


@given(json_with("web", "results", "url", "title", "description", "extra_snippets", "page_age"))
def test_no_json_breaks_it(body: Any) -> None:
    hits = parse_response({"web": {"results": [body, body]}}, ask())
    assert all(hit.url for hit in hits)
    assert isinstance(parse_response({"web": body}, ask()), list)
