"""Papers and results: what is a hit, how it is known, and what the older scorer got wrong."""

from __future__ import annotations

import string
from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.benches.bench import Found, Target
from runner.benches.scholar.rows import AgeBucket, Domain, PaperIds, ScholarGold, scholar_row
from runner.benches.scholar.score import scholar_target, stratum, suite_of, unit_of
from runner.records.queries import QueryRow
from runner.sampling import sample_units

NOW = datetime(2026, 11, 3, 18, tzinfo=UTC)
ELSEWHERE = "https://x.test/page"


def row(
    text: str = "cold sensors",
    *,
    key: str = "k",
    age: AgeBucket = "7d",
    domain: Domain = "health sciences",
    **ids: str,
) -> QueryRow:
    gold = ScholarGold(
        paper_key=key,
        ids=PaperIds(**ids),
        published_date="2026-10-30",
        age_bucket=age,
        domain=domain,
    )
    return scholar_row(
        text, bucket="clue", suite="europepmc", gold=gold, title="T", url=ELSEWHERE, now=NOW
    )


def target(**ids: str) -> Target:
    return scholar_target(row(**ids))


def via(text: str = "", url: str = ELSEWHERE, **ids: str) -> str | None:
    return target(**ids).match(url, text).via


ALL = {
    "arxiv": "2509.04417",
    "doi": "10.1000/xyz123",
    "pmid": "31415926",
    "pmcid": "PMC8123456",
}
VIAS = [
    ("https://arxiv.org/abs/2509.04417v2", "", "url:arxiv"),
    ("https://doi.org/10.1000/XYZ123", "", "url:doi"),
    ("https://pubmed.ncbi.nlm.nih.gov/31415926/", "", "url:pmid"),
    ("https://pmc.ncbi.nlm.nih.gov/articles/PMC8123456/", "", "url:pmcid"),
    (ELSEWHERE, "[2509.04417] Title", "text:arxiv"),
    (ELSEWHERE, "doi:10.1000/xyz123", "text:doi"),
    (ELSEWHERE, "PMID: 31415926", "text:pmid"),
    (ELSEWHERE, "PMCID: PMC8123456", "text:pmcid"),
    ("https://pubmed.ncbi.nlm.nih.gov/31415926/", "arXiv:2509.04417", "url:pmid"),
    ("https://pubmed.ncbi.nlm.nih.gov/27182818/", "cites PMID: 31415926", "text:pmid"),
    ("https://doi.org/10.1000/xyz124", "cites 10.1000/xyz123", "text:doi"),
    (ELSEWHERE, "PMID: 31415926, doi:10.1000/xyz123", "text:doi"),
    (ELSEWHERE, "PMID: 8123456, PMC31415926, arXiv:2509.04418", None),
    (ELSEWHERE, "31415926 8123456 2509.04417 xyz123", None),
    (ELSEWHERE, "", None),
    ("", "", None),
]


@pytest.mark.parametrize(("url", "text", "expected"), VIAS)
def test_the_address_is_named_before_the_text_and_each_kind_of_id_counts(
    url: str, text: str, expected: str | None
) -> None:
    assert via(text, url, **ALL) == expected


def test_all_ids_of_a_result_are_recorded_those_of_the_address_first() -> None:
    text = "[2509.04417] T PMID: 31415926 doi:10.1000/b, 10.1000/a, 10.1000/b. PMC8123456"
    found = target(pmid="271").match("https://doi.org/10.1000/a", text)
    assert found == Found(
        None,
        {
            "arxiv": ["2509.04417"],
            "doi": ["10.1000/a", "10.1000/b"],
            "pmid": ["31415926"],
            "pmcid": ["PMC8123456"],
        },
    )
    assert target(pmid="271").match(ELSEWHERE, "no id") == Found(None, {})


def test_the_paper_is_a_hit_among_many_others() -> None:
    others = " ".join(f"10.1000/xyz{number} arXiv:2509.{number:05}" for number in range(100))
    assert via(f"{others} 10.1000/hit. {others}", doi="10.1000/hit") == "text:doi"


# The examples of the specification that set gold against a result.
@pytest.mark.parametrize(
    ("kind", "gold", "url", "text", "expected"),
    [
        ("arxiv", "2509.0441", ELSEWHERE, "arXiv:2509.04417", None),
        ("doi", "10.1038/s41586-021-03819-2", ELSEWHERE, "10.1038/s41586-021-03819-22", None),
        ("pmid", "31415926", ELSEWHERE, "PMID: 31415926", "text:pmid"),
        ("pmid", "31415926", ELSEWHERE, "PMID31415926", "text:pmid"),
        ("pmid", "271", "https://www.ncbi.nlm.nih.gov/pubmed/271", "", "url:pmid"),
        ("pmid", "40011223", "https://europepmc.org/article/MED/40011223", "", "url:pmid"),
        ("pmid", "9", ELSEWHERE, "PMID: 9", None),
        ("pmid", "8123456", ELSEWHERE, "PMCID: PMC8123456", None),
        ("pmid", "31415926", ELSEWHERE, "31415926", None),
        ("pmid", "3141592", ELSEWHERE, "PMID 31415926", None),
        ("pmid", "31415926", ELSEWHERE, "PMID:31415926PMC", None),
    ],
)
def test_the_specified_pairs_of_gold_and_result(
    kind: str, gold: str, url: str, text: str, expected: str | None
) -> None:
    assert via(text, url, **{kind: gold}) == expected


