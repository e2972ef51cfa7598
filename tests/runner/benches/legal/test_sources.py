"""CourtListener's and the eCFR's answers: what is taken, what is counted, what is refused."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from runner.benches.drops import Drops
from runner.benches.fetching import SourceError
from runner.benches.legal.sources.courtlistener import Month, months_before, read_opinions
from runner.benches.legal.sources.ecfr import (
    read_hits,
    read_sections,
    read_text,
    read_titles,
)

AUGUST = Month(2026, 8)
OPINION: dict[str, Any] = {
    "cluster_id": 19999999,
    "absolute_url": "/opinion/19999999/riverbend-mills/",
    "caseName": "Riverbend Mills, LLC v. Harbor County",
    "citation": ["197 F.4th 310"],
    "court_id": "ca9",
    "dateFiled": "2026-08-14",
    "docketNumber": "25-1904",
}


def _read(*results: Any) -> tuple[list[Any], dict[str, int]]:
    drops = Drops()
    found = read_opinions({"results": list(results)}, "ca9", AUGUST, drops)
    return found, dict(drops.counts)


def test_an_opinion_is_read_with_its_identifiers() -> None:
    (opinion,), counts = _read(OPINION)
    assert (opinion.cluster, opinion.docket, opinion.cites) == (
        "19999999",
        "25-1904",
        ("197 F.4th 310",),
    )
    assert opinion.url == "https://www.courtlistener.com/opinion/19999999/riverbend-mills/"
    assert counts == {}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"cluster_id": "19999999"}, "opinion_malformed"),
        ({"cluster_id": True}, "opinion_malformed"),
        ({"cluster_id": 0}, "opinion_malformed"),
        ({"cluster_id": None}, "opinion_malformed"),
        ({"caseName": None}, "opinion_malformed"),
        ({"caseName": " \u200b "}, "opinion_malformed"),
        ({"dateFiled": "14 August"}, "opinion_malformed"),
        ({"dateFiled": None}, "opinion_malformed"),
        ({"court_id": 9}, "opinion_malformed"),
        ({"court_id": "ca2"}, "opinion_out_of_range"),
        ({"dateFiled": "2026-09-01"}, "opinion_out_of_range"),
        ({"dateFiled": "2026-07-31"}, "opinion_out_of_range"),
        ({"docketNumber": None, "citation": []}, "opinion_without_ids"),
        ({"docketNumber": "", "citation": None}, "opinion_without_ids"),
    ],
)
def test_an_opinion_that_cannot_be_used_is_counted(changes: dict[str, Any], reason: str) -> None:
    found, counts = _read({**OPINION, **changes}, OPINION)
    assert len(found) == 1
    assert counts == {reason: 1}


@pytest.mark.parametrize("raw", [None, 7, "opinion", [], {}])
def test_what_is_no_opinion_is_counted(raw: Any) -> None:
    assert _read(raw) == ([], {"opinion_malformed": 1})


@pytest.mark.parametrize("document", [None, [], {}, {"results": None}, {"detail": "throttled"}])
def test_an_answer_without_results_is_an_error_of_the_source(document: Any) -> None:
    with pytest.raises(SourceError) as raised:
        read_opinions(document, "ca9", AUGUST, Drops())
    assert raised.value.kind == "malformed"


def test_a_strange_address_is_not_followed() -> None:
    (opinion,), _ = _read({**OPINION, "absolute_url": "javascript:alert(1)"})
    assert opinion.url == "https://www.courtlistener.com/opinion/19999999/"


def test_months_are_whole_and_end_on_their_last_day() -> None:
    months = months_before(date(2026, 3, 15), 4)
    assert [(month.first, month.last) for month in months] == [
        (date(2026, 2, 1), date(2026, 2, 28)),
        (date(2026, 1, 1), date(2026, 1, 31)),
        (date(2025, 12, 1), date(2025, 12, 31)),
        (date(2025, 11, 1), date(2025, 11, 30)),
    ]


TITLES = {
    "titles": [
        {"number": 17, "up_to_date_as_of": "2026-11-12"},
        {"number": 35, "reserved": True, "up_to_date_as_of": None},
        {"number": 40, "up_to_date_as_of": None},
        {"number": "49", "up_to_date_as_of": "2026-11-12"},
        "21",
    ]
}


def test_only_titles_with_a_day_are_taken() -> None:
    assert read_titles(TITLES) == {17: "2026-11-12"}


def _node(kind: str, identifier: str, *children: Any, **more: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "identifier": identifier,
        "reserved": False,
        "children": list(children),
        **more,
    }


STRUCTURE = _node(
    "title",
    "17",
    _node(
        "chapter",
        "II",
        _node(
            "part",
            "240",
            _node("section", "240.15c3-1", label_description="Net capital requirements."),
            _node("section", "240.15c3-2", label_description="", reserved=False),
            _node("section", "240.15c3-4", label_description="Gone", reserved=True),
            _node("subpart", "A", _node("section", "240.9a", label_description="Deeper")),
            _node("appendix", "Appendix A to Part 240", label_description="Appendix"),
            _node("section", "§ 12", label_description="No number"),
            None,
            "text",
        ),
        _node("part", "241", _node("section", "241.1", label_description="x"), reserved=True),
    ),
    _node("section", "1.1", label_description="Above any part"),
)


def test_sections_are_found_below_their_part_without_reserved_ones() -> None:
    found = read_sections(STRUCTURE, 17, "2026-11-12")
    assert [(section.part, section.number, section.heading) for section in found] == [
        ("240", "240.15c3-1", "Net capital requirements"),
        ("240", "240.9a", "Deeper"),
    ]
    assert found[0].url == "https://www.ecfr.gov/current/title-17/section-240.15c3-1"


def test_a_structure_of_any_depth_is_walked() -> None:
    node = _node("section", "9.1", label_description="Deep")
    for level in range(3_000):
        node = _node("subject_group", str(level), node)
    assert len(read_sections(_node("part", "9", node), 17, "2026-11-12")) == 1


XML = """<?xml version="1.0"?><DIV5 N="240" TYPE="PART"><HEAD>PART 240</HEAD>
<P>Of the part.</P>
<DIV8 N="240.15c3-1" TYPE="SECTION"><HEAD>&#xA7; 240.15c3-1 Net capital.</HEAD>
<P>(a) <I>Every</I> broker or dealer&#8217;s net capital.</P>
<FP>It must not fall.</FP><CITA>[40 FR 29799]</CITA></DIV8>
<DIV8 N="240.15c3-3" TYPE="SECTION"><HEAD>Next</HEAD><P>Of another section.</P></DIV8></DIV5>"""


def test_the_text_of_a_section_is_its_paragraphs_alone() -> None:
    assert read_text(XML, "240.15c3-1") == (
        "(a) Every broker or dealer\u2019s net capital.\nIt must not fall."
    )
    assert read_text(XML, "240.15c3-9") == ""


@pytest.mark.parametrize(
    "markup", ["", "<DIV8", '<DIV8 N="240.15c3-1"><P', "<P>" * 50_000, "<html>503</html>"]
)
def test_a_broken_text_is_no_text(markup: str) -> None:
    assert read_text(markup, "240.15c3-1") == ""


def _hit(title: Any, section: Any) -> dict[str, Any]:
    return {"hierarchy": {"title": title, "section": section}}


def test_hits_are_the_distinct_sections() -> None:
    results = [_hit("17", "240.15c3-1"), _hit("17", "240.15C3-1"), _hit("12", "3.2"), {}, None]
    found = read_hits({"results": results, "meta": {"total_count": 5}})
    assert found == {"17:240.15c3-1", "12:3.2"}


def test_more_hits_than_a_page_are_not_counted() -> None:
    assert read_hits({"results": [], "meta": {"total_count": 21}}) is None


@pytest.mark.parametrize("document", [None, {}, {"results": []}, {"results": [], "meta": {}}])
def test_a_search_without_a_count_is_an_error_of_the_source(document: Any) -> None:
    with pytest.raises(SourceError):
        read_hits(document)
