"""Other versions of Python on this machine, to see that they give the same bytes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

_ASKED = "import sys, tomllib; print('%s.%s' % sys.version_info[:2])"


def other_pythons() -> dict[str, str]:
    """An interpreter for each other minor version from 3.11 on: of the PATH, pyenv or uv."""
    this = f"{sys.version_info.major}.{sys.version_info.minor}"
    found: dict[str, str] = {}
    for path in _candidates():
        try:
            done = subprocess.run([path, "-S", "-c", _ASKED], capture_output=True, text=True)
        except OSError:
            continue
        version = done.stdout.strip()
        if done.returncode == 0 and version != this:
            found.setdefault(version, path)
    return found


def _candidates() -> Iterator[str]:
    for minor in range(11, 20):
        on_path = shutil.which(f"python3.{minor}")
        if on_path:
            yield on_path
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    uv = Path.home() / ".local" / "share" / "uv" / "python"
    for folder in (pyenv, uv):
        yield from map(str, sorted(folder.glob("*3.1[1-9]*/bin/python3.1[1-9]")))
