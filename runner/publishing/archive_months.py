"""Closed months of an archive as tables: `months/YYYY-MM/<bench>.parquet`, and an index of it all.

A row is one result of one engine for one query of one run (a query without results is a row with a
null rank), so that a data frame answers what the JSON files of a run hold. `index.json` lists the
tables and every file of the month's runs with size and SHA-256. It is written last: a month with
an index is closed and never changes, one without is made again from its runs.
"""

from __future__ import annotations

import hashlib
import re
from argparse import Namespace
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from runner.clock import clock_from
from runner.errors import DataError, UsageError
from runner.publishing.archive import ARCHIVED, FolderArchive
from runner.records.base import Document, Part, encode_document
from runner.records.needleif import NeedleifReport
from runner.records.reports import JudgedResult, KnownItemResult, Report, ReportedQuery
from runner.storage import exclusive, replacing, write_file
from runner.text import parse_time

if TYPE_CHECKING:
    import pyarrow as pa

    from runner.edge import Edge

FOLDER = "months"
INDEX = "index.json"
SETTLED_AFTER = timedelta(days=1)
"""A run that began in the last minute of a month may be archived this much later."""
_MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])")
TEXTS = (
    "run_id", "ts", "bench", "engine", "query_id", "query", "bucket", "cluster_id", "error",
    "url", "label", "match_via",
)  # fmt: skip
COUNTS = ("rank", "rating", "penalized")
MODEL_TEXTS = (
    "run_id", "ts", "model", "record_id", "pair_id", "condition", "size", "complexity", "needle",
    "response", "stop_reason",
)  # fmt: skip


class IndexedFile(Part, frozen=True, kw_only=True):
    """A file by its name below the archive's root."""

    name: str
    bytes: int
    sha256: str


class MonthIndex(Document, frozen=True, kw_only=True):
    """`months/YYYY-MM/index.json`: the tables of the month, and the files of its runs."""

    month: str
    runs: int
    tables: list[IndexedFile]
    files: list[IndexedFile]


def closed_months(root: Path, now: datetime) -> list[str]:
    """The months with runs that are over, oldest first."""
    found = {f"{path.parent.name}-{path.name}" for path in root.glob("runs/*/*") if path.is_dir()}
    return sorted(m for m in found if _MONTH.fullmatch(m) and _end(m) + SETTLED_AFTER <= now)


def _end(month: str) -> datetime:
    year, number = int(month[:4]), int(month[5:])
    following = f"{year + number // 12:04}-{number % 12 + 1:02}"
    return parse_time(f"{following}-01T00:00Z")


def close_month(root: Path, month: str) -> MonthIndex | None:
    """Writes tables and index of a month; None where it is closed already.

    Raises DataError for a run that cannot be read; then there is no index.
    """
    folder = root / FOLDER / month
    if (folder / INDEX).exists():
        return None
    runs = sorted(
        path for path in (root / "runs" / month[:4] / month[5:]).iterdir() if path.is_dir()
    )
    tables = [
        path
        for bench in ARCHIVED
        if (path := _write_table(root, runs, bench, folder / f"{bench}.parquet")) is not None
    ]
    files = [path for run in runs for path in sorted(run.rglob("*")) if path.is_file()]
    index = MonthIndex(
        month=month,
        runs=len(runs),
        tables=[_indexed(root, path) for path in tables],
        files=[_indexed(root, path) for path in files],
    )
    write_file(folder / INDEX, encode_document(index))
    return index


def differing(root: Path, month: str) -> list[str]:
    """What of a closed month is no longer as its index says."""
    path = root / FOLDER / month / INDEX
    try:
        index = msgspec.json.decode(path.read_bytes(), type=MonthIndex)
    except OSError as error:
        raise DataError(path, f"cannot be read ({error.strerror})") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DataError(path, f"{error}; restore it from a copy of the archive") from error
    found = []
    for file in (*index.tables, *index.files):
        place = root / file.name
        if not place.is_file():
            found.append(f"{place} is missing")
        elif _indexed(root, place) != file:
            found.append(f"{place} is not the file whose SHA-256 is in the index")
    return found


