"""Domains: the accept and reject examples of the specification, and addresses as they come."""

from __future__ import annotations

import string

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from runner.benches.finance.matching.domain import matcher, registrable_domain
from runner.benches.finance.matching.question import Evidence, Question


def find(gold: str | tuple[str, ...], text: str = "", url: str = "https://x.test/") -> str | None:
    values = (gold,) if isinstance(gold, str) else gold
    return matcher(Question(field="website", values=values))(Evidence(url, text))


ACME = "acmewidgets.com"
ADDRESSES = [
    (ACME, "https://ir.acmewidgets.com/q2", True),
    (ACME, "https://web.archive.org/web/2020/acmewidgets.com", False),
    ("acme.co.uk", "https://shop.acme.co.uk/", True),
    ("acme.co.uk", "https://shop.acme.com/", False),
    (("acme.co.uk", "acme.com"), "https://shop.acme.com/", True),
    (ACME, "https://acmewidgets.com", True),
    (ACME, "http://WWW.ACMEWIDGETS.COM/", True),
    (ACME, "https://www.acmewidgets.com:8443/a?b#c", True),
    (ACME, "https://user:word@acmewidgets.com/", True),
    (ACME, "acmewidgets.com/about", True),
    (ACME, "//acmewidgets.com/about", True),
    (ACME, "https://acmewidgets.com./", True),
    (ACME, "https://acmewidgets.com.evil.test/", False),
    (ACME, "https://acmewidgets.com@evil.test/", False),
    (ACME, "https://evil.test/?u=https://acmewidgets.com", False),
    (ACME, "https://evil.test\\@acmewidgets.com/", False),
    (ACME, "https://myacmewidgets.com/", False),
    (ACME, "https://acmewidgets.company/", False),
    (ACME, "https://acmewidgets.com.mx/", False),
    (ACME, "https://acmewidgets.org/", False),
    (ACME, "https://xn--cmewidgets-s2a.com/", False),
    (ACME, "https://ácmewidgets.com/", False),
    (ACME, "mailto:sales@acmewidgets.com", False),
    (ACME, "https://[::1]/", False),
    (ACME, "", False),
    (ACME, "not an address", False),
    ("https://www.acmewidgets.com/en/", "https://de.acmewidgets.com/", True),
    ("acme.github.io", "https://acme.github.io/x", True),
    ("acme.github.io", "https://other.github.io/x", False),
    ("müller.de", "https://www.xn--mller-kva.de/", True),
    ("müller.de", "https://www.müller.de/", True),
    ("müller.de", "https://www.muller.de/", False),
    ("acme.com.au", "https://acme.com.au/", True),
    ("acme.com.au", "https://other.com.au/", False),
    ("co.uk", "https://other.co.uk/", False),
]
TEXTS = [
    (ACME, "See ACMEWIDGETS.com.", True),
    (ACME, "www.acmewidgets.com", True),
    (ACME, "sales@acmewidgets.com", True),
    (ACME, "myacmewidgets.com", False),
    (ACME, "acmewidgets.company", False),
    (ACME, "acmewidgets.com.mx", False),
    (ACME, "acmewidgets", False),
    ("acme.co.uk", "co.uk", False),
    ("acme.co.uk", "acme.com", False),
    (("acme.co.uk", "acme.com"), "acme.com", True),
    (ACME, "Website: https://www.acmewidgets.com/", True),
    (ACME, "<b>acmewidgets</b>.com", True),
    (ACME, "[acmewidgets.com](https://x.test)", True),
    (ACME, "Website acmewidgets.com, founded", True),
    (ACME, "(acmewidgets.com)", True),
    (ACME, "acmewidgets.com/investors", True),
    (ACME, "investors.acmewidgets.com:443", True),
    (ACME, "acmewidgets.com…", True),
    (ACME, "acmewidgets.com's", True),
    (ACME, "acmewidgets.com. Founded", True),
    (ACME, "first acmewidgets.com.mx, then acmewidgets.com", True),
    (ACME, "acmewidgets.com.Founded", False),
    (ACME, "acmewidgets.comfort", False),
    (ACME, "my-acmewidgets.com", False),
    (ACME, "my_acmewidgets.com", False),
    (ACME, "acmewidgets.com-sale.test", False),
    (ACME, "acmewidgets.com_sale", False),
    (ACME, "acmewidgets .com", False),
    (ACME, "acmewidgets com", False),
    (ACME, "acmewidgetsXcom", False),
    (ACME, "ácmewidgets.com", False),
    (ACME, "áacmewidgets.com", False),
    (ACME, "acmewidgets.cóm", False),
    (ACME, "acmewidgets.co", False),
    ("müller.de", "www.müller.de", True),
    ("müller.de", "xn--mller-kva.de", True),
    ("müller.de", "muller.de", False),
    ("co.uk", "co.uk", False),
    ("not a domain", "not a domain", False),
]


