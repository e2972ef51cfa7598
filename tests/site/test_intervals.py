"""Which intervals stand beside a figure, and how those of shares behave."""

from __future__ import annotations

import json
from pathlib import Path

from runner.records.base import encode_line
from runner.records.published import ScoresRow
from runner.scoring.intervals import compute_intervals
from sitebuilder.dataset import read_dataset
from sitebuilder.intervals import bench_intervals, share_intervals
from tests.site.made_data import END, FIVE, write_data

RUNS = {"news": ["2026-08-19T10:17Z", END]}


def test_intervals_are_recomputed_from_the_scores_where_ci_json_is_missing(tmp_path: Path) -> None:
    data = read_dataset(write_data(tmp_path))
    found = bench_intervals(data, RUNS)["news"]
    assert found.engines == compute_intervals(data.scores).benches["news"]
    assert found.method == "percentile cluster bootstrap, wider of query and run clustering"


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


def test_ci_json_is_used_where_it_covers_the_very_runs(tmp_path: Path) -> None:
    _write_ci(write_data(tmp_path), RUNS["news"])
    found = bench_intervals(read_dataset(tmp_path), RUNS)["news"]
    assert (found.method, found.of("alpha")) == ("as published", (0.4, 0.6))


def test_ci_json_of_other_runs_is_not_used(tmp_path: Path) -> None:
    _write_ci(write_data(tmp_path), [END])
    assert bench_intervals(read_dataset(tmp_path), RUNS)["news"].method != "as published"


def test_a_run_without_scores_leaves_the_bench_without_intervals_and_says_so(
    tmp_path: Path,
) -> None:
    path = write_data(tmp_path) / "ci_scores.jsonl"
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    data = read_dataset(tmp_path)
    found = bench_intervals(data, RUNS)["news"]
    assert found.of("alpha") is None
    assert found.reason == "no interval: the per-query scores of these runs are not in the data"
    assert share_intervals(data, RUNS).of("news", "alpha") is None


def _shares(folder: Path, engines: dict[str, list[float | None]]) -> dict[str, tuple[float, float]]:
    qids = [str(number) for number in range(len(engines["ultimate"]))]
    row = ScoresRow(ts=END, bench="finance", qids=qids, engines=engines)
    (folder / "ci_scores.jsonl").write_bytes(encode_line(row))
    return dict(share_intervals(read_dataset(folder), {"finance": [END]}).benches["finance"])


def test_an_engine_that_equals_the_ceiling_has_a_share_of_exactly_one(tmp_path: Path) -> None:
    ceiling: list[float | None] = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0]
    found = _shares(tmp_path, {"alpha": list(ceiling), "ultimate": ceiling})
    assert found == {"alpha": (1.0, 1.0)}


def test_a_share_of_half_in_every_query_has_no_width(tmp_path: Path) -> None:
    ceiling: list[float | None] = [1.0, 0.5, 0.25, 1.0]
    found = _shares(tmp_path, {"alpha": [0.5, 0.25, 0.125, 0.5], "ultimate": ceiling})
    assert found == {"alpha": (0.5, 0.5)}


def test_benches_with_equally_many_clusters_are_drawn_independently(tmp_path: Path) -> None:
    """Were the draws shared, errors of equal benches would add up instead of averaging out."""
    scores: list[float | None] = [float(number % 2) for number in range(40)]
    ones: list[float | None] = [1.0] * 40
    lines = [
        encode_line(
            ScoresRow(
                ts=END,
                bench=bench,
                qids=[f"{number}" for number in range(40)],
                engines={"alpha": scores, "ultimate": ones},
            )
        )
        for bench in FIVE
    ]
    (tmp_path / "ci_scores.jsonl").write_bytes(b"".join(lines))
    found = share_intervals(read_dataset(tmp_path), {bench: [END] for bench in FIVE})
    one, all_five = found.of("news", "alpha"), found.overall("alpha")
    assert one
    assert all_five
    assert 0.4 < (all_five[1] - all_five[0]) / (one[1] - one[0]) < 0.5  # 1/√5 = 0.447


def test_the_same_data_gives_the_same_intervals(tmp_path: Path) -> None:
    data = read_dataset(write_data(tmp_path, benches=FIVE))
    runs = dict.fromkeys(FIVE, RUNS["news"])
    assert share_intervals(data, runs) == share_intervals(data, runs)
