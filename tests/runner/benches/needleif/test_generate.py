"""The data set as a whole: the same bytes everywhere, and every rule of its records."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from runner.benches.needleif.config import FULL, SAMPLE
from runner.benches.needleif.generate import differing_files, opened, write_dataset
from runner.benches.needleif.pool import load_pool, pool_file, pool_of
from runner.benches.needleif.stats import dataset_stats
from runner.paths import ROOT
from runner.paths import SAMPLE as SAMPLE_FOLDER

NEEDLES = SAMPLE_FOLDER / "needleif" / "needles.jsonl"
SHARED = ROOT.parent / "shared" / "data" / "needleif"
SAMPLE_GRID = "3c3225f02287542cda56f455abe8f338849c5abc0d7d4c450aa9f1b4ff641b87"
needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the IFEval prompts and the books are not beside the repository"
)


def _grid_hash(folder: Path) -> str:
    names = ("test.jsonl", "train.jsonl", "val.jsonl", "manifest.json")
    return hashlib.sha256(b"".join((folder / n).read_bytes() for n in names)).hexdigest()


def test_sample_grid_has_its_known_hash_and_breaks_no_rule(tmp_path: Path) -> None:
    job = opened(SAMPLE, load_pool(NEEDLES))
    write_dataset(job, tmp_path)
    assert _grid_hash(tmp_path) == SAMPLE_GRID
    stats = dataset_stats([tmp_path / f"{s}.jsonl" for s in ("test", "train", "val")])
    assert (stats["broken"], stats["shared_needles"]) == ([], 0)
    assert differing_files(job, tmp_path) == []
    (tmp_path / "val.jsonl").write_bytes(b"")
    assert differing_files(job, tmp_path) == ["val.jsonl"]


@pytest.mark.parametrize(("zone", "seed"), [("Pacific/Kiritimati", "1"), ("America/Lima", "77")])
def test_other_zone_and_hash_seed_give_the_same_bytes(tmp_path: Path, zone: str, seed: str) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from runner.benches.needleif.config import SAMPLE\n"
        "from runner.benches.needleif.generate import opened, write_dataset\n"
        "from runner.benches.needleif.pool import load_pool\n"
        "write_dataset(opened(SAMPLE, load_pool(Path(sys.argv[1]))), Path(sys.argv[2]))"
    )
    env = {**os.environ, "TZ": zone, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", code, str(NEEDLES), str(tmp_path)]
    subprocess.run(command, env=env, cwd=ROOT, check=True)
    assert _grid_hash(tmp_path) == SAMPLE_GRID


def test_sample_pool_has_44_simple_and_22_complex_needles_for_all_checks() -> None:
    pool = load_pool(NEEDLES)
    assert Counter(n.complexity for n in pool.needles) == {"simple": 44, "complex": 22}
    assert len({i for n in pool.needles for i in n.instruction_id_list}) == 17
    assert pool_of(Path("x"), pool_file(pool).decode()).needles == pool.needles


@needs_shared
def test_ifeval_pool_has_209_simple_and_106_complex_needles() -> None:
    pool = load_pool(SHARED / "ifeval" / "input_data.jsonl")
    assert Counter(n.complexity for n in pool.needles) == {"simple": 209, "complex": 106}
    assert sum(len(n.instruction_id_list) for n in pool.needles) == 440


@needs_shared
def test_books_give_sound_records_with_cycling_depths(tmp_path: Path) -> None:
    pool = load_pool(SHARED / "ifeval" / "input_data.jsonl")
    config = replace(FULL, haystack=f"text:{SHARED / 'books'}", pairs={"4k": 8, "8k": 12})
    write_dataset(opened(config, pool), tmp_path)
    stats = dataset_stats([tmp_path / f"{s}.jsonl" for s in ("test", "train", "val")])
    assert (stats["broken"], stats["shared_needles"]) == ([], 0)
    lines = (tmp_path / "test.jsonl").read_text(encoding="utf-8").split("\n")[1::2]
    found = [json.loads(line)["metadata"] for line in lines]
    assert [m["depth_percent"] for m in found][:8] == [10.0, 50.0, 90.0] * 2 + [10.0, 50.0]
    assert all(m["total_prompt_tokens"] >= 0.9 * m["prompt_token_budget"] for m in found)
