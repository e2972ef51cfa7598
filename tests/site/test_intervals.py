"""Which intervals stand beside a figure, what they are called, and how often they hold."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from runner.records.base import encode_line
from runner.records.published import ScoresRow
from runner.scoring.intervals import in_window, window_start
from sitebuilder.assemble import build_results
from sitebuilder.dataset import read_dataset
from sitebuilder.independence import build_independence
from sitebuilder.intervals import clustered_bounds
from sitebuilder.resampling import draws, robust
from sitebuilder.results import Board, Figure, Results
from tests.site.made_data import END, FIVE, history_row, write_data, write_history

RUNS = ["2026-08-19T10:17Z", END]
LACKING = "the per-query scores of these runs are not in the data"


def results_of(folder: Path) -> Results:
    data = read_dataset(folder)
    return build_results(data, build_independence(data))


def _bounds(board: Board, engine: str) -> tuple[float | None, float | None]:
    (score,) = [row.score for row in board.engines if row.engine == engine]
    assert score
    return score.lo, score.hi


@pytest.mark.parametrize(("groups", "seed"), [(8, 1), (8, 2), (40, 1), (40, 2)])
def test_95_of_100_intervals_hold_the_true_mean(groups: int, seed: int) -> None:
    """1,000 made benches: clusters of 2 to 4 queries that move together, true mean 0.5."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(2, 5, size=(groups, 1)).astype(float) * np.ones(1000)
    common = rng.normal(0, 0.2, size=(groups, 1000))
    own = rng.normal(0, 0.2, size=(groups, 1000)) * np.sqrt(counts)
    sums = counts * (0.5 + common) + own
    blocks = [(sums.T @ times) / (counts.T @ times) for _, times in draws(groups, [seed])]
    low, high = clustered_bounds(robust(sums, counts), np.hstack(blocks), groups)
    assert 0.93 <= np.mean((low <= 0.5) & (high >= 0.5)) <= 0.97


def test_the_board_names_its_method_with_the_number_of_clusters(tmp_path: Path) -> None:
    few = "(fewer than 5 runs: no spread by run)"
    cases = {
        (1, 6): f"cluster-robust t interval over 6 query clusters {few}",
        (1, 40): f"percentile bootstrap over 40 query clusters {few}",
        (4, 20): f"percentile bootstrap over 80 query clusters {few}",
        (5, 20): "wider of percentile bootstrap over 100 query clusters and "
        "cluster-robust t interval over 5 runs",
    }
    for (runs, queries), method in cases.items():
        folder = tmp_path / f"{runs}-{queries}"
        board = results_of(write_data(folder, runs=runs, queries=queries)).benches["news"]
        assert (board.interval_method, board.interval_reason) == (method, None)


def test_the_published_intervals_do_not_replace_those_that_can_be_computed(tmp_path: Path) -> None:
    _write_ci(write_data(tmp_path, runs=2), RUNS)
    assert _bounds(results_of(tmp_path).benches["news"], "alpha") != (0.4, 0.6)


def _write_ci(folder: Path, runs: list[str]) -> None:
    document = {
        "confidence": 0.95,
        "resamples": 10000,
        "window_days": 7,
        "window_end": END,
        "method": "as published",
        "runs": {"news": runs},
        "benches": {"news": {"alpha": {"point": 0.5, "lo": 0.4, "hi": 0.6}}},
    }
    (folder / "ci.json").write_text(json.dumps(document))


def test_ci_json_stands_in_where_only_one_run_without_scores_is_known(tmp_path: Path) -> None:
    _write_ci(write_history(tmp_path, [history_row()]), [END])
    board = results_of(tmp_path).benches["news"]
    assert board.interval_method == "as published, as in ci.json"
    assert board.interval_reason == LACKING
    assert _bounds(board, "alpha") == (0.4, 0.6)


def test_ci_json_of_other_runs_is_not_used(tmp_path: Path) -> None:
    _write_ci(write_history(tmp_path, [history_row()]), [RUNS[0]])
    board = results_of(tmp_path).benches["news"]
    assert board.interval_method is None
    assert board.interval_reason == f"no interval: {LACKING}"
    assert _bounds(board, "alpha") == (None, None)


