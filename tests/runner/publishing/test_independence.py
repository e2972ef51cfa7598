from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.publishing.independence import compute_independence
from runner.records.jsonl import read_all
from runner.records.published import Independence, OverlapRow, PairTotals, UniquenessRow

PUBLISHED = Path(__file__).parents[4] / "shared" / "data" / "published"


def overlap(ts: str, a: str = "x", b: str = "y", **fields: object) -> OverlapRow:
    raw = {"ts": ts, "bench": "news", "a": a, "b": b, "jaccard_sum": 1.5, "num_queries": 20}
    return msgspec.convert({**raw, **fields}, OverlapRow)


def uniqueness(ts: str, engine: str = "x", unique: int = 3) -> UniquenessRow:
    return UniquenessRow(
        ts=ts,
        bench="news",
        engine=engine,
        unique_urls=unique,
        total_urls=4,
        relevant_unique_urls=1,
        relevant_total_urls=2,
    )


def computed(overlaps: list[OverlapRow], uniques: list[UniquenessRow]) -> Independence:
    return compute_independence(overlaps, uniques, {"z": "y"}, generated_at="2026-11-15T10:30:00Z")


def test_rows_without_a_counter_stay_out_of_its_denominator() -> None:
    rows = [
        overlap("2026-11-15T08:17Z"),
        overlap("2026-11-15T09:17Z", num_shared3=2),
        overlap("2026-11-15T10:17Z", num_shared3=1, num_suspect=4, low_shared_urls=5),
    ]
    assert computed(rows, []).windows["all"].pairs == [
        PairTotals(
            a="x",
            b="y",
            jaccard_sum=4.5,
            num_shared3=3,
            num_suspect=4,
            low_shared_urls=5,
            num_queries=60,
            n3=40,
            n_low=20,
        )
    ]


def test_a_pair_is_one_pair_in_either_order() -> None:
    rows = [overlap("2026-11-15T08:17Z", "b", "a"), overlap("2026-11-15T09:17Z", "a", "b")]
    [pair] = computed(rows, []).windows["all"].pairs
    assert (pair.a, pair.b, pair.jaccard_sum) == ("a", "b", 3.0)


def test_the_short_window_leaves_out_a_row_of_exactly_seven_days() -> None:
    stamps = ["2026-11-08T10:17Z", "2026-11-08T10:18Z", "2026-11-15T10:17Z"]
    windows = computed(
        [], [uniqueness(ts, unique=place) for place, ts in enumerate(stamps)]
    ).windows
    assert (windows["all"].from_, windows["all"].to, windows["all"].runs) == (
        stamps[0],
        stamps[2],
        3,
    )
    assert (windows["7d"].from_, windows["7d"].to, windows["7d"].runs) == (stamps[1], stamps[2], 2)
    assert [engine.unique_urls for engine in windows["all"].engines] == [3]
    assert [engine.unique_urls for engine in windows["7d"].engines] == [3]
    assert windows["7d"].engines[0].total_urls == 8


def test_two_benches_of_one_minute_are_two_runs() -> None:
    rows = [overlap("2026-11-15T10:17Z"), overlap("2026-11-15T10:17Z", bench="legal")]
    assert computed(rows, []).windows["all"].runs == 2


def test_no_rows_give_an_empty_window() -> None:
    assert computed([], []).windows["all"].runs == 0


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from("def"), st.integers(0, 100_000)),
        max_size=9,
    ),
    st.randoms(),
)
def test_the_order_of_rows_changes_nothing(
    parts: list[tuple[str, str, int]], rng: random.Random
) -> None:
    rows = [
        overlap(f"2026-11-15T{place:02d}:17Z", a, b, jaccard_sum=value / 10_000)
        for place, (a, b, value) in enumerate(parts)
    ]
    shuffled = rng.sample(rows, len(rows))
    assert computed(rows, []) == computed(shuffled, [])


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published data set is not on this machine")
def test_real_rows_without_bench_are_summed() -> None:
    overlaps = read_all(PUBLISHED / "overlap.jsonl", msgspec.json.Decoder(OverlapRow).decode)
    uniques = read_all(PUBLISHED / "uniqueness.jsonl", msgspec.json.Decoder(UniquenessRow).decode)
    window = computed(overlaps, uniques).windows["all"]
    assert sum(pair.num_queries for pair in window.pairs) == sum(r.num_queries for r in overlaps)
    assert sum(each.total_urls for each in window.engines) == sum(r.total_urls for r in uniques)
    assert all(pair.jaccard_sum <= pair.num_queries for pair in window.pairs)
    assert all(pair.n_low <= pair.num_queries for pair in window.pairs)
