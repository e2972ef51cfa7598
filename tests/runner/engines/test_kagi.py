from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from runner.engines.kagi import build_request, parse_response
from runner.engines.registry import build_engines
from runner.engines.spec import ApiError
from runner.errors import UsageError
from runner.settings import Settings
from tests.runner.engines.asking import TODAY, ask, brief, json_with


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("acme plant", {"query": "acme plant"}),
        ('"acme plant" x', {"query": '"acme plant" x'}),
        ("site:a.com acme", {"query": "acme", "lens": {"sites_included": ["a.com"]}}),
        ("after:2026-06-01 acme", {"query": "acme", "filters": {"after": "2026-06-01"}}),
        ("acme before:2026-07-31", {"query": "acme", "filters": {"before": "2026-07-31"}}),
        (
            "after:2026-06-01 acme site:b.com before:2026-07-31 site:a.com",
            {
                "query": "acme",
                "lens": {"sites_included": ["b.com", "a.com"]},
                "filters": {"after": "2026-06-01", "before": "2026-07-31"},
            },
        ),
        ("site:a.com", {"query": "a.com", "lens": {"sites_included": ["a.com"]}}),
        (
            "after:2026-06-01",
            {"query": "after:2026-06-01", "filters": {"after": "2026-06-01"}},
        ),
        ("-site:a.com after:soon acme", {"query": "-site:a.com after:soon acme"}),
        ("東京 café", {"query": "東京 café"}),
        ("w " * 900, {"query": ("w " * 900).strip()}),
        ("<b>acme</b> & co", {"query": "<b>acme</b> & co"}),
    ],
)
def test_hosts_become_a_lens_and_dates_become_filters(query: str, expected: dict[str, Any]) -> None:
    request = build_request(ask(query))
    assert request.json == expected | {"limit": 10}
    assert (request.method, request.url) == ("POST", "https://kagi.com/api/v1/search")
    assert request.headers == {"Authorization": "Bearer k"}
    assert request.params == {}


@pytest.mark.parametrize(("wanted", "sent"), [(0, 1), (1, 1), (1024, 1024), (1025, 1024)])
def test_the_number_of_results_is_clamped(wanted: int, sent: int) -> None:
    assert build_request(ask(num_results=wanted)).json["limit"] == sent


@pytest.mark.parametrize("budget", [0, 500, 2000, 20_000])
def test_the_budget_is_not_sent(budget: int) -> None:
    sent = build_request(ask(snippet_chars=budget)).json
    assert sent == {"query": "acme plant", "limit": 10}


@pytest.mark.parametrize(
    ("scheme", "sent"), [(None, "Bearer"), ("Bearer", "Bearer"), ("Bot", "Bot")]
)
def test_the_scheme_of_the_key_can_be_switched(scheme: str | None, sent: str) -> None:
    headers = build_request(ask(mode=scheme)).headers
    assert headers == {"Authorization": f"{sent} k"}
    env = {"KAGI_API_KEY": "k"} | ({"KAGI_AUTH_SCHEME": scheme} if scheme else {})
    [engine] = build_engines(
        ["kagi"], settings=Settings(env=env), snippet_chars=0, corpus=None, today=TODAY
    )
    assert engine.spec.mode == sent


def test_another_scheme_is_refused() -> None:
    settings = Settings(env={"KAGI_API_KEY": "k", "KAGI_AUTH_SCHEME": "Basic"})
    with pytest.raises(UsageError, match="Bearer, Bot"):
        build_engines(["kagi"], settings=settings, snippet_chars=0, corpus=None, today=TODAY)


URL = "https://a.example"


@pytest.mark.parametrize(
    ("hit", "expected"),
    [
        ({"url": URL, "title": "<b>A</b> &amp; co", "snippet": "s", "time": "2026-07-01T00:00:00Z"},
         [(URL, "A & co", "s", "2026-07-01T00:00:00Z")]),
        ({"url": URL, "snippet": "1 &lt; 2 <b class='x'>and</b> &quot;3&quot; &gt; 2"},
         [(URL, None, '1 < 2 and "3" > 2', None)]),
        ({"url": URL, "title": "&lt;b&gt; is a tag"}, [(URL, "<b> is a tag", None, None)]),
        ({"url": URL, "title": "<b></b>", "snippet": "&nbsp;"}, [(URL, None, None, None)]),
        ({"url": URL, "title": "a < b", "snippet": "<" * 9}, [(URL, "a < b", "<" * 9, None)]),
        ({"url": URL}, [(URL, None, None, None)]),
        ({"url": URL, "title": None, "snippet": None, "time": None}, [(URL, None, None, None)]),
        ({"url": URL, "title": 3, "snippet": ["s"], "time": 1}, [(URL, None, None, None)]),
        ({"title": "A"}, []),
        ({"url": ""}, []),
    ],
)  # fmt: skip
@pytest.mark.parametrize("section", ["search", "news"])
def test_a_hit_of_any_shape(section: str, hit: dict[str, Any], expected: list[Any]) -> None:
    assert brief(parse_response({"meta": {}, "data": {section: [hit, 3]}}, ask())) == expected


def test_news_come_last_and_a_page_stands_once() -> None:
    search = [{"url": URL, "title": "first"}, {"url": URL, "title": "again"}, {"url": f"{URL}/2"}]
    news = [{"url": f"{URL}/n"}, {"url": URL, "title": "news"}]
    body = {"data": {"news": news, "search": search, "video": [{"url": f"{URL}/v"}]}}
    found = [(hit.url, hit.title) for hit in parse_response(body, ask())]
    assert found == [(URL, "first"), (f"{URL}/2", None), (f"{URL}/n", None)]


@pytest.mark.parametrize(
    "body",
    [{}, {"data": {}}, {"data": None}, {"data": []}, {"data": {"search": None, "news": {}}},
     {"data": {"search": []}, "error": []}, {"data": {}, "error": None}, [], None, 3, "x"],
)  # fmt: skip
def test_an_answer_without_results_is_empty(body: Any) -> None:
    assert parse_response(body, ask()) == []


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"meta": {}, "data": [], "error": [{"code": 5, "url": "", "message": "late"}]}, "late"),
        ({"data": {"search": [{"url": URL}]}, "error": [{"message": "late"}]}, "late"),
        ({"error": [{"code": 5, "message": None}]}, "code 5"),
        ({"error": {"message": "late"}}, "late"),
        ({"error": "late"}, "late"),
    ],
)
def test_an_error_in_the_answer_is_an_error(body: Any, message: str) -> None:
    with pytest.raises(ApiError, match=f"^{message}$"):
        parse_response(body, ask())


@given(json_with("search", "news", "url", "title", "snippet", "time"))
def test_no_json_breaks_it(body: Any) -> None:
    hits = parse_response({"data": {"search": [body, body], "news": [body]}}, ask())
    assert all(hit.url for hit in hits)
    assert isinstance(parse_response({"data": body}, ask()), list)
