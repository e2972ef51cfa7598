from __future__ import annotations

from string import printable
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.scoring.urls import normalise_url

VERSION_1 = [
    ("https://www.Example.com/a/", "example.com/a"),
    ("http://example.com:8080/a", "example.com/a"),
    ("https://user:secret@example.com/a", "example.com/a"),
    ("https://example.com/", "example.com"),
    ("  https://example.com/a \n", "example.com/a"),
    ("https://a.com/p?b=2&a=1&utm_source=x&gclid=z", "a.com/p?a=1&b=2"),
    ("https://a.com/p?q=a%20b", "a.com/p?q=a+b"),
    ("https://a.com/p?q=a+b", "a.com/p?q=a+b"),
    ("https://a.com/caf%C3%A9", "a.com/café"),
    ("https://a.com/p?x", "a.com/p?x="),
    ("https://a.com/p?a=2&a=1", "a.com/p?a=1&a=2"),
    ("https://a.com/A", "a.com/A"),
    ("https://a.com/p%2Fq", "a.com/p/q"),
    ("http://[bad", "http://[bad"),
    ("https://app.com/#/docs/1", "app.com"),
    ("https://app.com/#/docs/2", "app.com"),
    ("https://a.com/p?UTM_SOURCE=x&ref=y", "a.com/p?UTM_SOURCE=x&ref=y"),
    ("https://www.www.a.com/", "www.a.com"),
    ("https://a.com/p?q=\ud800", "https://a.com/p?q=\ud800"),
    ("", ""),
]

VERSION_2 = [
    ("https://www.Example.com/a/", "example.com/a"),
    ("http://a.com:80/x", "a.com/x"),
    ("https://a.com:443/x", "a.com/x"),
    ("http://a.com:443/x", "a.com:443/x"),
    ("https://a.com:8443/x", "a.com:8443/x"),
    ("https://app.com/#/docs/1", "app.com#/docs/1"),
    ("https://app.com/#/docs/2", "app.com#/docs/2"),
    ("https://app.com/#!docs/1", "app.com#!docs/1"),
    ("https://app.com/#/", "app.com"),
    ("https://app.com/#!", "app.com"),
    ("https://app.com/#!/", "app.com"),
    ("https://a.com/p#section", "a.com/p"),
    ("https://a.com/p?UTM_Source=x&GCLID=z&a=1", "a.com/p?a=1"),
    ("https://a.com/p%2fq", "a.com/p%2Fq"),
    ("https://a.com/p%3Fq", "a.com/p%3Fq"),
    ("https://a.com/%7Euser/%41", "a.com/~user/A"),
    ("https://a.com/caf%c3%a9", "a.com/café"),
    ("https://a.com/café", "a.com/café"),
    ("https://a.com/%ff%C3%A9%e9", "a.com/%FFé%E9"),
    ("https://a.com/a b", "a.com/a%20b"),
    ("https://a.com/a%20b", "a.com/a%20b"),
    ("https://a.com/100%", "a.com/100%25"),
    ("https://a.com/%2541", "a.com/%2541"),
    ("https://a.com/p?q=a%20b", "a.com/p?q=a+b"),
    ("https://a.com/p?q=%ff", "a.com/p?q=%FF"),
    ("https://a.com./x", "a.com/x"),
    ("https://bücher.example/x", "xn--bcher-kva.example/x"),
    ("https://xn--bcher-kva.example/x", "xn--bcher-kva.example/x"),
    ("http://[2001:DB8::1]:8080/x", "[2001:db8::1]:8080/x"),
    ("http://[bad", "http://[bad"),
    ("http://a.com:port/x", "http://a.com:port/x"),
]


@pytest.mark.parametrize(("url", "key"), VERSION_1)
def test_version_1_gives_the_documented_key(url: str, key: str) -> None:
    assert normalise_url(url) == key


@pytest.mark.parametrize(("url", "key"), VERSION_2)
def test_version_2_gives_the_documented_key(url: str, key: str) -> None:
    assert normalise_url(url, version=2) == key


def test_ports_and_routes_that_version_1_merges_are_apart_in_version_2() -> None:
    for left, right in [
        ("https://a.com:8443/x", "https://a.com/x"),
        ("https://app.com/#/docs/1", "https://app.com/#/docs/2"),
        ("https://a.com/p%2Fq", "https://a.com/p/q"),
    ]:
        assert normalise_url(left, 1) == normalise_url(right, 1)
        assert normalise_url(left, 2) != normalise_url(right, 2)


def test_an_unknown_version_is_refused() -> None:
    with pytest.raises(ValueError, match="3 is unknown"):
        normalise_url("https://a.com", version=3)


@pytest.mark.parametrize("url", ["\xa0", "\u2003a.com", "https://\u3000", "x:// a", "a b", "\x7fa"])
def test_version_2_leaves_a_text_alone_whose_host_would_hold_a_blank(url: str) -> None:
    assert normalise_url(url, version=2) == url


@pytest.mark.parametrize("url", ["a.com.", "a.com..", "a.com\u2025", "a.com\u2026", "a.com\ufe30"])
def test_version_2_drops_every_dot_at_the_end_of_a_host(url: str) -> None:
    assert normalise_url(f"https://{url}/x", version=2) == "a.com/x"


@given(st.one_of(st.text(), st.text(alphabet=printable).map("https://www.a.com/".__add__)))
def test_version_2_is_idempotent_on_any_text(url: str) -> None:
    once = normalise_url(url, version=2)
    assert normalise_url(once, version=2) == once or once == url


@given(
    st.from_regex(r"https?://(www\.)?[a-z]{1,8}\.com(/[A-Za-z0-9._~-]{0,5}){0,3}", fullmatch=True)
)
def test_both_versions_are_idempotent_and_agree_on_plain_urls(url: str) -> None:
    once = normalise_url(url)
    assert normalise_url(once) == once == normalise_url(url, version=2)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20))
def test_version_2_merges_the_spellings_of_a_path(text: str) -> None:
    encoded = "".join(f"%{byte:02x}" for byte in text.encode())
    upper = quote(text, safe="")
    assert normalise_url(f"https://a.com/x{encoded}", 2) == normalise_url(
        f"https://a.com/x{upper}", 2
    )


@given(st.permutations(["a=1", "b=2", "a=0", "utm_source=x", "fbclid=9"]))
def test_the_order_of_query_pairs_does_not_matter(pairs: list[str]) -> None:
    url = "https://a.com/p?" + "&".join(pairs)
    assert normalise_url(url, 1) == normalise_url(url, 2) == "a.com/p?a=0&a=1&b=2"
