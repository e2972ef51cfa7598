"""The scorer: the accept and reject tables of the specification, targets and breakdowns."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest

from runner.benches.legal.rows import LegalGold, legal_row
from runner.benches.legal.score import MAX_IDS, legal_target, stratum, suite_of
from runner.records.queries import QueryOrigin
from tests.runner.benches.legal.made_gold import HOUR, opinion_gold, section_gold, target, via

COURTLISTENER = "https://www.courtlistener.com"
CASE = opinion_gold(cites=["97 F.4th 310", "601 U.S. 42"])
DOCKETED = opinion_gold(docket="25-904")
RULE = section_gold("17:240.15c3-1")

# (gold, text, address, how it is recognised)
SPECIFICATION = [
    # Clusters
    (CASE, "", f"{COURTLISTENER}/opinion/19999999/riverbend-mills/", "url:cluster"),
    (CASE, "", f"{COURTLISTENER}/opinion/19999999/", "url:cluster"),
    (CASE, "", f"{COURTLISTENER}/api/rest/v4/clusters/19999999/", "url:cluster"),
    # Reporters
    (CASE, "97 F.4th 310 (9th Cir.)", "", "text:reporter"),
    (CASE, "97 F. 4th 310", "", "text:reporter"),
    (CASE, "decided in 2024 at 97 F.4th 310", "", "text:reporter"),
    (CASE, "601 U. S. 42", "", "text:reporter"),
    (CASE, "", "https://supreme.justia.com/cases/federal/us/601/42/", "url:reporter"),
    (CASE, "", f"{COURTLISTENER}/c/F.4th/97/310/", "url:reporter"),
    (
        CASE,
        "",
        "https://law.justia.com/cases/federal/appellate-courts/F4/97/310/",
        "url:reporter",
    ),
    (CASE, "97 F.3d 310", "", None),
    (CASE, "197 F.4th 310", "", None),
    (CASE, "97 F.4th 3100", "", None),
    (CASE, "97 F.4th at 312", "", None),
    (CASE, "601 U.S. ___", "", None),
    (opinion_gold(cites=["2 U.S. 500"]), "gave 2 us 500", "", None),
    (
        opinion_gold(cites=["607 U.S. 25"]),
        "Riverbend",
        "https://supreme.justia.com/cases/federal/us/607/25-904/",
        None,
    ),
    (
        DOCKETED,
        "Riverbend",
        "https://supreme.justia.com/cases/federal/us/607/25-904/",
        "url:docket",
    ),
    # Dockets
    (DOCKETED, "No. 25–904 Riverbend Mills", "", "text:docket"),
    (
        DOCKETED,
        "Slip opinion: Quarry",
        "https://www.supremecourt.gov/opinions/25pdf/25-904_h3ci.pdf",
        "url:docket",
    ),
    (DOCKETED, "25-904", "", None),
    (DOCKETED, "25-904 riverbends", "", None),
    (DOCKETED, "25-904 quarryman", "", None),
    (DOCKETED, "Nos. 25-904, 25-911 and others; Riverbend", "", "text:docket"),
    (DOCKETED, "2025-09-04 Riverbend", "", None),
    (DOCKETED, "Riverbend, phone 425-9045", "", None),
    (DOCKETED, "25-904-cv Riverbend", "", "text:docket"),
    (DOCKETED, "2025-904 Riverbend", "", "text:docket"),
    (DOCKETED, "25-904-7654321.pdf Riverbend", "", "text:docket"),
    (DOCKETED, "USCOURTS-ca2-25-00904 Riverbend", "", "text:docket"),
    (DOCKETED, "25-0904 Riverbend", "", "text:docket"),
    (DOCKETED, "25-9040 Riverbend", "", None),
    (
        DOCKETED,
        "",
        "https://law.justia.com/cases/federal/appellate-courts/ca5/25-904/riverbend.html",
        "url:docket",
    ),
    (DOCKETED, "1:25-cv-00904 Riverbend", "", None),
    # The code
    (RULE, "17 CFR 240.15c3-1", "", "text:cfr"),
    (RULE, "17 C. F. R. §240.15c3-1(b).", "", "text:cfr"),
    (RULE, "17 CFR § 240.15C3-1", "", "text:cfr"),
    (RULE, "", "https://www.law.cornell.edu/cfr/text/17/240.15c3-1", "url:cfr"),
    (
        RULE,
        "",
        "https://www.ecfr.gov/current/title-17/chapter-II/part-240/section-240.15c3-1",
        "url:cfr",
    ),
    (RULE, "17 CFR §§ 240.15b1-1, 240.15c3-1", "", "text:cfr"),
    (RULE, "17 CFR 240.15c3‑1", "", "text:cfr"),
    (
        RULE,
        "",
        "https://www.govinfo.gov/app/details/CFR-2024-title17-vol4/CFR-2024-title17-vol4-sec240-15c3-1",
        "url:cfr",
    ),
    (RULE, "17 Code of Federal Regulations § 240.15c3-1", "", "text:cfr"),
    (RULE, "§ 240.15c3-1 of title 17", "", "text:cfr"),
    (
        RULE,
        "",
        "https://law.justia.com/cfr/title-17/chapter-ii/part-240/subpart-a/section-240-15c3-1/",
        "url:cfr",
    ),
    (RULE, "17 CFR Part 240", "", None),
    (RULE, "", "https://www.law.cornell.edu/cfr/text/17/part-240", None),
    (RULE, "Rule 15c3-1", "", None),
    (RULE, "240.15c3-1", "", None),
    (RULE, "18 CFR 240.15c3-1", "", None),
    (RULE, "17 CFR 240.15c3-10", "", None),
    (RULE, "15 U.S.C. 78o", "", None),
]


@pytest.mark.parametrize(("gold", "text", "url", "wanted"), SPECIFICATION)
def test_results_of_the_specification_are_recognised_as_it_says(
    gold: LegalGold, text: str, url: str, wanted: str | None
) -> None:
    assert via(gold, text, url) == wanted


# An address as it is often written, and the other places where a cluster's number may stand.
CLUSTERS = [
    ("https://courtlistener.com/opinion/19999999/riverbend/?q=mills#top", "url:cluster"),
    ("http://www.courtlistener.com/opinion/19999999", "url:cluster"),
    ("https://WWW.CourtListener.com/opinion/19999999/x/authorities/", "url:cluster"),
    ("courtlistener.com/opinion/19999999/x/", "url:cluster"),
    ("https://www.courtlistener.com/api/rest/v3/clusters/19999999/?format=json", "url:cluster"),
    ("https://www.courtlistener.com/opinion/1999999/x/", None),
    ("https://www.courtlistener.com/opinion/199999990/x/", None),
    ("https://www.courtlistener.com/docket/19999999/x/", None),
    ("https://www.courtlistener.com/api/rest/v4/opinions/19999999/", None),
    ("https://www.courtlistener.com/person/19999999/", None),
    ("https://www.courtlistener.com/opinion/19999999-x/", None),
    ("https://www.courtlistener.com/?q=/opinion/19999999/", None),
    ("https://notcourtlistener.com/opinion/19999999/x/", None),
    ("https://www.courtlistener.com.x.test/opinion/19999999/x/", None),
    ("https://x.test/opinion/19999999/x/", None),
    ("https://[x/opinion/19999999/", None),
    ("", None),
]


@pytest.mark.parametrize(("url", "wanted"), CLUSTERS)
def test_a_cluster_is_the_number_of_an_opinion_page_of_courtlistener(
    url: str, wanted: str | None
) -> None:
    assert via(CASE, "", url) == wanted


PARTIES = [
    (("riverbend",), "RIVERBEND MILLS", "", True),
    (("riverbend",), "Riverbend's motion", "", True),
    (("riverbend",), "Riverbend’s motion", "", True),
    (("riverbend",), "pre-Riverbend rule", "", True),
    (("riverbend",), "(Riverbend)", "", True),
    (("riverbend",), "<b>Riverbend</b>", "", True),
    (("riverbend",), "River<b>bend</b>", "", True),
    (("riverbend",), "River bend", "", False),
    (("riverbend",), "Riverbend2", "", False),
    (("riverbend",), "xriverbend", "", False),
    (("riverbend",), "", "https://x.test/riverbend-mills/", True),
    (("riverbend",), "", "https://x.test/a_riverbend_b", True),
    (("riverbend",), "", "https://x.test/a?name=Riverbend+Mills", True),
    (("riverbend",), "", "https://riverbend.test/", True),
    (("riverbend",), "", "https://x.test/riverbends/", False),
    (("o'brien",), "O’Brien", "", True),
    (("o'brien",), "", "https://x.test/obrien-v-mills", True),
    (("o'brien",), "O'Briens", "", False),
    (("smith-jones",), "Smith Jones", "", True),
    (("smith-jones",), "SmithJones", "", True),
    (("smith-jones",), "Smith v. Jones", "", False),
    (("muñoz",), "", "https://x.test/munoz-v-mills", True),
    (("munoz",), "Muñoz", "", True),
    (("munoz",), "", "https://x.test/mu%C3%B1oz", True),
    (("harbor", "mills"), "Mills", "", True),
    ((), "Riverbend", "", False),
    (("a+b",), "A B", "", True),
    (("a.b",), "axb", "", False),
]


@pytest.mark.parametrize(("tokens", "text", "url", "is_hit"), PARTIES)
def test_a_docket_counts_only_next_to_a_word_of_a_party(
    tokens: tuple[str, ...], text: str, url: str, is_hit: bool
) -> None:
    gold = opinion_gold(docket="25-904", tokens=tokens)
    assert via(gold, f"No. 25-904 {text}", url) == ("text:docket" if is_hit else None)


def test_the_page_itself_goes_before_an_address_and_an_address_before_the_text() -> None:
    gold = opinion_gold(docket="25-904", cites=["97 F.4th 310"])
    text = "Riverbend, No. 25-904, 97 F.4th 310"
    page = f"{COURTLISTENER}/opinion/19999999/"
    assert via(gold, text, page) == "url:cluster"
    assert via(gold, text, f"{COURTLISTENER}/c/F.4th/97/310/") == "url:reporter"
    assert via(gold, text, "https://x.test/25-904") == "text:reporter"
    assert via(gold, "Riverbend, No. 25-904", "https://x.test/25-904") == "url:docket"
    assert via(gold, "Riverbend, No. 25-904") == "text:docket"
    rule = "https://www.law.cornell.edu/cfr/text/17/240.15c3-1"
    assert via(RULE, "17 CFR 240.15c3-1", rule) == "url:cfr"


def test_a_result_reports_the_identifiers_that_it_has_even_where_it_is_no_hit() -> None:
    found = target(DOCKETED).match(
        f"{COURTLISTENER}/opinion/7/x/", "12 F.3d 34; No. 24-1; No. 24-1; No. 25-904"
    )
    assert found.via is None
    assert found.ids == {
        "cluster": ["7"],
        "cites": ["12:f3d:34"],
        "docket": ["25-904", "24-1"],
    }
    assert target(RULE).match("https://x.test/", "nothing here").ids == {}


def test_a_flood_of_identifiers_is_cut_and_the_golds_own_stays() -> None:
    text = " ".join(f"{n} F.3d {n}" for n in range(100, 200)) + " 97 F.4th 310"
    found = target(CASE).match("https://x.test/", text)
    assert found.via == "text:reporter"
    assert len(found.ids["cites"]) == MAX_IDS
    assert found.ids["cites"][:2] == ["97:f4th:310", "100:f3d:100"]


def test_an_opinion_is_grouped_by_suite_syntax_and_court() -> None:
    made = target(opinion_gold(docket="25-904", cites=["97 F.4th 310"]), syntax="quoted")
    assert made.item == "19999999"
    assert made.gold == (
        "Riverbend Mills, LLC v. Harbor Quarry, 97 F.4th 310, No. 25-904 (ca9 2026)"
    )
    assert made.groups == {
        "bucket": "caselaw",
        "suite": "caselaw",
        "syntax": "quoted",
        "court": "ca9",
    }
    assert made.question is None


def test_a_section_is_grouped_by_suite_syntax_and_title() -> None:
    made = target(section_gold("17:240.15C3-1"))
    assert made.item == "17:240.15c3-1"
    assert made.gold == "17 CFR 240.15C3-1"
    assert made.groups == {"bucket": "code", "suite": "code", "syntax": "plain", "title": "17"}
    assert made.question is None


def test_gold_with_nothing_but_its_number_still_has_a_name() -> None:
    raw = {"ids": {"cluster": "7"}}
    row = legal_row("x", gold=msgspec.convert(raw, LegalGold), syntax="", provenance={}, now=HOUR)
    made = legal_target(row)
    assert (made.item, made.gold) == ("7", "cluster 7")
    assert made.groups == {"bucket": "caselaw", "suite": "caselaw", "syntax": "plain"}


def test_a_row_belongs_to_the_suite_of_its_bucket_and_to_the_stratum_of_its_syntax() -> None:
    row = legal_row(
        "x", gold=RULE, syntax="site", provenance={}, now=datetime(2026, 11, 3, tzinfo=UTC)
    )
    assert suite_of(row) == "code"
    assert stratum(row) == "code:site"


@pytest.mark.parametrize(
    ("bucket", "message"),
    [("statutes", "unknown bucket 'statutes'"), ("caselaw", "the gold is of code")],
)
def test_a_bucket_that_does_not_fit_the_gold_is_refused(bucket: str, message: str) -> None:
    row = legal_row("x", gold=RULE, syntax="plain", provenance={}, now=HOUR)
    row = msgspec.structs.replace(row, query_origin=QueryOrigin(bucket=bucket))
    with pytest.raises(msgspec.ValidationError, match=message):
        legal_target(row)
