"""A folder that is either the old site or the new one, never a mixture.

The new tree is written beside the target and renamed in at the end. Only a folder that is empty
or that an earlier build made (it holds MARKER) is replaced, so that a slip in `--out` cannot
delete anyone's files. Files are not flushed to the disk one by one: a lost site is built anew.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from runner.errors import PublishError, UsageError

MARKER = "results/results.json"


def check_target(out: Path, data: Path) -> None:
    """Raises UsageError where `out` must not be replaced by a site."""
    target, source = out.resolve(), data.resolve()
    if target == source or target in source.parents:
        raise UsageError(f"the site folder {out} holds the data directory {data}; name another")
    there = next(place for place in (target, *target.parents) if place.exists())
    if not there.is_dir():
        raise UsageError(f"the site folder {out} cannot be: {there} is a file; name another")
    if target.is_dir() and any(target.iterdir()) and not (target / MARKER).is_file():
        raise UsageError(
            f"the site folder {out} is not empty and holds no earlier site; name an empty one"
        )


def replace_folder(out: Path, files: Mapping[str, bytes]) -> None:
    """Makes `out` hold exactly `files` (relative names); raises PublishError and keeps the old."""
    target = out.resolve()
    fresh = target.with_name(f".{target.name}.{os.getpid()}.new")
    old = target.with_name(f".{target.name}.{os.getpid()}.old")
    try:
        shutil.rmtree(fresh, ignore_errors=True)
        for name, content in files.items():
            path = fresh / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if target.exists():
            target.rename(old)
        try:
            fresh.rename(target)
        except OSError:
            if old.exists():
                old.rename(target)
            raise
    except OSError as error:
        shutil.rmtree(fresh, ignore_errors=True)
        raise PublishError(
            f"{error.filename or out}: cannot be written ({error.strerror}); the old site stands"
        ) from error
    shutil.rmtree(old, ignore_errors=True)
