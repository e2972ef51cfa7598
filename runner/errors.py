"""Every error that Needle raises on purpose, and the exit code each one ends with.

NeedleError            shown to the user as one line, never as a traceback
├── UsageError         exit 2: a wrong flag, an unknown name, a missing key
│   └── InputError     exit 2: a file that a command was given and cannot use
├── DataError          exit 1: a file that does not hold what it should; names path and line
├── PublishError       exit 1: the data directory could not be changed; the old files stand
└── TooLittleError     exit 3: too few rows came back; what was there before is kept

Failures of an engine or of the judge are not exceptions but data: see
`runner.records.search.SearchError` and `runner.records.judgements.JudgeError`.
"""

from __future__ import annotations

from pathlib import Path


class NeedleError(Exception):
    """The base: its text says what was expected, what was found and what to do next."""

    exit_code = 1


class UsageError(NeedleError):
    exit_code = 2


class InputError(UsageError):
    """For commands whose exit codes keep bad input apart from work that failed."""


class DataError(NeedleError):
    def __init__(self, path: Path | str, problem: str, *, line: int | None = None) -> None:
        where = f"{path}:{line}" if line else f"{path}"
        super().__init__(f"{where}: {problem}")
        self.path = path
        self.line = line


class PublishError(NeedleError):
    pass


class TooLittleError(NeedleError):
    exit_code = 3
