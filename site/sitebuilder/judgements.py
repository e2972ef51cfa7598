"""The judgement browser: each query of the newest archived runs, every engine's answer beside it.

`/judgements/` shows the first queries of each bench whole; all of them lie in shards next to it,
those of the runs before it in a folder a run, which the page's script loads as they are asked for.
Text that an engine's terms forbid to show is left out here again, whatever the archive holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from runner.errors import DataError
from runner.publishing.archive import FolderArchive, run_folder, with_allowed_text
from runner.records.base import encode_line
from runner.records.jsonl import read_file
from runner.records.published import BENCH_LABELS, RunEntry
from runner.records.reports import Report
from sitebuilder.archived import ARCHIVE, archived_runs, is_run_id, run_size
from sitebuilder.render import Page, Part, Site
from sitebuilder.shards import Index, ShownQuery, cut, is_whole, shown_queries, shown_text
from sitebuilder.web_links import host, is_web_address

FIRST_RESULTS = 120  # what the page shows of a bench, give or take a query
FIRST_QUERIES = 3
MAX_SHOWN = 5  # runs of a bench
MAX_OLDER_BYTES = 64_000_000  # of a bench's earlier runs in the archive
MAX_TRIED = 5  # unusable runs, before a bench is given up
MAX_LISTED = 12  # further runs by name


@dataclass(frozen=True)
class FurtherRun:
    """A run that is not shown here; `url` is where its files are, if anybody can follow it."""

    name: str
    ts: str
    url: str | None


@dataclass(frozen=True)
class BenchJudgements:
    """What the page shows of a bench.

    `indexes` are the runs that can be read here, newest first; `first` are the queries of the
    newest that stand in the page, `shards` the number of its files. `further` names runs that are
    in the archive only, `further_count` of them. `skipped` says which runs could not be read.
    """

    bench: str
    label: str
    indexes: list[Index]
    first: list[ShownQuery]
    shards: int
    files: dict[str, bytes]
    further: list[FurtherRun]
    further_count: int
    skipped: list[str]

    @property
    def index(self) -> Index | None:
        return self.indexes[0] if self.indexes else None


def part(site: Site) -> Part:
    """The page and the shards of every bench that has an archived run."""
    archive = FolderArchive(site.data_path / ARCHIVE)
    published = _published(site)
    benches = [_bench(site, archive, bench, published) for bench in BENCH_LABELS]
    page = Page(
        folder="judgements/",
        template="judgements.html.j2",
        title="Needle: every judgement, query by query",
        description="Each query of the newest archived runs with every engine's results side by "
        "side: ratings, penalties, failed gates, reasoning and match evidence.",
        context={
            "judged": [bench for bench in benches if bench.index],
            "unjudged": [bench for bench in benches if not bench.index],
            "has_archive": archive.root.is_dir(),
            "archive_url": _hub_url(site.archive, "") if site.archive else None,
            "is_web_address": is_web_address,
            "host": host,
        },
    )
    return Part(
        [page],
        {name: content for bench in benches for name, content in bench.files.items()},
        warnings=[
            f"{archive.root}: {bench.bench} of {run}, left out"
            for bench in benches
            for run in bench.skipped
        ],
    )


def _bench(
    site: Site, archive: FolderArchive, bench: str, published: Sequence[RunEntry]
) -> BenchJudgements:
    names = archived_runs(archive.root, bench, site.results.generated_at)
    indexes: list[Index] = []
    first: list[ShownQuery] = []
    files: dict[str, bytes] = {}
    skipped: dict[str, str] = {}
    older = unusable = shards = 0
    for name in names:
        if indexes:
            older += run_size(archive.root, name, bench)
        if len(indexes) == MAX_SHOWN or unusable == MAX_TRIED or older > MAX_OLDER_BYTES:
            break
        try:
            report = _allowed(archive, name, bench)
        except DataError as error:
            # a path of the machine says nothing
            reason = str(error).replace(f"{archive.root}/", "")
            skipped[name] = f"{name} ({shown_text(reason, 160)})"
            unusable += 1
            continue
        if site.results.profile not in (None, report.profile):
            unusable += 1
            continue
        queries = shown_queries(report)
        index, parts = cut(report, queries)
        folder = f"judgements/{bench}/{name}" if indexes else f"judgements/{bench}"
        files |= {f"{folder}/{part.number}.json": encode_line(part) for part in parts}
        files[f"{folder}/index.json"] = encode_line(index)
        if not indexes:
            first, shards = list(_first(queries)), len(parts)
        indexes.append(index)
    known = {index.run_id for index in indexes} | set(skipped)
    further = {name: _ts(name) for name in names} | {
        entry.id: entry.ts for entry in published if f"{bench}.json" in entry.artifacts
    }
    rest = [
        FurtherRun(name, ts, _hub_url(site.archive, run_folder(name, bench)))
        for name, ts in sorted(further.items(), reverse=True)
        if name not in known
    ]
    return BenchJudgements(
        bench, BENCH_LABELS[bench], indexes, first, shards, files,
        rest[:MAX_LISTED], len(rest), list(skipped.values()),
    )  # fmt: skip


def _published(site: Site) -> list[RunEntry]:
    """The index of published runs, where there is an archive elsewhere to look them up in."""
    if site.archive is None:
        return []
    content = read_file(site.data_path / "runs.json")
    try:
        entries = msgspec.json.decode(content, type=list[RunEntry]) if content else []
    except msgspec.MsgspecError:
        return []  # the data page says that the file cannot be used
    end = site.results.generated_at or ""
    return [entry for entry in entries if is_run_id(entry.id) and entry.ts <= end]


def _ts(name: str) -> str:
    """`2026-11-15T1017Z` as a time."""
    return f"{name[:13]}:{name[13:]}"


def _hub_url(archive: str | None, folder: str) -> str | None:
    if archive is None:
        return None
    return f"https://huggingface.co/datasets/{archive}/tree/main/{folder}"


def _allowed(archive: FolderArchive, name: str, bench: str) -> Report:
    report = archive.load(name, bench)
    if report.bench != bench or report.run_id != name or not is_whole(report):
        path = archive.root / run_folder(name, bench) / f"{bench}.json"
        raise DataError(path, "its engines do not answer the same queries of this run")
    return with_allowed_text(report)


def _first(queries: list[ShownQuery]) -> Iterator[ShownQuery]:
    """The first query, and further ones while the page stays small."""
    shown = 0
    for query in queries[:FIRST_QUERIES]:
        if shown and shown >= FIRST_RESULTS:
            return
        yield query
        shown += sum(len(engine.results) for engine in query.engines)
