"""Joining a tool's hits with what the model wrote about them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.engines.model_search import join, prompt, without_utm
from runner.records.search import SearchResult
from tests.runner.engines.asking import brief, scalars

A, B = "https://a.example/x", "https://b.example/y"


def hit(url: str, title: str | None = None, date: str | None = None) -> SearchResult:
    return SearchResult(url=url, title=title, snippet=None, published_date=date)


def row(url: str, title: Any = "row", snippet: Any = "s") -> dict[str, Any]:
    return {"url": url, "title": title, "snippet": snippet}


@pytest.mark.parametrize(
    ("hits", "rows", "expected"),
    [
        ([hit(A, "T", "d")], [row(A)], [(A, "T", "s", "d")]),
        ([hit(A)], [row(A)], [(A, "row", "s", None)]),
        ([hit(A), hit(B)], [row(B), row(A, "t", "u")],
         [(A, "t", "u", None), (B, "row", "s", None)]),
        ([hit(A)], [row(B), row(A)], [(A, "row", "s", None)]),
        ([hit(A)], [], [(A, None, None, None)]),
        ([], [row(A)], []),
        ([hit(A), hit(A)], [row(A)], [(A, "row", "s", None)]),
        ([hit(A)], [row(A, "first"), row(A, "second")], [(A, "first", "s", None)]),
        ([hit(A)], [row(A, 3, ["s"])], [(A, None, None, None)]),
        ([hit(A)], [row(A, "", "")], [(A, None, None, None)]),
        ([hit(f"{A}?utm_source=openai")], [row(A)],
         [(f"{A}?utm_source=openai", "row", "s", None)]),
        ([hit(A)], [row(f"{A}?utm_source=openai")], [(A, "row", "s", None)]),
        ([hit(f"{A}?q=1&utm_medium=x#f")], [row(f"{A}?utm_source=openai&q=1#f")],
         [(f"{A}?q=1&utm_medium=x#f", "row", "s", None)]),
        ([hit(f"{A}?utm_source=p"), hit(A, "late")], [row(A)],
         [(f"{A}?utm_source=p", "row", "s", None)]),
        ([hit(f"{A}?b=%20&a=1")], [row(f"{A}?b=+&a=1")], [(f"{A}?b=%20&a=1", None, None, None)]),
    ],
)  # fmt: skip
def test_the_tools_order_stands_and_rows_only_complete_its_hits(
    hits: list[SearchResult], rows: list[Any], expected: list[Any]
) -> None:
    assert brief(join(hits, [json.dumps(rows)])) == expected


@pytest.mark.parametrize(
    ("written", "snippet"),
    [
        ([f'[{{"url":"{A}","snippet":"s"}}]'], "s"),
        ([f'```json\n[{{"url":"{A}","snippet":"s"}}]\n```'], "s"),
        ([f'Here you are: [{{"url":"{A}","snippet":"s"}}] Done.'], "s"),
        ([f'[{{"url":"{A}",', ' "snippet":"two', " ", 'parts"}]'], "two parts"),
        ([f'[null, 3, [], {{"url":"{A}","snippet":"s"}}]'], "s"),
        ([f'[{{"url":" {A} ","snippet":"s"}}]'], "s"),
        ([None, 3, f'[{{"url":"{A}","snippet":"s"}}]', {}], "s"),
        ([f'[{{"url":"{A}","snippet":"cut of'], None),
        ([f'see [1]: [{{"url":"{A}","snippet":"s"}}]'], None),
        (["I could not find anything."], None),
        (["] ["], None),
        (["[" * 100_000 + "]"], None),
        ([f'{{"url":"{A}","snippet":"s"}}'], None),
        ([], None),
    ],
)
def test_text_that_is_no_array_leaves_the_hits_as_they_are(
    written: list[Any], snippet: str | None
) -> None:
    assert brief(join([hit(A, "T")], written)) == [(A, "T", snippet, None)]


@pytest.mark.parametrize(
    ("url", "key"),
    [
        (A, A),
        (f"{A}?utm_source=openai", A),
        (f"{A}?utm_source=openai#part", f"{A}#part"),
        (f"{A}?q=a+b&utm_source=openai", f"{A}?q=a+b"),
        (f"{A}?utm_source=o&q=%C3%A9&UTM_Medium=m&r", f"{A}?q=%C3%A9&r"),
        (f"{A}?q=a+b&&r=%7e", f"{A}?q=a+b&&r=%7e"),
        (f"{A}?", f"{A}?"),
        (f"{A}?q=utm_source", f"{A}?q=utm_source"),
        (f"{A}#?utm_source=o", f"{A}#?utm_source=o"),
        ("https://[bad?utm_x=1", "https://[bad"),
        ("", ""),
    ],
)
def test_only_utm_parameters_leave_a_url(url: str, key: str) -> None:
    assert without_utm(url) == key


@given(st.text(alphabet="a?&#=utm_"))
def test_a_url_without_utm_stays_byte_for_byte_and_a_key_is_final(url: str) -> None:
    key = without_utm(url)
    assert without_utm(key) == key
    assert "utm_" in url or key == url


@given(st.lists(st.sampled_from([A, B, f"{A}?utm_a=1", "x"])), st.lists(scalars | st.text()))
def test_every_hit_stays_once_whatever_the_model_writes(urls: list[str], parts: list[Any]) -> None:
    joined = [one.url for one in join([hit(url) for url in urls], parts)]
    keys = [without_utm(url) for url in joined]
    assert keys == list(dict.fromkeys(map(without_utm, urls)))


def test_the_prompt_asks_for_one_verbatim_search_and_names_no_engine() -> None:
    said = prompt().lower()
    for duty in ("one single time", "character for character", "json array", "500 characters"):
        assert duty in said
    for name in ("claude", "gpt", "anthropic", "openai", "brave", "needle", "benchmark"):
        assert name not in said
