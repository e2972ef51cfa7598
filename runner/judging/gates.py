"""Gates: what code decides by itself, and the caps that a model's own failed gates imply.

Code decides the operator gate: quoted phrases and `site:` can be checked exactly, so a rating is
set to 0 whatever the model said, and the difference is counted. The other gates are the model's;
where its rating exceeds the cap of a gate that it failed, the violation is recorded and the
rating stands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from runner.engines.operators import parse_operators

# The most that a document can get when the gate has failed. Where the contract takes points off
# instead of setting a cap (staleness, domain), the cap is what the mildest failure leaves.
CAPS: dict[str, int] = {
    "document_integrity_check": 0,
    "document_spirit_condition": 2,
    "document_coverage_condition": 2,
    "document_completeness_condition": 2,
    "freshness_gate": 1,
    "staleness_gate": 3,
    "domain_gate": 2,
    "search_operators_gate": 0,
}

_QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»]+)[\"“”„«»]")
_EDGES = " \t\n.,;:!?()[]{}'‘’`-–—…/|*"


def quoted_spans(query: str) -> list[str]:
    """The phrases between quotation marks that hold at least one letter or digit, in order."""
    spans = (_plain(span) for span in _QUOTED.findall(query))
    return [span for span in spans if any(character.isalnum() for character in span)]


def failed_by_code(query: str, *, url: str, title: str | None, snippet: str | None) -> list[str]:
    """The names of operator rules that a document breaks: `quoted_span`, `site`, or none.

    A phrase must stand in the title or the snippet (case, white space and punctuation around it
    aside); the host must be one of the `site:` domains or below one.
    """
    failed = []
    fields = [_plain(title or ""), _plain(snippet or "")]
    if any(all(span not in field for field in fields) for span in quoted_spans(query)):
        failed.append("quoted_span")
    sites = parse_operators(query).sites
    if sites and not any(_is_under(_host(url), site) for site in sites):
        failed.append("site")
    return failed


def violations(rating: int, gates: Mapping[str, str]) -> list[str]:
    """The gates that the model failed while its rating exceeds their cap."""
    return [gate for gate, cap in CAPS.items() if gates.get(gate) == "fail" and rating > cap]


def _plain(text: str) -> str:
    return " ".join(text.replace("’", "'").replace("‘", "'").casefold().split()).strip(_EDGES)


def _host(url: str) -> str:
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host.rstrip(".")


def _is_under(host: str, domain: str) -> bool:
    domain = domain.removeprefix("www.")
    return host == domain or host.endswith(f".{domain}")
