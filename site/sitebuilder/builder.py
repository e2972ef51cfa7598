"""The whole site from a data directory, in one call."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from pathlib import Path

from runner.records.base import encode_document
from sitebuilder.assemble import build_results
from sitebuilder.dataset import read_dataset
from sitebuilder.exports import results_csv, results_json
from sitebuilder.independence import build_independence
from sitebuilder.results import Results
from sitebuilder.staging import check_target, replace_folder

# The parts of the site, in the order in which their pages are listed. The data page comes last:
# it describes the files of all parts.
PARTS = (
    "downloads",
    "dashboard",
    "results_page",
    "trends_page",
    "independence_page",
    "engines",
    "compare",
    "needleif_page",
    "runs_page",
    "history_pages",
    "methodology",
    "judgements",
    "badges",
    "pictures",
    "feed",
    "llms",
    "data_page",
)


@dataclass(frozen=True)
class SiteReport:
    """What was built: the folder, its files with sizes in bytes, and what the data lacked."""

    out: Path
    files: dict[str, int]
    results: Results
    warnings: list[str]


def build(
    data: Path,
    out: Path,
    *,
    as_of: datetime | None = None,
    now: datetime | None = None,
    base_url: str | None = None,
    archive: str | None = None,
) -> SiteReport:
    """Replaces `out` by the site of `data` as it stood at `as_of`; equal input, equal bytes.

    `now` serves one sentence only, the warning that the newest run is old; without it (and
    without `as_of`) there is none. `base_url` is where the site will be published,
    `archive` the data set of the hub, OWNER/NAME, whose runs pages link to. Raises
    UsageError for a folder that does not exist or must not be replaced, PublishError where the
    disk refuses.
    """
    from sitebuilder.render import Page, Part, Site, render_pages
    from sitebuilder.sitemap import crawler_files

    check_target(out, data)
    tables = read_dataset(data, as_of)
    independence = build_independence(tables)
    results = build_results(tables, independence, data)
    site = Site(results, tables, independence, data, base_url, as_of or now, as_of, archive=archive)
    site.files["results/results.json"] = results_json(results)
    site.files["results/results.csv"] = results_csv(results)
    site.files["data/history.jsonl"] = b"".join(line + b"\n" for line in tables.history_lines)
    if independence.sums:
        site.files["data/independence.json"] = encode_document(independence.sums)
    pages: list[Page] = []
    warnings = _warnings(data, results)
    for name in PARTS:
        part: Part = import_module(f"sitebuilder.{name}").part(site)
        pages += part.pages
        site.files.update(part.files)
        warnings += part.warnings
    site.files.update(crawler_files(site, pages))
    files = render_pages(site, pages) | site.files
    replace_folder(out, dict(sorted(files.items())))
    sizes = {name: len(content) for name, content in sorted(files.items())}
    return SiteReport(out, sizes, results, warnings)


def _warnings(data: Path, results: Results) -> list[str]:
    """One line for each reason for which lines or files could not be used."""
    return [
        f"{data / state.name}{f':{problem.first_line}' if problem.first_line else ''}: "
        f"{problem.reason} ({problem.count:,} left out)"
        for state in results.files
        for problem in state.problems
    ]
