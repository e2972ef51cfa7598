"""Needles, books and tokenizer files from the Hugging Face hub, each at a commit that is recorded.

The hub is asked through the project's own network edge: bounded, retried, masked, and through the
gateway where there is one. What came is kept in a cache; a full commit that is in it needs no
network.
"""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from runner.benches.fetching import SourceError
from runner.benches.hub_files import CACHE, MAIN, HubFile, Kind, Snapshot, load_once, snapshot
from runner.benches.needleif.counting import TOKENIZER_FILES
from runner.benches.needleif.haystack import read_texts, text_digest, texts_digest
from runner.benches.needleif.pool import Pool, pool_of
from runner.errors import DataError, UsageError
from runner.progress import Progress
from runner.settings import Settings
from runner.storage import write_files

NEEDLES = "google/IFEval"
BOOKS = "emozilla/pg19"
"""A copy of deepmind/pg19 as parquet; the original's own files can only be read by a script."""
ORIGIN = "origin.json"  # beside the books: where they come from
_BOOK_FILE = re.compile(r"(?:^|.*/)(validation|test)[-/.][^/]*(?:/[^/]*)*\.parquet")

T = TypeVar("T")


def ifeval_from_hub(name: str = NEEDLES, *, settings: Settings, cache: Path = CACHE) -> Pool:
    """The pool of a data set OWNER/NAME[@REVISION], with `origin` its name at a full commit.

    Read from its JSON Lines file, or else from its parquet files. Raises UsageError where the hub
    does not give it, DataError for rows that are no needles.
    """
    held = _snapshot("datasets", name, settings, cache)
    lines = [f for f in held.files if f.endswith(".jsonl")]
    tables = [f for f in held.files if f.endswith(".parquet")]
    if len(lines) != 1 and not tables:
        raise UsageError(f"{held.name} holds neither one .jsonl file nor parquet files")
    if len(lines) == 1:
        text = _loaded(held.file(lines[0]), _text, settings, cache)
    else:
        rows = [row for f in tables for row in _loaded(held.file(f), _table_rows, settings, cache)]
        text = "".join(json.dumps(row) + "\n" for row in rows)
    return replace(pool_of(Path(f"hf:{held.name}"), text), origin=held.name)


def pg19_cache(
    folder: Path | None,
    *,
    revision: str | None = None,
    settings: Settings,
    cache: Path = CACHE,
    progress: Progress | None = None,
) -> Path:
    """The folder with the books of PG19's validation and test parts, one `.txt` a book.

    A folder that holds `.txt` files is taken as it is and needs no network, unless a revision is
    asked for that is not the one it was filled from. Otherwise it is filled from the hub;
    without a folder, one in the cache. `revision` is one of `emozilla/pg19`, or OWNER/NAME@REVISION
    of another copy with the same fields. Raises UsageError.
    """
    if folder is not None and revision is None and _has_books(folder):
        _check_whole(folder)
        return folder
    name = revision if revision and "@" in revision else f"{BOOKS}@{revision or MAIN}"
    held = _snapshot("datasets", name, settings, cache)
    folder = folder or cache / "hub" / "pg19" / held.commit
    if _has_books(folder):
        _check_whole(folder)
        found = _origin(folder).get("origin", "texts of unknown origin")
        if found != held.name:
            raise UsageError(f"{folder} holds {found}, not {held.name}; name another --pg19-cache")
        return folder
    parts = {f: match[1] for f in held.files if (match := _BOOK_FILE.fullmatch(f))}
    if set(parts.values()) != {"validation", "test"}:
        raise UsageError(f"{held.name} holds no parquet files of the parts validation and test")
    books: list[tuple[str, str]] = []
    if progress is not None:
        progress.phase("files of books", len(parts))
    for path, part in sorted(parts.items()):
        texts = _loaded(held.file(path), _book_texts, settings, cache)
        before = sum(name.startswith(f"{part}-") for name, _ in books)
        books += [(f"{part}-{before + i:05d}.txt", text) for i, text in enumerate(texts)]
        if progress is not None:
            progress.advance()
    _write_books(folder, held, books)
    return folder


def recorded_origin(folder: Path, digest: str) -> str | None:
    """`OWNER/NAME@COMMIT` of the books in a folder, where they are still those that came."""
    known = _origin(folder)
    return known.get("origin") if known.get("digest") == digest else None


