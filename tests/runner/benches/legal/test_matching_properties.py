"""Properties: every printed form of an identifier is a hit, and one other digit makes it none.

What is excepted, each for its reason: a four-digit year and a serial that is one of the next
thirty years, or `24-25`, may be a span of years and counts only after `No.` or the like; and
reporters without full stops count only where a series follows, or in `US`.
"""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from runner.benches.legal.citing.cfr import section_key
from tests.runner.benches.legal.made_gold import opinion_gold, section_gold, via

# Each reporter as gold has it, and other ways to print it.
REPORTERS = {
    "U.S.": ("U. S.", "US", "U.\u00a0S."),
    "S. Ct.": ("S.Ct.", "S Ct", "SCt"),
    "L. Ed. 2d": ("L.Ed.2d", "L Ed 2d", "LEd2d"),
    "F.4th": ("F. 4th", "F4th", "f.4th", "F.4<sup>th</sup>"),
    "F.3d": ("F. 3d", "F3d", "F.3rd"),
    "F. Supp. 3d": ("F.Supp.3d", "F.Supp. 3d", "FSupp3d"),
    "F. App'x": ("Fed. Appx.", "F. App’x", "Fed.Appx.", "Fed. App'x"),
    "A.3d": ("A. 3d", "A3d"),
    "So. 3d": ("So.3d", "So 3d"),
    "S.W.3d": ("S. W. 3d", "SW3d", "S.W. 3d"),
    "N.Y.S.3d": ("N. Y. S. 3d", "NYS3d"),
    "Cal. 5th": ("Cal.5th", "Cal 5th"),
    "WL": (),
}
VOLUMES = st.integers(1, 999)
PAGES = st.integers(1, 99_999)
YEARS = st.integers(20, 26)
SERIALS = st.integers(1, 99_999)
BLANKS = st.sampled_from([" ", "\u00a0", "  ", "\n", "\u202f"])
AROUND = st.sampled_from(
    [
        ("", ""),
        ("See ", ", 315 (2024)"),
        ("(", ")"),
        ("in 2024 at ", "."),
        ("“", "”"),
        ("<b>", "</b>"),
    ]
)
HYPHENS = st.sampled_from(["-", "–", "‑", "−", " - ", " – "])


def one_other_digit(text: str, data: st.DataObject) -> str:
    """The text with one of its digits changed to another."""
    place = data.draw(st.sampled_from([i for i, char in enumerate(text) if char in "0123456789"]))
    other = data.draw(st.sampled_from([d for d in "0123456789" if d != text[place]]))
    return text[:place] + other + text[place + 1 :]


@st.composite
def sections_of_the_code(draw: st.DrawFn) -> tuple[str, str]:
    """A title and a section in the forms that the code has."""
    title = str(draw(st.integers(1, 50)))
    part = str(draw(st.integers(1, 9999))) + draw(st.sampled_from(["", "", "a"]))
    number = str(draw(st.integers(1, 9999)))
    tail = draw(st.sampled_from(["", "", "-1", "c3-1", "a-12", "A-1T", "(k)-1", "(a)(9)-1", "-02"]))
    return title, f"{part}.{number}{tail}"


@given(VOLUMES, st.sampled_from(sorted(REPORTERS)), PAGES, BLANKS, AROUND, st.data())
def test_any_printed_form_of_a_citation_is_a_hit_and_another_digit_is_none(
    volume: int,
    reporter: str,
    page: int,
    blank: str,
    around: tuple[str, str],
    data: st.DataObject,
) -> None:
    gold = opinion_gold(cites=[f"{volume} {reporter} {page}"])
    name = data.draw(st.sampled_from((reporter, *REPORTERS[reporter])))
    before, after = around
    assert via(gold, f"{before}{volume}{blank}{name}{blank}{page}{after}") == "text:reporter"
    number, ordinal = (str(volume), True) if data.draw(st.booleans()) else (str(page), False)
    other = one_other_digit(number, data)
    changed = f"{other} {name} {page}" if ordinal else f"{volume} {name} {other}"
    assert via(gold, f"{before}{changed}{after}") is None


