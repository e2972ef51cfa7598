"""A worktree of the data branch: its files as the remote has them, a commit, a push.

Git is asked by its own program, one process at a time, with no prompt, hook, signature or pager.
Every process inherits the lock of the worktree: where we are killed and git lives on, the next
one waits for it, and then knows that the lock files that git left behind are nobody's.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.errors import PublishError, UsageError
from runner.publishing.branch_files import is_published, present
from runner.storage import exclusive

TIMEOUT_S = 600
_SETTINGS = {
    "advice.detachedHead": "false",
    "commit.gpgSign": "false",
    "core.autocrlf": "false",
    "core.hooksPath": os.devnull,
    "gc.auto": "0",
    "maintenance.auto": "false",
}
_PLACES = frozenset(
    f"GIT_{name}"
    for name in (
        "ALTERNATE_OBJECT_DIRECTORIES",
        "COMMON_DIR",
        "DIR",
        "INDEX_FILE",
        "NAMESPACE",
        "OBJECT_DIRECTORY",
        "PREFIX",
        "SHALLOW_FILE",
        "WORK_TREE",
    )
)
_NO_REF = 2  # the exit code of `ls-remote --exit-code` where no reference matches
_NAME, _EMAIL = "needle", "needle@users.noreply.github.com"
_LOGIN = re.compile(r"(?<=://)[^/@\s]+@")


class GitError(PublishError):
    """Git refused; `code` is its exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class DataBranch:
    """The worktree `data` on the branch `name` of `remote`; made by `open_branch`.

    `belongs` says by its name whether a file may be committed.
    """

    data: Path
    name: str
    remote: str
    environ: Mapping[str, str]
    mask: Callable[[str], str]
    belongs: Callable[[str], bool]
    lock: int

    def fetch(self) -> str:
        """The newest commit of the remote's branch, fetched alone; a new branch gets its root."""
        reference = f"refs/heads/{self.name}"
        try:
            self._git("ls-remote", "--exit-code", self.remote, reference)
        except GitError as error:
            if error.code != _NO_REF:
                raise
            tree = self._git("hash-object", "-t", "tree", "-w", "--stdin").strip()
            return self._git("commit-tree", tree, "-m", "begin the data branch").strip()
        self._git("fetch", "--quiet", "--no-tags", "--depth=1", "--refmap=", self.remote, reference)
        return self._git("rev-parse", "--verify", "FETCH_HEAD^{commit}").strip()

    def reset(self, commit: str) -> None:
        """Makes the branch's files what they are in `commit`; every other file is left alone."""
        self._git("symbolic-ref", "HEAD", f"refs/heads/{self.name}")
        self._git("reset", "--quiet", "--hard", commit)
        self._git("update-ref", f"refs/needle/{self.name}", commit)
        tracked = set(self._tracked())
        for name in present(self.data, self.belongs):
            if name not in tracked:
                (self.data / name).unlink()

    def commit(self, subject: str, body: str = "") -> bool:
        """Commits what changed of the branch's files; False where nothing did."""
        tracked = (name for name in self._tracked() if self.belongs(name))
        names = {*present(self.data, self.belongs), *tracked}
        if names:
            self._git(
                "--literal-pathspecs",
                "add",
                "--all",
                "--force",
                "--pathspec-from-file=-",
                "--pathspec-file-nul",
                stdin="\0".join(sorted(names)),
            )
        if not self._git("diff", "--cached", "--name-only", "-z"):
            return False
        message = f"{subject}\n\n{body}\n" if body else f"{subject}\n"
        self._git("commit", "--quiet", "--no-verify", "--file=-", stdin=message)
        return True

    def push(self) -> None:
        """Offers the branch to the remote; raises GitError where it is not taken."""
        self._git("push", "--quiet", "--no-verify", self.remote, f"HEAD:refs/heads/{self.name}")

    def last_base(self) -> str:
        """The remote's state that the worktree was last set to, or else its own last commit."""
        for name in (f"refs/needle/{self.name}", "HEAD"):
            found = run_git(
                self.data,
                ("rev-parse", "--quiet", "--verify", f"{name}^{{commit}}"),
                environ=self.environ,
                ok=(0, 1),
            )
            if found:
                return found.strip()
        return ""

    def read(self, commit: str, name: str) -> bytes | None:
        """A file as it is in a commit, or None where that has none of this name."""
        if not commit:
            return None
        if not self._git("ls-tree", "--name-only", commit, "--", name):
            return None
        return self._git("cat-file", "blob", f"{commit}:{name}").encode("utf-8", "surrogateescape")

    def _tracked(self) -> list[str]:
        return [name for name in self._git("ls-files", "-z").split("\0") if name]

    def _git(self, *words: str, stdin: str = "") -> str:
        return run_git(
            self.data, words, stdin=stdin, environ=self.environ, mask=self.mask, keep=(self.lock,)
        )


