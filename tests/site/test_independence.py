"""Overlap and uniqueness: ratios of sums, from the file or from the rows."""

from __future__ import annotations

from pathlib import Path

from runner.records.base import encode_document, encode_line
from runner.records.published import (
    Independence,
    IndependenceWindow,
    OverlapRow,
    PairTotals,
    UniquenessRow,
)
from sitebuilder.dataset import read_dataset
from sitebuilder.independence import IndependenceTables, build_independence
from tests.site.made_data import END, history_row, write_history


def _overlap(**fields: object) -> OverlapRow:
    base: dict[str, object] = {
        "ts": END, "bench": "news", "a": "alpha", "b": "beta", "jaccard_sum": 2.0,
        "num_shared3": 1, "num_suspect": 3, "low_shared_urls": 4, "num_queries": 10,
    }  # fmt: skip
    return OverlapRow(**(base | fields))  # type: ignore[arg-type]


def _build(folder: Path, rows: list[OverlapRow]) -> IndependenceTables:
    write_history(folder, [history_row()])
    (folder / "overlap.jsonl").write_bytes(b"".join(encode_line(row) for row in rows))
    return build_independence(read_dataset(folder))


def test_pairs_are_added_up_whatever_their_order(tmp_path: Path) -> None:
    rows = [_overlap(), _overlap(ts="2026-08-19T10:17Z", a="beta", b="alpha", jaccard_sum=4.0)]
    (pair,) = _build(tmp_path, rows).shares["7d"].pairs
    assert (pair.a, pair.b, pair.num_queries) == ("alpha", "beta", 20)
    assert (pair.mean_jaccard, pair.share_shared3, pair.share_suspect) == (0.3, 0.1, 0.3)


def test_rows_without_a_counter_do_not_water_down_its_share(tmp_path: Path) -> None:
    rows = [_overlap(), _overlap(bench=None, num_shared3=None, num_suspect=None)]
    (pair,) = _build(tmp_path, rows).shares["all"].pairs
    assert (pair.num_queries, pair.n3, pair.n_low) == (20, 10, 10)
    assert (pair.mean_jaccard, pair.share_shared3, pair.share_suspect) == (0.2, 0.1, 0.3)


def test_a_pair_without_queries_has_no_shares(tmp_path: Path) -> None:
    (pair,) = _build(tmp_path, [_overlap(num_queries=0, jaccard_sum=0.0)]).shares["7d"].pairs
    assert (pair.mean_jaccard, pair.share_suspect) == (None, None)


def test_old_rows_count_in_all_runs_only(tmp_path: Path) -> None:
    tables = _build(tmp_path, [_overlap(ts="2026-07-01T00:00Z")])
    assert len(tables.shares["all"].pairs) == 1
    assert tables.shares["7d"].pairs == []
    assert tables.shares["7d"].pairs_to is None


def test_uniqueness_is_a_ratio_of_sums(tmp_path: Path) -> None:
    write_history(tmp_path, [history_row()])
    rows = [
        UniquenessRow(ts=ts, bench="news", engine="alpha", unique_urls=unique, total_urls=total,
                      relevant_unique_urls=0, relevant_total_urls=0)
        for ts, unique, total in (("2026-08-19T10:17Z", 1, 2), (END, 1, 8))
    ]  # fmt: skip
    (tmp_path / "uniqueness.jsonl").write_bytes(b"".join(encode_line(row) for row in rows))
    (line,) = build_independence(read_dataset(tmp_path)).shares["7d"].engines
    assert (line.share_unique, line.total_urls, line.share_relevant_unique) == (0.2, 10, None)


def _document(to: str) -> Independence:
    pair = PairTotals(
        a="alpha", b="beta", jaccard_sum=50.0, num_shared3=10, num_suspect=20,
        low_shared_urls=30, num_queries=100, n3=50, n_low=80,
    )  # fmt: skip
    window = IndependenceWindow(from_="2026-01-01T00:00Z", to=to, runs=9, pairs=[pair], engines=[])
    return Independence(generated_at=to, families={}, windows={"all": window, "7d": window})


def test_the_file_is_used_where_it_reaches_the_newest_run(tmp_path: Path) -> None:
    tmp_path.joinpath("independence.json").write_bytes(encode_document(_document(END)))
    tables = _build(tmp_path, [_overlap()])
    (pair,) = tables.shares["all"].pairs
    assert (pair.mean_jaccard, pair.share_shared3, pair.share_suspect) == (0.5, 0.2, 0.25)
    assert tables.sums == _document(END)


def test_a_file_that_ends_earlier_gives_way_to_the_rows(tmp_path: Path) -> None:
    document = encode_document(_document("2026-08-19T10:17Z"))
    tmp_path.joinpath("independence.json").write_bytes(document)
    tables = _build(tmp_path, [_overlap()])
    assert tables.shares["all"].pairs[0].num_queries == 10
    assert "does not end at the newest run" in tables.source
