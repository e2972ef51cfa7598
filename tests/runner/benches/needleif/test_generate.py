"""The data set as bytes: the same in every process, on every version of Python, at every place."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from runner.benches.needleif.config import SAMPLE, SMOKE, Config
from runner.benches.needleif.generate import Job, differing_files, opened, write_dataset
from runner.benches.needleif.pool import Pool, load_pool, pool_file, pool_of
from runner.errors import UsageError
from runner.paths import ROOT
from tests.runner.benches.needleif.interpreters import other_pythons
from tests.runner.benches.needleif.sources import IFEVAL, NEEDLES, needs_shared, write_texts

SPLIT_FILES = ("test.jsonl", "train.jsonl", "val.jsonl")
SAMPLE_GRID = "3c3225f02287542cda56f455abe8f338849c5abc0d7d4c450aa9f1b4ff641b87"
PROGRAM = """
import sys
from dataclasses import replace
from pathlib import Path
from runner.benches.needleif.config import SAMPLE
from runner.benches.needleif.generate import opened, write_dataset
from runner.benches.needleif.pool import load_pool
needles, texts, out = sys.argv[1:]
for name, config in (("made", SAMPLE), ("text", replace(SAMPLE, haystack="text:" + texts))):
    write_dataset(opened(config, load_pool(Path(needles))), Path(out, name))
