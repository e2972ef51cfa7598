"""Every published file: what is in it, how large it is, its hash, and the schemas."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from sitebuilder.prose import render_prose
from sitebuilder.render import CONTENT, Page, Part, Site
from sitebuilder.schemas import SCHEMA_FOLDER, Form, csv_form, forms, schema_files

# Folders whose files are listed one by one; those of any other are summed up.
DATA_FOLDERS = ("results", "data", "history")
PURPOSES = {
    "results/results.json": "every figure of the site",
    "results/results.csv": "one line for each bench, engine and metric",
    "results/results.md": "the tables as text",
    "results/results.pdf": "the tables and charts on paper",
    "results/results.parquet": "the lines of results.csv with types",
    "results/needleif.csv": "one line for each model, group and metric of needleif",
    "data/needleif.jsonl": "one row for each run and model of needleif",
    "data/history.jsonl": "one row for each run, bench and engine of the last 180 days",
    "data/independence.json": "sums behind the independence tables",
    "badges/": "a badge for each engine and bench",
    "judgements/": "the judgements of the newest archived runs, in pieces",
    "pictures/": "pictures for links to the pages",
    "feed.xml": "Atom feed: new months, changes of the roster and of ranks",
    "llms.txt": "what a language model should know of this site",
}


@dataclass(frozen=True)
class File:
    """A published file, or a folder of many (`count` of them, without a hash)."""

    name: str
    purpose: str
    size: int
    sha256: str | None
    count: int = 1


def part(site: Site) -> Part:
    """`/data/` and the schemas; it describes the files of the parts before it."""
    path = CONTENT / "data.md"
    prose = render_prose(path.read_text(encoding="utf-8"), "../", path)
    schemas = schema_files()
    documented: list[tuple[str, str | None, list[Form]]] = [
        ("data/history.jsonl", "history-row", forms("history-row")),
        ("data/independence.json", "independence", forms("independence")),
        ("data/needleif.jsonl", "needleif-row", forms("needleif-row")),
        ("results/results.csv", None, [csv_form()]),
        ("results/results.json", "results", forms("results")),
    ]
    page = Page(
        folder="data/",
        template="data.html.j2",
        title=f"{prose.title}: Needle",
        description="Every file that Needle publishes: fields with types, units and meanings, "
        "sizes, SHA-256 hashes, licence and JSON Schemas.",
        context={
            "prose": prose,
            "published": _listed(site.files),
            "documented": [entry for entry in documented if entry[0] in site.files],
            "schemas": [name.removeprefix(SCHEMA_FOLDER) for name in schemas],
        },
    )
    return Part(pages=[page], files=schemas)


def _listed(files: Mapping[str, bytes]) -> list[File]:
    """Results and data first, each file; then what else there is, by folder."""
    listed = [
        _file(name, files[name])
        for folder in DATA_FOLDERS
        for name in sorted(files)
        if name.startswith(f"{folder}/")
    ]
    others: dict[str, list[bytes]] = {}
    for name, content in sorted(files.items()):
        top, slash, _ = name.partition("/")
        if top in DATA_FOLDERS:
            continue
        if slash:
            others.setdefault(f"{top}/", []).append(content)
        else:
            listed.append(_file(name, content))
    return listed + [
        File(name, PURPOSES.get(name, ""), sum(map(len, parts)), None, len(parts))
        for name, parts in others.items()
    ]


def _file(name: str, content: bytes) -> File:
    return File(name, PURPOSES.get(name, ""), len(content), _hash(content))


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
