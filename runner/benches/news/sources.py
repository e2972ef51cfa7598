"""The list of feeds: TOML tables `source` with `url` or `file`, `source_kind`, `topical_domain`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from runner.benches.markup import safe_url
from runner.benches.news.domains import known_domain
from runner.errors import UsageError
from runner.text import parse_time

PACKAGED = Path(__file__).with_name("feeds.toml")
KINDS = ("rss_news", "rss_release", "rss_blog", "rss_paper", "rss_social")


@dataclass(frozen=True)
class Source:
    """One feed: where it is (an address, or a file's path), its kind and domain."""

    url: str
    source_kind: str = "rss_news"
    topical_domain: str = "other"


@dataclass(frozen=True)
class Folder:
    """The feed files of a folder in a fixed order; `clock` is when they were collected, if said."""

    sources: list[Source]
    clock: datetime | None


def load_sources(path: Path = PACKAGED) -> list[Source]:
    """The feeds of a list; raises UsageError naming the table that is wrong."""
    tables = _tables(_read(path), path)
    sources = []
    for number, table in enumerate(tables, start=1):
        url = safe_url(table.get("url"))
        if url is None:
            raise UsageError(f"{path}: source {number} needs a url that begins with http(s)://")
        sources.append(_source(url, table, path, number))
    if not sources:
        raise UsageError(f"{path}: holds no [[source]]; each needs url, source_kind")
    return sources


def load_folder(folder: Path) -> Folder:
    """All `*.xml` files of a folder and those its `feeds.toml` names; raises UsageError for none.

    A file that `feeds.toml` does not name is a blog of domain "other".
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder; give one that holds feed files (*.xml)")
    listing = folder / "feeds.toml"
    document = _read(listing) if listing.is_file() else {}
    named = {}
    for number, table in enumerate(_tables(document, listing), start=1):
        file = table.get("file")
        if not isinstance(file, str) or not (folder / file).is_file():
            raise UsageError(f"{listing}: source {number} names no file of this folder ({file!r})")
        named[folder / file] = _source(str(folder / file), table, listing, number)
    for path in filter(Path.is_file, folder.glob("*.xml")):  # a pipe would never end
        named.setdefault(path, Source(str(path), "rss_blog"))
    if not named:
        raise UsageError(f"{folder} holds no feed files (*.xml)")
    sources = [named[path] for path in sorted(named)]
    return Folder(sources, _clock(document.get("clock"), listing))


def _clock(value: object, path: Path) -> datetime | None:
    if value is None:
        return None
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    if not isinstance(value, str):
        raise UsageError(f"{path}: clock is not a time; write it like 2026-08-22T17:00:00Z")
    return parse_time(value)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: is not TOML ({error})") from error


def _tables(document: dict[str, Any], path: Path) -> list[dict[str, Any]]:
    tables = document.get("source", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise UsageError(f"{path}: `source` must be tables, written [[source]]")
    return tables


def _source(place: str, table: dict[str, Any], path: Path, number: int) -> Source:
    kind = table.get("source_kind", "rss_news")
    if kind not in KINDS:
        raise UsageError(
            f"{path}: source {number} has source_kind {kind!r}; known are {', '.join(KINDS)}"
        )
    return Source(place, kind, known_domain(table.get("topical_domain")))
