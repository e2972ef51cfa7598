"""The forms of all published files: JSON Schemas, and their fields with unit and meaning.

Types come from the records, units and meanings from `content/fields.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from runner.records.base import encode_document
from runner.records.needleif import NeedleifRow
from runner.records.published import (
    HistoryRow,
    Independence,
    Intervals,
    LatestReport,
    OverlapRow,
    RunEntry,
    ScoresRow,
    UniquenessRow,
)
from runner.records.slots import SlotRow
from sitebuilder.exports import COLUMNS
from sitebuilder.render import CONTENT
from sitebuilder.results import Results

SCHEMA_FOLDER = "data/schema/"
DRAFT = "https://json-schema.org/draft/2020-12/schema"
# Name of the schema and the record; a row for JSONL files.
RECORDS: Mapping[str, Any] = {
    "history-row": HistoryRow,
    "overlap-row": OverlapRow,
    "uniqueness-row": UniquenessRow,
    "ci-scores-row": ScoresRow,
    "slots-row": SlotRow,
    "needleif-row": NeedleifRow,
    "ci": Intervals,
    "independence": Independence,
    "latest": LatestReport,
    "results": Results,
    "runs": list[RunEntry],
}
_TYPES = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "null": "null",
    "object": "object",
}


@dataclass(frozen=True)
class Field:
    name: str
    type: str
    unit: str
    meaning: str


@dataclass(frozen=True)
class Form:
    """A record with its fields; `note` is the first paragraph of its description."""

    name: str
    note: str
    fields: Sequence[Field]


def schema_files() -> dict[str, bytes]:
    """`data/schema/<name>.json` for each record."""
    return {f"{SCHEMA_FOLDER}{name}.json": encode_document(schema(name)) for name in RECORDS}


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a record as it stands in the published file."""
    made = msgspec.json.schema(RECORDS[name])
    definitions: dict[str, Any] = made.get("$defs", {})
    for title, definition in definitions.items():
        for field, part in definition.get("properties", {}).items():
            unit, meaning = _explained(title, field)
            part["description"] = f"{meaning} ({unit})" if unit else meaning
    if name == "history-row":
        _flatten_slices(definitions)
    return {"$schema": DRAFT, "title": name} | made


def _flatten_slices(definitions: dict[str, Any]) -> None:
    """In the file a slice is two flat fields, not an object; old rows have other names too."""
    row = definitions["HistoryRow"]
    del row["properties"]["slices"], definitions["SliceScore"]
    nullable = [{"type": "null"}]
    row["patternProperties"] = {
        "^[a-z_]+_recall$": {"anyOf": [{"type": "number", "minimum": 0, "maximum": 1}, *nullable]},
        "^[a-z_]+_n$": {"anyOf": [{"type": "integer", "minimum": 0}, *nullable]},
    }


def forms(name: str) -> list[Form]:
    """The record and those inside it, the outer one first."""
    definitions = schema(name).get("$defs", {})
    outer = next(iter(definitions)) if name == "runs" else RECORDS[name].__name__
    order = [outer, *(title for title in definitions if title != outer)]
    return [_form(title, definitions[title]) for title in order]


def csv_form() -> Form:
    """The columns of `results.csv`."""
    fields = [Field(name, "", *_explained("csv", name)) for name in COLUMNS]
    return Form("results.csv", "One line for each bench, engine and metric.", fields)


def _form(title: str, definition: Mapping[str, Any]) -> Form:
    note = definition.get("description", "").partition("\n\n")[0].replace("\n", " ")
    fields = [
        Field(name, type_text(part), *_explained(title, name))
        for name, part in definition["properties"].items()
    ]
    if "patternProperties" in definition:
        fields.append(Field("<slice>_recall", "number or null", "0 to 1", "recall of a slice"))
        fields.append(Field("<slice>_n", "whole number or null", "queries", "its scored queries"))
    return Form(title, note.replace("`", ""), fields)


def type_text(part: Mapping[str, Any]) -> str:
    """A JSON type in words: `number or null`, `list of text`, `Figure`."""
    if "$ref" in part:
        return str(part["$ref"]).rpartition("/")[2]
    if "anyOf" in part:
        return " or ".join(type_text(choice) for choice in part["anyOf"])
    if "enum" in part:
        return " or ".join(str(choice) for choice in part["enum"])
    if part.get("type") == "array":
        return f"list of {type_text(part.get('items', {}))}"
    if part.get("type") == "object" and isinstance(part.get("additionalProperties"), dict):
        return f"map to {type_text(part['additionalProperties'])}"
    return _TYPES.get(str(part.get("type")), "any")


@cache
def _meanings() -> dict[str, list[str]]:
    path = CONTENT / "fields.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _explained(title: str, field: str) -> tuple[str, str]:
    """Unit and meaning; both empty for a field that nobody explained yet."""
    known = _meanings()
    unit, meaning = known.get(f"{title}.{field}") or known.get(field) or ("", "")
    return unit, meaning
