"""arXiv ids: the examples of the specification, and the forms in which sites print them."""

from __future__ import annotations

import pytest

from runner.benches.scholar.ids.arxiv import canonical_arxiv
from runner.benches.scholar.ids.found import ids_of_text, ids_of_url

ID = "2509.04417"

# The examples of the specification, accept and reject side by side.
SPECIFIED = [
    ("arxiv.org/pdf/2509.04417v2.pdf", [ID]),
    ("export.arxiv.org/abs/2509.04417v1", [ID]),
    ("arXiv preprint arXiv:2509.04417v3 [cs.LG]", [ID]),
    ("arXiv 2509.04417", [ID]),
    ("arXiv:hep-ph/0203079v2", ["hep-ph/0203079"]),
    ("arxiv.org/abs/math.GT/0309136", ["math/0309136"]),
    ("doi.org/10.48550/arXiv.2509.04417", [ID]),
    ("[2509.04417] Title", [ID]),
    ("huggingface.co/papers/2509.04417", [ID]),
    ("arxiv.org/abs/2509.044176", []),
    ("price 2509.04417", []),
    ("arxiv.org/list/cs.LG/2509", []),
]

ADDRESSES = [
    ("https://arxiv.org/abs/2509.04417", [ID]),
    ("http://arxiv.org/abs/2509.04417", [ID]),
    ("https://www.arxiv.org/abs/2509.04417", [ID]),
    ("https://cn.arxiv.org/abs/2509.04417", [ID]),
    ("HTTPS://ARXIV.ORG/ABS/2509.04417V2", [ID]),
    ("https://arxiv.org/abs/2509.04417?context=cs.LG", [ID]),
    ("https://arxiv.org/abs/2509.04417#section", [ID]),
    ("https://arxiv.org/abs/2509.04417/", [ID]),
    ("https://arxiv.org/abs//2509.04417", [ID]),
    ("https://arxiv.org/pdf/2509.04417", [ID]),
    ("https://arxiv.org/pdf/2509.04417.pdf", [ID]),
    ("https://arxiv.org/html/2509.04417v1#S3.F2", [ID]),
    ("https://arxiv.org/format/2509.04417", [ID]),
    ("https://arxiv.org/src/2509.04417v1", [ID]),
    ("https://arxiv.org/e-print/2509.04417", [ID]),
    ("https://arxiv.org/ps/hep-th/9901001", ["hep-th/9901001"]),
    ("https://arxiv.org/abs/0704.0001", ["0704.0001"]),
    ("https://arxiv.org/abs/cond-mat.mtrl-sci/0309136v1", ["cond-mat/0309136"]),
    ("https://arxiv.org/abs/physics.gen-ph/0309136", ["physics/0309136"]),
    ("https://arxiv.org/pdf/cs/0309136.pdf", ["cs/0309136"]),
    ("https://xxx.lanl.gov/abs/astro-ph/9901001", ["astro-ph/9901001"]),
    ("https://www.alphaxiv.org/abs/2509.04417v2", [ID]),
    ("https://alphaxiv.org/overview/2509.04417", [ID]),
    ("https://ar5iv.labs.arxiv.org/html/2509.04417", [ID]),
    ("https://ar5iv.org/abs/2509.04417", [ID]),
    ("https://ar5iv.org/html/2509.04417v2", [ID]),
    ("https://hf.co/papers/2509.04417", [ID]),
    ("https://huggingface.co/papers/2509.04417#community", [ID]),
    ("https://www.emergentmind.com/papers/2509.04417", [ID]),
    ("https://www.arxiv-vanity.com/papers/2509.04417/", [ID]),
    ("https://www.semanticscholar.org/arxiv/2509.04417", [ID]),
    ("https://api.semanticscholar.org/arXiv:2509.04417", [ID]),
    ("https://inspirehep.net/api/arxiv/2509.04417", [ID]),
    ("https://ui.adsabs.harvard.edu/abs/arXiv:2509.04417", [ID]),
    ("https://ui.adsabs.harvard.edu/abs/2025arXiv250904417S/abstract", [ID]),
    ("https://ui.adsabs.harvard.edu/abs/2010arXiv1001.1234S/abstract", ["1001.1234"]),
    ("https://x.test/r?url=https%3A%2F%2Farxiv.org%2Fabs%2F2509.04417", [ID]),
    ("https://x.test/r?url=https%253A%252F%252Farxiv.org%252Fabs%252F2509.04417", [ID]),
    ("https://scirate.com/arxiv/2509.04417", [ID]),
    ("https://doi.org/10.48550/arXiv.2509.04417v2", [ID]),
    ("https://doi.org/10.48550/ARXIV.2509.04417", [ID]),
    ("https://doi.org/10.48550%2FarXiv.2509.04417", [ID]),
    ("https://doi.org/10.48550/arXiv.hep-ph/0203079", ["hep-ph/0203079"]),
    ("https://notarxiv.org/abs/2509.04417", []),
    ("https://my-arxiv.org/abs/2509.04417", []),
    ("https://arxiv.org.evil.test/abs/2509.04417", []),
    ("https://arxiv.org/abs/2509.044171", []),
    ("https://arxiv.org/abs/2509.044", []),
    ("https://arxiv.org/abs/2513.04417", []),
    ("https://arxiv.org/abs/2500.04417", []),
    ("https://arxiv.org/abs/hep-ph/02030791", []),
    ("https://arxiv.org/abs/hep-ph/020307", []),
    ("https://arxiv.org/abs/nosuch-ph/0203079", []),
    ("https://arxiv.org/list/cs.LG/2509.04417", []),
    ("https://arxiv.org/a/2509.04417", []),
    ("https://arxiv.org/search/?query=2509.04417", []),
    ("https://huggingface.co/datasets/2509.04417", []),
    ("https://nothuggingface.co/papers/2509.04417", []),
    ("https://x.test/papers/2509.04417", []),
    ("https://x.test/2509.04417", []),
    ("https://doi.org/10.48550/arXiv.2509.044176", []),
    ("https://ui.adsabs.harvard.edu/abs/2025arXiv2509044170S", []),
    ("https://ui.adsabs.harvard.edu/abs/12025arXiv250904417S", []),
    ("", []),
]

