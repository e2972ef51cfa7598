"""The text that a reader of a filing sees: nothing hidden, and no document takes long."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.document_text import MAX_TEXT_CHARS, comparable, stands_in, visible_text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("plain text", "plain text"),
        ("<p>One</p><p>Two</p>", "One\nTwo"),
        ("<p>One<p>Two", "One\nTwo"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<b>Ac</b>me <i>Corp</i>", "Acme Corp"),
        ("<table><tr><td>Net</td><td>5</td></tr><tr><td>x</td></tr></table>", "Net 5\nx"),
        ("a  \n\t b&nbsp;&amp;&#160;c", "a b & c"),
        ("if a < b and b > c", "if a < b and b > c"),
        ("<p>5 < 6</p>", "5 < 6"),
        # never shown
        ("<head><title>T</title></head><body>shown</body>", "shown"),
        ("<head><title>T</title><body>shown", "shown"),
        ("a<script>var x = '<p>no</p>';</script>b", "ab"),
        ("a<SCRIPT>no</SCRIPT >b", "ab"),
        ("a<style>p > b {}</style>b", "ab"),
        ("a<script>never closed", "a"),
        ("a<svg><text>no</text></svg>b", "ab"),
        ("a<noscript>no</noscript>b", "ab"),
        ("a<!-- no <p> -->b<!-- <b>no", "ab"),
        ("<!DOCTYPE html><?xml version='1.0'?>a", "a"),
        # inline XBRL
        ("<ix:header><ix:hidden>us-gaap:X</ix:hidden>y</ix:header>a", "a"),
        ("<div style='display:none'><ix:header>no</ix:header></div>a", "a"),
        ("<IX:Hidden>no</IX:Hidden>a <ix:nonFraction name='x'>5</ix:nonFraction>", "a 5"),
        ("<header>shown</header>", "shown"),
        # not displayed
        ('<div style="color:red; DISPLAY : none">no <b>no</b></div>a', "a"),
        ("<div style=display:none>no</div>a", "a"),
        ('<span style="display&#58;none">no</span>a', "a"),
        ('<span style="visibility: hidden">no</span>a', "a"),
        ("<p hidden>no</p>a", "a"),
        ('<p class="hidden" title="display:none" data-hidden>shown</p>', "shown"),
        ('<p style="display:none">no<p>shown</p>', "shown"),
        ("<div style='display:none'>no<br>no<img src=x>no</div>a", "a"),
        ("<div style='display:none'/>a", "a"),
        ("<div style='display:none'><p>no</div>a", "a"),
        # tags that are odd
        ('<p title="a > b">shown</p>', "shown"),
        ("<p title=it's>shown</p>", "shown"),
        ('<p title="never closed>shown</p>', "shown"),
        ("a</p></div></never>b", "a\nb"),
        ("a<p", "a"),
        ("a<", "a<"),
        ("\u200bze\u202ero\x00", "zero"),
        ("", ""),
    ],
)
def test_only_what_is_shown_is_read(markup: str, text: str) -> None:
    assert visible_text(markup) == text


@pytest.mark.parametrize(
    "unit",
    ["<!", "<a ", '<a href="', "<a b='", "<!--", "</a", "<?", "<", "&", "<div>", "<p>", "<script>"],
)
def test_a_document_takes_time_in_proportion_to_its_length(unit: str) -> None:
    markup = unit * (1_000_000 // len(unit)) + "</b>" * 1_000
    started = time.process_time()
    visible_text(markup)
    assert time.process_time() - started < 5.0


def test_deep_nesting_with_many_stray_ends_is_no_slower() -> None:
    started = time.process_time()
    assert visible_text("<div>" * 20_000 + "</b>" * 200_000 + "a") == "a"
    assert time.process_time() - started < 5.0


def test_the_text_is_bounded_and_reading_ends_there() -> None:
    assert len(visible_text("word " * 200_000)) <= MAX_TEXT_CHARS
    assert visible_text("<p>abc</p>" * 1000, 10) == "abc\nabc\nab"


@given(st.text(alphabet="<>/!-='\" abptdiv&;:\n", max_size=300))
def test_no_markup_raises_and_none_is_hidden_by_accident_of_length(markup: str) -> None:
    assert len(visible_text(markup)) <= len(markup) * 4
    assert "\n\n" not in visible_text(markup)


@pytest.mark.parametrize(
    ("span", "text", "verdict"),
    [
        ("blue harbor facility", "The Blue  Harbor\nFacility opened", True),
        ("acme's plant", "Acme\u2019s plant", True),
        ("twenty-year lease", "a twenty\u2011year lease", True),
        ("art of the deal", "part of the deal", False),
        ("harbor facil", "harbor facility", False),
        ("harbor facility", "facility harbor", False),
        ("$1.25 billion", "for $1.25 billion in cash", True),
        ("", "anything", False),
        (" ", "any thing", False),
        ("(a)", "see (a) and (b)", True),
    ],
)
def test_a_span_stands_in_a_text_word_for_word(span: str, text: str, verdict: bool) -> None:
    assert stands_in(span, text) is verdict


def test_comparable_texts_differ_in_no_sign_that_looks_the_same() -> None:
    assert comparable("\u201cBlue\u201d \u2013  O\u2019Neil\u00a0") == '"blue" - o\'neil'
