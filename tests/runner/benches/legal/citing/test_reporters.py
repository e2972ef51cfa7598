"""Reporter citations: how they are printed, what only looks like one, and addresses of them."""

from __future__ import annotations

import pytest
from eyecite import get_citations
from eyecite.models import FullCaseCitation
from eyecite.tokenizers import AhocorasickTokenizer

from runner.benches.legal.citing.printed import address_of, printed_text
from runner.benches.legal.citing.reporters import (
    REPORTERS,
    address_citations,
    citation_key,
    citations,
    strip,
)

PRINTED = [
    # The Supreme Court
    ("601 U.S. 42", ["601:us:42"]),
    ("601 U. S. 42", ["601:us:42"]),
    ("601 U.S. 42, 50 (2024)", ["601:us:42"]),
    ("601 US 42", ["601:us:42"]),
    ("601 U.\u00a0S. 42", ["601:us:42"]),
    ("601\u00a0U.S.\u202f42", ["601:us:42"]),
    ("601&nbsp;U.S.&nbsp;42", ["601:us:42"]),
    ("601 <em>U.S.</em> 42", ["601:us:42"]),
    ("<b>601</b> <b>U.S.</b> <b>42</b>", ["601:us:42"]),
    ("601 *U.S.* 42", ["601:us:42"]),
    ("601 U.S.\n42", ["601:us:42"]),
    ("601 U.S. 42, 144 S. Ct. 1234, 218 L. Ed. 2d 5", ["601:us:42", "144:sct:1234", "218:led2d:5"]),
    ("144 S.Ct. 1234", ["144:sct:1234"]),
    ("144 S Ct 1234", ["144:sct:1234"]),
    ("218 L.Ed.2d 5", ["218:led2d:5"]),
    ("218 L Ed 2d 5", ["218:led2d:5"]),
    ("64 L. Ed. 5", ["64:led:5"]),
    ("0601 U.S. 042", ["601:us:42"]),
    # Courts of appeals
    ("97 F.4th 310", ["97:f4th:310"]),
    ("97 F. 4th 310", ["97:f4th:310"]),
    ("97 F4th 310", ["97:f4th:310"]),
    ("97 f.4th 310", ["97:f4th:310"]),
    ("97 F.4<sup>th</sup> 310", ["97:f4th:310"]),
    ("97 F.4ᵗʰ 310", ["97:f4th:310"]),
    ("97 F.4th 310<sup>12</sup>", ["97:f4th:310"]),
    ("97 F.4th 310¹²", ["97:f4th:310"]),
    ("97 F.4th 310[3]", ["97:f4th:310"]),
    ("(97 F.4th 310)", ["97:f4th:310"]),
    ("[97 F.4th 310]", ["97:f4th:310"]),
    ("97 F.4th 310.", ["97:f4th:310"]),
    ("97 F.4th 310-15", ["97:f4th:310"]),
    ("97 F.4th 310–315", ["97:f4th:310"]),
    ("97 F.4th 310; 98 F.4th 1", ["97:f4th:310", "98:f4th:1"]),
    ("Mills,97 F.4th 310,315", ["97:f4th:310"]),
    ("97_F.4th_310", ["97:f4th:310"]),
    ("\u200b97 F.4th\u200b 310", ["97:f4th:310"]),
    ("97 F.3d 310", ["97:f3d:310"]),
    ("97 F.3rd 310", ["97:f3d:310"]),
    ("97 F.2nd 310", ["97:f2d:310"]),
    ("97 F.2d 310", ["97:f2d:310"]),
    ("97 F. 310", ["97:f:310"]),
    ("97 F. App'x 310", ["97:fappx:310"]),
    ("97 F. App’x 310", ["97:fappx:310"]),
    ("97 Fed. Appx. 310", ["97:fappx:310"]),
    ("97 Fed.Appx. 310", ["97:fappx:310"]),
    ("97 Fed. App'x 310", ["97:fappx:310"]),
    # District and state courts
    ("97 F. Supp. 310", ["97:fsupp:310"]),
    ("97 F.Supp.2d 310", ["97:fsupp2d:310"]),
    ("97 F. Supp. 3d 310", ["97:fsupp3d:310"]),
    ("97 FSupp3d 310", ["97:fsupp3d:310"]),
    ("2024 WL 1234567", ["2024:wl:1234567"]),
    ("2024 WL 1234567, at *3", ["2024:wl:1234567"]),
    ("97 A.3d 310", ["97:a3d:310"]),
    ("97 A. 310", ["97:a:310"]),
    ("97 P.2d 310", ["97:p2d:310"]),
    ("97 N.E.3d 310", ["97:ne3d:310"]),
    ("97 N. W. 2d 310", ["97:nw2d:310"]),
    ("97 S.E.2d 310", ["97:se2d:310"]),
    ("97 S.W.3d 310", ["97:sw3d:310"]),
    ("97 S.W. 310", ["97:sw:310"]),
    ("97 So. 3d 310", ["97:so3d:310"]),
    ("97 So.2d 310", ["97:so2d:310"]),
    ("97 Cal. 4th 310", ["97:cal4th:310"]),
    ("9 Cal.5th 310", ["9:cal5th:310"]),
    ("97 N.Y.S.3d 310", ["97:nys3d:310"]),
    ("97 N.Y.S. 310", ["97:nys:310"]),
    # None
    ("", []),
    ("97 F.4th", []),
    ("F.4th 310", []),
    ("97 F.4th at 310", []),
    ("97 F.4th, at 310", []),
    ("601 U.S. ___ (2024)", []),
    ("601 U.S. ____, 42", []),
    ("gave 2 us 500", []),
    ("2 u.s. 500", []),
    ("97 F.4th 310th", []),
    ("97 F.4th 310a", []),
    ("x97 F.4th 310", []),
    ("97 F.5th 310", []),
    ("97 F.4 310", []),
    ("97 F 310", []),
    ("He got 97 a. 310 came", []),
    ("97 so. 310", []),
    ("97 so 310", []),
    ("97 Cal. App. 4th 310", []),
    ("97 Cal. Rptr. 3d 310", []),
    ("97 U.S.P.Q.2d 310", []),
    ("97 U.S.C. 310", []),
    ("97 U.S.C. § 310", []),
    ("2024 U.S. App. LEXIS 310", []),
    ("97 Fed. Cl. 310", []),
    ("97 Fed. Reg. 310", []),
    ("97 F.R.D. 310", []),
    ("97 N.Y.3d 310", []),
    ("97 degrees F. 310", []),
    ("97 pages 310", []),
    ("97 F.4th  -  310", []),
]