@contextlib.contextmanager
def open_branch(
    data: Path,
    name: str,
    *,
    remote: str,
    environ: Mapping[str, str],
    mask: Callable[[str], str] = str,
    belongs: Callable[[str], bool] = is_published,
) -> Iterator[DataBranch]:
    """The worktree, held alone while the block runs.

    Raises UsageError where `data` is no worktree of this branch.
    """
    ask = f"make one with `git worktree add {data} {name}`, or name another with --data"
    try:
        top, git, common = (
            Path(line)
            for line in run_git(
                data,
                (
                    "rev-parse",
                    "--path-format=absolute",
                    "--show-toplevel",
                    "--git-dir",
                    "--git-common-dir",
                ),
                environ=environ,
                mask=mask,
            ).splitlines()
        )
    except (PublishError, OSError) as error:
        raise UsageError(f"{data} is no worktree of the data branch; {ask}") from error
    if top.resolve() != data.resolve():
        raise UsageError(f"{data} lies within the worktree {top}; {ask}")
    head = run_git(data, ("symbolic-ref", "--quiet", "--short", "HEAD"), environ=environ, ok=(0, 1))
    is_unborn = not run_git(
        data, ("rev-parse", "--quiet", "--verify", "HEAD"), environ=environ, ok=(0, 1)
    )
    if head.strip() != name and not is_unborn:
        raise UsageError(f"{data} is on {head.strip() or 'no branch'}, not on {name}; {ask}")
    with exclusive(git / "needle.lock") as lock:
        for stale in (
            git / "index.lock",
            git / "HEAD.lock",
            common / "shallow.lock",
            common / "refs" / "heads" / f"{name}.lock",
        ):
            stale.unlink(missing_ok=True)
        yield DataBranch(data, name, remote, environ, mask, belongs, lock)


def run_git(
    folder: Path,
    words: Sequence[str],
    *,
    environ: Mapping[str, str],
    stdin: str = "",
    mask: Callable[[str], str] = str,
    keep: Sequence[int] = (),
    ok: Sequence[int] = (0,),
) -> str:
    """What git says on standard output; raises GitError with its last words, logins masked."""
    settings = [word for key, value in _SETTINGS.items() for word in ("-c", f"{key}={value}")]
    # a caller's own repository (we may run in a hook) must not become ours
    env = {key: value for key, value in environ.items() if key not in _PLACES}
    identity = {
        f"GIT_{role}_{field}": environ.get(f"GIT_{role}_{field}", value)
        for role in ("AUTHOR", "COMMITTER")
        for field, value in (("NAME", _NAME), ("EMAIL", _EMAIL))
    }
    env |= {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C", **identity}
    try:
        done = subprocess.run(  # noqa: S603
            ["git", *settings, *words],  # noqa: S607
            cwd=folder,
            env=env,
            input=stdin.encode(),
            capture_output=True,
            timeout=TIMEOUT_S,
            pass_fds=tuple(keep),
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise GitError(f"git {words[0]} gave no answer within {TIMEOUT_S} s", -1) from error
    except FileNotFoundError as error:
        raise GitError(f"git {words[0]}: no git program, or no folder {folder}", -1) from error
    if done.returncode not in ok:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        said = mask(_LOGIN.sub("***@", " / ".join(lines[-4:])))
        raise GitError(
            f"git {words[0]} ended with {done.returncode}: {said[:500]}", done.returncode
        )
    return done.stdout.decode("utf-8", "surrogateescape")