@given(VOLUMES, PAGES, st.sampled_from(["U.S.", "F.4th", "F.3d"]), st.data())
def test_any_address_of_a_citation_is_a_hit_and_another_digit_is_none(
    volume: int, page: int, reporter: str, data: st.DataObject
) -> None:
    gold = opinion_gold(cites=[f"{volume} {reporter} {page}"])
    shelf = data.draw(
        st.sampled_from(
            {
                "U.S.": [
                    "supreme.justia.com/cases/federal/us",
                    "www.courtlistener.com/c/U.S.",
                    "www.law.cornell.edu/supremecourt/text",
                ],
                "F.4th": [
                    "law.justia.com/cases/federal/appellate-courts/F4",
                    "www.courtlistener.com/c/F.%204th",
                ],
                "F.3d": [
                    "law.justia.com/cases/federal/appellate-courts/F3",
                    "cite.case.law/f3d",
                ],
            }[reporter]
        )
    )
    end = data.draw(st.sampled_from(["", "/", "/5678/", "?x=1", "#top"]))
    assert via(gold, "", f"https://{shelf}/{volume}/{page}{end}") == "url:reporter"
    place = f"{volume}/{page}"
    assert via(gold, "", f"https://{shelf}/{one_other_digit(place, data)}{end}") is None


@given(st.integers(1, 10**9), st.data())
def test_any_page_of_a_cluster_is_a_hit_and_another_digit_is_none(
    cluster: int, data: st.DataObject
) -> None:
    gold = opinion_gold(cluster=str(cluster))
    path = data.draw(st.sampled_from(["opinion", "api/rest/v4/clusters", "api/rest/v3/clusters"]))
    end = data.draw(st.sampled_from(["", "/", "/riverbend-mills/", "/x/authorities/?page=2"]))
    start = f"https://www.courtlistener.com/{path}/"
    assert via(gold, "", f"{start}{cluster}{end}") == "url:cluster"
    assert via(gold, "", f"{start}{one_other_digit(str(cluster), data)}{end}") is None


@given(YEARS, SERIALS, HYPHENS, st.data())
def test_any_printed_form_of_a_docket_is_a_hit_and_another_digit_is_none(
    year: int, serial: int, hyphen: str, data: st.DataObject
) -> None:
    gold = opinion_gold(docket=f"{year}-{serial}")
    number = f"{year}{hyphen}{serial:0{data.draw(st.integers(1, 5))}}"
    end = data.draw(st.sampled_from(["", ".", ", 19-1", "-cv", "(L)", " (9th Cir.)", "_x", "/"]))
    start = data.draw(st.sampled_from(["No. ", "Nos. 19-1, ", "No.", "Docket: ", "(No. "]))
    assert via(gold, f"{start}{number}{end} Riverbend") == "text:docket"
    assert via(gold, f"{start}{number}{end} Riverbends") is None
    assert via(gold, f"{start}{one_other_digit(number, data)}{end} Riverbend") is None


@given(YEARS, SERIALS, st.data())
def test_any_docket_form_of_the_courts_is_a_hit_and_another_digit_is_none(
    year: int, serial: int, data: st.DataObject
) -> None:
    gold = opinion_gold(docket=f"{year}-{serial}")
    number, form = data.draw(
        st.sampled_from(
            [
                (f"{year}-{serial}", "x.test/{}/"),
                (f"{year}-{serial}", "www.supremecourt.gov/opinions/{}_h3ci.pdf"),
                (f"{year}-{serial}", "media.cadc.uscourts.gov/opinions/{}-7654321.pdf"),
                (f"{year}-{serial}", "media.ca1.uscourts.gov/{}P-01A.pdf"),
                (f"{year}-{serial}", "www.cafc.uscourts.gov/{}.OPINION.8-14-2025_2311234.pdf"),
                (f"{year}-{serial:05}", "www.govinfo.gov/app/details/USCOURTS-ca9-{}-0"),
                (f"{year}{serial:05}", "media.ca11.uscourts.gov/files/20{}.pdf"),
                *(
                    [(f"{year}{serial:04}", "www.ca4.uscourts.gov/opinions/{}.P.pdf")]
                    if serial < 10_000
                    else []
                ),
            ]
        )
    )
    assert via(gold, "Riverbend", f"https://{form.format(number)}") == "url:docket"
    changed = one_other_digit(number, data)
    assert via(gold, "Riverbend", f"https://{form.format(changed)}") is None


