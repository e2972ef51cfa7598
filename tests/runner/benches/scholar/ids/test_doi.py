"""DOIs: the examples of the specification, and the surroundings in which they are printed."""

from __future__ import annotations

import pytest

from runner.benches.scholar.ids.doi import canonical_doi
from runner.benches.scholar.ids.found import ids_of_text, ids_of_url

D = "10.1000/xyz123"
LANCET = "10.1016/s0140-6736(20)30183-5"
SICI = "10.1000/0099-1234(1971)12<345:aql>2.0.co;2"
WILEY = "10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2"
BIORXIV = "10.1101/2026.01.02.900417"

SPECIFIED = [
    ("doi:10.1016/S0140-6736(20)30183-5.", [LANCET]),
    ("(10.1016/j.cell.2026.01.001)", ["10.1016/j.cell.2026.01.001"]),
    ("https://x.test/10.3389/fnins.2026.1700001/full", ["10.3389/fnins.2026.1700001"]),
    ("biorxiv.org/content/10.1101/2026.01.02.900417v1.full", [BIORXIV]),
    ("https://x.test/?doi=10.1000%2Fxyz123", [D]),
    ("content/pdf/10.1007/s00345-026-01234-5.pdf", ["10.1007/s00345-026-01234-5"]),
    ("plosone/article?id=10.1371/journal.pone.0123456", ["10.1371/journal.pone.0123456"]),
    ("10.1038/s41586-021-03819-22", ["10.1038/s41586-021-03819-22"]),
    ("doi:10.1000/0099-1234(1971)12<345:AQL>2.0.CO;2</a>", [SICI]),
    ("version 10.2 / 5", []),
]

# What stands around a DOI and goes; the DOI itself is the same in all of them.
SURROUNDINGS = [
    "{}",
    "doi:{}",
    "doi: {}",
    "DOI {}",
    "DOI{}",
    "doi={}",
    "info:doi/{}",
    "urn:doi:{}",
    "https://doi.org/{}",
    "http://dx.doi.org/{}",
    "HTTPS://DOI.ORG/{}",
    "https://doi.org/{}/",
    "https://doi.org/{}?locale=en",
    "https://doi.org/{}#abstract",
    "https://x.test/doi/abs/{}",
    "https://x.test/doi/full/{}",
    "https://x.test/doi/{}/abstract",
    "https://x.test/{}/full",
    "https://x.test/{}/full/html",
    "https://x.test/{}/full-text",
    "https://x.test/{}/fulltext",
    "https://x.test/{}/fulltext.html",
    "https://x.test/{}/pdf",
    "https://x.test/{}/pdf/",
    "https://x.test/{}/epdf",
    "https://x.test/{}/pdfdirect",
    "https://x.test/{}/epub",
    "https://x.test/{}/html",
    "https://x.test/{}/meta",
    "https://x.test/{}/citation",
    "https://x.test/{}/citations",
    "https://x.test/{}/references",
    "https://x.test/{}/metrics?a=b",
    "https://x.test/{}.pdf",
    "https://x.test/{}.PDF",
    "https://x.test/{}.full",
    "https://x.test/{}.full.pdf",
    "https://x.test/{}.full.pdf+html",
    "https://x.test/{}.full-text",
    "https://x.test/{}.abstract",
    "https://x.test/{}.html",
    "https://x.test/?a=b&doi={}&type=printable",
    "https://x.test/?a=b&amp;doi={}&amp;type=printable",
    "https://x.test/{};jsessionid=A1B2",
    "{}.",
    "{}..",
    "{},",
    "{};",
    "{}:",
    "{}!",
    "{}?",
    "({})",
    "({}).",
    "[{}]",
    "[doi:{}];",
    "{{{{doi|{}}}}}",
    "<{}>",
    "<https://doi.org/{}>",
    '"{}"',
    "'{}'",
    "“{}”",
    "‘{}’",
    "`{}`",
    "«{}»",
    "**{}**",
    "_{}_",
    "*{}*",
    "|{}|",
    "{}\n",
    "{}\tnext",
    "{}\u00a0next",
    "{}\u200b",
    "{}²",
    "{} …",
    "{}。",
    "编号{}，",
    "doi：{}",
    "{}—next",
    "{}</p>",
    "{}</",
    "{}<br>",
    "{}<br/>next",
    "{}<b>next</b>",
    "{}<!-- note -->",
    "{}&nbsp;next",
    "{}&lt;/a&gt;",
    "{}&quot;",
    "{}&#39;",
    "<b>{}</b>",
    "<jats:p>{}</jats:p>",
    '<a href="https://doi.org/{}">link</a>',
    "<a href='https://doi.org/{}'>link</a>",
    '<meta name="doi" content="{}">',
    '{{"doi":"{}"}}',
    "doi = {{{}}},",
    "\\url{{https://doi.org/{}}}",
    "\\href{{https://doi.org/{}}}{{text}}",
    "[link](https://doi.org/{})",
    "[link](https://doi.org/{}).",
    "{},doi:next",
    "{};PMID:31415926",
    "{},www.x.test",
    "{}https://x.test/",
    "{},https://x.test/",
    "ref.{}",
    "see: {} and",
    "{} (accessed 2026)",
    "https://doi.org/{}Get rights and content",
    "DOI:{}Corpus ID: 12345",
    "{}PMID: 31415926",
    "https://x.test/{}/figures/2",
]

