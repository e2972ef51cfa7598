"""What is left out of the figures, and with which words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runner.records.published import HistoryRow
from sitebuilder.dataset import read_dataset
from sitebuilder.gate import admit
from tests.site.made_data import history_row, write_history

EARLIER = "2026-08-19T10:17Z"


def _reason(folder: Path, *rows: HistoryRow) -> str | None:
    write_history(folder, [history_row(engine="beta", num_scored=40, num_queries=40), *rows])
    return admit(read_dataset(folder))["news"].reasons.get("alpha")


CASES: list[tuple[dict[str, Any], str | None]] = [
    ({"num_scored": 20}, None),
    ({"num_scored": 19}, "19 scored queries, less than 50% of the most, 40"),
    (
        {"num_scored": 36, "num_queries": 40, "account_errors": 4, "search_errors": 4},
        None,
    ),
    (
        {"num_scored": 35, "num_queries": 40, "account_errors": 5, "search_errors": 5},
        "our own account failed more than 10% of the searches in its run",
    ),
    ({"num_scored": 20, "num_queries": 40, "search_errors": 20, "account_errors": None}, None),
    (
        {"num_scored": 40, "num_queries": 40, "search_errors": 21, "service_errors": 21},
        "21 of 40 searches failed, more than 50%",
    ),
    (
        {"ndcg": 0.0, "num_scored": 0, "search_errors": 20, "account_errors": None},
        "no query scored: 20 of 20 searches failed",
    ),
    (
        {"ndcg": 0.0, "num_scored": 0, "search_errors": 2, "account_errors": 2},
        "no query scored: 2 of 20 searches failed, 2 of them by our own account",
    ),
]


@pytest.mark.parametrize(("fields", "reason"), CASES)
def test_an_engine_is_not_measured_with_its_reason(
    tmp_path: Path, fields: dict[str, Any], reason: str | None
) -> None:
    assert _reason(tmp_path, history_row(**fields)) == reason


def test_a_handful_of_queries_is_not_a_measurement(tmp_path: Path) -> None:
    rows = [history_row(engine=name, num_scored=4, num_queries=4) for name in ("alpha", "beta")]
    part = admit(read_dataset(write_history(tmp_path, rows)))["news"]
    assert set(part.reasons.values()) == {"4 scored queries, fewer than 5"}
    assert part.measured == []


def test_one_spoilt_run_is_left_out_and_the_others_stay(tmp_path: Path) -> None:
    spoilt = history_row(ts=EARLIER, num_scored=10, search_errors=10, account_errors=10)
    rows = [spoilt, history_row(), history_row(engine="ultimate")]
    part = admit(read_dataset(write_history(tmp_path, rows)))["news"]
    assert [row.ts for row in part.kept["alpha"]] == ["2026-08-20T10:17Z"]
    assert (part.counts("alpha", EARLIER), part.counts("alpha", "2026-08-20T10:17Z")) == (
        False,
        True,
    )
    assert part.runs == [EARLIER, "2026-08-20T10:17Z"]
    assert part.measured == ["alpha"]


def test_all_runs_spoilt_say_how_many(tmp_path: Path) -> None:
    fields = {"search_errors": 10, "account_errors": 10, "num_scored": 10}
    rows = [history_row(ts=EARLIER, **fields), history_row(**fields)]
    assert _reason(tmp_path, *rows) == (
        "our own account failed more than 10% of the searches in each of its 2 runs"
    )