# Faults of the older scorer, one test each.


def test_fault_a_longer_number_was_read_as_the_arxiv_id_it_begins_with() -> None:
    assert via(url="https://arxiv.org/abs/2509.044176", arxiv="2509.04417") is None


def test_fault_the_subject_of_an_old_arxiv_id_hid_it() -> None:
    url = "https://arxiv.org/abs/math.GT/0309136"
    assert via(url=url, arxiv="math/0309136") == "url:arxiv"


@pytest.mark.parametrize(
    "url",
    [
        "https://arxiv.org/format/2509.04417",
        "https://arxiv.org/src/2509.04417",
        "https://arxiv.org/e-print/2509.04417",
        "https://www.alphaxiv.org/abs/2509.04417",
        "https://huggingface.co/papers/2509.04417",
        "https://ar5iv.labs.arxiv.org/html/2509.04417",
        "https://ar5iv.org/abs/2509.04417",
    ],
)
def test_fault_pages_of_a_paper_under_its_arxiv_id_were_missed(url: str) -> None:
    assert via(url=url, arxiv="2509.04417") == "url:arxiv"


def test_fault_the_id_before_an_arxiv_title_was_missed() -> None:
    assert via("[2509.04417] Cold Sensors", arxiv="2509.04417") == "text:arxiv"


def test_fault_a_percent_encoded_doi_was_missed() -> None:
    url = "https://x.test/article?doi=10.1000%2Fxyz123"
    assert via(url=url, doi="10.1000/xyz123") == "url:doi"


@pytest.mark.parametrize(
    "printed",
    [
        "10.1000/0099-1234(1971)12<345:AQL>2.0.CO;2",
        "10.1000/0099-1234(1971)12&lt;345:AQL&gt;2.0.CO;2",
        "10.1000/0099-1234(1971)12%3C345:AQL%3E2.0.CO;2</a>",
    ],
)
def test_fault_a_doi_of_old_was_cut_at_its_angle_bracket(printed: str) -> None:
    gold = "10.1000/0099-1234(1971)12<345:aql>2.0.co;2"
    assert via(f"doi:{printed}", doi=gold) == "text:doi"
    cut_page = "doi:10.1000/0099-1234(1971)12<345:AQM>2.0.CO;2"
    assert via(cut_page, doi=gold) is None


@pytest.mark.parametrize(
    "tail", ["/fulltext", "/fulltext.html", ".pdf", ".full", "/", "#s", "?a=b"]
)
def test_fault_what_a_site_hangs_on_a_doi_was_read_as_its_end(tail: str) -> None:
    assert via(url=f"https://x.test/10.1000/xyz123{tail}", doi="10.1000/xyz123") == "url:doi"


@pytest.mark.parametrize("prefix", ["10.1101", "10.64898"])
def test_fault_the_version_of_a_preprint_was_read_as_part_of_its_doi(prefix: str) -> None:
    doi = f"{prefix}/2026.01.02.900417"
    assert via(url=f"https://www.medrxiv.org/content/{doi}v2.full", doi=doi) == "url:doi"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.ncbi.nlm.nih.gov/m/pubmed/31415926/", "url:pmid"),
        ("https://pubmed.ncbi.nlm.nih.gov/?term=31415926", "url:pmid"),
        ("https://pubmed.ncbi.nlm.nih.gov/?term=31415926+sensors", None),
        ("https://europepmc.org/articles/PMC8123456", "url:pmcid"),
    ],
)
def test_fault_addresses_of_the_libraries_were_missed(url: str, expected: str | None) -> None:
    assert via(url=url, pmid="31415926", pmcid="PMC8123456") == expected


def test_fault_a_pmid_elsewhere_on_a_page_hid_the_papers_pmcid() -> None:
    url = "https://pmc.ncbi.nlm.nih.gov/articles/PMC8123456/"
    text = "References: PMID: 27182818"
    assert via(text, url, pmid="31415926", pmcid="PMC8123456") == "url:pmcid"