TEXTS = [
    ("arXiv:2509.04417", [ID]),
    ("ARXIV:2509.04417", [ID]),
    ("arXiv: 2509.04417", [ID]),
    ("arXiv : 2509.04417", [ID]),
    ("arXiv:\u00a02509.04417", [ID]),
    ("arXiv：2509.04417", [ID]),
    ("arXiv-2509.04417", [ID]),
    ("arXiv‑2509.04417", [ID]),
    ("arXiv_2509.04417", [ID]),
    ("arXiv/2509.04417", [ID]),
    ("arXiv.2509.04417", [ID]),
    ("arXiv (2509.04417)", [ID]),
    ("arXiv #2509.04417", [ID]),
    ("arXiv [2509.04417]", [ID]),
    ("arXiv ID: 2509.04417", [ID]),
    ("arXiv id 2509.04417", [ID]),
    ("arXiv identifier 2509.04417", [ID]),
    ("arXiv no. 2509.04417", [ID]),
    ("arXiv preprint 2509.04417", [ID]),
    ("arXiv Preprint No. 2509.04417", [ID]),
    ("arXiv e-print 2509.04417", [ID]),
    ("arXiv e-prints, arXiv:2509.04417", [ID]),
    ("arXiv eprint: 2509.04417", [ID]),
    ("arXiv paper 2509.04417", [ID]),
    ("arXiv.org > cs > arXiv:2509.04417", [ID]),
    ("arXiv.org: 2509.04417", [ID]),
    ("**arXiv:** 2509.04417", [ID]),
    ("<b>arXiv</b>:<b>2509.04417</b>", [ID]),
    ('<span class="label">arXiv:</span> <span class="id">2509.04417</span>', [ID]),
    ("arXiv:[2509.04417](https://arxiv.org/abs/2509.04417)", [ID]),
    ("arXiv:&#50;509.04417", [ID]),
    ("arXiv&colon;2509.04417", [ID]),
    ("arXiv:2509.\u200b04417", [ID]),
    ("arXiv:2509.04417.", [ID]),
    ("arXiv:2509.04417,", [ID]),
    ("(arXiv:2509.04417)", [ID]),
    ("arXiv:2509.04417v12", [ID]),
    ("arXiv:2509.04417V2", [ID]),
    ("arXiv:2509.04417²", [ID]),
    ("arXiv:2509.04417Comments: 12 pages", [ID]),
    ("arXiv:2509.04417...", [ID]),
    ("arXiv:2509.04417…", [ID]),
    ("see https://arxiv.org/abs/2509.04417.", [ID]),
    ('<a href="https://arxiv.org/abs/2509.04417">paper</a>', [ID]),
    ("eprint = {2509.04417}, archivePrefix = {arXiv}", [ID]),
    ('eprint="2509.04417"', [ID]),
    ("arXiv:0704.0001 and arXiv:0704.0002", ["0704.0001", "0704.0002"]),
    ("arXiv:0704.0001 and arXiv:0704.0001v2", ["0704.0001"]),
    ("arXiv:quant-ph/9508027", ["quant-ph/9508027"]),
    ("arXiv:math.GT/0309136v2 [math.GT]", ["math/0309136"]),
    ("arXiv:astro-ph.CO/0703123", ["astro-ph/0703123"]),
    ("arXiv:cmp-lg/9404001", ["cmp-lg/9404001"]),
    ("[2509.04417v2] Title", [ID]),
    ("[hep-ph/0203079] Title", ["hep-ph/0203079"]),
    ("A page that lists [2509.04417] Title", []),
    (" [2509.04417] in the snippet of a page without a title", []),
    ("[2509.044176] Title", []),
    ("2509.04417 Title", []),
    ("arXiv:2509.044176", []),
    ("arXiv:12509.04417", []),
    ("arXiv:2509.044", []),
    ("arXiv:2509-04417", []),
    ("arXiv:2509 04417", []),
    ("arXiv:2509.0441…", []),
    ("arXiv:2509.0441...", []),
    ("arXiv:2519.04417", []),
    ("arXiv 2026", []),
    ("arXiv costs 2509.04417", []),
    ("arXiv and 2509.04417", []),
    ("preprint 2509.04417", []),
    ("bioarxiv:2509.04417", []),
    ("chemarXiv 2509.04417", []),
    ("a hep-ph/0203079 without the word", []),
    ("arXiv:papers/0203079", []),
    ("arXiv:hep-ph/02030799", []),
    ("arXiv listing of 2509.04417 papers", []),
    ("eprint 2509.04417", []),
    ("arXiv:", []),
    ("arXiv", []),
]


@pytest.mark.parametrize(("text", "ids"), SPECIFIED + ADDRESSES + TEXTS)
def test_the_arxiv_ids_of_a_text(text: str, ids: list[str]) -> None:
    assert ids_of_text(text).get("arxiv", []) == ids


@pytest.mark.parametrize(
    ("url", "ids"), [row for row in SPECIFIED if not row[0].startswith("[")] + ADDRESSES
)
def test_the_arxiv_ids_of_an_address(url: str, ids: list[str]) -> None:
    assert ids_of_url(url).get("arxiv", []) == ids


def test_an_address_has_no_title_in_brackets() -> None:
    assert ids_of_url("[2509.04417] Title") == {}


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        (ID, ID),
        (f"{ID}v3", ID),
        (f"arXiv:{ID}", ID),
        (f" {ID} ", ID),
        ("math.GT/0309136", "math/0309136"),
        ("2509.044176", None),
        ("2509.04417 and more", None),
        ("10.48550/arXiv.2509.04417", None),
        ("2513.04417", None),
        ("", None),
    ],
)
def test_a_gold_id_is_read_whole_or_not_at_all(written: str, canonical: str | None) -> None:
    assert canonical_arxiv(written) == canonical
