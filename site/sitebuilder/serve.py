"""A plain static server for this machine only, and a watch over the data it is built from."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from runner.errors import UsageError

HOST = "127.0.0.1"
POLL_SECONDS = 1.0
State = dict[str, tuple[int, int]]


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


class Watcher:
    """While entered, calls `changed` after the data directory has changed and come to rest.

    A publication writes several files one after the other: a change is told only once two looks
    in a row have found the same. `out` is passed over, should it lie inside the data.
    """

    def __init__(
        self, data: Path, out: Path, changed: Callable[[], None], every: float = POLL_SECONDS
    ) -> None:
        self._data, self._out, self._changed, self._every = data, out.resolve(), changed, every
        self._told = self._seen = self._look()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Watcher:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def poll(self) -> bool:
        """Looks once; whether `changed` was called."""
        before, self._seen = self._seen, self._look()
        if self._seen == self._told or self._seen != before:
            return False
        self._told = self._seen
        self._changed()
        return True

    def _run(self) -> None:
        while not self._stop.wait(self._every):
            self.poll()

    def _look(self) -> State:
        """Every file with its time of change (ns) and its size."""
        return {path: (found.st_mtime_ns, found.st_size) for path, found in self._files(self._data)}

    def _files(self, folder: Path) -> Iterator[tuple[str, os.stat_result]]:
        try:
            entries = list(os.scandir(folder))
        except OSError:
            return  # gone between two looks: its files are gone too, which is a change
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if Path(entry.path).resolve() != self._out:
                    yield from self._files(Path(entry.path))
            else:
                try:
                    yield entry.path, entry.stat()
                except OSError:
                    continue  # as above
