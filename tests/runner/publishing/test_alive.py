"""The dead-man check: each bench by its own schedule."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from runner.cli import main
from runner.publishing.alive import overdue

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
FRESH = {
    "news": "2026-11-15T11:17Z",
    "finance": "2026-11-15T00:17Z",
    "scholar": "2026-11-15T06:17Z",
    "legal": "2026-11-15T09:17Z",
    "agentic_rare": "2026-11-15T03:17Z",
    "needleif": "2026-10-26T02:17Z",
}


def test_nothing_is_overdue_within_three_slots_of_each_bench() -> None:
    assert overdue(FRESH, NOW) == []
    assert overdue(FRESH | {"news": "2026-11-15T09:00Z", "legal": "2026-11-14T00:00Z"}, NOW) == []


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        (
            {"news": "2026-11-15T08:59Z"},
            "news: newest run 2026-11-15T08:59Z, 3 h old (at most 3)",
        ),
        (
            {"legal": "2026-11-13T23:59Z"},
            "legal: newest run 2026-11-13T23:59Z, 36 h old (at most 36)",
        ),
    ],
)
def test_a_bench_that_missed_three_slots_is_named(changes: dict[str, str], line: str) -> None:
    assert overdue(FRESH | changes, NOW) == [line]


def test_a_bench_without_a_run_is_named() -> None:
    assert overdue({k: v for k, v in FRESH.items() if k != "scholar"}, NOW) == [
        "scholar: no run at all"
    ]


def test_a_bench_that_could_not_have_missed_three_slots_yet_is_given_time() -> None:
    newest = {k: v for k, v in FRESH.items() if k != "needleif"}
    assert overdue(newest, NOW, "2026-10-26T00:17Z") == []
    assert overdue(newest, NOW, "2026-10-24T00:17Z") == ["needleif: no run at all"]


def test_the_command_fails_loudly_on_an_empty_directory(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["alive", "--data", str(tmp_path)], {}) == 1
    assert "news: no run at all" in capfd.readouterr().err
