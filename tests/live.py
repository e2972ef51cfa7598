"""A live run against the fake world, as a user would start it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec

from runner.cli import main
from runner.records.published import HistoryRow, decode_history
from runner.records.reports import JudgedReport
from tests.fakes import FakeWorld

NOW = "2026-11-15T10:17Z"
ENGINES = (
    "keenable-realtime",
    "keenable",
    "exa-instant",
    "exa-lite",
    "exa",
    "google",
    "brave-llmcontext",
    "brave",
)
KEY_NAMES = (
    "OPENROUTER_API_KEY",
    "KEENABLE_API_KEY",
    "EXA_API_KEY",
    "SERPER_API_KEY",
    "BRAVE_API_KEY",
)
KEYS = {name: f"fake-{name}" for name in KEY_NAMES}


def environ(world: FakeWorld) -> dict[str, str]:
    """The environment of a live run: the gateway and every key."""
    return {"NEEDLE_GATEWAY": world.url, **KEYS}


def words(data: Path, *more: str, engines: Sequence[str] = ENGINES) -> list[str]:
    """The command line of a live run of 20 queries at the fake world's clock."""
    return [
        "news",
        *("--engines", ",".join(engines)),
        *("--data", str(data)),
        *("--now", NOW),
        *("--limit", "20"),
        *more,
    ]


def run_live(world: FakeWorld, data: Path, *more: str, engines: Sequence[str] = ENGINES) -> int:
    """The exit code of a live run; it does not wait between attempts."""
    return main(words(data, *more, engines=engines), environ(world), lambda _: asyncio.sleep(0))


def report_of(data: Path) -> JudgedReport:
    """The report that a run at NOW left in its work folder."""
    path = data / "batches" / "2026-11-15T1017Z-news" / "report.json"
    return msgspec.json.decode(path.read_bytes(), type=JudgedReport)


def history_of(data: Path) -> list[HistoryRow]:
    """The published history rows."""
    return [decode_history(line) for line in (data / "history.jsonl").read_bytes().splitlines()]


def holds_a_key(folder: Path) -> list[str]:
    """Every file below a folder that holds a key, in whatever form it was sent."""
    secrets = [value.encode() for value in KEYS.values()]
    return [
        str(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and any(secret in path.read_bytes() for secret in secrets)
    ]


def run_queries(world: FakeWorld, folder: Path, queries: Path, *more: str) -> JudgedReport:
    """The report of exa and google on a query file, its work folder beside it."""
    out = folder / "r.json"
    line = ["news", "run", "--queries", str(queries), "--out", str(out), "--now", NOW]
    line += ["--engines", "exa,google", *more]
    assert main(line, environ(world), lambda _: asyncio.sleep(0)) == 0
    return msgspec.json.decode(out.read_bytes(), type=JudgedReport)
