"""The command-line flags of the agentic_rare bench; imported by help, so nothing heavy."""

from __future__ import annotations

import argparse
from typing import Any

from runner.flag_values import count, positive, text
from runner.sampling import SCHEMES

HELP = "Queries of agents with words that hardly anyone writes, judged, nDCG@5."
LIMIT = 100  # what the schedule asks
NUM_RESULTS = 5
SEARCH_CONCURRENCY = 1
JUDGE = "always"

FILTERED_PATH = "agentic/rare_entity.parquet"
STREAM_PATH = "agentic/queries.parquet"


def model_purpose(args: argparse.Namespace) -> str | None:
    """What a language model is needed for, if anything: the queries were written by agents."""
    return None if args.command in ("run_generate", "run_filter") else "judge"


def add_generate_flags(parser: argparse.ArgumentParser) -> None:
    """Adds the flags; a sampling scheme only where the run's own is not there already."""
    group = parser.add_argument_group("rare queries")
    group.add_argument(
        "--queries",
        type=text,
        metavar="FILE",
        help="filtered rows in Parquet or JSONL (the dataset's; embedded: the sample)",
    )
    _add_dataset(group)
    group.add_argument(
        "--filtered-path",
        type=text,
        default=FILTERED_PATH,
        metavar="P",
        help=f"the filtered rows in the dataset ({FILTERED_PATH})",
    )
    group.add_argument(
        "--used",
        type=text,
        metavar="FILE",
        help="ask none of the queries of the last 30 days, which FILE remembers (a live batch: "
        "D/agentic_rare.used.jsonl)",
    )
    _add_cache(group)
    if parser.get_default("sample") is None:
        group.add_argument("--sample", choices=SCHEMES, default="stratified", help="(stratified)")
    parser.set_defaults(llm_model=None, llm_concurrency=1)  # no model writes queries here


def add_filter_stage(stages: Any) -> None:
    """Adds the stage `filter`, which makes the artifact out of a stream of queries."""
    stage = stages.add_parser(
        "filter",
        help="keep the rare queries of a stream",
        description="Keep the English queries of a stream that hold rare words; write Parquet. "
        "Rows that fail leave nothing in memory, the others about a hundred bytes.",
        allow_abbrev=False,
    )
    stage.set_defaults(command="run_filter")
    stage.add_argument(
        "--queries", type=text, metavar="FILE", help="the stream, Parquet or JSONL (the dataset's)"
    )
    stage.add_argument(
        "--out", type=text, required=True, metavar="FILE", help="write the rows to FILE (Parquet)"
    )
    _add_dataset(stage)
    stage.add_argument(
        "--stream-path",
        type=text,
        default=STREAM_PATH,
        metavar="P",
        help=f"the stream in the dataset ({STREAM_PATH})",
    )
    stage.add_argument(
        "--query-field",
        type=text,
        default="query_text",
        metavar="F",
        help="the column of the query (query_text, else query)",
    )
    _add_limits(stage)
    stage.add_argument(
        "--vocab",
        type=text,
        metavar="FILE",
        help="vocab.txt of bert-base-uncased (the hub's, kept in the cache)",
    )
    _add_cache(stage)
    stage.add_argument(
        "--row-group-size",
        type=positive,
        default=10_000,
        metavar="N",
        help="rows in a row group of the output (10000)",
    )


def _add_limits(stage: argparse.ArgumentParser) -> None:
    limits = (
        ("--min-words", count, 2, "words a query has at least"),
        ("--max-query-len", positive, 200, "characters a query has at most"),
        ("--max-word-len", positive, 40, "characters a word has at most"),
        ("--subword-threshold", positive, 5, "pieces that make a word rare"),
        ("--dedup-ngram", positive, 3, "words in a run that few queries may share"),
        ("--dedup-max", positive, 2, "queries that may share a run"),
    )
    for flag, kind, default, effect in limits:
        stage.add_argument(
            flag, type=kind, default=default, metavar="N", help=f"{effect} ({default})"
        )
    stage.add_argument(
        "--any-language", action="store_true", help="keep other languages too (English only)"
    )


def _add_dataset(group: Any) -> None:
    group.add_argument(
        "--dataset",
        type=text,
        metavar="REPO",
        help="dataset on the hub (HF_DATASET, else keenable-ai/needle-results)",
    )


def _add_cache(group: Any) -> None:
    group.add_argument(
        "--source-cache", type=text, metavar="DIR", help="keep what the hub gives (data/cache)"
    )


EXTRA_STAGES = (add_filter_stage,)
