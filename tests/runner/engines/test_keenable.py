from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from runner.engines.keenable import build_request, parse_response
from runner.engines.spec import ApiError
from tests.runner.engines.asking import ask, brief, json_with


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ("acme plant", "acme plant"),
        ('"acme plant" opens', '"acme plant" opens'),
        ("site:a.com acme", "acme site:a.com"),
        ("site:a.com acme site:b.com", "acme site:a.com site:b.com"),
        ("after:2026-06-01 acme", "acme published_after:2026-06-01"),
        ("acme before:2026-07-31", "acme published_before:2026-07-31"),
        (
            "before:2026-07-31 site:a.com acme after:2026-06-01",
            "acme site:a.com published_after:2026-06-01 published_before:2026-07-31",
        ),
        ("site:a.com", "a.com site:a.com"),
        ("after:2026-06-01", "published_after:2026-06-01"),
        ("-site:a.com acme", "-site:a.com acme"),
        ("東京 café \U0001f600", "東京 café \U0001f600"),
        ("w " * 3000, ("w " * 3000).strip()),
    ],
)
def test_operators_stay_in_the_query_in_the_vendors_words(query: str, sent: str) -> None:
    assert build_request(ask(query)).json["query"] == sent


@pytest.mark.parametrize(
    ("budget", "sent"), [(0, None), (1, 180), (500, 500), (2000, 2000), (20_000, 10_000)]
)
def test_the_budget_is_clamped_and_left_out_at_zero(budget: int, sent: int | None) -> None:
    assert build_request(ask(snippet_chars=budget)).json.get("snippet_max_length") == sent


@pytest.mark.parametrize(("wanted", "sent"), [(1, None), (10, None), (11, 11), (500, 50)])
def test_ten_results_come_unasked(wanted: int, sent: int | None) -> None:
    assert build_request(ask(num_results=wanted)).json.get("max_results") == sent


def test_with_a_key_and_without_one() -> None:
    keyed = build_request(ask(mode="pro"))
    assert (keyed.method, keyed.url) == ("POST", "https://api.keenable.ai/v1/search")
    assert keyed.headers["X-API-Key"] == "k"
    free = build_request(ask(key=None, mode="realtime"))
    assert free.url == "https://api.keenable.ai/v1/search/public"
    assert "X-API-Key" not in free.headers
    assert keyed.headers["X-Keenable-Title"] == free.headers["X-Keenable-Title"] != ""
    assert (keyed.json["mode"], free.json["mode"]) == ("pro", "realtime")


HIT = {"url": "https://a.example/x", "title": "T", "snippet": "s", "published_at": "2026-11-02"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"results": [HIT]}, [("https://a.example/x", "T", "s", "2026-11-02")]),
        ({"results": [HIT | {"snippet": "", "description": "d"}]},
         [("https://a.example/x", "T", "d", "2026-11-02")]),
        ({"results": [HIT, HIT]}, [("https://a.example/x", "T", "s", "2026-11-02")] * 2),
        ({"results": [{"url": " https://a.example "}]}, [("https://a.example", None, None, None)]),
        ({"results": [HIT | {"title": None, "snippet": 7, "published_at": ["x"]}]},
         [("https://a.example/x", None, None, None)]),
        ({"results": [None, "x", 7, [HIT], {}, {"url": None}, {"url": ""}, {"url": 7}]}, []),
        ({"results": []}, []),
        ({"results": None}, []),
        ({"results": {"0": HIT}}, []),
        ({}, []),
        ([], []),
        (None, []),
        ("text", []),
    ],
)  # fmt: skip
def test_results_of_any_shape(body: Any, expected: list[Any]) -> None:
    assert brief(parse_response(body, ask())) == expected


@pytest.mark.parametrize("name", ["error", "message", "detail"])
def test_a_message_instead_of_results_is_an_error(name: str) -> None:
    with pytest.raises(ApiError, match="no credits"):
        parse_response({name: "no credits"}, ask())
    assert parse_response({name: "note", "results": []}, ask()) == []


@given(json_with("results", "url", "title", "snippet", "description", "published_at"))
def test_no_json_breaks_it(body: Any) -> None:
    assert all(result.url for result in parse_response({"results": [body, body]}, ask()))
    assert isinstance(parse_response({"results": body}, ask()), list)
