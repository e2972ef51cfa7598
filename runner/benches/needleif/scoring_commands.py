"""`score`, `stats` and `table`: files in, files out, on the standard library alone."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner.benches.needleif.faults import RecordFault
from runner.benches.needleif.inputs import given_files
from runner.benches.needleif.score import coverage_warning, score_files
from runner.benches.needleif.stats import dataset_stats
from runner.benches.needleif.summary import summary_json
from runner.benches.needleif.table import table_rows, table_text
from runner.errors import InputError, UsageError
from runner.storage import write_file

if TYPE_CHECKING:
    from runner.edge import Edge

MOST_K = 1000
SHOWN = 20


def run_score(args: Namespace, edge: Edge) -> int:
    """`score`: 0; 1 where --self finds a turn that does not pass every strict check."""
    if args.self == (args.responses is not None):
        raise UsageError("name either --responses A or --self")
    ks = _ks(args.pass_at)
    responses = None if args.self else Path(args.responses)
    with given_files():
        scored = score_files(
            Path(args.records), responses, fails_missing=args.missing == "fail", ks=ks
        )
    warning = coverage_warning(scored.summary)
    if warning is not None:
        print(f"needle: {warning}", file=sys.stderr)
    _write(args.out_results, scored.results)
    _write(args.out_summary, summary_json(scored.summary))
    if not args.self:
        return 0
    lines = [json.loads(line) for line in scored.results.split("\n") if line]
    wrong = [line["id"] for line in lines if line["n"] and not all(line["strict"])]
    if wrong:
        print(
            f"needle: {len(wrong)} of {len(lines)} turns do not pass their strict checks "
            f"(first: {wrong[0]})",
            file=sys.stderr,
        )
    return 1 if wrong else 0


def run_stats(args: Namespace, edge: Edge) -> int:
    """`stats`: the counts as JSON; 1 where an invariant is broken."""
    with given_files():
        stats = dataset_stats([Path(name) for name in args.records])
    print(json.dumps(stats, ensure_ascii=False, indent=1))
    for problem in stats["broken"][:SHOWN]:
        print(f"needle: {problem}", file=sys.stderr)
    if len(stats["broken"]) > SHOWN:
        print(f"needle: and {len(stats['broken']) - SHOWN} more", file=sys.stderr)
    return 1 if stats["broken"] else 0


def run_table(args: Namespace, edge: Edge) -> int:
    """`table`: one row a summary."""
    with given_files():
        summaries = [(Path(name).stem, _summary(Path(name))) for name in args.summaries]
        rows = table_rows(summaries, allows_mixed=args.mixed)
    sys.stdout.write(table_text(rows, args.format))
    return 0


def _summary(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not a summary of `score` ({error})") from error
    if not isinstance(value, dict):
        raise InputError(f"{path}: not a summary of `score`, expected a JSON object")
    try:
        table_text(table_rows([(str(path), value)]), "md")
    except RecordFault:
        raise
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: a summary without what a table needs ({error!r})") from error
    return value


def _ks(words: str) -> tuple[int, ...]:
    try:
        ks = tuple(dict.fromkeys(int(word) for word in words.split(",")))
    except ValueError:
        ks = ()
    if not ks or not all(1 <= k <= MOST_K for k in ks):
        raise UsageError(f"--pass-at {words!r}: expected numbers from 1 to {MOST_K}, as in 1,5")
    return ks if 1 in ks else (1, *ks)


def _write(name: str | None, content: str) -> None:
    if name == "-":
        sys.stdout.write(content)
    elif name is not None:
        write_file(Path(name), content.encode())
