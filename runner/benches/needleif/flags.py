"""The command line of needleif; imported by help, so it imports nothing heavy."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from runner.flag_values import count, money, positive, text

HELP = "Follow an instruction that is buried in a long document: models, checked by code."
_MODELS = (
    "anthropic:MODEL, openai:MODEL, openrouter:MODEL, embedded:follower or embedded:tail-copier"
)
_COMMANDS = "runner.benches.needleif.commands"
_SCORING = "runner.benches.needleif.scoring_commands"


def add_commands(commands: Any, parser_class: Any) -> None:
    """Adds `needleif`, the whole batch, and its stages below it."""
    bench = commands.add_parser(
        "needleif", help=HELP, description=f"{HELP} Without a stage: all of them.",
        allow_abbrev=False,
    )  # fmt: skip
    bench.set_defaults(command="run_batch", module=_COMMANDS, dry_run=False)
    _add_batch_flags(bench)
    stages = bench.add_subparsers(metavar="STAGE", title="stages", parser_class=parser_class)
    for name, module, effect, add_flags in (
        ("generate", _COMMANDS, "hide needles in documents", _add_generate),
        ("run", _COMMANDS, "ask a model, or fill train and val with --attach", _add_run),
        ("score", _SCORING, "score answers, without a model", _add_score),
        ("stats", _SCORING, "count a data set and check its invariants", _add_stats),
        ("table", _SCORING, "compare models by their summaries", _add_table),
        ("publish", _COMMANDS, "append a report to a data directory", _add_publish),
        ("push", _COMMANDS, "upload a data set to the Hugging Face hub", _add_push),
    ):
        stage = stages.add_parser(
            name, help=effect, description=f"{effect[0].upper()}{effect[1:]}.", allow_abbrev=False
        )
        stage.set_defaults(command=f"run_{name}", module=module, dry_run=False)
        add_flags(stage)


def share(words: str) -> float | None:
    """A temperature from 0 to 2, or none for not sending one."""
    if words == "none":
        return None
    value = float(words)
    if not 0 <= value <= 2:
        raise argparse.ArgumentTypeError(f"{words!r} is not from 0 to 2, and not none")
    return value


def _add_batch_flags(bench: argparse.ArgumentParser) -> None:
    bench.add_argument(
        "--profile",
        choices=("live", "embedded"),
        help="live asks a model by its key, embedded two references without "
        "(live if OPENROUTER_API_KEY is set)",
    )
    bench.add_argument("--now", metavar="T", help="work as if it were T, in UTC (the clock)")
    bench.add_argument(
        "--models",
        type=text,
        metavar="A,B",
        help=f"ask these: {_MODELS} (openrouter:NEEDLE_LLM_MODEL; embedded: the two references)",
    )
    _add_dataset_flags(bench)
    bench.add_argument("--limit", type=count, default=0, metavar="N", help="ask N pairs (0 = all)")
    bench.add_argument(
        "--concurrency", type=positive, default=4, metavar="N", help="requests at once (4)"
    )
    bench.add_argument(
        "--max-usd", type=money, metavar="X", help="stop asking before X dollars a model (no limit)"
    )
    bench.add_argument("--data", type=text, metavar="D", help="append rows to D (data/<profile>)")
    bench.add_argument(
        "--archive", type=text, metavar="DIR", help="store full results in DIR (D/archive)"
    )
    bench.add_argument(
        "--site", type=text, metavar="DIR", help="build the site into DIR as well (no site)"
    )
    bench.add_argument(
        "--resume", action="store_true", help="go on with the newest unfinished run (a new run)"
    )
    bench.add_argument(
        "--dry-run", action="store_true", help="say what would be asked and how much (off)"
    )


def _add_dataset_flags(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("data set")
    group.add_argument(
        "--config",
        type=text,
        metavar="C",
        help="a TOML or JSON file, or full, smoke, sample, weekly (generate: full; "
        "a batch: weekly, embedded: sample)",
    )
    group.add_argument(
        "--needles",
        type=text,
        metavar="N",
        help="sample, hf:OWNER/NAME[@REVISION] such as hf:google/IFEval, or a file (sample)",
    )
    group.add_argument(
        "--exclude-flagged", action="store_true", help="leave needles with a note out (keep them)"
    )
    group.add_argument(
        "--haystack", type=text, metavar="H", help="programmatic, text:PATH or pg19 (the config's)"
    )
    group.add_argument(
        "--pg19-cache", type=text, metavar="DIR", help="the books, one .txt each (data/cache)"
    )
    group.add_argument(
        "--pg19-revision", type=text, metavar="R", help="the books at this revision (the newest)"
    )
    group.add_argument(
        "--tokenizer",
        type=text,
        metavar="T",
        help="words, tiktoken[:ENCODING], hf:MODEL[@REVISION] or hf:FOLDER (the config's)",
    )
    group.add_argument("--seed", type=count, metavar="N", help="seed of all draws (the config's)")


def _add_generate(stage: argparse.ArgumentParser) -> None:
    _add_dataset_flags(stage)
    stage.add_argument(
        "--out", type=text, required=True, metavar="DIR", help="write splits and manifest into DIR"
    )
    stage.add_argument(
        "--check", action="store_true", help="compare DIR with what would be written (write)"
    )


def _add_run(stage: argparse.ArgumentParser) -> None:
    stage.add_argument("--records", type=text, required=True, metavar="R", help="the records")
    stage.add_argument("--out", type=text, required=True, metavar="A", help="write answers to A")
    stage.add_argument("--model", type=text, required=True, metavar="M", help=f"ask M: {_MODELS}")
    stage.add_argument(
        "--base-url", type=text, metavar="URL", help="another address with openai: or anthropic:"
    )
    stage.add_argument(
        "--api-key-env", type=text, metavar="NAME", help="the variable of the key for --base-url"
    )
    stage.add_argument(
        "--extra-body", type=text, metavar="JSON", help="fields to add to each request (none)"
    )
    stage.add_argument("--samples", type=positive, default=1, metavar="K", help="a record (1)")
    stage.add_argument(
        "--temperature",
        type=share,
        default=argparse.SUPPRESS,
        metavar="T",
        help="a number, or none (0; with several samples 0.7)",
    )
    stage.add_argument(
        "--max-tokens", type=positive, metavar="N", help="of an answer (each record's reserve)"
    )
    stage.add_argument(
        "--concurrency", type=positive, default=4, metavar="N", help="requests at once (4)"
    )
    stage.add_argument(
        "--retries", type=count, default=5, metavar="N", help="after a failure that may pass (5)"
    )
    stage.add_argument(
        "--conditions", type=text, default="bare,haystack", metavar="A,B", help="bare,haystack"
    )
    stage.add_argument("--limit", type=count, default=0, metavar="N", help="ask N pairs (0 = all)")
    stage.add_argument(
        "--max-usd", type=money, metavar="X", help="stop asking before X dollars (no limit)"
    )
    stage.add_argument(
        "--strip-reasoning",
        choices=("auto", "on", "off"),
        default="auto",
        help="cut off what stands between think tags (auto: where the answer begins with it)",
    )
    stage.add_argument(
        "--restart", action="store_true", help="forget the answers in A (go on from them)"
    )
    stage.add_argument(
        "--dry-run", action="store_true", help="say what would be asked and how much (ask)"
    )
    attach = stage.add_argument_group("assistant turns for train and val")
    attach.add_argument(
        "--attach", action="store_true", help="write the records with verified turns to A"
    )
    attach.add_argument(
        "--attempts", type=positive, default=8, metavar="N", help="a pair and model (8)"
    )
    attach.add_argument(
        "--fallback-model",
        type=text,
        action="append",
        default=[],
        metavar="M",
        help="asked for what is left; may be repeated (none)",
    )
    attach.add_argument(
        "--tokenizer",
        type=text,
        metavar="T",
        help="where the records' tokenizer is, as in generate (as they name it)",
    )
    attach.add_argument(
        "--drop-unfilled", action="store_true", help="leave out pairs without a turn (keep them)"
    )


def _add_score(stage: argparse.ArgumentParser) -> None:
    stage.add_argument("--records", type=text, required=True, metavar="R", help="the records")
    stage.add_argument("--responses", type=text, metavar="A", help="the answers")
    stage.add_argument(
        "--self", action="store_true", help="score the records' own assistant turns (--responses)"
    )
    stage.add_argument("--out-results", type=text, metavar="F", help="write verdicts to F (none)")
    stage.add_argument("--out-summary", type=text, default="-", metavar="F", help="summary (-)")
    stage.add_argument(
        "--pass-at", type=text, default="1", metavar="K,K", help="pass@k for these k (1)"
    )
    stage.add_argument(
        "--missing",
        choices=("skip", "fail"),
        default="skip",
        help="what a missing answer is: skip leaves its pair out, fail counts it (skip)",
    )


def _add_stats(stage: argparse.ArgumentParser) -> None:
    stage.add_argument("records", nargs="+", metavar="R", help="files of records")


def _add_table(stage: argparse.ArgumentParser) -> None:
    stage.add_argument("summaries", nargs="+", metavar="S", help="summaries of several models")
    stage.add_argument("--format", choices=("md", "csv", "json"), default="md", help="(md)")
    stage.add_argument(
        "--mixed", action="store_true", help="allow summaries over different records (refuse)"
    )


def _add_publish(stage: argparse.ArgumentParser) -> None:
    stage.add_argument("--report", type=text, required=True, metavar="R", help="the report")
    stage.add_argument("--data", type=text, required=True, metavar="D", help="the data directory")
    stage.add_argument("--now", metavar="T", help="publish as if it were T, in UTC (the clock)")


def _add_push(stage: argparse.ArgumentParser) -> None:
    stage.add_argument("folder", type=Path, metavar="DIR", help="the folder of a data set")
    stage.add_argument(
        "--repo", type=text, required=True, metavar="OWNER/NAME", help="the data set"
    )
    stage.add_argument("--private", action="store_true", help="create it private (public)")
    stage.add_argument(
        "--dry-run", action="store_true", help="list files, sizes and the card; no token (push)"
    )
