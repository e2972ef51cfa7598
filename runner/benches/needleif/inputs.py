"""Files that a command of needleif was given: what cannot be used ends it with exit code 2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from runner.benches.needleif.faults import RecordFault
from runner.errors import DataError, InputError


@contextmanager
def given_files() -> Iterator[None]:
    """Raises InputError for a file that cannot be read or does not hold what it should."""
    try:
        yield
    except (RecordFault, DataError) as fault:
        raise InputError(str(fault)) from fault
    except OSError as error:
        if error.filename is None:  # not a file: a stream that was closed
            raise
        raise InputError(f"{error.filename}: cannot be read ({error.strerror})") from error
