"""`archive`: full results into the archive, by a job that may not write the data branch."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from runner.publishing.push import check_any, read_staged
from runner.publishing.stores import open_store
from runner.settings import read_settings

if TYPE_CHECKING:
    from runner.edge import Edge


def run_archive(args: Namespace, edge: Edge) -> int:
    """0 where the archive holds every report; the same reports again change nothing."""
    staged = [read_staged(Path(name)) for name in args.report]
    for each in staged:
        check_any(each.report)
    store = open_store(args.archive, read_settings(edge.environ, edge.sleep))
    for each in staged:
        names = store.store_run(each.report, each.queries)
        print(f"{each.report.bench} {each.report.run_id}: {len(names)} files in {args.archive}")
    return 0
