"""Every query and result of a run in a folder, so that each published number can be recomputed.

`runs/YYYY/MM/<run_id>/` holds `<bench>.json` (the report without its queries), one
`<bench>/<engine>.json` for each engine (their SHA-256 stands in the former as `engine_files`), and
the query file. What an engine's terms forbid to
store is left out before anything is written; ratings and URLs always stay, so scores can be
computed again from any archived run.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from runner.errors import DataError, PublishError
from runner.records.base import Part, encode_document
from runner.records.needleif import NeedleifReport, Published
from runner.records.published import BENCHES
from runner.records.reports import (
    EngineNote,
    JudgedResult,
    Report,
    ReportedQuery,
    ReportedResult,
    convert_report,
)
from runner.scoring.urls import normalise_url
from runner.storage import write_files

QUERY_FILES = {
    "news": "fresh.jsonl",
    "finance": "gold.jsonl",
    "agentic_rare": "agentic_rare.jsonl",
    "scholar": "scholar.jsonl",
    "legal": "legal.jsonl",
}
ARCHIVED = (*BENCHES, "needleif")  # all that can be published, engines searched or models asked
_POLICIES = ("full", "snippet", "urls")  # from the loosest to the strictest
_ENGINE = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_RUN_ID = re.compile(r"(\d{4})-(\d{2})-\d{2}T\d{4}Z")


class EngineFile(Part, frozen=True, kw_only=True):
    """`<bench>/<engine>.json`: one engine's queries, with what they belong to."""

    bench: str
    run_id: str
    engine: str
    per_query: Sequence[ReportedQuery]


class FolderArchive:
    """An archive in a folder of this machine."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def store(self, report: Published, queries: bytes) -> list[str]:
        """Writes a run, all files or none; returns their names below the run's folder.

        The same report gives the same bytes. Raises PublishError for a name that is not safe as
        a file name, and where the disk refuses.
        """
        folder = self.root / run_folder(report.run_id, report.bench)
        files = archived_files(report, queries)
        write_files({folder / name: content for name, content in files.items()})
        return list(files)

    def load_needleif(self, run_id: str) -> NeedleifReport:
        """A report of needleif as it was stored; DataError where it is missing or broken."""
        path = self.root / run_folder(run_id, "needleif") / "needleif.json"
        report: NeedleifReport = _decoded(path, NeedleifReport)
        return report

    def load(self, run_id: str, bench: str) -> Report:
        """The report as it was stored; DataError names the file that is missing or broken."""
        path = self.root / run_folder(run_id, bench) / f"{bench}.json"
        slim = _decoded(path, dict[str, Any])
        try:
            digests = slim.pop("engine_files", {})  # runs from before they were kept have none
            for engine, block in slim["engines"].items():
                name = path.parent / bench / f"{engine}.json"
                parts = _decoded(name, dict[str, Any], digests.get(engine))
                block["per_query"] = parts["per_query"]
            return convert_report(slim)
        except (KeyError, TypeError, AttributeError, msgspec.ValidationError) as error:
            raise DataError(path, f"is not an archived report ({error})") from error


def run_folder(run_id: str, bench: str) -> str:
    """Where a run lies below the root; raises PublishError for a name that is none of a run."""
    match = _RUN_ID.fullmatch(run_id)
    if match is None or bench not in ARCHIVED:
        raise PublishError(
            f"no run {run_id!r} of bench {bench!r}; a run is named like 2026-11-15T1017Z and "
            f"a bench is one of {', '.join(ARCHIVED)}"
        )
    return f"runs/{match[1]}/{match[2]}/{run_id}"


def archived_files(report: Published, queries: bytes) -> dict[str, bytes]:
    """A run's files by their names below its folder; the same report gives the same bytes.

    A report of needleif is one file: its instructions and answers are nobody else's text. Raises
    PublishError for an engine whose name is not safe as a file name.
    """
    if isinstance(report, NeedleifReport):
        return {"needleif.json": encode_document(report)}
    for engine in report.engines:
        if _ENGINE.fullmatch(engine) is None:
            raise PublishError(f"report: engine {engine!r} cannot be a file name")
    allowed = with_allowed_text(report)
    parts = {
        engine: encode_document(
            EngineFile(
                bench=report.bench,
                run_id=report.run_id,
                engine=engine,
                per_query=block.per_query,
            )
        )
        for engine, block in allowed.engines.items()
    }
    slim = _slim(allowed)
    slim["engine_files"] = {engine: _digest(content) for engine, content in parts.items()}
    files = {f"{report.bench}.json": encode_document(slim)}
    files |= {f"{report.bench}/{engine}.json": content for engine, content in parts.items()}
    files[QUERY_FILES[report.bench]] = queries
    return files


def with_allowed_text(report: Report) -> Report:
    """The report with only the text that may be stored.

    Under `full` and `snippet` a result is kept as it was judged: title, clipped snippet, date.
    Under `urls` only URL and verdicts stay (rating, gates, match), not the reasoning, since it
    quotes. A result of `ultimate` may come from any engine that returned its URL for that query,
    so it follows the strictest of their policies.
    """
    owners: list[dict[str, set[str]]] = [
        defaultdict(set) for _ in next(iter(report.engines.values())).per_query
    ]
    for engine, block in report.engines.items():
        if engine in report.roster_notes:
            for place, query in enumerate(block.per_query):
                for result in query.results:
                    owners[place][_key(report, result)].add(engine)
    engines = {}
    for engine, block in report.engines.items():
        per_query = []
        for place, query in enumerate(block.per_query):
            results = []
            for result in query.results:
                names = {engine} & set(report.roster_notes) or owners[place][_key(report, result)]
                results.append(_allowed(result, _strictest(names, report.roster_notes)))
            per_query.append(msgspec.structs.replace(query, results=results))
        engines[engine] = msgspec.structs.replace(block, per_query=per_query)
    return msgspec.structs.replace(report, engines=engines)


def _key(report: Report, result: ReportedResult) -> str:
    return normalise_url(result.url, report.url_norm_version)


def _strictest(engines: set[str], notes: Mapping[str, EngineNote]) -> str:
    """A result that no engine of the roster returned gets the strictest policy of all."""
    policies = [notes[name].archive for name in engines]
    return max(policies, key=_POLICIES.index, default="urls")


def _allowed(result: ReportedResult, policy: str) -> ReportedResult:
    if policy != "urls":
        return result
    quoting = {"reasoning": None} if isinstance(result, JudgedResult) else {}
    return msgspec.structs.replace(
        result, title=None, snippet=None, published_raw=None, published=None, **quoting
    )


def _slim(report: Report) -> dict[str, Any]:
    document: dict[str, Any] = msgspec.to_builtins(report)
    for block in document["engines"].values():
        del block["per_query"]
    return document


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _decoded(path: Path, kind: Any, digest: str | None = None) -> Any:
    """The content of a file, which is checked against its digest where there is one."""
    try:
        content = path.read_bytes()
        if digest is not None and _digest(content) != digest:
            problem = "is not the file that was archived (its SHA-256 differs)"
            raise DataError(path, f"{problem}; restore the run from a copy of the archive")
        return msgspec.json.decode(content, type=kind)
    except OSError as error:
        raise DataError(path, f"cannot be read ({error.strerror})") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DataError(path, f"{error}; restore the run from a copy of the archive") from error
