"""The queries of one hour: a sample of the artifact, each length bucket in its turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

from runner.benches.agentic_rare.rows import RareRow, distinct, rare_row, read_artifact
from runner.benches.agentic_rare.used import REST_DAYS, UsedQuery, rested
from runner.benches.bench import Harvest
from runner.benches.fetching import SourceError
from runner.benches.hub_files import HubFile, load
from runner.errors import DataError, TooLittleError
from runner.sampling import Scheme, sample
from runner.settings import Settings

QueriesFrom = Literal["artifact", "file", "sample"]
_WAY_ON = "give rows with --queries, or make them with `needle agentic_rare filter`"


@dataclass(frozen=True, kw_only=True)
class RareOptions:
    """Where the artifact is, and which of its rows to take.

    `file` is read where it is given, else `filtered_path` of `dataset` on the hub, or what is left
    of it in `cache`. `limit` 0 takes all rows. Queries in `used` rest for 30 days.
    """

    now: datetime
    seed: int
    dataset: str
    filtered_path: str
    cache: Path
    file: Path | None = None
    queries_from: QueriesFrom = "artifact"
    limit: int = 0
    scheme: Scheme = "stratified"
    used: list[UsedQuery] = field(default_factory=list)


@dataclass(frozen=True)
class _Artifact:
    """The rows that can be used, why others cannot, why the hub was not asked with success."""

    rows: list[RareRow]
    bad: list[str]
    failure: str | None = None


async def generate(options: RareOptions, *, settings: Settings) -> Harvest:
    """The sampled rows; raises DataError where there is no artifact to sample.

    Raises TooLittleError where all its queries rest and no limit says how many to ask again.
    """
    artifact = await _artifact(options, settings)
    rows = distinct(artifact.rows)
    fresh = rested(rows, options.used, options.now, least=options.limit)
    if not fresh:
        raise TooLittleError(
            f"all {len(rows)} queries of the artifact were asked in the last {REST_DAYS} days; "
            "ask for some of them with --limit, or leave --used out"
        )
    picked = sample(
        fresh, options.limit, options.scheme, options.seed, lambda row: row.length_bucket
    )
    counts = {
        "in_the_artifact": len(artifact.rows) + len(artifact.bad),
        "unreadable": len(artifact.bad),
        "duplicate": len(artifact.rows) - len(rows),
        "asked_lately": len(rows) - len(fresh),
        f"from_the_{options.queries_from}": len(picked),
        "from_the_copy_of_before": len(picked) if artifact.failure else 0,
    }
    reasons = {"unreadable": artifact.bad[0]} if artifact.bad else {}
    if artifact.failure:
        reasons["from_the_copy_of_before"] = artifact.failure
    return Harvest(
        rows=[rare_row(row, now=options.now, queries_from=options.queries_from) for row in picked],
        counts=counts,
        reasons=reasons,
    )


async def _artifact(options: RareOptions, settings: Settings) -> _Artifact:
    if options.file is not None:
        try:
            return _Artifact(*read_artifact(options.file.read_bytes()))
        except OSError as error:
            problem = f"cannot be read ({error.strerror})"
        except ValueError as error:
            problem = str(error)
        raise DataError(options.file, f"no queries loaded: {problem}; {_WAY_ON}")
    file = HubFile("datasets", options.dataset, options.filtered_path)
    try:
        loaded = await load(file, read_artifact, settings=settings, cache=options.cache)
    except SourceError as error:
        raise DataError(file.url, f"no queries loaded ({error.message}); {_WAY_ON}") from error
    return _Artifact(*loaded.value, loaded.failure)
