"""The operator grammar."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.engines.operators import Operators, clip_words, parse_operators

D = date(2026, 6, 1)
E = date(2026, 7, 31)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("acme plant", Operators("acme plant")),
        ("", Operators("")),
        ("  acme \t plant\n", Operators("acme plant")),
        ("site:a.com docs", Operators("docs", ("a.com",))),
        ("docs SITE:A.com", Operators("docs", ("a.com",))),
        ("site:https://a.com/path?x=1 docs", Operators("docs", ("a.com",))),
        ("site:a.com?x docs", Operators("docs", ("a.com",))),
        ("site:.a.com. docs", Operators("docs", ("a.com",))),
        ("site:b.com x site:a.com site:B.com", Operators("x", ("b.com", "a.com"))),
        ("after:2026-06-01 x", Operators("x", after=D)),
        ("x Before:2026-07-31", Operators("x", before=E)),
        ("after:2026-01-01 x after:2026-06-01", Operators("x", after=D)),
        ("site:a.com after:2026-06-01 before:2026-07-31", Operators("", ("a.com",), D, E)),
        ('"exact words" site:a.com', Operators('"exact words"', ("a.com",))),
        # what only looks like an operator stays text
        ("-site:a.com x", Operators("-site:a.com x")),
        ('"site:a.com x"', Operators('"site:a.com x"')),
        ("site: a.com", Operators("site: a.com")),
        ("site:nodot x", Operators("site:nodot x")),
        ("site:/a.com x", Operators("site:/a.com x")),
        ("my-site:a.com", Operators("my-site:a.com")),
        ("after:yesterday", Operators("after:yesterday")),
        ("before:2026-13-01", Operators("before:2026-13-01")),
        ("before:2026-02-30", Operators("before:2026-02-30")),
        ("after:20260601", Operators("after:20260601")),
        ("after:2026-6-1", Operators("after:2026-6-1")),
        ("after:2026-06-01T00:00", Operators("after:2026-06-01T00:00")),
        ("after:２０２６-06-01", Operators("after:２０２６-06-01")),
        ("after:0000-01-01", Operators("after:0000-01-01")),
        ("time 10:30 http://x.y", Operators("time 10:30 http://x.y")),
    ],
)
def test_operators_are_taken_out_and_the_rest_is_left(query: str, expected: Operators) -> None:
    assert parse_operators(query) == expected


@given(st.text(max_size=60))
def test_any_text_is_parsed_and_its_text_holds_no_operator(query: str) -> None:
    first = parse_operators(query)
    assert parse_operators(first.text) == Operators(first.text)


def test_text_with_sites_puts_the_hosts_behind() -> None:
    assert parse_operators("site:a.com x site:b.com y").text_with_sites == (
        "x y site:a.com site:b.com"
    )


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("x site:a.com", "x"),
        ("site:a.com site:b.com", "a.com b.com"),
        ("after:2026-06-01", "after:2026-06-01"),
    ],
)
def test_a_query_of_operators_alone_still_has_words(query: str, words: str) -> None:
    assert parse_operators(query).words(query) == words


@pytest.mark.parametrize(
    ("query", "window"),
    [
        ("x", None),
        ("x after:2026-06-01", "2026-06-01to2026-11-15"),
        ("x before:2026-07-31", "1970-01-01to2026-07-31"),
        ("x after:2026-06-01 before:2026-07-31", "2026-06-01to2026-07-31"),
        ("x after:2027-01-01", "2027-01-01to2027-01-01"),
    ],
)
def test_a_window_has_both_ends(query: str, window: str | None) -> None:
    assert parse_operators(query).freshness_window(date(2026, 11, 15)) == window


@pytest.mark.parametrize(
    ("text", "chars", "words", "clipped"),
    [
        ("one two three", 13, None, "one two three"),
        ("one two three", 12, None, "one two"),
        ("one two three", 7, None, "one two"),
        ("one two three", 8, None, "one two"),
        ("one two three", 6, None, "one"),
        ("onetwothree", 5, None, "onetw"),
        ("one two three", 99, 2, "one two"),
        ("one two three", 5, 2, "one"),
        ("éé üü", 3, None, "éé"),
        ("x", 0, None, ""),
    ],
)
def test_a_clipped_text_ends_at_a_word(
    text: str, chars: int, words: int | None, clipped: str
) -> None:
    assert clip_words(text, chars, words) == clipped
