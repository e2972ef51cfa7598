"""The workflows: least permissions, pinned actions, and the commands that they wire together."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from runner.benches.names import BENCH_NAMES
from runner.cli import build_parser, main
from runner.engines.registry import load_catalog
from runner.paths import ROOT
from runner.publishing.ledger import SCHEDULE
from tests.fakes import FakeWorld
from tests.live import KEYS, holds_a_key
from tests.runner.publishing.test_push import environ, tip

FILES = sorted((ROOT / ".github").rglob("*.y*ml"))
WORKFLOWS = [path for path in FILES if path.parent.name == "workflows"]
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in WORKFLOWS}
_USES = re.compile(r"^\s*-?\s*uses: (\S+)(.*)$", re.MULTILINE)
_JOB = re.compile(r"^  (\w+):\n((?:    .*\n|\n)+)", re.MULTILINE)


def _jobs(text: str) -> dict[str, str]:
    """Each job's text by its name."""
    return {match[1]: match[2] for match in _JOB.finditer(text.split("\njobs:\n")[1])}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_actions_are_pinned_by_their_full_hash_and_say_their_version(path: Path) -> None:
    for action, rest in _USES.findall(path.read_text(encoding="utf-8")):
        if not action.startswith("$/"):
            assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action), action
            assert re.fullmatch(r" # v\d+\.\d+\.\d+", rest), action


@pytest.mark.parametrize("name", TEXTS)
def test_nothing_is_allowed_but_what_a_job_asks_for(name: str) -> None:
    text = TEXTS[name]
    assert "\npermissions: {}\n" in text
    assert "    shell: bash" in text  # without it a pipe hides the failure of what stands before it
    for job, body in _jobs(text).items():
        assert "    permissions:" in body, job
        if "uses: $/.github/workflows/" not in body:
            assert "    timeout-minutes:" in body, job
        for checkout in body.split("actions/checkout@")[1:]:
            assert "persist-credentials: false" in checkout.split("- uses")[0], job


@pytest.mark.parametrize("name", TEXTS)
def test_no_job_has_both_a_key_and_the_right_to_write_the_branch(name: str) -> None:
    for job, body in _jobs(TEXTS[name]).items():
        if "contents: write" in body:
            assert "secrets." not in body, job


def test_the_bench_job_gets_the_key_of_every_engine() -> None:
    names = {spec.key_env for spec in load_catalog().values() if spec.key_env}
    assert {name for name in names if f"secrets.{name} " not in TEXTS["bench.yaml"]} == set()


def test_ci_uses_no_secret_so_that_forks_can_run_it() -> None:
    assert "secrets." not in TEXTS["ci.yaml"]
    assert "github.token" not in TEXTS["ci.yaml"]


def test_a_dispatch_and_the_timer_look_at_every_bench_of_the_schedule() -> None:
    assert f"'{','.join(SCHEDULE)}'" in TEXTS["bench.yaml"]


def _commands() -> list[tuple[str, list[str]]]:
    """The words of every `needle` command of the workflows, variables filled in."""
    found = []
    values = {
        "DATA": "data/live",
        "EVENT": "schedule",
        "BENCHES": "news",
        "BENCH": "news",
        "ENGINES": "keenable,exa",
        "ARCHIVE": "hub:a/b",
        "MAX_USD": "2",
    }
    for name, text in TEXTS.items():
        for line in re.findall(r"\.venv/bin/needle (.+)$", text, re.MULTILINE):
            line = re.sub(r" [|>] .*$|\$\{\w+:\+[^}]*\}|\"\$\{\w+\[@\]\}\"", "", line)
            line = re.sub(r"\$(\w+)", lambda match: values[match[1]], line)
            found.append((name, shlex.split(line)))
    return found


@pytest.mark.parametrize(("name", "words"), _commands(), ids=lambda value: str(value)[:60])
def test_every_command_of_a_workflow_is_one_that_exists(name: str, words: list[str]) -> None:
    build_parser().parse_args(words)


@pytest.mark.parametrize("bench", BENCH_NAMES)
def test_the_flags_of_each_bench_job_exist(bench: str) -> None:
    words = [bench, "--engines", "exa", "--data", "d", "--archive", "a"]
    if bench in ("news", "agentic_rare", "finance"):
        words += ["--max-usd", "2"]
    if bench == "finance":
        words += ["--judge"]
    build_parser().parse_args(words)


def test_the_whole_cycle_runs_from_an_empty_repository_without_showing_a_key(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Plan, run, archive, publish, watch: the commands of the workflows, one after the other."""
    remote, data = tmp_path / "remote.git", tmp_path / "data"
    subprocess.run(["git", "init", "-q", "--bare", remote], check=True, env=environ())
    subprocess.run(["git", "init", "-q", "-b", "gh-pages", data], check=True, env=environ())
    subprocess.run(
        ["git", "-C", data, "remote", "add", "origin", f"file://{remote}"],
        check=True,
        env=environ(),
    )
    now = "2026-11-15T10:17Z"

    def needle(*words: str, **more: str) -> None:
        env = {**environ(), **more}
        assert main([*words], env, lambda _: asyncio.sleep(0)) == 0

    plan = ("plan", "--data", str(data), "--event", "schedule", "--now", now, "--json", "--claim")
    needle(*plan)
    due = [entry["bench"] for entry in json.loads(capfd.readouterr().out)["due"]]
    assert "news" in due
    with FakeWorld() as world:
        needle(
            *("news", "--engines", "exa,google", "--limit", "5", "--data", str(data), "--now", now),
            *("--archive", str(tmp_path / "work")),
            **KEYS,
            NEEDLE_GATEWAY=world.url,
        )
    reports = [str(path) for path in data.glob("batches/*/report.json")]
    assert len(reports) == 1
    needle("archive", "--report", *reports, "--archive", str(tmp_path / "archive"))
    needle("push", "--report", *reports, "--data", str(data), "--archived", "--now", now)
    branch = tip(remote, tmp_path / "tip")
    assert len((branch / "history.jsonl").read_bytes().splitlines()) == 3
    needle("verify", "--data", str(branch), "--now", now)
    needle("rescore", "--all", "--archive", str(tmp_path / "archive"), "--data", str(branch))
    shown = capfd.readouterr()
    needle(*plan)
    again = capfd.readouterr()
    assert "news" not in [entry["bench"] for entry in json.loads(again.out)["due"]]
    for text in (shown.out, shown.err, again.out, again.err):
        assert "fake-" not in text
    assert holds_a_key(tmp_path) == []
