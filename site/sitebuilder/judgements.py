"""The judgement browser: each query of the newest archived runs, every engine's answer beside it.

`/judgements/` shows the first queries of each bench whole; all of them lie in shards next to it,
which the page's script loads as they are asked for. Text that an engine's terms forbid to show is
left out here again, whatever the archive holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from runner.errors import DataError
from runner.publishing.archive import FolderArchive, with_allowed_text
from runner.records.base import encode_line
from runner.records.published import BENCH_LABELS
from runner.records.reports import Report
from sitebuilder.archived import ARCHIVE, archived_runs
from sitebuilder.render import Page, Part, Site
from sitebuilder.shards import Index, ShownQuery, cut, is_whole, shown_queries, shown_text
from sitebuilder.web_links import host, is_web_address

FIRST_RESULTS = 120  # what the page shows of a bench, give or take a query
FIRST_QUERIES = 3
MAX_TRIED = 5  # unreadable runs, before a bench is given up


@dataclass(frozen=True)
class BenchJudgements:
    """What the page shows of a bench.

    `first` are the queries that stand in the page. `older` names earlier runs in the archive,
    newest first. `skipped` says which newer runs could not be read, and why. Without a usable run
    `index` is None.
    """

    bench: str
    label: str
    index: Index | None
    first: list[ShownQuery]
    files: dict[str, bytes]
    older: list[str]
    skipped: list[str]


def part(site: Site) -> Part:
    """The page and the shards of every bench that has an archived run."""
    archive = FolderArchive(site.data_path / ARCHIVE)
    benches = [_newest(site, archive, bench) for bench in BENCH_LABELS]
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


def _newest(site: Site, archive: FolderArchive, bench: str) -> BenchJudgements:
    runs = archived_runs(archive.root, bench, site.results.generated_at)
    skipped: list[str] = []
    for place, name in enumerate(runs):
        if len(skipped) == MAX_TRIED:
            break
        try:
            report = _allowed(archive, name, bench)
        except DataError as error:
            reason = str(error).replace(
                f"{archive.root}/", ""
            )  # a path of the machine says nothing
            skipped.append(f"{name} ({shown_text(reason, 160)})")
            continue
        if site.results.profile in (None, report.profile):
            queries = shown_queries(report)
            index, shards = cut(report, queries)
            folder = f"judgements/{bench}"
            files = {f"{folder}/{shard.number}.json": encode_line(shard) for shard in shards}
            files[f"{folder}/index.json"] = encode_line(index)
            older = runs[place + 1 :]
            return BenchJudgements(
                bench, BENCH_LABELS[bench], index, list(_first(queries)), files, older, skipped
            )
    return BenchJudgements(bench, BENCH_LABELS[bench], None, [], {}, [], skipped)


def _allowed(archive: FolderArchive, name: str, bench: str) -> Report:
    report = archive.load(name, bench)
    if report.bench != bench or report.run_id != name or not is_whole(report):
        path = archive.root / "runs" / name[:4] / name[5:7] / name / f"{bench}.json"
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
