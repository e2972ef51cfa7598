"""Sections of the CFR: every printed form, lists and ranges, and addresses."""

from __future__ import annotations

import pytest

from runner.benches.legal.citing.cfr import (
    address_forms,
    address_sections,
    section_key,
    sections,
)
from runner.benches.legal.citing.printed import address_of, printed_text

RULE = "17:240.15c3-1"

PRINTED = [
    # One section
    ("17 CFR 240.15c3-1", [RULE]),
    ("17 C.F.R. 240.15c3-1", [RULE]),
    ("17 C. F. R. § 240.15c3-1", [RULE]),
    ("17 C.F.R.§240.15c3-1", [RULE]),
    ("17 CFR §240.15C3-1", [RULE]),
    ("17 cfr 240.15c3-1", [RULE]),
    ("17CFR240.15c3-1", [RULE]),
    ("17-CFR-240.15c3-1", [RULE]),
    ("17\u00a0CFR\u00a0§\u00a0240.15c3-1", [RULE]),
    ("17 CFR &sect; 240.15c3-1", [RULE]),
    ("17 CFR <b>240.15c3-1</b>", [RULE]),
    ("17 CFR 240.15c3‑1", [RULE]),
    ("17 CFR 240.15c3–1", [RULE]),
    ("17 CFR 240.15c3-1.", [RULE]),
    ("17 CFR 240.15c3-1, as amended", [RULE]),
    ("17 CFR 240.15c3-1(b)(1)", [RULE]),
    ("17 CFR 240.15c3-1(c)(2)(vi)(A)", [RULE]),
    ("17 CFR Part 240.15c3-1", [RULE]),
    ("17 CFR Part 240, § 240.15c3-1", [RULE]),
    ("17 CFR pt. 240, § 240.15c3-1", [RULE]),
    ("17 CFR Sec. 240.15c3-1", [RULE]),
    ("17 CFR Section 240.15c3-1", [RULE]),
    ("17 CFR sections 240.15c3-1", [RULE]),
    ("17 CFR (2024) § 240.15c3-1", [RULE]),
    ("17 CFR Chapter II, Part 240, Subpart A, § 240.15c3-1", [RULE]),
    ("eCFR :: 17 CFR 240.15c3-1 -- Net capital requirements.", [RULE]),
    ("17 CFR § 240.15c3-1 - Net capital requirements", [RULE]),
    ("17 Code of Federal Regulations 240.15c3-1", [RULE]),
    ("17 Code of Federal Regulations (CFR) § 240.15c3-1", [RULE]),
    ("Title 17 of the Code of Federal Regulations, Section 240.15c3-1", [RULE]),
    ("Title 17, Code of Federal Regulations, Part 240, Section 240.15c3-1", [RULE]),
    ("title 17 CFR 240.15c3-1", [RULE]),
    ("Code of Federal Regulations, Title 17, § 240.15c3-1", [RULE]),
    ("CFR Title 17 Part 240 Section 240.15c3-1", [RULE]),
    ("C.F.R. tit. 17, § 240.15c3-1", []),
    ("§ 240.15c3-1 of title 17", [RULE]),
    ("§240.15c3-1(b) of Title 17", [RULE]),
    ("section 240.15c3-1 of title 17, Code of Federal Regulations", [RULE]),
    ("Sec. 240.15c3-1 of title 17 of the CFR", [RULE]),
    ("sections 240.15b1-1 and 240.15c3-1 of title 17", ["17:240.15b1-1", RULE]),
    ("section 240.15c3-1 of 17 CFR", [RULE]),
    ("§ 240.15c3-1(b) of 17 C.F.R. part 240", [RULE]),
    ("17 CFR [240.15c3-1](https://x.test/)", [RULE]),
    ("[CITE: 17CFR240.15c3-1]", [RULE]),
    ("17 CFR — § 240.15c3-1", [RULE]),
    ("17 CFR Ch. II (4-1-24 Edition) § 240.15c3-1", [RULE]),
    ("49 CFR Subtitle B, Chapter III, Part 395, § 395.3", ["49:395.3"]),
    ("21 CFR 1308.11 (schedule I), 1308.12 (schedule II)", ["21:1308.11", "21:1308.12"]),
    ("40 CFR 52.21", ["40:52.21"]),
    ("40 CFR 52.21(b)(2)(iii)", ["40:52.21"]),
    ("7 CFR 1.1", ["7:1.1"]),
    ("07 CFR 1.1", ["7:1.1"]),
    ("29 CFR 1910.1200", ["29:1910.1200"]),
    ("17 CFR 210.1-02(w)", ["17:210.1-02"]),
    ("17 CFR 230.144A", ["17:230.144a"]),
    ("17 CFR 275.204A-1", ["17:275.204a-1"]),
    ("12 CFR 5a.1", ["12:5a.1"]),
    ("48 CFR 52.212-4", ["48:52.212-4"]),
    ("41 CFR 102-3.140", ["41:102-3.140"]),
    ("26 CFR 1.401(k)-1", ["26:1.401(k)-1"]),
    ("26 CFR 1.401(k)-1(a)(2)", ["26:1.401(k)-1"]),
    ("26 CFR 1.401(a)(9)-1", ["26:1.401(a)(9)-1"]),
    ("26 CFR 1.6011-4T", ["26:1.6011-4t"]),
    ("26 CFR 54.9815–2719A", ["26:54.9815-2719a"]),
    ("See Treas. Reg., 26 C.F.R. § 1.409A-1(b)(4)", ["26:1.409a-1"]),
    # Lists and ranges
    ("17 CFR §§ 240.15b1-1, 240.15c3-1", ["17:240.15b1-1", RULE]),
    ("17 CFR §§ 240.15b1-1 & 240.15c3-1", ["17:240.15b1-1", RULE]),
    ("17 CFR §§ 240.15b1-1, .15c3-1", ["17:240.15b1-1"]),
    ("17 CFR 240.15b1-1, 240.15b2-2, and 240.15c3-1", ["17:240.15b1-1", "17:240.15b2-2", RULE]),
    ("17 CFR 240.15b1-1; 240.15c3-1", ["17:240.15b1-1", RULE]),
    ("17 CFR 240.15b1-1(a), (b)(2), and 240.15c3-1", ["17:240.15b1-1", RULE]),
    ("17 CFR §§ 240.15c3-1 through 240.15c3-3", [RULE, "17:240.15c3-3"]),
    ("17 CFR §§ 240.15c3-1 to 240.15c3-3", [RULE, "17:240.15c3-3"]),
    ("17 CFR §§ 240.15c3-1–240.15c3-3", [RULE, "17:240.15c3-3"]),
    ("17 CFR 240.15b1-1-240.15c3-1", ["17:240.15b1-1", RULE]),
    ("40 CFR §§ 52.20-52.25", ["40:52.20", "40:52.25"]),
    ("40 CFR §§ 52.20–52.21, 60.2", ["40:52.20", "40:52.21"]),
    ("40 CFR 52.20, § 60.2", ["40:52.20", "40:60.2"]),
    ("40 CFR parts 51 and 52.21", ["40:52.21"]),
    ("29 CFR 1910.134 and 1926.62", ["29:1910.134", "29:1926.62"]),
    ("17 CFR 1.31(a)-1.35", ["17:1.31", "17:1.35"]),
    ("17 CFR 1.5, 1.6", ["17:1.5", "17:1.6"]),
    ("17 CFR 1.5, 2.5 percent", ["17:1.5"]),
    ("17 CFR 1.5 2.5", ["17:1.5"]),
    ("17 CFR 240.1, 18 CFR 2.1", ["17:240.1", "18:2.1"]),
    ("17 CFR 240.1 and 18 C.F.R. § 2.1", ["17:240.1", "18:2.1"]),
    ("17 CFR 240.1; 42 U.S.C. 1395.2", ["17:240.1"]),
    ("26 CFR §§ 1.401(k)-1(b), (c), and 1.401(m)-1", ["26:1.401(k)-1", "26:1.401(m)-1"]),
    # None, or another one
    ("17 CFR Part 240", []),
    ("17 CFR 240", []),
    ("17 CFR parts 230 and 240", []),
    ("17 CFR Part 240. 15 days", []),
    ("Rule 15c3-1", []),
    ("240.15c3-1", []),
    ("§ 240.15c3-1", []),
    ("CFR 240.15c3-1", []),
    ("18 CFR 240.15c3-1", ["18:240.15c3-1"]),
    ("117 CFR 240.15c3-1", []),
    ("51 CFR 240.15c3-1", []),
    ("0 CFR 240.15c3-1", []),
    ("x17 CFR 240.15c3-1", []),
    ("1.17 CFR 240.15c3-1", []),
    ("17 CFR 240.15c3-10", ["17:240.15c3-10"]),
    ("17 CFR 240.15c3-1a", ["17:240.15c3-1a"]),
    ("17 CFR 240.15c3", ["17:240.15c3"]),
    ("17 CFR 1240.15c3-1", ["17:1240.15c3-1"]),
    ("15 U.S.C. 78o", []),
    ("17 CCR 240.15", []),
    ("17 CFRs 240.15c3-1", []),
    ("SCFR 240.15", []),
    ("section 66.1 of title 22, California Code of Regulations", []),
    ("section 66.1 of title 22 of the Code of Maryland Regulations", []),
    ("section 66.1 of title 22, United States Code", []),
    ("section 12 of title 22", []),
    ("§ 240.15c3-1 of the title 17", []),
    ("240.15c3-1 of title 17", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "keys"), PRINTED)
