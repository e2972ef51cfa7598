"""What a run says while it works: a moving display on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from typing import Any, Protocol, TextIO


class Progress(Protocol):
    """Phases with a known number of steps, and notes between them."""

    def phase(self, name: str, total: int) -> None: ...

    def advance(self) -> None: ...

    def note(self, text: str) -> None: ...

    def close(self) -> None: ...


class PlainProgress:
    """One line at the start and at the end of a phase, for logs and pipes."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._name = ""
        self._total = 0
        self._done = 0

    def phase(self, name: str, total: int) -> None:
        self._finish()
        self._name, self._total, self._done = name, total, 0
        self._say(f"{name}: {total} to do")

    def advance(self) -> None:
        self._done += 1

    def note(self, text: str) -> None:
        self._finish()
        self._say(text)

    def close(self) -> None:
        self._finish()

    def _finish(self) -> None:
        if self._name:
            self._say(f"{self._name}: {self._done} of {self._total} done")
            self._name = ""

    def _say(self, text: str) -> None:
        print(text, file=self._stream, flush=True)


class TerminalProgress:
    """A bar for the phase under way; finished phases stay as lines above it."""

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bars

        self._bars: Any = Bars(
            TextColumn("{task.description:<28}"),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(file=stream, highlight=False),
        )
        self._task: Any = None
        self._bars.start()

    def phase(self, name: str, total: int) -> None:
        self._task = self._bars.add_task(name, total=total)

    def advance(self) -> None:
        self._bars.advance(self._task)

    def note(self, text: str) -> None:
        self._bars.console.print(text, markup=False)

    def close(self) -> None:
        self._bars.stop()


def progress_for(stream: TextIO | None = None) -> Progress:
    """The display that fits the stream (standard error by default)."""
    stream = stream or sys.stderr
    return TerminalProgress(stream) if stream.isatty() else PlainProgress(stream)
