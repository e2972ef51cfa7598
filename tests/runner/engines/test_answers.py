"""What each vendor's answers become: every shape of a hit, empty answers, errors inside a 200.

One table a vendor: how a hit stands in an answer, and for each hit what is expected of it. The
older vendors (exa, google, brave, keenable) have files of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings

from runner.engines.registry import load_catalog
from runner.engines.spec import ApiError, Ask
from tests.runner.engines.asking import ask, brief, json_with

U = "https://a.example"
Expected = list[tuple[str | None, ...]]


@dataclass
class Vendor:
    """`wrap` puts hits into an answer; `hits` pairs one hit with its results; `errors` are answers
    with an error and a part of its text; `empty` are answers without results.
    """

    wrap: Callable[[list[Any]], Any]
    hits: list[tuple[Any, Expected]]
    errors: list[tuple[Any, str]] = field(default_factory=list)
    empty: list[Any] = field(default_factory=list)


def _plain(snippet: str, date: str | None = None) -> list[tuple[Any, Expected]]:
    """The table of a vendor with url, title, one snippet field and perhaps a date."""
    rows: list[tuple[Any, Expected]] = [
        ({"url": U, "title": "T", snippet: "s"}, [(U, "T", "s", None)]),
        ({"url": U}, [(U, None, None, None)]),
        ({"url": U, "title": "", snippet: "  "}, [(U, None, None, None)]),
        ({"url": U, "title": None, snippet: None}, [(U, None, None, None)]),
        ({"url": U, "title": 7, snippet: ["x"]}, [(U, None, None, None)]),
        ({"url": "", "title": "T"}, []),
        ({"url": None, "title": "T"}, []),
        ({"url": 3}, []),
        ({"title": "T", snippet: "s"}, []),
        (None, []),
        ("x", []),
    ]
    if date:
        rows += [
            ({"url": U, date: "2026-10-01"}, [(U, None, None, "2026-10-01")]),
            ({"url": U, date: ""}, [(U, None, None, None)]),
            ({"url": U, date: 20261001}, [(U, None, None, None)]),
        ]
    return rows


def _results(hits: list[Any]) -> Any:
    return {"results": hits}


VENDORS: dict[str, Vendor] = {
    "tavily": Vendor(
        _results,
        _plain("content", "published_date"),
        errors=[({"detail": {"error": "over the limit"}}, "over the limit")],
    ),
    "deepseek": Vendor(
        _results,
        [
            *_plain("summary", "date"),
            ({"url": U, "snippet": "short", "summary": "long"}, [(U, None, "long", None)]),
            ({"url": U, "snippet": "short", "summary": ""}, [(U, None, "short", None)]),
        ],
        errors=[({"error": {"message": "balance", "code": "x"}}, "balance")],
    ),
    "perplexity": Vendor(
        _results,
        [
            *_plain("snippet", "date"),
            ({"url": U, "last_updated": "2026-11-01"}, [(U, None, None, None)]),
        ],
        errors=[({"error": {"message": "bad", "type": "t", "code": 400}}, "bad")],
    ),
    "context": Vendor(
        _results,
        _plain("description"),
        errors=[({"error": "quota"}, "quota")],
    ),
    "tinyfish": Vendor(
        _results,
        _plain("snippet", "date"),
        errors=[({"error": {"code": "X", "message": "slow down"}}, "slow down")],
    ),
    "ceramic": Vendor(
        lambda hits: {"result": {"results": hits}},
        _plain("description"),
        errors=[({"title": "t", "status": 500, "detail": "broken"}, "broken")],
        empty=[{"result": None}, {"result": []}, {"result": {"results": None}}],
    ),
    "octen": Vendor(
        lambda hits: {"code": 0, "data": {"results": hits}},
        _plain("highlight", "time_published"),
        errors=[
            ({"code": 429, "msg": "too fast"}, "too fast"),
            ({"code": 500, "message": "m"}, "m"),
            ({"code": 500, "detail": "d"}, "d"),
            ({"code": 7, "error": "e"}, "e"),
            ({"code": 9}, "code 9"),
        ],
        empty=[{"code": 0}, {"code": 0, "data": None}, {"code": 0, "data": {"results": []}}],
    ),
    "firecrawl": Vendor(
        lambda hits: {"success": True, "data": {"web": hits}},
        _plain("description"),
        errors=[
            ({"success": False, "error": "no credits"}, "no credits"),
            ({"success": False}, "success: false"),
        ],
        empty=[{"success": True, "data": {}}, {"success": True, "data": {"web": []}}],
    ),
    "parallel": Vendor(
        _results,
        [
            ({"url": U, "title": "T", "excerpts": ["a", "b"], "publish_date": "2026-10-01"},
             [(U, "T", "a\nb", "2026-10-01")]),
            ({"url": U, "excerpts": []}, [(U, None, None, None)]),
            ({"url": U, "excerpts": None}, [(U, None, None, None)]),
            ({"url": U, "excerpts": "x"}, [(U, None, None, None)]),
            ({"url": U, "excerpts": ["a", 3, None, "", "b"]}, [(U, None, "a\nb", None)]),
            ({"url": U, "publish_date": 5}, [(U, None, None, None)]),
            ({"url": "", "title": "T"}, []),
            ({"url": None}, []),
            ({"title": "T"}, []),
            (None, []),
        ],
        errors=[
            ({"type": "error", "error": {"message": "quota"}}, "quota"),
            ({"error": "text", "results": []}, "text"),
        ],
    ),
    "linkup": Vendor(
        _results,
        [
            ({"type": "text", "url": U, "name": "A &amp; B", "content": "c &lt; d"},
             [(U, "A & B", "c < d", None)]),
            ({"url": U, "name": "N"}, [(U, "N", None, None)]),
            ({"type": "image", "url": U, "name": "N"}, []),
            ({"type": None, "url": U, "name": "N"}, []),
            ({"type": "text", "url": U, "name": "", "content": None}, [(U, None, None, None)]),
            ({"type": "text", "url": U, "name": 3, "content": []}, [(U, None, None, None)]),
            ({"type": "text", "url": ""}, []),
            ({"type": "text", "url": None}, []),
            ({"type": "text", "name": "N"}, []),
            ("x", []),
        ],
        errors=[({"statusCode": 400, "error": {"code": "X", "message": "no"}}, "no")],
    ),
    "jina": Vendor(
        lambda hits: {"code": 200, "data": hits},
        [
            *_plain("content", "publishedTime"),
            ({"url": U, "description": "d"}, [(U, None, "d", None)]),
            ({"url": U, "content": "c", "description": "d"}, [(U, None, "c", None)]),
            ({"url": U, "date": "2026-10-01"}, [(U, None, None, "2026-10-01")]),
        ],
        errors=[({"code": 402, "message": "no balance"}, "no balance")],
        empty=[{"data": None}, {"data": []}],
    ),
    "kagi": Vendor(
        lambda hits: {"data": {"search": hits}},
        [
            *_plain("snippet", "time"),
            ({"url": U, "title": "<b>A</b> &amp; co", "snippet": "x <i>y</i>"},
             [(U, "A & co", "x y", None)]),
            ({"url": U, "title": "1 < 2"}, [(U, "1 < 2", None, None)]),
        ],
        errors=[
            ({"data": [], "error": [{"code": 1, "message": "limit"}]}, "limit"),
            ({"data": None, "error": [{"code": 7}]}, "code 7"),
        ],
        empty=[{"data": {}}, {"data": []}, {"data": {"search": None}}, {"error": None}],
    ),
    "you": Vendor(
        lambda hits: {"results": {"web": hits}},
        [
            *_plain("description", "page_age"),
            ({"url": U, "snippets": ["a", "b"], "description": "d"}, [(U, None, "a\nb", None)]),
            ({"url": U, "snippets": [], "description": "d"}, [(U, None, "d", None)]),
        ],
        errors=[
            ({"error": "payment_required", "message": "m"}, "payment_required"),
            ({"detail": "bad key"}, "bad key"),
        ],
        empty=[{"results": {}}, {"results": None}, {"results": {"web": None, "news": []}}],
    ),
    "bing": Vendor(
        lambda hits: {"organic_results": hits},
        [
            ({"link": U, "title": "T", "snippet": "s", "date": "Mar 3, 2026"},
             [(U, "T", "s", "Mar 3, 2026")]),
            ({"link": U}, [(U, None, None, None)]),
            ({"link": U, "title": 3, "snippet": None, "date": 5}, [(U, None, None, None)]),
            ({"url": U, "title": "T"}, []),
            ({"link": ""}, []),
            ({"link": None}, []),
            (None, []),
            ("x", []),
            ([], []),
            ({"link": U, "title": " "}, [(U, None, None, None)]),
        ],
        errors=[
            ({"error": "Bing didn't return any results."}, "return any results"),
            ({"error": "Invalid API key"}, "Invalid API key"),
        ],
        empty=[{"organic_results": None}],
    ),
}  # fmt: skip
TABLE = [
    pytest.param(name, hit, expected, id=f"{name}-{number}")
    for name, vendor in VENDORS.items()
    for number, (hit, expected) in enumerate(vendor.hits)
]
ERRORS = [(name, body, said) for name, vendor in VENDORS.items() for body, said in vendor.errors]
EMPTY = [
    (name, body)
    for name, vendor in VENDORS.items()
    for body in [vendor.wrap([]), vendor.wrap([None, 3]), {}, [], None, 3, "x", *vendor.empty]
]


def parse(name: str, body: Any, asked: Ask | None = None) -> Any:
    return import_module(f"runner.engines.{name}").parse_response(body, asked or ask())


def test_every_vendor_has_a_table_here_or_a_file_of_its_own() -> None:
    elsewhere = {"keenable", "exa", "google", "brave", "brave_llmcontext", "local"}
    models = {"claude_search", "chatgpt_search"}
    vendors = {spec.vendor for spec in load_catalog().values()}
    assert vendors == set(VENDORS) | elsewhere | models


@pytest.mark.parametrize(("name", "hit", "expected"), TABLE)
def test_a_hit_of_any_shape(name: str, hit: Any, expected: Expected) -> None:
    assert brief(parse(name, VENDORS[name].wrap([hit]))) == expected


@pytest.mark.parametrize(("name", "body", "said"), ERRORS)
def test_an_error_inside_an_answer_is_an_error(name: str, body: Any, said: str) -> None:
    with pytest.raises(ApiError, match=said):
        parse(name, body)


@pytest.mark.parametrize(("name", "body"), EMPTY)
def test_an_answer_without_results_is_empty(name: str, body: Any) -> None:
    assert parse(name, body) == []


@pytest.mark.parametrize("name", VENDORS)
def test_no_json_breaks_a_vendor(name: str) -> None:
    fields = ("results", "data", "web", "search", "result", "url", "title", "error", "code")

    @settings(max_examples=60)
    @given(json_with(*fields))
    def holds(value: Any) -> None:
        for body in (value, VENDORS[name].wrap([value, value])):
            try:
                found = parse(name, body)
            except ApiError:
                continue
            assert all(result.url for result in found)

    holds()


@pytest.mark.parametrize(
    ("name", "sections"),
    [("you", ("results", "web", "news")), ("kagi", ("data", "search", "news"))],
)
def test_a_page_in_two_sections_stands_once_where_it_came_first(
    name: str, sections: tuple[str, str, str]
) -> None:
    place, first, second = sections
    hits = {first: [{"url": U, "title": "first"}, {"url": f"{U}/2"}]}
    hits[second] = [{"url": f"{U}/3"}, {"url": U, "title": "second"}]
    assert [(r.url, r.title) for r in parse(name, {place: hits})] == [
        (U, "first"),
        (f"{U}/2", None),
        (f"{U}/3", None),
    ]


@pytest.mark.parametrize(
    ("query", "is_empty"),
    [
        ("acme plant", False),
        ('"acme plant', False),
        ('"acme plant"', True),
        ("“acme plant”", True),
        ("site:a.example acme", True),
        ("acme before:2026-01-01", True),
    ],
)
def test_bing_finds_nothing_honestly_only_for_a_narrow_query(query: str, is_empty: bool) -> None:
    body = {"error": "Bing Didn't RETURN any results."}
    if is_empty:
        assert parse("bing", body, ask(query)) == []
    else:
        with pytest.raises(ApiError):
            parse("bing", body, ask(query))


def test_bings_panels_come_before_its_hits() -> None:
    body = {
        "knowledge_graph": {"website": f"{U}/kg", "title": "K", "description": "d"},
        "answer_box": {"link": f"{U}/box", "answer": "42"},
        "organic_results": [{"link": U}],
    }
    assert [(r.url, r.snippet) for r in parse("bing", body)] == [
        (f"{U}/kg", "d"),
        (f"{U}/box", "42"),
        (U, None),
    ]


@pytest.mark.parametrize(
    ("name", "status", "body", "expected"),
    [
        ("linkup", 400, {"error": {"code": "SEARCH_QUERY_NO_RESULT"}}, True),
        ("linkup", 400, {"error": {"code": "VALIDATION_ERROR"}}, False),
        ("linkup", 500, {"error": {"code": "SEARCH_QUERY_NO_RESULT"}}, False),
        ("linkup", 400, None, False),
        ("jina", 422, {"status": 42206}, True),
        ("jina", 422, {"message": "No search results available for query x"}, True),
        ("jina", 422, {"status": 42201, "message": "bad"}, False),
        ("jina", 500, {"status": 42206}, False),
        ("jina", 422, [], False),
    ],
)
def test_no_results_by_status(name: str, status: int, body: Any, expected: bool) -> None:
    assert import_module(f"runner.engines.{name}").is_no_results(status, body) is expected