def test_a_text_holds_these_sections(text: str, keys: list[str]) -> None:
    assert list(sections(printed_text(text))) == keys


ADDRESSES = [
    ("https://www.law.cornell.edu/cfr/text/17/240.15c3-1", {RULE}),
    ("https://www.law.cornell.edu/cfr/text/17/240.15c3-1#b_1", {RULE}),
    ("https://www.law.cornell.edu/CFR/text/17/240.15C3-1?x=1", {RULE}),
    ("law.cornell.edu/cfr/text/17/240.15c3-1", {RULE}),
    ("https://www.law.cornell.edu/cfr/text/26/1.401(k)-1", {"26:1.401(k)-1"}),
    ("https://www.law.cornell.edu/cfr/text/26/1.401%28k%29-1", {"26:1.401(k)-1"}),
    ("https://www.ecfr.gov/current/title-17/chapter-II/part-240/section-240.15c3-1", {RULE}),
    ("https://www.ecfr.gov/current/title-17/section-240.15c3-1#p-240.15c3-1(b)", {RULE}),
    ("https://www.ecfr.gov/on/2024-01-01/title-17/part-240/section-240.15c3-1", {RULE}),
    ("https://ecfr.io/Title-17/Section-240.15c3-1", {RULE}),
    ("https://www.ecfr.gov/current/title-26/section-1.401(k)-1", {"26:1.401(k)-1"}),
    ("https://www.ecfr.gov/current/title-40/part-52/section-52.21", {"40:52.21"}),
    (
        "https://www.govinfo.gov/content/pkg/CFR-2024-title17-vol4/xml/CFR-2024-title17-vol4-sec240-15c3-1.xml",
        {RULE},
    ),
    (
        "https://www.govinfo.gov/app/details/CFR-2024-title40-vol3/CFR-2024-title40-vol3-sec52-21/summary",
        {"40:52.21"},
    ),
    ("https://www.govinfo.gov/link/cfr/17/240?sectionnum=15c3-1&link-type=pdf", {RULE}),
    ("https://law.justia.com/cfr/title-17/chapter-ii/part-240/section-240-15c3-1/", {RULE}),
    ("https://law.justia.com/cfr/title-40/chapter-i/part-52/section-52-21/", {"40:52.21"}),
    ("https://www.federalregister.gov/select-citation/2024/01/01/17-CFR-240.15c3-1", {RULE}),
    ("https://x.test/17%20CFR%20240.15c3-1.pdf", {RULE}),
    ("https://x.test/17_CFR_240.15c3-1", {RULE}),
    (
        "https://www.govregs.com/regulations/title17_chapterII_part240_section240.15c3-1",
        {RULE},
    ),
    ("https://x.test/title-17/part-240/section-240.15c3-1-net-capital-rules", {RULE}),
    ("https://x.test/title-17/part-240/section-240-15c3-1-net-capital-rules", {RULE}),
    (
        "https://www.accessdata.fda.gov/scripts/cdrh/cfdocs/cfcfr/cfrsearch.cfm?fr=1308.11",
        {"21:1308.11"},
    ),
    (
        "https://www.osha.gov/laws-regs/regulations/standardnumber/1910/1910.134",
        {"29:1910.134"},
    ),
    # None, or another one
    ("https://x.test/cfrsearch.cfm?fr=1308.11", set()),
    ("https://x.test/standardnumber/1910/1910.134", set()),
    ("https://www.osha.gov/laws-regs/regulations/standardnumber/1910", set()),
    ("https://x.test/title-17/section-240-15c3-1-2024", {"17:240.15c3-1-2024"}),
    ("https://x.test/title-17/section-24015c3-1-net", set()),
    ("https://www.law.cornell.edu/cfr/text/17/part-240", set()),
    ("https://www.law.cornell.edu/cfr/text/17/240", set()),
    ("https://www.law.cornell.edu/cfr/text/17/240.15c3-10", {"17:240.15c3-10"}),
    ("https://www.law.cornell.edu/cfr/text/117/240.15c3-1", set()),
    ("https://www.law.cornell.edu/uscode/text/17/240.1", set()),
    ("https://www.ecfr.gov/current/title-17/chapter-II/part-240", set()),
    ("https://www.ecfr.gov/current/title-170/section-240.15c3-1", set()),
    ("https://www.ecfr.gov/current/title-18/section-240.15c3-1", {"18:240.15c3-1"}),
    ("https://law.justia.com/cfr/title-17/section-240/", set()),
    ("https://law.justia.com/cfr/title-17/section-240-15c3-10/", {"17:240.15c3-10"}),
    (
        "https://www.govinfo.gov/app/details/CFR-2024-title17-vol4-sec240-15c3-10",
        {"17:240.15c3-10"},
    ),
    ("https://x.test/section-240.15c3-1", set()),
    ("https://x.test/search?q=17+CFR+240.15c3-1", set()),
    ("", set()),
]


