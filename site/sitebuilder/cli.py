"""The command line: `python -m sitebuilder --data D --out public [--as-of T] [--serve [PORT]]`.

`python -m sitebuilder audit PUBLIC` says what is wrong with a built site.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

from runner.errors import NeedleError, UsageError
from runner.text import parse_time

if TYPE_CHECKING:
    from sitebuilder.serve import Watcher

DEFAULT_PORT = 8000
_HUB = re.compile(r"hub:([A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95})", re.ASCII)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see python -m sitebuilder --help")


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code: 0 done, 1 failed, 2 wrong use; every error is one line on stderr."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        if words[:1] == ["audit"]:
            return _audit(_audit_parser().parse_args(words[1:]).public)
        return _run(_parser().parse_args(words), datetime.now(UTC))
    except NeedleError as error:
        print(f"sitebuilder: {error}", file=sys.stderr)
        return error.exit_code


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m sitebuilder",
        description="Build the site from a data directory.",
        epilog="`python -m sitebuilder audit PUBLIC` checks a built site, and exits 1 where "
        "something is wrong with it.",
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
        "--archive",
        metavar="hub:OWNER/DATASET",
        help="link to this data set for runs that the site does not show (default: no links)",
    )
    parser.add_argument(
        "--serve",
        nargs="?",
        const=DEFAULT_PORT,
        type=int,
        metavar="PORT",
        help="then show it on this machine until stopped, and build it again whenever the data "
        f"changes (default port: {DEFAULT_PORT})",
    )
    return parser


def _audit_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m sitebuilder audit",
        description="Check a built site: links, markup, structured data, sizes, equal figures in "
        "all forms, no request to others, nothing unescaped.",
    )
    parser.add_argument("public", type=Path, metavar="PUBLIC", help="read the site in this folder")
    return parser


def _audit(folder: Path) -> int:
    """One line for each finding, and exit code 1 where there is any."""
    from sitebuilder.audit import audit_public, read_public

    public = read_public(folder)
    findings = audit_public(public)
    for finding in findings:
        print(finding)
    if not findings:
        print(f"{folder}: {len(public.files):,} files, {len(public.pages):,} pages, nothing wrong")
    return 1 if findings else 0


def _run(options: argparse.Namespace, now: datetime) -> int:
    if options.serve is None:
        _build(options, now)
        return 0
    from sitebuilder.serve import Watcher

    # It looks before the build, so that what changes during it is noticed.
    watcher = Watcher(options.data, options.out, lambda: _rebuild(options))
    _build(options, now)
    _serve(options, watcher)
    return 0


def _build(options: argparse.Namespace, now: datetime) -> None:
    """Builds the site and says what came of it."""
    from sitebuilder.builder import build

    as_of = parse_time(options.as_of) if options.as_of else None
    base_url = _base_url(options.base_url)
    archive = _data_set(options.archive)
    report = build(
        options.data, options.out, as_of=as_of, now=now, base_url=base_url, archive=archive
    )
    for warning in report.warnings:
        print(f"sitebuilder: {warning}", file=sys.stderr)
    end = report.results.generated_at or "no run"
    size = sum(report.files.values()) / 1024
    print(
        f"{options.out / 'index.html'}: {len(report.files)} files, {size:,.0f} KiB, data to {end}"
    )


def _base_url(text: str | None) -> str | None:
    """The address with a slash at its end; raises UsageError for one that is none."""
    if text is None:
        return None
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise UsageError(f"--base-url {text!r} is no address; write it like https://example.org/x/")
    return text.rstrip("/") + "/"


def _data_set(text: str | None) -> str | None:
    """OWNER/DATASET; raises UsageError for what is no data set of the hub."""
    if text is None:
        return None
    match = _HUB.fullmatch(text)
    if match is None:
        raise UsageError(f"--archive {text!r} is no data set; write it like hub:owner/dataset")
    return match[1]


def _rebuild(options: argparse.Namespace) -> None:
    """Builds again; where that fails, says so, and the site before it goes on being shown."""
    try:
        _build(options, datetime.now(UTC))
    except NeedleError as error:
        print(f"sitebuilder: {error}", file=sys.stderr)


def _serve(options: argparse.Namespace, watcher: Watcher) -> None:
    from sitebuilder.serve import HOST, bind

    with bind(options.out, options.serve) as server, watcher:
        print(f"http://{HOST}:{server.server_port}/ (stop with Ctrl-C)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
