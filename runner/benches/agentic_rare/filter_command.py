"""`agentic_rare filter`: a stream of queries in, the artifact of rare ones out."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from runner.benches.agentic_rare.filtering.examine import Examiner, Limits
from runner.benches.agentic_rare.filtering.pipeline import Filter
from runner.benches.agentic_rare.filtering.stream import read_stream
from runner.benches.agentic_rare.filtering.wordpiece import WordPieces, read_vocabulary
from runner.benches.agentic_rare.hub import dataset_name
from runner.benches.fetching import SourceError
from runner.benches.hub_files import CACHE, HubFile, load, load_once
from runner.errors import DataError, TooLittleError, UsageError
from runner.settings import Settings, read_settings
from runner.storage import replacing

if TYPE_CHECKING:
    from runner.edge import Edge

VOCABULARY = HubFile("models", "google-bert/bert-base-uncased", "vocab.txt")


def run_filter(args: Namespace, edge: Edge) -> int:
    """`agentic_rare filter`: the rare queries of a stream to `--out`, an account to stderr.

    Raises TooLittleError where no row is left; the file that was there then stays.
    """
    settings = read_settings(edge.environ, edge.sleep)
    out = Path(args.out)
    if args.out == "-" or out.is_dir():
        raise UsageError(f"--out {args.out}: Parquet goes to a file; name one")
    if args.queries and not Path(args.queries).is_file():
        raise UsageError(f"--queries {args.queries}: no such file; name one or leave it out")
    cache = Path(args.source_cache) if args.source_cache else CACHE
    pieces = WordPieces(_vocabulary(args.vocab, settings, cache))
    stream = Path(args.queries) if args.queries else _stream(args, settings, cache)
    limits = Limits(
        min_words=args.min_words,
        max_query_chars=args.max_query_len,
        max_word_chars=args.max_word_len,
        min_pieces=args.subword_threshold,
        any_language=args.any_language,
    )
    rare = Filter(
        Examiner(pieces, limits), out.parent, ngram=args.dedup_ngram, at_most=args.dedup_max
    )
    try:
        rare.take(read_stream(stream, args.query_field))
        with replacing(out) as temporary:
            account = rare.write(temporary, args.row_group_size)
    finally:
        rare.close()
    lines = account.lines()
    if not account.num_kept:
        raise TooLittleError(f"{stream}: no rare query; {' '.join(lines)}")
    for line in lines:
        print(line, file=sys.stderr)
    return 0


def _vocabulary(given: str | None, settings: Settings, cache: Path) -> list[str]:
    """The tokens of the flag's file, else of the hub's, which never changes."""
    if given is None:
        try:
            return asyncio.run(
                load_once(VOCABULARY, read_vocabulary, settings=settings, cache=cache)
            )
        except SourceError as error:
            raise DataError(
                VOCABULARY.url,
                f"no vocabulary ({error.message}); download it elsewhere and give it with --vocab",
            ) from error
    try:
        return read_vocabulary(Path(given).read_bytes())
    except OSError as error:
        raise DataError(given, f"cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise DataError(given, str(error)) from error


def _stream(args: Namespace, settings: Settings, cache: Path) -> Path:
    """The dataset's stream as a file of the cache: the newest, or the last that was to be had."""
    file = HubFile("datasets", dataset_name(args.dataset, settings), args.stream_path)
    try:
        loaded = asyncio.run(load(file, _size_of_rows, settings=settings, cache=cache))
    except SourceError as error:
        raise DataError(
            file.url, f"no queries loaded ({error.message}); give a file with --queries"
        ) from error
    if loaded.failure:
        print(f"the stream of before: {loaded.failure}", file=sys.stderr)
    kept = file.kept_in(cache)
    if not kept.exists() or kept.stat().st_size != loaded.value:
        raise DataError(kept, "cannot be written; free the disk or name another --source-cache")
    return kept


def _size_of_rows(body: bytes) -> int:
    """The bytes of a stream; raises ValueError for an empty body, or a page in its place."""
    if not body.strip():
        raise ValueError("empty")
    if body.lstrip()[:1] == b"<":
        raise ValueError("a page, not rows")
    return len(body)