# Forms of one DOI, as sites write them.
FORMS = [
    ("10.1000%2Fxyz123", [D]),
    ("10.1000%2fXYZ123", [D]),
    ("10.1000%252Fxyz123", [D]),
    ("10.1000&#47;xyz123", [D]),
    ("10.1000&#x2F;xyz123", [D]),
    ("10.1000&amp;#47;xyz123", [D]),
    ("10.1000&sol;xyz123", [D]),
    ("10.1000\\/xyz123", [D]),
    ("10.1000/XYZ123", [D]),
    ("10.1000/xy\u00adz123", [D]),
    ("１０．１０００／ｘｙｚ１２３", [D]),
    ("[10.1000/xyz123](https://doi.org/10.1000/xyz123)", [D]),
    ("10.1000/xyz123,10.1000/xyz124", [D, "10.1000/xyz124"]),
    ("10.1000/xyz123;10.1000/xyz124", [D, "10.1000/xyz124"]),
    ("10.1000/xyz123, 10.1000/xyz124 and 10.1000/xyz123", [D, "10.1000/xyz124"]),
    ("10.1016/S0140-6736%2820%2930183-5", [LANCET]),
    ("(10.1016/S0140-6736(20)30183-5)", [LANCET]),
    ("((10.1016/S0140-6736(20)30183-5).)", [LANCET]),
    ("10.1016/S0140‐6736(20)30183–5", [LANCET]),
    ("https://x.test/article/S0140-6736(20)30183-5/fulltext", []),
    ("10.1007/978-3-030-12345-6\\_7", ["10.1007/978-3-030-12345-6_7"]),
    ("10.1007/978-3-030-12345-6_7", ["10.1007/978-3-030-12345-6_7"]),
    ("10.1000/0099-1234(1971)12&lt;345:AQL&gt;2.0.CO;2", [SICI]),
    ("10.1000/0099-1234(1971)12%3C345:AQL%3E2.0.CO;2", [SICI]),
    ("10.1000/0099-1234(1971)12%3C345%3AAQL%3E2.0.CO%3B2", [SICI]),
    ("10.1000/0099-1234(1971)12&lt;345:AQL&gt;2.0.CO;2&lt;/a&gt;", [SICI]),
    ('"https://doi.org/10.1000/0099-1234(1971)12<345:AQL>2.0.CO;2">next', [SICI]),
    ("(10.1000/0099-1234(1971)12<345:AQL>2.0.CO;2).", [SICI]),
    ("10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2", [WILEY]),
    (
        "10.1002/%28SICI%291097-0258%2819980815%2F30%2917%3A15%2F16%3C1661%3A%3AAID-SIM968%3E3.0.CO%3B2-2",
        [WILEY],
    ),
    (
        "10.1890/0012-9658(2006)87[2614:ATRTTS]2.0.CO;2",
        ["10.1890/0012-9658(2006)87[2614:atrtts]2.0.co;2"],
    ),
    ("10.1000/R&D.7", ["10.1000/r&d.7"]),
    ("10.1101/2026.01.02.900417", [BIORXIV]),
    ("10.1101/2026.01.02.900417v2", [BIORXIV]),
    ("https://www.biorxiv.org/content/10.1101/2026.01.02.900417v2", [BIORXIV]),
    ("https://www.biorxiv.org/content/10.1101/2026.01.02.900417v2.full.pdf", [BIORXIV]),
    ("https://www.biorxiv.org/content/10.1101/2026.01.02.900417v1.full.pdf+html", [BIORXIV]),
    ("https://www.biorxiv.org/content/10.1101/2026.01.02.900417v1.full-text", [BIORXIV]),
    (
        "https://www.biorxiv.org/content/10.1101/2026.01.02.900417v1.supplementary-material",
        [BIORXIV],
    ),
    (
        "https://www.medrxiv.org/content/10.1101/2026.01.02.26900417v1",
        ["10.1101/2026.01.02.26900417"],
    ),
    (
        "https://www.medrxiv.org/content/10.64898/2026.01.02.26900417v11",
        ["10.64898/2026.01.02.26900417"],
    ),
    ("https://www.biorxiv.org/content/10.1101/123456v3", ["10.1101/123456"]),
    (
        "https://academic.oup.com/bioinformatics/advance-article/doi/10.1093/bioinformatics/btab123/6149123",
        ["10.1093/bioinformatics/btab123"],
    ),
    ("10.1093/bioinformatics/18.1.1", ["10.1093/bioinformatics/18.1.1"]),
    # The version of these is a part of the DOI.
    ("10.21203/rs.3.rs-1234567/v1", ["10.21203/rs.3.rs-1234567/v1"]),
    ("10.20944/preprints202601.0001.v1", ["10.20944/preprints202601.0001.v1"]),
    ("10.1101/gr.123456.107", ["10.1101/gr.123456.107"]),
    ("10.48550/arXiv.2509.04417v2", ["10.48550/arxiv.2509.04417"]),
    ("https://arxiv.org/abs/2509.04417", []),
    # A part of a paper is not the paper.
    ("10.1371/journal.pone.0123456.g001", ["10.1371/journal.pone.0123456.g001"]),
    # What is no DOI, or none that can be told.
    ("10.1000/", []),
    ("10.1000/.", []),
    ("10.1000/)", []),
    ("10.1000/--", []),
    ("10.1000/ xyz123", []),
    ("10.1000 /xyz123", []),
    ("10.1000", []),
    ("10.100/xyz123", []),
    ("10.1234567890/xyz123", []),
    ("110.1000/xyz123", []),
    ("1.10.1000/xyz123", []),
    ("v10.1000/xyz123", []),
    ("11.1000/xyz123", []),
    ("10,1000/xyz123", []),
    ("10.1000\\xyz123", []),
    ("10.1000/xyz123...", []),
    ("10.1000/xyz123…", []),
    ("https://doi.org/10.1000/x…", []),
    ("https://doi.org/10.1000/…", []),
    ("https://doi.org/abcd", []),
    ("doi", []),
    ("", []),
]

