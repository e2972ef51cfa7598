"""Shards: small, whole together, and without a character that could act."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.records.base import encode_line
from runner.records.reports import Report
from sitebuilder.shards import (
    MAX_BYTES,
    Index,
    Shard,
    cut,
    is_whole,
    shown_queries,
    shown_text,
)
from tests.site.made_archive import made_report

MANY = [f"engine-{number:02}" for number in range(40)]


def shards_of(report: Report) -> tuple[Index, list[Shard]]:
    return cut(report, shown_queries(report))


def test_each_query_is_found_whole_in_the_shards_that_the_index_names() -> None:
    report = made_report("news", engines=MANY, queries=12)
    index, shards = shards_of(report)
    assert len(shards) > 3
    for place, listed in enumerate(index.queries):
        pieces = [
            query
            for number in listed.shards
            for query in shards[number - 1].queries
            if query.n == place + 1
        ]
        names = [engine.engine for piece in pieces for engine in piece.engines]
        assert names == [*MANY, "ultimate"]
        scores = [engine.score for piece in pieces for engine in piece.engines]
        assert scores == listed.scores


def test_scores_are_those_of_the_report_to_3_decimals() -> None:
    report = made_report("news")
    index, _ = shards_of(report)
    assert [each.engine for each in index.engines] == ["alpha", "beta", "gamma", "ultimate"]
    assert [each.label for each in index.engines] == ["Alpha", "Beta", "Gamma", "ultimate"]
    assert [listed.scores for listed in index.queries] == [
        [0.9, 0.0, 0.0, 1.0],
        [0.0, 0.0, 0.0, 1.0],
        [0.25, 0.312, None, 1.0],
        [0.25, 0.312, 0.375, 1.0],
    ]


def test_a_judged_result_keeps_rating_penalty_reasoning_and_the_gates_that_did_not_pass() -> None:
    [first, again, failed, unrated] = shown_queries(made_report("news"))[0].engines[0].results
    assert (first.rating, first.label, first.repeats, first.gates) == (4, "FullyM", False, {})
    assert (again.rating, again.repeats, again.reasoning) == (4, True, "The same page once more.")
    assert failed.gates == {"integrity": "limit", "staleness": "fail"}
    assert (failed.code_gates, failed.above_gates) == (["search operators"], ["freshness"])
    assert (unrated.rating, unrated.label) == (None, None)


def test_a_known_item_keeps_its_gold_value_rank_and_evidence() -> None:
    queries = shown_queries(made_report("scholar"))
    assert queries[0].facts == {
        "Gold value": "Gold 0",
        "Item": "item 0",
        "Bucket": "title",
        "Syntax": "plain",
    }
    alpha = queries[0].engines[0]
    assert (alpha.hit_rank, alpha.code_rank) == (2, 2)
    assert [(each.match, each.model_match) for each in alpha.results] == [
        (None, None),
        ("arxiv", None),
    ]
    assert alpha.results[1].ids == ["arxiv 2611.00001", "doi 10.1/abc"]
    by_model = queries[3].engines[0]
    assert (by_model.hit_rank, by_model.code_rank) == (2, None)
    assert [each.model_match for each in by_model.results] == [False, True]


def test_a_long_snippet_is_shown_around_the_gold_value() -> None:
    def far(engine: str, place: int, result: Any) -> Any:
        return msgspec.structs.replace(result, snippet=f"{'word ' * 300}gold 0 {'more ' * 300}")

    snippet = shown_queries(made_report("legal", edit=far))[0].engines[0].results[0].snippet
    assert snippet is not None
    assert "gold 0" in snippet
    assert (snippet[0], snippet[-1]) == ("…", "…")
    assert len(snippet) <= 282


@pytest.mark.parametrize(
    ("text", "max_chars", "shown"),
    [
        (None, 5, ""),
        ("  two\n\twords\x00 ", 20, "two words"),
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abcdef…"),
        ("abcde fg", 6, "abcde…"),
        ("a\u202eb\u2066c\u2029d", 20, "a b c d"),
        ("שלום", 20, "שלום"),
        ("w" * 50_000, 3, "www…"),
    ],
)
def test_shown_text_is_one_bounded_line_that_turns_nothing_around(
    text: str | None, max_chars: int, shown: str
) -> None:
    assert shown_text(text, max_chars) == shown


HUGE: Sequence[str] = ["w" * 50_000, "\N{GRINNING FACE}" * 50_000, '"\\' * 50_000]


@pytest.mark.parametrize("bench", ["news", "scholar"])
@pytest.mark.parametrize("text", HUGE, ids=["word", "emoji", "escapes"])
def test_no_shard_is_larger_than_promised_whatever_the_results_hold(bench: str, text: str) -> None:
    def huge(engine: str, place: int, result: Any) -> Any:
        more: dict[str, Any] = (
            {
                "reasoning": text,
                "gates": {f"{number}{text}": text for number in range(50)},
                "gate_violations": [text] * 50,
                "code_gates": [text] * 50,
            }
            if bench == "news"
            else {"ids": {"doi": [text] * 50}, "match_via": text}
        )
        return msgspec.structs.replace(
            result, url=f"https://{text}", title=text, snippet=text, published=text, **more
        )

    report = made_report(bench, edit=huge, queries=2)
    for block in report.engines.values():
        for query in block.per_query:
            query.results.extend([*query.results] * 5)  # type: ignore[attr-defined]
    index, shards = shards_of(report)
    assert len(shards) >= 2
    for shard in shards:
        content = encode_line(shard)
        assert len(content) <= MAX_BYTES
        assert json.loads(content)["run_id"] == index.run_id


@settings(deadline=None, max_examples=30)
@given(st.lists(st.text(max_size=900), min_size=1, max_size=8), st.integers(1, 30))
def test_shards_stay_small_and_lose_no_answer(texts: list[str], engines: int) -> None:
    def edit(engine: str, place: int, result: Any) -> Any:
        text = texts[(place + len(engine)) % len(texts)]
        return msgspec.structs.replace(result, title=text, snippet=text, reasoning=text * 3)

    report = made_report("news", engines=MANY[:engines], queries=3, edit=edit)
    index, shards = shards_of(report)
    assert all(len(encode_line(shard)) <= MAX_BYTES for shard in shards)
    held = sum(len(query.engines) for shard in shards for query in shard.queries)
    assert held == 3 * (engines + 1)
    assert [shard.number for shard in shards] == list(range(1, len(shards) + 1))
    assert {number for listed in index.queries for number in listed.shards} == {
        shard.number for shard in shards
    }


def test_a_run_whose_engines_answer_different_queries_is_not_whole() -> None:
    report = made_report("news")
    assert is_whole(report)
    report.engines["beta"].per_query.pop()  # type: ignore[attr-defined]
    assert not is_whole(report)


def test_a_run_without_queries_or_engines_is_not_whole() -> None:
    report = made_report("news")
    assert not is_whole(msgspec.structs.replace(report, engines={}))
    for block in report.engines.values():
        block.per_query.clear()  # type: ignore[attr-defined]
    assert not is_whole(report)
