"""Which files of a data directory belong to the data branch; every other one stays at home.

The list says what may be committed, so that a lock, a temporary file, a work folder, the archive
or a cache can lie in the same directory and never reach the branch.
"""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path

from runner.records.published import BENCHES

TABLES = (
    "history.jsonl",
    "overlap.jsonl",
    "uniqueness.jsonl",
    "ci_scores.jsonl",
    "needleif.jsonl",
    "slots.jsonl",
)
DOCUMENTS = ("independence.json", "ci.json", "runs.json", "families.json", "claims.json")
GOLD = {"finance": "gold.jsonl", "scholar": "scholar.jsonl", "legal": "legal.jsonl"}
LATEST = tuple(f"latest_{bench}.json" for bench in BENCHES)
TOP = frozenset((*TABLES, *DOCUMENTS, *GOLD.values(), *LATEST))
CLOSED = "closed"
"""The folder of closed weeks and their manifests."""
HISTORY = "history"
"""The folder of monthly snapshots."""
_SUFFIXES = {
    CLOSED: ("*.parquet", "*.json", "*.jsonl"),
    HISTORY: ("*.csv", "*.json", "*.md", "*.png", "*.webp"),
}


def is_published(name: str) -> bool:
    """Whether a publish may commit the file of this name, relative to the data directory."""
    return name in TOP or _is_in(CLOSED, name)


def is_snapshot(name: str) -> bool:
    """Whether a snapshot may commit it."""
    return _is_in(HISTORY, name)


def present(data: Path, belongs: Callable[[str], bool]) -> list[str]:
    """The names of the files in a data directory that belong to a commit, sorted."""
    paths = [data / name for name in TOP]
    for folder in _SUFFIXES:
        paths += (data / folder).rglob("*")
    names = (path.relative_to(data).as_posix() for path in paths if path.is_file())
    return sorted(name for name in names if belongs(name))


def _is_in(folder: str, name: str) -> bool:
    first, *rest = name.split("/")
    if first != folder or not rest or any(part.startswith(".") for part in rest):
        return False
    return any(fnmatchcase(rest[-1], suffix) for suffix in _SUFFIXES[folder])
