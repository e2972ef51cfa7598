"""Docket numbers: lists, suffixes, the courts' own forms, and what only looks like one."""

from __future__ import annotations

import pytest

from runner.benches.legal.citing.dockets import address_dockets, dockets, gold_dockets
from runner.benches.legal.citing.printed import address_of, printed_text

PRINTED = [
    ("No. 25-904", ["25-904"]),
    ("No. 25–904", ["25-904"]),
    ("No. 25‑904", ["25-904"]),
    ("No. 25−904", ["25-904"]),
    ("25&#8211;904", ["25-904"]),
    ("25 - 904", ["25-904"]),
    ("25- 904", ["25-904"]),
    ("25\u00a0–\u00a0904", ["25-904"]),
    ("<b>25</b>-<b>904</b>", ["25-904"]),
    ("25-0904", ["25-904"]),
    ("25-00904", ["25-904"]),
    ("No.25-904", ["25-904"]),
    ("Docket:25-904", ["25-904"]),
    ("#25-904", ["25-904"]),
    ("(25-904)", ["25-904"]),
    ("25-904.", ["25-904"]),
    ("25-904: Riverbend", ["25-904"]),
    ("25-904_h3ci.pdf", ["25-904"]),
    ("_25-904_", ["25-904"]),
    ("25-7", ["25-7"]),
    ("25-12345", ["25-12345"]),
    ("Nos. 25-904, 25-911", ["25-904", "25-911"]),
    ("Nos. 25-904 & 25-911", ["25-904", "25-911"]),
    ("25-904/25-911", ["25-904", "25-911"]),
    ("25-904(L), 25-911 (Con)", ["25-904", "25-911"]),
    ("Nos. 25-1904/1905/1911", ["25-1904", "25-1905", "25-1911"]),
    ("Nos. 25-1904, -1905", ["25-1904", "25-1905"]),
    ("Nos. 25-1904, -1905, and -1911", ["25-1904", "25-1905", "25-1911"]),
    ("Nos. 25-1904 & -1905", ["25-1904", "25-1905"]),
    ("25-1904/26", ["25-1904"]),
    ("25-904/2025", ["25-904"]),
    ("25-1904, 1905", ["25-1904"]),
    ("25-1904/1905-2", ["25-1904"]),
    ("25-904-cv", ["25-904"]),
    ("25-904-cv(L)", ["25-904"]),
    ("25-904-pr", ["25-904"]),
    ("25-904-CV0.pdf", ["25-904"]),
    ("25-904cv", ["25-904"]),
    ("25-904pr.", ["25-904"]),
    ("2025-904", ["25-904"]),
    ("2025-1904", ["25-1904"]),
    ("1998-1234", ["98-1234"]),
    ("25-904-7654321.pdf", ["25-904"]),
    ("25-904P-01A.pdf", ["25-904"]),
    ("25-1904U.pdf", ["25-1904"]),
    ("USCOURTS-ca2-25-00904", ["25-904"]),
    ("USCOURTS-ca13-25-01904-0", ["25-1904"]),
    ("USCOURTS-caDC-25-00904.pdf", ["25-904"]),
    ("23A123", ["23A123"]),
    ("23a1234", ["23A1234"]),
    ("No. 24-25", ["24-25"]),
    ("No. 2024-2025", ["24-2025"]),
    ("Appeal 2024-2025", ["24-2025"]),
    # None
    ("2025-09-04", []),
    ("2025–09–04", []),
    ("25-09-04", []),
    ("09-04-2025", []),
    ("04-25-904", []),
    ("425-9045", []),
    ("(425) 425-9045", []),
    ("555-25-904", []),
    ("25-904-1234", []),
    ("25-904-123456", []),
    ("x25-904", []),
    ("25-904x", []),
    ("25-904th", []),
    ("25-904567", []),
    ("125-904", []),
    ("3.25-904", []),
    ("25-904.5", []),
    ("$25-904", []),
    ("1:25-cv-00904", []),
    ("25-cv-904", []),
    ("1:25-904", []),
    ("CV-25-904", []),
    ("Civil Action No. 25-904", []),
    ("Civ. No. 25-904", []),
    ("Crim. Case No. 25-904", []),
    ("A.R.S. § 25-904", []),
    ("Md. Code 25-904", []),
    ("Section 25-904", []),
    ("2025-90", []),
    ("2025 - 904", []),
    ("1925-904", []),
    ("2075-904", []),
    ("3025-904", []),
    ("the 2024-2025 season", []),
    ("in 24-25", []),
    ("24a0123p-06.pdf", []),
    ("2025A123", []),
    ("123A123", []),
    ("23A12345", []),
    ("USCOURTS-cand-4_25-cv-00904", []),
    ("USCOURTS-ca2-25-009045", []),
    ("25—904", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "numbers"), PRINTED)
def test_a_text_holds_these_docket_numbers(text: str, numbers: list[str]) -> None:
    assert list(dockets(printed_text(text))) == numbers