@pytest.mark.parametrize(("gold", "url", "is_hit"), ADDRESSES)
def test_a_result_of_the_company_s_domain_is_a_hit(
    gold: str | tuple[str, ...], url: str, is_hit: bool
) -> None:
    assert (find(gold, url=url) == "url:domain") is is_hit


@pytest.mark.parametrize(("gold", "text", "is_hit"), TEXTS)
def test_a_domain_counts_in_text_when_nothing_makes_it_longer(
    gold: str | tuple[str, ...], text: str, is_hit: bool
) -> None:
    assert (find(gold, text=text) == "text:domain") is is_hit


@pytest.mark.parametrize(
    ("address", "domain"),
    [
        ("https://ir.acme.co.uk/x", "acme.co.uk"),
        ("IR.ACME.CO.UK", "acme.co.uk"),
        ("www.gov.uk", "www.gov.uk"),
        ("co.uk", None),
        ("com", None),
        ("localhost", None),
        ("127.0.0.1", None),
        ("https://10.0.0.1:80/", None),
        ("https://", None),
        ("", None),
        ("a..b.com", None),
        ("-a.com", None),
        ("a b.com", None),
        ("javascript:alert(1)", None),
        ("acme.com:80/x", "acme.com"),
        ("www.wordpress.com", "wordpress.com"),
        ("blog.acme.github.io", "acme.github.io"),
        ("https://müller.de/", "xn--mller-kva.de"),
        (f"https://{'a' * 64}.com", None),
        (f"https://{'a.' * 200}com", None),
        ("https://" + "." * 5000, None),
    ],
)
def test_the_registrable_domain_of_an_address(address: str, domain: str | None) -> None:
    assert registrable_domain(address) == domain


LABELS = st.from_regex(r"[a-z][a-z0-9]{2,12}", fullmatch=True)
SUFFIXES = st.sampled_from(["com", "co.uk", "org", "com.au", "de", "io"])
AROUND = st.sampled_from(["{}", "www.{}", "https://www.{}/a", "x@{}", "See {}.", "({})", "{}, and"])


@settings(deadline=None)  # the first example reads word lists
@given(LABELS, SUFFIXES, AROUND, st.booleans())
def test_a_domain_in_every_supported_form_is_found(
    label: str, suffix: str, around: str, is_capital: bool
) -> None:
    gold = f"{label}.{suffix}"
    assume(registrable_domain(gold) == gold)
    written = gold.upper() if is_capital else gold
    assert find(gold, text=around.format(written)) == "text:domain"
    assert find(gold, url=f"https://a.{written}/q") == "url:domain"


@settings(deadline=None)  # the first example reads word lists
@given(LABELS, SUFFIXES, AROUND, st.data())
def test_another_letter_is_another_domain(
    label: str, suffix: str, around: str, data: st.DataObject
) -> None:
    """One character of the name changed, put in or taken out; no exceptions."""
    gold = f"{label}.{suffix}"
    assume(registrable_domain(gold) == gold)
    place = data.draw(st.integers(0, len(label) - 1))
    char = data.draw(st.sampled_from(string.ascii_lowercase + string.digits + "-"))
    other = label[:place] + data.draw(st.sampled_from(["", char, char + label[place]]))
    other = f"{other}{label[place + 1 :]}.{suffix}"
    assume(other != gold)
    assert find(gold, text=around.format(other), url=f"https://{other}/") is None
