"""`python -m runner` (also installed as `needle`): the commands, their flags and exit codes.

Exit 0 done, 1 failed, 2 wrong use, 3 too little came back, 130 interrupted. Results go to
standard output or `--out`, talk to standard error. Nothing heavy is imported before a command
runs, so that `--help` answers at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, NoReturn

from runner import __version__
from runner.benches.names import BENCH_NAMES
from runner.benches.needleif import flags as needleif_flags
from runner.errors import InputError, NeedleError, UsageError
from runner.flag_values import count, money, positive, results_count, seconds, text
from runner.publishing import flags as publishing_flags
from runner.sampling import SCHEMES


class _Parser(argparse.ArgumentParser):
    """Errors in one line that says where help is; no usage dump."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def main(
    argv: Sequence[str] | None = None,
    environ: Mapping[str, str] = os.environ,
    sleep: Callable[[float], Any] | None = None,
) -> int:
    """The exit code of the command in `argv`; `environ` and `sleep` are the process's own."""
    _open_closed_streams()
    args = build_parser().parse_args(_dashed(sys.argv[1:] if argv is None else argv))
    try:
        from runner.edge import Edge

        edge = Edge(environ, sleep) if sleep else Edge(environ)
        module = import_module(args.module if "module" in args else "runner.commands")
        code: int = getattr(module, args.command)(args, edge)
        sys.stdout.flush()
    except BaseExceptionGroup as group:
        error = _first_leaf(group)
        if not isinstance(error, NeedleError | KeyboardInterrupt):
            raise
        return _explain(error, args)
    except (NeedleError, KeyboardInterrupt) as error:
        return _explain(error, args)
    except OSError as error:
        return _explain_refusal(error)
    return code


def build_parser() -> argparse.ArgumentParser:
    """The whole command tree."""
    parser = _Parser(
        prog="needle",
        description="Measure which search API an AI agent can rely on.",
        epilog="Start: needle news --site public (no key needed).",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"needle {__version__}")
    commands = parser.add_subparsers(
        metavar="COMMAND", required=True, title="commands", parser_class=_Parser
    )
    for name in BENCH_NAMES:
        _add_bench(commands, name)
    needleif_flags.add_commands(commands, _Parser)
    _add_engines(commands)
    _add_doctor(commands)
    for name, (effect, module) in publishing_flags.COMMANDS.items():
        _add_publishing_command(commands, name, effect, module)
    return parser


def _add_publishing_command(commands: Any, name: str, effect: str, module: str) -> None:
    """A command that lives in a module of its own; it and its flags are named after it."""
    word = name.replace("-", "_")
    command = commands.add_parser(
        name, help=effect, description=f"{effect[0].upper()}{effect[1:]}.", allow_abbrev=False
    )
    command.set_defaults(command=f"run_{word}", module=module)
    getattr(publishing_flags, f"add_{word}_flags")(command)


def _add_engines(commands: Any) -> None:
    engines = commands.add_parser(
        "engines",
        help="list the engines",
        description="List the engines: key, price, rate limit, time-out. Asks nobody.",
        allow_abbrev=False,
    )
    engines.set_defaults(command="list_engines")
    engines.add_argument("--json", action="store_true", help="write JSON (a table)")


def _add_doctor(commands: Any) -> None:
    doctor = commands.add_parser(
        "doctor",
        help="try keys and services",
        description="Ask every engine and the model once; say what works and what to do if not. "
        "These calls are paid.",
        allow_abbrev=False,
    )
    doctor.set_defaults(command="run_doctor")
    doctor.add_argument(
        "--engines", type=text, metavar="A,B", help="try these (all whose key is set)"
    )
    doctor.add_argument(
        "--timeout", type=seconds, metavar="S", help="wait S seconds for each (its own time-out)"
    )


def _add_bench(commands: Any, name: str) -> None:
    flags = import_module(f"runner.benches.{name}.flags")
    bench = commands.add_parser(
        name,
        help=flags.HELP,
        description=f"{flags.HELP} Without a stage: all of them.",
        allow_abbrev=False,
    )
    bench.set_defaults(command="run_batch", bench=name)
    _add_profile_flags(bench)
    _add_run_flags(bench, flags, limit=flags.LIMIT)
    flags.add_generate_flags(bench)
    batch = bench.add_argument_group("batch")
    batch.add_argument("--data", type=text, metavar="D", help="append rows to D (data/<profile>)")
    batch.add_argument(
        "--archive", type=text, metavar="DIR", help="store full results in DIR (D/archive)"
    )
    batch.add_argument(
        "--site", type=text, metavar="DIR", help="build the site into DIR as well (no site)"
    )
    batch.add_argument(
        "--resume", action="store_true", help="go on with the newest unfinished run (a new run)"
    )

    stages = bench.add_subparsers(metavar="STAGE", title="stages", parser_class=_Parser)
    generate = stages.add_parser(
        "generate",
        help="make query rows",
        description="Make query rows (JSONL).",
        allow_abbrev=False,
    )
    generate.set_defaults(command="run_generate")
    _add_profile_flags(generate)
    flags.add_generate_flags(generate)
    generate.add_argument("--limit", type=count, default=0, help="at most N rows (0 = all)")
    generate.add_argument("--seed", type=count, help="seed of the sample (the hour)")
    generate.add_argument(
        "--out", type=text, default="-", metavar="Q", help="write the rows to Q (-)"
    )

    run = stages.add_parser(
        "run",
        help="search and score",
        description="Search and score; write a report (JSON).",
        allow_abbrev=False,
    )
    run.set_defaults(command="run_run")
    run.add_argument(
        "--queries", type=text, required=True, metavar="Q", help="JSONL rows, or a query a line"
    )
    run.add_argument("--out", type=text, default="-", metavar="R", help="write the report to R (-)")
    _add_profile_flags(run)
    _add_run_flags(run, flags, limit=0)

    publish = stages.add_parser(
        "publish",
        help="append a report to a data directory",
        description="Append a report's rows to a data directory; twice is the same as once.",
        allow_abbrev=False,
    )
    publish.set_defaults(command="run_publish")
    publish.add_argument(
        "--report", type=text, required=True, metavar="R", help="the report to publish"
    )
    publish.add_argument("--data", type=text, required=True, metavar="D", help="the data directory")
    for add_stage in getattr(flags, "EXTRA_STAGES", ()):
        add_stage(stages)