def test_fault_a_page_of_pubmed_central_was_nothing_to_gold_without_a_pmid() -> None:
    url = "https://pmc.ncbi.nlm.nih.gov/articles/PMC8123456/"
    assert via(url=url, doi="10.1000/xyz123", pmcid="PMC8123456") == "url:pmcid"
    assert via(url=url, doi="10.1000/xyz123") is None


def test_fault_a_run_needed_an_id_converter_that_could_be_down() -> None:
    """Matching takes two texts and nothing else: there is no client to fail."""
    match = target(pmid="31415926", pmcid="PMC8123456").match
    first = match(ELSEWHERE, "PMC8123456")
    assert first.via == "text:pmcid"
    assert match(ELSEWHERE, "PMC8123456") == first


def test_fault_a_page_that_cites_a_paper_could_not_be_told_from_the_paper() -> None:
    paper = via(url="https://doi.org/10.1000/xyz123", doi="10.1000/xyz123")
    review = via("References 1. doi:10.1000/xyz123", doi="10.1000/xyz123")
    assert (paper, review) == ("url:doi", "text:doi")


def test_fault_a_publishers_page_without_an_id_in_its_text_was_missed() -> None:
    url = "https://www.nature.com/articles/s41586-021-03819-2"
    assert via("Cold sensors | Nature", url, doi="10.1038/s41586-021-03819-2") == "url:doi"


def test_fault_a_sample_tore_the_buckets_of_a_paper_apart() -> None:
    rows = [
        row(f"{paper} {bucket}", key=f"p{paper}", age="7d" if paper % 2 else "1y", pmid="271")
        for bucket in range(4)
        for paper in range(12)
    ]
    picked = sample_units(rows, 18, "stratified", 0, stratum, unit_of)
    by_paper: dict[str, int] = {}
    for each in picked:
        by_paper[unit_of(each)] = by_paper.get(unit_of(each), 0) + 1
    assert sorted(by_paper.values()) == [4, 4, 4, 4]
    assert sorted(stratum(each) for each in picked) == [
        *["health sciences:1y"] * 8,
        *["health sciences:7d"] * 8,
    ]


# What a target says of its row.


def test_a_target_carries_the_paper_its_ids_and_its_groups() -> None:
    made = scholar_target(row(key="paper-1", **ALL))
    assert made.item == "paper-1"
    assert made.gold == "arXiv 2509.04417, DOI 10.1000/xyz123, PMID 31415926, PMC8123456"
    assert made.groups == {
        "bucket": "clue",
        "suite": "europepmc",
        "age": "7d",
        "domain": "health sciences",
    }
    assert made.question is None


def test_queries_of_one_paper_share_their_item() -> None:
    items = {scholar_target(row(text, key="paper-1", pmid="271")).item for text in ("a b", "c d")}
    assert items == {"paper-1"}


def test_suite_stratum_and_unit_are_read_from_a_row_even_without_gold() -> None:
    whole = row(key="paper-1", domain="life sciences", age="older", pmid="271")
    assert suite_of(whole) == "europepmc"
    assert stratum(whole) == "life sciences:older"
    assert unit_of(whole) == "paper-1"
    bare = msgspec.structs.replace(
        whole, gold=None, query_origin=msgspec.structs.replace(whole.query_origin, provenance={})
    )
    assert (suite_of(bare), stratum(bare), unit_of(bare)) == ("", ":", whole.query_id)


def test_gold_that_cannot_be_matched_is_refused() -> None:
    bad = msgspec.structs.replace(row(pmid="271"), gold={"paper_key": "k"})
    with pytest.raises(msgspec.ValidationError, match="missing required field"):
        scholar_target(bad)


def test_a_paper_known_by_its_arxiv_doi_alone_is_known_by_its_arxiv_id() -> None:
    url = "https://arxiv.org/abs/2509.04417"
    assert via(url=url, doi="10.48550/arXiv.2509.04417") == "url:arxiv"
    assert via(url="https://doi.org/10.48550/arXiv.2509.04417", arxiv="2509.04417") == "url:arxiv"


# Properties: any printed form of a gold id is a hit, and a changed digit never is.
#
# Exceptions, by design: the version of an arXiv id and of a bioRxiv DOI names the same paper; an
# id that the snippet limit or an ellipsis cuts is not the whole id; nothing is read across a line
# break within an id, or where a word follows a DOI without any mark between.

