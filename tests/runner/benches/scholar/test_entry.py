"""The scholar bench's flags: defaults, what needs a model, and what is refused."""

from __future__ import annotations

import argparse
import asyncio
from io import StringIO
from typing import Any

import pytest

from runner.benches.bench import Harvest
from runner.benches.scholar import flags
from runner.benches.scholar.entry import BENCH, generate_from_flags
from runner.benches.scholar.rows import AGE_BUCKETS, BUCKETS
from runner.edge import Edge
from runner.errors import UsageError
from runner.llm.embedded import EmbeddedModel
from runner.pipeline import query_model, set_up
from runner.progress import PlainProgress
from runner.settings import Settings
from tests.runner.benches.scholar.made_papers import NOW


def parsed(*words: str, command: str = "run_generate") -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    flags.add_generate_flags(parser)
    args = parser.parse_args(words)
    args.command, args.seed = command, None
    return args


def embedded(*words: str) -> Harvest:
    return asyncio.run(
        generate_from_flags(
            parsed(*words),
            Settings(env={}),
            "embedded",
            NOW,
            EmbeddedModel(),
            PlainProgress(StringIO()),
        )
    )


def test_the_defaults_are_those_of_the_schedule() -> None:
    args = parsed()
    assert args.suites == "arxiv,europepmc"
    assert args.age_buckets == "7d,30d,1y"
    assert args.buckets == "title,body,clue,tot"
    assert (args.per_cell, args.llm_concurrency, args.llm_model) == (10, 8, None)
    assert (flags.NUM_RESULTS, flags.SEARCH_CONCURRENCY, flags.JUDGE) == (10, 2, "never")
    assert flags.LIMIT == 0
    assert parsed("--body-concurrency", "3").llm_concurrency == 3


@pytest.mark.parametrize(
    ("words", "command", "needs"),
    [
        ((), "run_generate", True),
        ((), "run_batch", True),
        ((), "run_run", False),
        ((), "run_publish", False),
        (("--buckets", "title"), "run_generate", False),
        (("--buckets", " title , "), "run_batch", False),
        (("--buckets", "title,tot"), "run_batch", True),
        (("--buckets", "clue"), "run_generate", True),
    ],
)
def test_a_model_is_needed_for_all_but_titles(
    words: tuple[str, ...], command: str, needs: bool
) -> None:
    args = parsed(*words, command=command)
    if command not in ("run_generate", "run_batch"):
        del args.buckets  # the other stages have no such flag
    assert (flags.model_purpose(args) is not None) == needs


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--suites", "arxiv,pubmed"), "--suites 'pubmed' is not known"),
        (("--age-buckets", "7d,2y"), "--age-buckets '2y' is not known"),
        (("--buckets", "title,vague"), "--buckets 'vague' is not known"),
        (("--buckets", ","), "--buckets ',' is not known; known are title, body, clue, tot"),
    ],
)
def test_an_unknown_name_is_refused_with_the_known_ones(words: tuple[str, ...], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        embedded(*words)


@pytest.mark.parametrize("words", [("--per-cell", "0"), ("--body-concurrency", "0")])
def test_numbers_begin_at_one(words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit):
        parsed(*words)


def test_without_a_key_the_rows_are_those_of_the_sample() -> None:
    harvest = embedded()
    assert {row.query_origin.provenance["queries_from"] for row in harvest.rows} == {"sample"}
    assert {row.query_origin.bucket for row in harvest.rows} == set(BUCKETS)
    titles = embedded("--buckets", "title", "--suites", "arxiv")
    assert {row.query_origin.bucket for row in titles.rows} == {"title"}
    assert {row.query_origin.provenance["suite"] for row in titles.rows} == {"arxiv"}
    assert titles.counts == {"from_the_sample": len(titles.rows)}


def test_breakdowns_stand_in_the_order_of_age_and_vagueness() -> None:
    order: Any = BENCH.group_order
    assert order["age"] == AGE_BUCKETS == ("7d", "30d", "1y", "older")
    assert order["bucket"] == BUCKETS == ("title", "body", "clue", "tot")
    assert (BENCH.kind, BENCH.query_file) == ("known_item", "scholar.jsonl")


def test_titles_alone_are_asked_for_live_without_a_key() -> None:
    args = parsed("--buckets", "title")
    args.bench, args.profile, args.now = "scholar", "live", "2026-11-15T10:17Z"
    args.engines = "keenable"
    edge = Edge({"NEEDLE_CONTACT": "ops@example.org"}, asyncio.sleep)
    setup = set_up(args, edge)
    assert isinstance(query_model(setup, args.llm_model, args.llm_concurrency), EmbeddedModel)
    args.buckets = "title,tot"
    with pytest.raises(UsageError, match="write body, clue and tot queries"):
        set_up(args, edge)
