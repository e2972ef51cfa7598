"""Files of the Hugging Face hub: what a repository holds at a commit, and each file once.

What came is kept in a cache folder, so that a run can go on when the hub does not answer. The
token (HF_TOKEN) is optional for public data and goes to the hub alone, not to the hosts that it
redirects to.

Source of the form: the revision and resolve end points of the hub's HTTP API.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import quote

import msgspec

from runner.benches.fetching import Fetcher, SourceError
from runner.errors import PublishError, UsageError
from runner.http import RetryPolicy
from runner.paths import ROOT
from runner.settings import Settings
from runner.storage import write_file

HUB = "https://huggingface.co"
CACHE = ROOT / "data" / "cache"
MAIN = "main"
MAX_BYTES = 500_000_000  # of a whole stream; it passes through memory once
TIMEOUT_S = 300.0
_COMMIT = re.compile(r"[0-9a-f]{40}")
_REVISION = re.compile(r"[\w-][\w.-]*(?:/[\w-][\w.-]*)*", re.ASCII)
_REPO = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*", re.ASCII)
_PATH = re.compile(r"[\w-][\w. -]*(?:/[\w-][\w. -]*)*", re.ASCII)

Kind = Literal["datasets", "models"]
T = TypeVar("T")


@dataclass(frozen=True)
class HubFile:
    """A file of a repository on the hub; raises UsageError for a name that can be none."""

    kind: Kind
    repo: str
    path: str
    revision: str = MAIN

    def __post_init__(self) -> None:
        _check_repository(self.repo)
        if not _PATH.fullmatch(self.path):
            raise UsageError(f"{self.path!r} is no file of a repository; write it like a/b.parquet")

    @property
    def url(self) -> str:
        folder = "datasets/" if self.kind == "datasets" else ""
        revision = quote(self.revision, safe="")
        return f"{HUB}/{folder}{self.repo}/resolve/{revision}/{quote(self.path)}"

    def kept_in(self, cache: Path) -> Path:
        """Where the copy of the last time is."""
        folder = cache / "hub" / self.kind / self.repo
        return (folder if self.revision == MAIN else folder / f"@{self.revision}") / self.path


@dataclass(frozen=True)
class Loaded(Generic[T]):
    """What was read; `failure` says why it is the copy of an earlier time, None for a new one."""

    value: T
    failure: str | None = None


@dataclass(frozen=True)
class Snapshot:
    """A repository at one commit and the files that it holds there."""

    kind: Kind
    repo: str
    commit: str
    files: tuple[str, ...]

    @property
    def name(self) -> str:
        """How it is named where it is recorded."""
        return f"{self.repo}@{self.commit}"

    def file(self, path: str) -> HubFile:
        """One of the files, at this commit."""
        return HubFile(self.kind, self.repo, path, self.commit)


def is_commit(revision: str) -> bool:
    """Whether a revision is a full commit, which always holds the same files."""
    return _COMMIT.fullmatch(revision) is not None


async def snapshot(
    kind: Kind, repo: str, revision: str, *, settings: Settings, cache: Path
) -> Snapshot:
    """The repository at the commit that a revision (branch, tag, commit) means today.

    A full commit that is in the cache is not asked for. Raises SourceError where the hub does not
    tell, UsageError for a name that can be none.
    """
    _check_repository(repo)
    if not _REVISION.fullmatch(revision):
        raise UsageError(f"{revision!r} is no revision; write a branch, a tag or a full commit")
    if is_commit(revision):
        with contextlib.suppress(OSError, ValueError, RecursionError):
            return _read_snapshot(kind, repo, _listing(cache, kind, repo, revision).read_bytes())
    fetcher = _fetcher(settings)
    try:
        url = f"{HUB}/api/{kind}/{repo}/revision/{quote(revision, safe='')}"
        body = await fetcher.get_bytes(url)
    finally:
        await fetcher.aclose()
    try:
        found = _read_snapshot(kind, repo, body)
    except (ValueError, RecursionError) as error:
        raise SourceError("malformed", f"{repo}@{revision}: {error}") from error
    with contextlib.suppress(PublishError):
        write_file(_listing(cache, kind, repo, found.commit), body)
    return found


def _listing(cache: Path, kind: Kind, repo: str, commit: str) -> Path:
    return cache / "hub" / kind / repo / f"@{commit}.json"


def _read_snapshot(kind: Kind, repo: str, body: bytes) -> Snapshot:
    """The snapshot of an answer; raises ValueError where it is none."""
    answer: Any = msgspec.json.decode(body)
    try:
        commit = answer["sha"]
        files = tuple(sorted(str(entry["rfilename"]) for entry in answer["siblings"]))
    except (TypeError, KeyError, IndexError) as error:
        raise ValueError("the hub names no commit and its files") from error
    if not isinstance(commit, str) or not is_commit(commit):
        raise ValueError(f"the hub names no commit, but {commit!r:.60}")
    return Snapshot(kind, repo, commit, files)


def _check_repository(repo: str) -> None:
    if not _REPO.fullmatch(repo):
        raise UsageError(f"{repo!r} is no repository; write it like owner/name")


async def load(
    file: HubFile, read: Callable[[bytes], T], *, settings: Settings, cache: Path
) -> Loaded[T]:
    """What `read` makes of the file, from the hub or else from the copy in `cache`.

    `read` raises ValueError for a body that is not the file; such a body replaces no copy.
    Raises SourceError where the hub does not give the file and no copy can be read.
    """
    kept = file.kept_in(cache)
    try:
        body = await _fetch(file, settings)
        value = _checked(file, read, body)
    except SourceError as error:
        with contextlib.suppress(OSError, ValueError):
            return Loaded(read(kept.read_bytes()), error.message)
        raise
    with contextlib.suppress(PublishError):  # a convenience: a full disk must not stop a run
        write_file(kept, body)
    return Loaded(value)


async def load_once(
    file: HubFile, read: Callable[[bytes], T], *, settings: Settings, cache: Path
) -> T:
    """As `load`, for a file that never changes: the hub is asked only where there is no copy."""
    with contextlib.suppress(OSError, ValueError):
        return read(file.kept_in(cache).read_bytes())
    return (await load(file, read, settings=settings, cache=cache)).value


def _checked(file: HubFile, read: Callable[[bytes], T], body: bytes) -> T:
    try:
        return read(body)
    except ValueError as error:
        raise SourceError("malformed", f"{file.repo}/{file.path}: {error}") from error


async def _fetch(file: HubFile, settings: Settings) -> bytes:
    fetcher = _fetcher(settings)
    try:
        return await fetcher.get_bytes(file.url)
    finally:
        await fetcher.aclose()


def _fetcher(settings: Settings) -> Fetcher:
    token = settings.key("HF_TOKEN")
    return Fetcher(
        settings,
        max_body_bytes=MAX_BYTES,
        timeout_s=TIMEOUT_S,
        accept="*/*",
        headers={"Authorization": f"Bearer {token}"} if token else None,
        retry=RetryPolicy(transport=2, server=2, rate_limited=4),
    )
