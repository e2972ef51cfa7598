"""A plain static server for this machine only."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from runner.errors import UsageError

HOST = "127.0.0.1"


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: a line for each request would bury the address."""

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()


def bind(folder: Path, port: int) -> ThreadingHTTPServer:
    """A server of `folder`, not yet serving; port 0 takes a free one. Raises UsageError."""
    try:
        return ThreadingHTTPServer((HOST, port), partial(_QuietHandler, directory=str(folder)))
    except (OSError, OverflowError) as error:
        raise UsageError(
            f"--serve {port}: cannot listen there ({error}); name a free port"
        ) from error
