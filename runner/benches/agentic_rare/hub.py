"""Files of the Hugging Face hub: the artifact, the stream that it is made of, the vocabulary.

What came is kept in a cache folder, so that a run can go on when the hub does not answer. The
token (HF_TOKEN) is optional for public data and goes to the hub alone, not to the hosts that it
redirects to.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Literal, TypeVar
from urllib.parse import quote

from runner.benches.fetching import Fetcher, SourceError
from runner.errors import PublishError, UsageError
from runner.http import RetryPolicy
from runner.paths import ROOT
from runner.settings import Settings
from runner.storage import write_file

HUB = "https://huggingface.co"
DEFAULT_DATASET = "keenable-ai/needle-results"  # HF_DATASET names another
CACHE = ROOT / "data" / "cache"
MAX_BYTES = 500_000_000  # of a whole stream; it passes through memory once
TIMEOUT_S = 300.0
_REPO = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*", re.ASCII)
_PATH = re.compile(r"[\w-][\w. -]*(?:/[\w-][\w. -]*)*", re.ASCII)

T = TypeVar("T")


@dataclass(frozen=True)
class HubFile:
    """A file of a repository on the hub; raises UsageError for a name that can be none."""

    kind: Literal["datasets", "models"]
    repo: str
    path: str

    def __post_init__(self) -> None:
        if not _REPO.fullmatch(self.repo):
            raise UsageError(f"{self.repo!r} is no repository; write it like {DEFAULT_DATASET}")
        if not _PATH.fullmatch(self.path):
            raise UsageError(f"{self.path!r} is no file of a repository; write it like a/b.parquet")

    @property
    def url(self) -> str:
        folder = "datasets/" if self.kind == "datasets" else ""
        return f"{HUB}/{folder}{self.repo}/resolve/main/{quote(self.path)}"

    def kept_in(self, cache: Path) -> Path:
        """Where the copy of the last time is."""
        return cache / "hub" / self.kind / self.repo / self.path


@dataclass(frozen=True)
class Loaded(Generic[T]):
    """What was read; `failure` says why it is the copy of an earlier time, None for a new one."""

    value: T
    failure: str | None = None


def dataset_name(given: str | None, settings: Settings) -> str:
    """The dataset of a flag, else of HF_DATASET, else Needle's own."""
    return given or settings.key("HF_DATASET") or DEFAULT_DATASET


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
    token = settings.key("HF_TOKEN")
    fetcher = Fetcher(
        settings,
        max_body_bytes=MAX_BYTES,
        timeout_s=TIMEOUT_S,
        accept="*/*",
        headers={"Authorization": f"Bearer {token}"} if token else None,
        retry=RetryPolicy(transport=2, server=2, rate_limited=4),
    )
    try:
        return await fetcher.get_bytes(file.url)
    finally:
        await fetcher.aclose()
