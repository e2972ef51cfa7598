"""A real data branch: our figures against the published intervals and the page of that day.

The data lies beside the repository, not in it; without it these tests are skipped.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runner.records.published import Intervals, ScoresRow
from runner.scoring.intervals import compute_intervals
from runner.text import parse_time
from sitebuilder import SiteReport, build
from sitebuilder.results import Results
from tests.site.dom import parse
from tests.site.numbers import known_numbers, pages, stray_numbers

PUBLISHED = Path(__file__).resolve().parents[3] / "shared" / "data" / "published"
pytestmark = pytest.mark.skipif(
    not PUBLISHED.is_dir(), reason="the published data set is not beside this checkout"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> SiteReport:
    out = tmp_path_factory.mktemp("published") / "public"
    return build(PUBLISHED, out, as_of=parse_time("2026-08-19T23:59Z"))


@pytest.fixture(scope="module")
def results(site: SiteReport) -> Results:
    return site.results


@pytest.fixture(scope="module")
def expected() -> Any:
    return json.loads((PUBLISHED / "expected-2026-08-19.json").read_bytes())


def test_every_score_equals_the_published_point_to_4_decimals(results: Results) -> None:
    benches = json.loads((PUBLISHED / "ci.json").read_bytes())["benches"]
    ours = {
        (bench, row.engine): round(row.score.value, 4)
        for bench, board in results.benches.items()
        for row in [*board.engines, *([board.ultimate] if board.ultimate else [])]
        if row.score
    }
    theirs = {
        (bench, engine): interval["point"]
        for bench, engines in benches.items()
        for engine, interval in engines.items()
    }
    assert ours == theirs


def test_the_published_intervals_recomputed_are_equal() -> None:
    lines = (PUBLISHED / "ci_scores.jsonl").read_bytes().splitlines()
    rows = [msgspec.json.decode(line, type=ScoresRow) for line in lines]
    published = msgspec.json.decode((PUBLISHED / "ci.json").read_bytes(), type=Intervals)
    assert compute_intervals(rows) == published


def test_our_intervals_are_as_wide_as_the_published_ones_or_wider(results: Results) -> None:
    """Both are the wider of two clusterings; ours has the t interval where there are 7 runs."""
    benches = json.loads((PUBLISHED / "ci.json").read_bytes())["benches"]
    for bench, board in results.benches.items():
        for row in board.engines:
            if row.score:
                interval = benches[bench][row.engine]
                assert row.score.lo is not None
                assert row.score.hi is not None
                width = interval["hi"] - interval["lo"]
                assert 0.94 < (row.score.hi - row.score.lo) / width < 1.45
        runs = "percentile bootstrap over 164 runs"
        if bench != "news":
            runs = "cluster-robust t interval over 7 runs"
        assert board.interval_method
        assert board.interval_method.startswith("wider of percentile bootstrap over ")
        assert board.interval_method.endswith(runs)


def test_every_pair_is_tested_and_the_groups_follow_the_tests(results: Results) -> None:
    for board in results.benches.values():
        scored = [row for row in board.engines if row.score]
        letters = {row.engine: set(row.tie_group or "") for row in scored}
        assert len(board.pairwise) == len(scored) * (len(scored) - 1) // 2
        for pair in board.pairwise:
            assert pair.p_holm >= pair.p > 0
            assert bool(letters[pair.a] & letters[pair.b]) == (pair.p_holm >= 0.05)
            assert pair.lo is not None
            assert pair.hi is not None
            assert pair.lo <= pair.delta <= pair.hi
        assert sum(row.p_best or 0 for row in scored) == pytest.approx(1, abs=0.001)
        assert board.mdd
        assert 0.01 < board.mdd < 0.1


def test_an_engine_whose_searches_all_failed_is_not_measured_with_its_reason(
    results: Results,
) -> None:
    for board in results.benches.values():
        (brave,) = [row for row in board.engines if row.engine == "brave"]
        assert (brave.score, brave.rank, brave.tie_group) == (None, None, None)
        assert brave.reason
        assert brave.reason.startswith("no query scored: ")


def test_leaderboards_agree_with_the_page_of_that_day(results: Results, expected: Any) -> None:
    for bench, lines in expected["leaderboards"].items():
        board = results.benches[bench]
        assert board.ultimate
        rows = {row.engine: row for row in [*board.engines, board.ultimate]}
        for line in lines:
            row = rows[line["engine"]]
            assert row.score
            # That page took its runs by the clock, so it lacks the window's first news run.
            within = 0.0006 if bench != "news" else 0.0016
            metric = next(name for name in line if "@" in name)
            assert row.score.value == pytest.approx(line[metric], abs=within)
            if bench != "news":
                assert row.n_scored == line["n"]
            slices = {part.name: part.recall for part in row.slices}
            for name in set(line) - {"engine", metric, "95% CI", "n"}:
                assert slices[name] == pytest.approx(line[name], abs=0.00051)


def _ms(text: str) -> tuple[float, float]:
    """The value and half the last shown digit, in ms, of `186 ms`, `1.3 s` or `10 s`."""
    number, unit = text.split(" ")
    step = 0.1 if "." in number else 1.0
    factor = 1000.0 if unit == "s" else 1.0
    return float(number) * factor, step * factor / 2


def test_latency_agrees_with_the_page_of_that_day(results: Results, expected: Any) -> None:
    rows = {row.engine: row for row in results.latency}
    for engine, line in expected["latency"].items():
        row = rows[engine]
        shown = re.findall(r"p(?:50|95) ([\d.]+ m?s)", line)
        for value, text in zip((row.p50_ms, row.p95_ms), shown, strict=True):
            wanted, half = _ms(text)
            assert value == pytest.approx(wanted, abs=half * 1.01), (engine, text)


PERCENT_TABLES = [("lowshared", "share_suspect", 0.01), ("overlap3", "share_shared3", 0.01)]


def test_overlap_agrees_with_the_page_of_that_day(results: Results, expected: Any) -> None:
    pairs = {frozenset((pair.a, pair.b)): pair for pair in results.independence["all"].pairs}
    for table, name, unit in [*PERCENT_TABLES, ("overlap", "mean_jaccard", 1.0)]:
        for key, text in expected["overlap"][table].items():
            pair = pairs[frozenset(key.split("|"))]
            wanted = float(text.rstrip("%")) * unit
            assert getattr(pair, name) == pytest.approx(wanted, abs=0.00501), (table, key)


def test_uniqueness_agrees_with_the_page_of_that_day(results: Results, expected: Any) -> None:
    lines = {line.engine: line for line in results.independence["all"].engines}
    for engine, (_, counts) in expected["uniqueness"]["uniqueness"].items():
        line = lines[engine]
        assert f"{line.unique_urls:,} / {line.total_urls:,}" == counts
    for engine, (_, counts) in expected["uniqueness"]["uniqueness-relevant"].items():
        line = lines[engine]
        assert f"{line.relevant_unique_urls:,} / {line.relevant_total_urls:,}" == counts


def test_every_engine_of_the_files_appears(results: Results) -> None:
    lines = (PUBLISHED / "history.jsonl").read_bytes().splitlines()
    rows = [json.loads(line) for line in lines]
    known = {row["engine"] for row in rows if "num_scored" in row and "score" not in row}
    assert {entry.engine for entry in results.roster} == known - {"ultimate"}
    in_window = {entry.engine for entry in results.roster if entry.is_in_window}
    assert {row.engine for row in results.overall} == in_window


def test_what_could_not_be_used_is_counted(results: Results) -> None:
    problems = {state.name: state.problems for state in results.files}
    (problem,) = problems["history.jsonl"]
    assert (problem.count, problem.first_line) == (18, 2385)
    assert problems["overlap.jsonl"] == problems["uniqueness.jsonl"] == []


def test_every_visible_number_of_every_page_is_in_the_published_files(site: SiteReport) -> None:
    stray: dict[str, list[tuple[str, str]]] = {}
    known: dict[str, set[str]] = {}
    for name in pages(site.out):
        section = name.partition("/")[0]
        if section not in known:
            known[section] = known_numbers(site.out, name, PUBLISHED)
        page = parse((site.out / name).read_text(encoding="utf-8"))
        stray[name] = stray_numbers(page, known[section])
    assert len(stray) > 30
    assert {name: found for name, found in stray.items() if found} == {}
