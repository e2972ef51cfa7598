from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import runner.benches.needleif as package
from runner.benches.needleif.score import score_files
from tests.runner.benches.needleif.made import record, write_lines

MODULES = "__init__ faults intervals metrics reading records score scoring stats summary table"
PROGRAM = """
import socket, sys, threading
from pathlib import Path
socket.socket = None
from copied import score, stats, table
found = []
def run():
    found.append(score.score_files(Path("records"), Path("responses")))
threads = [threading.Thread(target=run) for _ in range(int(sys.argv[1]))]
[each.start() for each in threads]
[each.join() for each in threads]
assert all(each == found[0] for each in found) and len(found) == len(threads)
assert not {"msgspec", "httpx", "numpy", "runner"} & set(sys.modules)
print(ascii(found[0].results), found[0].summary)
"""


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


def test_a_copied_folder_scores_alike_under_any_hash_seed_locale_and_thread_count(
    tmp_path: Path,
) -> None:
    source, copy = Path(package.__file__).parent, tmp_path / "copied"
    shutil.copytree(source / "checks", copy / "checks")
    for name in MODULES.split():
        shutil.copy(source / f"{name}.py", copy)
    made = [record(f"pair-{n}", c, key=n) for n in range(12) for c in ("bare", "haystack")]
    write_lines(tmp_path / "records", made)
    answers = [{"id": r["id"], "responses": ["é", "a, b"[: n % 4]]} for n, r in enumerate(made)]
    write_lines(tmp_path / "responses", answers)
    outputs = set()
    for seed, locale, threads in [("0", "C", "1"), ("1", "C.UTF-8", "4"), ("77", "tr_TR", "2")]:
        done = subprocess.run(
            [sys.executable, "-S", "-c", PROGRAM, threads],
            cwd=tmp_path,
            env={"PYTHONHASHSEED": seed, "LC_ALL": locale},
            capture_output=True,
            check=True,
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1
