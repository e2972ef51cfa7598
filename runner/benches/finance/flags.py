"""The command-line flags of the finance bench; imported by help, so it imports nothing heavy."""

from __future__ import annotations

import argparse

from runner.flag_values import count, positive, text

HELP = "Facts about listed companies with gold from public registries, recall@5 and MRR."
LIMIT = 120  # what the schedule asks, twice a day
NUM_RESULTS = 5
SEARCH_CONCURRENCY = 1
JUDGE = "option"
SUITES = "finance,filings,filingdoc"
QUARTER_FIELDS = "net_income,operating_income,eps_diluted"


def model_purpose(args: argparse.Namespace) -> str | None:
    """What a language model is needed for, if anything."""
    if args.command in ("run_generate", "run_batch") and "filingdoc" in args.suites:
        return "write filing queries (--suites finance,filings goes without)"
    return "judge" if getattr(args, "judge", False) else None


def add_generate_flags(parser: argparse.ArgumentParser) -> None:
    """Adds the flags; all have their value, since none excludes another."""
    group = parser.add_argument_group("finance queries")
    group.add_argument(
        "--suites", type=text, default=SUITES, metavar="A,B", help=f"which parts ({SUITES})"
    )
    group.add_argument(
        "--max-companies",
        type=positive,
        default=100,
        metavar="N",
        help="companies a suite, drawn by size and seed (100)",
    )
    group.add_argument(
        "--min-employee-year",
        type=count,
        default=0,
        metavar="Y",
        help="drop head-counts from before Y (0: last year)",
    )
    group.add_argument(
        "--fields",
        type=text,
        default=QUARTER_FIELDS,
        metavar="A,B",
        help=f"figures of a quarter, also revenue ({QUARTER_FIELDS})",
    )
    group.add_argument(
        "--per-company", type=positive, default=2, metavar="N", help="figures a company (2)"
    )
    group.add_argument(
        "--quarters-back", type=positive, default=6, metavar="N", help="newest quarters (6)"
    )
    group.add_argument(
        "--filingdoc-target", type=positive, default=40, metavar="N", help="filings (40)"
    )
    group.add_argument(
        "--source-cache", type=text, metavar="DIR", help="keep what sources answer (data/cache)"
    )
    group.add_argument(
        "--llm-model", type=text, metavar="M", help="write queries with M (NEEDLE_LLM_MODEL)"
    )
    group.add_argument(
        "--llm-concurrency", type=positive, metavar="N", default=8, help="queries at once (8)"
    )
    group.add_argument(
        "--registry-concurrency",
        type=positive,
        metavar="N",
        default=4,
        help="requests to registries at once (4)",
    )