@pytest.mark.parametrize(("text", "keys"), PRINTED)
def test_a_text_holds_these_citations(text: str, keys: list[str]) -> None:
    assert list(citations(printed_text(text))) == keys


NAMES = [
    ("F.4th", "f4th"),
    ("F. 3rd", "f3d"),
    ("F4", "f4th"),
    ("F2", "f2d"),
    ("FSupp3", "fsupp3d"),
    ("L. Ed. 2nd", "led2d"),
    ("L.Ed.", "led"),
    ("Fed. Appx.", "fappx"),
    ("U. S.", "us"),
    ("cal5th", "cal5th"),
    ("S. Ct.", "sct"),
]


@pytest.mark.parametrize(("name", "key"), NAMES)
def test_a_reporter_has_one_key_however_its_name_is_written(name: str, key: str) -> None:
    assert strip(name) == key
    assert key in REPORTERS


ADDRESSES = [
    ("https://supreme.justia.com/cases/federal/us/601/42/", ["601:us:42"]),
    ("https://supreme.justia.com/cases/federal/us/601/42/case.pdf", ["601:us:42"]),
    ("https://supreme.justia.com/cases/federal/us/601/42/#tab-opinion-1", ["601:us:42"]),
    ("supreme.justia.com/cases/federal/us/601/42", ["601:us:42"]),
    ("https://supreme.justia.com/cases/federal/us/601/", []),
    ("https://supreme.justia.com/cases/federal/us/601/42n/", []),
    ("https://supreme.justia.com/cases/federal/us/607/25-904/", []),
    ("https://law.justia.com/cases/federal/appellate-courts/F4/97/310/", ["97:f4th:310"]),
    ("https://law.justia.com/cases/federal/appellate-courts/F3/97/310/5678/", ["97:f3d:310"]),
    ("https://law.justia.com/cases/federal/appellate-courts/F2/97/310/5678/", ["97:f2d:310"]),
    ("https://law.justia.com/cases/federal/appellate-courts/f/97/310/", ["97:f:310"]),
    ("https://law.justia.com/cases/federal/district-courts/FSupp2/97/310/1/", ["97:fsupp2d:310"]),
    ("https://law.justia.com/cases/federal/appellate-courts/ca5/97/310/", []),
    ("https://law.justia.com/cases/federal/appellate-courts/ca9/24-310/24-310.html", []),
    ("https://www.courtlistener.com/c/F.4th/97/310/", ["97:f4th:310"]),
    ("https://www.courtlistener.com/c/F.%204th/97/310/", ["97:f4th:310"]),
    ("https://www.courtlistener.com/c/f4th/97/310", ["97:f4th:310"]),
    ("https://www.courtlistener.com/c/U.S./601/42/", ["601:us:42"]),
    ("https://www.courtlistener.com/c/Nev./97/310/", []),
    ("https://www.courtlistener.com/c/F.4th/97/", []),
    ("https://www.law.cornell.edu/supremecourt/text/601/42", ["601:us:42"]),
    ("https://www.law.cornell.edu/supremecourt/text/25-904", []),
    ("https://caselaw.findlaw.com/us-supreme-court/601/42.html", ["601:us:42"]),
    ("https://cite.case.law/f3d/97/310/", ["97:f3d:310"]),
    ("https://cite.case.law/nev/97/310/", []),
    ("https://openjurist.org/97/f3d/310", ["97:f3d:310"]),
    ("https://openjurist.org/97/f3d/310/mills-v-county", ["97:f3d:310"]),
    ("https://x.test/97/f3d/310", []),
    ("https://x.test/us/601/42/", []),
    ("https://x.test/files/97%20F.4th%20310.pdf", ["97:f4th:310"]),
    ("https://x.test/files/97_F.4th_310.pdf", ["97:f4th:310"]),
    ("https://x.test/search?q=97+F.4th+310", []),
    ("https://x.test/2024/97/310", []),
    ("", []),
]


