"""PMIDs and PMCIDs: the examples of the specification, and the forms in which sites print them."""

from __future__ import annotations

import pytest

from runner.benches.scholar.ids.found import ids_of_text, ids_of_url
from runner.benches.scholar.ids.pubmed import canonical_pmcid, canonical_pmid

P, C = "31415926", "PMC8123456"

PMID_ADDRESSES = [
    ("https://pubmed.ncbi.nlm.nih.gov/31415926/", [P]),
    ("https://pubmed.ncbi.nlm.nih.gov/31415926", [P]),
    ("pubmed.ncbi.nlm.nih.gov/31415926?dopt=Abstract", [P]),
    ("https://pubmed.ncbi.nlm.nih.gov/31415926/#affiliation-1", [P]),
    ("https://pubmed.ncbi.nlm.nih.gov/9/", ["9"]),
    ("https://www.ncbi.nlm.nih.gov/pubmed/271", ["271"]),
    ("http://www.ncbi.nlm.nih.gov/pubmed/31415926?report=abstract", [P]),
    ("https://www.ncbi.nlm.nih.gov/m/pubmed/31415926/", [P]),
    ("HTTPS://WWW.NCBI.NLM.NIH.GOV/PUBMED/31415926", [P]),
    ("https://pubmed.ncbi.nlm.nih.gov/?term=31415926", [P]),
    ("https://www.ncbi.nlm.nih.gov/pubmed/?term=31415926", [P]),
    ("https://www.ncbi.nlm.nih.gov/pubmed?term=31415926", [P]),
    ("https://pubmed.ncbi.nlm.nih.gov/?otool=x&term=31415926&sort=date", [P]),
    ("https://www.ncbi.nlm.nih.gov/pmc/articles/pmid/31415926/", [P]),
    ("https://europepmc.org/article/MED/40011223", ["40011223"]),
    ("https://europepmc.org/article/med/40011223", ["40011223"]),
    ("https://europepmc.org/abstract/MED/40011223", ["40011223"]),
    ("http://europepmc.org/abstract/MED/271/reload=0", ["271"]),
    ("https://x.test/r?u=https%3A%2F%2Fpubmed.ncbi.nlm.nih.gov%2F31415926%2F", [P]),
    ("https://x.test/paper?pmid=31415926", [P]),
    ("https://x.test/paper/PMID:31415926", [P]),
    ("https://pubmed.ncbi.nlm.nih.gov/?term=31415926%5Buid%5D", []),
    ("https://pubmed.ncbi.nlm.nih.gov/?term=31415926+31415927", []),
    ("https://pubmed.ncbi.nlm.nih.gov/?term=31415926%20OR%2031415927", []),
    ("https://pubmed.ncbi.nlm.nih.gov/?term=study+31415926", []),
    ("https://pubmed.ncbi.nlm.nih.gov/?term=lattice", []),
    ("https://pubmed.ncbi.nlm.nih.gov/?page=31415926", []),
    ("https://pubmed.ncbi.nlm.nih.gov/3141592655", []),
    ("https://pubmed.ncbi.nlm.nih.gov/31415926abc", []),
    ("https://pubmed.ncbi.nlm.nih.gov/trending/", []),
    ("https://notpubmed.ncbi.nlm.nih.gov/31415926/", []),
    ("https://pubmed.ncbi.nlm.nih.gov.evil.test/31415926/", []),
    ("https://x.test/pubmed/31415926", []),
    ("https://www.ncbi.nlm.nih.gov/gene/31415926", []),
    ("https://europepmc.org/article/PPR/31415926", []),
    ("https://europepmc.org/search?query=31415926", []),
    ("https://x.test/31415926", []),
]
PMID_TEXTS = [
    ("PMID: 31415926", [P]),
    ("PMID31415926", [P]),
    ("PMID 31415926", [P]),
    ("PMID:31415926", [P]),
    ("pmid: 31415926", [P]),
    ("PMID : 31415926", [P]),
    ("PMID\u00a031415926", [P]),
    ("PMID：31415926", [P]),
    ("PMID-31415926", [P]),
    ("PMID=31415926", [P]),
    ("PMID #31415926", [P]),
    ("PMIDs: 31415926", [P]),
    ("[PMID: 31415926]", [P]),
    ("[PMID:31415926].", [P]),
    ("(PMID 31415926)", [P]),
    ("PMID: 31415926.", [P]),
    ("PMID: 31415926; PMCID: PMC8123456.", [P]),
    ("PMID: 31415926 PMCID: PMC8123456", [P]),
    ("PMID: 31415926 Free PMC article", [P]),
    ("<b>PMID:</b> 31415926", [P]),
    ("<strong>PMID</strong>: <b>31415926</b>", [P]),
    ('PMID: <span class="id">31415926</span>', [P]),
    ('PMID: <a href="https://pubmed.ncbi.nlm.nih.gov/31415926/">31415926</a>', [P]),
    ("**PMID:** 31415926", [P]),
    ("PMID: [31415926](https://pubmed.ncbi.nlm.nih.gov/31415926/)", [P]),
    ("PMID:&nbsp;31415926", [P]),
    ("PubMed ID: 31415926", [P]),
    ("PubMed: 31415926", [P]),
    ("PubMed PMID: 31415926", [P]),
    ("PMID: 123456", ["123456"]),
    ("PMID: 123456789", ["123456789"]),
    ("PMID: 31415926, PMID: 31415927", [P, "31415927"]),
    ("see https://pubmed.ncbi.nlm.nih.gov/31415926/.", [P]),
    ("PMID: 9", []),
    ("PMID: 12345", []),
    ("PMID: 1234567890", []),
    ("PMCID: PMC8123456", []),
    ("PMCID: 8123456", []),
    ("31415926", []),
    ("PMID:31415926PMC", []),
    ("PMID: 31415926x", []),
    ("PMID: 314 159 26", []),
    ("PMID: none, 31415926 readers", []),
    ("XPMID: 31415926", []),
    ("PubMed 31415926", []),
    ("PubMed has 31415926 citations", []),
    ("id 31415926", []),
    ("PMID:", []),
    ("", []),
]
PMCID_ADDRESSES = [
    ("https://pmc.ncbi.nlm.nih.gov/articles/PMC8123456/", [C]),
    ("https://pmc.ncbi.nlm.nih.gov/articles/PMC8123456/pdf/paper.pdf", [C]),
    ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC8123456/", [C]),
    ("http://www.ncbi.nlm.nih.gov/pmc/articles/PMC8123456#S2", [C]),
    ("https://www.ncbi.nlm.nih.gov/labs/pmc/articles/PMC8123456/", [C]),
    ("https://pmc.ncbi.nlm.nih.gov/articles/PMC13/", ["PMC13"]),
    ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC13/", ["PMC13"]),
    ("https://www.ncbi.nlm.nih.gov/labs/pmc/articles/PMC13/", ["PMC13"]),
    ("https://europepmc.org/article/PMC/PMC13", ["PMC13"]),
    ("https://pmc.ncbi.nlm.nih.gov/articles/pmc8123456/", [C]),
    ("https://europepmc.org/article/PMC/PMC8123456", [C]),
    ("https://europepmc.org/article/pmc/pmc8123456", [C]),
    ("https://europepmc.org/articles/PMC8123456", [C]),
    ("https://europepmc.org/articles/PMC8123456?pdf=render", [C]),
    ("https://europepmc.org/articles/PMC13", ["PMC13"]),
    ("https://x.test/r?u=https%3A%2F%2Fpmc.ncbi.nlm.nih.gov%2Farticles%2FPMC8123456", [C]),
    ("https://x.test/PMC8123456.pdf", [C]),
    ("https://pmc.ncbi.nlm.nih.gov/articles/8123456/", []),
    ("https://pmc.ncbi.nlm.nih.gov/articles/PMC8123456789/", []),
    ("https://x.test/articles/PMC13", []),
    ("https://x.test/EMPMC8123456", []),
    ("https://europepmc.org/article/MED/40011223", []),
]
PMCID_TEXTS = [
    ("PMCID: PMC8123456", [C]),
    ("PMCID:PMC8123456", [C]),
    ("PMCID PMC8123456", [C]),
    ("PMC8123456", [C]),
    ("pmc8123456", [C]),
    ("PMC 8123456", [C]),
    ("PMCID: 8123456", [C]),
    ("(PMC8123456)", [C]),
    ("[PMC8123456].", [C]),
    ("PMC8123456.1", [C]),
    ("<b>PMC8123456</b>", [C]),
    ("PMC12345", ["PMC12345"]),
    ("PMC12345678", ["PMC12345678"]),
    ("PMC8123456, PMC8123457", [C, "PMC8123457"]),
    ("see https://europepmc.org/articles/PMC13.", ["PMC13"]),
    ("PMC1234", []),
    ("PMC123456789", []),
    ("PMC8123456a", []),
    ("EPMC8123456", []),
    ("Europe PMC has 8123456 papers", []),
    ("8123456", []),
    ("PMC", []),
    ("PMCID:", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "found"), PMID_ADDRESSES + PMID_TEXTS)
