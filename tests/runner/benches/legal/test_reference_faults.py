"""The forms that the older public matcher lost or misread, each with a test of its own."""

from __future__ import annotations

import pytest

from runner.benches.legal.citing.cfr import sections
from runner.benches.legal.citing.dockets import gold_dockets
from runner.benches.legal.citing.printed import printed_text
from runner.benches.legal.citing.reporters import citations
from tests.runner.benches.legal.made_gold import opinion_gold, section_gold, via

RULE = section_gold("17:240.15c3-1")
DOCKETED = opinion_gold(docket="25-904")
CASE = opinion_gold(cites=["97 F.4th 310"])


def test_a_year_before_a_citation_does_not_eat_its_volume() -> None:
    assert list(citations("decided in 2024 at 97 F.4th 310")) == ["97:f4th:310"]
    assert list(citations("in 2024 97 F.4th 310")) == ["97:f4th:310"]
    assert list(citations("No. 12, 97 F.4th 310")) == ["97:f4th:310"]


def test_a_blank_within_the_reporter_does_not_make_its_series_the_page() -> None:
    assert list(citations("97 F. 4th 310")) == ["97:f4th:310"]
    assert list(citations("97 F. Supp. 3d 310")) == ["97:fsupp3d:310"]
    assert list(citations("97 N. E. 2d 310")) == ["97:ne2d:310"]


def test_a_westlaw_number_is_not_cut_at_five_digits() -> None:
    gold = opinion_gold(cites=["2024 WL 1234567"])
    assert via(gold, "2024 WL 1234567, at *3") == "text:reporter"
    assert via(gold, "2024 WL 1234599") is None
    assert via(gold, "2024 WL 12345") is None


def test_the_pronoun_us_between_two_numbers_is_no_reporter() -> None:
    gold = opinion_gold(cites=["2 U.S. 500"])
    assert via(gold, "gave 2 us 500") is None
    assert via(gold, "2 U.S. 500") == "text:reporter"


def test_a_docket_under_a_volume_of_us_reports_is_a_docket_and_no_page() -> None:
    url = "https://supreme.justia.com/cases/federal/us/607/25-904/"
    assert via(opinion_gold(cites=["607 U.S. 25"]), "Riverbend", url) is None
    assert via(DOCKETED, "Riverbend", url) == "url:docket"


def test_the_page_of_a_cluster_in_the_interface_for_programs_is_the_cluster() -> None:
    url = "https://www.courtlistener.com/api/rest/v4/clusters/19999999/"
    assert via(CASE, "", url) == "url:cluster"


@pytest.mark.parametrize(
    "url",
    [
        "https://www.courtlistener.com/c/F.4th/97/310/",
        "https://law.justia.com/cases/federal/appellate-courts/F4/97/310/",
    ],
)
def test_an_address_made_of_the_citation_is_a_hit_beyond_the_supreme_court(url: str) -> None:
    assert via(CASE, "", url) == "url:reporter"


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        ("24-916(L); 24-2594", {"24-916", "24-2594"}),
        ("23-3118, 23-3123", {"23-3118", "23-3123"}),
    ],
)
def test_consolidated_dockets_of_the_gold_each_match(written: str, numbers: set[str]) -> None:
    gold = opinion_gold(docket=written)
    assert gold_dockets(written) == numbers
    for number in numbers:
        assert via(gold, f"Riverbend, No. {number}") == "text:docket"


def test_leading_zeros_of_a_serial_are_no_difference() -> None:
    assert via(DOCKETED, "25-0904 Riverbend") == "text:docket"
    assert via(DOCKETED, "25-00904 Riverbend") == "text:docket"
    assert via(opinion_gold(docket="25-00904"), "25-904 Riverbend") == "text:docket"
    assert via(DOCKETED, "25-9040 Riverbend") is None


def test_an_underline_ends_a_docket_number() -> None:
    url = "https://www.supremecourt.gov/opinions/25pdf/25-904_h3ci.pdf"
    assert via(DOCKETED, "Riverbend", url) == "url:docket"


@pytest.mark.parametrize(
    "form", ["25-904-cv", "25-904-pr", "2025-904", "25-904-7654321.pdf", "USCOURTS-ca2-25-00904"]
)
def test_the_forms_of_the_courts_themselves_are_no_dates(form: str) -> None:
    assert via(DOCKETED, f"{form} Riverbend") == "text:docket"
    assert via(DOCKETED, "Riverbend", f"https://x.test/{form}") == "url:docket"


def test_a_date_is_no_docket() -> None:
    for date in ("2025-09-04", "2025–09–04", "25-904-25", "1-25-904", "12-25-904"):
        assert via(DOCKETED, f"{date} Riverbend") is None


def test_the_case_of_a_sections_letters_is_no_difference() -> None:
    assert via(RULE, "17 CFR § 240.15C3-1") == "text:cfr"
    assert via(section_gold("17:240.15C3-1"), "17 CFR § 240.15c3-1") == "text:cfr"


@pytest.mark.parametrize("hyphen", ["‑", "–", "‐", "−"])
def test_a_hyphen_that_does_not_break_is_a_hyphen(hyphen: str) -> None:
    assert via(RULE, f"17 CFR 240.15c3{hyphen}1") == "text:cfr"
    assert via(DOCKETED, f"Riverbend, No. 25{hyphen}904") == "text:docket"


def test_each_section_of_a_list_and_each_end_of_a_range_counts() -> None:
    assert via(RULE, "17 CFR §§ 240.15b1-1, 240.15c3-1") == "text:cfr"
    assert via(RULE, "17 CFR §§ 240.15b1-1 through 240.15c3-1") == "text:cfr"
    assert via(RULE, "17 CFR §§ 240.15c3-1–240.15c3-3") == "text:cfr"


def test_the_code_may_be_spelled_out_and_the_title_may_come_last() -> None:
    assert via(RULE, "17 Code of Federal Regulations § 240.15c3-1") == "text:cfr"
    assert via(RULE, "§ 240.15c3-1 of title 17") == "text:cfr"


@pytest.mark.parametrize(
    "url",
    [
        "https://www.govinfo.gov/app/details/CFR-2024-title17-vol4/CFR-2024-title17-vol4-sec240-15c3-1",
        "https://law.justia.com/cfr/title-17/chapter-ii/part-240/section-240-15c3-1/",
    ],
)
def test_a_hyphen_in_an_address_may_stand_for_the_full_stop(url: str) -> None:
    assert via(RULE, "", url) == "url:cfr"


def test_no_section_sign_is_needed() -> None:
    gold = section_gold("40:52.21")
    assert via(gold, "major sources under 40 CFR 52.21 must") == "text:cfr"
    assert list(sections(printed_text("40 C.F.R. 52.21(b)"))) == ["40:52.21"]