def _write_table(root: Path, runs: Sequence[Path], bench: str, path: Path) -> Path | None:
    """One row group a run; no file where the bench has no run."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    own = [run.name for run in runs if (run / f"{bench}.json").exists()]
    if not own:
        return None
    archive = FolderArchive(root)
    with replacing(path) as temporary:
        schema = _schema(bench)
        with pq.ParquetWriter(temporary, schema, compression="zstd") as writer:
            for run in own:
                if bench == "needleif":
                    rows = list(_model_rows(archive.load_needleif(run)))
                else:
                    rows = list(_rows(archive.load(run, bench)))
                writer.write_table(pa.Table.from_pylist(rows, schema=schema))
    return path


def _schema(bench: str) -> pa.Schema:
    import pyarrow as pa

    if bench == "needleif":
        fields = [pa.field(name, pa.string()) for name in MODEL_TEXTS]
        fields += [pa.field("sample", pa.int64()), pa.field("depth", pa.float64())]
        return pa.schema([*fields, pa.field("strict", pa.bool_()), pa.field("loose", pa.bool_())])
    fields = [pa.field(name, pa.string()) for name in TEXTS]
    fields += [pa.field(name, pa.int64()) for name in COUNTS]
    return pa.schema([*fields, pa.field("score", pa.float64()), pa.field("judged", pa.bool_())])


def _rows(report: Report) -> Iterator[dict[str, Any]]:
    for engine, block in report.engines.items():
        for query in block.per_query:
            head = _head(report, engine, query)
            if not query.results:
                yield head
            for rank, result in enumerate(query.results, start=1):
                row = head | {"rank": rank, "url": result.url}
                if isinstance(result, JudgedResult):
                    row |= {"rating": result.rating, "label": result.label}
                    row |= {"penalized": result.penalized}
                elif isinstance(result, KnownItemResult):
                    row |= {"match_via": result.match_via, "judged": result.judge_match}
                yield row


def _head(report: Report, engine: str, query: ReportedQuery) -> dict[str, Any]:
    error = query.search_error
    return {
        "run_id": report.run_id,
        "ts": report.ts,
        "bench": report.bench,
        "engine": engine,
        "query_id": query.query_id,
        "query": query.query,
        "bucket": query.bucket,
        "cluster_id": query.cluster_id,
        "score": query.score,
        "error": f"{error.error_class} {error.error_type}" if error else None,
    }


def _model_rows(report: NeedleifReport) -> Iterator[dict[str, Any]]:
    for name, model in report.models.items():
        for answer in model.answers:
            samples = zip(
                answer.responses, answer.stop_reasons, answer.strict, answer.loose, strict=True
            )
            for place, (response, stop, strict, loose) in enumerate(samples):
                yield {
                    "run_id": report.run_id,
                    "ts": report.ts,
                    "model": name,
                    "record_id": answer.id,
                    "pair_id": answer.pair_id,
                    "condition": answer.condition,
                    "size": answer.size,
                    "depth": answer.depth,
                    "complexity": answer.complexity,
                    "needle": answer.needle,
                    "sample": place,
                    "response": response,
                    "stop_reason": stop,
                    "strict": strict,
                    "loose": loose,
                }


def _indexed(root: Path, path: Path) -> IndexedFile:
    digest = hashlib.sha256()
    size = 0
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
            size += len(piece)
    name = path.relative_to(root).as_posix()
    return IndexedFile(name=name, bytes=size, sha256=digest.hexdigest())


def run_archive_months(args: Namespace, edge: Edge) -> int:
    """`archive-months`: 0; with --check 1 where a closed month is no longer as it was."""
    root = Path(args.archive)
    if not (root / "runs").is_dir():
        raise UsageError(f"--archive {root}: no archive of runs there")
    months = closed_months(root, clock_from(args.now)())
    if args.check:
        closed = [month for month in months if (root / FOLDER / month / INDEX).exists()]
        found = [line for month in closed for line in differing(root, month)]
        for line in found:
            print(line)
        if not found:
            print(f"{len(closed)} closed months in {root}: every file as its index says")
        return 1 if found else 0
    with exclusive(root / ".months.lock"):
        for month in months:
            index = close_month(root, month)
            if index is not None:
                size = sum(table.bytes for table in index.tables)
                print(f"{month}: {index.runs} runs, {len(index.tables)} tables, {size:,} bytes")
    return 0
