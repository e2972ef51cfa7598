"""Files that are either old or new, never half: the only module that writes.

Whole files: a temporary file beside the target, fsync, rename, fsync of the folder. Several
files that belong together: all temporaries are written first, so that a full disk or a
read-only folder is found before anything is replaced. A crash between two renames leaves each
file whole; publishing again completes the set, since publishing is idempotent.

Journals (searches, judgements): one `write` a line on a descriptor opened for appending. That
survives a killed process; a line cut off by a lost machine is dropped when read.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from runner.errors import PublishError, UsageError

_WAY_OUT = (
    "the old files stand; free the disk or mend the permissions, then run the same command again "
    "(a whole batch with --resume)"
)


def write_file(path: Path, data: bytes) -> None:
    """Replaces `path` by `data` in one step, or raises PublishError and leaves it as it was."""
    write_files({path: data})


def write_files(files: Mapping[Path, bytes]) -> None:
    """Replaces several files; nothing is replaced unless all of them could be written aside."""
    staged: list[tuple[Path, Path]] = []
    try:
        for path, data in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
            staged.append((temporary, path))
            with temporary.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        for temporary, path in staged:
            temporary.replace(path)
        for folder in {path.parent for _, path in staged}:
            _sync_folder(folder)
    except OSError as error:
        for temporary, _ in staged:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
        targets = {str(temporary): path for temporary, path in staged}
        target = targets.get(str(error.filename), error.filename or next(iter(files), ""))
        raise PublishError(f"{target}: cannot be written ({error.strerror}); {_WAY_OUT}") from error


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path to write a large file to piece by piece; it replaces `path` at the end.

    Where the block fails or writes nothing, `path` stays as it was. Raises PublishError for what
    the system refuses.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        if temporary.exists():
            with temporary.open("rb+") as file:
                os.fsync(file.fileno())
            temporary.replace(path)
            _sync_folder(path.parent)
    except OSError as error:
        raise PublishError(f"{path}: cannot be written ({error.strerror or error})") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Journal:
    """An append-only JSONL file that keeps every line written before a kill."""

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _drop_cut_line(path)
            self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        except OSError as error:
            raise PublishError(
                f"{path}: cannot be written ({error.strerror}); {_WAY_OUT}"
            ) from error
        self._path = path

    def append(self, line: bytes) -> None:
        """Adds one line, newline included; raises PublishError when the disk refuses it."""
        try:
            written = os.write(self._descriptor, line)
        except OSError as error:
            raise PublishError(
                f"{self._path}: cannot be written ({error.strerror}); {_WAY_OUT}"
            ) from error
        if written != len(line):
            raise PublishError(f"{self._path}: cannot be written (disk full); {_WAY_OUT}")

    def close(self) -> None:
        """Makes the lines durable and lets go of the file; calling it twice is fine."""
        if self._descriptor >= 0:
            os.fsync(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = -1


def _drop_cut_line(path: Path) -> None:
    """Truncates a journal behind its last newline, so that the next line starts on its own."""
    with contextlib.suppress(FileNotFoundError), path.open("rb+") as file:
        data = file.read()
        if data and not data.endswith(b"\n"):
            file.truncate(data.rfind(b"\n") + 1)


@contextlib.contextmanager
def exclusive(path: Path, *, busy: str | None = None) -> Iterator[int]:
    """Holds a lock file while the block runs, so that the processes of one machine take turns.

    With `busy` nobody waits: raises UsageError with that text where another process holds it.
    Gives the open file; a child process that inherits it holds the lock for as long as it lives.
    """
    import fcntl

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise PublishError(f"{path}: cannot be written ({error.strerror}); {_WAY_OUT}") from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (fcntl.LOCK_NB if busy else 0))
        except BlockingIOError as error:
            raise UsageError(busy) from error
        yield descriptor
    finally:
        os.close(descriptor)
