"""The hot files and the documents of a data directory, every line of them."""

from __future__ import annotations

import re
from collections.abc import Generator, Hashable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from runner.errors import DataError
from runner.publishing.archive import ARCHIVED
from runner.publishing.closed import Closed
from runner.publishing.independence import compute_independence
from runner.publishing.tables import (
    HISTORY,
    NEEDLEIF,
    OVERLAP,
    SCORES,
    UNIQUENESS,
    Line,
    Table,
    is_ts,
)
from runner.publishing.verify_needleif import odd_model
from runner.publishing.verify_runs import Count, Run, Runs
from runner.records.needleif import NeedleifRow
from runner.records.published import (
    BENCHES,
    Independence,
    Intervals,
    LatestReport,
    OverlapRow,
    RunEntry,
    ScoresRow,
    UniquenessRow,
)
from runner.text import run_id

_BYTE = re.compile(r"\(byte (\d+)\)")
Problem = tuple[Path, int | None, str]


@dataclass
class Hot:
    """The usable lines of each hot table."""

    lines: dict[str, list[Line[Any]]] = field(default_factory=dict)

    def rows(self, table: Table[Any]) -> list[Any]:
        return [line.row for line in self.lines.get(table.name, []) if line.row is not None]


def read_hot(data: Path, runs: Runs, *, latest: str) -> tuple[Hot, list[Problem]]:
    """The lines, counted by run in `runs`, and what is wrong with them.

    A hot run replaces what was counted of the same run in a closed file: that is how readers see
    it. `latest` is the time after which nothing can have run.
    """
    hot = Hot()
    problems: list[Problem] = []
    scattered: list[tuple[Run, Problem]] = []
    tables: list[tuple[Table[Any], dict[Run, Count]]] = [
        (HISTORY, runs.history),
        (OVERLAP, runs.overlap),
        (UNIQUENESS, runs.uniqueness),
        (SCORES, runs.scores),
        (NEEDLEIF, runs.needleif),
    ]
    for table, counts in tables:
        lines, found, apart = _read_table(table, data / table.name, latest)
        problems += found
        scattered += apart
        hot.lines[table.name] = [line for _, line in lines]
        fresh: dict[Run, Count] = {}
        for number, line in lines:
            if line.row is not None and line.bench is not None:
                run = (line.ts, line.bench)
                count = fresh.setdefault(run, Count((data / table.name, number)))
                count.rows += 1
                count.engines |= _engines(line.row)
        counts |= fresh
    problems += _check_run_list(data / "runs.json", runs, latest)
    # earlier versions wrote the benches of one minute in turns
    problems += [problem for run, problem in scattered if run in runs.listed]
    return hot, problems


def _engines(row: Any) -> set[str]:
    if isinstance(row, OverlapRow):
        return {row.a, row.b}
    if isinstance(row, ScoresRow):
        return set(row.engines)
    return {row.model if isinstance(row, NeedleifRow) else row.engine}


def _read_table(
    table: Table[Any], path: Path, latest: str
) -> tuple[list[tuple[int, Line[Any]]], list[Problem], list[tuple[Run, Problem]]]:
    """The usable lines with their numbers, what is wrong, and rows away from their run."""
    scattered: list[tuple[Run, Problem]] = []
    lines: list[tuple[int, Line[Any]]] = []
    problems: list[Problem] = []
    seen: dict[Hashable, int] = {}
    ended: set[tuple[str, str | None]] = set()
    before: tuple[str, str | None] | None = None
    profile = None
    content = path.read_bytes() if path.exists() else b""
    if content and not content.endswith(b"\n"):
        problems.append((path, content.count(b"\n") + 1, "the last line is cut off"))
    for number, raw in enumerate(content.split(b"\n")[:-1], start=1):
        try:
            line = table.line(raw)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            problems.append((path, number, f"cannot be read: {error}"))
            continue
        run = (line.ts, line.bench)
        if line.ts > latest:
            problems.append((path, number, f"a row of {line.ts}, which is still to come"))
        if run != before and before is not None:
            ended.add(before)
        if run in ended and line.bench is not None:
            away = f"a row of the run {line.ts} of {line.bench} away from the others of it"
            scattered.append(((line.ts, line.bench), (path, number, away)))
        before = run
        lines.append((number, line))
        if line.row is None or line.bench is None:
            continue
        key = (*run, table.part(line.row))
        if key in seen:
            problems.append((path, number, f"repeats the row of line {seen[key]}"))
        seen.setdefault(key, number)
        profile = profile or line.row.profile
        problem = odd_numbers(line.row)
        if line.row.profile != profile:
            problem = f"a row of profile {line.row.profile} among rows of profile {profile}"
        if problem:
            problems.append((path, number, problem))
    return lines, problems, scattered


