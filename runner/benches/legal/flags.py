"""The command-line flags of the legal bench; imported by help, so it imports nothing heavy."""

from __future__ import annotations

import argparse

from runner.flag_values import positive, text

HELP = "Recent federal opinions and sections of the CFR, known items, recall@5 and MRR."
LIMIT = 0  # all that a generation gives, some 90
NUM_RESULTS = 5
SEARCH_CONCURRENCY = 1
JUDGE = "never"
SUITES = "caselaw,code"
COURTS = "scotus,ca1,ca2,ca3,ca4,ca5,ca6,ca7,ca8,ca9,ca10,ca11,cadc,cafc"
TITLES = "7,12,14,17,21,26,29,40,47,49"


def model_purpose(args: argparse.Namespace) -> str | None:
    """What a language model is needed for, if anything."""
    if args.command in ("run_generate", "run_batch") and "code" in args.suites:
        return "write queries about regulations (--suites caselaw goes without)"
    return None


def add_generate_flags(parser: argparse.ArgumentParser) -> None:
    """Adds the flags; all have their value, since none excludes another."""
    group = parser.add_argument_group("legal queries")
    group.add_argument(
        "--suites", type=text, default=SUITES, metavar="A,B", help=f"which parts ({SUITES})"
    )
    group.add_argument(
        "--courts", type=text, default=COURTS, metavar="A,B", help="federal courts (all 14)"
    )
    group.add_argument(
        "--per-court", type=positive, default=4, metavar="N", help="opinions a court (4)"
    )
    group.add_argument(
        "--months-back", type=positive, default=18, metavar="N", help="of the last N months (18)"
    )
    group.add_argument(
        "--months-per-court",
        type=positive,
        default=3,
        metavar="N",
        help="ask about N of them, one search each (3)",
    )
    group.add_argument(
        "--titles", type=text, default=TITLES, metavar="A,B", help=f"of the CFR ({TITLES})"
    )
    group.add_argument(
        "--per-title", type=positive, default=4, metavar="N", help="sections a title (4)"
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
