"""The company's own domain, not that of a branch or of a page elsewhere."""

from __future__ import annotations

import pytest

from runner.benches.finance.matching.domain import registrable_domain
from runner.benches.finance.websites import COUNTRY_ENDINGS, Address, Site, own_site

US = "United States"


def site(*addresses: str | Address, country: str | None = US) -> Site | str:
    stated = [each if isinstance(each, Address) else Address(each) for each in addresses]
    return own_site(stated, country, registrable_domain)


@pytest.mark.parametrize(
    ("url", "country", "domain"),
    [
        ("https://www.acme.com/", US, "acme.com"),
        ("http://ir.acme.com/mx/", US, "acme.com"),
        ("https://www.ACME.com", US, "acme.com"),
        ("https://acme.co.uk/", "United Kingdom", "acme.co.uk"),
        ("https://www.acme.de/", "Germany", "acme.de"),
        ("https://acme.us/", US, "acme.us"),
        ("https://acme.io/", US, "acme.io"),
        ("https://global.acme/", "Japan", "global.acme"),
        ("https://www.acme.bank/", US, "acme.bank"),
        ("https://www.acme.com.br", "Brazil", "acme.com.br"),
        ("https://www.facebook.com/", US, "facebook.com"),
        ("https://about.google.com", US, "google.com"),
    ],
)
def test_the_own_domain_is_taken(url: str, country: str, domain: str) -> None:
    found = site(url, country=country)
    assert isinstance(found, Site)
    assert (found.domain, found.url, found.others) == (domain, url, ())


@pytest.mark.parametrize(
    ("url", "country", "reason"),
    [
        ("https://www.acme.com.mx/", US, "country_site"),
        ("https://www.acme.de/", US, "country_site"),
        ("https://acme.co.uk/", "Ireland", "country_site"),
        ("https://acme.us/", "Germany", "country_site"),
        ("https://acme.de/", None, "country_site"),
        ("https://acme.de/", "Ruritania", "country_site"),
        ("https://www.facebook.com/acme", US, "shared_domain"),
        ("https://web.archive.org/web/2020/acme.com", US, "shared_domain"),
        ("https://en.wikipedia.org/wiki/Acme", US, "shared_domain"),
        ("ftp://acme.com/", US, "missing"),
        ("javascript:alert(1)", US, "missing"),
        ("acme.com", US, "missing"),
        ("https://user:pw@acme.com/", US, "missing"),
        ("https://acme.com/\u202e", US, "missing"),
        ("https://acme.com/a b", US, "missing"),
        ("https://co.uk/", "United Kingdom", "missing"),
        ("https://127.0.0.1/", US, "missing"),
        ("https://[::1]/", US, "missing"),
        ("https://acme.com:99999/", US, "missing"),
        ("https://" + "a" * 3000 + ".com/", US, "missing"),
        ("", US, "missing"),
    ],
)
def test_what_is_not_the_own_domain_is_refused(url: str, country: str | None, reason: str) -> None:
    assert site(url, country=country) == reason


def test_without_an_address_the_website_is_missing() -> None:
    assert site() == "missing"


def test_a_branch_does_not_stand_in_the_way_of_the_own_domain() -> None:
    assert site("https://acme.com.mx/", "https://acme.com/", "https://facebook.com/acme") == Site(
        "acme.com", "https://acme.com/"
    )


def test_other_addresses_of_its_own_are_kept_the_preferred_english_one_first() -> None:
    found = site(
        Address("https://acme.net/"),
        Address("https://acme-jp.com/", is_preferred=True, is_foreign_language=True),
        Address("https://acme.org/", is_preferred=True),
        Address("https://acme.org/"),
    )
    assert found == Site(
        "acme.org", "https://acme.org/", ("https://acme.net/", "https://acme-jp.com/")
    )


def test_countries_are_named_in_lower_case_and_endings_have_two_letters() -> None:
    assert all(name == name.lower() for name in COUNTRY_ENDINGS)
    assert all(len(ending) == 2 and ending.isascii() for ending in COUNTRY_ENDINGS.values())