def test_without_scores_the_runs_of_the_history_give_interval_and_test(tmp_path: Path) -> None:
    """Run means .638462 with the hand-worked error .025279 and t₃ = 3.1824."""
    runs = [(12.4, 20), (11.6, 20), (12.6, 18), (13.2, 20)]
    rows = []
    for day, (total, n) in enumerate(runs):
        ts = f"2026-08-{17 + day}T10:17Z"
        rows.append(history_row(ts=ts, ndcg=total / n, num_scored=n))
        rows.append(history_row(ts=ts, engine="beta", ndcg=total / n - 0.1, num_scored=n))
    board = results_of(write_history(tmp_path, rows)).benches["news"]
    assert board.interval_method == "cluster-robust t interval over 4 runs"
    assert board.interval_reason == LACKING
    assert _bounds(board, "alpha") == (0.5580, 0.7189)
    (pair,) = board.pairwise
    assert (pair.delta, pair.lo, pair.hi, pair.p) == (0.1, 0.1, 0.1, 0.125)  # 2 of 16 patterns
    assert (pair.n, pair.clusters) == (78, 4)
    assert board.test_method == "paired sign-flip test over 4 runs, Holm over 1 pair"


def test_one_run_without_its_scores_leaves_the_bench_to_its_run_means(tmp_path: Path) -> None:
    path = write_data(tmp_path) / "ci_scores.jsonl"
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    board = results_of(tmp_path).benches["news"]
    assert board.interval_method == "cluster-robust t interval over 2 runs"
    assert board.interval_reason == LACKING


def _finance(folder: Path, engines: dict[str, list[float | None]]) -> Figure | None:
    """The share of `alpha`."""
    qids = [str(number) for number in range(len(engines["ultimate"]))]
    rows = []
    for engine, scores in engines.items():
        values = [score for score in scores if score is not None]
        mean, n = sum(values) / len(values), len(values)
        fields = {"bench": "finance", "ndcg": None, "recall": mean, "num_scored": n}
        rows.append(history_row(engine=engine, **fields))
    write_history(folder, rows)
    row = ScoresRow(ts=END, bench="finance", qids=qids, engines=engines)
    (folder / "ci_scores.jsonl").write_bytes(encode_line(row))
    (line,) = results_of(folder).benches["finance"].engines
    return line.share


def test_an_engine_that_equals_the_ceiling_has_a_share_of_exactly_one(tmp_path: Path) -> None:
    ceiling: list[float | None] = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0]
    share = _finance(tmp_path, {"alpha": list(ceiling), "ultimate": ceiling})
    assert share == Figure(value=1.0, lo=1.0, hi=1.0)


@pytest.mark.parametrize("times", [1, 10])
def test_a_share_of_half_in_every_query_has_no_width(tmp_path: Path, times: int) -> None:
    ceiling: list[float | None] = [1.0, 0.5, 0.25, 1.0, 1.0] * times
    halves: list[float | None] = [0.5, 0.25, 0.125, 0.5, 0.5] * times
    share = _finance(tmp_path, {"alpha": halves, "ultimate": ceiling})
    assert share == Figure(value=0.5, lo=0.5, hi=0.5)


def test_an_interval_stays_within_what_a_score_can_be(tmp_path: Path) -> None:
    share = _finance(tmp_path, {"alpha": [1.0, 1, 1, 1, 0], "ultimate": [1.0] * 5})
    assert share
    assert (share.value, share.hi) == (0.8, 1.0)
    assert share.lo == pytest.approx(0.8 - 2.776445 * 0.2, abs=5e-5)  # SE = √(5/4 · .8) / 5


def test_benches_with_equally_many_clusters_are_drawn_independently(tmp_path: Path) -> None:
    """Were the draws shared, errors of equal benches would add up instead of averaging out."""
    scores: list[float | None] = [float(number % 2) for number in range(40)]
    ones: list[float | None] = [1.0] * 40
    qids = [f"{number}" for number in range(40)]
    lines, rows = [], []
    for bench in FIVE:
        engines = {"alpha": scores, "ultimate": ones}
        lines.append(encode_line(ScoresRow(ts=END, bench=bench, qids=qids, engines=engines)))
        for engine, mean in (("alpha", 0.5), ("ultimate", 1.0)):
            rows.append(history_row(bench=bench, engine=engine, ndcg=mean, recall=mean))
    write_history(tmp_path, rows)
    (tmp_path / "ci_scores.jsonl").write_bytes(b"".join(lines))
    found = results_of(tmp_path)
    one, all_five = found.benches["news"].engines[0].share, found.overall[0].overall
    assert one
    assert all_five
    assert one.lo is not None
    assert one.hi is not None
    assert all_five.lo is not None
    assert all_five.hi is not None
    assert 0.4 < (all_five.hi - all_five.lo) / (one.hi - one.lo) < 0.5  # 1/√5 = 0.447


def test_the_window_is_open_at_its_start() -> None:
    newest = "2026-11-15T10:17Z"
    assert window_start(newest) == "2026-11-08T10:17Z"
    assert not in_window("2026-11-08T10:17Z", newest)
    assert in_window("2026-11-08T10:18Z", newest)


def test_the_same_data_gives_the_same_figures(tmp_path: Path) -> None:
    data = write_data(tmp_path, benches=FIVE)
    assert results_of(data) == results_of(data)
