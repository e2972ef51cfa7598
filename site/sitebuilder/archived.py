"""The runs of an archive beside the data, and what of their answers a study of sharing needs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from runner.errors import DataError
from runner.publishing.archive import run_folder
from runner.scoring.overlap import UrlSets, url_sets
from runner.scoring.urls import normalise_url
from runner.text import run_id
from sitebuilder.results import ULTIMATE

ARCHIVE = "archive"
_RUN_ID = re.compile(r"\d{4}-\d{2}-\d{2}T\d{4}Z")


class _Result(msgspec.Struct):
    url: str
    label: str | None = None


class _Query(msgspec.Struct):
    query_id: str
    results: Sequence[_Result]
    search_error: dict[str, Any] | None = None
    hit_rank: int | None = None


class _Answers(msgspec.Struct):
    per_query: Sequence[_Query]


class _Run(msgspec.Struct):
    engines: dict[str, msgspec.Raw]
    profile: str
    metric: str
    url_norm_version: int


def archived_runs(root: Path, bench: str, end: str | None) -> list[str]:
    """Archived runs of a bench up to the newest published one, newest first."""
    names = [path.parent.name for path in root.glob(f"runs/*/*/*/{bench}.json")]
    last = run_id(end) if end else "9"
    return sorted((n for n in names if is_run_id(n) and n <= last), reverse=True)


def is_run_id(name: str) -> bool:
    return _RUN_ID.fullmatch(name) is not None


def run_size(root: Path, name: str, bench: str) -> int:
    """Bytes of a run's answers on the disk."""
    folder = root / run_folder(name, bench) / bench
    return sum(path.stat().st_size for path in folder.glob("*.json"))


def run_answers(root: Path, name: str, bench: str) -> tuple[str, dict[str, list[UrlSets | None]]]:
    """The profile of a run, and for each engine the URLs of its answers, without `ultimate`.

    Labels as where overlap is counted: of a matched run the hit alone is known to be good. Raises
    DataError where a file is missing or broken, or engines do not answer the same queries.
    """
    folder = root / run_folder(name, bench)
    run: _Run = _decoded(folder / f"{bench}.json", _Run)
    answers: dict[str, list[UrlSets | None]] = {}
    asked: list[list[str]] = []
    for engine in run.engines:
        if engine == ULTIMATE:
            continue
        found: _Answers = _decoded(folder / bench / f"{engine}.json", _Answers)
        asked.append([query.query_id for query in found.per_query])
        answers[engine] = [_sets(query, run) for query in found.per_query]
    if any(ids != asked[0] for ids in asked):
        raise DataError(folder / f"{bench}.json", "its engines do not answer the same queries")
    return run.profile, answers


def _sets(query: _Query, run: _Run) -> UrlSets | None:
    if query.search_error is not None:
        return None
    is_known_item = run.metric == "recall"
    return url_sets(
        [
            (
                normalise_url(result.url, run.url_norm_version),
                ("FullyM" if rank == query.hit_rank else None) if is_known_item else result.label,
            )
            for rank, result in enumerate(query.results, start=1)
        ]
    )


def _decoded(path: Path, kind: Any) -> Any:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except OSError as error:
        raise DataError(path, f"cannot be read ({error.strerror})") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DataError(path, str(error)) from error
