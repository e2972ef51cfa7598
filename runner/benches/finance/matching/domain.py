"""Web domains: the registrable domain of the result's address, or the domain in its text."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from runner.benches.finance.matching.question import Evidence, Matcher, Question
from runner.benches.normal import visible_text

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

_SCHEME = re.compile(r"(?:[a-z][a-z0-9+.-]{0,30}:)?//")
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    """The public suffix list that the package carries, read once."""
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()


@lru_cache(maxsize=65_536)
def registrable_domain(url_or_host: str) -> str | None:
    """The domain that its owner registered (`ir.acme.co.uk` → `acme.co.uk`), in ASCII lower case.

    None for an address, a public suffix itself (`co.uk`), and anything that is no host name.
    Private suffixes count: `acme.github.io` is registered, `github.io` is not.
    """
    host = _host(url_or_host)
    if host is None:
        return None
    found = _suffixes().privatesuffix(host)
    return str(found) if found else None


def _host(url_or_host: str) -> str | None:
    """The host name of an address in ASCII lower case, None when it is not a well-formed one."""
    text = url_or_host.strip().lower()[:2048]
    scheme = _SCHEME.match(text)
    if scheme is None and re.match(r"[a-z][a-z0-9+.-]*:(?!\d)", text):
        return None  # mailto:, javascript: and the like have no host
    rest = text[scheme.end() :] if scheme else text
    authority = re.split(r"[/?#\\]", rest, maxsplit=1)[0]
    host = re.sub(r":\d*$", "", authority.rpartition("@")[2]).rstrip(".")
    if not host.isascii():
        try:
            host = host.encode("idna").decode("ascii")
        except UnicodeError:
            return None
    labels = host.split(".")
    if len(labels) < 2 or len(host) > 253 or labels[-1].isdigit():
        return None
    return host if all(_LABEL.fullmatch(label) for label in labels) else None


def matcher(question: Question) -> Matcher:
    """Finds the company's domain, as the host of the result or written in its text."""
    domains = {found for value in question.values if (found := registrable_domain(str(value)))}
    written = sorted(domains | {_unicode(domain) for domain in domains})
    patterns = [(form, _written_form(form)) for form in written]

    def match(evidence: Evidence) -> str | None:
        if registrable_domain(evidence.url) in domains:
            return "url:domain"
        # Accents are not folded here: another letter is another domain.
        text = visible_text(evidence.text).lower()
        for form, pattern in patterns:
            if form in text and pattern.search(text):
                return "text:domain"
        return None

    return match


def _written_form(domain: str) -> re.Pattern[str]:
    """The domain on its own or as the end of a longer host, and no further label behind it."""
    return re.compile(rf"(?<![\w-]){re.escape(domain)}(?![\w-])(?!\.[\w-])")


def _unicode(domain: str) -> str:
    """The domain with its international labels in their own letters."""
    try:
        return domain.encode("ascii").decode("idna")
    except UnicodeError:
        return domain