def tokenizer_folder(
    name: str, *, settings: Settings, cache: Path | None = None
) -> tuple[Path, str]:
    """The folder with a model's tokenizer files, and MODEL@COMMIT; raises UsageError."""
    cache = cache or CACHE
    held = _snapshot("models", name, settings, cache)
    wanted = [held.file(path) for path in TOKENIZER_FILES if path in held.files]
    if TOKENIZER_FILES[0] not in held.files:
        raise UsageError(f"tokenizer hf:{name}: {held.name} has no {TOKENIZER_FILES[0]}")
    for file in wanted:
        _loaded(file, _text, settings, cache)
    return wanted[0].kept_in(cache).parent, held.name


# The hub


def _snapshot(kind: Kind, name: str, settings: Settings, cache: Path) -> Snapshot:
    repo, _, revision = name.partition("@")
    asked = snapshot(kind, repo, revision or MAIN, settings=settings, cache=cache)
    return _answered(asked, f"hf:{name}")


def _loaded(file: HubFile, read: Callable[[bytes], T], settings: Settings, cache: Path) -> T:
    asked = load_once(file, read, settings=settings, cache=cache)
    return _answered(asked, f"hf:{file.repo}@{file.revision}/{file.path}")


def _answered(asked: Coroutine[Any, Any, T], name: str) -> T:
    try:
        return _finished(asked)
    except SourceError as error:
        way = {
            "forbidden": "there is no such repository, or HF_TOKEN must name a token that may "
            "read it",
            "not_found": "check its name and revision",
        }.get(error.kind, "try again later, or name a full commit that has been read before")
        raise UsageError(f"{name}: the hub does not give it ({error.message}); {way}") from error


def _finished(asked: Coroutine[Any, Any, T]) -> T:
    """The outcome, waited for; in a thread where this one is in the middle of a loop of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(asked)
    with ThreadPoolExecutor(max_workers=1) as other:
        return other.submit(asyncio.run, asked).result()


# What came


def _text(body: bytes) -> str:
    text = body.decode("utf-8-sig")
    if text.lstrip().startswith("<"):
        raise ValueError("a web page and not the file")
    return text


def _table_rows(body: bytes) -> list[dict[str, Any]]:
    return _parquet(body).to_pylist()  # type: ignore[no-any-return]


def _book_texts(body: bytes) -> list[str]:
    table = _parquet(body)
    if "text" not in table.column_names:
        raise ValueError(f"no column text, but {', '.join(table.column_names)}")
    texts: list[str] = table.column("text").to_pylist()
    if not texts or not all(isinstance(text, str) for text in texts):
        raise ValueError("the column text holds no texts")
    return texts


def _parquet(body: bytes) -> Any:
    """The table; raises ValueError for what is none (pyarrow's own errors are ValueErrors)."""
    import pyarrow.parquet as pq

    try:
        return pq.read_table(io.BytesIO(body))
    except OSError as error:  # a body that was cut
        raise ValueError(str(error)) from error


# The folder of books


def _has_books(folder: Path) -> bool:
    return folder.is_dir() and any(path.suffix == ".txt" for path in folder.iterdir())


def _check_whole(folder: Path) -> None:
    known = _origin(folder)
    if known and known.get("digest") != read_texts(str(folder))[1]:
        raise UsageError(
            f"{folder} does not hold what came from {known.get('origin')} any more: remove the "
            f"folder to read it again, or {ORIGIN} alone to take the texts as your own"
        )


def _origin(folder: Path) -> dict[str, str]:
    path = folder / ORIGIN
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise DataError(path, f"cannot be read ({error})") from error


def _write_books(folder: Path, held: Snapshot, books: Iterable[tuple[str, str]]) -> None:
    """All or, after a break, some of them beside an origin that tells that they are not whole."""
    files = {name: text.encode() for name, text in books}
    digests = [text_digest(name, files[name]) for name in sorted(files)]
    known = {"origin": held.name, "digest": texts_digest(digests)}
    marker = (json.dumps(known, indent=2) + "\n").encode()
    write_files({folder / ORIGIN: marker} | {folder / n: data for n, data in files.items()})