def test_the_pmids_of_a_text(text: str, found: list[str]) -> None:
    assert ids_of_text(text).get("pmid", []) == found


@pytest.mark.parametrize(("url", "found"), PMID_ADDRESSES)
def test_the_pmids_of_an_address(url: str, found: list[str]) -> None:
    assert ids_of_url(url).get("pmid", []) == found


@pytest.mark.parametrize(("text", "found"), PMCID_ADDRESSES + PMCID_TEXTS)
def test_the_pmcids_of_a_text(text: str, found: list[str]) -> None:
    assert ids_of_text(text).get("pmcid", []) == found


@pytest.mark.parametrize(("url", "found"), PMCID_ADDRESSES)
def test_the_pmcids_of_an_address(url: str, found: list[str]) -> None:
    assert ids_of_url(url).get("pmcid", []) == found


@pytest.mark.parametrize(
    ("written", "pmid", "pmcid"),
    [
        (P, P, f"PMC{P}"),
        (C, None, C),
        ("pmc8123456", None, C),
        ("271", "271", "PMC271"),
        ("0271", None, None),
        ("1234567890", None, None),
        ("PMID: 271", None, None),
        ("10.1000/xyz123", None, None),
        ("", None, None),
    ],
)
def test_a_gold_number_is_read_whole_or_not_at_all(
    written: str, pmid: str | None, pmcid: str | None
) -> None:
    assert canonical_pmid(written) == pmid
    assert canonical_pmcid(written) == pmcid
