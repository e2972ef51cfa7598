"""The frozen months: files that a snapshot left in a folder, read with suspicion.

A month is `needle-results-YYYY-MM.csv|json|md`, `needle-overall-YYYY-MM.png|webp` and, for links
to it, `needle-social-YYYY-MM.png`. The builder only shows and copies them. Months that end after
the moment of the build are not there yet.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Literal

import msgspec

from runner.errors import DataError

FOLDER = "history"
POSTS = "history_posts.json"
_FILE = re.compile(
    r"needle-(?:results-(\d{4}-(?:0[1-9]|1[0-2]))\.(?:csv|json|md)"
    r"|overall-(\d{4}-(?:0[1-9]|1[0-2]))\.(?:png|webp)"
    r"|social-(\d{4}-(?:0[1-9]|1[0-2]))\.png)"
)
_PNG = b"\x89PNG\r\n\x1a\n"


class FrozenFigure(msgspec.Struct, frozen=True):
    """A value with its interval, as the month's file has it."""

    value: float
    lo: float | None = None
    hi: float | None = None


class FrozenEngine(msgspec.Struct, frozen=True):
    engine: str
    label: str = ""


class FrozenStanding(msgspec.Struct, frozen=True):
    engine: str
    overall: FrozenFigure | None = None
    rank: int | None = None
    rank_lo: int | None = None
    rank_hi: int | None = None
    n_scored: int | None = None


class FrozenRow(msgspec.Struct, frozen=True):
    engine: str
    score: FrozenFigure | None = None
    rank: int | None = None
    n_scored: int | None = None


class FrozenBoard(msgspec.Struct, frozen=True):
    label: str = ""
    metric: Literal["ndcg", "recall"] = "ndcg"
    k: int = 0
    engines: list[FrozenRow] = []


class FrozenWindow(msgspec.Struct, frozen=True):
    start: str
    end: str


class FrozenResults(msgspec.Struct, frozen=True):
    """What a page needs of a month's `results.json`; fields of other versions are passed over."""

    window: FrozenWindow | None = None
    roster: list[FrozenEngine] = []
    overall: list[FrozenStanding] = []
    benches: dict[str, FrozenBoard] = {}


@dataclass(frozen=True)
class Image:
    """A picture by file name; the size in pixels is None where it could not be read."""

    name: str
    width: int | None
    height: int | None


@dataclass(frozen=True)
class Month:
    """One frozen month: `key` is `2026-10`; `results` is None where its JSON cannot be used."""

    key: str
    files: dict[str, bytes]
    results: FrozenResults | None
    post: str | None

    @property
    def label(self) -> str:
        return f"{date(int(self.key[:4]), int(self.key[5:]), 1):%B %Y}"

    @property
    def labels(self) -> dict[str, str]:
        known = self.results.roster if self.results else []
        return {entry.engine: entry.label or entry.engine for entry in known}

    @property
    def hashes(self) -> dict[str, str]:
        """The SHA-256 of each file, by its name."""
        return {name: hashlib.sha256(data).hexdigest() for name, data in self.files.items()}

    @property
    def thumbnail(self) -> str | None:
        """The name of its smallest picture."""
        names = (
            f"needle-social-{self.key}.png",
            f"needle-overall-{self.key}.webp",
            f"needle-overall-{self.key}.png",
        )
        return next((name for name in names if name in self.files), None)

    @property
    def image(self) -> Image | None:
        """The picture that every browser shows, with its size."""
        name = f"needle-overall-{self.key}.png"
        if name not in self.files:
            return None
        head = self.files[name][:24]
        if len(head) < 24 or not head.startswith(_PNG):
            return Image(name, None, None)
        width, height = (int.from_bytes(head[at : at + 4], "big") for at in (16, 20))
        return Image(name, width, height)


def read_months(data: Path, posts: Path, moment: datetime | None) -> list[Month]:
    """The months in `history/` below the data directory, newest first.

    `posts` maps months to the address of a text about them. Raises DataError where one of the
    files cannot be read, or `posts` is not such a map.
    """
    folder = data / FOLDER
    if not folder.is_dir():
        return []
    found: dict[str, dict[str, bytes]] = {}
    for path in sorted(folder.iterdir()):
        match = _FILE.fullmatch(path.name)
        if match and path.is_file():
            key = match[1] or match[2] or match[3]
            if moment is None or key < f"{moment:%Y-%m}":
                try:
                    found.setdefault(key, {})[path.name] = path.read_bytes()
                except OSError as error:
                    raise DataError(path, f"cannot be read ({error.strerror})") from error
    links = _posts(posts)
    return [
        Month(key, files, _results(files.get(f"needle-results-{key}.json")), links.get(key))
        for key, files in sorted(found.items(), reverse=True)
    ]


def _results(content: bytes | None) -> FrozenResults | None:
    if content is None:
        return None
    try:
        return msgspec.json.decode(content, type=FrozenResults)
    except msgspec.MsgspecError:
        return None


def _posts(path: Path) -> dict[str, str]:
    """Only https addresses become links."""
    if not path.is_file():
        return {}
    try:
        posts = msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except msgspec.MsgspecError as error:
        raise DataError(path, f"expected months with addresses: {error}") from error
    return {key: link for key, link in posts.items() if link.startswith("https://")}
