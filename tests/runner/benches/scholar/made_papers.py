"""Papers for the tests of the scholar bench."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from runner.benches.scholar.papers import Paper
from runner.benches.scholar.rows import PaperIds

NOW = datetime(2026, 11, 15, 10, 17, tzinfo=UTC)


def paper(title: str = "Annealed Lattices for Cold Sensors in Orbit", **parts: Any) -> Paper:
    """A paper; `arxiv`, `doi`, `pmid` and `pmcid` are its ids."""
    kinds = ("arxiv", "doi", "pmid", "pmcid")
    ids = {kind: parts.pop(kind) for kind in kinds if kind in parts}
    given = {
        "suite": "arxiv",
        "domain": "computer science",
        "title": title,
        "abstract": "An abstract.",
        "url": "https://arxiv.org/abs/2611.00001",
        "published": NOW,
        "ids": PaperIds(**(ids or {"arxiv": "2611.00001"})),
    }
    return Paper(**(given | parts))