def odd_numbers(row: Any) -> str | None:
    """What is impossible about the figures of a row, None where nothing is."""
    if isinstance(row, ScoresRow):
        if any(s is not None and not 0 <= s <= 1 for own in row.engines.values() for s in own):
            return "a score outside 0 to 1"
        return None
    if isinstance(row, OverlapRow):
        if row.a == row.b:
            return f"a pair of {row.a} with itself"
        if not 0 <= row.jaccard_sum <= row.num_queries + 1e-6:
            return "`jaccard_sum` is outside 0 to `num_queries`"
        counts = (row.num_shared3 or 0, row.num_suspect or 0, row.low_shared_urls or 0)
        return "a count is below 0" if min(counts) < 0 else None
    if isinstance(row, NeedleifRow):
        return odd_model(row)
    if isinstance(row, UniquenessRow):
        if row.unique_urls > row.total_urls or row.relevant_unique_urls > row.relevant_total_urls:
            return "more unique URLs than URLs"
        return "a count is below 0" if min(row.unique_urls, row.relevant_unique_urls) < 0 else None
    if any(score is not None and not 0 <= score <= 1 for score in (row.ndcg, row.recall, row.mrr)):
        return "a score outside 0 to 1"
    if not 0 <= row.num_scored <= row.num_queries:
        return "more queries scored than asked, or fewer than none"
    return None


def _check_run_list(path: Path, runs: Runs, latest: str) -> Iterator[Problem]:
    """`runs.json`: names, order and times."""
    content = path.read_bytes() if path.exists() else b"[]"
    try:
        entries = msgspec.json.decode(content, type=list[RunEntry])
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        yield path, line_of_error(content, error), f"cannot be read: {error}"
        return
    places = [line_of(content, f'"id": "{entry.id}"') for entry in entries]
    for entry, line in zip(entries, places, strict=True):
        yield from ((path, line, problem) for problem in odd_entry(entry))
        if entry.ts > latest:
            yield path, line, f"a run of {entry.ts}, which is still to come"
    for (earlier, later), line in zip(pairwise(entries), places[1:], strict=True):
        if later.ts <= earlier.ts:
            yield path, line, f"the run of {later.ts} stands behind that of {earlier.ts}"
    for entry, line in zip(entries, places, strict=True):
        runs.stamps.add(entry.ts)
        for bench in entry.published_at:
            runs.listed[entry.ts, bench] = (path, line or 1)


def odd_entry(entry: RunEntry) -> Iterator[str]:
    """What is wrong with one entry of `runs.json` by itself."""
    if not is_ts(entry.ts) or entry.id != run_id(entry.ts):
        yield f"`id` {entry.id!r} and `ts` {entry.ts!r} are not one time"
    for bench, time in entry.published_at.items():
        if bench not in ARCHIVED:
            yield f"a run of the unknown bench {bench!r}"
        if time[:16] < entry.ts[:16]:
            yield f"{bench} was published at {time}, before it began"


