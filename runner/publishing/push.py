"""Changes of the data branch, pushed; where another push came first they are made again.

Fetch the branch's newest commit, set the worktree to it, make the change, commit, push. A rejected
push starts all over from the state that won: files of rows are never merged. Since a change is a
pure function of that state, and makes nothing of what is in it already, a push may be killed at
any moment and run again.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from runner.benches.reporting import families_of
from runner.clock import clock_from
from runner.errors import DataError, NeedleError, PublishError, UsageError
from runner.publishing.archive import archived_files
from runner.publishing.branch import DataBranch, GitError, open_branch
from runner.publishing.branch_files import GOLD
from runner.publishing.checks import check_report
from runner.publishing.ledger import ledger_files, read_ledger, settle
from runner.publishing.needleif import check_needleif, publish_needleif
from runner.publishing.publish import Publication, publish
from runner.records.needleif import NeedleifReport, Published, decode_published
from runner.records.published import RunEntry
from runner.settings import Sleep, read_settings
from runner.storage import write_files

if TYPE_CHECKING:
    from runner.edge import Edge

FIRST_PAUSE_S = 0.5
MAX_PAUSE_S = 30.0
KEPT = "unpublished"


@dataclass(frozen=True)
class Change:
    """One commit: its message, and what is done to the files; `make` says what it did."""

    subject: str
    make: Callable[[], str]
    body: str = ""


@dataclass(frozen=True)
class Tries:
    """At most `most` pushes; between two of them a random pause that grows."""

    most: int
    sleep: Sleep
    rng: random.Random

    def pause(self, tried: int) -> None:
        longest = min(FIRST_PAUSE_S * 2**tried, MAX_PAUSE_S)
        asyncio.run(_wait(self.sleep, self.rng.uniform(0, longest)))


@dataclass(frozen=True)
class Staged:
    """A report to publish, with the query file that lay beside it."""

    report: Published
    report_bytes: bytes
    queries: bytes


def push_changes(
    branch: DataBranch,
    changes: Sequence[Change],
    tries: Tries,
    check: Callable[[str], None] = lambda base: None,
) -> list[str]:
    """What the changes did on the state that the remote took, a commit for each that did anything.

    `check` may refuse the newest commit before the worktree is set to it. Raises PublishError
    where every try failed; the remote is then as others left it.
    """
    problem = ""
    for tried in range(tries.most):
        if tried:
            tries.pause(tried)
        try:
            base = branch.fetch()
            check(base)
            branch.reset(base)
            said, has_news = [], False
            for change in changes:
                said.append(change.make())
                has_news |= branch.commit(change.subject, change.body)
            if has_news:
                branch.push()
            return said
        except GitError as error:
            problem = str(error)
            print(f"try {tried + 1} of {tries.most}: {problem}", file=sys.stderr)
    raise PublishError(f"the branch {branch.name} took no push in {tries.most} tries ({problem})")


def apply_report(staged: Staged, data: Path, now: datetime, artifacts: Sequence[str] = ()) -> str:
    """Publishes a report with its gold file and its slot; says what the data directory now holds.

    Pure but for the files: the same report on the same files gives the same files.
    """
    report = staged.report
    published = publish_any(report, data, now=now, artifacts=artifacts)
    files = ledger_files(settle(read_ledger(data), report.bench, report.ts))
    gold = GOLD.get(report.bench)
    if gold is not None and staged.queries and _is_newest(staged, data):
        files[gold] = staged.queries
    changed = {
        data / name: content
        for name, content in files.items()
        if content != ((data / name).read_bytes() if (data / name).exists() else None)
    }
    write_files(changed)
    if not published.changed and not changed:
        return f"{report.bench} {report.ts} was there already"
    return f"{report.bench} {report.ts}: {published.asked}"


def publish_any(
    report: Published, data: Path, *, now: datetime, artifacts: Sequence[str] = ()
) -> Publication:
    """Publishes a report of whatever bench."""
    if isinstance(report, NeedleifReport):
        return publish_needleif(report, data, now=now, artifacts=artifacts)
    return publish(report, data, now=now, families=families_of(report), artifacts=artifacts)


def check_any(report: Published) -> None:
    """Raises PublishError for what would make wrong or unreadable rows."""
    if isinstance(report, NeedleifReport):
        check_needleif(report)
    else:
        check_report(report)


def run_push(args: Namespace, edge: Edge) -> int:
    """`push`: 0 where the branch holds every report, and the archive too where one is named.

    A report that cannot be published holds up no other one.
    """
    data = Path(args.data)
    staged, unusable = _sorted_out(args.report)
    keep = Path(args.keep) if args.keep else data / KEPT
    clock = clock_from(args.now)
    with pushing(args, edge) as (branch, tries):
        artifacts, unarchived = _archive(args, staged, edge)
        changes = [
            Change(
                f"bench: {each.report.ts}",
                partial(apply_report, each, data, clock(), names),
                each.report.bench,
            )
            for each, names in zip(staged, artifacts, strict=True)
        ]
        wanted = {(each.report.run_id, each.report.bench) for each in staged}

        def check(base: str) -> None:
            refuse_loss(branch, base, wanted)

        try:
            said = push_changes(branch, changes, tries, check)
        except (PublishError, DataError) as error:
            _leave(staged, keep)
            raise PublishError(
                f"{error}; nothing was published and the reports are kept; try again: "
                f"{_way_out(args, keep)}"
            ) from error
    for line in said:
        print(line)
    if unarchived:
        _leave(unarchived, keep)
        print(f"needle: published, but not archived: {_way_out(args, keep)}", file=sys.stderr)
    if unusable:
        print(f"needle: {unusable} reports could not be published", file=sys.stderr)
    return 1 if unarchived or unusable else 0


@contextlib.contextmanager
def pushing(args: Namespace, edge: Edge) -> Iterator[tuple[DataBranch, Tries]]:
    """The branch and the tries of a command with `--data`, `--branch` and `--tries`."""
    settings = read_settings(edge.environ, edge.sleep)
    tries = Tries(args.tries, edge.sleep, random.Random())
    with open_branch(
        Path(args.data), args.branch, remote="origin", environ=edge.environ, mask=settings.mask
    ) as branch:
        yield branch, tries


def _sorted_out(names: Sequence[str]) -> tuple[list[Staged], int]:
    """The reports that can be published, and how many cannot; raises where none can."""
    staged: list[Staged] = []
    problem: NeedleError | None = None
    for name in names:
        try:
            each = read_staged(Path(name))
            check_any(each.report)
            staged.append(each)
        except (DataError, PublishError) as error:
            problem = error
            if len(names) > 1:
                print(f"left out {name}: {error}", file=sys.stderr)
    if problem is not None and not staged:
        raise problem
    return staged, len(names) - len(staged)


def read_staged(path: Path) -> Staged:
    """A report and the `queries.jsonl` beside it; raises DataError."""
    queries = path.with_name("queries.jsonl")
    try:
        content = path.read_bytes()
        return Staged(
            decode_published(content), content, queries.read_bytes() if queries.exists() else b""
        )
    except OSError as error:
        raise DataError(error.filename, f"cannot be read ({error.strerror})") from error
    except msgspec.MsgspecError as error:
        raise DataError(path, f"not a report that this version can read: {error}") from error


def _archive(
    args: Namespace, staged: Sequence[Staged], edge: Edge
) -> tuple[list[list[str]], list[Staged]]:
    """For each report the names of its files in the archive, and the reports that it refused."""
    artifacts: list[list[str]] = [[] for _ in staged]
    refused: list[Staged] = []
    if args.archived:
        return [list(archived_files(each.report, each.queries)) for each in staged], refused
    if args.archive is None:
        return artifacts, refused
    from runner.publishing.stores import open_store

    store = open_store(args.archive, read_settings(edge.environ, edge.sleep))
    for place, each in enumerate(staged):
        try:
            artifacts[place] = store.store_run(each.report, each.queries)
        except UsageError:
            raise
        except NeedleError as error:
            print(f"not archived: {error}", file=sys.stderr)
            refused.append(each)
    return artifacts, refused


def refuse_loss(branch: DataBranch, base: str, wanted: set[tuple[str, str]]) -> None:
    """Raises UsageError where setting the worktree to `base` would drop a run of somebody else."""
    path = branch.data / "runs.json"
    here = _runs(path, path.read_bytes() if path.exists() else None)
    known = [_runs(path, branch.read(at, path.name)) for at in (base, branch.last_base())]
    lost = sorted(here.difference(wanted, *known))
    if lost:
        names = ", ".join(f"{bench} {run}" for run, bench in lost[:5])
        raise UsageError(
            f"{branch.data} holds runs that were never pushed and are not among the reports "
            f"({names}); name their reports with --report too, or drop them there with "
            "`git checkout -- .`"
        )


def _runs(path: Path, content: bytes | None) -> set[tuple[str, str]]:
    if content is None:
        return set()
    try:
        entries = msgspec.json.decode(content, type=list[RunEntry])
    except msgspec.MsgspecError as error:
        raise DataError(path, f"{error}; set the worktree back with git") from error
    return {(entry.id, bench) for entry in entries for bench in entry.published_at}


def _is_newest(staged: Staged, data: Path) -> bool:
    latest = msgspec.json.decode((data / f"latest_{staged.report.bench}.json").read_bytes())
    return bool(latest["ts"] == staged.report.ts)


def _leave(staged: Sequence[Staged], keep: Path) -> None:
    files = {}
    for each in staged:
        folder = keep / f"{each.report.run_id}-{each.report.bench}"
        files[folder / "report.json"] = each.report_bytes
        if each.queries:
            files[folder / "queries.jsonl"] = each.queries
    write_files(files)


def _way_out(args: Namespace, keep: Path) -> str:
    archive = f" --archive {args.archive}" if args.archive else ""
    return f"needle push --report {keep}/*/report.json --data {args.data}{archive}"


async def _wait(sleep: Sleep, seconds: float) -> None:
    await sleep(seconds)