@pytest.mark.parametrize(("url", "keys"), ADDRESSES)
def test_an_address_is_made_of_these_citations(url: str, keys: list[str]) -> None:
    assert list(address_citations(address_of(url))) == keys


@pytest.mark.parametrize(
    ("citation", "key"),
    [
        ("197 F.4th 310", "197:f4th:310"),
        (" 601 U.S. 42 ", "601:us:42"),
        ("2024 WL 1234567", "2024:wl:1234567"),
        ("2024 U.S. App. LEXIS 12", None),
        ("92 U.S.L.W. 4001", None),
        ("see 197 F.4th 310", None),
        ("", None),
    ],
)
def test_gold_citations_of_known_reporters_have_a_key(citation: str, key: str | None) -> None:
    assert citation_key(citation) == key


# Forms that eyecite reads as well; it needs a full stop or a known spelling where ours does not.
SHARED = [
    *("601 U.S. 42", "601 U. S. 42", "144 S. Ct. 1234", "144 S.Ct. 1234", "218 L. Ed. 2d 5"),
    *("97 F.4th 310", "97 F. 4th 310", "97 F.3d 310", "97 F.2d 310", "97 F. Supp. 3d 310"),
    *("97 F. App'x 310", "97 Fed. Appx. 310", "97 A.3d 310", "97 P.3d 310", "97 So. 3d 310"),
    *("97 N.E.3d 310", "97 S.W.3d 310", "9 Cal. 5th 310", "97 N.Y.S.3d 310", "2024 WL 1234567"),
    *("97 F.4th at 310", "601 U.S. ___", "gave 2 us 500", "97 Fed. Cl. 310", "F.4th 310"),
    *("In 2024 at 97 F.4th 310, 315 (9th Cir. 2024); 12 F.3d 4", "97 F.4th 310th"),
]


@pytest.mark.parametrize("text", SHARED)
def test_an_independent_reader_of_citations_finds_the_same(text: str) -> None:
    read = get_citations(text, tokenizer=AhocorasickTokenizer())
    theirs = [
        f"{each.groups['volume']}:{strip(each.groups['reporter'])}:{each.groups['page']}"
        for each in read
        if isinstance(each, FullCaseCitation) and each.groups["page"]
    ]
    assert list(citations(text)) == [key for key in theirs if key.split(":")[1] in REPORTERS]
