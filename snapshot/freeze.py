"""`snapshot`: the files of a month, written once and never again.

All of them there: nothing is done. Some of them: nothing is done either, and the command fails,
since nobody can say which are right. None: they are made of the state of the data branch at the
end of the month, and written together. CSV, JSON and Markdown have the same bytes whenever that
is; pictures depend on the browser and the fonts of the machine.
"""

from __future__ import annotations

import contextlib
import tempfile
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from runner import __version__
from runner.clock import clock_from
from runner.errors import PublishError, UsageError
from runner.publishing.branch import DataBranch, open_branch, run_git
from runner.publishing.branch_files import HISTORY, is_snapshot
from runner.publishing.closed import digest
from runner.records.base import Part, encode_document
from runner.settings import read_settings
from runner.storage import write_files
from runner.text import second_ts
from snapshot.as_of import Month, find_state, month_before, parse_month
from snapshot.branch_history import open_history
from snapshot.images import HEIGHT, SCALE, SOCIAL_SIZE, WIDTH, check_picture, take_picture, webp

if TYPE_CHECKING:
    from runner.edge import Edge
    from sitebuilder.results import Results

GENERATOR = "needle-benchmark"
Files = Mapping[str, bytes]


class Origin(Part, frozen=True, kw_only=True):
    """How a frozen `results.json` came to be: its block `snapshot`.

    `source_commit` is the commit of the data branch whose files it was built from, `sha256` the
    hashes of the month's other tables, by their ending.
    """

    month: str
    as_of: str
    source_commit: str
    generator: str = GENERATOR
    generator_version: str = __version__
    sha256: dict[str, str]


def run_snapshot(args: Namespace, edge: Edge) -> int:
    """0 where the month is frozen, or has nothing to freeze; says which."""
    now = clock_from(args.now)()
    month = parse_month(args.month) if args.month else month_before(now)
    if now < month.end:
        raise UsageError(f"{month.key} is not over yet: it is {second_ts(now)}")
    data, site = Path(args.data), Path(args.site) if args.site else None
    settings = read_settings(edge.environ, edge.sleep)
    with open_branch(
        data,
        args.branch,
        remote="origin",
        environ=edge.environ,
        mask=settings.mask,
        belongs=is_snapshot,
    ) as branch:
        files = frozen(data, month)
        if files is not None and not args.push:
            print(f"{month.key} is frozen already; nothing was changed")
            return 0
        if args.push:
            _refuse_unpushed(branch, month)
        if files is None:
            files = make_files(branch, month, site)
        if files is None:
            print(f"{month.key}: no run was published before its end, so there is no snapshot")
            return 0
        if not args.push:
            print(keep_files(data, month, files))
            return 0
        _push(args, edge, branch, month, partial(keep_files, data, month, files))
    return 0


def file_names(month: Month) -> dict[str, str]:
    """The names of a month's files below the data directory, by what they are."""
    results, overall = f"{HISTORY}/needle-results-{month.key}", f"{HISTORY}/needle-overall-"
    return {
        "csv": f"{results}.csv",
        "json": f"{results}.json",
        "md": f"{results}.md",
        "png": f"{overall}{month.key}.png",
        "webp": f"{overall}{month.key}.webp",
        "social": f"{HISTORY}/needle-social-{month.key}.png",
    }


def frozen(data: Path, month: Month) -> Files | None:
    """The month's files, or None where there is none of them; raises PublishError for a part."""
    names = list(file_names(month).values())
    missing = [name for name in names if not (data / name).is_file()]
    if len(missing) == len(names):
        return None
    if missing:
        there = [name for name in names if name not in missing]
        raise PublishError(
            f"{month.key} is frozen in part: {data} has {', '.join(there)} but lacks "
            f"{', '.join(missing)}; nothing was changed; restore what is missing from the history "
            "of the branch, or remove the others to freeze the month anew"
        )
    return {name: (data / name).read_bytes() for name in names}


def keep_files(data: Path, month: Month, files: Files) -> str:
    """Writes the files of a month that is not frozen; says what was done."""
    if frozen(data, month) is not None:
        return f"{month.key} is frozen already; nothing was changed"
    write_files({data / name: content for name, content in files.items()})
    return f"{month.key}: froze {', '.join(files)}"


def make_files(branch: DataBranch, month: Month, site: Path | None) -> Files | None:
    """The files of a month as its end left it, or None where no run of it was published by then.

    The site that they are taken from stays in `site`, where named.
    """
    with open_history(
        branch.data, branch.name, environ=branch.environ, mask=branch.mask
    ) as history:
        state = find_state(history.log, month, lambda commit: history.read(commit, "runs.json"))
        if state is None:
            return None
        data = history.check_out(state.id)
        with _folder(site) as out:
            return _files_of(data, out, month, state.id)


def _files_of(data: Path, out: Path, month: Month, commit: str) -> Files:
    from sitebuilder import build
    from sitebuilder.pictures import png, standings_svg

    built = build(data, out, as_of=month.as_of)
    if built.results.generated_at is None:
        raise PublishError(
            f"{month.key}: commit {commit} holds runs, but no row that can be used; see "
            "`needle verify`; no file was written"
        )
    names = file_names(month)
    picture = take_picture(out, month.as_of)
    tables = {kind: (out / "results" / f"results.{kind}").read_bytes() for kind in ("csv", "md")}
    files = {
        names["csv"]: tables["csv"],
        names["json"]: frozen_json(built.results, month, commit, tables),
        names["md"]: tables["md"],
        names["png"]: picture,
        names["webp"]: webp(picture),
        names["social"]: png(standings_svg(built.results)),
    }
    size = (WIDTH * SCALE, HEIGHT * SCALE)
    for kind, expected in (("png", size), ("webp", size), ("social", SOCIAL_SIZE)):
        check_picture(names[kind], files[names[kind]], expected)
    return files


def frozen_json(results: Results, month: Month, commit: str, tables: Mapping[str, bytes]) -> bytes:
    """`results.json` with the block `snapshot`; `tables` are the month's csv and md."""
    origin = Origin(
        month=month.key,
        as_of=second_ts(month.as_of),
        source_commit=commit,
        sha256={kind: digest(content) for kind, content in tables.items()},
    )
    return encode_document({**msgspec.to_builtins(results), "snapshot": origin})


def _push(
    args: Namespace, edge: Edge, branch: DataBranch, month: Month, make: Callable[[], str]
) -> None:
    import random

    from runner.publishing.push import Change, Tries, push_changes, refuse_loss

    change = Change(f"snapshot: {month.key}", make)
    tries = Tries(args.tries, edge.sleep, random.Random())
    for line in push_changes(
        branch, [change], tries, lambda base: refuse_loss(branch, base, set())
    ):
        print(line)


def _refuse_unpushed(branch: DataBranch, month: Month) -> None:
    """Raises UsageError where a push would drop a month that was frozen here and never pushed."""
    said = run_git(
        branch.data, ("ls-files", "--others", "-z", "--", HISTORY), environ=branch.environ
    )
    own = set(file_names(month).values())
    others = sorted(name for name in said.split("\0") if is_snapshot(name) and name not in own)
    if others:
        raise UsageError(
            f"{branch.data} holds a month that was never pushed ({others[0]}); push it first: "
            "snapshot YYYY-MM --push"
        )


@contextlib.contextmanager
def _folder(named: Path | None) -> Iterator[Path]:
    """The folder for the site: the one that was named, or one that does not last."""
    if named is not None:
        yield named
        return
    with tempfile.TemporaryDirectory(prefix="needle-site-") as temporary:
        yield Path(temporary) / "public"