@given(YEARS, st.integers(100, 99_999), st.data())
def test_a_docket_with_its_whole_year_is_a_hit_and_another_digit_is_none(
    year: int, serial: int, data: st.DataObject
) -> None:
    assume(not 0 < serial - (2000 + year) <= 30)
    gold = opinion_gold(docket=f"{year}-{serial}")
    number = f"20{year}-{serial}"
    assert via(gold, f"Riverbend {number}") == "text:docket"
    changed = one_other_digit(number, data)
    assert via(gold, f"Riverbend {changed}") is None


@given(
    sections_of_the_code(),
    st.sampled_from(["CFR", "C.F.R.", "C. F. R.", "cfr", "Code of Federal Regulations"]),
    st.sampled_from(
        [" ", " § ", " §", "\u00a0§\u00a0", " Part ", " Sec. ", " &sect; ", " section "]
    ),
    st.sampled_from(
        ["", ".", "(b)(1)", "(c)(2)(vi).", ", 999.9", " and 999.9", "; see", " - Title"]
    ),
    st.booleans(),
    st.data(),
)
def test_any_printed_form_of_a_section_is_a_hit_and_another_digit_is_none(
    place: tuple[str, str], code: str, sign: str, end: str, is_typeset: bool, data: st.DataObject
) -> None:
    title, section = place
    assume(section != "999.9")
    gold = section_gold(f"{title}:{section}")
    assert section_key(f"{title}:{section}") is not None
    written = section.replace("-", data.draw(st.sampled_from("‑–−"))) if is_typeset else section
    assert via(gold, f"under {title} {code}{sign}{written}{end}") == "text:cfr"
    assert via(gold, f"§ {written}{end[:3] * (end[:1] == '(')} of title {title}") == "text:cfr"
    changed = one_other_digit(section, data)
    assume(changed != "999.9")
    assert via(gold, f"under {title} {code}{sign}{changed}{end}") is None
    assert via(gold, f"under {one_other_digit(title, data)} {code}{sign}{written}{end}") is None


@given(sections_of_the_code(), st.data())
def test_any_address_of_a_section_is_a_hit_and_another_digit_is_none(
    place: tuple[str, str], data: st.DataObject
) -> None:
    title, section = place
    gold = section_gold(f"{title}:{section}")
    part = section.partition(".")[0]
    flat = section.replace("(", "").replace(")", "")
    apart = "-".join(filter(None, section.translate(str.maketrans("().", "---")).split("-")))
    form, written = data.draw(
        st.sampled_from(
            [
                (f"www.law.cornell.edu/cfr/text/{title}/{{}}", section),
                (f"www.ecfr.gov/current/title-{title}/part-{part}/section-{{}}", section),
                (f"law.justia.com/cfr/title-{title}/part-{part}/section-{{}}/", apart),
                (
                    f"www.govinfo.gov/x/CFR-2024-title{title}-vol4-sec{{}}.xml",
                    flat.replace(".", "-"),
                ),
            ]
        )
    )
    assert via(gold, "", f"https://{form.format(written)}") == "url:cfr"
    assert via(gold, "", f"https://{form.format(written.lower())}") == "url:cfr"
    assert via(gold, "", f"https://{form.format(one_other_digit(written, data))}") is None


@given(st.text(max_size=300), st.text(max_size=100))
def test_no_text_and_no_address_is_too_strange_to_be_read(text: str, url: str) -> None:
    for gold in (opinion_gold(docket="25-904", cites=["97 F.4th 310"]), section_gold()):
        assert via(gold, text, url) is None


@given(st.text(alphabet="0123456789-–.§ CFRUSF4thdNo:/()", max_size=200))
def test_a_text_of_the_right_characters_is_read_without_an_error(text: str) -> None:
    for gold in (opinion_gold(docket="25-904", cites=["97 F.4th 310"]), section_gold()):
        via(gold, text, text)
        via(gold, text, f"https://www.uscourts.gov/{text}")
