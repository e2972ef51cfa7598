"""The body text of papers: what is taken and what is not, and no document takes long."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.scholar.body_text import (
    MAX_BODY_CHARS,
    MIN_BODY_CHARS,
    PART_CHARS,
    excerpt,
    html_body,
    jats_body,
)

FILL = "Filler words stand here so that there is enough to read. " * 20
END = f"<p>{FILL}</p>"


def html(markup: str) -> str:
    """What comes before the filling paragraph of an article."""
    body = html_body(f"<html><body><article>{markup}{END}</article></body></html>")
    assert body is not None
    return body.removesuffix(FILL.strip()).rstrip("\n")


def jats(markup: str) -> str:
    body = jats_body(f"<article><body>{markup}{END}</body></article>")
    assert body is not None
    return body.removesuffix(FILL.strip()).rstrip("\n")


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>One</p><p>Two</p>", "One\nTwo"),
        ('<p class="ltx_p">One <em>two</em> th<b>ree</b></p>', "One two three"),
        ("<figure><figcaption>Figure 1: A rig.</figcaption></figure>", "Figure 1: A rig."),
        ("<section><h2>Methods</h2><div>no</div><p>Yes</p></section>", "Yes"),
        ("<ul><li><p>In a list</p></li><li>no</li></ul>", "In a list"),
        ("<p>a &amp; b&nbsp;c &lt;d&gt;</p>", "a & b c <d>"),
        (f"<p>a &#{'9' * 6_000}; b</p>", f"a &#{'9' * 6_000}; b"),
        ("<p>One\n  two\tthree</p>", "One two three"),
        # what has no words leaves a gap that nothing can be quoted across
        ("<p>of <math><mi>x</mi></math> volts</p>", "of … volts"),
        (
            "<p>of <math><semantics><mi>x</mi><annotation>\\alpha</annotation></semantics></math>"
            " volts</p>",
            "of … volts",
        ),
        ("<p>as shown <cite>[<a href='#b'>3</a>]</cite>, we see</p>", "as shown …, we see"),
        ("<p>one <math>a</math><math>b</math> two</p>", "one … two"),
        ("<p>ends in <math>a</math></p>", "ends in"),
        ("<p>a<script>var p = '<p>no</p>'</script>b</p>", "a … b"),
        ("<p>a<style>p{}</style>b</p>", "a … b"),
        ("<p>a<svg><text>no</text></svg>b</p>", "a … b"),
        ("<p>a<noscript>no</noscript>b</p>", "a … b"),
        ("<p>a<span class='ltx_note ltx_role_footnote'><sup>1</sup>no</span> b</p>", "a … b"),
        # not the body
        ('<div class="ltx_abstract"><h6>Abstract</h6><p>no</p></div><p>Yes</p>', "Yes"),
        ("<div class=ltx_abstract><p>no</p></div><p>Yes</p>", "Yes"),
        ('<section class="ltx_bibliography"><p>no</p></section><p>Yes</p>', "Yes"),
        ("<svg><p>no</p></svg><p>Yes</p>", "Yes"),
        ("<nav><p>no</p></nav><p>Yes</p>", "Yes"),
        ("<table><tr><td>no</td></tr></table><p>Yes</p>", "Yes"),
        # broken
        ("<p>One<p>Two", "One\nTwo"),
        ("</p></article></div><p>gone</p><article><p>Yes</p>", "Yes"),
        ("<p>5 < 6 and 7 > 3</p>", "5 < 6 and 7 > 3"),
        ("<p title='a > b'>One</p>", "One"),
        ("<p>a<br>b</p>", "ab"),
        ("<p>ze\u200bro \u202ewidth</p>", "zero width"),
        ("<!-- <p>no</p> --><p>Yes</p>", "Yes"),
    ],
)
def test_html_gives_its_paragraphs_and_captions(markup: str, text: str) -> None:
    assert html(markup) == text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<sec><title>Methods</title><p>One</p></sec>", "One"),
        ("<sec><sec><p>One</p></sec><p>Two</p></sec>", "One\nTwo"),
        ("<fig><caption><title>no</title><p>A rig.</p></caption></fig>", "A rig."),
        ("<p>dose<xref ref-type='bibr'><sup>12</sup></xref> rose</p>", "dose … rose"),
        (
            "<p>of <inline-formula><mml:math><mml:mi>x</mml:mi></mml:math></inline-formula> g</p>",
            "of … g",
        ),
        ("<p>of <disp-formula><tex-math>\\alpha</tex-math></disp-formula> g</p>", "of … g"),
        ("<p><italic>E. coli</italic> grew</p>", "E. coli grew"),
        ("<p>a &#x3b1; b &amp; c</p>", "a α b & c"),
        ("<p>H<sub>2</sub>O</p>", "H2O"),
        ("<ref-list><ref><p>no</p></ref></ref-list><p>Yes</p>", "Yes"),
    ],
)
def test_jats_gives_the_paragraphs_of_its_body(markup: str, text: str) -> None:
    assert jats(markup) == text


@pytest.mark.parametrize(
    "markup",
    [
        "",
        "no markup",
        f"<html><body>{END}</body></html>",  # a page that is no article
        f"<div>{END}</div><article></article>",
        "<article><p>No HTML for this paper.</p></article>",
        f"<article><math>{END}</math></article>",
        f'<article><div class="ltx_abstract">{END}</div></article>',
        f"<article><script>{END}</script></article>",
    ],
)
def test_a_page_without_the_text_of_a_paper_gives_none(markup: str) -> None:
    assert html_body(markup) is None


def test_front_and_back_of_a_jats_file_are_not_its_body() -> None:
    front = f"<front><abstract>{END}</abstract></front><back><ack>{END}</ack></back>"
    assert jats_body(f"<article>{front}</article>") is None
    both = jats_body(f"<article>{front}<body><p>{'Body words. ' * 60}</p></body></article>")
    assert both is not None
    assert "Filler" not in both


def test_a_body_is_bounded() -> None:
    body = html_body(f"<article>{END * 1_000}</article>")
    assert body is not None
    assert MAX_BODY_CHARS - 100 < len(body) <= MAX_BODY_CHARS


@pytest.mark.parametrize(
    "unit",
    [
        "<p>", "<p", "<", "<article>", "</p>", "<math>", "<p class='", '<p a="', "&#", "&amp;",
        "<script>", "<!--", "<![CDATA[", "<p><math>", "<div><p>", "\u2026 ", " \u2026", "<p> , ",
        "a\u0300", "<span class=ltx_note>", "<p>\n", "<b></b>", "<article><p></article>",
    ],
)  # fmt: skip
def test_no_document_takes_longer_than_its_length_allows(unit: str) -> None:
    markup = "<article><p>" + unit * (900_000 // len(unit))
    for read in (html_body, jats_body):
        start = time.perf_counter()
        read(markup)
        assert time.perf_counter() - start < 10


@given(st.text(alphabet="<>/pa'\"= &;!-bodyrticlemh\n", max_size=300))
def test_no_document_breaks_the_reader(markup: str) -> None:
    for read in (html_body, jats_body):
        body = read(markup)
        assert body is None or len(body) >= MIN_BODY_CHARS


def test_a_short_body_is_its_own_excerpt() -> None:
    assert excerpt("a short body", 3) == "a short body"


def test_an_excerpt_has_a_part_of_each_third_and_no_cut_words() -> None:
    body = " ".join(f"word{i:05d}" for i in range(4_000))
    parts = excerpt(body, 7).split("\n\n[...]\n\n")
    assert len(parts) == 3
    for i, part in enumerate(parts):
        assert PART_CHARS - 25 < len(part) <= PART_CHARS
        assert part in body
        assert all(len(word) == 9 for word in part.split())
        assert i * len(body) // 3 - 1 <= body.index(part) <= (i + 1) * len(body) // 3


def test_an_excerpt_is_not_only_the_introduction() -> None:
    body = " ".join(f"word{i:05d}" for i in range(20_000))
    starts = {excerpt(body, seed).split()[0] for seed in range(10)}
    assert len(starts) == 10
    assert excerpt(body, 3) == excerpt(body, 3)


@given(st.text(alphabet="ab \n", max_size=9_000), st.integers(0, 2**64))
def test_an_excerpt_is_bounded_and_taken_from_the_body(body: str, seed: int) -> None:
    for part in excerpt(body, seed).split("\n\n[...]\n\n"):
        assert len(part) <= max(len(body), PART_CHARS)
        assert part in body
