"""The history of a data branch in a repository of its own, files fetched only when they are read.

A worktree often has the newest commit only, or is behind. So the history comes from its remote
`origin` (from the worktree's own repository where it has none), without the contents of files:
git fetches those of the one state that is looked at.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from runner.publishing.branch import GitError, run_git
from snapshot.as_of import Commit

_NO_REF = 2  # the exit code of `ls-remote --exit-code` where no reference matches
_NO_REMOTE = (2, 128)  # that of `remote get-url`, by version


@dataclass(frozen=True)
class History:
    """`log` has the commits oldest first; it is empty where the remote has no such branch."""

    folder: Path
    log: list[Commit]
    environ: Mapping[str, str]
    mask: Callable[[str], str]

    def read(self, commit: str, name: str) -> bytes | None:
        """A file as it is in a commit, or None where that has none of this name."""
        if not self._git("ls-tree", "--name-only", commit, "--", name):
            return None
        return self._git("cat-file", "blob", f"{commit}:{name}").encode("utf-8", "surrogateescape")

    def check_out(self, commit: str) -> Path:
        """The folder, which then holds the files of a commit."""
        self._git("checkout", "--quiet", "--detach", "--force", commit)
        return self.folder

    def _git(self, *words: str) -> str:
        return run_git(self.folder, words, environ=self.environ, mask=self.mask)


@contextlib.contextmanager
def open_history(
    data: Path, branch: str, *, environ: Mapping[str, str], mask: Callable[[str], str]
) -> Iterator[History]:
    """The history of a worktree's branch while the block runs; raises GitError."""

    def git(*words: str) -> str:
        return run_git(data, words, environ=environ, mask=mask)

    with tempfile.TemporaryDirectory(prefix="needle-snapshot-") as temporary:
        folder = Path(temporary) / "branch"
        remote = run_git(
            data, ("remote", "get-url", "origin"), environ=environ, mask=mask, ok=(0, *_NO_REMOTE)
        ).strip()
        source = remote or str(data.resolve())
        try:
            git("ls-remote", "--exit-code", source, f"refs/heads/{branch}")
        except GitError as error:
            if error.code != _NO_REF:
                raise
            yield History(folder, [], environ, mask)
            return
        git(
            "clone",
            "--quiet",
            "--no-checkout",
            "--no-tags",
            "--single-branch",
            f"--branch={branch}",
            "--filter=blob:none",
            source,
            str(folder),
        )
        log = run_git(
            folder,
            ("log", "--first-parent", "--reverse", "--format=%H %s", "HEAD"),
            environ=environ,
            mask=mask,
        )
        commits = [Commit(*line.split(" ", 1)) for line in log.splitlines()]
        yield History(folder, commits, environ, mask)
