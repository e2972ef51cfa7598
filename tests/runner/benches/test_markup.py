from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.markup import MAX_MARKUP_CHARS, plain_text, safe_url

TEXTS = {
    "plain": ("Storm hits coast", "Storm hits coast"),
    "inline markup": ("Storm <b>hits</b> <i>the</i> coast", "Storm hits the coast"),
    "markup within a word": ("H<sub>2</sub>O found", "H2O found"),
    "blocks keep words apart": ("<p>one</p><p>two</p>three<br/>four", "one two three four"),
    "entities": ("AT&amp;T &lt; Verizon &#8212; &quot;deal&quot;", 'AT&T < Verizon — "deal"'),
    "entities twice": ("A &amp;amp; B", "A & B"),
    "escaped markup": ("&lt;b&gt;bold&lt;/b&gt; news", "bold news"),
    "script goes whole": ("a<script>alert('x')</script>b", "a b"),
    "script left open": ("news <script>alert(1)", "news"),
    "escaped script": ("&lt;script&gt;alert(1)&lt;/script&gt;news", "news"),
    "comment": ("a <!-- <iframe src=x> --> b", "a b"),
    "image with handler": ('"><img src=x onerror=alert(1)>end', '">end'),
    "less-than that is no tag": ("2 < 3 and 5 > 4", "2 < 3 and 5 > 4"),
    "control characters": ("\x00\x07\x1b[31mred\x1b[0m\x7f\x9b", "[31mred[0m"),
    "right-to-left override": ("\u202egnp.exe\u202c \u2066x\u2069", "gnp.exe x"),
    "zero width": ("in\u200bvi\ufeffsi\u00adble", "invisible"),
    "white space and line ends": (" a\r\n b\u2028\tc ", "a b c"),
    "numeric entity for a control": ("a&#0;b&#x202e;c&#x110000;d", "a\ufffdbc\ufffdd"),
    "half a character": ("x\ud83dy", "x?y"),
    "piled accents": ("Z" + "\u0301" * 300, "Z\u0301\u0301\u0301"),
    "empty": ("", ""),
}
SAFE = (
    "https://a.example/x?y=1#z",
    "http://a.example",
    "HTTPS://a.example/",
    "https://[::1]:8080/x",
    "https://a.example/caf\u00e9",
)
UNSAFE = (
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)//https://ok.example/",
    "java\nscript:alert(1)",
    "data:text/html;base64,PHN2Zz4=",
    "file:///etc/passwd",
    "ftp://a.example/x",
    "//a.example/x",
    "/relative",
    "",
    "http://",
    "https://user:secret@a.example/",
    "https://a.example:port/",
    "https://a.example:99999/",
    "https://[::1/",
    "https://a.example/a b",
    'https://a.example/"onmouseover="x',
    "https://a.example/<script>",
    "https://a.example/\u202egpj.html",
    "https://a.example/\ud83d",
    "https://a.example/" + "a" * 2_000,
    None,
    7,
)


@pytest.mark.parametrize("case", TEXTS)
def test_markup_becomes_plain_text(case: str) -> None:
    markup, expected = TEXTS[case]
    assert plain_text(markup, 300) == expected


def test_text_is_cut_to_its_length() -> None:
    assert plain_text("ab " * 300, 8) == "ab ab ab"
    assert plain_text("ab " * 300, 9) == "ab ab ab"


@pytest.mark.parametrize("flood", ["<", "<a ", "<!--", "<script>", "&lt;", "&", "<a>", "\u0301"])
def test_a_flood_takes_time_in_proportion_to_what_is_looked_at(flood: str) -> None:
    start = time.process_time()
    plain_text(flood * (20 * MAX_MARKUP_CHARS), 300)
    assert time.process_time() - start < 5


@given(st.text(max_size=200))
def test_any_text_becomes_one_encodable_line_without_tags(text: str) -> None:
    plain = plain_text(text, 100)
    assert len(plain) <= 100
    assert plain == " ".join(plain.split())
    plain.encode()
    assert "<script" not in plain.lower()


@pytest.mark.parametrize("url", SAFE)
def test_http_links_are_kept(url: str) -> None:
    assert safe_url(f" {url} ") == url


@pytest.mark.parametrize("url", UNSAFE)
def test_other_links_are_refused(url: object) -> None:
    assert safe_url(url) is None