foreign = {name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names - {"runner"}
assert foreign <= {"__main__"}, foreign
"""


@cache
def sample_pool() -> Pool:
    return load_pool(NEEDLES)


def grid_hash(folder: Path) -> str:
    """The SHA-256 of the splits and the manifest, one after the other."""
    names = (*SPLIT_FILES, "manifest.json")
    return hashlib.sha256(b"".join((folder / n).read_bytes() for n in names)).hexdigest()


def written(config: Config, folder: Path, pool: Pool | None = None) -> Job:
    job = opened(config, pool or sample_pool())
    write_dataset(job, folder)
    return job


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_texts(tmp_path_factory.mktemp("texts"))


def test_sample_grid_has_its_known_hash_and_a_change_is_noticed(tmp_path: Path) -> None:
    job = written(SAMPLE, tmp_path)
    assert grid_hash(tmp_path) == SAMPLE_GRID
    assert differing_files(job, tmp_path) == []
    (tmp_path / "val.jsonl").write_bytes(b"")
    assert differing_files(job, tmp_path) == ["val.jsonl"]
    (tmp_path / "manifest.json").unlink()
    assert differing_files(job, tmp_path) == ["val.jsonl", "manifest.json"]


def test_other_seed_gives_other_bytes_in_every_file(tmp_path: Path) -> None:
    written(SAMPLE, tmp_path)
    other = opened(replace(SAMPLE, seed=667), sample_pool())
    assert differing_files(other, tmp_path) == [*SPLIT_FILES, "manifest.json"]


def _ran(python: str, texts: Path, out: Path, environment: dict[str, str]) -> list[str]:
    """The hashes of both grids, written by a process that has the standard library alone."""
    done = subprocess.run(
        [python, "-S", "-B", "-c", PROGRAM, str(NEEDLES), str(texts), str(out)],
        env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"], **environment},
        cwd=out,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return [grid_hash(out / name) for name in ("made", "text")]


def _expected(texts: Path, out: Path) -> list[str]:
    written(replace(SAMPLE, haystack=f"text:{texts}"), out / "here")
    return [SAMPLE_GRID, grid_hash(out / "here")]


@pytest.mark.parametrize(
    "environment",
    [
        {"TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "1", "LC_ALL": "C"},
        {"TZ": "America/Lima", "PYTHONHASHSEED": "77", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "0"},
        {"TZ": "UTC", "PYTHONHASHSEED": "random", "LC_ALL": "tr_TR.UTF-8"},
    ],
    ids=lambda environment: environment["TZ"],
)
def test_zone_locale_and_hash_seed_change_no_byte_and_no_package_is_used(
    texts: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    assert _ran(sys.executable, texts, tmp_path, environment) == _expected(texts, tmp_path)


def test_other_versions_of_python_give_the_same_bytes(texts: Path, tmp_path: Path) -> None:
    pythons = other_pythons()
    if not pythons:
        pytest.skip("no other Python from 3.11 on is installed here")
    expected = _expected(texts, tmp_path)
    for version, python in pythons.items():
        out = tmp_path / version
        out.mkdir()
        assert _ran(python, texts, out, {"PYTHONHASHSEED": "random"}) == expected, version


@pytest.mark.parametrize("pattern", ["", "/*.txt", "/[!q]*.txt"])
def test_order_in_which_a_folder_is_listed_changes_no_byte(
    texts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str
) -> None:
    config = replace(SAMPLE, haystack=f"text:{texts}{pattern}")
    written(config, tmp_path / "plain")
    listed = {"iterdir": Path.iterdir, "glob": Path.glob}
    orders = []

    def shuffled(method: str, seed: int) -> Any:
        def listing(self: Path, *args: str) -> Iterator[Path]:
            found = sorted(listed[method](self, *args))
            Random(seed).shuffle(found)
            orders.append([path.name for path in found])
            return iter(found)

        return listing

    for seed in range(4):
        for method in listed:
            monkeypatch.setattr(Path, method, shuffled(method, seed))
        written(config, tmp_path / str(seed))
        assert grid_hash(tmp_path / str(seed)) == grid_hash(tmp_path / "plain")
    assert len({tuple(order) for order in orders}) > 1


def test_further_bucket_and_split_leave_the_other_lines_as_they_were(tmp_path: Path) -> None:
    written(SAMPLE, tmp_path / "before")
    pairs = {**SAMPLE.pairs, "8k": 3}
    written(replace(SAMPLE, pairs=pairs, splits={"test": 1.0, "val": 1.0}), tmp_path / "after")
    for name in ("test.jsonl", "val.jsonl"):
        before = (tmp_path / "before" / name).read_bytes()
        assert (tmp_path / "after" / name).read_bytes().startswith(before)
    assert not (tmp_path / "after" / "train.jsonl").exists()


@pytest.mark.parametrize("path", [NEEDLES, pytest.param(IFEVAL, marks=needs_shared)])
def test_pool_file_gives_the_same_splits_as_its_source(tmp_path: Path, path: Path) -> None:
    pool = load_pool(path)
    own = pool_of(Path("pool"), pool_file(pool).decode())
    assert write_dataset(opened(SMOKE, pool), tmp_path / "a") == write_dataset(
        opened(SMOKE, own), tmp_path / "b"
    )


def test_manifest_says_what_the_data_set_is_made_of_and_neither_when_nor_where(
    texts: Path, tmp_path: Path
) -> None:
    written(replace(SMOKE, haystack=f"text:{texts}"), tmp_path)
    text = (tmp_path / "manifest.json").read_text(encoding="utf-8")
    assert str(texts) not in text
    assert str(tmp_path) not in text
    manifest = json.loads(text)
    assert list(manifest) == [
        "schema_version",
        "config",
        "seed",
        "tokenizer",
        "has_chat_template",
        "haystack",
        "wrapper_version",
        "needles",
        "files",
    ]
    assert manifest["files"] == {
        name: hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() for name in SPLIT_FILES
    }
    assert manifest["config"]["haystack"] == "text"
    assert (manifest["needles"]["simple"], manifest["needles"]["complex"]) == (44, 22)


def test_progress_is_told_pair_by_pair(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    job = replace(opened(SMOKE, sample_pool()), progress=lambda *done: told.append(done))
    write_dataset(job, tmp_path)
    assert told == [(n, 18) for n in range(1, 19)]


def test_run_that_breaks_off_leaves_the_old_files(tmp_path: Path) -> None:
    written(SMOKE, tmp_path)
    before = grid_hash(tmp_path)

    def interrupt(done: int, _: int) -> None:
        if done == 10:
            raise KeyboardInterrupt

    job = replace(opened(replace(SMOKE, seed=1), sample_pool()), progress=interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_dataset(job, tmp_path)
    assert grid_hash(tmp_path) == before
    assert {path.name for path in tmp_path.iterdir()} == {*SPLIT_FILES, "manifest.json"}


def test_bucket_that_holds_no_three_sentences_is_named() -> None:
    job = opened(replace(SMOKE, output_reserve=880), sample_pool())
    with pytest.raises(UsageError, match=r"bucket 1k: the budget of 76 tokens holds the needle"):
        differing_files(job, Path("nowhere"))


def test_split_with_less_text_than_a_body_is_named_with_both_sizes(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text("It rained on.\n\n" * 300, encoding="utf-8")
    job = opened(replace(SMOKE, haystack=f"text:{tmp_path}"), sample_pool())
    message = r"bucket 2k: all text of the split test makes a prompt of \d+ tokens and \d+"
    with pytest.raises(UsageError, match=message):
        differing_files(job, Path("nowhere"))


def test_needle_that_the_haystack_holds_already_is_named(tmp_path: Path) -> None:
    needle = replace(sample_pool().of_complexity("simple")[0], text="It rained.", source_key=7)
    (tmp_path / "a.txt").write_text("It rained. It shone.\n\n" * 3000, encoding="utf-8")
    config = replace(
        SMOKE,
        haystack=f"text:{tmp_path}",
        complex_fraction=0.0,
        pairs={"1k": 1},
        splits={"test": 1.0},
    )
    job = opened(config, Pool(needles=(needle,), dropped={}))
    with pytest.raises(UsageError, match="text of needle 7 is in its haystack already"):
        differing_files(job, Path("nowhere"))


def test_books_of_a_pg19_folder_are_named_so_in_records_and_manifest(
    texts: Path, tmp_path: Path
) -> None:
    job = opened(replace(SMOKE, haystack="pg19"), sample_pool(), pg19_folder=texts)
    write_dataset(job, tmp_path)
    lines = (tmp_path / "test.jsonl").read_text(encoding="utf-8").split("\n")
    assert json.loads(lines[1])["metadata"]["haystack_source"] == "pg19"
    assert json.loads((tmp_path / "manifest.json").read_bytes())["haystack"]["source"] == "pg19"


@pytest.mark.parametrize(
    ("haystack", "message"),
    [
        ("pg19", "needs --pg19-cache FOLDER"),
        ("text:", "expected programmatic, text:PATH"),
        ("books", "expected programmatic, text:PATH"),
        ("text:/no/such/folder/anywhere", r"no \.txt file there"),
    ],
)
def test_haystack_that_is_not_there_is_refused(haystack: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        opened(replace(SMOKE, haystack=haystack), sample_pool())