def _add_profile_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--profile",
        choices=("live", "embedded"),
        help="live needs a model's key, embedded nothing (live if OPENROUTER_API_KEY is set)",
    )
    parser.add_argument("--now", metavar="T", help="work as if it were T, in UTC (the clock)")


def _add_run_flags(parser: argparse.ArgumentParser, flags: Any, *, limit: int) -> None:
    run = parser.add_argument_group("search and scoring")
    run.add_argument(
        "--engines",
        type=text,
        metavar="A,B",
        help="ask these engines (keenable,exa; embedded: the three local ones)",
    )
    run.add_argument(
        "--num-results",
        type=results_count,
        default=flags.NUM_RESULTS,
        metavar="K",
        help=f"score K ({flags.NUM_RESULTS})",
    )
    run.add_argument(
        "--snippet-chars",
        type=count,
        default=2000,
        metavar="N",
        help="cap on evidence (2000)",
    )
    run.add_argument(
        "--limit",
        type=count,
        default=limit,
        metavar="N",
        help=f"ask N queries ({limit}; 0 all)",
    )
    run.add_argument("--sample", choices=SCHEMES, default="stratified", help="how (stratified)")
    run.add_argument("--seed", type=count, help="seed of the samples (0; queries: the hour)")
    run.add_argument(
        "--search-concurrency",
        type=positive,
        default=flags.SEARCH_CONCURRENCY,
        metavar="N",
        help=f"requests an engine at once ({flags.SEARCH_CONCURRENCY})",
    )
    run.add_argument(
        "--no-latency", action="store_true", help="leave latencies out of the report (kept)"
    )
    run.add_argument(
        "--dry-run", action="store_true", help="say what would be asked and what it costs (off)"
    )
    if flags.JUDGE == "never":
        parser.set_defaults(judge=False, judge_model=None, judge_concurrency=1)
        parser.set_defaults(judge_cache=None, max_usd=None)
    else:
        _add_judge_flags(parser, is_option=flags.JUDGE == "option")


def _add_judge_flags(parser: argparse.ArgumentParser, *, is_option: bool) -> None:
    judge = parser.add_argument_group("judge")
    if is_option:
        judge.add_argument(
            "--judge",
            action="store_true",
            help="let a model look at results that code rejected (code alone)",
        )
    judge.add_argument(
        "--judge-model", type=text, metavar="M", help="judge with M (NEEDLE_JUDGE_MODEL)"
    )
    judge.add_argument(
        "--judge-concurrency", type=positive, default=8, metavar="N", help="calls at once (8)"
    )
    judge.add_argument(
        "--judge-cache", type=text, metavar="DIR", help="share the judge's answers in DIR (no)"
    )
    judge.add_argument(
        "--max-usd", type=money, metavar="X", help="stop judging before X dollars (no limit)"
    )


def _open_closed_streams() -> None:
    """Gives a stream that the caller closed (`>&-`) a place where what is said gets lost."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _dashed(argv: Sequence[str]) -> list[str]:
    """Flags with underscores in the spelling with dashes; values are left alone."""
    dashed = []
    for word in argv:
        if word.startswith("--"):
            flag, equals, value = word.partition("=")
            word = flag.replace("_", "-") + equals + value
        dashed.append(word)
    return dashed


def _first_leaf(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first project error in a group of failed tasks, else its first exception."""
    leaves: list[BaseException] = []
    for error in group.exceptions:
        leaves.append(_first_leaf(error) if isinstance(error, BaseExceptionGroup) else error)
    return next((leaf for leaf in leaves if isinstance(leaf, NeedleError)), leaves[0])


def _explain(error: NeedleError | KeyboardInterrupt, args: argparse.Namespace) -> int:
    if isinstance(error, KeyboardInterrupt):
        print(f"needle: interrupted{_way_on(args)}", file=sys.stderr)
        return 130
    is_of_flags = isinstance(error, UsageError) and not isinstance(error, InputError)
    hint = "; see --help" if is_of_flags and "--" not in str(error) else ""
    print(f"needle: {' '.join(str(error).split())}{hint}", file=sys.stderr)
    return error.exit_code


def _explain_refusal(error: OSError) -> int:
    """For what the system refused and no stage could answer: mostly a full or closed output."""
    if not isinstance(error, BrokenPipeError):
        name = f"{error.filename}: " if error.filename else "the output: "
        print(f"needle: {name}{error.strerror or error}", file=sys.stderr)
    # what is still buffered for the output would fail again while Python shuts down
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _way_on(args: argparse.Namespace) -> str:
    """What is kept of an interrupted command, and how to go on."""
    if args.command == "run_batch":
        return "; what was paid for is kept; the command with --resume goes on"
    if args.command == "run_run":
        if args.out == "-":
            return "; nothing is kept with --out -; name a file to be able to go on"
        return "; what was paid for is kept; the same command goes on"
    return ""
