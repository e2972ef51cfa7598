"""Pushing the data branch: real git, bare repositories of this machine, killed processes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runner.cli import main
from runner.publishing.branch import open_branch
from runner.publishing.branch_files import is_published, is_snapshot, present
from runner.publishing.push import Staged, apply_report
from runner.records.base import encode_document
from runner.records.reports import JudgedReport, decode_report
from runner.text import minute_ts, parse_time
from tests.runner.publishing.made import document, report, rows

BRANCH = "gh-pages"
RUNS = int(os.environ.get("NEEDLE_PUSH_RUNS", "5"))
SEED = int(os.environ.get("NEEDLE_PUSH_SEED", "7"))


def git(folder: Path, *words: str | Path) -> str:
    done = subprocess.run(
        ["git", "-C", folder, *words], check=True, capture_output=True, text=True, env=environ()
    )
    return done.stdout


def environ() -> dict[str, str]:
    """No settings of this machine, so that the tests pass on every other one."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    return kept | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": os.devnull}


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    """An empty repository; `file://` so that shallow fetches are real."""
    path = tmp_path / "remote.git"
    subprocess.run(["git", "init", "--quiet", "--bare", path], check=True, env=environ())
    return path


def clone(remote: Path, folder: Path) -> Path:
    subprocess.run(
        ["git", "clone", "--quiet", f"file://{remote}", folder],
        check=True,
        env=environ(),
        capture_output=True,
    )
    return folder


