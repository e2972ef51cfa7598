"""PubMed and PubMed Central ids (PMID, PMCID) in text and addresses.

A bare number is never an id. In text a PMID needs its name and six to nine digits, a PMCID its
`PMC` and five to eight; in an address of the libraries any length will do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from runner.benches.scholar.ids.printed import named

_END = r"(?![a-z0-9])"
_NUMBER = rf"([0-9]{{1,9}}){_END}"
# A search for nothing but the number; `term=31415926[uid]` and words are searches.
_SEARCH = (
    r"/?\?(?:[a-z_]{1,20}=[a-z0-9_]{0,20}&){0,4}term="
    r"(?P<term>[0-9]{1,9})(?=[&#\"')<>]|\s{0,9}\Z)"
)
_LABELLED = r"[\s:#=.*_`\"'(\[{>-]{0,6}"
_PMID = {
    name: named(name, rest, not_after=before)
    for name, before, rest in (
        ("pubmed.ncbi.nlm.nih.gov", "a-z0-9-", rf"(?:/{{1,2}}{_NUMBER}|{_SEARCH})"),
        (
            "ncbi.nlm.nih.gov/",
            "a-z0-9-",
            rf"(?:(?:(?:m/)?pubmed/{{1,2}}|pmc/articles/pmid/){_NUMBER}|(?:m/)?pubmed{_SEARCH})",
        ),
        ("europepmc.org/", "a-z0-9-", rf"(?:article|abstract)/med/{_NUMBER}"),
        ("pmid", "a-z", rf"s?{_LABELLED}([0-9]{{6,9}}){_END}"),
        ("pubmed", "a-z", rf"(?:[\s_-]?id|\s?:){_LABELLED}([0-9]{{6,9}}){_END}"),
    )
}
_PMCID = {
    name: named(name, rest, not_after=before)
    for name, before, rest in (
        ("pmc.ncbi.nlm.nih.gov/", "a-z0-9-", rf"articles/pmc{_NUMBER}"),
        ("ncbi.nlm.nih.gov/", "a-z0-9-", rf"(?:labs/)?pmc/articles/pmc{_NUMBER}"),
        ("europepmc.org/", "a-z0-9-", rf"(?:(?:article|abstract)/pmc|articles?)/pmc{_NUMBER}"),
        ("pmcid", "a-z", rf"s?[\s:#=.*_-]{{1,4}}([0-9]{{5,8}}){_END}"),
        ("pmc", "a-z0-9", rf"\s?([0-9]{{5,8}}){_END}"),
    )
}


def pmids(printed: str) -> list[str]:
    """The PMIDs in a text as printed (`as_printed`), digits only, form by form, repeated."""
    return _numbers(printed, _PMID)


def pmcids(printed: str) -> list[str]:
    """The PMCIDs in a text as printed, as `PMC8123456`, form by form, repeated."""
    return [f"PMC{number}" for number in _numbers(printed, _PMCID)]


def _numbers(printed: str, forms: Mapping[str, re.Pattern[str]]) -> list[str]:
    return [
        match[match.lastindex or 0]
        for name, pattern in forms.items()
        if name in printed
        for match in pattern.finditer(printed)
    ]


def canonical_pmid(written: str) -> str | None:
    """A gold PMID as the reader gives it, None where it is none."""
    return written if re.fullmatch(r"[1-9][0-9]{0,8}", written) else None


def canonical_pmcid(written: str) -> str | None:
    """A gold PMCID with its `PMC`, None where it is none."""
    match = re.fullmatch(r"(?:pmc)?([1-9][0-9]{0,8})", written.strip().lower())
    return f"PMC{match[1]}" if match else None
