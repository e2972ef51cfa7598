from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from runner.engines.jina import build_request, is_no_results, parse_response
from runner.engines.spec import ApiError
from tests.runner.engines.asking import ask, brief, json_with


@pytest.mark.parametrize(
    "query",
    [
        "acme plant",
        '"acme plant" x',
        "site:A.com/x acme",
        "after:2026-06-01 acme",
        "acme before:2026-07-31",
        "after:2026-06-01  acme site:b.com before:2026-07-31 site:a.com",
        "site:a.com",
        "after:2026-06-01 before:2026-07-31",
        "-site:a.com after:soon acme",
        "東京 café “x”",
        "word " * 500,
        "x" * 3000,
        "a&num=99#b",
    ],
)
def test_the_query_goes_out_untouched(query: str) -> None:
    request = build_request(ask(query))
    assert request.params == {"q": query, "num": "10"}
    assert (request.method, request.url) == ("GET", "https://s.jina.ai/")
    assert request.headers == {"Authorization": "Bearer k", "Accept": "application/json"}
    assert request.json is None


@pytest.mark.parametrize(("wanted", "sent"), [(0, "1"), (1, "1"), (20, "20"), (21, "20")])
def test_the_number_of_results_is_clamped(wanted: int, sent: str) -> None:
    assert build_request(ask(num_results=wanted)).params["num"] == sent


@pytest.mark.parametrize("budget", [0, 500, 2000, 20_000])
def test_the_budget_is_not_sent(budget: int) -> None:
    request = build_request(ask(snippet_chars=budget))
    assert request.params == {"q": "acme plant", "num": "10"}


URL = "https://a.example"


@pytest.mark.parametrize(
    ("hit", "expected"),
    [
        ({"title": "A", "url": URL, "description": "d", "content": "# A\ntext",
          "publishedTime": "2026-07-01", "usage": {"tokens": 900}},
         [(URL, "A", "# A\ntext", "2026-07-01")]),
        ({"url": URL, "content": "", "description": "d", "date": "Jul 1, 2026"},
         [(URL, None, "d", "Jul 1, 2026")]),
        ({"url": URL, "publishedTime": "x", "date": "y"}, [(URL, None, None, "x")]),
        ({"url": URL}, [(URL, None, None, None)]),
        ({"url": URL, "title": None, "content": None, "description": None, "date": None},
         [(URL, None, None, None)]),
        ({"url": URL, "title": 3, "content": ["c"], "publishedTime": 1, "date": {}},
         [(URL, None, None, None)]),
        ({"title": "A", "content": "c"}, []),
        ({"url": ""}, []),
        ({"url": [URL]}, []),
    ],
)  # fmt: skip
def test_a_hit_of_any_shape(hit: dict[str, Any], expected: list[Any]) -> None:
    body = {"code": 200, "status": 20000, "data": [hit, None, 3]}
    assert brief(parse_response(body, ask())) == expected


def test_a_page_that_comes_twice_stays_twice() -> None:
    assert len(parse_response({"data": [{"url": URL}, {"url": URL}]}, ask())) == 2


NOTHING = {
    "data": None,
    "code": 422,
    "name": "AssertionFailureError",
    "status": 42206,
    "message": "No search results available for query acme",
}


@pytest.mark.parametrize(
    "body",
    [{}, {"data": []}, {"data": None}, {"data": {}}, {"data": "x"}, NOTHING, [], None, 3, "x"],
)
def test_an_answer_without_results_is_empty(body: Any) -> None:
    assert parse_response(body, ask()) == []


@pytest.mark.parametrize(
    "body",
    [
        {"data": None, "code": 503, "status": 50300, "message": "reader down"},
        {"code": 503, "message": "reader down"},
        {"error": {"message": "reader down"}},
    ],
)
def test_an_error_in_the_answer_is_an_error(body: Any) -> None:
    with pytest.raises(ApiError, match=r"^reader down$"):
        parse_response(body, ask())


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (422, NOTHING, True),
        (422, {"status": 42206}, True),
        (422, {"status": 1, "message": "No search results available for query x"}, True),
        (422, {"status": 42201, "message": "query: No search results"}, False),
        (422, {"status": "42206"}, False),
        (422, {"message": None}, False),
        (422, {}, False),
        (422, [], False),
        (422, None, False),
        (400, NOTHING, False),
        (500, NOTHING, False),
    ],
)
def test_nothing_found_is_a_422_with_a_status_of_its_own(
    status: int, body: Any, expected: bool
) -> None:
    assert is_no_results(status, body) is expected


@given(json_with("data", "status", "message", "url", "title", "content", "description"))
def test_no_json_breaks_it(body: Any) -> None:
    assert all(hit.url for hit in parse_response({"data": [body, body]}, ask()))
    assert isinstance(parse_response({"data": body}, ask()), list)
    assert isinstance(is_no_results(422, body), bool)
