"""A run that is killed in the middle and started again: nothing lost, doubled or paid twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fakes import FakeWorld, Fault
from tests.live import ENGINES, environ, holds_a_key, run_live, words

SEARCH_HOSTS = ("api.keenable.ai", "api.exa.ai", "google.serper.dev", "api.search.brave.com")
PAID = (*SEARCH_HOSTS, "openrouter.ai")
SLOW = [Fault(host=host, kind="delay", seconds=0.25) for host in PAID]

FLAGS = ("--no-latency", "--judge-concurrency", "32")


def _start(world: FakeWorld, data: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "runner", *words(data, *FLAGS)],
        env={**os.environ, **environ(world)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        # whoever starts the tests in the background may have interrupts ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def _answered(world: FakeWorld) -> int:
    return sum(call.ended for host in PAID for call in world.calls_to(host))


def _written(data: Path) -> int:
    """The lines of all journals: one for each answer so far."""
    return sum(
        path.read_bytes().count(b"\n")
        for path in [
            *data.glob("batches/*/completions.jsonl"),
            *data.glob("batches/*/report.json.work/*.jsonl"),
        ]
    )


def _kill_while_waiting(
    process: subprocess.Popen[bytes], world: FakeWorld, data: Path, is_due: Callable[[], bool]
) -> None:
    """Kills the program when every answer is written down and its open calls stay unanswered.

    An answer that arrived a moment ago could not be written down by any program; such a moment
    would test the machine, not the program. So the world holds its answers back first.
    """
    deadline = time.monotonic() + 60
    held_at: float | None = None
    while time.monotonic() < deadline:
        assert process.poll() is None, "the run ended before it could be killed"
        if held_at is None and is_due():
            world.add_faults(Fault(host=host, kind="delay", seconds=300) for host in PAID)
            held_at = time.monotonic()
        is_open = any(not call.ended for host in PAID for call in world.calls_to(host))
        # a second later the calls that came before the order are answered, too
        is_quiet = held_at is not None and time.monotonic() - held_at > 1
        if is_quiet and is_open and _written(data) == _answered(world):
            process.send_signal(signal.SIGKILL)
            process.communicate()
            return
        time.sleep(0.005)
    raise AssertionError("the moment to kill did not come")


def _searches(world: FakeWorld) -> int:
    return sum(world.count(host) for host in SEARCH_HOSTS)


def _judge_calls(world: FakeWorld) -> int:
    return sum('"relevance"' in call.body.decode() for call in world.calls_to("openrouter.ai"))


MOMENTS: dict[str, Callable[[FakeWorld], bool]] = {
    "query generation": lambda world: world.billed("openrouter.ai") >= 8,
    "search": lambda world: _searches(world) > 60,
    "query profiles": lambda world: _searches(world) >= 160 and world.billed("openrouter.ai") > 28,
    "judgement": lambda world: _judge_calls(world) > 100,
}


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data directory of a run that nobody stopped."""
    data = tmp_path_factory.mktemp("whole")
    with FakeWorld() as world:
        assert run_live(world, data, "--no-latency") == 0
    return data


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_killed_run_goes_on_without_paying_twice(
    tmp_path: Path, whole_run: Path, moment: str
) -> None:
    with FakeWorld(faults=SLOW) as world:
        process = _start(world, tmp_path / "d")
        _kill_while_waiting(process, world, tmp_path / "d", lambda: MOMENTS[moment](world))
        calls = world.calls
        world.reset()  # no need to be slow any more; the calls held back are never answered
        resumed = _start(world, tmp_path / "d")
        _, error = resumed.communicate(timeout=120)
        assert resumed.returncode == 0, error.decode()
        world.settle()
        calls += world.calls
    paid = Counter(
        (call.host, call.path, str(call.query), call.body) for call in calls if call.billed
    )
    assert max(paid.values()) == 1

    for table in ("history", "overlap", "uniqueness", "ci_scores"):
        one, two = (folder / f"{table}.jsonl" for folder in (tmp_path / "d", whole_run))
        assert one.read_bytes() == two.read_bytes()
    assert len((tmp_path / "d/history.jsonl").read_bytes().splitlines()) == len(ENGINES) + 1
    assert holds_a_key(tmp_path) == []


def test_an_interrupt_says_that_the_run_can_go_on_and_resume_takes_it_up(tmp_path: Path) -> None:
    with FakeWorld(faults=SLOW) as world:
        process = _start(world, tmp_path / "d")
        deadline = time.monotonic() + 60
        while _searches(world) < 40 and time.monotonic() < deadline:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "--resume goes on" in error.decode()
        later = [*words(tmp_path / "d", "--resume", *FLAGS), "--now", "2026-11-15T11:17Z"]
        world.reset()
        resumed = subprocess.run(
            [sys.executable, "-m", "runner", *later],
            env={**os.environ, **environ(world)},
            capture_output=True,
            timeout=120,
            check=False,
        )
        assert resumed.returncode == 0, resumed.stderr.decode()
    rows = (tmp_path / "d/history.jsonl").read_text().splitlines()
    assert len(rows) == len(ENGINES) + 1
    assert all('"ts":"2026-11-15T10:17Z"' in row for row in rows)
