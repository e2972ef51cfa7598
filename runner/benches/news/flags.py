"""The command-line flags of the news bench; imported by help, so it imports nothing heavy."""

from __future__ import annotations

import argparse

from runner.flag_values import count, positive, text

HELP = "Keyword queries about events of the last hours, judged, nDCG@5."
LIMIT = 20  # what the hourly schedule asks
NUM_RESULTS = 5
SEARCH_CONCURRENCY = 1
JUDGE = "always"

_RSS_FLAGS = ("feeds", "feeds_dir", "fetch_concurrency", "max_rows_per_source", "min_candidates")
_TREND_FLAGS = ("geos", "max_trends")


def model_purpose(args: argparse.Namespace) -> str:
    """What a language model is needed for."""
    return "write queries" if args.command == "run_generate" else "judge"


def add_generate_flags(parser: argparse.ArgumentParser) -> None:
    """Adds the flags; one that is not given leaves no attribute, so its use can be told."""
    group = parser.add_argument_group("news queries")
    missing = argparse.SUPPRESS
    group.add_argument(
        "--source", choices=("rss", "trending", "both"), default="rss", help="where from (rss)"
    )
    group.add_argument(
        "--feeds",
        type=text,
        metavar="FILE",
        default=missing,
        help="feeds in TOML (the packaged 130)",
    )
    group.add_argument(
        "--feeds-dir",
        type=text,
        metavar="DIR",
        default=missing,
        help="read the feed files in DIR instead",
    )
    group.add_argument(
        "--fetch-concurrency",
        type=positive,
        metavar="N",
        default=missing,
        help="feeds at once (15)",
    )
    group.add_argument(
        "--max-rows-per-source",
        type=positive,
        metavar="N",
        default=missing,
        help="items a feed (50)",
    )
    group.add_argument(
        "--min-candidates",
        type=count,
        metavar="N",
        default=missing,
        help="fill up to N items (30)",
    )
    group.add_argument(
        "--geos", type=text, metavar="A,B", default=missing, help="Google Trends regions (us-all)"
    )
    group.add_argument(
        "--max-trends",
        type=count,
        metavar="N",
        default=missing,
        help="top N trends (0 = all)",
    )
    group.add_argument(
        "--llm-model", type=text, metavar="M", help="write queries with M (NEEDLE_LLM_MODEL)"
    )
    group.add_argument(
        "--llm-concurrency",
        type=positive,
        metavar="N",
        default=8,
        help="queries at once (8)",
    )


def misplaced_flag(args: argparse.Namespace) -> str | None:
    """The first given flag that the chosen `--source` does not read, else None."""
    unread = {"rss": _TREND_FLAGS, "trending": _RSS_FLAGS, "both": ()}[args.source]
    given = [flag for flag in unread if hasattr(args, flag)]
    return f"--{given[0].replace('_', '-')}" if given else None
