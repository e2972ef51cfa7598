"""A paper as the sources list it, before it is known whether it can be asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from runner.benches.scholar.rows import Domain, PaperIds, Suite

MAX_TITLE_CHARS, MAX_ABSTRACT_CHARS, MAX_AUTHORS_CHARS = 500, 6_000, 4_000

_NOTICE = re.compile(
    r"\s*(?:withdrawn|retracted|retraction|correction|corrigendum|erratum|author correction)\b",
    re.IGNORECASE,
)
_WITHDRAWN = re.compile(
    r"\b(?:paper|article|submission|manuscript|preprint)\b[^.]{0,40}"
    r"\b(?:is|was|has been) withdrawn\b|\bwithdrawn by (?:the )?(?:arxiv|authors?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Paper:
    """One paper. `published` is the moment of its first version, or midnight of that day (UTC).

    `authors` is one line of names, `note` the authors' comment, "" where the source gives none.
    """

    suite: Suite
    domain: Domain
    title: str
    abstract: str
    url: str
    published: datetime
    ids: PaperIds
    authors: str = ""
    note: str = ""

    @property
    def key(self) -> str:
        """The arXiv id, else the DOI, else the PubMed id, else the address."""
        return self.ids.arxiv or self.ids.doi or self.ids.pmid or self.url


def is_notice(paper: Paper) -> bool:
    """Whether there is no paper to find: withdrawn, or a notice about another paper."""
    if _NOTICE.match(paper.title) or "withdrawn" in paper.note.lower():
        return True
    return _WITHDRAWN.search(paper.abstract) is not None
