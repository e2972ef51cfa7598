"""Texts made to be slow or to break decoding: reading ids takes time in line with their length."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.benches.scholar.ids.found import KINDS, ids_of_text, ids_of_url

CHARS = 40_000
BOUND_S = 5.0  # the slowest takes one second for its ten texts; anything quadratic takes minutes

PIECES = [
    *(" ", "a", "1", "/", "\n", ".", "-", ":", "=", "(", ")", "[", "<", ">", "&", "%", "#", "\\"),
    *("é", "日", "\u200b", "…", "１", "²", "\ud800", "İ", "ﷺ"),
    *("<a ", "<a", "</", "</a", "<!--", '<a ="', '<a href="/', "<a =''", "= ", '="/'),
    *("&#", "&#9", "&amp;", "&lt;", "&a", "%2", "%25", "%2525", "%41", "\\_"),
    *("arxiv", "arxiv:", "arxiv ", "arxiv preprint ", "arxiv:2509.0441", "arxiv:2509.04417 "),
    *("arxiv.org/abs/", "arxiv:hep-ph/", "arxiv:math.gt-gt/", "ar5iv.org/", "eprint = {"),
    *("2025arXiv", "arxiv, (no id ", "arxiv:[({[(", "hf.co/papers/", "papers/"),
    *("10.", "10.1000/", "10.1000/x", "10.1000/x ", "10.1000/x,", "10.1000/x,10.1000/x", "10.1000"),
    *("10.1000/x(", "10.1000/(((", "10.1000/)))", "10.1000/<x>", "10.1000/.pdf", "/full", ".pdf"),
    *("10.1101/1v1", "v1v1", "10.1000/,,,,", "10.1000/&aaaa", "doi", "doi10.1000/", "https:/"),
    *("pmid", "pmid ", "pmid: 1", "pmid:123456", "pmid:123456 ", "pmc", "pmc12345 ", "pmcid: "),
    *("pubmed", "pubmed.ncbi.nlm.nih.gov/?term=", "pubmed.ncbi.nlm.nih.gov/?a=1&", "pubmed :"),
    *(
        "ncbi.nlm.nih.gov/pubmed/",
        "europepmc.org/article/",
        "nature.com/articles/a",
        "thelancet.com/a/",
    ),
]


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
def test_no_text_of_one_piece_over_and_over_takes_long(piece: str) -> None:
    text = (piece * CHARS)[:CHARS]
    started = time.process_time()
    for hostile in (text, f"10.1000/{text}", f"arxiv{text}", f"<a {text}", f"pmid{text}"):
        ids_of_text(hostile)
        ids_of_url(f"https://x.test/{hostile}")
    assert time.process_time() - started < BOUND_S


def test_a_number_of_many_digits_in_an_entity_breaks_nothing() -> None:
    assert ids_of_text(f"&#{'9' * 9_000}; arXiv:2509.04417") == {"arxiv": ["2509.04417"]}
    assert ids_of_text(f"&#x{'f' * 9_000}; arXiv:2509.04417") == {"arxiv": ["2509.04417"]}


def test_a_doi_has_a_longest_length() -> None:
    (doi,) = ids_of_text(f"10.1000/{'x' * 5_000}")["doi"]
    assert len(doi) < 300


def test_two_thousand_characters_are_read_in_about_a_third_of_a_millisecond() -> None:
    """The time is the best of several tries, with room for a slower machine."""
    snippet = (
        "A lattice for cold sensors (2026) reported 12.5% in Smith et al., doi:10.1016/j.cell."
        "2026.01.001, arXiv:2509.04417v2 [cs.LG]. PMID: 31415926; PMCID: PMC8123456. <b>We</b> "
        "find &amp; show it — at https://arxiv.org/abs/2509.04417. "
    )
    text = (snippet * 20)[:2_000]
    times = []
    for _ in range(5):
        started = time.process_time()
        for _ in range(50):
            ids_of_text(text)
            ids_of_url("https://www.biorxiv.org/content/10.1101/2026.01.02.900417v1.full")
        times.append((time.process_time() - started) / 50 * 1_000)
    assert min(times) < 3 * 0.3


@settings(max_examples=300, deadline=None)
@given(st.text(st.one_of(st.characters(), st.sampled_from("10./<>()&#%;:arxivpmcd")), max_size=200))
def test_any_text_is_read_and_gives_each_id_once(text: str) -> None:
    for ids in (ids_of_text(text), ids_of_url(text)):
        assert set(ids) <= set(KINDS)
        assert all(found and len(found) == len(set(found)) for found in ids.values())
