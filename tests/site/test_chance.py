"""Sharing beside chance, from the archive to the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from scipy.stats import false_discovery_control

from runner.publishing.archive import FolderArchive
from runner.scoring.overlap import overlap_counts
from sitebuilder.archived import archived_runs, run_answers
from sitebuilder.chance import MAX_RUNS, MEASURES
from sitebuilder.results import Results, SharingByChance
from tests.site.dom import Node, parse
from tests.site.made_archive import write_archive
from tests.site.made_data import END, write_data
from tests.site.made_site import build_parts
from tests.site.made_sites import made_site

EARLIER = ("2026-08-18T10:17Z", "2026-08-19T10:17Z")
OLD = "2026-08-01T10:17Z"


def alike(engine: str, place: int, result: Any) -> Any:
    """Beta answers every query as alpha does; gamma returns one page whatever is asked."""
    if engine == "ultimate":
        return result
    host = "one.example/always" if engine == "gamma" else f"shared.example/{place}"
    return msgspec.structs.replace(result, url=f"https://{host}/{len(result.title or '')}")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_data(tmp_path_factory.mktemp("chance") / "data", benches=("news", "scholar"))
    for ts in (OLD, *EARLIER, END):
        write_archive(folder, ("news", "scholar"), queries=12, ts=ts, edit=alike)
    return folder


@pytest.fixture(scope="module")
def found(data: Path) -> SharingByChance:
    beside = made_site(data).results.sharing_by_chance
    assert beside
    return beside


def test_the_newest_runs_of_the_window_are_shuffled(found: SharingByChance) -> None:
    runs = [ts.replace(":", "") for ts in (END, *reversed(EARLIER))]
    assert found.runs == {"news": runs, "scholar": runs}
    assert (found.deals, found.seed, found.level, found.reason) == (9_999, 0, 0.05, None)


def test_engines_that_answer_alike_stand_out_and_one_that_repeats_itself_does_not(
    found: SharingByChance,
) -> None:
    pairs = {(pair.a, pair.b): pair for pair in found.pairs}
    same = pairs["alpha", "beta"].mean_jaccard
    assert same.observed > 0.9 > 0.2 > same.expected
    assert (same.p, same.p_bh) == (0.0001, 0.0003)
    assert pairs["alpha", "gamma"].mean_jaccard.p == 1.0


def test_what_is_observed_is_what_the_rows_of_overlap_say(
    data: Path, found: SharingByChance
) -> None:
    sums: dict[tuple[str, str], list[float]] = {}
    for bench, runs in found.runs.items():
        for run in runs:
            report = FolderArchive(data / "archive").load(run, bench)
            labelled = {
                name: [
                    [
                        (
                            result.url.removeprefix("https://"),
                            result.label
                            if bench == "news"
                            else "FullyM"
                            if rank == query.hit_rank
                            else None,
                        )
                        for rank, result in enumerate(query.results, start=1)
                    ]
                    for query in block.per_query
                ]
                for name, block in report.engines.items()
                if name != "ultimate"
            }
            for row in overlap_counts(labelled):
                own = sums.setdefault((row.a, row.b), [0.0] * 4)
                for place, value in enumerate(
                    (row.num_suspect, row.num_shared3, row.jaccard_sum, row.num_queries)
                ):
                    own[place] += value
    for pair in found.pairs:
        suspect, shared3, jaccard, queries = sums[pair.a, pair.b]
        assert pair.num_queries == queries
        assert pair.share_suspect.observed == pytest.approx(suspect / queries, abs=1e-6)
        assert pair.share_shared3.observed == pytest.approx(shared3 / queries, abs=1e-6)
        assert pair.mean_jaccard.observed == pytest.approx(jaccard / queries, abs=1e-4)


@pytest.mark.parametrize("measure", MEASURES)
def test_p_is_adjusted_as_another_library_adjusts_it(found: SharingByChance, measure: str) -> None:
    figures = [getattr(pair, measure) for pair in found.pairs]
    wanted = false_discovery_control([each.p for each in figures], method="bh")
    assert [each.p_bh for each in figures] == pytest.approx(list(wanted), abs=1e-6)


def test_a_run_that_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    for ts in (*EARLIER, END):
        write_archive(data, ("news",), ts=ts)
    broken = data / "archive/runs/2026/08" / END.replace(":", "") / "news/beta.json"
    broken.write_text("{")
    beside = made_site(data).results.sharing_by_chance
    assert beside
    assert beside.runs["news"] == [ts.replace(":", "") for ts in reversed(EARLIER)]


def test_no_more_runs_than_the_bound_are_read(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    for hour in range(10):
        write_archive(data, ("news",), ts=f"2026-08-20T{hour:02}:17Z", queries=2)
    beside = made_site(data).results.sharing_by_chance
    assert beside
    assert len(beside.runs["news"]) == MAX_RUNS
    assert len(archived_runs(data / "archive", "news", END)) == 10


def test_a_failed_search_has_no_answer_and_an_empty_one_has(tmp_path: Path) -> None:
    data = write_archive(write_data(tmp_path / "data"), ("news",))
    path = data / "archive/runs/2026/08" / END.replace(":", "") / "news/beta.json"
    block = json.loads(path.read_bytes())
    error = {"error_type": "transport", "error_message": "", "error_class": "service"}
    block["per_query"][0] |= {"search_error": error, "results": []}
    block["per_query"][1] |= {"results": []}
    path.write_text(json.dumps(block))
    profile, answers = run_answers(data / "archive", END.replace(":", ""), "news")
    assert profile == "live"
    assert set(answers) == {"alpha", "beta", "gamma"}
    failed, empty, *rest = answers["beta"]
    assert failed is None
    assert empty is not None
    assert not empty.all
    assert all(each and each.all for each in rest)


def _page(data: Path, out: Path) -> tuple[Node, Results]:
    build_parts(data, out, "independence_page")
    results = msgspec.json.decode((out / "results/results.json").read_bytes(), type=Results)
    return parse((out / "independence/index.html").read_text()), results


def test_the_page_shows_each_pair_beside_chance(data: Path, tmp_path: Path) -> None:
    page, results = _page(data, tmp_path / "out")
    section = page.by_id("chance")
    assert "9,999 shuffles" in section.text
    assert "proves no common index" in section.text
    assert "News 3, Scholar 3" in section.text
    beside = results.sharing_by_chance
    assert beside
    rows = section.all("tr")[2:]
    assert len(rows) == len(beside.pairs) == 3
    first = [cell.text for cell in rows[0].all("td")]
    pair = max(beside.pairs, key=lambda pair: pair.share_suspect.observed)
    assert first[0] == f"{100 * pair.share_suspect.observed:.1f}%"
    marked = {node.attributes["data-engine"] for node in rows[0].all("bdi")}
    assert marked == {pair.a, pair.b}
    assert "of 3 pairs shared more than chance explains" in page.by_id("window-7d").text


def test_without_an_archive_the_page_says_what_is_missing(tmp_path: Path) -> None:
    page, results = _page(write_data(tmp_path / "data"), tmp_path / "out")
    assert "there is no archive beside this data" in page.by_id("chance").text
    assert json.loads(msgspec.json.encode(results.sharing_by_chance))["pairs"] == []


def test_a_run_of_before_the_window_is_not_shuffled(tmp_path: Path) -> None:
    data = write_archive(write_data(tmp_path / "data"), ("news",), ts=OLD)
    page, _ = _page(data, tmp_path / "out")
    assert "no archived answers of two engines in this window" in page.by_id("chance").text
