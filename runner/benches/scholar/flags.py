"""The command-line flags of the scholar bench; imported by help, so it imports nothing heavy."""

from __future__ import annotations

import argparse

from runner.flag_values import positive, text

HELP = "Papers found by title, by a detail of their text, and by a vague memory, recall@10 and MRR."
LIMIT = 0  # all: the buckets of a paper belong together
NUM_RESULTS = 10
SEARCH_CONCURRENCY = 2
JUDGE = "never"
SUITES = "arxiv,europepmc"
AGE_BUCKETS = "7d,30d,1y"
BUCKETS = "title,body,clue,tot"


def model_purpose(args: argparse.Namespace) -> str | None:
    """What a language model is needed for, if anything."""
    if args.command not in ("run_generate", "run_batch"):
        return None
    if {bucket.strip() for bucket in args.buckets.split(",")} <= {"title", ""}:
        return None
    return "write body, clue and tot queries (--buckets title goes without)"


def add_generate_flags(parser: argparse.ArgumentParser) -> None:
    """Adds the flags; all have their value, since none excludes another."""
    group = parser.add_argument_group("scholar queries")
    group.add_argument(
        "--suites", type=text, default=SUITES, metavar="A,B", help=f"which sources ({SUITES})"
    )
    group.add_argument(
        "--age-buckets",
        type=text,
        default=AGE_BUCKETS,
        metavar="A,B",
        help=f"ages of papers, also older ({AGE_BUCKETS})",
    )
    group.add_argument(
        "--buckets",
        type=text,
        default=BUCKETS,
        metavar="A,B",
        help=f"kinds of query; a paper has all or none ({BUCKETS})",
    )
    group.add_argument(
        "--per-cell",
        type=positive,
        default=10,
        metavar="N",
        help="papers of each field and age (10)",
    )
    group.add_argument(
        "--llm-model", type=text, metavar="M", help="write queries with M (NEEDLE_LLM_MODEL)"
    )
    group.add_argument(
        "--body-concurrency",
        dest="llm_concurrency",
        type=positive,
        metavar="N",
        default=8,
        help="papers at once: text and queries (8)",
    )
