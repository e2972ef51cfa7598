from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import runner.benches.needleif as package
from runner.benches.needleif.checks import CHECKS
from runner.benches.needleif.pool import load_pool
from runner.benches.needleif.score import score_files
from tests.runner.benches.needleif.made import record, write_lines
from tests.runner.benches.needleif.sources import NEEDLES

MODULES = "__init__ faults intervals metrics reading records score scoring stats summary table"
PROGRAM = """
import socket, sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
socket.socket = None
from copied import score, stats, table
def scored(_):
    return score.score_files(Path("records"), Path("responses"))
first = scored(0)
with ThreadPoolExecutor(int(sys.argv[1])) as threads:
    assert sum(each == first for each in threads.map(scored, range(199))) == 199
assert not {"msgspec", "httpx", "numpy", "runner"} & set(sys.modules)
print(ascii(first.results), first.summary)
"""
# PYTHONHASHSEED, LC_ALL and threads of a process that scores 200 times.
SURROUNDINGS = [
    ("0", "C", "1"),
    ("1", "C.UTF-8", "4"),
    ("77", "tr_TR.UTF-8", "2"),
    ("random", "de_DE.UTF-8", "8"),
    ("random", "", "3"),
]


def test_the_folder_alone_scores_from_the_command_line(tmp_path: Path) -> None:
    shutil.copytree(Path(package.__file__).parent, tmp_path / "needleif")
    write_lines(tmp_path / "records", [record("pair", c) for c in ("bare", "haystack")])
    write_lines(tmp_path / "answers", [{"id": "pair-bare", "response": "no comma at all"}])

    def scored(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-S", "-m", "needleif.score", *words],
            cwd=tmp_path,
            env={},
            capture_output=True,
            text=True,
            check=False,
        )

    done = scored("records", "answers")
    assert done.returncode == 0
    assert (
        json.loads(done.stdout) == score_files(tmp_path / "records", tmp_path / "answers").summary
    )
    assert done.stderr.startswith("needleif: 1 of 2 records have an answer; 1 pairs are left out")
    (tmp_path / "answers").write_text("{")
    for words, problem in [
        (("records", "answers"), "answers:1: not a line of JSON"),
        (("records", "none"), "No such file"),
        (("records",), "usage: "),
    ]:
        done = scored(*words)
        assert (done.returncode, done.stdout) == (2, "")
        assert problem in done.stderr
        assert len(done.stderr.splitlines()) == 1


def _answers(made: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """An answer to each record, with what checks look for and what looks nearly like it."""
    pieces = 'word, *b* **c** [d] <<e>> "f" - g ***\n P.S. {"h": 1} é ſ İ 🙂 Section 1 no.'.split(
        " "
    )
    rng = Random("answers")
    return [
        {"id": each["id"], "response": " ".join(rng.choice(pieces) for _ in range(n % 40))}
        for n, each in enumerate(made)
    ]


def test_1000_scorings_of_a_copied_folder_are_alike_under_any_hash_seed_locale_and_thread_count(
    tmp_path: Path,
) -> None:
    source, copy = Path(package.__file__).parent, tmp_path / "copied"
    shutil.copytree(source / "checks", copy / "checks")
    for name in MODULES.split():
        shutil.copy(source / f"{name}.py", copy)
    of_each = {
        name: (name, dict(arguments))
        for needle in load_pool(NEEDLES).needles
        for name, arguments in zip(needle.instruction_id_list, needle.kwargs, strict=True)
    }
    assert of_each.keys() == CHECKS.keys()
    slots = list(of_each.values())
    made = [
        record(f"pair-{n}", condition, *slots[n : n + 1 + n % 3], key=n)
        for n in range(len(slots))
        for condition in ("bare", "haystack")
    ]
    write_lines(tmp_path / "records", made)
    write_lines(tmp_path / "responses", _answers(made))
    outputs = set()
    for seed, locale, threads in SURROUNDINGS:
        done = subprocess.run(
            [sys.executable, "-S", "-c", PROGRAM, threads],
            cwd=tmp_path,
            env={"PYTHONHASHSEED": seed, "LC_ALL": locale},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        outputs.add(done.stdout)
    assert len(outputs) == 1
    here = score_files(tmp_path / "records", tmp_path / "responses")
    assert outputs == {f"{here.results!a} {here.summary}\n"}
    assert here.results.count("[true]") > 5
    assert here.results.count("[false]") > 5
