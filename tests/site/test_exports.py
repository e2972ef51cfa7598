"""`results.csv` and `results.json` say the same, in the columns that were promised."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import msgspec

from sitebuilder import build
from sitebuilder.exports import COLUMNS
from sitebuilder.results import Results
from tests.site.made_data import FIVE, write_data

PROMISED = (
    "window_start, window_end, bench, engine, engine_name, family, metric, k, value, ci_lo, "
    "ci_hi, share_of_ultimate, share_lo, share_hi, rank, rank_lo, rank_hi, tie_group, n_queries, "
    "n_runs, search_errors, account_errors, service_errors, judge_errors, p50_ms, p95_ms, "
    "n_latency, reconnects, price_usd_per_1k, price_date, judge_model, note"
)


def _exports(tmp_path: Path) -> tuple[list[dict[str, str]], Results]:
    build(write_data(tmp_path / "data", benches=FIVE), tmp_path / "out")
    folder = tmp_path / "out/results"
    text = (folder / "results.csv").read_text(encoding="utf-8")
    results = msgspec.json.decode((folder / "results.json").read_bytes(), type=Results)
    return list(csv.DictReader(io.StringIO(text))), results


def test_the_columns_are_the_promised_ones() -> None:
    assert ", ".join(COLUMNS) == PROMISED


def test_every_board_row_is_in_the_csv_with_equal_figures(tmp_path: Path) -> None:
    lines, results = _exports(tmp_path)
    found = {(line["bench"], line["metric"], line["engine"]): line for line in lines}
    for bench, board in results.benches.items():
        assert board.ultimate
        for row in (*board.engines, board.ultimate):
            line = found.pop((bench, board.metric, row.engine))
            assert row.score
            assert row.share
            assert line["value"] == f"{row.score.value:.4f}"
            assert line["ci_lo"] == f"{row.score.lo:.4f}"
            assert line["share_of_ultimate"] == f"{row.share.value:.4f}"
            assert line["n_queries"] == str(row.n_scored)
            assert line["rank"] == ("" if row.rank is None else str(row.rank))
            assert line["p50_ms"] == ("" if row.p50_ms is None else f"{row.p50_ms:.1f}")
            found.pop((bench, "mrr", row.engine), None)
            found.pop((bench, "title_recall", row.engine), None)
    for standing in results.overall:
        assert standing.overall
        line = found.pop(("overall", "share", standing.engine))
        assert line["value"] == f"{standing.overall.value:.4f}"
        assert line["ci_hi"] == f"{standing.overall.hi:.4f}"
    assert found == {}


def test_lines_are_sorted_by_bench_metric_rank_and_engine(tmp_path: Path) -> None:
    lines, _ = _exports(tmp_path)
    keys = [(x["bench"], x["metric"], int(x["rank"] or 999), x["engine"]) for x in lines]
    assert keys == sorted(keys)


def test_figures_that_do_not_apply_are_empty_and_not_zero(tmp_path: Path) -> None:
    lines, _ = _exports(tmp_path)
    key = ("finance", "recall", "ultimate")
    (line,) = [x for x in lines if (x["bench"], x["metric"], x["engine"]) == key]
    assert (line["p50_ms"], line["judge_errors"], line["rank"], line["price_usd_per_1k"]) == (
        "", "", "", "",
    )  # fmt: skip


def test_results_json_names_its_version_window_and_licence(tmp_path: Path) -> None:
    _exports(tmp_path)
    raw = json.loads((tmp_path / "out/results/results.json").read_bytes())
    assert raw["schema_version"] == 1
    assert raw["generated_at"] == "2026-08-20T10:17Z"
    assert raw["window"] == {"start": "2026-08-13T10:17Z", "end": "2026-08-20T10:17Z", "days": 7}
    assert raw["licence"] == "CC-BY-4.0"