DIGITS = string.digits
FORMS = {
    "arxiv": [
        *("arXiv:{}", "arXiv: {}", "arXiv {}", "arXiv:{}v2", "(arXiv:{})", "arXiv preprint {}"),
        *("https://arxiv.org/abs/{}", "https://arxiv.org/pdf/{}v1.pdf", "arxiv.org/html/{}"),
        *("doi:10.48550/arXiv.{}", "https://doi.org/10.48550/arXiv.{}.", "[{}] Title", "[{}v1] T"),
        *("https://huggingface.co/papers/{}", "https://ar5iv.org/abs/{}", "**arXiv:** {},"),
    ],
    "doi": [
        *("{}", "doi:{}", "DOI: {}.", "({})", "[{}],", "https://doi.org/{}", "{}.pdf", "{}/full"),
        *("https://x.test/{}/fulltext.html?a=b", "<a href='https://doi.org/{}'>x</a>", "“{}”;"),
        *("{}</a>", "**{}**", "{}, and", "x?doi={}&type=pdf", "{};jsessionid=1", "<{}>"),
    ],
    "pmid": [
        *("PMID: {}", "PMID{}", "PMID:{}.", "[PMID: {}]", "https://pubmed.ncbi.nlm.nih.gov/{}/"),
        *("https://www.ncbi.nlm.nih.gov/pubmed/{}", "https://europepmc.org/abstract/MED/{}"),
        *("<b>PMID:</b> {};", "https://pubmed.ncbi.nlm.nih.gov/?term={}"),
    ],
    "pmcid": [
        *("{}", "PMCID: {}", "({}).", "https://pmc.ncbi.nlm.nih.gov/articles/{}/pdf/x.pdf"),
        *("https://www.ncbi.nlm.nih.gov/pmc/articles/{}", "https://europepmc.org/articles/{}?a"),
    ],
}
_YEARS_MONTHS = st.builds("{:02}{:02}".format, st.integers(0, 99), st.integers(1, 12))
_NUMBERS = st.integers(0, 999).map("{:03}".format)
# Without the letters of `doi`, `pmid`, `https`, `www`: after a comma they begin the next id.
_TOKENS = st.text(alphabet="abcfgjklnoqrsuvxyz" + DIGITS, min_size=1, max_size=8)
GOLD_IDS = st.one_of(
    st.tuples(
        st.just("arxiv"),
        st.builds("{}.{}".format, _YEARS_MONTHS, st.text(DIGITS, min_size=4, max_size=5)),
    ),
    st.tuples(
        st.just("arxiv"),
        st.builds(
            "{}/{}{}".format,
            st.sampled_from(["hep-ph", "math", "cond-mat", "q-alg"]),
            _YEARS_MONTHS,
            _NUMBERS,
        ),
    ),
    st.tuples(
        st.just("doi"),
        st.builds(
            "10.{}/{}{}{}".format,
            st.integers(2000, 999_999_999),
            st.lists(
                st.one_of(
                    _TOKENS,
                    _TOKENS.map("({})".format),
                    _TOKENS.map("<{}:aql>".format),
                    _TOKENS.map("[{}]".format),
                    st.sampled_from([".", "-", "_", ":", ";", "/"]),
                ),
                max_size=5,
            ).map("".join),
            _TOKENS,
            st.integers(0, 9999),
        ),
    ),
    st.tuples(st.just("pmid"), st.integers(100_000, 999_999_999).map(str)),
    st.tuples(st.just("pmcid"), st.integers(10_000, 99_999_999).map("PMC{}".format)),
)


def form_of(kind: str) -> st.SearchStrategy[str]:
    return st.sampled_from(FORMS[kind])


@settings(max_examples=600, deadline=None)
@given(st.data(), GOLD_IDS, st.booleans())
def test_any_printed_form_of_a_gold_id_is_a_hit(
    data: st.DataObject, gold: tuple[str, str], in_url: bool
) -> None:
    kind, written = gold
    printed = data.draw(form_of(kind)).format(
        data.draw(st.sampled_from([written, written.upper()]))
    )
    if in_url and not printed.startswith("["):
        found = target(**{kind: written}).match(f"https://x.test/{printed}", "")
    else:
        found = target(**{kind: written}).match(ELSEWHERE, printed)
    assert found.via is not None, printed


@settings(max_examples=600, deadline=None)
@given(st.data(), GOLD_IDS, st.booleans())
def test_a_changed_added_or_missing_digit_is_never_a_hit(
    data: st.DataObject, gold: tuple[str, str], in_url: bool
) -> None:
    kind, written = gold
    places = [place for place, char in enumerate(written) if char in DIGITS]
    place = data.draw(st.sampled_from(places))
    char = data.draw(st.sampled_from([d for d in DIGITS if d != written[place]]))
    other = data.draw(
        st.sampled_from(
            [
                written[:place] + char + written[place + 1 :],
                written[:place] + char + written[place:],
                written[: place + 1] + char + written[place + 1 :],
                written[:place] + written[place + 1 :],
            ]
        ).filter(lambda text: text != written)
    )
    printed = data.draw(form_of(kind)).format(other)
    url, text = (f"https://x.test/{printed}", "") if in_url else (ELSEWHERE, printed)
    assert target(**{kind: written}).match(url, text).via is None, printed
