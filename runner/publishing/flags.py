"""The flags of the commands on the data branch and the archive; light, so that help is quick."""

from __future__ import annotations

import argparse

from runner.flag_values import money, positive, text

COMMANDS = {
    "push": ("publish reports and push the data branch", "runner.publishing.push"),
    "plan": ("say which benches are due", "runner.publishing.plan"),
    "compact": ("close weeks: move them into Parquet files", "runner.publishing.compact"),
    "archive": ("store full results of reports", "runner.publishing.archiving"),
    "archive-months": (
        "write the tables and the index of an archive's closed months",
        "runner.publishing.archive_months",
    ),
    "alive": ("fail where the newest runs are too old", "runner.publishing.alive"),
    "verify": ("check every file of a data directory", "runner.publishing.verify"),
    "rescore": ("rebuild published numbers from the archive", "runner.publishing.rescore"),
    "daily-queries": (
        "rebuild daily_queries.jsonl from the archive",
        "runner.publishing.daily_queries",
    ),
    "snapshot": ("freeze a month's results in D/history", "snapshot.freeze"),
}
"""What each command does, and the module of its `run_<name>`; its flags are `add_<name>_flags`."""


def add_push_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `push`."""
    parser.add_argument(
        "--report",
        type=text,
        nargs="+",
        required=True,
        metavar="R",
        help="the reports to publish, a commit each; the gold of a bench is the queries.jsonl "
        "beside its report",
    )
    parser.add_argument(
        "--data", type=text, required=True, metavar="D", help="a worktree of the data branch"
    )
    _add_branch(parser)
    parser.add_argument(
        "--archive",
        type=text,
        metavar="A",
        help="store full results first: a folder, or hub:OWNER/DATASET (no archive)",
    )
    parser.add_argument(
        "--archived",
        action="store_true",
        help="`archive` has stored these reports already; only note their files (--archive stores)",
    )
    parser.add_argument(
        "--keep",
        type=text,
        metavar="DIR",
        help="leave what could not be published in DIR (D/unpublished)",
    )
    parser.add_argument("--now", metavar="T", help="work as if it were T, in UTC (the clock)")


def add_plan_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `plan`."""
    parser.add_argument("--data", type=text, required=True, metavar="D", help="the data directory")
    parser.add_argument("--now", metavar="T", help="plan as if it were T, in UTC (the clock)")
    parser.add_argument(
        "--event",
        choices=("schedule", "dispatch"),
        default="schedule",
        help="dispatch runs --benches whether due or not (schedule)",
    )
    parser.add_argument("--benches", type=text, metavar="A,B", help="look at these (all)")
    parser.add_argument(
        "--max-usd-per-day",
        type=money,
        metavar="X",
        help="nothing is due while the models of the last 24 hours cost X dollars or more; a "
        "dispatch is not held up (no limit)",
    )
    parser.add_argument("--json", action="store_true", help="write JSON (lines of text)")
    parser.add_argument(
        "--claim",
        action="store_true",
        help="push to the data branch that these runs are started, so that nobody else starts "
        "them (only say what is due)",
    )
    _add_branch(parser)


def add_compact_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `compact`."""
    parser.add_argument("--data", type=text, required=True, metavar="D", help="the data directory")
    parser.add_argument("--now", metavar="T", help="work as if it were T, in UTC (the clock)")
    parser.add_argument(
        "--push", action="store_true", help="D is a worktree of the data branch; push it as well"
    )
    _add_branch(parser)


def add_archive_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `archive`."""
    parser.add_argument(
        "--report", type=text, nargs="+", required=True, metavar="R", help="the reports to store"
    )
    parser.add_argument(
        "--archive",
        type=text,
        required=True,
        metavar="A",
        help="where: a folder, or hub:OWNER/DATASET",
    )


def add_archive_months_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `archive-months`."""
    parser.add_argument(
        "--archive", type=text, required=True, metavar="DIR", help="the archive's folder"
    )
    parser.add_argument("--now", metavar="T", help="work as if it were T, in UTC (the clock)")
    parser.add_argument(
        "--check", action="store_true", help="compare the closed months with their index (write)"
    )


def add_alive_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `alive`."""
    parser.add_argument("--data", type=text, required=True, metavar="D", help="the data directory")
    parser.add_argument("--now", metavar="T", help="look as if it were T, in UTC (the clock)")


def add_verify_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `verify`."""
    parser.add_argument("--data", type=text, required=True, metavar="D", help="the data directory")
    parser.add_argument("--now", metavar="T", help="look as if it were T, in UTC (the clock)")


def add_rescore_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `rescore`."""
    parser.add_argument("run", nargs="?", metavar="RUN", help="this run, of every bench in it")
    parser.add_argument("--latest", type=positive, metavar="N", help="the newest N runs")
    parser.add_argument("--all", action="store_true", help="every archived run")
    parser.add_argument(
        "--archive", type=text, required=True, metavar="DIR", help="the archive's folder"
    )
    parser.add_argument("--data", type=text, required=True, metavar="D", help="the data directory")
    parser.add_argument("--check", action="store_true", help="no tables, only what differs (both)")
    parser.add_argument(
        "--metric",
        choices=("graded", "linear", "exponential"),
        help="show nDCG with other gains, and compare nothing (the published numbers)",
    )
    parser.add_argument(
        "--judge-model",
        type=text,
        metavar="M",
        help="judge the results of judged benches again with M, and compare nothing (no model)",
    )
    parser.add_argument(
        "--judge-concurrency", type=positive, default=8, metavar="N", help="calls at once (8)"
    )
    parser.add_argument(
        "--out", type=text, metavar="DIR", help="write the reports with the other judge to DIR"
    )
    parser.add_argument("--jobs", type=positive, metavar="N", help="processes (one a core)")
    parser.add_argument(
        "--dask",
        type=text,
        metavar="ADDRESS",
        help="spread the runs over a Dask cluster, whose workers see both folders (this machine)",
    )


def add_daily_queries_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `daily-queries`."""
    parser.add_argument(
        "--archive", type=text, required=True, metavar="DIR", help="the archive's folder"
    )


def add_snapshot_flags(parser: argparse.ArgumentParser) -> None:
    """The flags of `snapshot`."""
    parser.add_argument(
        "month", nargs="?", type=text, metavar="YYYY-MM", help="freeze this month (the last one)"
    )
    parser.add_argument(
        "--data", type=text, required=True, metavar="D", help="a worktree of the data branch"
    )
    parser.add_argument(
        "--site",
        type=text,
        metavar="DIR",
        help="keep the site of the month's end, of which the picture is taken, in DIR (not kept)",
    )
    parser.add_argument(
        "--push", action="store_true", help="push the files to the data branch (only write them)"
    )
    parser.add_argument("--now", metavar="T", help="work as if it were T, in UTC (the clock)")
    _add_branch(parser)


def _add_branch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--branch", type=text, default="gh-pages", metavar="B", help="the data branch (gh-pages)"
    )
    parser.add_argument(
        "--tries", type=positive, default=8, metavar="N", help="push at most N times (8)"
    )