@pytest.mark.parametrize(("url", "keys"), ADDRESSES)
def test_an_address_holds_these_sections(url: str, keys: set[str]) -> None:
    assert set(address_sections(address_of(url))) == keys


@pytest.mark.parametrize(
    ("key", "url"),
    [
        ("26:1.401(k)-1", "https://law.justia.com/cfr/title-26/section-1-401-k-1/"),
        ("26:1.401(k)-1", "https://law.justia.com/cfr/title-26/section-1-401k-1/"),
        ("26:1.401(k)-1", "https://x.test/CFR-2024-title26-vol6-sec1-401k-1.pdf"),
        ("26:1.401(a)(9)-1", "https://law.justia.com/cfr/title-26/section-1-401-a-9-1/"),
        ("41:102-3.140", "https://law.justia.com/cfr/title-41/section-102-3-140/"),
        ("17:210.1-02", "https://law.justia.com/cfr/title-17/section-210-1-02/"),
    ],
)
def test_an_address_of_hyphens_alone_is_read_as_the_section_that_is_looked_for(
    key: str, url: str
) -> None:
    assert set(address_sections(address_of(url))) & address_forms(key)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("17:240.15c3-1", RULE),
        ("17:240.15C3-1", RULE),
        (" 7:1.1 ", "7:1.1"),
        ("17:240", None),
        ("240.15c3-1", None),
        ("17:240.15c3-1 and more", None),
        ("１７:240.1", None),
    ],
)
def test_a_gold_section_has_a_key(text: str, key: str | None) -> None:
    assert section_key(text) == key
