"""Where whole batches keep their files: `<data>/batches/<run_id>-<bench>/`.

The folder of a run is named after the minute in which it began, and so are its rows, however long
its harvest takes: two folders never publish under one key. The same command in the same minute, or
with the same `--now`, goes on with the same run instead of paying twice. Finished folders are
dropped when five newer ones are there; an unfinished one is never dropped.
"""

from __future__ import annotations

import shutil
import sys
from datetime import datetime
from pathlib import Path

from runner.errors import UsageError
from runner.storage import write_file
from runner.text import minute_ts, parse_time, run_id

KEPT = 5
_MARK = "published"


def choose_folder(data: Path, bench: str, now: datetime, *, wants_resume: bool) -> Path:
    """The folder to work in: that of this minute, or of the newest unfinished run.

    Raises UsageError when there is nothing to resume. Says so when a new run starts while an
    unfinished one is waiting.
    """
    fresh = data / "batches" / f"{run_id(minute_ts(now))}-{bench}"
    waiting = [folder for folder in _folders(data, bench) if _is_unfinished(folder)]
    if wants_resume:
        if not waiting:
            raise UsageError(
                f"--resume: no unfinished {bench} run in {data / 'batches'}; "
                "start one without --resume"
            )
        return waiting[-1]
    if waiting and waiting[-1] != fresh:
        print(
            f"an unfinished {bench} run waits in {waiting[-1]}; its command with --resume goes on",
            file=sys.stderr,
        )
    return fresh


def began_at(folder: Path) -> datetime:
    """The minute in its name."""
    return parse_time(folder.name.removesuffix(f"-{_bench(folder)}"))


def mark_finished(folder: Path) -> None:
    """Notes that the run is published, and drops finished runs of the bench beyond the newest."""
    write_file(folder / _MARK, b"")
    data, bench = folder.parents[1], _bench(folder)
    finished = [one for one in _folders(data, bench) if (one / _MARK).exists()]
    for old in finished[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)


def _is_unfinished(folder: Path) -> bool:
    """Whether there is an answer to go on from; a run may have failed before its first one."""
    return not (folder / _MARK).exists() and any(
        path.stat().st_size for path in folder.rglob("*") if path.is_file()
    )


def _bench(folder: Path) -> str:
    return folder.name.rpartition("-")[2]


def _folders(data: Path, bench: str) -> list[Path]:
    return sorted((data / "batches").glob(f"*Z-{bench}"))
