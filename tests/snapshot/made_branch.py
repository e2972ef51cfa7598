"""A data branch over five months: real publications, made-up runs, commits dated by nobody."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from runner.publishing.compact import compact
from runner.publishing.publish import publish
from runner.text import minute_ts, parse_time
from tests.runner.publishing.made import FAMILIES, report

BRANCH = "gh-pages"
ENGINES = ("alpha", "beta")
QUERIES = 30
MONTHS = ("2026-06", "2026-07", "2026-08", "2026-09", "2026-10")
# Start of a run and minutes until it is published; two were published in the next month only.
RUNS = (
    ("2026-06-12T09:17Z", 10),
    ("2026-06-30T21:17Z", 10),
    ("2026-06-30T22:17Z", 90),
    ("2026-07-01T00:17Z", 15),
    ("2026-07-15T12:17Z", 10),
    ("2026-07-31T23:17Z", 42),
    ("2026-08-01T00:17Z", 5),
    ("2026-08-31T20:17Z", 10),
    ("2026-08-31T23:17Z", 50),
    ("2026-09-01T01:17Z", 10),
    ("2026-09-30T22:17Z", 10),
    ("2026-10-01T00:17Z", 10),
    ("2026-10-03T00:17Z", 10),
    ("2026-10-31T22:17Z", 10),
    ("2026-10-31T23:17Z", 45),
    ("2026-11-01T00:17Z", 10),
    ("2026-11-08T00:17Z", 10),
)


@dataclass(frozen=True)
class Pushed:
    """A commit, and when the branch had it."""

    moment: datetime
    commit: str
    subject: str


def environ() -> dict[str, str]:
    """No settings of this machine, and one date for all commits, long before the runs."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    for role in ("AUTHOR", "COMMITTER"):
        kept |= {f"GIT_{role}_NAME": "made", f"GIT_{role}_EMAIL": "made@example.org"}
        kept[f"GIT_{role}_DATE"] = "2020-01-01T00:00:00Z"
    return kept | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": os.devnull}


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", folder, *words], check=True, capture_output=True, text=True, env=environ()
    )
    return done.stdout.strip()


def commit(work: Path, moment: datetime, subject: str) -> Pushed:
    git(work, "add", "--all", "--", ".", ":!*.lock")
    git(work, "commit", "--quiet", "--allow-empty", "-m", subject)
    return Pushed(moment, git(work, "rev-parse", "HEAD"), subject)


def make_branch(remote: Path, work: Path) -> list[Pushed]:
    """Fills a bare repository, which serves partial clones; gives the commits in their order."""
    git(remote.parent, "init", "--quiet", "--bare", str(remote))
    git(remote, "config", "uploadpack.allowFilter", "true")
    git(remote, "config", "uploadpack.allowAnySHA1InWant", "true")
    git(work.parent, "init", "--quiet", "-b", BRANCH, str(work))
    pushed = [commit(work, parse_time("2026-06-01T00:00Z"), "begin the data branch")]
    events = [(parse_time(ts), "plan", ts) for ts, _ in RUNS]
    events += [(parse_time(ts) + timedelta(minutes=late), "bench", ts) for ts, late in RUNS]
    for moment, kind, ts in sorted(events):
        if kind == "plan":
            (work / "slots.jsonl").write_text(f'{{"ts":"{ts}","bench":"news","state":"ran"}}\n')
        else:
            publish_run(work, ts, moment)
        pushed.append(commit(work, moment, f"{kind}: {ts}"))
        if kind == "bench" and compact(work, now=moment).weeks:
            pushed.append(commit(work, moment, f"compact: {minute_ts(moment)}"))
    git(work, "push", "--quiet", f"file://{remote}", BRANCH)
    return pushed


def publish_run(data: Path, ts: str, now: datetime) -> None:
    """A run of two engines, whose scores no other run has."""
    rng = Random(ts)
    scores = {engine: [round(rng.random(), 4) for _ in range(QUERIES)] for engine in ENGINES}
    publish(report("news", ts, scores=scores), data, now=now, families=FAMILIES)


def as_it_was(remote: Path, pushed: Sequence[Pushed], moment: str, folder: Path) -> Path:
    """A worktree as a scheduled job has it at a moment: the newest commit, and nothing before."""
    newest = [each for each in pushed if each.moment <= parse_time(moment)][-1]
    own = folder.with_suffix(".git")
    git(remote.parent, "clone", "--quiet", "--bare", str(remote), str(own))
    git(own, "config", "uploadpack.allowFilter", "true")
    git(own, "update-ref", f"refs/heads/{BRANCH}", newest.commit)
    git(remote.parent, "init", "--quiet", "-b", BRANCH, str(folder))
    git(folder, "remote", "add", "origin", f"file://{own}")
    git(folder, "fetch", "--quiet", "--depth=1", "origin", BRANCH)
    git(folder, "reset", "--quiet", "--hard", "FETCH_HEAD")
    return folder
