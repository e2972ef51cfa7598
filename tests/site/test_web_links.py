from __future__ import annotations

import pytest

from sitebuilder.web_links import host, is_web_address


@pytest.mark.parametrize(
    ("url", "is_link", "shown"),
    [
        ("https://www.Example.com/a?b=c#d", True, "example.com"),
        ("http://example.com:8080/", True, "example.com"),
        ("HTTPS://example.com", True, "example.com"),
        ("https://good.example@evil.example/x", True, "evil.example"),
        ("https://evil.example\\@good.example", False, None),
        ("javascript:alert(1)", False, None),
        (" javascript:alert(1)", False, None),
        ("java\nscript:alert(1)", False, None),
        ("data:text/html,<script>alert(1)</script>", False, None),
        ("//evil.example", False, None),
        ("https://", False, None),
        ('https://example.com/"><script>', False, None),
        ("https://example.com/a b", False, None),
        ("https://example.com/cut…", False, None),
        ("ftp://example.com", False, None),
        ("", False, None),
    ],
)
def test_only_whole_web_addresses_are_links(url: str, is_link: bool, shown: str | None) -> None:
    assert is_web_address(url) == is_link
    assert host(url) == (url if shown is None else shown)
