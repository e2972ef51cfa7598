"""The command line: `python -m sitebuilder --data D --out public [--as-of T] [--serve [PORT]]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

from runner.errors import NeedleError, UsageError
from runner.text import parse_time

DEFAULT_PORT = 8000


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see python -m sitebuilder --help")


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code: 0 done, 1 failed, 2 wrong use; every error is one line on stderr."""
    try:
        return _run(_parser().parse_args(argv), datetime.now(UTC))
    except NeedleError as error:
        print(f"sitebuilder: {error}", file=sys.stderr)
        return error.exit_code


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m sitebuilder", description="Build the site from a data directory."
    )
    parser.add_argument(
        "--data", type=Path, required=True, help="read this data directory, such as data/live"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("public"), help="write the site here (default: public)"
    )
    parser.add_argument(
        "--as-of",
        metavar="TIME",
        help="leave out runs after this UTC time, such as 2026-08-22T17:00Z (default: all runs)",
    )
    parser.add_argument(
        "--base-url",
        metavar="URL",
        help="the address under which it will be published, for canonical links and the sitemap "
        "(default: none of them)",
    )
    parser.add_argument(
        "--serve",
        nargs="?",
        const=DEFAULT_PORT,
        type=int,
        metavar="PORT",
        help=f"then show it on this machine until stopped (default port: {DEFAULT_PORT})",
    )
    return parser


def _run(options: argparse.Namespace, now: datetime) -> int:
    from sitebuilder.builder import build

    as_of = parse_time(options.as_of) if options.as_of else None
    base_url = _base_url(options.base_url)
    report = build(options.data, options.out, as_of=as_of, now=now, base_url=base_url)
    for warning in report.warnings:
        print(f"sitebuilder: {warning}", file=sys.stderr)
    end = report.results.generated_at or "no run"
    size = sum(report.files.values()) / 1024
    print(
        f"{options.out / 'index.html'}: {len(report.files)} files, {size:,.0f} KiB, data to {end}"
    )
    if options.serve is not None:
        _serve(options.out, options.serve)
    return 0


def _base_url(text: str | None) -> str | None:
    """The address with a slash at its end; raises UsageError for one that is none."""
    if text is None:
        return None
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise UsageError(f"--base-url {text!r} is no address; write it like https://example.org/x/")
    return text.rstrip("/") + "/"


def _serve(folder: Path, port: int) -> None:
    from sitebuilder.serve import HOST, bind

    with bind(folder, port) as server:
        print(f"http://{HOST}:{server.server_port}/ (stop with Ctrl-C)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
