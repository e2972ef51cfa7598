from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given

from runner.engines.chatgpt_search import build_request, parse_response
from runner.engines.model_search import prompt
from runner.engines.spec import ApiError
from tests.runner.engines.asking import ask, brief, json_with


@pytest.mark.parametrize(
    ("query", "domains"),
    [
        ("acme plant", None),
        ('"acme plant" x', None),
        ("site:a.com acme", ["a.com"]),
        ("after:2026-06-01 acme", None),
        ("acme before:2026-07-31", None),
        (
            "after:2026-06-01 acme site:b.com before:2026-07-31 site:https://A.com/x",
            ["b.com", "a.com"],
        ),
        ("site:a.com", ["a.com"]),
        ("after:2026-06-01", None),
        ("-site:a.com site:nodot acme", None),
        ("  two   spaces ", None),
        ("東京 café \U0001f600", None),
        ("w " * 2000, None),
        (" ".join(f"site:h{n}.com" for n in range(120)), [f"h{n}.com" for n in range(100)]),
    ],
)
def test_the_query_goes_out_as_it_is_and_hosts_limit_the_tool(
    query: str, domains: list[str] | None
) -> None:
    request = build_request(ask(query, mode="gpt-5.5"))
    filters = {"filters": {"allowed_domains": domains}} if domains else {}
    assert request.json == {
        "model": "gpt-5.5",
        "reasoning": {"effort": "low"},
        "max_output_tokens": 32000,
        "instructions": prompt(),
        "input": query,
        "tools": [{"type": "web_search", "search_context_size": "low"} | filters],
        "tool_choice": {"type": "web_search"},
        "include": ["web_search_call.action.sources"],
    }
    assert (request.method, request.url) == ("POST", "https://api.openai.com/v1/responses")
    assert request.headers == {"Authorization": "Bearer k"}


@pytest.mark.parametrize("budget", [0, 500, 2000, 20_000])
@pytest.mark.parametrize("wanted", [0, 1, 10, 101])
def test_neither_budget_nor_number_changes_the_request(budget: int, wanted: int) -> None:
    asked = ask(num_results=wanted, snippet_chars=budget, mode="m")
    assert build_request(asked) == build_request(ask(mode="m"))


A, B = "https://a.example/x", "https://b.example/y"


def call(*urls: str, **more: Any) -> dict[str, Any]:
    sources = [{"type": "url", "url": url} for url in urls]
    action = {"type": "search", "query": "acme", "sources": sources}
    return {"type": "web_search_call", "status": "completed", "action": action, **more}


def message(*texts: Any) -> dict[str, Any]:
    parts = [{"type": "output_text", "text": text, "annotations": []} for text in texts]
    return {"type": "message", "role": "assistant", "content": parts}


def body(*items: Any, **more: Any) -> dict[str, Any]:
    return {"status": "completed", "error": None, "output": list(items), **more}


ROW = f'[{{"url":"{A}","title":"A","snippet":"s"}}]'
OPENED = {"type": "web_search_call", "status": "completed",
          "action": {"type": "open_page", "url": B}}  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (body(call(f"{A}?utm_source=openai"), message(ROW)),
         [(f"{A}?utm_source=openai", "A", "s", None)]),
        (body({"type": "reasoning"}, call(A), OPENED, call(B, A), message(ROW)),
         [(A, "A", "s", None), (B, None, None, None)]),
        (body(call(B, A), message(ROW)), [(B, None, None, None), (A, "A", "s", None)]),
        (body(call(A), message(ROW[:20], ROW[20:])), [(A, "A", "s", None)]),
        (body(call(A), message("so sorry")), [(A, None, None, None)]),
        (body(call(A), message(ROW[:-9]), status="incomplete",
              incomplete_details={"reason": "max_output_tokens"}), [(A, None, None, None)]),
        (body(call(B), message(ROW)), [(B, None, None, None)]),
        (body(call(A, status="failed"), call(B)), [(A, None, None, None), (B, None, None, None)]),
        (body({"type": "web_search_call", "action": {"type": "search", "sources": [
            {"type": "api", "name": "weather"}, None, 3, {"url": 3}, {"url": A}]}}),
         [(A, None, None, None)]),
        (body(call(A), message(None, 3), {"type": "message", "content": None}, None, 7),
         [(A, None, None, None)]),
        (body({"type": "web_search_call", "action": {"type": "search", "sources": None}}), []),
        (body({"type": "web_search_call", "action": None}), []),
        (body(call(), message("[]")), []),
        ({"output": None}, []),
        ({"output": "x", "error": {}}, []),
        ({}, []),
        ([], []),
        (None, []),
    ],
)  # fmt: skip
def test_sources_in_the_tools_order(answer: Any, expected: list[Any]) -> None:
    assert brief(parse_response(answer, ask())) == expected


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (body(message("[]")), "model did not search"),
        (body(OPENED), "model did not search"),
        (body(), "model did not search"),
        (body(status="incomplete"), "model did not search"),
        (body(call(status="failed"), message("[]")), "the web search failed"),
        (body(error={"code": "insufficient_quota", "message": "Pay."}, status="failed"),
         "insufficient_quota: Pay."),
        (body(error={"message": "Pay."}), "Pay."),
        (body(error="broken"), "broken"),
        (body(status="failed"), "the response failed"),
        ({"error": {"code": 3}}, "the response failed"),
    ],
)  # fmt: skip
def test_an_error_inside_the_answer_is_an_error(answer: Any, said: str) -> None:
    with pytest.raises(ApiError) as raised:
        parse_response(answer, ask())
    assert str(raised.value) == said


@given(json_with("type", "action", "sources", "url", "content", "text", "status", "error"))
def test_no_json_breaks_it(value: Any) -> None:
    action = {"type": "search", "sources": [value, value]}
    items = [call(A), {"type": "web_search_call", "action": action}, value]
    assert all(hit.url for hit in parse_response({"output": items}, ask()))
    with suppress(ApiError):
        parse_response(value, ask())
