"""What a configuration may say, and what it is where it is silent."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from runner.benches.needleif.config import (
    FULL,
    SAMPLE,
    SMOKE,
    Config,
    config_json,
    config_of,
    load_config,
)
from runner.errors import DataError, UsageError


def test_full_configuration_has_300_pairs_from_4k_to_128k() -> None:
    assert config_json(FULL) == {
        "seed": 666,
        "tokenizer": "words",
        "haystack": "pg19",
        "depths": [10.0, 50.0, 90.0],
        "complex_fraction": 0.3333333333,
        "output_reserve": 2048,
        "safety_margin": 16,
        "pairs": {"4k": 8, "8k": 12, "16k": 16, "32k": 20, "64k": 22, "128k": 22},
        "splits": {"test": 1.0, "train": 1.0, "val": 1.0},
    }
    assert sum(FULL.pairs.values()) * sum(FULL.splits.values()) == 300


def test_smoke_and_sample_need_no_file_and_no_package() -> None:
    assert [(c.haystack, c.tokenizer, c.output_reserve) for c in (SMOKE, SAMPLE)] == [
        ("programmatic", "words", 256)
    ] * 2
    assert dict(SMOKE.pairs) == {"1k": 3, "2k": 3}
    assert dict(SAMPLE.pairs) == {"1k": 6, "2k": 6, "4k": 6}


TOML = """
seed = 7
depths = [0, 25.5, 100]
output_reserve = { "2k" = 128 }
[pairs]
"8k" = 3
"2k" = 0
[splits]
val = 2
test = 1
"""


def test_toml_and_json_give_the_same_and_are_silent_as_the_full_configuration(
    tmp_path: Path,
) -> None:
    (tmp_path / "c.toml").write_text(TOML, encoding="utf-8")
    values = {
        "seed": 7,
        "depths": [0, 25.5, 100],
        "output_reserve": {"2k": 128},
        "pairs": {"8k": 3, "2k": 0},
        "splits": {"val": 2, "test": 1},
    }
    (tmp_path / "c.json").write_text(json.dumps(values), encoding="utf-8")
    config = load_config(tmp_path / "c.toml")
    assert config == load_config(tmp_path / "c.json")
    assert (config.tokenizer, config.haystack) == ("words", "pg19")
    assert config.depths == (0.0, 25.5, 100.0)
    assert list(config.pairs) == ["8k", "2k"]  # as written
    assert list(config.splits.items()) == [("test", 1.0), ("val", 2.0)]  # always in this order


def test_manifest_form_of_a_configuration_reads_back() -> None:
    config = config_of({"seed": 1, "output_reserve": {"8k": 5}, "splits": {"train": 0.5}})
    assert config_of(json.loads(json.dumps(config_json(config)))) == config


def test_path_to_texts_stays_out_of_the_manifest() -> None:
    assert config_json(Config(haystack="text:/home/someone/books"))["haystack"] == "text"


REFUSED: list[tuple[str, Any, str]] = [
    ("sed", 3, "unknown key 'sed'; known: seed, tokenizer, haystack"),
    ("seed", 3.0, "seed: expected a whole number, found 3.0"),
    ("seed", True, "seed: expected a whole number"),
    ("seed", "3", "seed: expected a whole number"),
    ("tokenizer", "", "tokenizer: expected a name"),
    ("haystack", 3, "haystack: expected a name"),
    ("depths", [], "depths: expected a list of percentages from 0 to 100"),
    ("depths", [101], "depths: expected a list of percentages"),
    ("depths", [-1], "depths: expected a list of percentages"),
    ("depths", [True], "depths: expected a list of percentages"),
    ("depths", [float("nan")], "depths: expected a list of percentages"),
    ("depths", 50, "depths: expected a list of percentages"),
    ("complex_fraction", 1.01, "complex_fraction: expected a number from 0 to 1"),
    ("complex_fraction", float("nan"), "complex_fraction: expected a number from 0 to 1"),
    ("complex_fraction", "1/3", "complex_fraction: expected a number from 0 to 1"),
    ("output_reserve", -1, "output_reserve: expected a whole number from 0 up"),
    ("output_reserve", 2.5, "output_reserve: expected a whole number from 0 up"),
    ("output_reserve", {}, "output_reserve: expected a table of tokens by bucket"),
    ("output_reserve", {"8k": -1}, "output_reserve: expected a whole number of tokens for 8k"),
    ("safety_margin", -1, "safety_margin: expected a whole number from 0 up"),
    ("pairs", {}, 'pairs: expected a table of pairs by bucket, such as "8k" = 12'),
    ("pairs", 12, "pairs: expected a table of pairs by bucket"),
    ("pairs", {"8k": 1.5}, "pairs: expected a whole number of pairs for 8k"),
    ("pairs", {"8K": 1}, "bucket '8K': expected a number of kibitokens"),
    ("splits", {}, "splits: expected multiples for test, train, val"),
    ("splits", {"dev": 1}, "splits: expected multiples for test, train, val"),
    ("splits", {"test": -1}, "splits: expected multiples for test, train, val"),
    ("splits", {"test": "1"}, "splits: expected multiples for test, train, val"),
    ("splits", ["test"], "splits: expected multiples for test, train, val"),
]


@pytest.mark.parametrize(("name", "value", "problem"), REFUSED)
def test_wrong_value_is_named_with_what_was_expected(name: str, value: Any, problem: str) -> None:
    with pytest.raises(UsageError, match=re.escape(problem)):
        config_of({name: value})


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("c.toml", "seed = ", "neither TOML nor JSON"),
        ("c.json", "{", "neither TOML nor JSON"),
        ("c.json", '{"a":' * 100_000, "neither TOML nor JSON"),
        ("c.toml", "depths = " + "[" * 100_000, "neither TOML nor JSON"),
        ("c.json", "[1]", "expected a table of keys"),
        ("c.json", "3", "expected a table of keys"),
        ("c.toml", "sed = 3", "unknown key 'sed'"),
    ],
)
def test_file_that_says_nothing_sensible_is_named(
    tmp_path: Path, name: str, text: str, problem: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=rf"{re.escape(name)}: .*{problem}"):
        load_config(tmp_path / name)


def test_file_that_is_not_there_or_not_utf8_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.toml: cannot be read"):
        load_config(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes('haystack = "é"'.encode("latin-1"))
    with pytest.raises(DataError, match=r"latin\.toml: neither TOML nor JSON"):
        load_config(tmp_path / "latin.toml")
