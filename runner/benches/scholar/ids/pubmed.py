"""PubMed and PubMed Central ids (PMID, PMCID) in text and addresses.

A bare number is never an id. In text a PMID needs its name and six to nine digits, a PMCID its
`PMC` and five to eight; in an address of the libraries any length will do.
"""

from __future__ import annotations

import re

_END = r"(?![a-z0-9])"
_PUBMED = r"(?<![a-z0-9-])(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/(?:m/)?pubmed)"
_EUROPE = r"(?<![a-z0-9-])europepmc\.org/"
_PMID = re.compile(
    rf"(?:{_PUBMED}/{{1,2}}|{_EUROPE}(?:article|abstract)/med/"
    rf"|(?<![a-z0-9-])ncbi\.nlm\.nih\.gov/pmc/articles/pmid/)([0-9]{{1,9}}){_END}"
    # A search for nothing but the number; `term=31415926[uid]` and words are searches.
    rf"|{_PUBMED}/?\?(?:[a-z_]{{1,20}}=[a-z0-9_]{{0,20}}&){{0,4}}term=([0-9]{{1,9}})(?=[&#\"')<>]|\s*\Z)"
    rf"|(?<![a-z])(?:pmids?|pubmed[\s_-]?id|pubmed\s?:)[\s:#=.*_`\"'(\[{{>-]{{0,6}}([0-9]{{6,9}}){_END}"
)
_PMCID = re.compile(
    r"(?:(?<![a-z0-9-])(?:pmc\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov(?:/labs)?/pmc)/articles/"
    rf"|{_EUROPE}(?:article/pmc|articles?|abstract/pmc)/)pmc([0-9]{{1,9}}){_END}"
    rf"|(?<![a-z0-9])pmc\s?([0-9]{{5,8}}){_END}"
    rf"|(?<![a-z])pmcid[\s:#=.*_-]{{1,4}}([0-9]{{5,8}}){_END}"
)


def pmids(printed: str) -> list[str]:
    """The PMIDs in a text as printed (`as_printed`), digits only, with repetitions."""
    if "pm" not in printed and "pubmed" not in printed:
        return []
    return [match[match.lastindex or 0] for match in _PMID.finditer(printed)]


def pmcids(printed: str) -> list[str]:
    """The PMCIDs in a text as printed, as `PMC8123456`, with repetitions."""
    if "pmc" not in printed:
        return []
    return [f"PMC{match[match.lastindex or 0]}" for match in _PMCID.finditer(printed)]


def canonical_pmid(written: str) -> str | None:
    """A gold PMID as the reader gives it, None where it is none."""
    return written if re.fullmatch(r"[1-9][0-9]{0,8}", written) else None


def canonical_pmcid(written: str) -> str | None:
    """A gold PMCID with its `PMC`, None where it is none."""
    match = re.fullmatch(r"(?:pmc)?([1-9][0-9]{0,8})", written.strip().lower())
    return f"PMC{match[1]}" if match else None
