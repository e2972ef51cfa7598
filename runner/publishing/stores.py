"""Where full results go: a folder of this machine, or a data set on the hub."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Protocol

from runner.errors import NeedleError, UsageError
from runner.publishing.archive import FolderArchive
from runner.publishing.daily_queries import update_folder
from runner.records.needleif import Published
from runner.settings import Settings

HUB = "hub:"


class Store(Protocol):
    """An archive that runs are put into."""

    def store_run(self, report: Published, queries: bytes) -> list[str]:
        """Stores a run and its daily queries; gives the names of its files. Twice is once."""
        ...


class FolderStore:
    """A `FolderArchive` with its `daily_queries.jsonl`."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def store_run(self, report: Published, queries: bytes) -> list[str]:
        names = FolderArchive(self.root).store(report, queries)
        try:
            update_folder(self.root, report, queries)
        except NeedleError as error:  # `needle daily-queries` makes it anew from the runs
            print(f"the run is archived, its daily queries are not: {error}", file=sys.stderr)
        return names


def open_store(name: str, settings: Settings) -> Store:
    """The archive that `--archive` names; raises UsageError for one that cannot be."""
    if not name.startswith(HUB):
        return FolderStore(Path(name))
    from runner.publishing.hub_archive import HubArchive

    token = settings.key("HF_TOKEN")
    if token is None:
        raise UsageError(f"--archive {name} needs HF_TOKEN; set it, or name a folder")
    return HubArchive(name.removeprefix(HUB), token=token, settings=settings)
