"""All ids of each kind that a search result shows, apart for its address and its text."""

from __future__ import annotations

from runner.benches.scholar.ids.arxiv import arxiv_id_of_title, arxiv_ids
from runner.benches.scholar.ids.doi import dois, publisher_dois
from runner.benches.scholar.ids.printed import as_printed
from runner.benches.scholar.ids.pubmed import pmcids, pmids

KINDS = ("arxiv", "doi", "pmid", "pmcid")

Ids = dict[str, list[str]]


def ids_of_url(url: str) -> Ids:
    """The ids in an address, by kind; kinds without any are left out."""
    printed = as_printed(url)
    return _of(printed, publisher_dois(printed), [])


def ids_of_text(text: str) -> Ids:
    """The ids in a title and what follows it, by kind; kinds without any are left out."""
    printed = as_printed(text)
    title_id = arxiv_id_of_title(printed)
    return _of(printed, [], [] if title_id is None else [title_id])


def together(first: Ids, second: Ids) -> Ids:
    """The ids of both, each once, those of the first ahead."""
    return {
        kind: list(dict.fromkeys([*first.get(kind, []), *second.get(kind, [])]))
        for kind in KINDS
        if kind in first or kind in second
    }


def _of(printed: str, more_dois: list[str], more_arxiv: list[str]) -> Ids:
    ids = {
        "arxiv": more_arxiv + arxiv_ids(printed),
        "doi": dois(printed) + more_dois,
        "pmid": pmids(printed),
        "pmcid": pmcids(printed),
    }
    return {kind: list(dict.fromkeys(found)) for kind, found in ids.items() if found}
