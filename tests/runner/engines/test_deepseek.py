from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.engines.deepseek import build_request, parse_response
from runner.engines.spec import ApiError
from tests.runner.engines.asking import ask, brief, json_with

DAYS = "after:2026-06-01 before:2026-07-31"


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ("acme plant", "acme plant"),
        ('"acme plant" x', '"acme plant" x'),
        ("site:A.com/x acme", "acme site:a.com"),
        ("after:2026-06-01 acme", "acme after:2026-06-01"),
        ("acme before:2026-07-31", "acme before:2026-07-31"),
        (
            "after:2026-06-01 acme site:b.com before:2026-07-31 site:a.com",
            f"acme site:b.com site:a.com {DAYS}",
        ),
        ("site:a.com", "site:a.com"),
        ("before:2026-07-31 after:2026-06-01", DAYS),
        ("-site:a.com after:soon acme", "-site:a.com after:soon acme"),
        ("東京 café", "東京 café"),
        ("東" * 200, "東" * 128),
        ("word " * 100, ("word " * 25).strip()),
        ("word " * 100 + "site:a.com", "word " * 23 + "site:a.com"),
        ("word " * 100 + DAYS, "word " * 18 + DAYS),
        (f"acme site:{'h' * 119}.com {DAYS}", f"site:{'h' * 119}.com"),
        (f"acme site:{'h' * 200}.com after:2026-06-01", "acme after:2026-06-01"),
        (f"site:{'h' * 200}.com", f"site:{'h' * 123}"),
    ],
)
def test_operators_stay_whole_and_the_text_gives_way(query: str, sent: str) -> None:
    request = build_request(ask(query))
    assert request.json == {"query": sent, "count": 10}
    assert (request.method, request.url) == ("POST", "https://api.deepseek.com/v1/tools/search")
    assert request.headers == {"Authorization": "Bearer k"}
    assert request.params == {}


@given(
    st.lists(
        st.sampled_from(["acme", "東京", "x" * 130, "site:a.com", "site:b.example.org"])
        | st.sampled_from(["after:2026-06-01", "before:2026-07-31", f"site:{'h' * 120}.net"]),
        min_size=1,
        max_size=60,
    )
)
def test_no_query_is_empty_or_longer_than_128_characters(words: list[str]) -> None:
    assert 1 <= len(build_request(ask(" ".join(words))).json["query"]) <= 128


@pytest.mark.parametrize(("wanted", "sent"), [(0, 1), (1, 1), (50, 50), (51, 50)])
def test_the_count_is_clamped(wanted: int, sent: int) -> None:
    assert build_request(ask(num_results=wanted)).json["count"] == sent


@pytest.mark.parametrize("budget", [0, 500, 2000, 20_000])
def test_the_budget_is_not_sent(budget: int) -> None:
    sent = build_request(ask(snippet_chars=budget)).json
    assert sent == {"query": "acme plant", "count": 10}


URL = "https://a.example"


@pytest.mark.parametrize(
    ("hit", "expected"),
    [
        ({"title": "A", "url": URL, "snippet": "short", "summary": "longer text", "content": "",
          "rerank_score": 2.1, "authority": 3, "date": "2026-10-20T08:00:00Z", "site_name": "A"},
         [(URL, "A", "longer text", "2026-10-20T08:00:00Z")]),
        ({"url": URL, "snippet": "short", "summary": ""}, [(URL, None, "short", None)]),
        ({"url": URL, "content": "c"}, [(URL, None, None, None)]),
        ({"url": URL}, [(URL, None, None, None)]),
        ({"url": URL, "title": None, "summary": None, "date": None}, [(URL, None, None, None)]),
        ({"url": URL, "title": 3, "summary": ["s"], "snippet": 1, "date": 1},
         [(URL, None, None, None)]),
        ({"title": "A"}, []),
        ({"url": ""}, []),
        ({"url": {}}, []),
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
    [{"error": {"message": "index down", "type": "server_error", "param": None, "code": "x"}},
     {"error": "index down"}],
)  # fmt: skip
def test_an_error_in_the_answer_is_an_error(body: Any) -> None:
    with pytest.raises(ApiError, match=r"^index down$"):
        parse_response(body, ask())


@given(json_with("results", "url", "title", "summary", "snippet", "date"))
def test_no_json_breaks_it(body: Any) -> None:
    assert all(hit.url for hit in parse_response({"results": [body, body]}, ask()))
    assert isinstance(parse_response({"results": body}, ask()), list)