def check_documents(data: Path, hot: Hot, runs: Runs) -> Iterator[Problem]:
    """The documents: readable, and of the rows that are there."""
    newest = max((line.ts for line in hot.lines.get(HISTORY.name, []) if line.row), default="")
    for bench in BENCHES:
        path = data / f"latest_{bench}.json"
        latest = yield from _document(path, LatestReport)
        last = max((row.ts for row in hot.rows(HISTORY) if row.bench == bench), default="")
        if latest is not None and (latest.ts < last or (latest.ts, bench) not in runs.history):
            line = line_of(path.read_bytes(), '"ts":')
            yield path, line, f"is of {latest.ts}, the last run of {bench} is of {last or 'never'}"
    path = data / "ci.json"
    intervals = yield from _document(path, Intervals)
    scores = max((row.ts for row in hot.rows(SCORES)), default="")
    if intervals is not None and intervals.window_end != scores:
        line = line_of(path.read_bytes(), '"window_end":')
        yield path, line, f"ends at {intervals.window_end}, its scores at {scores or 'no run'}"
    if newest and hot.rows(SCORES) and scores != newest:
        yield data / SCORES.name, None, f"ends at {scores}, history.jsonl at {newest}"
    yield from _document(data / "families.json", dict[str, str])


def check_sums(data: Path, hot: Hot, closed: Closed) -> Iterator[Problem]:
    """`independence.json` against the rows and the sums of the closed weeks."""
    path = data / "independence.json"
    published = yield from _document(path, Independence)
    if published is None:
        return
    try:
        sums = closed.sums(hot.rows(OVERLAP), hot.rows(UNIQUENESS))
    except DataError as error:
        yield Path(error.path), error.line, str(error)
        return
    true = compute_independence(
        sums.overlap,
        sums.uniqueness,
        published.families,
        generated_at=published.generated_at,
        closed=sums.closed,
    )
    content = path.read_bytes()
    for name, window in true.windows.items():
        said = published.windows.get(name)
        if said == window:
            continue
        line = line_of(content, f'"{name}":')
        if said is None or (said.runs, said.from_, said.to) != (
            window.runs,
            window.from_,
            window.to,
        ):
            what = "runs"
            rows = f"{window.runs} runs from {window.from_} to {window.to}"
            yield path, line, f"the window {name} is not of the {what} that are there: {rows}"
            continue
        for kind in ("pairs", "engines"):
            ours = [msgspec.structs.asdict(each) for each in getattr(window, kind)]
            theirs = [msgspec.structs.asdict(each) for each in getattr(said, kind)]
            for own in ours:
                if own not in theirs:
                    key = " and ".join(v for v in own.values() if isinstance(v, str))
                    problem = f"the sums of {key} in the window {name} are not those of the rows"
                    yield path, _line_in(content, line, own), problem
            if len(ours) != len(theirs):
                yield path, line, f"the window {name} has {len(theirs)} {kind}, not {len(ours)}"


def _line_in(content: bytes, start: int | None, own: dict[str, Any]) -> int | None:
    """The line of a block of sums behind line `start`: that of its first name and then second."""
    names = [f'"{key}": "{value}"'.encode() for key, value in own.items() if isinstance(value, str)]
    lines = content.split(b"\n")
    for number in range(start or 1, len(lines) - len(names) + 2):
        if all(name in lines[number - 1 + at] for at, name in enumerate(names)):
            return number
    return start


def _document(path: Path, kind: Any) -> Generator[Problem, None, Any]:
    """The content of a document, None where it is absent; what is wrong is yielded."""
    if not path.exists():
        return None
    content = path.read_bytes()
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        yield path, line_of_error(content, error), f"cannot be read: {error}"
        return None


def line_of_error(content: bytes, error: Exception) -> int:
    """The line at which a JSON text stops being one, the first where only its meaning is wrong."""
    at = _BYTE.search(str(error))
    if at:
        return content.count(b"\n", 0, int(at[1])) + 1
    return content.count(b"\n") + 1 if "truncated" in str(error) else 1


def line_of(content: bytes, text: str) -> int | None:
    """The number of the first line that holds a text."""
    place = content.find(text.encode())
    return None if place < 0 else content.count(b"\n", 0, place) + 1
