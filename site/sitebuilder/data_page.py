"""Every published file: what is in it, how large it is, its hash, and the schemas."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sitebuilder.prose import render_prose
from sitebuilder.render import CONTENT, Page, Part, Site
from sitebuilder.schemas import SCHEMA_FOLDER, Form, csv_form, forms, schema_files

# Files of a folder are listed one by one up to this number, else the folder is summed up.
LISTED_FILES = 24
PURPOSES = {
    "results/results.json": "every figure of the site",
    "results/results.csv": "one line for each bench, engine and metric",
    "results/results.md": "the tables as text",
    "results/results.pdf": "the tables on paper",
    "results/results.parquet": "the lines of results.csv with types",
    "data/history.jsonl": "one row for each run, bench and engine",
    "data/independence.json": "sums behind the independence tables",
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
    folders: dict[str, list[str]] = {}
    for name in sorted(files):
        folders.setdefault(name.rpartition("/")[0], []).append(name)
    listed: list[File] = []
    for folder, names in folders.items():
        if len(names) > LISTED_FILES:
            listed.append(_summed(folder, names, files))
        else:
            listed += [
                File(name, PURPOSES.get(name, ""), len(files[name]), _hash(files[name]))
                for name in names
            ]
    return listed


def _summed(folder: str, names: Sequence[str], files: Mapping[str, bytes]) -> File:
    size = sum(len(files[name]) for name in names)
    return File(f"{folder}/", "", size, None, len(names))


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
