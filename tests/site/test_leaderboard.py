"""Scores, shares and ranks, by hand-worked cases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runner.records.published import HistoryRow
from sitebuilder.assemble import build_results
from sitebuilder.dataset import read_dataset
from sitebuilder.independence import build_independence
from sitebuilder.results import Figure, Results
from tests.site.made_data import FIVE, history_row, write_data, write_history

ULTIMATE = {"news": 1.0, "agentic_rare": 1.0, "finance": 0.96, "scholar": 0.87, "legal": 0.98}
ENGINE = {"news": 0.66, "agentic_rare": 0.50, "finance": 0.90, "scholar": 0.66, "legal": 0.79}


def results_of(folder: Path) -> Results:
    data = read_dataset(folder)
    return build_results(data, build_independence(data))


def scored(bench: str, engine: str, score: float, **fields: Any) -> HistoryRow:
    metric = (
        {"ndcg": score} if bench in ("news", "agentic_rare") else {"ndcg": None, "recall": score}
    )
    return history_row(bench=bench, engine=engine, **metric, **fields)


def test_a_score_weighs_each_run_by_its_scored_queries(tmp_path: Path) -> None:
    rows = [
        history_row(ts="2026-08-19T10:17Z", ndcg=0.5, num_scored=20, num_queries=20),
        history_row(ndcg=0.7, num_scored=10, num_queries=12),
    ]
    (row,) = results_of(write_history(tmp_path, rows)).benches["news"].engines
    assert row.score
    assert row.score.value == 0.566667
    assert (row.n_scored, row.n_asked, row.n_runs) == (30, 32, 2)


def test_the_overall_value_is_the_plain_mean_of_the_shares(tmp_path: Path) -> None:
    rows = [scored(b, "alpha", ENGINE[b]) for b in FIVE]
    rows += [scored(b, "ultimate", ULTIMATE[b]) for b in FIVE]
    (standing,) = results_of(write_history(tmp_path, rows)).overall
    shares = {bench: share.value for bench, share in standing.shares.items() if share}
    assert shares == {
        "news": 0.66,
        "finance": 0.9375,
        "scholar": 0.758621,
        "legal": 0.806122,
        "agentic_rare": 0.5,
    }
    assert standing.overall
    assert standing.overall.value == 0.732449
    assert standing.rank == 1


def test_an_engine_present_only_in_easy_benches_is_unranked(tmp_path: Path) -> None:
    rows = [scored(b, "alpha", ENGINE[b]) for b in FIVE]
    rows += [scored(b, "beta", ENGINE[b]) for b in ("news", "finance")]
    rows += [scored(b, "ultimate", ULTIMATE[b]) for b in FIVE]
    alpha, beta = results_of(write_history(tmp_path, rows)).overall
    assert (alpha.engine, alpha.rank) == ("alpha", 1)
    assert (beta.engine, beta.rank, beta.overall) == ("beta", None, None)
    assert beta.reason == "not measured on Scholar, Legal, AgenticRare"


def test_an_engine_that_only_failed_is_not_measured_and_not_zero(tmp_path: Path) -> None:
    rows = [
        history_row(),
        history_row(engine="broken", ndcg=0.0, num_scored=0, num_queries=20, search_errors=20),
    ]
    alpha, broken = results_of(write_history(tmp_path, rows)).benches["news"].engines
    assert (alpha.engine, alpha.rank, alpha.rank_lo) == ("alpha", 1, None)
    assert (broken.score, broken.share, broken.rank) == (None, None, None)
    assert broken.reason == "no query scored: 20 of 20 searches failed"


def test_errors_are_split_only_where_every_row_splits_them(tmp_path: Path) -> None:
    rows = [
        history_row(search_errors=3, account_errors=1, service_errors=2),
        history_row(engine="old", search_errors=3, account_errors=None, service_errors=None),
        history_row(engine="mixed", search_errors=1, account_errors=1),
        history_row(engine="mixed", ts="2026-08-19T10:17Z", search_errors=3, account_errors=None),
    ]
    board = results_of(write_history(tmp_path, rows)).benches["news"].engines
    split = {
        row.engine: (row.search_errors, row.account_errors, row.service_errors) for row in board
    }
    assert split == {"alpha": (3, 1, 2), "old": (3, None, None), "mixed": (4, None, 0)}


def test_runs_outside_the_window_do_not_count(tmp_path: Path) -> None:
    rows = [history_row(), history_row(ts="2026-08-13T10:17Z", ndcg=0.9)]
    (row,) = results_of(write_history(tmp_path, rows)).benches["news"].engines
    assert row.score == Figure(value=0.5)


def test_a_bench_without_a_figure_says_why(tmp_path: Path) -> None:
    rows = [
        history_row(),
        scored("finance", "alpha", 0.5, ts="2026-08-01T00:00Z"),
        scored("scholar", "alpha", 0.5, num_scored=0),
        history_row(bench="agentic_rare", ndcg=None, rbp=0.4),
    ]
    unmeasured = results_of(write_history(tmp_path, rows)).unmeasured
    assert {part.bench: part.reason for part in unmeasured} == {
        "finance": "no run in this window; the newest was at 2026-08-01T00:00Z",
        "scholar": "its runs in this window scored no query",
        "legal": "no run in this data",
        "agentic_rare": "its runs in this window carry an older measure, not ndcg",
    }


def test_slices_weigh_by_their_own_n_and_bench_depths_come_from_the_report(tmp_path: Path) -> None:
    board = results_of(write_data(tmp_path, benches=("scholar",))).benches["scholar"]
    assert (board.metric, board.k, board.judge_model) == ("recall", 10, None)
    for row in board.engines:
        assert row.score
        assert [(part.name, part.recall, part.n) for part in row.slices] == [
            ("title", row.score.value, row.n_scored)
        ]


def test_a_board_carries_its_tests_groups_and_ranks(tmp_path: Path) -> None:
    board = results_of(write_data(tmp_path, queries=40)).benches["news"]
    assert [row.engine for row in board.engines] == ["alpha", "beta", "gamma"]
    assert [(pair.a, pair.b) for pair in board.pairwise] == [
        ("alpha", "beta"),
        ("alpha", "gamma"),
        ("beta", "gamma"),
    ]
    assert [pair.n for pair in board.pairwise] == [80, 78, 78]
    assert sum(row.p_best or 0 for row in board.engines) == pytest.approx(1)
    for row in board.engines:
        assert row.tie_group
        assert row.rank
        assert row.rank_lo
        assert row.rank_hi
        assert 1 <= row.rank_lo <= row.rank <= row.rank_hi <= 3
    assert board.ultimate
    assert (board.ultimate.tie_group, board.ultimate.p_best) == (None, None)


def test_figures_of_a_run_that_our_account_spoilt_are_left_out(tmp_path: Path) -> None:
    rows = [
        history_row(ts="2026-08-19T10:17Z", ndcg=0.8),
        history_row(ndcg=0.2, num_scored=17, search_errors=3, account_errors=3),
        history_row(engine="beta", ts="2026-08-19T10:17Z"),
        history_row(engine="beta"),
    ]
    alpha, beta = results_of(write_history(tmp_path, rows)).benches["news"].engines
    assert (alpha.score, alpha.n_runs, alpha.runs_left_out) == (Figure(value=0.8), 1, 1)
    assert (alpha.n_scored, alpha.n_asked, alpha.search_errors) == (20, 40, 3)
    assert (beta.n_runs, beta.runs_left_out) == (2, 0)
