"""Cells, windows and the papers that are worth a query."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.benches.drops import Drops
from runner.benches.scholar.rows import AGE_BUCKETS, AgeBucket
from runner.benches.scholar.sampling import (
    SPANS,
    Window,
    candidates_wanted,
    cells,
    interleaved,
    is_generic,
    per_window,
    unfit,
    usable,
    windows,
)
from tests.runner.benches.scholar.made_papers import NOW, paper


def test_arxiv_has_four_fields_and_europe_pmc_one() -> None:
    grid = cells(("arxiv", "europepmc"), ("7d", "1y"))
    assert len(grid) == len(set(grid)) == 10
    assert [str(cell) for cell in grid[:2]] == [
        "arxiv, computer science, 7d",
        "arxiv, computer science, 1y",
    ]
    assert {cell.domain for cell in grid if cell.suite == "europepmc"} == {"health sciences"}
    assert len({cell.domain for cell in grid if cell.suite == "arxiv"}) == 4


@pytest.mark.parametrize(
    ("age", "wanted", "count", "first_newest", "last_oldest"),
    [
        ("7d", 30, 7, 0, 7),
        ("30d", 30, 21, 8, 29),
        ("1y", 30, 24, 31, 364),
        ("older", 30, 24, 366, 1800),
        ("7d", 3, 3, 0, 7),
        ("1y", 1, 1, 31, 364),
    ],
)
def test_a_span_is_cut_into_windows_newest_first(
    age: AgeBucket, wanted: int, count: int, first_newest: int, last_oldest: int
) -> None:
    cut = windows(age, wanted, NOW)
    assert len(cut) == count
    assert cut[0].end == NOW - timedelta(days=first_newest)
    assert abs(cut[-1].start - (NOW - timedelta(days=last_oldest))) < timedelta(seconds=1)
    for newer, older in pairwise(cut):
        assert newer.start == older.end
        assert abs((newer.end - newer.start) - (older.end - older.start)) < timedelta(seconds=1)


@given(st.sampled_from(AGE_BUCKETS), st.integers(1, 400))
def test_no_window_is_shorter_than_a_day_and_all_stay_in_the_span(
    age: AgeBucket, wanted: int
) -> None:
    cut = windows(age, wanted, NOW)
    older, newer = SPANS[age]
    assert 1 <= len(cut) <= 24
    assert all(window.end - window.start >= timedelta(hours=23, minutes=59) for window in cut)
    assert cut[0].end <= NOW - timedelta(days=newer)
    assert cut[-1].start >= NOW - timedelta(days=older, seconds=1)
    assert per_window(wanted, len(cut)) * len(cut) >= wanted


def test_three_papers_are_tried_for_each_that_is_wanted() -> None:
    assert candidates_wanted(7) == 21
    assert per_window(30, 7) == 5


def test_a_window_has_both_its_ends() -> None:
    window = Window(NOW - timedelta(days=1), NOW)
    assert window.holds(NOW)
    assert window.holds(NOW - timedelta(days=1))
    assert not window.holds(NOW + timedelta(minutes=1))
    midnight = NOW.replace(hour=0, minute=0)
    assert not window.holds(midnight - timedelta(days=1))
    assert window.holds(midnight - timedelta(days=1), by_day=True)
    assert not window.holds(midnight - timedelta(days=2), by_day=True)


def test_windows_take_turns() -> None:
    assert interleaved([[1, 4, 6], [2], [3, 5]]) == [1, 2, 3, 4, 5, 6]
    assert interleaved([]) == []


@given(st.lists(st.lists(st.integers() | st.none(), max_size=6), max_size=6))
def test_taking_turns_loses_nothing(columns: list[list[int | None]]) -> None:
    flat = [item for column in columns for item in column]
    assert sorted(map(str, interleaved(columns))) == sorted(map(str, flat))


@pytest.mark.parametrize(
    ("title", "is_so"),
    [
        ("A Study of Learning Models", True),
        ("On the Analysis of Complex Networks", True),
        ("Robust Methods for Time Series", True),
        ("A New Approach to Weather Forecasting", True),
        ("Deep Learning for Medical Imaging", True),
        ("Deep Learning for 3D Medical Imaging", False),  # a digit
        ("Learning Models for MRI Images", False),  # an acronym
        ("An Analysis of the TripleAnneal Framework", False),  # camel case
        ("An Analysis of arXiv Papers", False),
        ("Toward Full-Text Search Systems", False),  # a compound
        ("Models of X-ray Light", True),  # too short a compound
        ("Models of in-situ Light", True),
        ("Annealed Lattices for Cold Sensors in Orbit", False),  # five content words
        ("Annealed Lattices for Cold Sensors", True),
        ("A STUDY OF LEARNING MODELS", True),  # capitals are no acronym there
        ("A STUDY OF H2O MODELS", False),
        ("Lattices and Lattices and Lattices and Lattices", True),
    ],
)
def test_a_generic_title_has_nothing_of_its_own(title: str, is_so: bool) -> None:
    assert is_generic(title) == is_so


@pytest.mark.parametrize(
    ("title", "parts", "why"),
    [
        ("Annealed Lattices for Cold Sensors in Orbit", {}, None),
        ("Three Cold Lattices", {}, "title_short"),
        ("GPT-4 and DNA-PAINT", {}, "title_short"),
        ("A Study of Models", {}, "title_generic"),
        ("Annealed Lattices for Cold Sensors in Orbit", {"ids": None}, "no_id"),
        ("Retraction: Annealed Lattices for Cold Sensors in Orbit", {}, "notice"),
        ("Correction to: Annealed Lattices for Cold Sensors", {}, "notice"),
        ("Retracted: Annealed Lattices for Cold Sensors", {}, "notice"),
        ("Correcting Annealed Lattices for Cold Sensors in Orbit", {}, None),
        (
            "Annealed Lattices for Cold Sensors in Orbit",
            {"abstract": "This paper has been withdrawn by the author."},
            "notice",
        ),
        (
            "Annealed Lattices for Cold Sensors in Orbit",
            {"note": "This paper has been withdrawn by its authors"},
            "notice",
        ),
        (
            "Annealed Lattices for Cold Sensors in Orbit",
            {"note": "Withdrawn: an error in Lemma 3"},
            "notice",
        ),
        (
            "Annealed Lattices for Cold Sensors in Orbit",
            {"abstract": "Withdrawn by the authors."},
            "notice",
        ),
        (
            "Annealed Lattices for Cold Sensors in Orbit",
            {"abstract": "Troops have been withdrawn from the valley."},
            None,
        ),
    ],
)
def test_a_paper_must_be_one_that_can_be_found(
    title: str, parts: dict[str, object], why: str | None
) -> None:
    from runner.benches.scholar.rows import PaperIds

    if "ids" in parts:
        parts = {"ids": PaperIds()}
    assert unfit(paper(title, **parts)) == why


def test_a_paper_is_taken_once_by_key_id_or_title() -> None:
    drops, seen = Drops(), set[str]()
    one = paper("Annealed Lattices for Cold Sensors in Orbit", arxiv="2611.00001")
    again = paper("Annealed Lattices for Colder Sensors in Orbit", arxiv="2611.00001")
    twin = paper("annealed  lattices for cold sensors in orbit", arxiv="2611.00002")
    other = paper("Quenched Magnets for Warm Detectors in Caves", doi="10.1000/a", pmid="40")
    same_pmid = paper("Melted Springs for Lukewarm Gauges in Mines", doi="10.1000/b", pmid="40")
    assert usable([one, again, twin], seen, drops) == [one]
    assert usable([other, same_pmid, one], seen, drops) == [other]
    assert drops.counts == {"duplicate": 4}


def test_each_drop_is_counted_with_its_reason() -> None:
    drops = Drops()
    papers = [
        paper("A Study of Models", arxiv="2611.00001"),
        paper("Cold", arxiv="2611.00002"),
        paper("Withdrawn: a long enough title here", arxiv="2611.00003"),
    ]
    assert usable(papers, set(), drops) == []
    assert drops.counts == {"title_generic": 1, "title_short": 1, "notice": 1}
    assert drops.reasons["title_short"] == "Cold"


@pytest.mark.parametrize(
    ("parts", "key"),
    [
        ({"arxiv": "2611.00001", "doi": "10.1000/a", "pmid": "40"}, "2611.00001"),
        ({"doi": "10.1000/a", "pmid": "40"}, "10.1000/a"),
        ({"pmid": "40", "pmcid": "PMC7"}, "40"),
        ({"pmcid": "PMC7"}, "https://example.org/p"),
    ],
)
def test_a_paper_goes_by_its_best_id(parts: dict[str, str], key: str) -> None:
    assert paper(url="https://example.org/p", **parts).key == key
