"""The card: what it declares and says, and that `datasets` loads the files by it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from runner.benches.needleif.card import (
    ARGUMENTS,
    FIELDS,
    Field,
    card,
    card_of,
    data_file,
    front_matter,
)
from runner.benches.needleif.checks import CHECKS
from runner.benches.needleif.dataset_folder import read_dataset
from runner.benches.needleif.records import record_lines
from runner.benches.needleif.score import score_files
from runner.paths import ROOT
from tests.runner.benches.needleif.dataset import read_rows, write_filled
from tests.runner.benches.needleif.made import NO_COMMA, Instruction, record, write_lines

SPLITS = ("test", "train", "val")
MIB = 1 << 20


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_filled(tmp_path_factory.mktemp("filled"))


def repository(folder: Path, files: dict[str, Path], readme: str | None) -> Path:
    """The folder laid out as the repository on the hub."""
    for split, path in files.items():
        target = folder / data_file(split)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    if readme is not None:
        (folder / "README.md").write_text(readme, encoding="utf-8")
    return folder


def load_back(folder: Path, out: Path) -> subprocess.CompletedProcess[str]:
    out.mkdir()
    program = [sys.executable, "-m", "tests.runner.benches.needleif.load_back"]
    given = [str(folder), str(out), str(out.with_name(f"{out.name}-cache"))]
    return subprocess.run(
        program + given, cwd=ROOT, capture_output=True, text=True, env=dict(os.environ), check=False
    )


def without_nulls(row: dict[str, Any]) -> dict[str, Any]:
    """The row as the scorer sees it: no argument that is null."""
    slots = row["metadata"]["kwargs"]
    kept = [{k: v for k, v in slot.items() if v is not None} for slot in slots]
    return {**row, "metadata": {**row["metadata"], "kwargs": kept}}


def answers(rows: list[dict[str, Any]], path: Path) -> Path:
    """Responses of which some pass and some do not."""
    texts = ["plain", "one, two", '"A word of tea"', "", "x" * 9]
    return write_lines(
        path, [{"id": row["id"], "response": texts[i % 5]} for i, row in enumerate(rows)]
    )


# What is declared


def test_every_field_of_a_record_is_declared_in_its_order(filled: Path) -> None:
    row = read_rows(filled / "test.jsonl")[0]
    assert [field.name for field in FIELDS] == list(row)
    by_name = {field.name: field for field in FIELDS}
    assert [f.name for f in by_name["metadata"].fields] == list(row["metadata"])
    assert [f.name for f in by_name["messages"].fields] == list(row["messages"][0])


def test_the_arguments_are_those_of_the_17_checks() -> None:
    kinds = {"count": "int64", "words": "strings"}
    needed = {
        parameter.name: kinds.get(parameter.kind, "string")
        for _, parameters in CHECKS.values()
        for parameter in parameters
    }
    assert {field.name: field.type for field in ARGUMENTS} == needed
    assert (len(CHECKS), len(ARGUMENTS)) == (17, 17)


def test_the_front_matter_is_that_of_the_specification() -> None:
    yaml = pytest.importorskip("yaml")
    front = front_matter()
    assert front.startswith("---\n")
    assert front.endswith("\n---\n")
    known = yaml.safe_load(front.strip().strip("-"))
    features = known.pop("dataset_info")["features"]
    assert known == {
        "license": "apache-2.0",
        "language": ["en"],
        "pretty_name": "needleif",
        "tags": [
            "long-context",
            "instruction-following",
            "ifeval",
            "needle-in-a-haystack",
            "evaluation",
        ],
        "task_categories": ["text-generation"],
        "configs": [
            {
                "config_name": "default",
                "data_files": [
                    {"split": split, "path": f"data/full/{split}.jsonl"} for split in SPLITS
                ],
            }
        ],
    }
    assert [each["name"] for each in features] == ["id", "pair_id", "messages", "metadata"]
    metadata = {each["name"]: each for each in features[3]["struct"]}
    assert metadata["depth_percent"]["dtype"] == "float64"
    assert metadata["needle_char_offset"]["dtype"] == "int64"
    assert metadata["needle_marker"]["dtype"] == "string"
    assert metadata["instruction_id_list"]["sequence"] == "string"
    assert {each["name"]: each for each in metadata["kwargs"]["list"]}["keywords"] == {
        "name": "keywords",
        "sequence": "string",
    }


# What is said


def test_the_card_has_the_figures_of_the_files(filled: Path) -> None:
    text = card(filled)
    assert "| records | 12 | 12 | 12 |" in text
    assert "| pairs | 6 | 6 | 6 |" in text
    assert "| pairs, 1k | 3 | 3 | 3 |" in text
    assert "| pairs at 50 % | 2 | 2 | 2 |" in text
    assert "| pairs, complex | 2 | 2 | 2 |" in text
    assert "| seed | 666 |" in text
    assert "| reference tokenizer | `words` |" in text
    assert "| version of the wording | 1 |" in text
    assert "IFEval" in text
    assert "made by a program" in text
    assert "| `metadata.kwargs[]` | list of string | `keywords`, `forbidden_words` |" in text


def test_the_card_is_the_same_again_and_names_no_path(filled: Path) -> None:
    assert card(filled) == card(filled)
    assert str(filled) not in card(filled)


@pytest.mark.parametrize(
    ("haystack", "told", "not_told"),
    [
        ({"source": "pg19", "origin": "emozilla/pg19@0123", "revision": "7"}, "DeepMind", "suppl"),
        ({"source": "pg19", "revision": "7"}, "books like those of PG19", "DeepMind"),
        ({"source": "text", "revision": "7"}, "texts that whoever generated", "PG19"),
    ],
)
def test_the_documents_are_attributed_to_where_they_come_from(
    filled: Path, haystack: dict[str, str], told: str, not_told: str
) -> None:
    dataset = read_dataset(filled)
    text = card_of(replace(dataset, manifest={**dataset.manifest, "haystack": haystack}))
    attribution = text.partition("## Attribution")[2]
    assert told in attribution
    assert not_told not in attribution
    assert haystack.get("origin", "`7`") in attribution


def test_needles_of_another_source_are_not_called_those_of_ifeval(filled: Path) -> None:
    text = card_of(replace(read_dataset(filled), needle_sources=("mine",)))
    attribution = text.partition("## Attribution")[2]
    assert "The needles of the source `mine` were supplied by whoever" in attribution
    assert "IFEval" not in attribution


def test_every_field_stands_in_the_schema(filled: Path) -> None:
    text = card(filled)

    def names(fields: tuple[Field, ...], prefix: str) -> Iterator[str]:
        for field in fields:
            yield prefix + field.name
            if field.fields is not ARGUMENTS:
                yield from names(field.fields, f"{prefix}{field.name}.")

    for name in names(FIELDS, ""):
        assert f"| `{name}` |" in text
    assert all(f"`{field.name}`" in text for field in ARGUMENTS)


# Loaded back


def test_what_datasets_loads_is_what_was_written(filled: Path, tmp_path: Path) -> None:
    files = {
        "test": filled / "test.jsonl",
        "train": filled / "train.filled.jsonl",
        "val": filled / "val.filled.jsonl",
    }
    held = repository(tmp_path / "held", files, card(filled))
    done = load_back(held, tmp_path / "out")
    assert done.returncode == 0, done.stderr[-2_000:]
    for split, path in files.items():
        rows = read_rows(tmp_path / "out" / f"{split}.jsonl")
        assert {len(slot) for row in rows for slot in row["metadata"]["kwargs"]} == {17}
        # once its nulls are dropped and its slots in their order again, it is the very file
        originals = read_rows(path)
        assert [without_nulls(row) for row in rows] == originals
        given = answers(originals, tmp_path / f"{split}-answers.jsonl")
        loaded = tmp_path / "out" / f"{split}.jsonl"
        assert score_files(loaded, given).results == score_files(path, given).results
        if split != "test":
            assert score_files(loaded, None).results == score_files(path, None).results


def late_files(folder: Path) -> dict[str, Path]:
    """Files whose first 10 MiB have null where integers follow, and other arguments than later."""
    late: list[Instruction] = [
        ("keywords:existence", {"keywords": ["rain", "tea"]}),
        ("length_constraints:number_words", {"num_words": 3, "relation": "at least"}),
        ("startend:end_checker", {"end_phrase": "stopped."}),
        ("detectable_format:number_bullet_lists", {"num_bullets": 0}),
    ]
    files = {}
    for number, split in enumerate(SPLITS):
        rows = []
        for i in range(12):
            bare = record(f"{number}{i:015x}", "bare", NO_COMMA, split=split)
            bare["messages"][0]["content"] += "\n" + "lorem " * (MIB // 6)
            rows.append(bare)
        for i, slot in enumerate(late):
            rows += [
                record(f"{number}f{i:014x}", condition, slot, NO_COMMA, split=split)
                for condition in ("bare", "haystack")
            ]
        path = folder / f"{split}.jsonl"
        path.write_bytes(record_lines(rows))
        first = path.read_bytes()[: 10 * MIB]
        assert b'"needle_char_offset": 12' not in first
        assert b'"keywords": [' not in first
        files[split] = path
    return files


def test_nulls_through_the_first_10_mib_and_other_arguments_later_load(tmp_path: Path) -> None:
    files = late_files(tmp_path)
    held = repository(tmp_path / "held", files, front_matter())
    done = load_back(held, tmp_path / "out")
    assert done.returncode == 0, done.stderr[-2_000:]
    for split, path in files.items():
        loaded, originals = tmp_path / "out" / f"{split}.jsonl", read_rows(path)
        assert [without_nulls(row) for row in read_rows(loaded)] == originals
        given = answers(originals, tmp_path / f"{split}-answers.jsonl")
        assert score_files(loaded, given).results == score_files(path, given).results


def test_without_the_declared_types_the_same_files_do_not_load(tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    known = yaml.safe_load(front_matter().strip().strip("-"))
    del known["dataset_info"]
    bare = "---\n" + json.dumps(known) + "\n---\n"
    done = load_back(repository(tmp_path / "held", late_files(tmp_path), bare), tmp_path / "out")
    assert done.returncode != 0
    assert re.search(r"Couldn't cast array of type \w+ to null", done.stderr)
