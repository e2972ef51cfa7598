"""arXiv ids in text and addresses, without their version.

Since April 2007 an id is `YYMM.NNNN`, since January 2015 `YYMM.NNNNN`; before, it was
`archive/YYMMNNN`, often with a subject that is no part of it (`math.GT/0309136`). Source:
https://info.arxiv.org/help/arxiv_identifier.html. A number of that form is an id only where arXiv
is named with it: after the word, in an address of arXiv or of a site that shows its papers under
their ids, in an arXiv DOI, and in brackets at the beginning of a title.
"""

from __future__ import annotations

import re

from runner.benches.scholar.ids.printed import named

_MONTH = r"(?:0[1-9]|1[0-2])"
# A four-digit number before an ellipsis may be the beginning of a five-digit one.
_NEW = rf"[0-9]{{2}}{_MONTH}\.(?:[0-9]{{5}}|[0-9]{{4}}(?!\.\.\.|…))"
_ARCHIVES = (
    "acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas"
    "|cond-mat|cs|dg-ga|funct-an|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math|math-ph|mtrl-th|nlin"
    "|nucl-ex|nucl-th|patt-sol|physics|plasm-ph|q-alg|q-bio|q-fin|quant-ph|solv-int|stat"
    "|supr-con"
)
_SUBJECT = r"\.[a-z]{2,6}(?:-[a-z]{2,4})?"
_OLD = rf"(?P<archive>{_ARCHIVES})(?:{_SUBJECT})?/(?P<number>[0-9]{{2}}{_MONTH}[0-9]{{3}})"
_ID = rf"(?:(?P<new>{_NEW})|{_OLD})(?![0-9])"

# `arXiv:`, `arXiv preprint `, `arXiv e-print no. `, `arXiv (`, `**arXiv:** [`, `arXiv/`, and the
# `10.48550/arXiv.` of the DOIs that arXiv gives.
_LABEL = (
    r"(?:\.org)?(?:[\s:,(]{0,3}(?:e-?prints?|preprints?|papers?|identifier|id|number|no|ref)\b\.?)"
    r"{0,2}[-\s:.,#=/_(\[{\"'*`>]{1,6}"
)
_PAGES = r"/(?:abs|pdf|html|format|src|e-print|ps)/{1,2}"
# The word, the host of arXiv, and the other sites that show its papers under their ids.
_NAMED = {
    name: named(name, rest + _ID, not_after=before)
    for name, before, rest in (
        ("arxiv.org", "a-z0-9-", _PAGES),
        ("arxiv", "a-z", _LABEL),
        ("xxx.lanl.gov", "a-z0-9-", _PAGES),
        ("alphaxiv.org", "a-z0-9-", r"/(?:abs|pdf|html|overview|resources)/{1,2}"),
        ("ar5iv", "a-z0-9-", r"\.(?:org|labs\.arxiv\.org)(?:/(?:abs|pdf|html))?/{1,2}"),
        ("huggingface.co/papers", "a-z0-9-", "/{1,2}"),
        ("hf.co/papers", "a-z0-9-", "/{1,2}"),
        ("emergentmind.com/papers", "a-z0-9-", "/{1,2}"),
        ("arxiv-vanity.com/papers", "a-z0-9-", "/{1,2}"),
        # `eprint = {2509.04417}` of BibTeX, where arXiv is named on another line.
        ("eprint", "a-z", r"\s{0,4}=\s{0,4}[{\"]\s{0,4}"),
    )
}
# `2025arXiv250904417S`, the bibcode of the Astrophysics Data System.
_BIBCODE = re.compile(
    rf"arxiv(?<=(?<![0-9])[0-9]{{4}}arxiv)([0-9]{{2}}{_MONTH})\.?([0-9]{{4,5}})[a-z.](?![a-z0-9])"
)
_OF_TITLE = re.compile(rf"\[{_ID}(?:v[0-9]{{1,3}})?\]")
_WHOLE = re.compile(rf"(?:arxiv:)?{_ID}(?:v[0-9]{{1,3}})?")
_DOI = re.compile(rf"10\.48550/arxiv\.{_ID}(?:v[0-9]{{1,3}})?")


def arxiv_ids(printed: str) -> list[str]:
    """The ids in a text as printed (`as_printed`), form by form, with repetitions."""
    found = [
        _of(match)
        for name, pattern in _NAMED.items()
        if name in printed
        for match in pattern.finditer(printed)
    ]
    return found + [f"{match[1]}.{match[2]}" for match in _BIBCODE.finditer(printed)]


def arxiv_id_of_title(printed: str) -> str | None:
    """The id in brackets with which arXiv's own titles begin, else None."""
    return _of(match) if (match := _OF_TITLE.match(printed)) else None


def arxiv_id_of_doi(doi: str) -> str | None:
    """The id in a DOI that arXiv gave, else None."""
    return _of(match) if (match := _DOI.fullmatch(doi)) else None


def canonical_arxiv(written: str) -> str | None:
    """A gold id as the readers give it, None where it is none."""
    return _of(match) if (match := _WHOLE.fullmatch(written.strip().lower())) else None


def _of(match: re.Match[str]) -> str:
    return match["new"] or f"{match['archive']}/{match['number']}"
