"""How the scholar bench scores: the ids of a result against those of the paper.

A result is a hit when it shows any id of the paper, in its address or in its title and snippet.
Gold holds a paper's PMCID beside its PMID and DOI, so a page of PubMed Central is known by what
was collected with the query. A run asks no id converter, and no converter can fail or change its
score; that is why there is no flag for one.
"""

from __future__ import annotations

from runner.benches.bench import Found, Target
from runner.benches.scholar.ids.arxiv import arxiv_id_of_doi
from runner.benches.scholar.ids.found import KINDS, Ids, ids_of_text, ids_of_url, together
from runner.benches.scholar.rows import PaperIds, decode_gold
from runner.records.queries import QueryRow

_LABELS = {"arxiv": "arXiv {}", "doi": "DOI {}", "pmid": "PMID {}", "pmcid": "{}"}


def suite_of(row: QueryRow) -> str:
    """The part of the generation that a row is from."""
    return str(row.query_origin.provenance.get("suite", ""))


def unit_of(row: QueryRow) -> str:
    """What a sample takes whole or not at all: the paper, so that its buckets stay paired."""
    return str((row.gold or {}).get("paper_key") or row.query_id)


def stratum(row: QueryRow) -> str:
    """Domain and age, the cells over which the papers are balanced."""
    gold = row.gold or {}
    return f"{gold.get('domain', '')}:{gold.get('age_bucket', '')}"


def scholar_target(row: QueryRow) -> Target:
    """What a row asks for; raises msgspec.ValidationError for gold that cannot be matched."""
    gold = decode_gold(row.gold)
    wanted = _wanted(gold.ids)

    def match(url: str, text: str) -> Found:
        of_url, of_text = ids_of_url(url), ids_of_text(text)
        return Found(_via(wanted, of_url, of_text), together(of_url, of_text))

    return Target(
        item=gold.paper_key,
        gold=", ".join(_LABELS[kind].format(value) for kind, value in gold.ids.named().items()),
        groups={
            "bucket": row.query_origin.bucket,
            "suite": suite_of(row),
            "age": gold.age_bucket,
            "domain": gold.domain,
        },
        match=match,
    )


def _wanted(ids: PaperIds) -> dict[str, str]:
    """The ids to look for; a paper that is known by its arXiv DOI alone has an arXiv id too."""
    wanted = ids.named()
    if ids.doi is not None and ids.arxiv is None:
        of_doi = arxiv_id_of_doi(ids.doi)
        return wanted if of_doi is None else {**wanted, "arxiv": of_doi}
    return wanted


def _via(wanted: dict[str, str], of_url: Ids, of_text: Ids) -> str | None:
    """How the paper is recognised: `url:` where the address is the paper's, `text:` where the
    page names it, maybe only to cite it."""
    for where, ids in (("url", of_url), ("text", of_text)):
        for kind in KINDS:
            if kind in wanted and wanted[kind] in ids.get(kind, ()):
                return f"{where}:{kind}"
    return None
