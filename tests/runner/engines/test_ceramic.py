from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given

from runner.engines.ceramic import build_request, parse_response
from runner.engines.registry import build_engines
from runner.engines.spec import ApiError, SearchOutcome
from runner.settings import Settings
from tests.fakes import FakeWorld, Fault
from tests.runner.engines.asking import TODAY, ask, brief, json_with
from tests.runner.wire import FakeTime


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ("acme plant", "acme plant"),
        ('"acme plant" x', '"acme plant" x'),
        ("site:a.com acme", "acme"),
        ("after:2026-06-01 acme", "acme"),
        ("acme before:2026-07-31", "acme"),
        ("after:2026-06-01 acme site:b.com before:2026-07-31 site:a.com x", "acme x"),
        ("site:b.com site:a.com", "b.com a.com"),
        ("after:2026-06-01", "after:2026-06-01"),
        ("-site:a.com after:soon acme", "-site:a.com after:soon acme"),
        ("東京  café", "東京 café"),
        ("w " * 50, ("w " * 50).strip()),
        ("w " * 51 + "site:a.com", ("w " * 50).strip()),
        ("x" * 900, "x" * 900),
    ],
)
def test_operators_are_dropped_and_fifty_words_are_left(query: str, sent: str) -> None:
    request = build_request(ask(query))
    assert request.json == {"query": sent, "maxDescriptionLength": 2000}
    assert (request.method, request.url) == ("POST", "https://api.ceramic.ai/search")
    assert request.headers == {"Authorization": "Bearer k"}
    assert request.params == {}


@pytest.mark.parametrize(
    ("budget", "sent"),
    [(0, None), (1, 1000), (500, 1000), (2000, 2000), (8000, 8000), (20_000, 8000)],
)
def test_the_budget_is_clamped_and_left_out_without_one(budget: int, sent: int | None) -> None:
    assert build_request(ask(snippet_chars=budget)).json.get("maxDescriptionLength") == sent


@pytest.mark.parametrize(
    ("wanted", "sent"), [(0, None), (1, None), (10, None), (11, 11), (50, 50), (51, 50)]
)
def test_a_number_is_sent_only_above_ten(wanted: int, sent: int | None) -> None:
    assert build_request(ask(num_results=wanted)).json.get("maxResults") == sent


URL = "https://a.example"


@pytest.mark.parametrize(
    ("hit", "expected"),
    [
        ({"url": URL, "title": "A", "description": "d", "score": 14.5}, [(URL, "A", "d", None)]),
        ({"url": URL}, [(URL, None, None, None)]),
        ({"url": URL, "title": None, "description": None}, [(URL, None, None, None)]),
        ({"url": URL, "title": 3, "description": ["d"]}, [(URL, None, None, None)]),
        ({"url": URL, "title": "", "description": " "}, [(URL, None, None, None)]),
        ({"title": "A", "description": "d"}, []),
        ({"url": ""}, []),
        ({"url": [URL]}, []),
    ],
)
def test_a_hit_of_any_shape(hit: dict[str, Any], expected: list[Any]) -> None:
    assert brief(parse_response({"result": {"results": [hit, None, 3]}}, ask())) == expected


def test_a_page_that_comes_twice_stays_twice() -> None:
    body = {"result": {"results": [{"url": URL}, {"url": URL}]}}
    assert brief(parse_response(body, ask())) == [(URL, None, None, None)] * 2


@pytest.mark.parametrize(
    "body",
    [{}, {"result": None}, {"result": []}, {"result": {}}, {"result": {"results": None}},
     {"result": {"results": {}}}, {"result": {"results": []}}, [], None, 3, "x"],
)  # fmt: skip
def test_an_answer_without_results_is_empty(body: Any) -> None:
    assert parse_response(body, ask()) == []


@pytest.mark.parametrize(
    "body",
    [{"title": "Error", "status": 500, "detail": "index down", "requestId": "r", "code": "X"},
     {"error": "index down"}],
)  # fmt: skip
def test_an_error_in_the_answer_is_an_error(body: Any) -> None:
    with pytest.raises(ApiError, match=r"^index down$"):
        parse_response(body, ask())


@given(json_with("result", "results", "url", "title", "description"))
def test_no_json_breaks_it(body: Any) -> None:
    hits = parse_response({"result": {"results": [body, body]}}, ask())
    assert all(hit.url for hit in hits)
    assert isinstance(parse_response({"result": body}, ask()), list)


def searched(world: FakeWorld, time: FakeTime) -> SearchOutcome:
    settings = Settings(env={"CERAMIC_API_KEY": "fake-CERAMIC_API_KEY"}, gateway=world.url)

    async def test() -> SearchOutcome:
        [engine] = build_engines(
            ["ceramic"],
            settings=settings,
            snippet_chars=2000,
            corpus=None,
            today=TODAY,
            clock=time.clock,
            sleep=time.sleep,
        )
        try:
            return await engine.search("storm harbour")
        finally:
            await engine.aclose()

    return asyncio.run(test())


@pytest.mark.parametrize(
    ("asked", "waited"), [(7, 7.0), (2.5, 2.5), (99, 30.0), (0, 0.05), ("7", 1.0), (None, 1.0)]
)
def test_a_retry_waits_as_long_as_the_body_of_the_429_says(asked: Any, waited: float) -> None:
    body = {"title": "Error", "status": 429, "detail": "slow", "retry_after_seconds": asked}
    fault = Fault(host="api.ceramic.ai", kind="status", status=429, body=body, times=1)
    time = FakeTime()
    with FakeWorld(faults=[fault]) as world:
        outcome = searched(world, time)
    assert outcome.error is None
    assert outcome.attempts == 2
    assert sum(time.slept) == pytest.approx(waited)