def write(report: JudgedReport, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{report.bench}-{report.run_id}.json"
    path.write_bytes(encode_document(report))
    return path


def push(data: Path, *reports: Path, more: Sequence[str] = (), tries: int = 8) -> int:
    words = ["push", "--report", *map(str, reports), "--data", str(data), "--branch", BRANCH]
    sleeps: list[float] = []

    async def sleep(seconds: float) -> None:
        sleeps.append(seconds)

    return main([*words, "--tries", str(tries), *more], environ(), sleep)


def tip(remote: Path, folder: Path) -> Path:
    """The files of the branch as a fresh clone has them."""
    subprocess.run(
        ["git", "clone", "--quiet", "--branch", BRANCH, f"file://{remote}", folder],
        check=True,
        env=environ(),
    )
    return folder


def files(data: Path) -> dict[str, bytes]:
    return {name: (data / name).read_bytes() for name in present(data, is_published)}


def tracked(remote: Path) -> set[str]:
    return set(git(remote, "ls-tree", "-r", "--name-only", BRANCH).split())


def subjects(remote: Path) -> list[str]:
    return git(remote, "log", "--reverse", "--format=%s", BRANCH).splitlines()


def test_the_first_push_to_an_empty_remote_makes_the_branch(remote: Path, tmp_path: Path) -> None:
    data = clone(remote, tmp_path / "data")
    assert push(data, write(report(), tmp_path)) == 0
    assert subjects(remote) == ["begin the data branch", "bench: 2026-11-15T10:17Z"]
    assert [row["engine"] for row in rows(tip(remote, tmp_path / "tip"), "history.jsonl")] == [
        "alpha",
        "beta",
        "ultimate",
    ]


def test_each_report_is_a_commit_and_a_second_push_is_none(remote: Path, tmp_path: Path) -> None:
    data = clone(remote, tmp_path / "data")
    first = write(report(), tmp_path)
    second = write(report(ts="2026-11-15T11:17Z"), tmp_path)
    assert push(data, first, second) == 0
    before = git(remote, "rev-parse", BRANCH)
    assert push(data, first, second) == 0
    assert git(remote, "rev-parse", BRANCH) == before
    assert subjects(remote)[1:] == ["bench: 2026-11-15T10:17Z", "bench: 2026-11-15T11:17Z"]


def test_a_push_from_an_old_clone_is_made_again_on_the_newer_state(
    remote: Path, tmp_path: Path
) -> None:
    ours, theirs = clone(remote, tmp_path / "ours"), clone(remote, tmp_path / "theirs")
    assert push(ours, write(report("news"), tmp_path)) == 0
    assert push(theirs, write(report("agentic_rare"), tmp_path)) == 0
    assert push(ours, write(report("news", "2026-11-15T11:17Z"), tmp_path)) == 0
    found = {
        (row["ts"], row["bench"]) for row in rows(tip(remote, tmp_path / "tip"), "history.jsonl")
    }
    assert found == {
        ("2026-11-15T10:17Z", "news"),
        ("2026-11-15T10:17Z", "agentic_rare"),
        ("2026-11-15T11:17Z", "news"),
    }


def reject(remote: Path, times: int) -> None:
    """Lets the remote refuse the next pushes."""
    hook = remote / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    counter = remote / "refused"
    hook.write_text(
        f"#!/bin/sh\nn=$(cat {counter} 2>/dev/null || echo 0)\n"
        f"[ $n -ge {times} ] && exit 0\necho $((n+1)) > {counter}\necho try later >&2\nexit 1\n"
    )
    hook.chmod(0o755)


def test_a_rejected_push_is_tried_again(remote: Path, tmp_path: Path) -> None:
    data = clone(remote, tmp_path / "data")
    reject(remote, 2)
    assert push(data, write(report(), tmp_path), tries=3) == 0
    assert len(rows(tip(remote, tmp_path / "tip"), "history.jsonl")) == 3


def test_the_last_refusal_leaves_the_report_and_fails_loudly(
    remote: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = clone(remote, tmp_path / "data")
    reject(remote, 99)
    batch = tmp_path / "batch"
    made = write(report("agentic_rare"), batch)
    assert push(data, made, tries=2) == 1
    said = capsys.readouterr().err
    assert "in 2 tries" in said
    assert "try later" in said
    kept = data / "unpublished" / "2026-11-15T1017Z-agentic_rare" / "report.json"
    assert kept.read_bytes() == made.read_bytes()
    assert f"needle push --report {data}/unpublished/*/report.json" in said
    (remote / "hooks" / "pre-receive").unlink()
    assert push(data, kept) == 0
    assert not any(name.startswith("unpublished") for name in tracked(remote))


def test_only_the_listed_files_are_committed(remote: Path, tmp_path: Path) -> None:
    data = clone(remote, tmp_path / "data")
    for name in (
        ".publish.lock",
        ".history.jsonl.17.tmp",
        "archive/runs/2026/11/x/news.json",
        "batches/x/report.json",
        "cache/hub/a",
        "history/needle-results-2026-10.csv",
        "history.jsonl.bak",
        "closed/.overlap.tmp",
        "key.txt",
    ):
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_text("stays at home")
    assert push(data, write(report(), tmp_path)) == 0
    assert tracked(remote) == {
        "ci.json",
        "ci_scores.jsonl",
        "claims.json",
        "families.json",
        "history.jsonl",
        "independence.json",
        "latest_news.json",
        "overlap.jsonl",
        "runs.json",
        "slots.jsonl",
        "uniqueness.jsonl",
    }
    assert (data / "key.txt").exists()
    assert (data / "history/needle-results-2026-10.csv").exists()


@pytest.mark.parametrize(
    ("name", "published", "snapshot"),
    [
        ("history.jsonl", True, False),
        ("latest_news.json", True, False),
        ("latest_other.json", False, False),
        ("closed/overlap/2026-W47.parquet", True, False),
        ("closed/overlap/.2026-W47.parquet.9.tmp", False, False),
        ("closed/overlap/2026-W47.parquet.9.tmp", False, False),
        ("history/needle-overall-2026-10.webp", False, True),
        ("history/.hidden/x.png", False, False),
        ("archive/runs/x.json", False, False),
        ("batches/a/report.json", False, False),
        (".publish.lock", False, False),
    ],
)
def test_what_may_be_committed(name: str, published: bool, snapshot: bool) -> None:
    assert (is_published(name), is_snapshot(name)) == (published, snapshot)


def test_gold_goes_along_with_the_newest_report_of_its_bench(remote: Path, tmp_path: Path) -> None:
    data = clone(remote, tmp_path / "data")
    made = report("finance", "2026-11-15T12:17Z")
    newer, older = tmp_path / "newer", tmp_path / "older"
    paths = [write(made, newer), write(report("finance"), older)]
    (newer / "queries.jsonl").write_bytes(b'{"gold":"new"}\n')
    (older / "queries.jsonl").write_bytes(b'{"gold":"old"}\n')
    assert push(data, *paths) == 0
    assert (tip(remote, tmp_path / "tip") / "gold.jsonl").read_bytes() == b'{"gold":"new"}\n'


def test_runs_that_were_never_pushed_are_not_thrown_away(
    remote: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = clone(remote, tmp_path / "data")
    assert push(data, write(report(), tmp_path)) == 0
    local = write(report(ts="2026-11-15T11:17Z"), tmp_path)
    assert main(["news", "publish", "--report", str(local), "--data", str(data)], environ()) == 0
    other = write(report("agentic_rare"), tmp_path)
    assert push(data, other) == 2
    assert "news 2026-11-15T1117Z" in capsys.readouterr().err
    assert push(data, other, local) == 0
    assert len(rows(tip(remote, tmp_path / "tip"), "history.jsonl")) == 9


def test_a_worktree_of_another_branch_is_refused(
    remote: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = clone(remote, tmp_path / "data")
    git(data, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--allow-empty", "-qm", "code")
    (data / "code.py").write_text("precious")
    assert push(data, write(report(), tmp_path)) == 2
    assert "not on gh-pages" in capsys.readouterr().err
    assert (data / "code.py").read_text() == "precious"


def test_a_folder_that_is_no_worktree_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "plain").mkdir()
    assert push(tmp_path / "plain", write(report(), tmp_path)) == 2
    assert "no worktree of the data branch" in capsys.readouterr().err


def test_a_login_in_the_remotes_address_is_never_shown(
    remote: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = clone(remote, tmp_path / "data")
    git(data, "remote", "set-url", "origin", "http://robot:geheim123@127.0.0.1:9/x.git")
    assert push(data, write(report(), tmp_path), tries=1) == 1
    said = "".join(capsys.readouterr())
    assert "geheim123" not in said
    assert "127.0.0.1:9" in said


def test_only_the_branch_is_fetched_and_only_its_newest_commit(
    remote: Path, tmp_path: Path
) -> None:
    ours = clone(remote, tmp_path / "ours")
    for hour in (10, 11, 12):
        assert push(ours, write(report(ts=f"2026-11-15T{hour}:17Z"), tmp_path)) == 0
    git(ours, "push", "-q", "origin", f"{BRANCH}:refs/heads/other")
    fresh = tmp_path / "fresh"
    subprocess.run(["git", "init", "-q", fresh], check=True, env=environ())
    git(fresh, "remote", "add", "origin", f"file://{remote}")
    assert push(fresh, write(report(ts="2026-11-15T13:17Z"), tmp_path)) == 0
    assert git(fresh, "rev-list", "--count", "HEAD").strip() == "2"
    assert "other" not in git(fresh, "for-each-ref")
    assert len(subjects(remote)) == 5


def test_a_worktree_beside_the_code_is_pushed_from_and_the_code_is_left_alone(
    remote: Path, tmp_path: Path
) -> None:
    assert push(clone(remote, tmp_path / "other"), write(report(), tmp_path)) == 0
    code = clone(remote, tmp_path / "code")
    git(code, "checkout", "-q", "--orphan", "main")
    git(code, "rm", "-rfq", "--ignore-unmatch", ".")
    for number in range(3):
        (code / "code.py").write_text(f"{number}")
        git(code, "add", "code.py")
        git(code, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", f"{number}")
    data = code / "data" / "live"
    git(code, "worktree", "add", "-q", "--track", "-b", BRANCH, data, f"origin/{BRANCH}")
    (code / "code.py").write_text("not committed yet")
    assert push(data, write(report(ts="2026-11-15T11:17Z"), tmp_path)) == 0
    assert len(subjects(remote)) == 3
    assert git(code, "rev-list", "--count", "main").strip() == "3"
    assert (code / "code.py").read_text() == "not committed yet"
    assert git(code, "symbolic-ref", "HEAD").strip() == "refs/heads/main"
    assert push(code / "data", write(report(), tmp_path)) == 2  # within the code's own worktree


def test_a_push_serves_the_slot_of_its_run(remote: Path, tmp_path: Path) -> None:
    data = clone(remote, tmp_path / "data")
    assert push(data, write(report(ts="2026-11-15T10:19Z"), tmp_path)) == 0
    assert rows(data, "slots.jsonl") == [
        {"ts": "2026-11-15T10:17Z", "bench": "news", "state": "ran", "run_ts": "2026-11-15T10:19Z"}
    ]


def test_what_a_killed_push_left_behind_does_not_stop_the_next(
    remote: Path, tmp_path: Path
) -> None:
    data = clone(remote, tmp_path / "data")
    assert push(data, write(report(), tmp_path)) == 0
    (data / ".git" / "index.lock").write_bytes(b"")
    (data / ".git" / "refs" / "heads" / f"{BRANCH}.lock").write_bytes(b"")
    (data / "history.jsonl").write_bytes(b'{"half a')
    (data / "latest_finance.json").write_bytes(b"{")
    assert push(data, write(report(ts="2026-11-15T11:17Z"), tmp_path)) == 0
    assert len(rows(data, "history.jsonl")) == 6
    assert "latest_finance.json" not in tracked(remote)


def test_a_caller_that_works_in_another_repository_keeps_it(remote: Path, tmp_path: Path) -> None:
    data, other = clone(remote, tmp_path / "data"), clone(remote, tmp_path / "other")
    env = environ() | {"GIT_DIR": str(other / ".git"), "GIT_INDEX_FILE": str(other / "index")}
    words = ["push", "--report", str(write(report(), tmp_path)), "--data", str(data)]
    assert main(words, env) == 0
    assert len(subjects(remote)) == 2
    assert git(other, "status", "--porcelain") == ""
    assert not (other / "index").exists()


def test_a_push_that_is_still_alive_makes_the_next_one_wait(remote: Path, tmp_path: Path) -> None:
    """A git that outlived its killed parent holds the worktree's lock until it has ended."""
    data = clone(remote, tmp_path / "data")
    with open_branch(data, BRANCH, remote="origin", environ=environ()) as branch:
        orphan = subprocess.Popen(
            ["sleep", "30"], pass_fds=(branch.lock,), stdout=subprocess.DEVNULL
        )
    made = write(report(), tmp_path)
    waiting = subprocess.Popen(
        [sys.executable, "-m", "runner", "push", "--report", made, "--data", data],
        env=environ(),
        stdout=subprocess.DEVNULL,
    )
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(3)
    finally:
        orphan.kill()
        orphan.wait()
    assert waiting.wait(60) == 0


def test_a_report_that_is_none_holds_up_no_other(
    remote: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = clone(remote, tmp_path / "data")
    broken = tmp_path / "broken.json"
    broken.write_bytes(b"{}")
    odd = write(msgspec.structs.replace(report("agentic_rare"), run_id="another"), tmp_path)
    assert push(data, broken, write(report(), tmp_path), odd) == 1
    said = capsys.readouterr().err
    assert f"left out {broken}" in said
    assert f"left out {odd}" in said
    assert "2 reports could not be published" in said
    assert len(subjects(remote)) == 2
    assert push(data, broken) == 1
    assert len(subjects(remote)) == 2


def test_a_broken_file_on_the_branch_leaves_the_report_and_is_named(
    remote: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = clone(remote, tmp_path / "data")
    assert push(data, write(report(), tmp_path)) == 0
    (data / "overlap.jsonl").write_bytes(b"{broken\n")
    git(data, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qam", "harm")
    git(data, "push", "-q", "origin", f"HEAD:{BRANCH}")
    assert push(data, write(report(ts="2026-11-15T11:17Z"), tmp_path)) == 1
    assert "overlap.jsonl:1" in capsys.readouterr().err
    assert (data / "unpublished" / "2026-11-15T1117Z-news" / "report.json").exists()


# Races


def worker(data: Path, reports: Path) -> subprocess.Popen[bytes]:
    """A process that pushes the reports of a folder in order, each until it is taken."""
    program = (
        "import sys, pathlib\n"
        "from runner.cli import main\n"
        "data, folder = sys.argv[1:]\n"
        "for path in sorted(pathlib.Path(folder).glob('*.json')):\n"
        "    words = ['push', '--report', str(path), '--data', data, '--tries', '20']\n"
        "    done = path.with_suffix('.done')\n"
        "    while not done.exists():\n"
        "        if main([*words, '--now', path.with_suffix('.now').read_text()]) == 0:\n"
        "            done.touch()\n"
    )
    with (reports / "errors.txt").open("ab") as errors:
        return subprocess.Popen(
            [sys.executable, "-c", program, data, reports],
            env=environ(),
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )


def stage(folder: Path, lane: int, count: int) -> None:
    """Reports of one process: benches that share minutes with those of the others."""
    folder.mkdir()
    bench = ("news", "agentic_rare")[lane % 2]
    for place in range(count):
        start = parse_time("2026-11-15T10:17Z") + timedelta(hours=place, minutes=lane // 2)
        path = write(
            report(
                bench, minute_ts(start), scores={"alpha": (0.5, lane / 10), "beta": (0.25, 1.0)}
            ),
            folder,
        )
        path.with_suffix(".now").write_text(minute_ts(start + timedelta(minutes=40)))


def replay(remote: Path, lanes: Sequence[Path], data: Path) -> None:
    """The same runs one after the other, in the order in which the branch took them."""
    data.mkdir()
    known: dict[tuple[str, str], Path] = {}
    for lane in lanes:
        for path in lane.glob("*.json"):
            made = decode_report(path.read_bytes())
            known[made.ts, made.bench] = path
    log = git(remote, "log", "--reverse", "--format=%H", BRANCH).split()
    for commit in log[1:]:
        ts = git(remote, "show", "-s", "--format=%s", commit).strip().removeprefix("bench: ")
        bench = git(remote, "show", "-s", "--format=%b", commit).strip()
        path = known.pop((ts, bench))
        content = path.read_bytes()
        now = parse_time(path.with_suffix(".now").read_text())
        apply_report(Staged(decode_report(content), content, b""), data, now)
    assert not known


@pytest.mark.parametrize(("lanes", "kills"), [(2, 6), (6, 12)])
def test_processes_that_race_and_are_killed_lose_and_double_nothing(
    remote: Path, tmp_path: Path, lanes: int, kills: int
) -> None:
    folders = [tmp_path / f"reports{lane}" for lane in range(lanes)]
    clones = [clone(remote, tmp_path / f"clone{lane}") for lane in range(lanes)]
    for lane, folder in enumerate(folders):
        stage(folder, lane, RUNS)
    rng = random.Random(SEED)
    workers = [worker(*pair) for pair in zip(clones, folders, strict=True)]
    deadline = time.monotonic() + 55 * max(1, RUNS // 5)
    try:
        while any(process.poll() is None for process in workers):
            assert time.monotonic() < deadline
            time.sleep(rng.uniform(0.1, 0.5))
            at = rng.randrange(lanes)
            if kills and workers[at].poll() is None:
                kills -= 1
                # half of the time git goes on without its parent
                is_alone = rng.random() < 0.5
                (os.kill if is_alone else os.killpg)(workers[at].pid, signal.SIGKILL)
                workers[at].wait()
                workers[at] = worker(clones[at], folders[at])
    finally:
        for process in workers:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    assert [process.returncode for process in workers] == [0] * lanes
    pushed = tip(remote, tmp_path / "tip")
    replayed = tmp_path / "replayed"
    replay(remote, folders, replayed)
    assert files(pushed) == files(replayed)
    keys = [(row["ts"], row["bench"], row["engine"]) for row in rows(pushed, "history.jsonl")]
    assert len(keys) == len(set(keys)) == lanes * RUNS * 3
    for name in ("overlap.jsonl", "ci_scores.jsonl"):
        found = [(row["ts"], row["bench"]) for row in rows(pushed, name)]
        assert len(found) == len(set(found)) == lanes * RUNS
    indexed: Any = document(pushed, "runs.json")
    assert sum(len(entry["published_at"]) for entry in indexed) == lanes * RUNS