GOLD = [
    ("25-1904", {"25-1904"}),
    ("24-916(L); 24-2594", {"24-916", "24-2594"}),
    ("23-3118, 23-3123", {"23-3118", "23-3123"}),
    ("23-3118 and 23-3123", {"23-3118", "23-3123"}),
    ("Nos. 23-3118, 23-3123 & 23-3130", {"23-3118", "23-3123", "23-3130"}),
    ("24-916-cv (L)", {"24-916"}),
    ("23-3118/3123", {"23-3118", "23-3123"}),
    ("Nos. 23-3118/3123/3130", {"23-3118", "23-3123", "23-3130"}),
    ("24-916-cv(L), 24-917-cv(CON)", {"24-916", "24-917"}),
    ("2024-1904", {"24-1904"}),
    ("2024-1904, 2024-1905", {"24-1904", "24-1905"}),
    ("2024-2025", {"24-2025"}),
    ("24-25", {"24-25"}),
    ("23A123", {"23A123"}),
    ("25–904", {"25-904"}),
    ("25-00904", {"25-904"}),
    ("1:25-cv-00904", set()),
    ("141, Orig.", set()),
    ("", set()),
]


@pytest.mark.parametrize(("text", "numbers"), GOLD)
def test_a_gold_string_is_split_into_its_docket_numbers(text: str, numbers: set[str]) -> None:
    assert gold_dockets(printed_text(text)) == numbers


ADDRESSES = [
    # The courts' own files
    ("https://www.supremecourt.gov/opinions/25pdf/25-904_h3ci.pdf", {"25-904"}),
    ("https://www.supremecourt.gov/docket/docketfiles/html/public/25-904.html", {"25-904"}),
    ("https://www.supremecourt.gov/docket/docketfiles/html/public/23a123.html", {"23A123"}),
    ("https://www.supremecourt.gov/search.aspx?filename=/docketfiles/25-904.htm", {"25-904"}),
    ("https://media.ca1.uscourts.gov/pdf.opinions/25-1904P-01A.pdf", {"25-1904"}),
    ("https://ww3.ca2.uscourts.gov/decisions/isysquery/a/doc/25-904_opn.pdf", {"25-904"}),
    ("https://www2.ca3.uscourts.gov/opinarch/251904p.pdf", {"25-1904"}),
    ("https://www2.ca3.uscourts.gov/opinarch/251904np.pdf", {"25-1904"}),
    ("https://www.ca4.uscourts.gov/opinions/251904.P.pdf", {"25-1904"}),
    ("https://www.ca5.uscourts.gov/opinions/pub/25/25-50904-CV0.pdf", {"25-50904"}),
    ("https://ecf.ca8.uscourts.gov/opndir/25/08/251904P.pdf", {"25-1904"}),
    ("https://cdn.ca9.uscourts.gov/datastore/opinions/2025/08/14/25-1904.pdf", {"25-1904"}),
    ("https://media.ca11.uscourts.gov/opinions/pub/files/202511904.pdf", {"25-11904"}),
    ("https://media.cadc.uscourts.gov/opinions/docs/2025/08/25-904-7654321.pdf", {"25-904"}),
    (
        "https://www.cafc.uscourts.gov/opinions-orders/25-1904.OPINION.8-14-2025_2311234.pdf",
        {"25-1904"},
    ),
    ("https://media.ca7.uscourts.gov/x.pl?Path=Y2025/D08-14/C:25-1904:J:Wood:aut", {"25-1904"}),
    ("https://www.govinfo.gov/app/details/USCOURTS-ca2-25-00904", {"25-904"}),
    ("https://www.govinfo.gov/content/pkg/USCOURTS-ca9-25-01904/pdf/x-0.pdf", {"25-1904"}),
    ("https://www.govinfo.gov/app/details/USCOURTS-ca9-25-01904-1/summary", {"25-1904"}),
    # Others
    ("https://supreme.justia.com/cases/federal/us/607/25-904/", {"25-904"}),
    (
        "https://law.justia.com/cases/federal/appellate-courts/ca5/25-904/25-904-2025-08-14.html",
        {"25-904"},
    ),
    ("https://www.law.cornell.edu/supremecourt/text/25-904", {"25-904"}),
    ("https://www.oyez.org/cases/2025/25-904", {"25-904"}),
    ("https://x.test/25%E2%80%93904", {"25-904"}),
    ("https://x.test/mills-v-county-no-25-904", {"25-904"}),
    ("https://x.test/25-904-mills-v-county/", {"25-904"}),
    ("https://x.test/docket-25-904/", {"25-904"}),
    ("https://x.test/case?id=25-904", {"25-904"}),
    # None
    ("https://x.test/2025-09-04/mills", set()),
    ("https://x.test/2025/09/04/mills", set()),
    ("https://x.test/mills-25-904", set()),
    ("https://x.test/2024-2025/mills", set()),
    ("https://x.test/a25-904", set()),
    ("https://x.test/25-9045678", set()),
    ("https://x.test/251904p.pdf", set()),
    ("https://x.test/202511904.pdf", set()),
    ("https://opn.ca6.uscourts.gov/opinions.pdf/25a0123p-06.pdf", set()),
    ("https://x.test/USCOURTS-cand-4_25-cv-00904", set()),
    ("https://x.test/case#25-904", set()),
    ("", set()),
]


@pytest.mark.parametrize(("url", "numbers"), ADDRESSES)
def test_an_address_holds_these_docket_numbers(url: str, numbers: set[str]) -> None:
    assert set(address_dockets(address_of(url))) == numbers