PUBLISHERS = [
    ("https://www.nature.com/articles/s41586-021-03819-2", ["10.1038/s41586-021-03819-2"]),
    ("https://www.nature.com/articles/s41586-021-03819-2.pdf", ["10.1038/s41586-021-03819-2"]),
    (
        "https://nature.com/articles/s41586-021-03819-2_reference.pdf",
        ["10.1038/s41586-021-03819-2"],
    ),
    ("https://www.nature.com/articles/s41586-021-03819-2#Sec3", ["10.1038/s41586-021-03819-2"]),
    ("https://www.nature.com/articles/s41586-021-03819-22", ["10.1038/s41586-021-03819-22"]),
    ("https://elifesciences.org/articles/90001", ["10.7554/elife.90001"]),
    ("https://elifesciences.org/reviewed-preprints/90001", ["10.7554/elife.90001"]),
    (
        "https://www.thelancet.com/journals/lancet/article/PIIS0140-6736(20)30183-5/fulltext",
        [LANCET],
    ),
    ("https://www.thelancet.com/article/PIIS0140-6736%2820%2930183-5/abstract", [LANCET]),
    ("https://www.thelancet.com/article/PIIS0140-6736(20)30183-55", []),
    ("https://www.nature.com/nature/volumes/589", []),
    ("https://notnature.com/articles/s41586-021-03819-2", []),
    ("https://elifesciences.org/articles/abc", []),
]


@pytest.mark.parametrize(("text", "found"), SPECIFIED + FORMS)
def test_the_dois_of_a_text(text: str, found: list[str]) -> None:
    assert ids_of_text(text).get("doi", []) == found


@pytest.mark.parametrize(("url", "found"), SPECIFIED + FORMS + PUBLISHERS)
def test_the_dois_of_an_address(url: str, found: list[str]) -> None:
    assert ids_of_url(url).get("doi", []) == found


@pytest.mark.parametrize("surroundings", SURROUNDINGS)
@pytest.mark.parametrize("doi", [D, LANCET, SICI, WILEY, BIORXIV])
def test_nothing_around_a_doi_becomes_a_part_of_it(surroundings: str, doi: str) -> None:
    assert ids_of_text(surroundings.format(doi))["doi"] == [doi]


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        (D, D),
        ("10.1000/XYZ123", D),
        (" 10.1000/xyz123 ", D),
        ("https://doi.org/10.1000/xyz123", D),
        ("doi:10.1000/xyz123", D),
        ("10.1000%2Fxyz123", D),
        (SICI.upper(), SICI),
        (f"{BIORXIV}v2", BIORXIV),
        ("10.1000/xyz 123", None),
        ("10.1000/xyz123 10.1000/xyz124", None),
        ("10.1000/xyz123,10.1000/xyz124", None),
        ("see 10.1000/xyz123", None),
        ("10.1000/", None),
        ("2509.04417", None),
        ("", None),
    ],
)
def test_a_gold_doi_is_read_whole_or_not_at_all(written: str, canonical: str | None) -> None:
    assert canonical_doi(written) == canonical
